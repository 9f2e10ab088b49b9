"""The table for one seat as text, as a terminal without a screen of its own shows it."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.engine.state import State
from rulelang.present import document
from rulelang.present.sheet import Piece, Sheet, maps, words


def draw(
    state: State,
    viewer: int | None,
    columns: int = 100,
    shown: Sequence[str] = (),
    told: set[str] | None = None,
) -> list[str]:
    """The lines of a table as a seat (None: a spectator) sees it: where the game stands, then the sheet.

    Maps are left out if they are as `shown` has them. What is written on cards is told with them; with `told` only
    once, and noted there by the names of cards.
    """
    language = state.names.language
    sheet = Sheet(document(state, viewer), columns, language, texts=True, told=told)
    boards = sheet.maps()
    same = boards and [words(line) for line in boards] == [*shown]
    if same:
        boards = [(Piece("  " + language.say("the map is as it was")),)]
    summary = sheet.document["summary"] or language.say("the table")
    return [summary[:1].upper() + summary[1:], *(words(line) for line in sheet.lines(boards))]


def mapped(state: State, viewer: int | None, columns: int = 100) -> list[str]:
    """Its boards alone; none in a game without."""
    return [words(line) for line in maps(document(state, viewer), columns, state.names.language)]
