"""Which parts of a document each line of a story is about."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from rulelang.base.layout import ZONE
from rulelang.presentation.view.happened import Mark, Traces, marks, part_of
from rulelang.presentation.view.ids import Ids
from rulelang.presentation.view.seen import ids_of
from rulelang.presentation.view.words import Words
from rulelang.runtime.log import Log
from rulelang.runtime.log_reading import Reading
from rulelang.runtime.state import State


def parts_told(state: State, seat: int, lines: Sequence[Sequence[int]], reading: Reading) -> list[list[str]]:
    """By line: the ids of the parts that it is about, as far as a seat (0: a spectator) sees them now and they are
    still the same. `lines`: what each tells, the numbers of events, and of changes as `-1 - number`, as they were read
    in `reading`. Changes for which there is no line are those of the event in whose course they came."""
    traces, ids = Traces(seat), ids_of(state, seat)
    traces.follow(state)
    names = state.names.spoken(state.names.language.labelled())
    log = state.log_in(names, seat, traces.reading)
    return _Telling(log, traces, ids, Words(ids.layout, names)).parts(lines, state.log_in(names, seat, reading))


class _Telling:
    def __init__(self, log: Log, traces: Traces, ids: Ids, words: Words) -> None:
        self.log, self.traces, self.ids, self.words = log, traces, ids, words
        self.lying = ids.together(handle for what, handle, _ in traces.last if what == "card")

    def parts(self, lines: Sequence[Sequence[int]], whole: Log) -> list[list[str]]:
        """`whole`: the log in which changes have the numbers by which lines call them."""
        found: list[dict[str, None]] = [{} for _ in lines]
        line_of = {number: place for place, told in enumerate(lines) for number in told}
        for number, place in line_of.items():
            if 0 <= number < len(self.log):
                found[place].update(dict.fromkeys(self._named(number)))
        learned = [number for number in range(len(whole.changes)) if whole.learned(number)]
        changes = self.log.changes
        for number, called in zip(range(len(changes)), learned, strict=False):
            entry = changes.entry(number)
            line, above = line_of.get(-1 - called), entry.parent
            while line is None and above >= 0:
                line, above = line_of.get(above), self.traces.events[above].parent
            if line is not None:
                moment = changes.after(number) + 1 + number
                found[line].update(dict.fromkeys(self._marked(marks(self.log, entry), moment)))
        return [list(parts) for parts in found]

    def _named(self, number: int) -> Iterator[str]:
        """What an event names that has not moved or changed its place since."""
        changes = self.log.changes
        moment = number + bisect_left(range(len(changes)), number, key=changes.after)
        event = self.log[number]
        for kind, handle in zip(event.kinds, event.args, strict=True):
            if not kind or not handle or kind in ("int", "bool"):
                continue
            if kind == ZONE:
                part = part_of(("zone", handle, ""), self.ids, self.words, self.lying)
                if part is not None:
                    yield part
            elif kind in self.ids.layout.sorts:
                if self.traces.last.get(("card", handle, ""), -1) <= moment and (card := self.ids.lying(handle)):
                    yield card
            elif self.traces.made.get((kind, handle), -1) <= moment and (part := self.ids.part(kind, handle)):
                yield part

    def _marked(self, found: Iterator[Mark], moment: int) -> Iterator[str]:
        for mark in found:
            if self.traces.holds(mark, moment, self.log.table):
                part = part_of(mark, self.ids, self.words, self.lying)
                if part is not None:
                    yield part
