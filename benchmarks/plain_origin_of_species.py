"""The Origin of Species for four random players, written by hand in plain Python: a yardstick like `plain_evolution`.

Readings where the document leaves room, the same as in `rulesets/origin_of_species` with its default options: who has
passed is out of the phase; every trait that defends must be used, in its owner's order; a pair of one's own animals
works once a turn, and may be left unused; a pirate robs once a phase; the mimic sends every attack on.

A decision is a choice between two or more options. A choice of one is made, and counted as forced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.plain import Chooser, Outcome, simulated

PLAYERS = 4
DICE, DICE_PLUS = 2, 2
FULL_HAND = 6

SINGLE = ("piracy", "mimicry", "scavenger", "running", "tail loss", "symbiosis", "swimming", "swimming")
WITH_CARNIVORE = ("poisonous", "hibernation", "massive", "parasite", "communication", "cooperation")
WITH_FAT_TISSUE = ("grazing", "camouflage", "massive", "parasite", "burrowing", "sharp vision", "cooperation")
FACES = [
    *((name,) for name in SINGLE),
    *(("carnivore", name) for name in WITH_CARNIVORE),
    *(("fat tissue", name) for name in WITH_FAT_TISSUE),
]
PLUS = {"carnivore": 1, "massive": 1, "parasite": 2}
MUTUAL = {"communication", "cooperation"}
PAIRS = MUTUAL | {"symbiosis"}
#: What an animal cannot have both of.
APART = {"carnivore": "scavenger", "scavenger": "carnivore"}
DEFENCES = ("mimicry", "running", "tail loss")

Option = tuple[Any, ...]  # a method of the table, then its arguments


@dataclass(slots=True, eq=False)
class Card:
    """A card; on an animal it shows one of its faces, and may join that animal to a partner."""

    faces: tuple[str, ...]
    face: str = ""
    on: Animal | None = None
    partner: Animal | None = None
    fat: int = 0
    slept: int = -9
    robbed: bool = False
    used: bool = False  # in this turn


@dataclass(slots=True, eq=False)
class Animal:
    """`cards` lie on it; of `joined` it is the partner. `traits`: the names of what lies on it."""

    owner: Player
    body: Card
    cards: list[Card] = field(default_factory=list)
    joined: list[Card] = field(default_factory=list)
    traits: set[str] = field(default_factory=set)
    need: int = 1
    red: int = 0
    blue: int = 0
    hunted: bool = False
    poisoned: bool = False

    def lack(self) -> int:
        return max(0, self.need - self.red - self.blue)

    def room(self) -> int:
        """How much food it can still take, fat included."""
        room = self.lack()
        if "fat tissue" in self.traits:
            room += sum(card.face == "fat tissue" and not card.fat for card in self.cards)
        return room

    def put(self, card: Card, face: str, partner: Animal | None) -> None:
        card.face, card.on, card.partner = face, self, partner
        self.cards.append(card)
        self.traits.add(face)
        self.need += PLUS.get(face, 0)
        if partner:
            partner.joined.append(card)

    def trim(self) -> None:
        """Food beyond its need goes, red before blue."""
        surplus = self.red + self.blue - self.need
        if surplus > 0:
            red = min(self.red, surplus)
            self.red -= red
            self.blue -= surplus - red

    def paired(self, face: str, other: Animal) -> bool:
        return any(c.face == face and c.partner is other for c in self.cards) or any(
            c.face == face and c.on is other for c in self.joined
        )


@dataclass(slots=True, eq=False)
class Player:
    hand: list[Card] = field(default_factory=list)
    animals: list[Animal] = field(default_factory=list)
    discards: list[Card] = field(default_factory=list)

    def score(self) -> int:
        return sum(2 + sum(1 + PLUS.get(card.face, 0) for card in animal.cards) for animal in self.animals)


class Table(Chooser):
    """One game, from the first deal to the scores."""

    __slots__ = ("base", "deck", "last_round", "open", "players", "round", "used", "waiting")

    def __init__(self, random: Callable[[], float]) -> None:
        super().__init__(random)
        self.players = [Player() for _ in range(PLAYERS)]
        self.deck = [Card(faces) for faces in FACES for _ in range(4)]
        self.base = self.round = self.last_round = 0
        self.used: list[Card] = []  # in this turn
        self.open = 0  # meals that have not ended
        self.waiting: list[tuple[Card, Animal]] = []  # pairs, and which animal gets something

    # ---- chance

    def die(self) -> int:
        return 1 + int(self.random() * 6)

    def draw(self, player: Player) -> None:
        """A card from the deck, which lies in no order: any of them."""
        deck = self.deck
        at = int(self.random() * len(deck))
        deck[at], deck[-1] = deck[-1], deck[at]
        player.hand.append(deck.pop())

    # ---- playing cards

    def play_card(self, player: Player) -> bool:
        """One card, or pass."""
        options: list[Option] = [()]
        mine = player.animals
        seen: set[tuple[str, ...]] = set()
        for card in player.hand:
            if card.faces in seen:
                continue
            seen.add(card.faces)
            options.append((self.hatch, player, card))
            for face in card.faces:
                if face in PAIRS:
                    for at, animal in enumerate(mine):
                        for to, other in enumerate(mine):
                            if (at < to if face in MUTUAL else at != to) and not animal.paired(face, other):
                                options.append((self.lay, player, card, face, animal, other))
                elif face == "parasite":
                    for rival in self.players:
                        if rival is not player:
                            for animal in rival.animals:
                                if face not in animal.traits:
                                    options.append((self.lay, player, card, face, animal, None))
                else:
                    for animal in mine:
                        traits = animal.traits
                        if (face not in traits or face == "fat tissue") and APART.get(face) not in traits:
                            options.append((self.lay, player, card, face, animal, None))
        choice = self.pick(options)
        if not choice:
            return False
        choice[0](*choice[1:])
        return True

    def hatch(self, player: Player, card: Card) -> None:
        player.hand.remove(card)
        player.animals.append(Animal(player, card))

    def lay(self, player: Player, card: Card, face: str, animal: Animal, partner: Animal | None) -> None:
        player.hand.remove(card)
        animal.put(card, face, partner)

    # ---- eating

    def fed(self, animal: Animal) -> bool:
        return not animal.lack() or ("hibernation" in animal.traits and self.asleep(animal))

    def asleep(self, animal: Animal) -> bool:
        return any(card.face == "hibernation" and card.slept == self.round for card in animal.cards)

    def can_gain(self, animal: Animal) -> bool:
        if not animal.room():
            return False
        traits = animal.traits
        if "hibernation" in traits and self.asleep(animal):
            return False
        if "symbiosis" in traits:
            return all(self.fed(card.partner) for card in animal.cards if card.face == "symbiosis" and card.partner)
        return True

    def take(self, actor: Player, animal: Animal) -> None:
        """One red food, and what communication brings."""
        self.open += 1
        self.base -= 1
        self.gain(actor, animal, 1, red=True)
        self.close(actor, animal, "communication")

    def gain(self, actor: Player, animal: Animal, food: int, *, red: bool = False) -> None:
        """Food for its need, then for its fat, and what cooperation brings."""
        self.open += 1
        eaten = min(food, animal.lack())
        if red:
            animal.red += eaten
        else:
            animal.blue += eaten
        food -= eaten
        if food and "fat tissue" in animal.traits:
            for card in animal.cards:
                if food and card.face == "fat tissue" and not card.fat:
                    card.fat = 1
                    food -= 1
        self.close(actor, animal, "cooperation")

    def close(self, actor: Player, animal: Animal, face: str) -> None:
        """The other animals of its pairs wait for something too. When the first meal has ended, they get it in the
        order that their owner likes, or none of them does; what follows from that waits among the others."""
        if animal.owner is actor:
            for card, other in partners(animal, face):
                if not card.used and (card, other) not in self.waiting:
                    self.waiting.append((card, other))
        self.open -= 1
        if self.open or not self.waiting:
            return
        self.open = 1
        while options := [pair for pair in self.waiting if self.shares(*pair)]:
            choice = self.pick([*options, None])
            if not choice:
                break
            self.waiting.remove(choice)
            self.use(choice[0])
            if choice[0].face == "cooperation":
                self.gain(actor, choice[1], 1)
            else:
                self.take(actor, choice[1])
        self.open = 0
        self.waiting.clear()

    def shares(self, card: Card, other: Animal) -> bool:
        return not card.used and (card.face == "cooperation" or self.base > 0) and self.can_gain(other)

    def use(self, card: Card) -> None:
        card.used = True
        self.used.append(card)

    # ---- a turn of feeding

    def feed(self, player: Player) -> bool:
        """One meal, attack or use of fat, and other traits before and after it. False if the player passed."""
        main = acted = False
        while True:
            options: list[Option] = [()]
            for animal in player.animals:
                traits = animal.traits
                hungry = self.can_gain(animal)
                if not main:
                    if hungry and self.base:
                        options.append((self.take, player, animal))
                    if "carnivore" in traits and hungry and not animal.hunted:
                        for rival in self.players:
                            for prey in rival.animals:
                                if self.can_strike(animal, prey):
                                    options.append((self.hunt, player, animal, prey))
                    if "fat tissue" in traits and not self.fed(animal):
                        stored = sum(card.fat for card in animal.cards)
                        options += [(self.burn_fat, animal, n + 1) for n in range(min(stored, animal.lack()))]
                if not traits:
                    continue
                if "grazing" in traits and self.base:
                    options += [(self.trample, c) for c in animal.cards if c.face == "grazing" and not c.used]
                if "hibernation" in traits and self.round != self.last_round and not self.fed(animal):
                    for card in animal.cards:
                        if card.face == "hibernation" and card.slept < self.round - 1:
                            options.append((self.sleep, card))
                if "piracy" in traits and hungry:
                    for card in animal.cards:
                        if card.face == "piracy" and not card.robbed:
                            for rival in self.players:
                                for victim in rival.animals:
                                    if victim is not animal and (victim.red or victim.blue) and not self.fed(victim):
                                        options.append((self.rob, player, animal, card, victim))
            choice = self.pick(options)
            if not choice:
                break
            acted = True
            act = choice[0]
            main = main or act in (self.take, self.hunt, self.burn_fat)
            act(*choice[1:])
        for card in self.used:
            card.used = False
        self.used.clear()
        return acted

    def burn_fat(self, animal: Animal, food: int) -> None:
        animal.blue += food
        for card in animal.cards:
            if food and card.fat:
                card.fat = 0
                food -= 1

    def trample(self, card: Card) -> None:
        self.use(card)
        self.base -= 1

    def sleep(self, card: Card) -> None:
        card.slept = self.round

    def rob(self, player: Player, animal: Animal, card: Card, victim: Animal) -> None:
        card.robbed = True
        if victim.red:
            victim.red -= 1
        else:
            victim.blue -= 1
        self.gain(player, animal, 1)

    # ---- hunting

    def can_strike(self, hunter: Animal, prey: Animal) -> bool:
        if hunter is prey:
            return False
        skills, defences = hunter.traits, prey.traits
        if ("swimming" in skills) != ("swimming" in defences):
            return False
        if not defences:
            return True
        return not (
            ("camouflage" in defences and "sharp vision" not in skills)
            or ("massive" in defences and "massive" not in skills)
            or "symbiosis" in defences
            or ("burrowing" in defences and self.fed(prey))
        )

    def hunt(self, player: Player, hunter: Animal, prey: Animal) -> None:
        hunter.hunted = True
        self.strike(player, hunter, prey, set())

    def strike(self, player: Player, hunter: Animal, prey: Animal, played: set[Card]) -> None:
        """The prey's defences, in the order its owner likes; then it dies. `played`: cards used against this attack."""
        while True:
            defences = [card for card in prey.cards if card.face in DEFENCES and card not in played]
            if not self.others(hunter, prey):
                defences = [card for card in defences if card.face != "mimicry"]
            if not defences:
                break
            card = self.pick(defences)
            played.add(card)
            if card.face == "running":
                if self.die() >= 4:
                    return
            elif card.face == "tail loss":
                self.shed(self.pick([*prey.cards, *prey.joined]))
                self.gain(player, hunter, 1)
                return
            else:
                self.strike(player, hunter, self.pick(self.others(hunter, prey)), played)
                return
        poison = "poisonous" in prey.traits
        self.die_out(prey)
        self.gain(player, hunter, 2)
        hunter.poisoned |= poison
        at = self.players.index(player)
        for guest in self.seats_from(at):
            eaters = [a for a in guest.animals if "scavenger" in a.traits and self.can_gain(a)]
            if eaters:
                self.gain(player, self.pick(eaters), 1)
                break

    def others(self, hunter: Animal, prey: Animal) -> list[Animal]:
        return [other for other in prey.owner.animals if other is not prey and self.can_strike(hunter, other)]

    def shed(self, card: Card) -> None:
        """A card leaves its animal for the discards of the animal's owner."""
        animal, partner = card.on, card.partner
        assert animal
        animal.cards.remove(card)
        if not any(other.face == card.face for other in animal.cards):
            animal.traits.remove(card.face)
        animal.need -= PLUS.get(card.face, 0)
        animal.trim()
        if partner:
            partner.joined.remove(card)
        card.on = card.partner = None
        card.fat = 0
        animal.owner.discards.append(card)

    def die_out(self, animal: Animal) -> None:
        for card in [*animal.cards, *animal.joined]:
            self.shed(card)
        animal.owner.discards.append(animal.body)
        animal.owner.animals.remove(animal)

    # ---- the flow

    def seats_from(self, first: int) -> list[Player]:
        return self.players[first:] + self.players[:first]

    def turns(self, seats: list[Player], turn: Callable[[Player], bool]) -> None:
        """Whoever passes is out."""
        while seats:
            seats = [player for player in seats if turn(player)]

    def play(self) -> Outcome:
        first = int(self.random() * PLAYERS)
        for player in self.players:
            for _ in range(FULL_HAND):
                self.draw(player)
        while not self.round or self.round != self.last_round:
            self.round += 1
            seats = self.seats_from(first)
            self.turns(seats, self.play_card)
            self.base = DICE_PLUS + sum(self.die() for _ in range(DICE))
            self.turns(seats, self.feed)
            self.base = 0
            self.settle(seats)
            if self.round != self.last_round:
                self.deal(seats)
            first = (first + 1) % PLAYERS
        return Outcome([player.score() for player in self.players], self.round, self.decisions, self.forced)

    def settle(self, seats: list[Player]) -> None:
        """The unfed and the poisoned die."""
        for animal in [a for player in seats for a in player.animals if a.poisoned or not self.fed(a)]:
            self.die_out(animal)
        for player in seats:
            for animal in player.animals:
                animal.red = animal.blue = 0
                animal.hunted = False
                for card in animal.cards:
                    card.robbed = False

    def deal(self, seats: list[Player]) -> None:
        """Card by card, round and round."""
        due = [1 + len(p.animals) if p.animals or p.hand else FULL_HAND for p in seats]
        while self.deck and any(due):
            for at, player in enumerate(seats):
                if due[at] and self.deck:
                    self.draw(player)
                    due[at] -= 1
        if not self.deck:
            self.last_round = self.round + 1


def partners(animal: Animal, face: str) -> list[tuple[Card, Animal]]:
    """The cards of a pair trait on an animal, with the other animal of each."""
    here = [(c, c.partner) for c in animal.cards if c.face == face and c.partner] if face in animal.traits else []
    return here + [(c, c.on) for c in animal.joined if c.face == face and c.on]


def play_one(random: Callable[[], float]) -> Outcome:
    """One game; `random` gives floats in [0, 1)."""
    return Table(random).play()


def simulate(games: int, seed: int) -> tuple[int, int]:
    """Play that many games. Returns the decisions and the forced choices of all of them."""
    return simulated(play_one, games, seed)
