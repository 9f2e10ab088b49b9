"""Games that look for mistakes, inside of the library: `runtime/prove.c`, and the tables that it reads."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

from rulelang.backends.native.context import Library, place
from rulelang.base.errors import RuleError
from rulelang.base.layout import Layout, handles_of, most_of_cells
from rulelang.engine.validate_state import InvalidState, check_values, check_words

#: What a library says of a position that cannot be, by number: what was tested, and how it is told.
_WORDS = 1
_WRONG = {
    2: ("options", "options listed anew are others than those that were asked"),
    3: ("options", "an option is there twice"),
    4: ("options", "listing the options changes the state"),
    5: ("backends", "played at one go the game ends otherwise than paused at every decision"),
}
#: What a zone tells by its number.
_OF_THINGS, _LINKED = 1, 2
#: Words for options: more than are ever listed, so that all are compared.
_ROOM = 1 << 18


class Unsound(Exception):
    """What does not hold of a position that a library came to. `kind`: what was tested."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Proved:
    """So many games, of so many decisions, hold; `remade`: times that one went on from its words alone; `both`: games
    played at one go as well. `problem`: what ended the game behind them."""

    games: int
    decisions: int
    remade: int
    both: int
    problem: RuleError | Unsound | ValueError | None


class Proving(Library):
    """What a native program has of it."""

    @cached_property
    def tested(self) -> array[int]:
        """The tables, as `runtime/prove.c` reads them."""
        return array("i", _joined(list(sections(self.layout))))

    def prove_many(self, series: int, first: int, games: int, every: int) -> Proved:
        """Random games with the seeds of a series, tested at every decision; once in `every` decisions from the words
        alone, and one in `every` games at one go as well. It ends with the first that fails."""
        here = self.here
        if len(here.out) < _ROOM:
            here.room(_ROOM)
        told, other = array("q", bytes(24)), array("i", bytes(4 * self.layout.size))
        at = map(place, (other, self.start, self.tested))
        done: int = self.lib.rl_prove_many(here.C, here.at, *at, series, first, games, every, place(told))
        problem: RuleError | Unsound | ValueError | None = None
        if done < games:
            try:
                self.raise_error()
            except (RuleError, Unsound, ValueError) as found:
                problem = found
        decisions, remade, both = told
        return Proved(done, decisions, remade, both, problem)

    def sound(self, words: list[int]) -> bool:
        """Whether words can be those of a position, as `engine.validate_state` says."""
        own = array("i", words)
        return bool(self.lib.rl_sound(place(self.tested), place(own)))

    def unsound(self, number: int, words: list[int]) -> NoReturn:
        """Raise what a library found. AssertionError if it is sound by `engine.validate_state`."""
        if number in _WRONG:
            raise Unsound(*_WRONG[number])
        try:
            check_words(self.layout, words)
            check_values(self.layout, words)
        except InvalidState as problem:
            raise Unsound(problem.kind, str(problem)) from None
        raise AssertionError("the library finds a position unsound that is not")


# ---- the tables


def sections(layout: Layout) -> Iterator[list[int]]:
    """In the order of `runtime/prove.c`."""
    yield [n for name, most in most_of_cells(layout).items() for n in (getattr(layout.cells, name), most)]
    values, handles = [], []
    for a in layout.attributes:
        end = a.base + (a.count + 1) * a.width
        values += [a.base, end, *a.holds]
        values += [a.base, a.base + a.width, 0, 0] if a.kind else []
        rows = handles_of(layout, a.type)
        handles += [a.base, end, *rows] if rows else []
    for kind in layout.kinds.values():
        for base in (kind.alive, kind.place, kind.next, kind.prev, kind.first, kind.last, kind.used):
            values += [base, base + 1, 0, 0] if base else []
        rows = handles_of(layout, kind.place_kind) if kind.place else None
        handles += [kind.place, kind.place + kind.owners * kind.per_owner + 1, *rows] if rows else []
    columns = (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.card_partner, layout.silent)
    joins = layout.pairs
    for base in (*columns, *((joins.first, joins.next, joins.prev) if joins else ())):
        values += [base, base + 1, 0, 0] if base else []
    rows = handles_of(layout, "trait") if layout.card_face else None
    handles += [layout.card_face, layout.card_face + len(layout.cards), *rows] if rows else []
    yield values
    yield handles
    yield [
        n
        for k in layout.kinds.values()
        for n in (k.alive, k.next, k.prev, k.first, k.last, k.count, k.used, k.waiting, k.owners, k.per_owner)
    ]
    yield list(_zones(layout))
    yield _pairs(layout)
    yield _told(layout)
    queue = layout.queue
    yield [queue.count, queue.room, queue.column(0), len(queue.hooks)] if queue else []


def _zones(layout: Layout) -> Iterator[int]:
    for zone in layout.zones.values():
        least, most = layout.sorts.get(zone.holds, (1, len(layout.cards) - 1))
        low, high = (1, zone.owners) if zone.of else (0, 0)
        yield from (int(zone.array), zone.base, zone.stride, zone.first, zone.last, zone.count, zone.first_id)
        yield from (low, high, least, most)


def _pairs(layout: Layout) -> list[int]:
    if layout.pairs is None:
        return []
    pairs, kind = layout.pairs, layout.kinds[layout.pairs.kind]
    return [kind.alive, kind.owners * kind.per_owner, pairs.first, pairs.next, pairs.prev, layout.card_partner]


def _told(layout: Layout) -> list[int]:
    """By the number of a zone."""
    found = [0] * max(len(layout.zone_names), 1)
    for zone in layout.zones.values():
        told = (_OF_THINGS if zone.of in layout.kinds else 0) | (0 if zone.array else _LINKED)
        for owner in range(zone.owners + 1):
            if zone.first_id + owner < len(found) and layout.zone_names[zone.first_id + owner] == zone.name:
                found[zone.first_id + owner] = told
    return found


def _joined(parts: list[list[int]]) -> list[int]:
    """All sections, and before them where each begins."""
    head, at = [], len(parts) + 1
    for part in parts:
        head.append(at)
        at += len(part)
    return [*head, at, *(number for part in parts for number in part)]
