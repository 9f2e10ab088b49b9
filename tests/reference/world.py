"""The table as plain objects: players by seat, things, cards, piles of cards, and the generator of chance.

Nothing here knows of words, addresses or backends. What is shared with the compiler ends with the typed tree: the model
and its expansion into cards (`semantics`). The stream of chance is that of `rulelang/engine/rng.py`: two numbers below
2**30, one step for each number that is drawn; a pile is shuffled from its top down (Fisher-Yates), as `docs/language`
leaves open and `ir.ArrayShuffle` says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from rulelang.base.layout import CardInfo
from rulelang.semantics.cards import expand_cards
from rulelang.semantics.model import Attribute, Bound, Grid, Model, Table, Zone
from rulelang.semantics.types import MISSING_INT, Type

LARGEST = 2**31 - 1


class RuleFailure(Exception):
    """A run-time diagnostic of the rules, by its code."""

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(f"{code} {text}")
        self.code = code


@dataclass(eq=False)
class Thing:
    """Something made in play. What is gone stays an object, and is missing for whoever still speaks of it."""

    kind: str
    owner: int
    slot: int
    alive: bool = True
    place: int | None = None
    values: dict[Any, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.slot} of {self.owner}{'' if self.alive else ', gone'}>"


@dataclass(eq=False)
class Card:
    """One card. `partner`: the thing at the other end of a pair; `laid`: when it was laid in force on a thing."""

    handle: int
    info: CardInfo
    number: int
    pile: Pile
    row: int = 0
    face: int | None = None
    partner: Thing | None = None
    silences: set[str] = field(default_factory=set)
    laid: int = 0

    def __repr__(self) -> str:
        return f"<card {self.handle} {self.info.label}>"


@dataclass(eq=False)
class Pile:
    """A zone of one owner (None: of the game): its cards, bottom first."""

    zone: Zone
    owner: Any
    cards: list[Card] = field(default_factory=list)


BOX = Zone("box", None, "", "everyone")


class World:
    """A game in progress, without what is waiting."""

    def __init__(self, model: Model, players: int, options: Mapping[str, int], slots: Mapping[str, int]) -> None:
        self.model, self.players, self.options, self.slots = model, players, options, slots
        self.round = self.decisions = self.forced = self.curtain = self.clock = self.depth = 0
        self.sought: int | None = None  # for scenarios: see `seeking.py`
        self.sought_turn: int | None = None
        self.phase: int | None = None
        self.active: int | None = None
        self.actor: int | None = None
        self.x = self.c = 0
        self.quiet = False  # a trial: whatever is not quiet ends it
        self.things: dict[str, list[Thing]] = {kind: [] for kind in model.made}  # alive, in the order of their lines
        self.waiting: set[Thing] = set()  # gone, their slots not free yet
        self.piles: dict[tuple[str, Any], Pile] = {}
        self.values: dict[Any, Any] = {}  # what is kept of the game, players, rows and cards, where it was written
        self.tables: dict[Any, int] = {}
        self.flags: dict[str, set[Any]] = defaultdict(set)  # what was done `once per` scope
        self.running: set[Any] = set()
        self.waits: list[Any] = []  # effects that wait in owner's order
        self.log: list[Any] = []
        self.paired: list[Card] = []  # the cards that have a partner
        made = expand_cards(model, self.bound)
        self.box = self.pile(BOX, None)
        numbers = {handle: row for (_, row), handles in made.rows.items() for handle in handles}
        self.cards = [
            Card(h, info, h - made.sorts[info.sort][0] + 1, self.box, numbers[h])
            for h, info in enumerate(made.cards)
            if info.sort
        ]
        self.box.cards.extend(self.cards)
        self.by_row = {key: [self.cards[h - 1] for h in handles] for key, handles in made.rows.items()}
        for card in self.cards:
            card.face = printed_face(card)

    # ---- what the table fixes

    def bound(self, value: Bound) -> int:
        """A number as it is written, by its name, an option's, or how many cards there are of a sort."""
        if isinstance(value, int):
            return value
        if value.startswith("option."):
            return self.options[value.removeprefix("option.")]
        if value in self.model.sorts:
            return max(1, sum(card.info.sort == value for card in self.cards))
        number = self.number(value)
        return number if isinstance(number, int) else number[0]

    def number(self, name: str) -> int | tuple[int, ...]:
        return self.model.numbers[name].by_players[self.players]

    def rows(self, kind: str) -> int:
        """How many rows, levels, spaces or players there are."""
        if kind == "player":
            return self.players
        if kind in self.model.grids:
            return self.model.grids[kind].width * self.model.grids[kind].height
        listing = self.model.lists[kind]
        return self.bound(listing.count) if listing.count is not None else len(listing.rows)

    def flag(self, value: bool | str) -> bool:
        return value if isinstance(value, bool) else bool(self.options[value.removeprefix("option.")])

    def map_of(self, grid: Grid) -> Mapping[str, tuple[int, ...]]:
        if grid.chosen_by is None:
            return next(iter(grid.maps.values()))
        option = self.model.options[grid.chosen_by]
        return grid.maps[option.values[self.options[grid.chosen_by] - 1]]

    # ---- players in order

    @property
    def nobody(self) -> int:
        return self.players + 1

    def first(self) -> int:
        """With whom natural order begins."""
        if self.active is not None:
            return self.seated(self.active)
        if self.model.first is not None:
            return self.seated(self.read(("", None, self.model.first), self.model.state[self.model.first]) or 1)
        return 1

    def seated(self, player: int) -> int:
        return player if player <= self.players else 1

    def following(self, player: int) -> int | None:
        if player > self.players:
            return None
        return (player - 1 + (1 if self.model.clockwise else -1)) % self.players + 1

    def order(self, start: int | None = None) -> list[int]:
        """All players in play order, from one of them or from whom natural order begins with."""
        begin = self.first() if start is None else self.seated(start)
        step = 1 if self.model.clockwise else -1
        return [(begin - 1 + step * k) % self.players + 1 for k in range(self.players)]

    def owners(self) -> list[int]:
        return [*self.order(), self.nobody]

    # ---- things

    def line(self, kind: str, owner: int) -> list[Thing]:
        """An owner's things, along his line or by slot."""
        found = [thing for thing in self.things[kind] if thing.owner == owner]
        return found if self.model.made[kind].line else sorted(found, key=lambda thing: thing.slot)

    def all_things(self, kind: str) -> Iterator[Thing]:
        for owner in self.owners():
            yield from self.line(kind, owner)

    def create(self, kind: str, owner: int, left: bool) -> Thing | None:
        made = self.model.made[kind]
        mine = [thing for thing in self.things[kind] if thing.owner == owner]
        if len(mine) >= self.bound(made.at_most):
            return None
        taken = {thing.slot for thing in mine}
        taken |= {thing.slot for thing in self.waiting if thing.kind == kind and thing.owner == owner}
        slot = next(n for n in range(1, len(taken) + 2) if n not in taken)
        if slot > self.slots.get(kind, slot):
            raise RuleFailure("X612")
        thing = Thing(kind, owner, slot)
        self.things[kind].insert(0 if left else len(self.things[kind]), thing)
        return thing

    def remove(self, thing: Thing) -> None:
        if not thing.alive:
            return
        for card in [card for card in self.paired if card.partner is thing]:
            self.join(card, None)
        for (_, owner), pile in list(self.piles.items()):
            if owner is thing:
                while pile.cards:
                    self.move(pile.cards[-1], self.box)
        thing.alive, thing.place = False, None
        self.things[thing.kind].remove(thing)
        self.waiting.add(thing)
        for key in [key for key in self.tables if thing in key]:
            del self.tables[key]

    def release(self) -> None:
        """The slots of what has gone are free again, and nothing kept speaks of it any more."""
        if not self.waiting:
            return
        living = [thing.values for things in self.things.values() for thing in things]
        for values in (self.values, *living):
            for key, value in values.items():
                if isinstance(value, Thing) and value in self.waiting:
                    values[key] = None
        self.waiting.clear()

    # ---- what is kept

    def read(self, key: tuple[str, Any, Any], attribute: Attribute) -> Any:
        """(kind or trait, of what, name with its indexes)."""
        if isinstance(key[1], Thing):
            return key[1].values.get(key[2], self.start(attribute)) if key[1].alive else None
        return self.values.get(key, self.start(attribute))

    def write(self, key: tuple[str, Any, Any], value: Any) -> None:
        if isinstance(key[1], Thing):
            if key[1].alive:
                key[1].values[key[2]] = value
        else:
            self.values[key] = value

    def start(self, attribute: Attribute) -> Any:
        return self.plain(attribute.type, self.bound(attribute.start))

    def plain(self, type_: Type, number: int) -> Any:
        """A value of what the model has as a number; None for what is missing."""
        if type_.tag == "bool":
            return bool(number)
        if type_.tag == "int":
            return None if type_.maybe and number == MISSING_INT else number
        return number or None

    def bounded(self, value: Any, kept: Attribute | Table) -> Any:
        """A number as it may be kept: X601, or the end of the range."""
        if not isinstance(value, int) or isinstance(value, bool):
            return value
        number = isinstance(kept, Table) or kept.type.tag == "int"
        if not number and kept.low is None and kept.high is None:
            return value
        low = self.bound(kept.low) if kept.low is not None else -LARGEST
        high = self.bound(kept.high) if kept.high is not None else LARGEST
        if low <= value <= high:
            return value
        if not kept.clamp:
            raise RuleFailure("X601", f"{kept.name} {value}")
        return min(max(value, low), high)

    # ---- cards

    def pile(self, zone: Zone, owner: Any) -> Pile:
        key = (zone.name, owner)
        if key not in self.piles:
            self.piles[key] = Pile(zone, owner)
        return self.piles[key]

    def move(self, card: Card, to: Pile, *, bottom: bool = False, face: int | None = None,
             partner: Thing | None = None) -> None:  # fmt: skip
        card.pile.cards.remove(card)
        self.join(card, None)
        card.face = face if face is not None else printed_face(card)
        if to.zone.slot and to.cards:
            raise RuleFailure("X603")
        to.cards.insert(0 if bottom else len(to.cards), card)
        card.pile = to
        self.join(card, partner)
        if to.zone.in_force and isinstance(to.owner, Thing):
            self.clock += 1
            card.laid = self.clock

    def join(self, card: Card, partner: Thing | None) -> None:
        if card.partner is not None:
            self.paired.remove(card)
        card.partner = partner
        if partner is not None:
            self.paired.append(card)

    def move_all(self, cards: list[Card], to: Pile, bottom: bool) -> None:
        """In order, so that the top stays on top."""
        for card in reversed(cards) if bottom else list(cards):
            self.move(card, to, bottom=bottom)

    def lies_on(self, card: Card) -> Thing | None:
        return card.pile.owner if isinstance(card.pile.owner, Thing) else None

    def owner_of(self, item: Any) -> int | None:
        """The player whose a thing or card is."""
        if isinstance(item, Thing):
            return item.owner
        owner = item.pile.owner
        if isinstance(owner, Thing):
            return owner.owner
        return owner if item.pile.zone.of == "player" else None

    def laid_on(self, thing: Thing) -> list[Card]:
        """The cards that lie in force on a thing, those of pairs at either end; the oldest first."""
        found = [card for card in self.paired if card.partner is thing and card.pile.zone.in_force]
        for zone in self.model.zones.values():
            if zone.in_force and zone.of == thing.kind and (pile := self.piles.get((zone.name, thing))) is not None:
                found += pile.cards
        return sorted(set(found), key=lambda card: card.laid) if len(found) > 1 else found

    # ---- chance

    def random(self, bound: int) -> int:
        self.loud()
        number = ((self.x ^ self.c) * bound) >> 30
        step = self.x * 998578647 + self.c
        self.x, self.c = step & (2**30 - 1), step >> 30
        return number

    def shuffle(self, pile: Pile) -> None:
        self.loud()
        if pile.zone.of in self.model.made and not pile.zone.slot:
            # Piles of things are taken up, and laid down again one by one.
            left = list(pile.cards)
            while left:
                self.move(left.pop(self.random(len(left))), pile)
            return
        cards = pile.cards
        for k in range(len(cards), 1, -1):
            other = self.random(k)
            cards[k - 1], cards[other] = cards[other], cards[k - 1]

    def draw(self, count: int, source: Pile, to: Pile) -> None:
        self.loud()
        pile = self.refill(count, source)
        if pile is not None:
            self.shuffle(pile)
            self.move_all(pile.cards, source, bottom=True)
        for _ in range(min(count, len(source.cards))):
            self.move(source.cards[-1], to)

    def refill(self, count: int, source: Pile) -> Pile | None:
        """What is shuffled and laid under a pile before so many are drawn from it."""
        refill = source.zone.refilled_from
        if refill is None or len(source.cards) >= count:
            return None
        zone = self.model.zones[refill]
        return self.pile(zone, source.owner if zone.of else None)

    def loud(self) -> None:
        """Something that a trial does not do: no `ensure` follows upon it."""
        if self.quiet:
            raise TrialEnds

    # ---- trials

    def save(self) -> Any:
        """All that can change, to come back to it."""
        changing = (self, *self.cards, *self.piles.values(), *chain(*self.things.values()), *self.waiting)
        return [(one, {name: copied(value) for name, value in vars(one).items()}) for one in changing]

    @staticmethod
    def restore(saved: Any) -> None:
        for one, values in saved:
            vars(one).update(values)


def copied(value: Any) -> Any:
    """A collection of its own, with those in it."""
    if isinstance(value, dict):
        found = value.copy()
        found.update((key, inner.copy()) for key, inner in value.items() if isinstance(inner, list | set))
        return found
    return value.copy() if isinstance(value, list | set) else value


class TrialEnds(Exception):
    """Something that is not quiet came in a trial: no `ensure` can follow."""


def printed_face(card: Card) -> int | None:
    return card.info.faces[0] if len(card.info.faces) == 1 else None


__all__ = ["Card", "Pile", "RuleFailure", "Thing", "TrialEnds", "World"]
