"""State layout: fixes a model for one table (players, options) and gives every declared thing its place in the array.

Lowering may claim further words (`Plan.claim`) for flags; `Plan.finish` then closes the layout with the control stack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import cast

from rulelang.base.layout import (
    AttributeLayout,
    CardInfo,
    Cells,
    GridLayout,
    KindLayout,
    Layout,
    PairLayout,
    QueueLayout,
    SeenBy,
    TableLayout,
    ZoneLayout,
)
from rulelang.base.node import record
from rulelang.base.numbers import WORD, Range
from rulelang.language.semantics.cards import expand_cards
from rulelang.language.semantics.model import MISSING_INT, Attribute, Bound, Grid, Model, Seers, Table, Type, Zone

#: Words of the control stack: frames of waiting routines with their list snapshots.
STACK = 768

#: Words of a state that is still laid out (a word is a few bytes in every backend, and a copy a few microseconds).
LARGEST = 1_000_000

#: Bits of a trait mask word (30, so that a word stays a small positive integer in every backend).
MASK_BITS = 30


@record
class Config:
    """One table: how many play, and the value of every option (as the model numbers them)."""

    players: int
    options: Mapping[str, int] = field(default_factory=dict)


@record
class Features:
    """What the rules use at all, so that nothing is laid out in vain."""

    nobody: bool = False
    faces: bool = False  # some move says `as FACE`
    partners: bool = False
    silence: bool = False
    under: bool = False  # cards are laid under others, too
    spare: frozenset[str] = frozenset()  # kinds of which some may come while others that have gone are in their way


class Plan:
    """A layout in the making. Bases are final as soon as they are handed out."""

    def __init__(self, model: Model, config: Config, features: Features, phases: Sequence[str] = ()) -> None:
        self.phases = tuple(phases)
        self.model = model
        self.labels = model.labels  # with what is shown of things, which lowering adds
        self.config = config
        self.features = features
        self.players = config.players
        self.size = 1  # word 0 is never used, so that no base is 0
        self.initial: dict[int, int] = {}
        self.attributes: list[AttributeLayout] = []
        self.state: dict[str, int] = {}
        self.columns: dict[tuple[str, str], int] = {}
        self.trait_state: dict[tuple[str, str], AttributeLayout] = {}
        self.kinds: dict[str, KindLayout] = {}
        self.zones: dict[str, ZoneLayout] = {}
        self.tables: dict[str, TableLayout] = {}
        self.pairs: PairLayout | None = None  # these two by lowering, if anything needs them
        self.queue: QueueLayout | None = None
        self.masks: dict[str, tuple[int, int]] = {}  # kind -> bases of first mask and multi columns
        self.zone_owner: list[int] = [0]
        self.zone_player: list[int] = [0]
        self.zone_names: list[str] = [""]
        expanded = expand_cards(model, self.bound)
        self.cards, self.sorts, self.card_rows = expanded.cards, expanded.sorts, expanded.rows
        self.trait_count = len(model.traits)
        self.mask_words = max(1, -(-self.trait_count // MASK_BITS))
        self.cells = self._cells()
        self._game_state()
        self._players()
        for name in model.made:
            self._made(name)
        self._rows()
        self.where = self.claim(len(self.cards))
        self.card_next = self.claim(len(self.cards))
        self.card_prev = self.claim(len(self.cards))
        self.card_face = self.claim(len(self.cards)) if features.faces else 0
        self.card_partner = self.claim(len(self.cards)) if features.partners else 0
        self.silent = self.claim(len(self.cards)) if features.silence else 0
        self._zones()
        self._card_state()
        self._tables()
        self.live_count = self.claim(self.trait_count + 1)

    @property
    def too_large(self) -> Table | None:
        """The table that takes most, if the state is larger than it may be."""
        if self.size <= LARGEST or not self.model.tables:
            return None
        return max(self.model.tables.values(), key=lambda table: _product(self.tables[table.name].dims))

    # ---- what the table fixes

    def bound(self, value: Bound) -> int:
        """A bound as a number: itself, a number of the table, an option's value, or how many cards a sort has."""
        if isinstance(value, int):
            return value
        if value.startswith("option."):
            return self.config.options[value[7:]]
        if value in self.model.sorts:
            first, last = self.sorts[value]
            return max(last - first + 1, 1)
        number = self.number(value)
        return number if isinstance(number, int) else number[0]

    def seen_by(self, seers: Seers) -> SeenBy:
        """Who sees it at this table."""
        if seers.startswith("option."):
            name = seers.removeprefix("option.")
            seers = self.model.options[name].values[self.config.options[name] - 1]
        return cast(SeenBy, seers)

    def number(self, name: str) -> int | tuple[int, ...]:
        return self.model.numbers[name].by_players[self.players]

    def rows_of(self, kind: str) -> int:
        """How many handles a kind has at this table (its highest handle)."""
        model = self.model
        if kind == "player":
            return self.players + (1 if self.features.nobody else 0)
        if kind in model.lists:
            listing = model.lists[kind]
            return self.bound(listing.count) if listing.count is not None else len(listing.rows)
        if kind in model.grids:
            grid = model.grids[kind]
            return grid.width * grid.height
        if kind in model.sorts:
            return len(self.cards) - 1
        if kind in model.made:
            return self.rows_of("player") * self.slots_of(kind)
        if kind.startswith("option "):
            return len(model.options[kind[7:]].values)
        return 0

    def slots_of(self, kind: str) -> int:
        """How many places each owner has for things of a kind: where need be as many again as may live."""
        return self.bound(self.model.made[kind].at_most) * (2 if kind in self.features.spare else 1)

    def is_made(self, kind: str) -> bool:
        return kind in self.model.made

    def grid_map(self, grid: Grid) -> Mapping[str, tuple[int, ...]]:
        if grid.chosen_by is None:
            return next(iter(grid.maps.values()))
        option = self.model.options[grid.chosen_by]
        return grid.maps[option.values[self.config.options[grid.chosen_by] - 1]]

    def flag(self, value: bool | str) -> bool:
        """A switch that is fixed or an option's."""
        return value if isinstance(value, bool) else bool(self.config.options[value.removeprefix("option.")])

    # ---- claiming words

    def claim(self, words: int, start: int = 0) -> int:
        """`words` fresh words (0 at first, or `start`); returns their base."""
        base = self.size
        self.size += words
        if start:
            self.initial.update(dict.fromkeys(range(base, base + words), start))
        return base

    def _cells(self) -> Cells:
        return Cells(*(self.claim(1) for _ in Cells.__dataclass_fields__))

    def start_of(self, attribute: Attribute) -> int:
        return self.bound(attribute.start)

    def _holds(self, attribute: Attribute) -> Range:
        """Between which numbers words of a number lie: what is stored is tested against its bounds."""
        if attribute.type.tag != "int":
            return WORD
        return self._between(attribute.low, attribute.high, 0, _missing(attribute), self.start_of(attribute))

    def _between(self, low: Bound | None, high: Bound | None, *others: int) -> Range:
        """What lies within bounds, or is one of some other numbers."""
        least = WORD[0] if low is None else self.bound(low)
        most = WORD[1] if high is None else self.bound(high)
        return min(least, *others), max(most, *others)

    def _attribute(self, kind: str, attribute: Attribute, rows: int, *, filled: bool) -> None:
        dims = tuple(self.rows_of(name) + 1 for name in attribute.index)
        width = _product(dims)
        base = self.claim((rows + 1) * width)
        start = self.start_of(attribute)
        if filled and start:
            for h in range(1, rows + 1):
                for i in range(width):
                    self.initial[base + h * width + i] = start
        self.columns[kind, attribute.name] = base
        self.attributes.append(
            AttributeLayout(
                kind, attribute.name, base, rows, type_name(attribute.type), self.seen_by(attribute.seen_by),
                dims=dims, width=width, missing=_missing(attribute), holds=self._holds(attribute), of=attribute.index,
            )
        )  # fmt: skip

    def _game_state(self) -> None:
        for name, attribute in self.model.state.items():
            base = self.claim(1, self.start_of(attribute))
            self.state[name] = base
            self.attributes.append(
                AttributeLayout(
                    "", name, base, 0, type_name(attribute.type), self.seen_by(attribute.seen_by),
                    missing=_missing(attribute), holds=self._holds(attribute),
                )
            )  # fmt: skip

    def _players(self) -> None:
        for attribute in self.model.player_attributes.values():
            self._attribute("player", attribute, self.rows_of("player"), filled=True)

    def _made(self, name: str) -> None:
        made = self.model.made[name]
        owners = self.rows_of("player")
        rows = self.rows_of(name)
        for attribute in made.attributes.values():
            self._attribute(name, attribute, rows, filled=False)
        if any(zone.of == name and zone.in_force for zone in self.model.zones.values()):
            first = self.claim((rows + 1) * self.mask_words)
            self.masks[name] = (first, self.claim((rows + 1) * self.mask_words))
        alive = self.claim(rows + 1)
        place = self.claim(rows + 1) if made.place else 0
        line = [self.claim(rows + 1) for _ in range(2)] if made.line else [0, 0]
        ends = [self.claim(owners + 1) for _ in range(2)] if made.line else [0, 0]
        self.kinds[name] = KindLayout(
            name, owners, self.slots_of(name), self.bound(made.at_most), alive, place, made.place or "",
            line[0], line[1], ends[0], ends[1], self.claim(owners + 1), made.names,
        )  # fmt: skip

    def _rows(self) -> None:
        for listing in self.model.lists.values():
            for attribute in listing.attributes.values():
                self._attribute(listing.name, attribute, self.rows_of(listing.name), filled=True)
        for grid in self.model.grids.values():
            for attribute in grid.attributes.values():
                self._attribute(grid.name, attribute, self.rows_of(grid.name), filled=True)

    def _card_state(self) -> None:
        for sort in self.model.sorts.values():
            for attribute in sort.attributes.values():
                self._attribute(sort.name, attribute, len(self.cards) - 1, filled=True)
        for trait in self.model.traits.values():
            if not trait.state:
                continue
            bearers = [h for h, card in enumerate(self.cards) if trait.number in card.faces]
            rows = {card: row for row, card in enumerate(bearers, 1)}
            for attribute in trait.state.values():
                self._attribute(f"trait {trait.name}", attribute, len(bearers), filled=True)
                plain = self.attributes.pop()
                laid = AttributeLayout(
                    self._sort_with_faces(), plain.name, plain.base, plain.count, plain.type, plain.seen_by,
                    trait.name, rows, plain.dims, plain.width, plain.missing, plain.holds, plain.of,
                )  # fmt: skip
                self.trait_state[trait.name, attribute.name] = laid
                self.attributes.append(laid)

    def _sort_with_faces(self) -> str:
        return next((s.name for s in self.model.sorts.values() if {"face", "faces"} & set(s.columns)), "")

    def _zones(self) -> None:
        box = Zone("box", None, "", "everyone")
        for zone in (box, *self.model.zones.values()):
            if zone.of not in self.model.made or zone.slot:
                self._array_zone(zone)
        self.linked_from = len(self.zone_owner)
        for zone in self.model.zones.values():
            if zone.of in self.model.made and not zone.slot:
                self._linked_zone(zone)
        for h, card in enumerate(self.cards):
            if card.sort:
                self._lay_in_box(h)

    def _lay_in_box(self, card: int) -> None:
        box = self.zones["box"]
        self.initial[box.base] = self.initial.get(box.base, 0) + 1
        self.initial[box.base + self.initial[box.base]] = card
        self.initial[self.where + card] = box.first_id

    def _array_zone(self, zone: Zone) -> None:
        owners = self.rows_of(zone.of) if zone.of else 0
        room = len(self.cards) - 1 if not zone.holds else self._cards_of(zone.holds)
        stride = 2 if zone.slot else room + 1
        count = owners if zone.of else 1
        base = self.claim(stride * count)
        first = len(self.zone_owner) - (1 if zone.of else 0)
        for o in range(1, owners + 1) if zone.of else (0,):
            self.zone_owner.append(o)
            self.zone_player.append(self._player_of(zone, o))
            self.zone_names.append(zone.name)
        # With owners, instance 1 is the first laid: keep `base + o * stride` and `first_id + o` true for o >= 1.
        self.zones[zone.name] = ZoneLayout(
            zone.name, zone.of or "", zone.holds, self.seen_by(zone.seen_by), first, owners, True,
            base - stride if zone.of else base, stride, in_force=zone.in_force, slot=zone.slot,
        )  # fmt: skip

    def _player_of(self, zone: Zone, owner: int) -> int:
        if zone.of == "player":
            return owner
        return (owner - 1) // self.kinds[zone.of].per_owner + 1 if zone.of in self.kinds else 0

    def _linked_zone(self, zone: Zone) -> None:
        assert zone.of is not None
        owners = self.rows_of(zone.of)
        first_id = len(self.zone_owner) - 1
        for o in range(1, owners + 1):
            self.zone_owner.append(o)
            self.zone_player.append(self._player_of(zone, o))
            self.zone_names.append(zone.name)
        columns = [self.claim(owners + 1) for _ in range(3)]
        self.zones[zone.name] = ZoneLayout(
            zone.name, zone.of, zone.holds, self.seen_by(zone.seen_by), first_id, owners, False,
            first=columns[0], last=columns[1], count=columns[2], in_force=zone.in_force,
        )  # fmt: skip

    def _cards_of(self, sort: str) -> int:
        first, last = self.sorts[sort]
        return last - first + 1

    def _tables(self) -> None:
        for table in self.model.tables.values():
            dims = tuple(self.rows_of(kind) + 1 for kind in table.of)
            base, holds = self.claim(_product(dims)), self._between(table.low, table.high, 0)
            self.tables[table.name] = TableLayout(table.name, base, table.of, dims, holds)

    # ---- the end

    def finish(self) -> tuple[Layout, list[int]]:
        """Closes the layout with the control stack; gives it and the initial words."""
        stack = self.claim(STACK)
        words = [0] * self.size
        for address, value in self.initial.items():
            words[address] = value
        layout = Layout(
            size=self.size, players=self.players, cells=self.cells, attributes=tuple(self.attributes),
            kinds=self.kinds, zones=self.zones, tables=self.tables, cards=tuple(self.cards), sorts=self.sorts,
            lists=self._list_names(), where=self.where, card_next=self.card_next, card_prev=self.card_prev,
            card_face=self.card_face, card_partner=self.card_partner, silent=self.silent,
            zone_owner=tuple(self.zone_owner), zone_player=tuple(self.zone_player),
            zone_names=tuple(self.zone_names), stack=stack,
            trait_titles={name: dict(trait.titles) for name, trait in self.model.traits.items()},
            grids={grid.name: self._grid(grid) for grid in self.model.grids.values()},
            pairs=self.pairs, queue=self.queue, labels=self.labels,
        )  # fmt: skip
        return layout, words

    def _grid(self, grid: Grid) -> GridLayout:
        """Columns with one number, truth value or row a space; sets and conditions are for rules, not for maps."""
        drawn, rows = self.grid_map(grid), self._list_names()
        shown = [
            c
            for c in grid.columns.values()
            if c.type.tag in ("int", "bool") or (c.type.tag == "ref" and c.type.name in rows)
        ]
        spaces = (
            {c.name: _printed(c.type, drawn[c.name][space], rows) for c in shown}
            for space in range(grid.width * grid.height)
        )
        return GridLayout(grid.width, grid.height, tuple(spaces), self.flag(grid.east_west))

    def _list_names(self) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for listing in self.model.lists.values():
            count = self.rows_of(listing.name)
            rows = [row.name for row in listing.rows][:count]
            rows += [f"{listing.name} {k}" for k in range(len(rows) + 1, count + 1)]
            names[listing.name] = ("none", *rows)
        for grid in self.model.grids.values():
            names[grid.name] = ("none", *grid.spaces)
        if self.phases:
            names["phase"] = ("none", *self.phases)
        for option in self.model.options.values():
            names[f"option {option.name}"] = ("none", *option.values)
        return names


def type_name(type_: Type) -> str:
    """How the layout names a type: "int", "bool" or a kind."""
    return type_.name if type_.tag == "ref" else type_.tag


def _printed(type_: Type, word: int, rows: Mapping[str, tuple[str, ...]]) -> str | int | bool | None:
    """A column's value in words."""
    if type_.tag == "int":
        return None if type_.maybe and word == MISSING_INT else word
    return bool(word) if type_.tag == "bool" else rows[type_.name][word] if word else None


def _missing(attribute: Attribute) -> int:
    """What an absent value is stored as."""
    return MISSING_INT if attribute.type.tag == "int" and attribute.type.maybe else 0


def _product(numbers: tuple[int, ...]) -> int:
    result = 1
    for n in numbers:
        result *= n
    return result


__all__ = ["MASK_BITS", "CardInfo", "Config", "Features", "Plan", "type_name"]
