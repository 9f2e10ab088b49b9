"""What changed on the table, as its viewers are told: cards that moved, things made and removed, values set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, overload

from rulelang.base.layout import AttributeLayout, Layout
from rulelang.base.node import record
from rulelang.runtime.display_names import MISSING
from rulelang.runtime.recorder import CardSnapshot, Entry
from rulelang.runtime.watched_cells import GONE, MADE, MOVE, SET

if TYPE_CHECKING:
    from rulelang.runtime.display_names import Names
    from rulelang.runtime.table import Table


#: So many cards that move at once are named; more are counted.
NAMED = 8


@record
class Change:
    """One change. `text` says it in a sentence; `after` is the number of the last event before it, -1 for none;
    `parent` that of the event in whose course it happened, None outside of all; `by` as that of an event.

    `move`: `count` cards went from one zone to another (`origin` and `target`, zone ids); `cards` are their handles,
    with `sorts` and `faces`, if the viewer saw them there or there, else none. `made`, `gone`: the thing of `kind`
    with this `handle`. `set`: the value `attribute` of the thing, player, row or card `handle` of `kind` (the game's
    own: "", 0), at `index` where it is kept by row (from 1), was `old` and is `new`.
    """

    what: Literal["move", "made", "gone", "set"]
    text: str
    after: int
    parent: int | None
    by: int
    count: int = 0
    origin: int = 0
    target: int = 0
    cards: tuple[int, ...] = ()
    sorts: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    kind: str = ""
    handle: int = 0
    attribute: AttributeLayout | None = None
    index: tuple[int, ...] = ()
    old: int = 0
    new: int = 0


def sees_zone(table: Table, zone_id: int, viewer: int) -> bool:
    """Whether a viewer (0: a spectator) sees the cards in a zone. What is out of the game is seen by nobody."""
    layout = table.program.layout
    zone = layout.zones.get(layout.zone_names[zone_id])
    if zone is None or zone.name == "box":
        return False
    if zone.seen_by == "owner":
        return viewer > 0 and layout.zone_player[zone_id] == viewer
    return zone.seen_by == "everyone"


def owner_of(layout: Layout, attribute: AttributeLayout, handle: int) -> int:
    """The player whose a thing with an attribute is, 0 for nobody's."""
    if attribute.kind == "player":
        return handle
    made = layout.kinds.get(attribute.kind)
    return (handle - 1) // made.per_owner + 1 if made is not None else 0


class ChangeDescriber:
    """Tells a viewer (a seat, 0 a spectator, None: all) of changes."""

    def __init__(self, table: Table, names: Names, viewer: int | None) -> None:
        self.table = table
        self.layout = table.program.layout
        self.names = names
        self.viewer = viewer

    def sees(self, entry: Entry) -> bool:
        """Whether the viewer learns of a change."""
        if entry.template != SET:
            return True
        number, handle, place, _, _ = entry.args
        attribute = self.table.watched.attributes[number]
        # The word of no row says nothing.
        return self._sees(attribute, handle, entry) and _row_indices(place, attribute.dims) is not None

    def sees_kept(self, attribute: AttributeLayout, handle: int, snapshots: tuple[CardSnapshot, ...]) -> bool:
        """Return whether the viewer sees an attribute of a thing; `snapshots` of a card: where it is."""
        if self.viewer is not None and attribute.kind in self.layout.sorts and not snapshots:
            return False
        return self._sees(attribute, handle, Entry(SET, (), -1, 0, snapshots))

    def things(self, entry: Entry) -> set[tuple[str, int]]:
        """By kind and handle, what an entry says of that came, went or moved; of cards those that the viewer saw."""
        if entry.template == MOVE:
            origin, target, *cards = entry.args
            return {(self.layout.cards[card].sort, card) for card in cards} if self._watches(origin, target) else set()
        if entry.template in (MADE, GONE):
            return {(self.table.watched.kinds[entry.args[0]].name, entry.args[1])}
        return set()

    def _watches(self, *zones: int) -> bool:
        return self.viewer is None or any(sees_zone(self.table, zone, self.viewer) for zone in zones)

    def change(self, entry: Entry, after: int) -> Change:
        """The change that an entry notes, which the viewer sees."""
        parent = None if entry.parent < 0 else entry.parent
        if entry.template == MOVE:
            return self._move(entry, after, parent)
        if entry.template in (MADE, GONE):
            number, handle = entry.args
            kind = self.table.watched.kinds[number].name
            what: Literal["made", "gone"] = "made" if entry.template == MADE else "gone"
            say, thing = self.names.language.say, self.names.text(kind, handle)
            made = what == "made"
            text = say("{thing} comes into play", thing=thing) if made else say("{thing} leaves the game", thing=thing)
            return Change(what, text, after, parent, entry.by, kind=kind, handle=handle)
        return self._set(entry, after, parent)

    def _move(self, entry: Entry, after: int, parent: int | None) -> Change:
        origin, target, *cards = entry.args
        seen = self._watches(origin, target)
        faces = tuple(snapshot.face for snapshot in entry.snapshots)
        said = [self.names.card(card, face) for card, face in zip(cards, faces, strict=True)] if seen else []
        language, from_, to = self.names.language, self.names.zone(origin), self.names.zone(target)
        if not seen or len(cards) > NAMED:
            text = language.say(
                "{n} {n:card goes|cards go} from {origin} to {target}", n=len(cards), origin=from_, target=to
            )
        elif len(said) == 1:
            text = language.say("{card} goes from {origin} to {target}", card=said[0], origin=from_, target=to)
        else:
            # Those that are called alike are counted, as on the table.
            cards_ = language.listed([f"{n} x {name}" if n > 1 else name for name, n in Counter(said).items()])
            text = language.say("{cards} go from {origin} to {target}", cards=cards_, origin=from_, target=to)
        return Change(
            "move", text, after, parent, entry.by, len(cards), origin, target,
            tuple(cards) if seen else (), tuple(self.layout.cards[card].sort for card in cards) if seen else (),
            faces if seen else (),
        )  # fmt: skip

    def _set(self, entry: Entry, after: int, parent: int | None) -> Change:
        number, handle, place, old, new = entry.args
        attribute = self.table.watched.attributes[number]
        index = _row_indices(place, attribute.dims) or ()
        text = self._turned(attribute, handle, index, new) if attribute.type == "bool" else ""
        return Change(
            "set", text or self._changed(attribute, handle, index, old, new), after, parent, entry.by,
            kind=attribute.kind, handle=handle, attribute=attribute, index=index, old=old, new=new,
        )  # fmt: skip

    def _changed(self, attribute: AttributeLayout, handle: int, index: Sequence[int], old: int, new: int) -> str:
        say, was, is_ = self.names.language.say, self.value(attribute, old), self.value(attribute, new)
        if attribute.base in self.table.watched.tables:
            at = zip((attribute.kind, *attribute.of), (handle, *index), strict=True)
            things = self.names.language.row([self.names.text(kind, row) for kind, row in at])
            name = say("{table} ({things})", table=self.names.worded(attribute.name), things=things)
        else:
            name = self._named(attribute, index)
        if attribute.kind and attribute.base not in self.table.watched.tables:
            owner = self.names.text(attribute.kind, handle)
            if _is_empty_cell(attribute, old):
                return say("{owner}: {name} now {new}", owner=owner, name=name, new=is_)
            if _is_empty_cell(attribute, new):
                return say("{owner}: {name} no longer {old}", owner=owner, name=name, old=was)
            return say("{owner}: {name} from {old} to {new}", owner=owner, name=name, old=was, new=is_)
        if _is_empty_cell(attribute, old):
            return say("{name}: now {new}", name=name, new=is_)
        if _is_empty_cell(attribute, new):
            return say("{name}: no longer {old}", name=name, old=was)
        return say("{name}: from {old} to {new}", name=name, old=was, new=is_)

    def _turned(self, attribute: AttributeLayout, handle: int, index: Sequence[int], new: int) -> str:
        """That something is so of a thing now, or is not any more."""
        say, name = self.names.language.say, self._named(attribute, index)
        otherwise = self.names.otherwise(attribute.kind, attribute.name)
        said = name if new else otherwise or say("no longer {fact}", fact=name)
        if not attribute.kind:
            return said
        return say("{thing}: {fact}", thing=self.names.text(attribute.kind, handle), fact=said)

    def _named(self, attribute: AttributeLayout, index: Sequence[int]) -> str:
        """What an attribute is called, with the rows for which it has a value."""
        name = self.names.member(attribute.kind, attribute.name)
        rows = [self.names.text(kind, row) for kind, row in zip(attribute.of, index, strict=False)]
        language = self.names.language
        return language.say("{value} for {things}", value=name, things=language.listed(rows)) if rows else name

    def _sees(self, attribute: AttributeLayout, handle: int, entry: Entry) -> bool:
        if self.viewer is None:
            return True
        if entry.snapshots and not sees_zone(self.table, entry.snapshots[0].zone, self.viewer):
            return False
        if attribute.seen_by == "owner":
            whose = (
                self.layout.zone_player[entry.snapshots[0].zone]
                if entry.snapshots
                else owner_of(self.layout, attribute, handle)
            )
            return self.viewer > 0 and whose == self.viewer
        return attribute.seen_by == "everyone"

    def value(self, attribute: AttributeLayout, word: int) -> str:
        """What a word of an attribute says."""
        if attribute.missing and word == attribute.missing:
            return self.names.text("int", MISSING)
        return self.names.text(attribute.type, word)


class Changes(Sequence[Change]):
    """The changes that a viewer learned of, oldest first. Each is put into words when it is looked at."""

    def __init__(self, teller: ChangeDescriber, entries: Sequence[tuple[Entry, int]]) -> None:
        self._teller = teller
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> Change: ...
    @overload
    def __getitem__(self, index: slice) -> list[Change]: ...
    def __getitem__(self, index: int | slice) -> Change | list[Change]:
        if isinstance(index, slice):
            return [self._teller.change(*entry) for entry in self._entries[index]]
        return self._teller.change(*self._entries[index])

    def entry(self, index: int) -> Entry:
        """The raw entry of a change. Cheap: no words are made."""
        return self._entries[index][0]

    def things(self, index: int) -> set[tuple[str, int]]:
        """What came, went or moved with a change, as far as the viewer saw. Cheap: no words are made."""
        return self._teller.things(self._entries[index][0])

    def after(self, index: int) -> int:
        """The number of the last event before a change, -1 for none. Cheap: no words are made."""
        return self._entries[index][1]


def _is_empty_cell(attribute: AttributeLayout, word: int) -> bool:
    """Whether a word of an attribute says that there is nothing."""
    return word == attribute.missing if attribute.missing else not word and attribute.type not in ("int", "bool")


def _row_indices(place: int, dims: Sequence[int]) -> tuple[int, ...] | None:
    """The rows that a place within the words of a handle stands for; None where one of them is none."""
    found: list[int] = []
    for size in reversed(dims):
        place, row = divmod(place, size)
        found.append(row)
    found.reverse()
    return None if 0 in found else tuple(found)
