"""What is said of a game's cards, rows and members wherever they are: worked out once for a table and a language."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from rulelang.base.labels import Label
from rulelang.presentation.view.words import Words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Heading:
    """What is the same in every fact of one member."""

    called: str
    short: str
    about: str
    otherwise: str

    @classmethod
    def of(cls, words: Words, kind: str, name: str, label: Label) -> Heading:
        called = words.said(label.name) or words.member_name(kind, name)
        otherwise = "" if label.pattern else words.said(label.otherwise)  # beside `called:` it is a sentence of its own
        return cls(called, words.said(label.short), words.said(label.text), otherwise)


#: So many options are kept.
ASKED = 20_000


class Book:
    """Shared by all games of one table, which are told in one language. Nothing in it is changed once it is there, and
    nothing in it depends on a position or on who plays."""

    def __init__(self) -> None:
        self.known: dict[Hashable, Any] = {}
        self.options: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What stands under a key, made when it is first wanted."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = make()
        made: T = found
        return made

    def asked(self, key: Hashable, make: Callable[[], T]) -> T:
        """The same of what is asked, of which there is too much to keep all."""
        found = self.options.get(key)
        if found is None:
            if len(self.options) >= ASKED:
                self.options.clear()
            found = self.options[key] = make()
        made: T = found
        return made
