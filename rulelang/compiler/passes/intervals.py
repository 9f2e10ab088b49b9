"""Describe numbers by intervals: their arithmetic, and the regions of the state with the interval of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import gcd, prod
from typing import NamedTuple

from rulelang.base import numbers
from rulelang.base.layout import Layout, handles_of, most_of_cells
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_exprs, all_statements

# ---- intervals

#: No number that a backend can store lies outside.
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


class Interval(NamedTuple):
    """All of low, low + step, ... high; `step` is 0 for a single number."""

    low: int
    high: int
    step: int

    def holds(self, word: int) -> bool:
        return self.low <= word <= self.high and (
            word == self.low if not self.step else not (word - self.low) % self.step
        )

    def __str__(self) -> str:
        if not self.step:
            return str(self.low)
        every = f" in steps of {self.step}" if self.step > 1 else ""
        return f"{self.low} to {self.high}{every}"


def bounded_interval(low: int, high: int, step: int = 1) -> Interval:
    """A span with its ends brought to what can be stored."""
    low, high = max(low, LOWEST), min(high, HIGHEST)
    if low >= high:
        return Interval(low, low, 0)
    step = max(step, 1)
    return Interval(low, high - (high - low) % step, step) if low > LOWEST else Interval(low, high, 1)


ANY_INTERVAL = bounded_interval(LOWEST, HIGHEST)
TRUTH_INTERVAL = bounded_interval(0, 1)
#: What a word of a state may be at all.
CELL_INTERVAL = bounded_interval(*numbers.WORD)


def single_value(value: int) -> Interval:
    return Interval(value, value, 0)


def join_intervals(first: Interval, second: Interval) -> Interval:
    """The least span with both."""
    if first == second:
        return first
    low, high = min(first.low, second.low), max(first.high, second.high)
    return bounded_interval(low, high, gcd(first.step, second.step, abs(first.low - second.low)))


def meet_interval(item: Interval, low: int, high: int) -> Interval | None:
    """What of a span lies within low .. high; None for nothing."""
    if item.low >= low and item.high <= high:
        return item
    if not item.step:
        return item if low <= item.low <= high else None
    low, high = max(low, item.low), min(high, item.high)
    low += -(low - item.low) % item.step
    return bounded_interval(low, high, item.step) if low <= high else None


def without_value(item: Interval, value: int) -> Interval | None:
    """A span without a number at one of its ends; None for nothing."""
    if item.low == item.high == value:
        return None
    if item.low == value:
        return bounded_interval(item.low + item.step, item.high, item.step)
    return bounded_interval(item.low, item.high - item.step, item.step) if item.high == value else item


def interval_arithmetic(op: str, a: Interval, b: Interval) -> Interval:
    """What an operation of the IR gives for operands of two spans."""
    match op:
        case "+":
            return bounded_interval(a.low + b.low, a.high + b.high, gcd(a.step, b.step))
        case "-":
            return bounded_interval(a.low - b.high, a.high - b.low, gcd(a.step, b.step))
        case "*":
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            step = b.low * a.step if not b.step else a.low * b.step if not a.step else 1
            return bounded_interval(min(ends), max(ends), abs(step))
        case "//" if b.low > 0:
            ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
            return bounded_interval(min(ends), max(ends))
        case "%" if b.low > 0:
            return bounded_interval(0, b.high - 1) if a.low < 0 or a.high >= b.low else a
        case "&" if a.low >= 0 or b.low >= 0:
            return bounded_interval(0, min(s.high for s in (a, b) if s.low >= 0))
        case "|" | "^" if a.low >= 0 and b.low >= 0:
            return bounded_interval(0, (1 << max(a.high, b.high).bit_length()) - 1)
        case "<<" if a.low >= 0 and b.low >= 0 and b.high < 63:
            return bounded_interval(a.low << b.low, a.high << b.high)
        case ">>" if a.low >= 0 and b.low >= 0:
            return bounded_interval(a.low >> min(b.high, 63), a.high >> min(b.low, 63))
    return ANY_INTERVAL


# ---- regions of the state


class Regions:
    """Stretches from each of `starts` to the next. `fixed`: given by the layout.

    `claimed`: bases at which rules begin to count, and `single`: words that they name. The layout tells of neither how
    far it reaches: a column that lowering claimed ends at the latest where one of the layout begins.
    """

    def __init__(self, layout: Layout, claimed: set[int], single: set[int], initial: Sequence[int]) -> None:
        self.layout = layout
        given, whole = _validated_stretches(layout), _untold_columns(layout)
        ends = {at for start, end, _ in given for at in (start, end)}
        ends |= {at for start, end in whole for at in (start, end)}
        ends |= {cut for cut in claimed | single if 0 < cut < layout.stack}
        whole += [(start, end) for start, end, _ in given]
        inside = {at for start, end in whole for at in range(start + 1, end)}
        self.starts = sorted({0, layout.stack} | (ends - inside))
        self.given = {self.at(start): what for start, _, what in given}
        self.given[self.at(layout.stack)] = ANY_INTERVAL  # frames: see `frame_validation`
        self.fixed = [k in self.given for k in range(len(self.starts))]
        self.spans = self.first(initial)
        #: By base of a column: the stretches that it may be. Of zones with owners there is no instance 0, so their base
        #: lies before the first of them.
        self.columns: dict[int, set[int]] = {}
        bases = [(start, start) for start, _ in whole]
        bases += [
            (zone.base, zone.base + (zone.stride if zone.of else 0)) for zone in layout.zones.values() if zone.array
        ]
        for base, start in bases:
            self.columns.setdefault(base, set()).add(self.at(start))
        firsts = {self.at(start) for start, _ in whole} | {self.at(end) for _, end in whole}
        for base in (claimed & {*self.starts}) - self.columns.keys() - {0}:
            k = self.at(base)
            if base not in inside and k not in self.given:
                until = next((at for at in range(k + 1, len(self.starts)) if at in firsts), len(self.starts))
                self.columns[base] = {*range(k, until)}

    def first(self, initial: Sequence[int]) -> list[Interval]:
        """What is known before anything has been run: attributes are what a position may give them as well."""
        found = []
        laid = {
            self.at(a.base): bounded_interval(*a.holds) for a in self.layout.attributes if a.type in ("int", "bool")
        }
        for k, (start, end) in enumerate(zip(self.starts, [*self.starts[1:], self.layout.size], strict=True)):
            what = single_value(0)
            for word in initial[start:end] if k not in self.given else ():
                what = join_intervals(what, single_value(word))
            if k in laid:
                what = join_intervals(what, laid[k])
            found.append(self.given.get(k, what))
        return found

    def at(self, address: int) -> int:
        """The stretch in which a word lies."""
        return bisect_right(self.starts, address) - 1

    def end(self, base: int) -> int | None:
        """Behind the last word that `S[base + index]` may be, of a column; None for what is none."""
        column = self.columns.get(base)
        if not column:
            return None
        last = max(column) + 1
        return min(self.starts[last], self.layout.stack) if last < len(self.starts) else self.layout.stack

    def touched(self, base: int, index: Interval | None) -> Iterable[int]:
        """The stretches in which `S[base + index]` may lie: of a column none but that column, however large the index
        seems to be. Rules reach no word of the control stack."""
        place = single_value(base) if index is None else interval_arithmetic("+", single_value(base), index)
        low, high = max(place.low, 0), min(place.high, self.layout.stack - 1)
        near = range(self.at(low), self.at(high) + 1) if low <= high else range(0)
        column = None if index is None else self.columns.get(base)
        return near if column is None else [k for k in column if k in near]

    def told(self) -> list[tuple[int, int, Interval]]:
        """What was worked out: (start, end, span) of each stretch."""
        ends = [*self.starts[1:], self.layout.size]
        return [
            (start, end, what)
            for start, end, what, fixed in zip(self.starts, ends, self.spans, self.fixed, strict=True)
            if not fixed
        ]


def regions_of(module: ir.Module, functions: Iterable[ir.Function]) -> Regions:
    """The stretches of a module whose functions are these."""
    claimed, single = set[int](), set[int]()
    for f in functions:
        for stmt in all_statements(f.body):
            for place in (*all_exprs(stmt), stmt):
                if isinstance(place, (ir.Cell, ir.Store, ir.Add, ir.Fill)):
                    (single if place.index is None else claimed).add(place.base)
    return Regions(module.layout, claimed, single, module.initial)


def _untold_columns(layout: Layout) -> list[tuple[int, int]]:
    """(start, end) of the columns whose words the layout does not tell, or not of each."""
    found = [(a.base, a.base + (a.count + 1) * a.width) for a in layout.attributes]
    found += [(t.base, t.base + prod(t.dims)) for t in layout.tables.values()]
    queue = layout.queue
    if queue is not None:
        found += [(queue.column(k), queue.column(k) + queue.room) for k in range(queue.width)]
    return found


def _validated_stretches(layout: Layout) -> list[tuple[int, int, Interval]]:
    """(start, end, span) of what `engine.validate_state` tests word for word, without overlaps."""
    found: list[tuple[int, int, Interval]] = []
    cards = len(layout.cards) - 1
    for name, most in most_of_cells(layout).items():
        at = getattr(layout.cells, name)
        found.append((at, at + 1, bounded_interval(0, most)))
    for attribute in layout.attributes:
        held = handle_interval(layout, attribute.type)
        if held is not None:
            found.append((attribute.base, attribute.base + (attribute.count + 1) * attribute.width, held))
    for kind in layout.kinds.values():
        rows = kind.owners * kind.per_owner
        found.append((kind.alive, kind.alive + rows + 1, TRUTH_INTERVAL))
        for base in (kind.next, kind.prev):
            if base:
                found.append((base, base + rows + 1, bounded_interval(0, rows)))
        for base, most in ((kind.first, rows), (kind.last, rows), (kind.count, kind.most)):
            if base:
                found.append((base, base + kind.owners + 1, bounded_interval(0, most)))
        held = handle_interval(layout, kind.place_kind) if kind.place else None
        if held is not None:
            found.append((kind.place, kind.place + rows + 1, held))
        if kind.used and kind.used != kind.alive:
            found.append((kind.used, kind.used + rows + 1, bounded_interval(0, rows + 1)))
            found.append((kind.waiting, kind.waiting + 1, bounded_interval(0, rows)))
    for zone in layout.zones.values():
        if zone.array:
            first = zone.base + (zone.stride if zone.of else 0)
            end = zone.base + (zone.owners + 1 if zone.of else 1) * zone.stride
            found.append((first, end, bounded_interval(0, max(cards, zone.stride - 1))))
        else:
            count = zone.owners + 1
            found += [
                (zone.first, zone.first + count, bounded_interval(0, cards)),
                (zone.last, zone.last + count, bounded_interval(0, cards)),
            ]
            found.append((zone.count, zone.count + count, bounded_interval(0, cards)))
    found.append((layout.where, layout.where + cards + 1, bounded_interval(0, len(layout.zone_names) - 1)))
    if layout.pairs is not None:
        joined = layout.kinds[layout.pairs.kind]
        found.append(
            (layout.pairs.first, layout.pairs.first + joined.owners * joined.per_owner + 1, bounded_interval(0, cards))
        )
    if layout.queue is not None:
        found.append((layout.queue.count, layout.queue.count + 1, bounded_interval(0, layout.queue.room)))
    for base, most in (
        (layout.card_next, cards),
        (layout.card_prev, cards),
        *(((layout.pairs.next, cards), (layout.pairs.prev, cards)) if layout.pairs is not None else ()),
        (layout.card_face, (handles_of(layout, "trait") or (0, 0))[1]),
        (layout.card_partner, max((k.owners * k.per_owner for k in layout.kinds.values()), default=0)),
    ):
        if base:
            found.append((base, base + cards + 1, bounded_interval(0, most)))
    return found


def handle_interval(layout: Layout, kind: str) -> Interval | None:
    """Of a word that holds a handle of a kind, or 0; None for what is no kind."""
    handles = handles_of(layout, kind)
    return None if handles is None else bounded_interval(0, handles[1])
