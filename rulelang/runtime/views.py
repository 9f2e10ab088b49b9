"""What one player sees, as data for a screen or a bot: secrets are left out, and no handle of a card is ever shown.

Where a card lies decides who sees it (`seen_by` of the zone), and the `seen_by` of an attribute who sees its value.
Behind the curtain of `secretly` a viewer sees his own things as they are, and all else as it was when it began.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from rulelang.base.labels import Printed
from rulelang.base.layout import AttributeLayout, CardInfo, KindLayout, Layout
from rulelang.runtime.changes import sees_zone
from rulelang.runtime.decision import Decision
from rulelang.runtime.display_names import MISSING, UNSEEN, Names
from rulelang.runtime.hidden_information import zone_cards
from rulelang.runtime.table import Table

View = dict[str, Any]


class Viewer:
    """One look at one state. `now` are its words, `public` those that show what is not the viewer's own."""

    def __init__(self, table: Table, names: Names, now: Sequence[int], public: Sequence[int], seat: int) -> None:
        self.table = table
        self.layout = table.program.layout
        self.names = names
        self.now = now
        self.public = public
        self.seat = seat

    def words_of(self, player: int) -> Sequence[int]:
        return self.now if player and player == self.seat else self.public

    def sees_zone(self, zone_id: int) -> bool:
        return sees_zone(self.table, zone_id, self.seat)

    # ---- attributes

    def sees(self, attribute: AttributeLayout, player: int) -> bool:
        if attribute.seen_by == "owner":
            return player > 0 and player == self.seat
        return attribute.seen_by == "everyone"

    def attributes(self, kind: str, handle: int, player: int) -> View:
        """What the viewer sees of a thing's attributes; `player` is whose it is, 0 for nobody's."""
        S = self.words_of(player)
        shown: View = {}
        for attribute in self.layout.attributes:
            if attribute.kind != kind or not self.sees(attribute, player):
                continue
            row = handle
            if attribute.trait:
                row = (attribute.rows or {}).get(handle, 0)
                if not row:
                    continue
            start = attribute.base + row * attribute.width
            shown[shown_name(attribute)] = self.nested(attribute, S, start, attribute.dims)
        return shown

    def nested(self, attribute: AttributeLayout, S: Sequence[int], start: int, dims: tuple[int, ...]) -> Any:
        """The value, or by each row of the lists it is indexed by (nested lists, without `none`)."""
        if not dims:
            return self.value(attribute, S[start])
        inner = prod(dims[1:])
        return [self.nested(attribute, S, start + i * inner, dims[1:]) for i in range(1, dims[0])]

    def value(self, attribute: AttributeLayout, word: int) -> Any:
        if attribute.missing and word == attribute.missing:
            return None
        return self.shown(attribute.type, word)

    def shown(self, type_: str, word: int) -> Any:
        if type_ == "int":
            return word
        if type_ == "bool":
            return bool(word)
        if type_ in self.layout.sorts:
            # A stored reference to a card tells what it is only to those who see where it lies.
            return self.names.text(type_, word) if word and self.sees_card(word) else None if not word else UNSEEN
        return self.names.text(type_, word) if word else None

    # ---- zones and cards

    def sees_card(self, card: int) -> bool:
        zone_id = self.public[self.layout.where + card]
        if self.seat and self.layout.zone_player[self.now[self.layout.where + card]] == self.seat:
            zone_id = self.now[self.layout.where + card]
        return self.sees_zone(zone_id)

    def zones(self, of: str, handle: int, player: int) -> View:
        """The zones of one thing (or of the game: "", 0), by name."""
        S = self.words_of(player)
        shown: View = {}
        for zone in self.layout.zones.values():
            if zone.of != of:
                continue
            cards = zone_cards(zone, handle, S, self.layout.card_next)
            shown[zone.name] = {"count": len(cards)}
            if sees_zone(self.table, zone.first_id + handle, self.seat):
                shown[zone.name]["cards"] = [self.card(card, S, player) for card in cards]
        return shown

    def card(self, card: int, S: Sequence[int], player: int) -> View:
        info = self.layout.cards[card]
        face = S[self.layout.card_face + card] if self.layout.card_face else 0
        shown: View = {
            "label": self.names.card(card, face),
            "sort": info.sort,
            "row": info.row,
            "printed": printed_values(info, self.layout),
        }
        alike = [name for name in info.columns if name not in info.tells]
        if alike:  # cards are equal whatever is printed there
            shown["alike"] = alike
        attributes = self.attributes(info.sort, card, player)
        if attributes:
            shown["attributes"] = attributes
        slots = self.zones(info.sort, card, player)
        if slots:
            shown["zones"] = slots
        return shown

    # ---- things

    def things(self, player: int) -> View:
        """The made things of a player, by kind; a line in its order."""
        S = self.words_of(player)
        return {
            made.name: [self.thing(made, h, S, player) for h in living_things(made, player, S)] for made in self.made()
        }

    def made(self) -> list[KindLayout]:
        return list(self.layout.kinds.values())

    def thing(self, made: KindLayout, handle: int, S: Sequence[int], player: int) -> View:
        shown: View = {
            "name": self.names.text(made.name, handle),
            "index": handle,
            "number": (handle - 1) % made.per_owner + 1,
            "attributes": self.attributes(made.name, handle, player),
            "zones": self.zones(made.name, handle, player),
        }
        if made.place:
            shown["place"] = self.names.text(made.place_kind, S[made.place + handle])
            shown["place_kind"] = made.place_kind
        return shown

    def player(self, player: int) -> View:
        return {
            "seat": player,
            "name": self.names.text("player", player),
            "attributes": self.attributes("player", player, player),
            "zones": self.zones("player", player, player),
            "things": self.things(player),
        }

    def rows(self) -> View:
        """Rows of lists and grids that have attributes or zones."""
        lists = self.layout.lists
        kinds = {a.kind for a in self.layout.attributes} | {zone.of for zone in self.layout.zones.values()}
        shown: View = {}
        for kind in sorted(kinds & lists.keys() - self.layout.sorts.keys() - self.layout.kinds.keys() - {"player"}):
            shown[kind] = [
                {"name": row, "attributes": self.attributes(kind, h, 0), "zones": self.zones(kind, h, 0)}
                for h, row in enumerate(lists[kind])
                if h
            ]
        return shown

    def tables(self) -> View:
        """Matrices, as nested lists without the words of `none`."""
        return {table.name: _matrix_data(self.public, table.base, table.dims) for table in self.layout.tables.values()}

    def indices(self) -> View:
        """By what each matrix, and each attribute kept by row, is indexed; of kinds whose members stay, with names."""
        indexed = [(table.name, table.of, table.dims) for table in self.layout.tables.values()]
        indexed += [(shown_name(a), a.of, a.dims) for a in self.layout.attributes if a.dims]
        return {
            name: [self.index(kind, size - 1) for kind, size in zip(of, dims, strict=True)]
            for name, of, dims in indexed
        }

    def index(self, kind: str, count: int) -> View:
        if kind in self.layout.kinds or kind in self.layout.sorts:
            return {"kind": kind}
        return {"kind": kind, "names": [self.names.text(kind, handle) for handle in range(1, count + 1)]}

    def grids(self) -> View:
        """The spaces of each grid, row by row, with what is printed on them."""
        return {
            name: {
                "width": grid.width,
                "height": grid.height,
                "spaces": [
                    {"name": self.names.text(name, space), "printed": dict(printed)}
                    for space, printed in enumerate(grid.printed, 1)
                ],
            }
            for name, grid in self.layout.grids.items()
        }


def seat_view(
    table: Table,
    names: Names,
    now: Sequence[int],
    curtain: Sequence[int] | None,
    seat: int,
    decision: Decision | None,
) -> View:
    """The view of a seat (0: a spectator) as JSON-able data; see schemas/view.schema.json."""
    return view_data(Viewer(table, names, now, now if curtain is None else curtain, seat), decision)


def view_data(looking: Viewer, decision: Decision | None) -> View:
    """All that a look shows, with what is asked."""
    table, now, seat = looking.table, looking.now, looking.seat
    cells = table.program.layout.cells
    over = bool(now[cells.over])
    # Nobody's things are shown among the others', after the players.
    owners = range(1, table.players + 1)
    return {
        "format": 1,
        **table.info.identity,
        "title": table.info.title,
        "viewer": seat or None,
        "over": over,
        "round": now[cells.round],
        "phase": table.row("phase", now[cells.phase]) or None,
        "active": now[cells.active] or None,
        "options": dict(table.options),
        "players": [looking.player(player) for player in owners],
        "nobody": looking.things(table.players + 1) if any(k.owners > table.players for k in looking.made()) else {},
        "state": looking.attributes("", 0, 0),
        "zones": looking.zones("", 0, 0),
        "lists": looking.rows(),
        "tables": looking.tables(),
        "indices": looking.indices(),
        "grids": looking.grids(),
        "scores": [table.program.score(list(now), player) for player in owners] if over else None,
        "decision": _decision(decision, seat),
    }


def _decision(decision: Decision | None, seat: int) -> View | None:
    """Everyone sees who is asked; only the one who is asked, what."""
    if decision is None:
        return None
    if decision.player != seat:
        return {"player": decision.player}
    return {
        "player": decision.player,
        "prompt": decision.prompt,
        "kind": decision.kind,
        "options": [option.text for option in decision.options],
    }


def shown_name(attribute: AttributeLayout) -> str:
    """What an attribute is called in views: of a trait, behind its name."""
    return f"{attribute.trait}.{attribute.name}" if attribute.trait else attribute.name


def living_things(made: KindLayout, owner: int, S: Sequence[int]) -> list[int]:
    """The things of an owner: along the line, or by slot."""
    if owner > made.owners:
        return []
    if not made.next:
        first = (owner - 1) * made.per_owner + 1
        return [h for h in range(first, first + made.per_owner) if S[made.alive + h]]
    found = []
    handle = S[made.first + owner]
    while handle:
        found.append(handle)
        handle = S[made.next + handle]
    return found


def printed_values(info: CardInfo, layout: Layout) -> View:
    """What is printed on a card, as JSON has it: rows by their names, nothing for what is missing; as text what JSON
    has nothing like (a condition)."""
    types = layout.labels.columns.get(info.sort, {})
    return {
        name: _plain_value(value, info.texts.get(name, ""), types.get(name), layout)
        for name, value in info.columns.items()
    }


def _plain_value(value: object, text: str, type_: Printed | None, layout: Layout) -> Any:
    if isinstance(value, (tuple, list)):
        return [_plain_value(item, "", type_, layout) for item in value]
    if not isinstance(value, int):
        return text
    if type_ is None or type_.kind == "number":
        return None if value == MISSING else value
    if type_.kind == "truth":
        return bool(value)
    rows = layout.lists.get(type_.of, ())
    return None if not value else rows[value] if value < len(rows) else value


def _matrix_data(S: Sequence[int], base: int, dims: tuple[int, ...]) -> Any:
    if not dims:
        return S[base]
    if len(dims) == 1:
        return [*S[base + 1 : base + dims[0]]]
    inner = prod(dims[1:])
    return [_matrix_data(S, base + i * inner, dims[1:]) for i in range(1, dims[0])]
