"""Results of work that is done again and again, kept by what they are made of.

Whoever checks a ruleset once keeps nothing (`FORGETFUL`). Whoever checks it after each keystroke hands a `Memo` from
check to check: work whose key was seen before is not done again, and says again what it said.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from rulelang.base.diagnostics import Diagnostic, Diagnostics

T = TypeVar("T")


class Forgetful:
    """Does all work each time."""

    def kept(self, kind: str, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives. It may depend on nothing but the key, and nobody may change what it gave."""
        return make()

    def told(self, kind: str, key: Hashable, out: Diagnostics, make: Callable[[Diagnostics], T]) -> T:
        """The same for work that also reports; it must not look at what others reported."""

        def work() -> tuple[T, tuple[Diagnostic, ...]]:
            own = Diagnostics()
            return make(own), tuple(own)

        made, found = self.kept(kind, key, work)
        out.extend(found)
        return made


class Memo(Forgetful):
    """Keeps what was asked for in the last two rounds, each kind of work by itself.

    A kind that was not asked for at all in a round, as nothing came so far, loses nothing.
    """

    def __init__(self) -> None:
        self._now: dict[str, dict[Hashable, Any]] = {}
        self._before: dict[str, dict[Hashable, Any]] = {}
        #: How often work of each kind was done, and how often it was not: for tests, and for whoever measures.
        self.done: dict[str, int] = {}
        self.spared: dict[str, int] = {}

    def turn(self) -> None:
        """Begin a round: what was not asked for since the one before is forgotten."""
        for kind in [kind for kind, asked in self._now.items() if asked]:
            self._before[kind] = self._now[kind]
            self._now[kind] = {}
        self.done.clear()
        self.spared.clear()

    def kept(self, kind: str, key: Hashable, make: Callable[[], T]) -> T:
        now = self._now.setdefault(kind, {})
        if key in now:
            self.spared[kind] = self.spared.get(kind, 0) + 1
            return cast(T, now[key])
        before = self._before.get(kind, {})
        if key in before:
            self.spared[kind] = self.spared.get(kind, 0) + 1
            made = cast(T, before[key])
        else:
            self.done[kind] = self.done.get(kind, 0) + 1
            made = make()
        now[key] = made
        return made


FORGETFUL = Forgetful()
