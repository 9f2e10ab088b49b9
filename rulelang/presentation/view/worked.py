"""What the rules work out of things to be shown (`look: show:`), for each seat that looks: of what it may know.

The rules may read whatever they like for that. So what was asked for once is worked out again for every position, and
stands for an address of its own behind those of the words: parts that were made of it are made again if it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from rulelang.base.errors import RuleError
from rulelang.base.layout import handles_of
from rulelang.runtime.table import Table

#: Whoever has not looked for so many positions is taken for gone.
LOOKING = 16

#: A shown value: the kind, its place among those of the kind, the handle.
Asked = tuple[str, int, int]


@runtime_checkable
class Several(Protocol):
    """A program that is asked for the values of many functions at once; None where the rules fail."""

    def prepared(self, asked: Sequence[tuple[str, int]]) -> Any: ...

    def pures(self, S: list[int], prepared: Any) -> list[int | None]: ...


class Worked:
    """The shown values of one game as it stands."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.labels = table.program.layout.labels
        self.public: Sequence[int] = ()
        self.seats: dict[int, int] = {}  # who looks, with the position at which he did last
        self.at = 0
        self.asked: list[Asked] = []  # what is worked out for all who look
        self.places: dict[Asked, int] = {}  # where each stands among them
        self.found: dict[int, list[int | None]] = {}  # by seat, in their order
        self.living: list[int] = []  # of each, the word that tells whether the thing is in play; below 0: always
        self.prepared: Any = None  # the calls that answer them, if the program takes many at once
        self.addresses: dict[Asked, int] = {}

    @cached_property
    def size(self) -> int:
        """How many addresses there are, with those of all values that there may be."""
        layout = self.table.program.layout
        return layout.size + sum(
            len(values) * ((handles_of(layout, kind) or (0, 0))[1] + 1) for kind, values in self.labels.shown.items()
        )

    @cached_property
    def several(self) -> Several | None:
        """The program, if it answers for many at once."""
        return self.table.program if isinstance(self.table.program, Several) else None

    def turn(self, public: Sequence[int]) -> list[int]:
        """The next position; the addresses of what is otherwise in it for anybody."""
        self.public = public
        self.at += 1
        self.seats = {seat: last for seat, last in self.seats.items() if self.at - last < LOOKING}
        gone = [place for place, word in enumerate(self.living) if word >= 0 and not public[word]]
        changed = [self.addresses[self.asked[place]] for place in gone]
        if gone:
            self._forget({*gone})
        if self.asked and self.prepared is None and self.several is not None:
            self.prepared = self.several.prepared(self._functions(self.asked))
        before, self.found = self.found, {}
        otherwise: set[int] = set()
        for seat in self.seats:
            new = self.found[seat] = self._values(self.asked, seat, self.prepared)
            old = before[seat]
            if new != old:
                otherwise.update(place for place, value in enumerate(new) if value != old[place])
        return [*changed, *(self.addresses[self.asked[place]] for place in otherwise)]

    def look(self, seat: int) -> list[int]:
        """A seat looks from now on. The addresses of what is otherwise for it, if it did not look before: what others
        agreed about until now."""
        known, others = seat in self.seats, [*self.found.values()]
        self.seats[seat] = self.at
        if known:
            return []
        mine = self.found[seat] = self._values(self.asked, seat)
        return [
            self.addresses[asked]
            for place, asked in enumerate(self.asked)
            if any(values[place] != mine[place] for values in others)
        ]

    def there(self, asked: Asked) -> bool:
        """Whether the thing is in play for everybody: it may have come behind the curtain."""
        word = self._lives(asked)
        return word < 0 or bool(self.public[word])

    def value(self, asked: Asked, seat: int) -> tuple[int | None, int, bool]:
        """The word, None if the rules make a mistake there; the address that it stands for; whether it is another for
        another seat."""
        place = self.places.get(asked)
        if place is None:
            place = self._ask(asked)
        word = self.found[seat][place]
        return word, self.addresses[asked], any(values[place] != word for values in self.found.values())

    def _ask(self, asked: Asked) -> int:
        """Work it out from now on; where it stands."""
        place = self.places[asked] = len(self.asked)
        self.asked.append(asked)
        self.living.append(self._lives(asked))
        self.prepared = None
        if asked not in self.addresses:
            self.addresses[asked] = self.table.program.layout.size + len(self.addresses)
        for seat in self.seats:
            self.found[seat] += self._values([asked], seat)
        return place

    def _forget(self, gone: set[int]) -> None:
        """Of these nothing is worked out any more."""
        left = [place for place in range(len(self.asked)) if place not in gone]
        self.asked, self.living = [self.asked[place] for place in left], [self.living[place] for place in left]
        self.places = {asked: place for place, asked in enumerate(self.asked)}
        self.found = {seat: [values[place] for place in left] for seat, values in self.found.items()}
        self.prepared = None

    def _lives(self, asked: Asked) -> int:
        """The word that tells whether a thing is in play; below 0 for what always is."""
        made = self.table.program.layout.kinds.get(asked[0])
        return -1 if made is None else made.alive + asked[2]

    def _functions(self, every: Sequence[Asked]) -> list[tuple[str, int]]:
        shown = self.labels.shown
        return [(shown[kind][place].function, handle) for kind, place, handle in every]

    def _values(self, every: Sequence[Asked], seat: int, prepared: Any = None) -> list[int | None]:
        """What a seat may know of each; None where the rules make a mistake."""
        if not every:
            return []
        known, program = self.table.known(self.public, seat), self.table.program
        if self.several is not None:
            return self.several.pures(known, prepared or self.several.prepared(self._functions(every)))
        found: list[int | None] = []
        for (function, handle), (kind, _, _) in zip(self._functions(every), every, strict=True):
            try:
                found.append(program.pure(known, function, (handle,) if kind else ()))
            except RuleError:
                found.append(None)
        return found
