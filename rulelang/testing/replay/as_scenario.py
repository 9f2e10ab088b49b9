"""A decision of a recorded game as a scenario: the position, the move that was made there, and what came of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulelang.base.files import write_atomically
from rulelang.testing.replay.walking import Walk
from rulelang.testing.scenarios.adding import names_in, passes, unlike, with_scenario
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.flow import Given
from rulelang.testing.scenarios.written import CannotWrite, Written, written


def as_scenario(fixture: Fixture, walk: Walk, number: int, name: str = "", heads: Given | None = None) -> Written:
    """The scenario of the decision of that number, from 1 to `walk.last`, which was run and passes.

    It begins as late as a scenario can, so moves before it may be steps too. `heads`: the mods and the mode that the
    game is played with, as its head names them. CannotWrite if there is none.
    """
    if not 0 < number <= walk.last:
        raise CannotWrite(_beyond(walk, number))
    state = walk.position(number)
    move = walk.move(number)
    called = " ".join(name.split()) or f"move {number}, {state.players[move.by - 1]}: {move.said}"
    found = written(fixture, state, called, 1, heads)
    if not passes(fixture, found):
        raise CannotWrite(
            "this position cannot be written as a scenario: the scenario does not give the same result as the game"
        )
    return found


def _beyond(walk: Walk, number: int) -> str:
    if number > 0 and walk.parting is not None:
        return f"the recording cannot be followed past decision {walk.last}: {walk.parting.what}"
    return f"there is no decision {number} in this game: it has {walk.last}"


def add_scenario(path: Path, found: Written) -> tuple[int, str]:
    """Write a scenario at the end of a file, which may be there or not: on which line it begins, and its name, which
    has a number behind it if another of the file has the same. CannotWrite if it does not fit in, OSError."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = replace(found, name=unlike(found.name, names_in(text, str(path))))
    text, line = with_scenario(text, str(path), found)
    write_atomically(path, text.encode())
    return line, found.name
