"""The table as plain objects: players by seat, things, cards, piles of cards, and the generator of chance; and what
names mean where a rule stands.

Nothing here knows of words, addresses or backends. What is shared with the compiler ends with the typed tree: the model
and its expansion into cards (`semantics`). The stream of chance is that of `rulelang/runtime/rng.py`: two numbers below
2**30, one step for each number that is drawn; a pile is shuffled from its top down (Fisher-Yates), as `docs/language`
leaves open and `ir.ArrayShuffle` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulelang.base.layout import CardInfo
from rulelang.language.semantics.cards import expand_cards
from rulelang.language.semantics.model import MISSING_INT, Attribute, Bound, Grid, Model, Table, Type, Zone
from rulelang.language.semantics.tree import Local

LARGEST = 2**31 - 1
BOX = Zone("box", None, "", "everyone")


class RuleFailure(Exception):
    """A run-time diagnostic of the rules, by its code."""

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(f"{code} {text}")
        self.code = code


class Missing(Exception):
    """Something was read through what is missing."""


class TrialEnds(Exception):
    """Something that is not quiet came in a trial: no `ensure` can follow."""


@dataclass(eq=False)
class Scope:
    """What names mean at one place of the rules. `roles`: whose rules these are, for what they call of the same trait.

    `turn`: an offer here ends the turn that it stands in, whose player this is (`outermost`: of a turn in no other);
    `proceed`: what `proceed` runs, in an `instead of` the event `around`; `event`: that which a reaction answers;
    `game`: this is the block of the game; `kinds`: of variables around; `hook`: whose rules, with whom they work for.
    """

    names: dict[str, Any] = field(default_factory=dict)
    roles: dict[str, Any] = field(default_factory=dict)
    turn: int | None = None
    outermost: bool = False
    proceed: Any = None
    around: str = ""
    event: str = ""
    game: bool = False
    kinds: frozenset[str] = frozenset()
    hook: Any = None

    def inner(self, variables: Sequence[Local] = (), values: Sequence[Any] = (), **changes: Any) -> Scope:
        """A scope inside of it, with these variables."""
        found = Scope(**{**vars(self), "names": dict(self.names), **changes})
        for local, value in zip(variables, values, strict=False):
            found.let(local, value)
        return found

    def let(self, local: Local, value: Any) -> None:
        self.names[local.name] = value
        self.kinds |= {local.type.name}


def present(value: Any) -> bool:
    return value is not None and not (isinstance(value, Thing) and not value.alive)


def checked(number: int) -> int:
    if not -(2**63) < number < 2**63:
        raise RuleFailure("X610")
    return number


@dataclass(eq=False)
class Thing:
    """Something made in play. What is gone stays an object, and is missing for whoever still speaks of it."""

    kind: str
    owner: int
    slot: int
    alive: bool = True
    place: int | None = None


@dataclass(eq=False)
class Card:
    """One card. `partner`: the thing at the other end of a pair; `laid`: when it was laid in force on a thing."""

    handle: int
    info: CardInfo
    number: int
    pile: Pile
    face: int | None
    partner: Thing | None = None
    silences: frozenset[str] = frozenset()
    laid: int = 0


@dataclass(eq=False)
class Pile:
    """A zone of one owner (None: of the game): its cards, bottom first."""

    zone: Zone
    owner: Any
    cards: list[Card] = field(default_factory=list)


class World:
    """A game in progress, without what is waiting.

    Whatever is kept has a key: what resets it, kind or trait ("": of the game; None: a table), name, of what, indexes.
    """

    def __init__(self, model: Model, players: int, options: Mapping[str, int], slots: Mapping[str, int]) -> None:
        self.model, self.players, self.options, self.slots = model, players, options, slots
        self.round = self.decisions = self.forced = self.curtain = self.clock = self.x = self.c = 0
        self.phase: int | None = None
        self.active: int | None = None
        self.actor: int | None = None
        self.quiet = False  # a trial: whatever is not quiet ends it
        self.things: list[Thing] = []  # alive, each line in its order
        self.waiting: set[Thing] = set()  # gone, their slots not free yet
        self.piles: dict[tuple[str, Any], Pile] = {}
        self.kept: dict[Any, Any] = {}  # where it was written
        self.flags: set[Any] = set()  # what was done `once per` scope, each with that scope
        self.log: list[Any] = []
        self.bearing: dict[Thing, list[Card]] = {}  # worked out since a card was last moved or silenced
        made = expand_cards(model, self.bound)
        self.box = self.pile(BOX, None)
        self.box.cards = [Card(h, info, h - made.sorts[info.sort][0] + 1, self.box, printed_face(info))
                          for h, info in enumerate(made.cards) if info.sort]  # fmt: skip
        self.cards = list(self.box.cards)
        self.by_row = {key: [self.cards[h - 1] for h in handles] for key, handles in made.rows.items()}

    # ---- what the table fixes

    def bound(self, value: Bound) -> int:
        """A number as it is written, by its name, an option's, or how many cards there are of a sort."""
        if isinstance(value, int):
            return value
        if value.startswith("option."):
            return self.options[value.removeprefix("option.")]
        if value in self.model.sorts:
            return max(1, len(self.all_of(value)))
        number = self.number(value)
        return number if isinstance(number, int) else number[0]

    def number(self, name: str) -> int | tuple[int, ...]:
        return self.model.numbers[name].by_players[self.players]

    def all_of(self, kind: str) -> Sequence[Any]:
        """All things of a kind or cards of a sort; of lists, spaces and players their numbers."""
        model = self.model
        if kind in model.made:
            return [thing for owner in self.owners() for thing in self.line(kind, owner)]
        if kind in model.sorts:
            return [card for card in self.cards if card.info.sort == kind]
        if kind in model.grids:
            return range(1, model.grids[kind].width * model.grids[kind].height + 1)
        if kind == "player":
            return range(1, self.players + 1)
        count = model.lists[kind].count
        return range(1, (len(model.lists[kind].rows) if count is None else self.bound(count)) + 1)

    def flag(self, value: bool | str) -> bool:
        return value if isinstance(value, bool) else bool(self.options[value.removeprefix("option.")])

    def map_of(self, grid: Grid) -> Mapping[str, tuple[int, ...]]:
        if grid.chosen_by is None:
            return next(iter(grid.maps.values()))
        return grid.maps[self.model.options[grid.chosen_by].values[self.options[grid.chosen_by] - 1]]

    # ---- players in order

    @property
    def nobody(self) -> int:
        return self.players + 1

    def first(self) -> int:
        """With whom natural order begins."""
        first = self.model.first
        if self.active is None and first is not None:
            return self.seated(self.read(key("", self.model.state[first]), self.model.state[first]) or 1)
        return self.seated(self.active or 1)

    def seated(self, player: int) -> int:
        return player if player <= self.players else 1

    def following(self, player: int, seats: int = 1) -> int | None:
        """Who sits so many seats on in play order."""
        seats = seats if self.model.clockwise else -seats
        return (player - 1 + seats) % self.players + 1 if player <= self.players else None

    def order(self, start: int | None = None) -> list[Any]:
        """All players in play order, from one of them or from whom natural order begins with."""
        begin = self.first() if start is None else self.seated(start)
        return [self.following(begin, seats) for seats in range(self.players)]

    def owners(self) -> list[int]:
        return [*self.order(), self.nobody]

    # ---- things

    def line(self, kind: str, owner: int) -> list[Thing]:
        """An owner's things, along his line or by slot."""
        found = [thing for thing in self.things if thing.owner == owner and thing.kind == kind]
        return found if self.model.made[kind].line else sorted(found, key=lambda thing: thing.slot)

    def create(self, kind: str, owner: int, left: bool) -> Thing | None:
        mine = self.line(kind, owner)
        if len(mine) >= self.bound(self.model.made[kind].at_most):
            return None
        taken = {thing.slot for thing in (*mine, *self.waiting) if thing.kind == kind and thing.owner == owner}
        slot = next(n for n in range(1, len(taken) + 2) if n not in taken)
        if slot > self.slots.get(kind, slot):
            raise RuleFailure("X612")
        thing = Thing(kind, owner, slot)
        self.things.insert(0 if left else len(self.things), thing)
        return thing

    def remove(self, thing: Thing) -> None:
        if not thing.alive:
            return
        for card in self.cards:
            card.partner = card.partner if card.partner is not thing else None
        for pile in [pile for pile in self.piles.values() if pile.owner is thing]:
            while pile.cards:
                self.move(pile.cards[-1], self.box)
        thing.alive, thing.place = False, None
        self.things.remove(thing)
        self.waiting.add(thing)
        self.forget(lambda at: thing in at)
        self.bearing.clear()

    def release(self) -> None:
        """The slots of what has gone are free again, and nothing kept speaks of it any more."""
        if self.waiting:
            self.kept = {at: None if value in self.waiting else value for at, value in self.kept.items()}
            self.waiting.clear()

    # ---- what is kept

    def read(self, at: Any, kept: Attribute | Table) -> Any:
        if at in self.kept:
            return self.kept[at]
        return 0 if isinstance(kept, Table) else self.plain(kept.type, self.bound(kept.start))

    def forget(self, what: Callable[[Any], bool]) -> None:
        self.kept = {at: value for at, value in self.kept.items() if not what(at)}

    def plain(self, type_: Type, number: int | None) -> Any:
        """A value of what the model has as a number (None: as nothing at all); None for what is missing."""
        if type_.tag == "bool":
            return bool(number)
        if type_.tag == "int":
            return None if type_.maybe and number in (None, MISSING_INT) else number or 0
        return number or None

    def bounded(self, value: Any, kept: Attribute | Table) -> Any:
        """A number as it may be kept: X601, or the end of the range."""
        unbounded = not isinstance(kept, Table) and kept.type.tag != "int" and kept.low is None and kept.high is None
        if not isinstance(value, int) or isinstance(value, bool) or unbounded:
            return value
        low = self.bound(kept.low) if kept.low is not None else -LARGEST
        high = self.bound(kept.high) if kept.high is not None else LARGEST
        if not low <= value <= high and not kept.clamp:
            raise RuleFailure("X601", f"{kept.name} {value}")
        return min(max(value, low), high)

    def end_of(self, scope: str) -> None:
        """What ends with a turn, phase or round, or begins with a phase by name: flags, resets, silences."""
        self.flags = {flag for flag in self.flags if flag[0] != scope}
        self.forget(lambda at: at[0] == scope)
        for card in self.cards:
            card.silences -= {scope}
        self.bearing.clear()

    # ---- cards

    def pile(self, zone: Zone, owner: Any) -> Pile:
        return self.piles.setdefault((zone.name, owner), Pile(zone, owner))

    def move(self, card: Card, to: Pile, *, bottom: bool = False, face: int | None = None,
             partner: Thing | None = None) -> None:  # fmt: skip
        card.pile.cards.remove(card)
        if to.zone.slot and to.cards:
            raise RuleFailure("X603")
        to.cards.insert(0 if bottom else len(to.cards), card)
        card.pile, card.partner, card.face = to, partner, printed_face(card.info) if face is None else face
        if to.zone.in_force and isinstance(to.owner, Thing):
            self.clock += 1
            card.laid = self.clock
        self.bearing.clear()

    def move_all(self, cards: Sequence[Card], to: Pile, bottom: bool) -> None:
        """In order, so that the top stays on top."""
        for card in [*reversed(cards)] if bottom else [*cards]:
            self.move(card, to, bottom=bottom)

    def lies_on(self, card: Card) -> Thing | None:
        return card.pile.owner if isinstance(card.pile.owner, Thing) else None

    def owner_of(self, item: Any) -> int | None:
        """The player whose a thing or card is."""
        of = item if isinstance(item, Thing) else item.pile.owner
        if isinstance(of, Thing):
            return of.owner
        return of if item.pile.zone.of == "player" else None

    def laid_on(self, thing: Thing) -> list[Card]:
        """The cards that lie in force on a thing, those of pairs at either end; the oldest first."""
        found = [c for c in self.cards if (c.partner is thing or c.pile.owner is thing) and c.pile.zone.in_force]
        return sorted(found, key=lambda card: card.laid)

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
            left = list(pile.cards)  # piles of things are taken up, and laid down again one by one
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
        if source.zone.refilled_from is None or len(source.cards) >= count:
            return None
        zone = self.model.zones[source.zone.refilled_from]
        return self.pile(zone, source.owner if zone.of else None)

    def loud(self) -> None:
        """Something that a trial does not do: no `ensure` follows upon it."""
        if self.quiet:
            raise TrialEnds

    # ---- trials

    def save(self) -> Any:
        """All that can change, to come back to it."""
        saved = [(vars(one), vars(one).copy()) for one in (self, *self.piles.values())]
        for _, values in saved:
            values.update({name: v.copy() for name, v in values.items() if isinstance(v, list | dict | set)})
        return saved + [(vars(one), vars(one).copy()) for one in (*self.cards, *self.things, *self.waiting)]

    def restore(self, saved: Any) -> None:
        for variables, values in saved:
            variables.update(values)


def key(kind: str | None, kept: Attribute | Table, *of: Any) -> Any:
    return kept.resets, kind, kept.name, *of


def printed_face(info: CardInfo) -> int | None:
    return info.faces[0] if len(info.faces) == 1 else None
