"""The log: what happened, by which rule, from what cause, and what changed on the table with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from rulelang.base.layout import ZONE, AttributeLayout
from rulelang.base.node import record
from rulelang.base.phrases import Parts
from rulelang.base.source import Span
from rulelang.runtime.changes import Change, ChangeDescriber, Changes, sees_zone
from rulelang.runtime.display_names import UNSEEN, filled_pattern
from rulelang.runtime.recorder import CardSnapshot, Chain, Entry, Recorder
from rulelang.runtime.watched_cells import CLOSE, CURTAIN, PASS, ROUND

if TYPE_CHECKING:
    from rulelang.runtime.changes import ChangeDescriber
    from rulelang.runtime.display_names import Names
    from rulelang.runtime.table import Table


# ---- the log as JSON-able data

Record = dict[str, Any]

FORMAT = 1


def log_as_data(log: Log) -> Record:
    """A log as a whole: whose it is, and its entries, oldest first.

    The `id` of an entry is its place among them. It stays what it is as the game goes on, but for what its viewer did
    himself behind a curtain: others see that later.
    """
    changes = iter(log.changes)
    change = next(changes, None)
    entries: list[Record] = []
    ids: list[int] = []  # by event
    for number in range(-1, len(log)):
        if number >= 0:
            ids.append(len(entries))
            entries.append(_event_data(log, log[number], ids))
        while change is not None and change.after == number:
            entries.append(_change_data(log, change, len(entries), ids))
            change = next(changes, None)
    return {"format": FORMAT, "viewer": log.viewer or None, "whole": log.viewer is None, "entries": entries}


def _event_data(log: Log, event: Event, ids: list[int]) -> Record:
    given = [*zip(event.kinds, event.args, strict=True)]
    found = {
        **_entry_data(ids[-1], event.what, event.text, event.told, event.by, event.parent, event.depth, ids),
        "name": event.name,
        "source": event.source or None,
        "arguments": [_value_data(log, kind, arg) for kind, arg in given if kind not in ("", ZONE)],
    }
    if event.what == "shuffle":
        zones = [_zone_data(log, arg) for kind, arg in given if kind == ZONE]
        found |= {"zone": zones[0], **({"from": zones[1]} if len(zones) > 1 else {})}
    return found


def _change_data(log: Log, change: Change, number: int, ids: list[int]) -> Record:
    depth = 0 if change.parent is None else log[change.parent].depth + 1
    found = _entry_data(number, change.what, change.text, False, change.by, change.parent, depth, ids)
    if change.what == "move":
        found |= {"count": change.count, "from": _zone_data(log, change.origin), "to": _zone_data(log, change.target)}
        if change.cards:
            shown = zip(change.cards, change.faces, strict=True)
            found["cards"] = [_card_data(log, card, face) for card, face in shown]
    elif change.attribute is None:
        found["thing"] = _thing_data(log, change.kind, change.handle)
    else:
        attribute = change.attribute
        found |= {
            "of": _thing_data(log, attribute.kind, change.handle) if attribute.kind else None,
            "attribute": f"{attribute.trait}.{attribute.name}" if attribute.trait else attribute.name,
            "old": _cell_data(log, attribute, change.old),
            "new": _cell_data(log, attribute, change.new),
        }
        if change.index:
            found["index"] = [_value_data(log, kind, row) for kind, row in zip(attribute.of, change.index, strict=True)]
    return found


def _entry_data(
    number: int, what: str, text: str, told: bool, by: int, parent: int | None, depth: int, ids: list[int]
) -> Record:
    return {
        "id": number,
        "what": what,
        "text": text,
        "told": told,
        "by": by or None,
        "cause": None if parent is None else ids[parent],
        "depth": depth,
    }


def _zone_data(log: Log, zone_id: int) -> Record:
    layout = log.table.program.layout
    name, handle = layout.zone_names[zone_id], layout.zone_owner[zone_id]
    zone = layout.zones.get(name)
    of = zone.of if zone is not None else ""
    return {"zone": name, "of": _thing_data(log, of, handle) if of else None}


def _thing_data(log: Log, kind: str, handle: int) -> Record:
    return {"kind": kind, "handle": handle, "text": log.names.text(kind, handle)}


def _card_data(log: Log, card: int, face: int) -> Record:
    return {"kind": log.table.program.layout.cards[card].sort, "handle": card, "text": log.names.card(card, face)}


def _cell_data(log: Log, attribute: AttributeLayout, word: int) -> Any:
    return None if attribute.missing and word == attribute.missing else _value_data(log, attribute.type, word)


def _value_data(log: Log, kind: str, value: int) -> Any:
    """A number or truth value as it is; of what is missing None; all else by its kind, handle and name."""
    if kind in ("int", "bool"):
        return bool(value) if kind == "bool" else value
    if not value and kind not in log.table.program.layout.sorts:
        return None
    unseen = {"kind": kind, "handle": None, "text": log.names.language.word(UNSEEN)}
    return _thing_data(log, kind, value) if value else unseen


# ---- reading a log entry by entry


class LogReader:
    """For one viewer. `events`; by event how its cards lay when it ended; the changes that he learned of, each with the
    number of the event before it; the rounds that began: their numbers, the event and how many changes came before. For
    `everybody`: the changes that nobody may learn of are among them."""

    def __init__(self, *, everybody: bool = False) -> None:
        self.everybody = everybody
        self.begin()

    def begin(self) -> None:
        self.last: Chain = None
        self.said: dict[tuple[int, ...], EventText] = {}  # of what was read last, by number and faces
        self.events: list[Entry] = []
        self.ends: dict[int, tuple[CardSnapshot, ...]] = {}
        self.changes: list[tuple[Entry, int]] = []
        self.rounds: list[tuple[int, int, int]] = []

    def read_on(self, recorder: Recorder, teller: ChangeDescriber) -> None:
        """Read what is new, or all of a log that does not go on from what was read. A viewer reads up to the curtain,
        as long as there is one."""
        new: list[Chain] = []
        chain = recorder.chain
        while chain is not None and chain is not self.last:
            new.append(chain)
            chain = chain[1]
        if chain is not self.last:
            self.begin()
        new.reverse()
        if teller.viewer is not None and recorder.curtain_words is not None:
            fallen = [place for place, link in enumerate(new) if link is not None and link[0].template == CURTAIN]
            del new[fallen[-1] if fallen else len(new) :]
        if new:
            self.said = {}
        for link in new:
            assert link is not None
            self._take(link[0], teller)
        self.last = new[-1] if new else self.last

    def _take(self, entry: Entry, teller: ChangeDescriber) -> None:
        if entry.numbered:
            self.events.append(entry)
        elif entry.template == CLOSE:
            self.ends[entry.parent] = entry.snapshots
        elif entry.template == ROUND:
            self.rounds.append((entry.args[0], len(self.events) - 1, len(self.changes)))
        elif entry.template != CURTAIN and (self.everybody or teller.sees(entry)):
            self.changes.append((entry, len(self.events) - 1))


# ---- events and the log

#: The faces of the cards of an event that is about none.
NO_CARDS: Mapping[int, int] = {}

#: What a player who passes is told to do.
PASSES: tuple[str | tuple[int, str], ...] = ((0, "player"), " passes")
#: The same, as catalogues of languages find it.
PHRASES = {"passes": "{player} passes"}


@record
class Event:
    """One thing that happened, as an item of a `Log`.

    Attributes:
        number: its position in the log, starting at 0.
        what: "action", "routine", "hook", "tells" (a `tells` statement), "choice", "shuffle" (`name` is "refill" if a
            draw found too few cards) or "pass".
        name: the name of the action, routine or hook.
        text: the event's text from the rules, or a readable form of its name if the rules give no text.
        told: whether the rules give a text for the event. A pass that only ends what a player was doing has no text.
        source: the trait, row or card that the rule belongs to; "" for the game's own rules.
        span: the line of that rule.
        args: the arguments, as handles or numbers. In the log of a viewer, arguments that the text does not name and
            cards that the viewer did not see are 0.
        kinds: the kind of each argument ("int" for numbers); "" if the text does not name it.
        depth: the number of its causes.
        parent: the number of the event that caused it; None if a player or the flow of the game did.
        by: the seat of the player whose action it is; otherwise, the seat of the last player who made a choice; 0 for
            nobody.
        log: the log that it belongs to.

        print(state.log[-1].text, state.log[-1].causes())

    """

    number: int
    what: str
    name: str
    text: str
    told: bool
    source: str
    span: Span
    args: tuple[int, ...]
    kinds: tuple[str, ...]
    depth: int
    parent: int | None
    by: int
    log: Log

    @property
    def ending(self) -> tuple[str, str]:
        """The text up to the thing named at its end, and that thing; both are "" if the text does not end with a
        thing."""
        return self.log.ending(self.number)

    @property
    def opening(self) -> tuple[str, str]:
        """The player named at the beginning of the text, and the rest; both are "" if the text does not begin with a
        player."""
        return self.log.opening(self.number)

    @property
    def wordless(self) -> bool:
        """Whether the event is an action without a text in the rules. Its text is then its name with its arguments."""
        return self.log.wordless(self.number)

    def causes(self) -> list[Event]:
        """Return the events that led to this event: the direct cause first, the original cause last."""
        chain = []
        parent = self.parent
        while parent is not None:
            event = self.log[parent]
            chain.append(event)
            parent = event.parent
        return chain

    def __str__(self) -> str:
        return f"{'  ' * self.depth}{self.text}{f'  [{self.source}]' if self.source else ''}"

    def __repr__(self) -> str:
        return f"<Event {self.number}: {self.text}>"


@record
class EventOutline:
    """What an event is, without its words: as `Event` has it. The same for all who see that it happened."""

    number: int
    what: str
    name: str
    told: bool
    wordless: bool
    source: str
    span: Span
    depth: int
    parent: int | None
    by: int


class EventText(NamedTuple):
    """What is told of an event: as `Event.text`, `Event.ending` and `Event.opening`."""

    text: str
    start: str
    last: str
    who: str
    does: str


#: How texts go on that begin with a player and speak of something that is his.
POSSESSIVE = ("'", "\N{RIGHT SINGLE QUOTATION MARK}", "的", "の")


class Log(Sequence[Event]):
    """The events of a game so far, oldest first: a sequence of `Event`. `State.log` and `State.log_for` return one.

    In the log of a viewer (a seat, or 0 for a spectator) a card that the viewer did not see is `a card`, and events
    that `secretly` hides are left out until it ends. Without a viewer, the log shows everything. Its contents are
    read on first access, and later moves do not change them.

        [event.text for event in state.log_for("ana") if event.told]
    """

    def __init__(
        self, recorder: Recorder, names: Names, viewer: int | None = None, reading: LogReader | None = None
    ) -> None:
        self._recorder = recorder
        self._table = recorder.table
        self._names = names
        self._viewer = viewer
        self._reading = LogReader() if reading is None else reading
        self._teller = ChangeDescriber(self._table, names, viewer)
        self._said: dict[int, tuple[Parts, list[str]]] = {}
        self._faces_of: dict[int, dict[int, int]] = {}
        self._shown = recorder.count if recorder.curtain_words is None or viewer is None else recorder.curtain_from

    @cached_property
    def _read(self) -> LogReader:
        self._reading.read_on(self._recorder, self._teller)
        return self._reading

    @cached_property
    def changes(self) -> Changes:
        """What changed on the table, oldest first, as far as the viewer learned of it."""
        return Changes(self._teller, self._read.changes)

    @property
    def rounds(self) -> Sequence[tuple[int, int, int]]:
        """The rounds that began: number, the number of the event before (-1 for none), how many changes came before."""
        return self._read.rounds

    def outlines(self, start: int) -> list[EventOutline]:
        """Return the events from a number on. Cheap: generates no texts."""
        events = self._read.events
        return [self._outline(number, events[number]) for number in range(start, len(self))]

    def _outline(self, number: int, entry: Entry) -> EventOutline:
        parent = None if entry.parent < 0 else entry.parent
        if entry.template == PASS:
            seat, site, done = entry.args
            span = self._table.program.sites[site - 1].span
            return EventOutline(number, "pass", "pass", not done, False, "", span, entry.depth, parent, seat)
        template = self._table.program.templates[entry.template]
        return EventOutline(
            number, template.what, template.name, bool(template.parts), self._table.wordless[entry.template],
            template.source, template.span, entry.depth, parent, entry.by,
        )  # fmt: skip

    def said(self, number: int) -> EventText:
        """Return the texts of an event that has texts. Viewers who see the same share them."""
        entry = self._read.events[number]
        if entry.template == PASS:
            return EventText(self._names.render(PASSES, entry.args[:1]), "", "", "", "")
        key = number, *self._faces(number, entry).values()
        found = self._reading.said.get(key)
        if found is None:
            found = self._reading.said[key] = EventText(
                self._text(number, entry), *self.ending(number), *self.opening(number)
            )
        return found

    def named(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield what the text of an event names, by kind and handle; 0 for a card that the viewer did not see."""
        entry = self._read.events[number]
        if entry.template == PASS:
            yield "player", entry.args[0]
            return
        faces = self._faces(number, entry)
        for place, kind in self._table.named_args[entry.template].items():
            if faces.get(place) != -1:
                yield kind, entry.args[place]
            elif kind in self._table.program.layout.sorts:
                yield kind, 0

    def pile(self, number: int) -> str:
        """Return the name of the zone that was shuffled in an event."""
        return self._names.zone(self._read.events[number].args[0])

    def learned(self, number: int) -> bool:
        """Return whether the viewer saw one of the `changes`. A log that is read for everybody has others, too."""
        return not self._reading.everybody or self._teller.sees(self._read.changes[number][0])

    @property
    def viewer(self) -> int | None:
        """The viewer: a seat, 0 for a spectator, None if everything is shown."""
        return self._viewer

    @property
    def names(self) -> Names:
        """The texts for the things of its table."""
        return self._names

    @property
    def table(self) -> Table:
        """The table that the log belongs to."""
        return self._table

    @cached_property
    def running(self) -> frozenset[int]:
        """The numbers of the events that have not ended."""
        return frozenset(number for number, _ in self._recorder.opened)

    def data(self) -> dict[str, Any]:
        """Return all events and changes as JSON-able data (schemas/log.schema.json)."""
        return log_as_data(self)

    def __len__(self) -> int:
        return self._shown

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        entry = self._read.events[number]
        if entry.template == PASS:
            return self._passed(number, entry)
        template, kinds = self._table.program.templates[entry.template], self._table.named_args[entry.template]
        if not template.parts:  # nothing is told of it
            args, parent = entry.args, None if entry.parent < 0 else entry.parent
            shown = args if self._viewer is None else (0,) * len(args)
            text = self._names.event(template.what, template.name)
            return Event(
                number, template.what, template.name, text, False, template.source, template.span, shown,
                ("",) * len(args), entry.depth, parent, entry.by, self,
            )  # fmt: skip
        faces = self._faces(number, entry)
        places = range(len(entry.args))
        args = entry.args
        if self._viewer is not None:
            args = tuple([args[i] if i in kinds and faces.get(i) != -1 else 0 for i in places])
            sorts = self._table.program.layout.sorts
            kinds = {i: kind for i, kind in kinds.items() if faces.get(i) != -1 or kind in sorts}
        return Event(
            number,
            template.what,
            template.name,
            self._text(number, entry),
            True,
            template.source,
            template.span,
            args,
            tuple([kinds.get(i, "") for i in places]),
            entry.depth,
            None if entry.parent < 0 else entry.parent,
            entry.by,
            self,
        )

    def _text(self, number: int, entry: Entry) -> str:
        called = self._called(number, entry, self._faces(number, entry))
        return (
            called
            or "".join(self._pieces(number, entry)[1]).strip()
            or self._table.program.templates[entry.template].name
        )

    def _called(self, number: int, entry: Entry, faces: Mapping[int, int]) -> str:
        """An action for which neither the rules nor a catalogue have words, as people call it: by the pattern that
        `look:` has for it, else its label and what it was done with. "" for all else, and where names are typed."""
        names, template = self._names, self._table.program.templates[entry.template]
        language = names.language
        if not language.labels or not self.wordless(number) or language.says(template.parts):
            return ""
        values = {p[0]: names.render((p,), entry.args, faces) for p in template.parts if not isinstance(p, str)}
        name = template.name.rpartition(".")[2]
        action = self._table.actions.get(template.name)
        pattern = language.of(names.label(name).pattern)
        if pattern and action is not None and all(place < len(action.params) for place in values):
            return filled_pattern(pattern, {action.params[place]: said for place, said in values.items()})
        listed = language.row([*values.values()])
        called = names.worded(name)
        return language.say("{action}: {parameters}", action=called, parameters=listed) if listed else called

    def ending(self, number: int) -> tuple[str, str]:
        """Return what `Event.ending` shows. A number at the end is not a thing."""
        entry = self._read.events[number]
        if entry.template == PASS:
            return "", ""
        parts, said = self._pieces(number, entry)
        last = parts[-1] if parts else ""
        if isinstance(last, str) or last[1] in ("int", "bool") or last[1].startswith(":"):
            return "", ""
        # A name may be at both ends of a text, so the pieces are not stripped.
        return "".join(said[:-1]), said[-1]

    def wordless(self, number: int) -> bool:
        """See `Event.wordless`."""
        template = self._read.events[number].template
        return template != PASS and self._table.wordless[template]

    def opening(self, number: int) -> tuple[str, str]:
        """See `Event.opening`. What belongs to a player is somebody else."""
        entry = self._read.events[number]
        if entry.template == PASS:
            return "", ""
        parts, said = self._pieces(number, entry)
        first = parts[0] if parts else ""
        if isinstance(first, str) or first[1] != "player":
            return "", ""
        rest = "".join(said[1:])
        return ("", "") if rest.startswith(POSSESSIVE) else (said[0], rest)

    def _pieces(self, number: int, entry: Entry) -> tuple[Parts, list[str]]:
        """The parts of an event's text in the order of the language, and what each comes to."""
        found = self._said.get(number)
        if found is None:
            parts = self._names.language.parts(self._table.program.templates[entry.template].parts)
            faces = self._faces(number, entry)
            said = [p if isinstance(p, str) else self._names.render((p,), entry.args, faces) for p in parts]
            found = self._said[number] = parts, said
        return found

    def _passed(self, number: int, entry: Entry) -> Event:
        seat, site, done = entry.args
        span = self._table.program.sites[site - 1].span
        text = self._names.render(PASSES, (seat,))
        parent = None if entry.parent < 0 else entry.parent
        return Event(
            number, "pass", "pass", text, not done, "", span, (seat,), ("player",), entry.depth, parent, seat, self
        )

    def __iter__(self) -> Iterator[Event]:
        return (self[i] for i in range(len(self)))

    def _faces(self, number: int, entry: Entry) -> Mapping[int, int]:
        """Return by argument the face that a card showed; -1 for what the viewer may not know."""
        kept = self._table.program.templates[entry.template].kept
        if not entry.snapshots and not (kept and self._viewer is not None):
            return NO_CARDS
        known = self._faces_of.get(number)
        if known is not None:
            return known
        faces = self._faces_of[number] = dict[int, int]()
        ends = self._read.ends.get(number, entry.snapshots)
        for position, snapshot, end in zip(self._table.card_args[entry.template], entry.snapshots, ends, strict=True):
            if self._viewer is None or self._sees(snapshot) or self._sees(end):
                faces[position] = snapshot.face or end.face
            else:
                faces[position] = -1
        attributes = self._table.program.layout.attributes
        for argument, number, of in ((k.argument, k.attribute, k.of) for k in kept):
            lying = dict(zip(self._table.card_args[entry.template], entry.snapshots, strict=True)).get(of)
            snapshots = () if lying is None else (lying,)
            if not self._teller.sees_kept(attributes[number], entry.args[of] if of >= 0 else 0, snapshots):
                faces[argument] = -1
        return faces

    def _sees(self, snapshot: CardSnapshot) -> bool:
        return sees_zone(self._table, snapshot.zone, self._viewer or 0)
