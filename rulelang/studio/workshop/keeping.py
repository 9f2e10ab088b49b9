"""Positions of tables become scenarios in files of the game, and only such that pass."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostics
from rulelang.compile import Compilation
from rulelang.data.text_edits import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.engine.state import State
from rulelang.scenarios.fixture import Fixture
from rulelang.scenarios.written import LAST, CannotWrite, Written, written
from rulelang.studio.workshop import files
from rulelang.studio.workshop.desk import Desk

HEAD = "scenarios:\n"


def make_scenario(desk: Desk, state: State, name: str, path: str, last: int = LAST) -> tuple[int, Written]:
    """Write the scenario of a state at the end of a file; its line. CannotWrite, with the file as it was before."""
    with desk.lock:
        made = desk.checked()
        if made is None or made[1].diagnostics.failed or desk.home is None:
            raise CannotWrite("there are mistakes in the game: mend them first")
        fixture = Fixture(Compilation(desk.home))
        now = fixture.game.table(state.table.players, chosen(fixture, state))
        if now.fingerprint != state.table.fingerprint:
            raise CannotWrite("the game has been changed since this table began: begin a new one")
        name = unlike(" ".join(name.split()) or "a position", {one["name"] for one in desk.scenarios(made[1])})
        found = written(fixture, state, name, last)
        there = desk.absolute(path).exists()
        before = files.read(desk.folder, path) if there else files.File(path, "", "")
        text, line = with_scenario(before.text, path, found)
        version = files.save(desk.folder, path, text, before.version)
        outcomes = desk.run(path, name)["outcomes"]
        if len(outcomes) == 1 and outcomes[0]["passed"]:
            return line, found
        if there:
            files.save(desk.folder, path, before.text, version)
        else:
            desk.absolute(path).unlink()
        raise CannotWrite("what was written did not come out as the game did, so it was taken back")


def chosen(fixture: Fixture, state: State) -> dict[str, object]:
    """The options of a state's table that its game still has."""
    options = fixture.game.options
    return {name: options[name].value_of(n) for name, n in state.table.options.items() if name in options}


def with_scenario(text: str, path: str, found: Written) -> tuple[str, int]:
    """A file's text with a scenario more at the end, and the line on which that begins."""
    if not text.strip():
        return HEAD + found.text("  "), 2
    out = Diagnostics()
    root = read_yaml_text(text, path, out).root
    node = root.get("scenarios") if isinstance(root, YamlMap) else root
    if out.failed or (node is not None and not isinstance(node, YamlSeq)):
        raise CannotWrite(f"`{path}` cannot be read as it is, so nothing is added to it")
    body = text.rstrip("\n")
    if node is None:
        return f"{body}\n{HEAD}{found.text('  ')}", body.count("\n") + 3
    if TextEdits(text).part(node.span).startswith("["):
        raise CannotWrite(f"the scenarios of `{path}` stand between brackets; write each on a line of its own")
    indent = " " * (node.span.column - 1)
    return f"{body}\n\n{found.text(indent)}", body.count("\n") + 3


def unlike(name: str, known: set[str]) -> str:
    """The name, with a number behind it where another scenario has it."""
    number, found = 1, name
    while found in known:
        number += 1
        found = f"{name} {number}"
    return found
