"""Results of work that is done again and again, kept by what they are made of.

Whoever checks a ruleset once keeps nothing (`NULL_CACHE`). Whoever checks it after each keystroke hands a `Memo` from
check to check: work whose key was seen before is not done again, and says again what it said.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar, cast

from rulelang.base.diagnostics import Diagnostic, Diagnostics

T = TypeVar("T")
K = TypeVar("K", covariant=True)


class IdentityKey(Generic[K]):
    """In a key: a thing that is the same, and not one that is equal. Kept with its key, it stays alive. (They are made
    by the ten thousand, so it is no dataclass.)"""

    __slots__ = ("item",)

    def __init__(self, item: K) -> None:
        self.item = item

    def __repr__(self) -> str:
        return f"IdentityKey({self.item!r})"

    def __eq__(self, other: object) -> bool:
        return other.__class__ is IdentityKey and self.item is other.item

    def __hash__(self) -> int:
        return id(self.item)


class NullCache:
    """Does all work each time."""

    keeps = again = False

    def get_or_compute(
        self, kind: str, key: Hashable, make: Callable[[], T], fits: Callable[[T], bool] | None = None
    ) -> T:
        """What `make` gives. It may depend on nothing but the key, and on what `fits` tests of what was kept.

        Nobody may change what it gave."""
        return make()

    def revalidate(self, kind: str, place: Hashable, sameness: object, make: Callable[[], T]) -> T:
        """The same for a key that is only compared, with the last one of its place, as it would take long to hash."""
        return make()

    def early_cutoff(self, kind: str, place: Hashable, made: T) -> T:
        """What was made in this place before, if it is equal: so that what was made of that is the same, too."""
        return made

    def intern(self, kind: str, made: T) -> T:
        """What was made before in any place, if it is equal."""
        return made

    def with_diagnostics(self, kind: str, key: Hashable, out: Diagnostics, make: Callable[[Diagnostics], T]) -> T:
        """The same for work that also reports; it must not look at what others reported."""

        def work() -> tuple[T, tuple[Diagnostic, ...]]:
            own = Diagnostics()
            return make(own), tuple(own)

        made, found = self.get_or_compute(kind, key, work)
        out.extend(found)
        return made


class Memo(NullCache):
    """Keeps what was asked for in the last two rounds, each kind of work by itself.

    A kind that was not asked for at all in a round, as nothing came so far, loses nothing. `again`: whether there will
    be other rounds; without, it serves what one check has in common with itself: a ruleset in several modes.
    """

    keeps = True

    def __init__(self, again: bool = True) -> None:
        self.again = again
        self.rounds = 0
        self._held: dict[str, dict[Hashable, Any]] | None = None
        self._now: dict[str, dict[Hashable, Any]] = {}
        self._before: dict[str, dict[Hashable, Any]] = {}
        #: How often work of each kind was done, and how often it was not: for tests, and for whoever measures.
        self.done: dict[str, int] = {}
        self.spared: dict[str, int] = {}

    def turn(self) -> None:
        """Begin a round: what was not asked for since the one before is forgotten."""
        self.rounds += 1
        self.done.clear()
        self.spared.clear()
        if self._held is not None:
            self._now, self._before = {}, self._held
            return
        for kind in [kind for kind, asked in list(self._now.items()) if asked]:  # scenarios may be in another thread
            self._before[kind] = self._now[kind]
            self._now[kind] = {}

    def hold(self) -> None:
        """From here on each round begins with what is kept now: for whoever tries one change after the other, each from
        the same beginning."""
        self._held = {
            kind: self._before.get(kind, {}) | self._now.get(kind, {}) for kind in {**self._before, **self._now}
        }

    def get_or_compute(
        self, kind: str, key: Hashable, make: Callable[[], T], fits: Callable[[T], bool] | None = None
    ) -> T:
        now = self._now.setdefault(kind, {})
        known = now if key in now else self._before.get(kind, {})
        if key in known and (fits is None or fits(known[key])):
            self.spared[kind] = self.spared.get(kind, 0) + 1
            made = cast(T, known[key])
        else:
            self.done[kind] = self.done.get(kind, 0) + 1
            made = make()
        now[key] = made
        return made

    def revalidate(self, kind: str, place: Hashable, sameness: object, make: Callable[[], T]) -> T:
        return self.get_or_compute(kind, place, lambda: (sameness, make()), lambda known: bool(known[0] == sameness))[1]

    def early_cutoff(self, kind: str, place: Hashable, made: T) -> T:
        return self.get_or_compute(f"{kind}, settled", place, lambda: made, lambda known: bool(known == made))

    def intern(self, kind: str, made: T) -> T:
        now = self._now.setdefault(kind, {})
        for known in (*now.values(), *self._before.get(kind, {}).values()):
            if known == made:
                made = known
        now[id(made)] = made
        return made


NULL_CACHE = NullCache()
