"""The table for one seat as text, as a terminal without a screen of its own shows it."""

from __future__ import annotations

from itertools import chain

from rulelang.base.languages import Language
from rulelang.presentation.view import document
from rulelang.presentation.view.records import Document
from rulelang.presentation.view.sheet import Line, Sheet, maps, words
from rulelang.runtime.state import State


class Board:
    """The table as a seat (None: a spectator) sees it, told to somebody who reads line by line: once as a whole, then
    what has changed of it since he was told."""

    def __init__(self, viewer: int | None, columns: int = 100) -> None:
        self.viewer, self.columns = viewer, columns
        self.told: set[str] = set()  # cards whose texts were told
        self.known: dict[str, list[str]] | None = None  # by its name, the parts of each block as they were told

    def whole(self, state: State, *, texts: bool = False) -> list[str]:
        """Where the game stands, then all of the table. `texts`: of all cards, not only of those not told of yet."""
        shown = document(state, self.viewer)
        self.known = self._known(shown, state.names.language)
        sheet = Sheet(shown, self.columns, state.names.language, texts=True, told=None if texts else self.told)
        return [*_head(shown["summary"], state), *map(words, sheet.lines())]

    def news(self, state: State) -> list[str]:
        """What is other than it was told, each part below the head of its block; nothing if all is as it was."""
        before, language = self.known, state.names.language
        if before is None:
            return self.whole(state)
        shown = document(state, self.viewer)
        self.known = self._known(shown, state.names.language)
        sheet = Sheet(shown, self.columns, language, texts=True, told=self.told)
        lines: list[str] = []
        for name, parts in sheet.blocks().items():
            changed = _changed(before.get(name, []), self.known[name])
            lines += ["", *(words(line) for place in changed for line in parts[place])] if changed else []
        if not lines:
            return []
        head, summary = language.say("changes on the table"), shown["summary"]
        return [*_head(language.say("{name}: {what}", name=summary, what=head) if summary else head, state), *lines[1:]]

    def _known(self, shown: Document, language: Language) -> dict[str, list[str]]:
        """What is to be said now, however it stands in lines and columns, and with the texts of all cards."""
        blocks = Sheet(shown, self.columns, language, texts=True).blocks()
        return {name: [*map(_said, parts)] for name, parts in blocks.items()}


def draw(state: State, viewer: int | None, columns: int = 100) -> list[str]:
    """The whole table, with the texts of all cards."""
    return Board(viewer, columns).whole(state, texts=True)


def mapped(state: State, viewer: int | None, columns: int = 100) -> list[str]:
    """Its boards alone; none in a game without."""
    return [words(line) for line in maps(document(state, viewer), columns, state.names.language)]


def _head(summary: str, state: State) -> list[str]:
    summary = summary or state.names.language.say("the table")
    return [summary[:1].upper() + summary[1:]]


def _said(lines: list[Line]) -> str:
    return " ".join(chain.from_iterable(words(line).split() for line in lines))


def _changed(before: list[str], now: list[str]) -> list[int]:
    """Which parts of a block are to be told: its head with those that are new; all, where one is gone or has only
    another place."""
    if before == now:
        return []
    fresh = [place for place, said in enumerate(now) if place and said not in before]
    if len(now) < len(before) or not (fresh or now[:1] != before[:1]):
        return [*range(len(now))]
    return [0, *fresh]
