"""Names as people read them, for a story: the labels of a ruleset, or the names of its rules in words."""

from __future__ import annotations

from rulelang.engine.names import Names
from rulelang.present.words import Words


class Reading(Names):
    """As `Names`, but rows and cards are called as they are labelled."""

    __slots__ = ("words",)

    def __init__(self, names: Names) -> None:
        super().__init__(names.layout, names.players, names.overrides, names.language)
        self.words = Words(names.layout, names)

    def text(self, kind: str, value: int, face: int = 0) -> str:
        layout = self.layout
        plain = kind in ("", "int", "bool", "player") or kind.startswith(":") or kind in layout.kinds
        if plain or not value or (kind, value) in self.overrides:
            return super().text(kind, value, face)
        return self.words.value(kind, value, face)

    def card(self, card: int, face: int = 0) -> str:
        return self.words.card(card, face)
