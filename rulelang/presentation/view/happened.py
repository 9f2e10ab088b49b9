"""Between a document and the log: which entry of the log changed a part last, and which parts an entry is about.

Entries of the log are known by the ids that `Log.data()` gives them, parts by those of documents.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from rulelang.presentation.view.ids import Ids
from rulelang.presentation.view.records import Happened
from rulelang.presentation.view.seen import ids_of
from rulelang.presentation.view.words import Words
from rulelang.runtime import log_data
from rulelang.runtime.changes import sees_zone
from rulelang.runtime.log import Log
from rulelang.runtime.log_reading import Reading
from rulelang.runtime.recorder import GONE, MADE, MOVE, SET, Entry
from rulelang.runtime.state import State
from rulelang.runtime.table import Table

#: What a change is about, before it has an id of a document: ("zone", its id, ""), ("card", its handle, ""), (a kind,
#: a handle, "") for a thing or row, the same with a name for a value that it keeps, and ("table", where a number of it
#: lies, the table's name).
Mark = tuple[str, int, str]


class Traces:
    """What one viewer (a seat; 0: a spectator) learned of changes, as a game goes on: by mark the id of the last
    entry."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.reading = Reading()
        self.begin()

    def begin(self) -> None:
        self.events = self.reading.events
        self.read = 0  # changes
        self.last: dict[Mark, int] = {}
        self.made: dict[tuple[str, int], int] = {}  # by thing, when one came to its place, or left it

    def follow(self, state: State) -> int:
        """Read on to a state of the game; how many entries there are."""
        log = state.log_in(state.names, self.seat, self.reading)
        changes = log.changes
        if self.reading.events is not self.events or len(changes) < self.read:
            self.begin()
        for number in range(self.read, len(changes)):
            # So many events and changes stand before it.
            place = changes.after(number) + 1 + number
            for mark in marks(log, changes.entry(number)):
                self.last[mark] = place
            self._other(log, changes.entry(number), place)
        self.read = len(changes)
        return len(log) + self.read

    def _other(self, log: Log, entry: Entry, place: int) -> None:
        """Who takes the place of a thing that is gone is another."""
        if entry.template in (MADE, GONE):
            thing = log.table.watched.kinds[entry.args[0]].name, entry.args[1]
            gone = entry.template == GONE
            self.made[thing] = place + gone
            if gone:
                self.last = {mark: at for mark, at in self.last.items() if whose(mark, log.table) != thing}

    def happened(self, state: State, ids: Ids, words: Words) -> Happened:
        """What a document says of it."""
        entries = self.follow(state)
        lying = ids.together(handle for what, handle, _ in self.last if what == "card")
        found = ((part_of(mark, ids, words, lying), at) for mark, at in self.last.items())
        return {"entries": entries, "last": {part: at for part, at in found if part}}

    def holds(self, mark: Mark, place: int, table: Table) -> bool:
        """Whether what an entry was about is still the same: a card that moved on may be taken for another that looks
        like it, and things take the places of those that have gone."""
        if mark[0] == "card":
            return self.last.get(mark) == place
        return self.made.get(whose(mark, table), -1) <= place


def marks(log: Log, entry: Entry) -> Iterator[Mark]:
    """What a change that a viewer learned of is about."""
    table = log.table
    match entry.template:
        case template if template == MOVE:
            origin, target, *cards = entry.args
            yield from (("zone", zone, "") for zone in (origin, target) if zone)
            if any(sees_zone(table, zone, log.viewer or 0) for zone in (origin, target)):
                yield from (("card", card, "") for card in cards)
        case template if template in (MADE, GONE):
            yield table.watched.kinds[entry.args[0]].name, entry.args[1], ""
        case template if template == SET:
            attribute = table.watched.attributes[entry.args[0]]
            layout = table.program.layout
            if attribute.base in table.watched.tables:
                yield "table", attribute.base + entry.args[1] * attribute.width + entry.args[2], attribute.name
                return
            kind = layout.kinds.get(attribute.kind)
            stands = kind is not None and attribute.name == "place" and attribute.base == kind.place
            of = "card" if attribute.kind in layout.sorts else attribute.kind
            yield of, entry.args[1], "" if stands else attribute.name


def whose(mark: Mark, table: Table) -> tuple[str, int]:
    """The kind and handle of what a mark is about: of a zone, of what it is the zone."""
    what, handle, name = mark
    layout = table.program.layout
    if what == "table":
        at = layout.tables[name]
        return at.of[0], (handle - at.base) // prod(at.dims[1:])
    if what != "zone":
        return what, handle
    zone = layout.zones.get(layout.zone_names[handle])
    return zone.of if zone is not None else "", layout.zone_owner[handle]


def part_of(mark: Mark, ids: Ids, words: Words, lying: Mapping[int, str]) -> str | None:
    """The part of a document that a mark stands for; None for one that the viewer does not see. `lying`: the ids of
    cards."""
    what, handle, name = mark
    layout = ids.layout
    if what == "table":
        return ids.number(layout.tables[name], handle) if ids.look.public[handle] else None
    if what == "zone":
        zone = layout.zones.get(layout.zone_names[handle])
        owner = layout.zone_owner[handle]
        if zone is None or zone.name == "box" or words.thing(zone.name).hidden:
            return None
        if zone.of in layout.sorts and ids.lying(owner) is None:
            return None
        if zone.of in layout.kinds and not ids.look.public[layout.kinds[zone.of].alive + owner]:
            return None
        return ids.zone(zone, owner)
    whose = lying.get(handle) if what == "card" else ids.owner(what, handle)
    if not name or whose is None:
        return whose
    kind = layout.cards[handle].sort if what == "card" else what
    return None if words.member(kind, name).hidden else f"{whose}.{name}"


def log(state: State, viewer: int | str | None = None) -> dict[str, Any]:
    """The log as data, as a viewer (a seat or a name; None: a spectator) saw it, in which each change has the `parts`
    of his document that it is about, as far as they are there now."""
    seat = state.seat(viewer)
    traces, ids = Traces(seat), ids_of(state, seat)
    traces.follow(state)
    names = state.names.spoken(state.names.language.labelled())
    words, told = Words(ids.layout, names), state.log_in(names, seat)
    data = log_data.data(told)
    lying = ids.together(handle for what, handle, _ in traces.last if what == "card")
    changes = told.changes
    for number in range(len(changes)):
        place = changes.after(number) + 1 + number
        found = [
            part
            for mark in marks(told, changes.entry(number))
            if traces.holds(mark, place, state.table) and (part := part_of(mark, ids, words, lying))
        ]
        data["entries"][place]["parts"] = found
    return data


def told_by(state: State, viewer: int | str | None, entry: int) -> str:
    """What the log tells of a change: the event nearest to it that is told in words and in whose course it came; the
    change itself where none is."""
    names = state.names.spoken(state.names.language.labelled())
    read = state.log_in(names, state.seat(viewer))
    changes = read.changes
    number = bisect_left(range(len(changes)), entry, key=lambda at: changes.after(at) + 1 + at)
    change = changes[number]
    cause = None if change.parent is None else read[change.parent]
    course = [] if cause is None else [cause, *cause.causes()]
    return next((event.text for event in course if event.told), change.text)
