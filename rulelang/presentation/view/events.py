"""Connect the log with a document: which parts an event is about, and which cards a viewer knows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from rulelang.base.layout import ZONE, Layout
from rulelang.presentation.view.document_types import Happened
from rulelang.presentation.view.look import Ids, Look, WorkedValues
from rulelang.presentation.view.parts import Pad
from rulelang.presentation.view.words import Words
from rulelang.runtime import event_log
from rulelang.runtime.changes import sees_zone
from rulelang.runtime.decision import PASS
from rulelang.runtime.event_log import Log, LogReader
from rulelang.runtime.recorder import Entry
from rulelang.runtime.state import State, packed_cells, packed_public_cells
from rulelang.runtime.table import Table
from rulelang.runtime.watched_cells import GONE, MADE, MOVE, SET

# ---- known cards


def known_cards(state: State, seat: int) -> frozenset[int]:
    """The handles of the cards that a seat (0: a spectator) sees now."""
    ids = viewer_ids(state, seat)
    seen = {card for card in range(1, len(ids.layout.cards)) if ids.lying(card)}
    return frozenset(seen | (question_cards(state) if seat == state.decider else set()))


def question_cards(state: State) -> set[int]:
    """The cards that options are about."""
    if state.over:
        return set()
    site, sorts = state.table.site(packed_cells(state)), state.table.program.layout.sorts
    of_cards = [[place for place, kind in enumerate(action.types, 1) if kind in sorts] for action in site.actions]
    if not any(of_cards):
        return set()
    return {
        key[place]
        for key in state.keys
        if key[0] != PASS
        for place in of_cards[key[0]]
        if place < len(key) and key[place]
    }


def reveals_cards(old: State, new: State) -> bool:
    """Whether anybody (a spectator, too) knows a card in the new state that he did not know in the old one."""
    table = old.table
    moved = table.watched.moved(table.changed(packed_cells(old), packed_cells(new)))
    if packed_public_cells(old) is not packed_cells(old) or packed_public_cells(new) is not packed_cells(new):
        moved = [*{*moved, *table.watched.moved(table.changed(packed_public_cells(old), packed_public_cells(new)))}]
    for viewer in range(len(old.players) + 1) if moved else ():
        come = {card for card in moved if is_card_visible(new, card, viewer) and not is_card_visible(old, card, viewer)}
        if come and (old.decider != viewer or come - question_cards(old)):
            return True
    asked = {card for card in question_cards(new) if not is_card_visible(old, card, new.decider)}
    return bool(asked and (old.decider != new.decider or asked - question_cards(old)))


def is_card_visible(state: State, card: int, seat: int) -> bool:
    """Whether a seat (0: a spectator) sees a card where it lies."""
    now, public = packed_cells(state), packed_public_cells(state)
    layout = state.table.program.layout
    own = now is not public and seat > 0 and layout.zone_player[bottom_zone(layout, now, card)] == seat
    words = now if own else public
    while True:
        zone_id = words[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is None or not sees_zone(state.table, zone_id, seat):
            return False
        if zone.of not in layout.sorts:
            return True
        card = layout.zone_owner[zone_id]


def bottom_zone(layout: Layout, words: Sequence[int], card: int) -> int:
    """The zone in which a card lies, or the lowest one below it."""
    while True:
        zone_id = words[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is None or zone.of not in layout.sorts:
            return zone_id
        card = layout.zone_owner[zone_id]


def viewer_ids(state: State, seat: int) -> Ids:
    """The ids of a seat's look at a state."""
    names = state.names
    return Ids(
        Look(
            state.table, names, packed_cells(state), packed_public_cells(state), seat, Pad(), WorkedValues(state.table)
        )
    )


def handles_by_id(state: State, seat: int) -> dict[str, tuple[str, int]]:
    """By the id that a document gives it: the kind and handle of each part that a seat sees."""
    layout = state.table.program.layout
    ids = viewer_ids(state, seat)
    lying = {card: ids.lying(card) for card in range(1, len(layout.cards))}
    found = {part: (layout.cards[card].sort, card) for card, part in lying.items() if part is not None}
    for kind in ("player", *layout.kinds, *layout.lists):
        if kind in layout.sorts or kind.startswith("option "):
            continue
        for handle in state.names.handles(kind, state.words):
            part = ids.part(kind, handle)
            if part is not None and not (
                kind in layout.kinds and not ids.look.public[layout.kinds[kind].alive + handle]
            ):
                found.setdefault(part, (kind, handle))
    return found


# ---- changes and parts

#: What a change is about, before it has an id of a document: ("zone", its id, ""), ("card", its handle, ""), (a kind,
#: a handle, "") for a thing or row, the same with a name for a value that it keeps, and ("table", where a number of it
#: lies, the table's name).
Mark = tuple[str, int, str]


class Traces:
    """What one viewer (a seat; 0: a spectator) learned of changes, as a game goes on: by mark the id of the last
    entry."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.reading = LogReader()
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
            for mark in change_mark(log, changes.entry(number)):
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
                self.last = {mark: at for mark, at in self.last.items() if mark_owner(mark, log.table) != thing}

    def happened(self, state: State, ids: Ids, words: Words) -> Happened:
        """What a document says of it."""
        entries = self.follow(state)
        lying = ids.together(handle for what, handle, _ in self.last if what == "card")
        found = ((marked_part(mark, ids, words, lying), at) for mark, at in self.last.items())
        return {"entries": entries, "last": {part: at for part, at in found if part}}

    def holds(self, mark: Mark, place: int, table: Table) -> bool:
        """Whether what an entry was about is still the same: a card that moved on may be taken for another that looks
        like it, and things take the places of those that have gone."""
        if mark[0] == "card":
            return self.last.get(mark) == place
        return self.made.get(mark_owner(mark, table), -1) <= place


def change_mark(log: Log, entry: Entry) -> Iterator[Mark]:
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


def mark_owner(mark: Mark, table: Table) -> tuple[str, int]:
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


def marked_part(mark: Mark, ids: Ids, words: Words, lying: Mapping[int, str]) -> str | None:
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
    traces, ids = Traces(seat), viewer_ids(state, seat)
    traces.follow(state)
    names = state.names.spoken(state.names.language.labelled())
    words, told = Words(ids.layout, names), state.log_in(names, seat)
    data = event_log.log_as_data(told)
    lying = ids.together(handle for what, handle, _ in traces.last if what == "card")
    changes = told.changes
    for number in range(len(changes)):
        place = changes.after(number) + 1 + number
        found = [
            part
            for mark in change_mark(told, changes.entry(number))
            if traces.holds(mark, place, state.table) and (part := marked_part(mark, ids, words, lying))
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


# ---- lines and parts


def parts_told(state: State, seat: int, lines: Sequence[Sequence[int]], reading: LogReader) -> list[list[str]]:
    """By line: the ids of the parts that it is about, as far as a seat (0: a spectator) sees them now and they are
    still the same. `lines`: what each tells, the numbers of events, and of changes as `-1 - number`, as they were read
    in `reading`. Changes for which there is no line are those of the event in whose course they came."""
    traces, ids = Traces(seat), viewer_ids(state, seat)
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
                found[line].update(dict.fromkeys(self._marked(change_mark(self.log, entry), moment)))
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
                part = marked_part(("zone", handle, ""), self.ids, self.words, self.lying)
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
                part = marked_part(mark, self.ids, self.words, self.lying)
                if part is not None:
                    yield part
