"""Written scenarios go into files: run beforehand, under a name of their own, behind what stands there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import phrase
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.read import scenarios_in
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.tokens import items
from rulelang.testing.scenarios.written import CannotWrite, Written

HEAD = "scenarios:\n"
#: What a scenario is called that is in no file yet.
NOWHERE_YET = "written.yaml"


def passes(fixture: Fixture, found: Written) -> bool:
    """Whether a scenario passes, by the rules of the fixture, with its mods and mode."""
    out = Diagnostics()
    read = scenarios_in(NOWHERE_YET, HEAD + replace(found, heads={}).text("  "), 0, out)
    return not out.failed and len(read) == 1 and _Alone(fixture).run(read[0], ()).passed


class _Alone(Runner):
    """Runs scenarios on a fixture that there is already."""

    def __init__(self, fixture: Fixture) -> None:
        self.only = fixture
        super().__init__(fixture.compilation.where)

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        return self.only


def with_scenario(text: str, path: str, found: Written) -> tuple[str, int]:
    """A file's text with a scenario more at the end, and the line on which that begins. CannotWrite if none fits in."""
    if not text.strip():
        return HEAD + found.text("  "), 2
    out = Diagnostics()
    root = read_yaml_text(text, path, out).root
    node = root.get("scenarios") if isinstance(root, YamlMap) else root
    if out.failed or (node is not None and not isinstance(node, YamlSeq)):
        raise CannotWrite(phrase("`{path}` cannot be read as it is, so nothing is added to it", path=path))
    body = text.rstrip("\n")
    if node is None:
        return f"{body}\n{HEAD}{found.text('  ')}", body.count("\n") + 3
    if TextEdits(text).part(node.span).startswith("["):
        raise CannotWrite(phrase("the scenarios of `{path}` are in brackets; put each on its own line", path=path))
    indent = " " * (node.span.column - 1)
    return f"{body}\n\n{found.text(indent)}", body.count("\n") + 3


def names_in(text: str, path: str) -> set[str]:
    """The names of the scenarios in a file's text."""
    root = read_yaml_text(text, path, Diagnostics()).root
    node = root.get("scenarios") if isinstance(root, YamlMap) else root
    named = [item.get("name") for item in items(node) if isinstance(item, YamlMap)]
    return {" ".join(name.text.split()) for name in named if isinstance(name, YamlScalar)}


def unlike(name: str, known: Collection[str]) -> str:
    """The name, with a number behind it where another scenario has it."""
    number, found = 1, name
    while found in known:
        number += 1
        found = f"{name} {number}"
    return found
