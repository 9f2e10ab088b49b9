"""Positions of tables become scenarios in files of the game, and only such that pass."""

from __future__ import annotations

from rulelang.apps.studio.workshop import files
from rulelang.apps.studio.workshop.desk import Desk
from rulelang.base.phrases import phrase
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.state import State
from rulelang.testing.scenarios.adding import unlike, with_scenario
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.written import LAST, CannotWrite, Written, written


def make_scenario(desk: Desk, state: State, name: str, path: str, last: int = LAST) -> tuple[int, Written]:
    """Write the scenario of a state at the end of a file; its line. CannotWrite, with the file as it was before."""
    with desk.lock:
        made = desk.checked()
        if made is None or made[1].diagnostics.failed or desk.home is None:
            raise CannotWrite(phrase("the game has errors: fix them first"))
        fixture = Fixture(Compilation(desk.home))
        now = fixture.game.table(state.table.players, chosen(fixture, state))
        if now.fingerprint != state.table.fingerprint:
            raise CannotWrite(phrase("the game has changed since this table started: start a new one"))
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
        raise CannotWrite(phrase("the new scenario did not give the same result as the game, so it was removed"))


def chosen(fixture: Fixture, state: State) -> dict[str, object]:
    """The options of a state's table that its game still has."""
    options = fixture.game.options
    return {name: options[name].value_of(n) for name, n in state.table.options.items() if name in options}
