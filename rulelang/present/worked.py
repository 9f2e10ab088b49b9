"""What the rules work out of things to be shown (`look: show:`), for each seat that looks: of what it may know.

The rules may read whatever they like for that. So what was asked for once is worked out again for every position, and
stands for an address of its own behind those of the words: parts that were made of it are made again if it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Protocol, runtime_checkable

from rulelang.base.errors import RuleError
from rulelang.base.layout import handles_of
from rulelang.engine.table import Table

#: Whoever has not looked for so many positions is taken for gone.
LOOKING = 16

#: A shown value: the kind, its place among those of the kind, the handle.
Asked = tuple[str, int, int]


@runtime_checkable
class Several(Protocol):
    """A program that is asked for the values of many functions at once; None where the rules fail."""

    def pures(self, S: list[int], asked: Sequence[tuple[str, tuple[int, ...]]]) -> list[int | None]: ...


class Worked:
    """The shown values of one game as it stands."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.labels = table.program.layout.labels
        self.public: Sequence[int] = ()
        self.known: dict[int, list[int]] = {}
        self.seats: dict[int, int] = {}  # who looks, with the position at which he did last
        self.at = 0
        self.values: dict[Asked, dict[int, int | None]] = {}
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

    def turn(self, public: Sequence[int]) -> Iterator[int]:
        """The next position; the addresses of what is otherwise in it for anybody."""
        self.public, self.known = public, {}
        self.at += 1
        self.seats = {seat: last for seat, last in self.seats.items() if self.at - last < LOOKING}
        for asked in [asked for asked in self.values if not self.there(asked)]:
            del self.values[asked]
            yield self.addresses[asked]
        every = [*self.values]
        found = {seat: self._values(every, seat) for seat in self.seats}
        for place, asked in enumerate(every):
            new = {seat: values[place] for seat, values in found.items()}
            if new != self.values[asked]:
                self.values[asked] = new
                yield self.addresses[asked]

    def look(self, seat: int) -> list[int]:
        """A seat looks from now on. The addresses of what is otherwise for it, if it did not look before: what others
        agreed about until now."""
        known, others = seat in self.seats, bool(self.seats)
        self.seats[seat] = self.at
        if known:
            return []
        differing = []
        for asked, values in self.values.items():
            found = self._value(asked, seat)
            if others and any(value != found for value in values.values()):
                differing.append(self.addresses[asked])
            values[seat] = found
        return differing

    def there(self, asked: Asked) -> bool:
        """Whether the thing is in play for everybody: it may have come behind the curtain."""
        made = self.table.program.layout.kinds.get(asked[0])
        return made is None or bool(self.public[made.alive + asked[2]])

    def value(self, asked: Asked, seat: int) -> tuple[int | None, int, bool]:
        """The word, None if the rules make a mistake there; the address that it stands for; whether it is another for
        another seat."""
        values = self.values.get(asked)
        if values is None:
            values = self.values[asked] = {one: self._value(asked, one) for one in self.seats}
        address = self.addresses.get(asked)
        if address is None:
            address = self.addresses[asked] = self.table.program.layout.size + len(self.addresses)
        word = values[seat]
        return word, address, any(other != word for other in values.values())

    def _value(self, asked: Asked, seat: int) -> int | None:
        return self._values([asked], seat)[0]

    def _values(self, every: Sequence[Asked], seat: int) -> list[int | None]:
        """What a seat may know of each; None where the rules make a mistake."""
        shown = self.labels.shown
        calls = [(shown[kind][place].function, (handle,) if kind else ()) for kind, place, handle in every]
        if self.several is not None:
            return self.several.pures(self._known(seat), calls)
        program = self.table.program
        found: list[int | None] = []
        for function, args in calls:
            try:
                found.append(program.pure(self._known(seat), function, args))
            except RuleError:
                found.append(None)
        return found

    def _known(self, seat: int) -> list[int]:
        found = self.known.get(seat)
        if found is None:
            found = self.known[seat] = self.table.known(self.public, seat)
        return found
