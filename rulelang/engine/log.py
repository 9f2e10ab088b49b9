"""The log: what happened, by which rule, and what caused it.

Entries are kept as data in a chain of pairs (entry, what came before), so that a clone shares its past for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from rulelang.base.source import Span
from rulelang.engine.program import ROLL

if TYPE_CHECKING:
    from rulelang.engine.names import Names
    from rulelang.engine.table import Table

#: `template` of the entry that closes an event: its `parent` is the event that ends.
CLOSE = -1


class CardSnapshot(NamedTuple):
    """Where a card lay, and which face it showed, when an event began or ended."""

    zone: int
    face: int


class Entry(NamedTuple):
    """One raw entry. `parent` is the number of the causing event, -1 for none; `snapshots` are of the card arguments.

    `by`: of an action the seat of whose it is, of all else the seat that was asked last before it; 0 for none.
    """

    template: int
    args: tuple[int, ...]
    parent: int
    depth: int
    snapshots: tuple[CardSnapshot, ...]
    by: int = 0


Chain = tuple[Entry, Any] | None  # (the last entry, the chain before it)


class Recorder:
    """The host of one state: it writes the log, and keeps the curtain's snapshot and the fixed dice."""

    __slots__ = (
        "asked",
        "chain",
        "count",
        "curtain_from",
        "curtain_words",
        "dice",
        "enabled",
        "misfit",
        "opened",
        "table",
        "words",
    )

    def __init__(self, table: Table, words: list[int], enabled: bool) -> None:
        self.table = table
        self.words = words
        self.enabled = enabled
        self.chain: Chain = None
        self.count = 0  # events so far (entries that close one are not counted)
        self.opened: tuple[tuple[int, Entry], ...] = ()  # events that have not ended, outermost first
        self.asked = 0  # the seat that chose last
        self.curtain_from = 0  # number of the first event behind the curtain
        self.curtain_words: list[int] | None = None  # never changed once taken
        self.dice: tuple[int, ...] = ()  # fixed ones still to come, 0 .. sides - 1
        self.misfit: tuple[int, int] | None = None  # what a fixed one showed, from 1, and the sides of the die: too few

    def copy(self, words: list[int]) -> Recorder:
        """The same past, for other words."""
        new = Recorder.__new__(Recorder)
        new.table = self.table
        new.words = words
        new.enabled = self.enabled
        new.chain = self.chain
        new.count = self.count
        new.opened = self.opened
        new.asked = self.asked
        new.curtain_from = self.curtain_from
        new.curtain_words = self.curtain_words
        new.dice = self.dice
        new.misfit = self.misfit
        return new

    # ---- what a running program calls

    def open(self, template: int, args: tuple[int, ...]) -> None:
        if self.enabled:
            entry = self._add(template, args)
            self.opened = (*self.opened, (self.count - 1, entry))

    def line(self, template: int, args: tuple[int, ...]) -> None:
        if self.enabled:
            self._add(template, args)

    def close(self) -> None:
        if not self.enabled or not self.opened:
            return
        number, entry = self.opened[-1]
        self.opened = self.opened[:-1]
        if entry.snapshots:
            # The cards may have moved meanwhile: who saw where they went has seen them.
            snapshots = self._snapshots(entry.template, entry.args)
            if snapshots != entry.snapshots:
                self.chain = (Entry(CLOSE, (), number, 0, snapshots), self.chain)

    def _add(self, template: int, args: tuple[int, ...]) -> Entry:
        opened = self.opened
        parent = opened[-1][0] if opened else -1
        entry = Entry(template, args, parent, len(opened), self._snapshots(template, args), self._by(template))
        self.chain = (entry, self.chain)
        self.count += 1
        return entry

    def _by(self, template: int) -> int:
        program = self.table.program
        if program.templates[template].what != "action":
            return self.asked
        actor = self.words[program.layout.cells.actor]
        return actor if actor <= self.table.players else 0

    def curtain(self) -> None:
        if self.curtain_words is None:
            self.curtain_words = self.words[:]
            self.curtain_from = self.count

    def curtain_end(self) -> None:
        if not self.words[self.table.program.layout.cells.curtain]:
            self.curtain_words = None

    def die(self, bound: int) -> int:
        if not self.dice:
            return ROLL
        value, self.dice = self.dice[0], self.dice[1:]
        if value >= bound:
            self.misfit = self.misfit or (value + 1, bound)
        return min(value, bound - 1)

    def _snapshots(self, template: int, args: tuple[int, ...]) -> tuple[CardSnapshot, ...]:
        positions = self.table.card_args[template]
        return tuple([self._snapshot(args[position]) for position in positions]) if positions else ()

    def _snapshot(self, card: int) -> CardSnapshot:
        layout = self.table.program.layout
        if not card:
            return CardSnapshot(0, 0)
        return CardSnapshot(
            self.words[layout.where + card], self.words[layout.card_face + card] if layout.card_face else 0
        )

    def entries(self) -> list[Entry]:
        """All raw entries, oldest first."""
        found = []
        chain = self.chain
        while chain is not None:
            entry, chain = chain
            found.append(entry)
        found.reverse()
        return found

    def load(self, entries: Sequence[Entry], opened: Sequence[int]) -> None:
        """Take over saved entries, and the numbers of the events among them that have not ended."""
        events = []
        for entry in entries:
            self.chain = (entry, self.chain)
            if entry.template != CLOSE:
                events.append(entry)
        self.count = len(events)
        self.opened = tuple((number, events[number]) for number in opened)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `source` is the trait, card or row whose rule it is, "" for the core rules.

    `text` is what the rules tell; where they tell nothing it is the `name`, and `told` is False.

    `args` are handles (numbers where `kinds` says "int"), and `kinds` the kind of each, "" where the text names none.
    For a viewer what the text does not name, and cards that he did not see, are 0. `parent` is the number of the event
    that caused it, None for what a player or the flow of the game did; `depth` counts its causes.

    `by` is the seat of the player whose action it is; of all else that of the player who chose last before it; 0 is
    nobody.
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

    def causes(self) -> list[Event]:
        """What led to it: the direct cause first, the first cause last."""
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


class Log(Sequence[Event]):
    """The events so far, oldest first.

    For a `viewer` (a seat, or 0 for a spectator) cards that he did not see are `a card`, and what goes on behind the
    curtain of `secretly` is left out until it ends. Without one (None) everything is shown.
    """

    def __init__(self, recorder: Recorder, names: Names, viewer: int | None = None) -> None:
        self._table = recorder.table
        self._names = names
        self._viewer = viewer
        self._shown = recorder.count if recorder.curtain_words is None or viewer is None else recorder.curtain_from
        entries = recorder.entries()
        self._ends = {entry.parent: entry.snapshots for entry in entries if entry.template == CLOSE}
        self._entries = [entry for entry in entries if entry.template != CLOSE]

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
        entry = self._entries[number]
        template = self._table.program.templates[entry.template]
        kinds = {part[0]: part[1] for part in template.parts if not isinstance(part, str)}
        faces = self._faces(number, entry)
        return Event(
            number,
            template.what,
            template.name,
            self._names.render(template.parts, entry.args, faces) or template.name,
            bool(template.parts),
            template.source,
            template.span,
            entry.args
            if self._viewer is None
            else tuple(a if i in kinds and faces.get(i) != -1 else 0 for i, a in enumerate(entry.args)),
            tuple(kinds.get(i, "") for i in range(len(entry.args))),
            entry.depth,
            None if entry.parent < 0 else entry.parent,
            entry.by,
            self,
        )

    def __iter__(self) -> Iterator[Event]:
        return (self[i] for i in range(len(self)))

    def _faces(self, number: int, entry: Entry) -> dict[int, int]:
        """By argument, for cards: the face that it showed, -1 for one that the viewer did not see."""
        faces: dict[int, int] = {}
        ends = self._ends.get(number, entry.snapshots)
        for position, snapshot, end in zip(self._table.card_args[entry.template], entry.snapshots, ends, strict=True):
            if self._viewer is None or self._sees(snapshot) or self._sees(end):
                faces[position] = snapshot.face or end.face
            else:
                faces[position] = -1
        return faces

    def _sees(self, snapshot: CardSnapshot) -> bool:
        return sees_zone(self._table, snapshot.zone, self._viewer or 0)


def sees_zone(table: Table, zone_id: int, viewer: int) -> bool:
    """Whether a viewer (0: a spectator) sees the cards in a zone. What is out of the game is seen by nobody."""
    layout = table.program.layout
    zone = layout.zones.get(layout.zone_names[zone_id])
    if zone is None or zone.name == "box":
        return False
    if zone.seen_by == "owner":
        return viewer > 0 and layout.zone_player[zone_id] == viewer
    return zone.seen_by == "everyone"
