"""Evolution for four random players, written by hand in plain Python: the yardstick for the compiled rules.

It is what a careful programmer writes without a rules language: a class for each thing on the table, lists, options
built as lists of calls. It is meant to be quick, yet not flattened by hand; the generated code has to be faster.

Readings where the rulebook leaves room, the same as in `rulesets/evolution` with its default options:
a deck that runs out is refilled at once from the discards, and the round (while cards are dealt) or the next one (later
than that) is the last; one helping brings a cooperating neighbour one food, whatever its size; feeding ends when every
player in a row has passed; a player whose hungry species can feed may not pass, though he may store fat with another in
its place; intelligence is used beside the turn's one feeding, a plant-eater's for two plants, a carnivore's for a trait
that its attacks ignore in this turn; traits may be given up with an empty hand, too.

Cards of a hand that are alike are one to choose from. `tests/engine/test_lockstep.py` plays this game and the compiled
one side by side: they ask the same at every decision.

A decision is a choice between two or more options. A choice of one is made, and counted as forced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.plain import Chooser, Outcome, simulated

PLAYERS = 4
BOARDS = 24  # species boards in the box, for all players together
LARGEST = 6  # of a species' population, and of its body size
TRAIT_LIMIT = 3

FOOD_ON_CARDS: dict[str, tuple[int, ...]] = {
    "ambush": (-3, -2, -1, 0, 1, 2, 3),
    "burrowing": (1, 2, 3, 3, 4, 4, 5),
    "carnivore": (0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6),
    "climbing": (1, 2, 3, 3, 4, 4, 5),
    "cooperation": (0, 3, 3, 4, 4, 5, 5),
    "defensive herding": (2, 3, 4, 5, 6, 7, 8),
    "fat tissue": (-1, 0, 3, 4, 4, 5, 5),
    "fertile": (2, 3, 4, 5, 6, 6, 7),
    "foraging": (2, 3, 4, 5, 6, 6, 7),
    "hard shell": (1, 2, 3, 3, 4, 4, 5),
    "horns": (1, 2, 3, 3, 4, 4, 5),
    "intelligence": (-2, -1, 0, 4, 5, 6, 7),
    "long neck": (3, 4, 5, 6, 7, 8, 9),
    "pack hunting": (-3, -2, -1, 0, 1, 2, 3),
    "scavenger": (2, 3, 4, 5, 6, 6, 7),
    "symbiosis": (1, 2, 3, 3, 4, 4, 5),
    "warning call": (1, 2, 3, 3, 4, 4, 5),
}

Option = tuple[Any, ...]  # a method of the table, then its arguments


@dataclass(slots=True, eq=False)
class Card:
    """One trait card and the food printed on it."""

    trait: str
    food: int


@dataclass(slots=True, eq=False)
class Species:
    """A species board. `traits` holds the names on its `cards`; `done` the traits used before this round's reveal."""

    population: int = 1
    body: int = 1
    food: int = 0
    fat: int = 0
    cards: list[Card] = field(default_factory=list)
    traits: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    outwitted: set[str] = field(default_factory=set)  # what its attacks ignore in this turn

    def room(self) -> int:
        """How much food it can still take, storage included."""
        hunger = self.population - self.food
        return hunger + self.body - self.fat if "fat tissue" in self.traits else hunger


@dataclass(slots=True, eq=False)
class Player:
    """What lies before one player. `bag` is the food eaten in earlier rounds and by species now gone."""

    hand: list[Card] = field(default_factory=list)
    line: list[Species] = field(default_factory=list)
    bag: int = 0

    def score(self) -> int:
        return self.bag + sum(s.population + len(s.cards) + s.fat for s in self.line)


class Table(Chooser):
    """One game, from the first deal to the scores."""

    __slots__ = ("deck", "discards", "hole", "players", "ran_out")

    def __init__(self, random: Callable[[], float]) -> None:
        super().__init__(random)
        self.players = [Player() for _ in range(PLAYERS)]
        self.deck = [Card(trait, food) for trait, foods in FOOD_ON_CARDS.items() for food in foods]
        self.discards: list[Card] = []
        self.hole = 0  # food on the watering hole
        self.ran_out = False  # the deck, since this was last looked at

    # ---- chance and cards

    def draw(self, player: Player, cards: int) -> None:
        """Cards from the deck, which lies in no order: each draw takes any of them."""
        for _ in range(cards):
            deck = self.deck
            if not deck:
                if not self.discards:
                    self.ran_out = True  # a shuffle of nothing counts as one
                    return
                self.deck, self.discards = self.discards, deck
                deck = self.deck
                self.ran_out = True
            player.hand.append(take_out(deck, int(self.random() * len(deck))))

    def give_up_card(self, player: Player) -> Card:
        """A card of the player's choice leaves the hand."""
        return take_out(player.hand, self.pick(distinct(player.hand)))

    # ---- eating and dying

    def eat(self, player: Player, species: Species, helping: int, *, meat: bool = False, hole: bool = False) -> None:
        """One helping; every cooperating species passes one food on to its right neighbour, and so along the line."""
        line = player.line
        at = line.index(species)
        while True:
            traits = species.traits
            if not meat:
                if "carnivore" in traits:
                    return
                if "foraging" in traits:
                    helping += 1
            got = min(helping, species.room())
            if hole:
                got = min(got, self.hole)
            if got <= 0:
                return
            if hole:
                self.hole -= got
            eaten = min(got, species.population - species.food)
            species.food += eaten
            species.fat += got - eaten
            at += 1
            if not eaten or "cooperation" not in traits or at == len(line):
                return
            species = line[at]
            helping = 1

    def shrink(self, player: Player, species: Species) -> None:
        """It loses a population; food for which it has no mouth any more is the player's."""
        species.population -= 1
        if species.food > species.population:
            player.bag += 1
            species.food -= 1

    def die_out(self, player: Player, species: Species) -> None:
        """Its food is saved, its cards are discarded and replaced."""
        player.bag += species.food + species.fat
        player.line.remove(species)
        self.discards += species.cards
        self.draw(player, len(species.cards))

    # ---- playing cards

    def play_cards(self, player: Player) -> None:
        """Any number of cards, one after the other, until the player has had enough."""
        hand, line = player.hand, player.line
        drop, found, add_body = self.drop_trait, self.found_species, self.add_body
        add_population, add_trait = self.add_population, self.add_trait
        while True:
            places = distinct(hand)
            options: list[Option] = [()]
            if sum(len(p.line) for p in self.players) < BOARDS:
                options += [(found, player, place, 0) for place in places]
                options += [(found, player, place, 1) for place in places]
            for species in line:
                traits = species.traits
                for card in species.cards:
                    options.append((drop, player, species, card))
                if species.population < LARGEST:
                    options += [(add_population, player, place, species) for place in places]
                if species.body < LARGEST:
                    options += [(add_body, player, place, species) for place in places]
                if len(traits) < TRAIT_LIMIT:
                    options += [(add_trait, player, p, species) for p in places if hand[p].trait not in traits]
            choice = self.pick(options)
            if not choice:
                return
            choice[0](*choice[1:])

    def drop_trait(self, player: Player, species: Species, card: Card) -> None:
        species.cards.remove(card)
        species.traits.remove(card.trait)
        self.discards.append(card)
        if card.trait == "fat tissue":
            player.bag += species.fat
            species.fat = 0

    def found_species(self, player: Player, place: int, right: int) -> None:
        self.discards.append(take_out(player.hand, place))
        player.line.insert(len(player.line) if right else 0, Species())

    def add_body(self, player: Player, place: int, species: Species) -> None:
        self.discards.append(take_out(player.hand, place))
        species.body += 1

    def add_population(self, player: Player, place: int, species: Species) -> None:
        self.discards.append(take_out(player.hand, place))
        species.population += 1

    def add_trait(self, player: Player, place: int, species: Species) -> None:
        card = take_out(player.hand, place)
        species.cards.append(card)
        species.traits.add(card.trait)

    # ---- before food is revealed

    def prepare(self, player: Player) -> None:
        """What traits do before the food cards are turned over: each once, in the order the player likes."""
        while True:
            options: list[Option] = []
            for species in player.line:
                traits, done = species.traits, species.done
                if not traits:
                    continue
                if "fertile" in traits and "fertile" not in done and self.hole and species.population < LARGEST:
                    options.append((self.multiply, species))
                if "long neck" in traits and "long neck" not in done and "carnivore" not in traits and species.room():
                    options.append((self.reach_up, player, species))
                if species.fat and "fat tissue" not in done and species.food < species.population:
                    options.append((self.burn_fat, species))
            if not options:
                return
            choice = self.pick(options)
            choice[0](*choice[1:])

    def multiply(self, species: Species) -> None:
        species.done.add("fertile")
        species.population += 1

    def reach_up(self, player: Player, species: Species) -> None:
        species.done.add("long neck")
        self.eat(player, species, 1)

    def burn_fat(self, species: Species) -> None:
        species.done.add("fat tissue")
        burnt = min(species.fat, species.population - species.food)
        species.fat -= burnt
        species.food += burnt

    # ---- feeding

    def feed(self, player: Player) -> bool:
        """A player's turn: one feeding, and intelligence before and after it. False if the player passed."""
        fed = moved = False
        while True:
            needed: list[Option] = []  # feedings of hungry species
            spare: list[Option] = []  # feedings that only fill a store
            thoughts: list[Option] = []
            compelled = False
            for species in player.line:
                traits = species.traits
                if not species.room():
                    continue
                hungry = species.food < species.population
                if "carnivore" in traits:
                    if "intelligence" in traits and player.hand:
                        thoughts += [(self.outwit, player, species, name) for name in self.in_the_way(species)]
                    if not fed:
                        prey = self.prey_of(player, species)
                        if hungry:
                            needed += prey
                            compelled |= bool(prey)
                        else:
                            spare += prey
                    continue
                if self.hole and not fed:
                    if hungry:
                        needed.append((self.graze, player, species))
                        compelled = True
                    else:
                        spare.append((self.graze, player, species))
                if "intelligence" in traits and player.hand:
                    thoughts.append((self.think, player, species))
            options = needed + thoughts + spare
            if fed or not compelled:
                options.append(())
            choice = self.pick(options)
            if not choice:
                for species in player.line:
                    species.outwitted.clear()
                return moved
            moved = True
            act = choice[0]
            if act != self.think and act != self.outwit:
                fed = True
            act(*choice[1:])

    def graze(self, player: Player, species: Species) -> None:
        self.eat(player, species, 1, hole=True)

    def think(self, player: Player, species: Species) -> None:
        self.discards.append(self.give_up_card(player))
        self.eat(player, species, 2)

    def outwit(self, player: Player, hunter: Species, trait: str) -> None:
        self.discards.append(self.give_up_card(player))
        hunter.outwitted.add(trait)

    def in_the_way(self, hunter: Species) -> list[str]:
        """Traits that hinder an attack on another species, however large it is."""
        found: set[str] = set()
        for owner in self.players:
            line = owner.line
            for at, prey in enumerate(line):
                if prey is not hunter:
                    found |= forbidding(hunter, line, at)
                    found |= prey.traits & {"horns", "hard shell"}
        everybody = [s for p in self.players for s in p.line]
        if len(everybody) > 1 and any("scavenger" in s.traits for s in everybody):
            found.add("scavenger")
        return sorted(found - hunter.outwitted)

    def prey_of(self, player: Player, hunter: Species) -> list[Option]:
        """The attacks open to a carnivore as things stand."""
        options: list[Option] = []
        ignored = hunter.outwitted
        strength = hunter.body + hunter.population if "pack hunting" in hunter.traits else hunter.body
        for owner in self.players:
            line = owner.line
            for at, prey in enumerate(line):
                if strength <= prey.body or prey is hunter:
                    continue
                if "hard shell" in prey.traits and strength <= prey.body + 4 and "hard shell" not in ignored:
                    continue
                if forbidding(hunter, line, at) <= ignored:
                    options.append((self.attack, player, hunter, owner, prey))
        return options

    def attack(self, player: Player, hunter: Species, owner: Player, prey: Species) -> None:
        ignored = hunter.outwitted
        flesh = prey.body
        self.shrink(owner, prey)
        if "horns" in prey.traits and "horns" not in ignored:
            self.shrink(player, hunter)
        if not prey.population:
            self.die_out(owner, prey)
        if hunter.population:
            self.eat(player, hunter, flesh, meat=True)
        else:
            self.die_out(player, hunter)
        if "scavenger" not in ignored:
            for guest in self.seats_from(self.players.index(player)):
                for species in guest.line:
                    if "scavenger" in species.traits:
                        self.eat(guest, species, 1, meat=True)

    # ---- the flow

    def seats_from(self, first: int) -> list[Player]:
        return self.players[first:] + self.players[:first]

    def play(self) -> Outcome:
        first = int(self.random() * PLAYERS)
        rounds = 0
        last = False
        while not last:
            rounds += 1
            seats = self.seats_from(first)
            self.ran_out, ends_next = False, self.ran_out
            for player in seats:
                if not player.line:
                    player.line.append(Species())
                self.draw(player, 3 + len(player.line))
            last = ends_next or self.ran_out
            self.ran_out = False
            chosen = [self.give_up_card(player) for player in seats if player.hand]
            for player in seats:
                self.play_cards(player)
            for player in seats:
                self.prepare(player)
            self.hole = max(0, self.hole + sum(card.food for card in chosen))
            self.discards += chosen
            self.feeding(seats)
            for player in seats:
                self.settle(player)
            first = (first + 1) % PLAYERS
        return Outcome([player.score() for player in self.players], rounds, self.decisions, self.forced)

    def feeding(self, seats: list[Player]) -> None:
        passes = 0
        while True:
            for player in seats:
                passes = 0 if self.feed(player) else passes + 1
                if passes == PLAYERS:
                    return

    def settle(self, player: Player) -> None:
        """The unfed starve; what was eaten goes into the bag."""
        for species in list(player.line):
            species.population = min(species.population, species.food)
            if not species.population:
                self.die_out(player, species)
                continue
            player.bag += species.food
            species.food = 0
            species.done.clear()


def take_out(cards: list[Card], place: int) -> Card:
    """Remove and return one card of a pile whose order means nothing."""
    card = cards[place]
    cards[place] = cards[-1]
    cards.pop()
    return card


def forbidding(hunter: Species, line: list[Species], at: int) -> set[str]:
    """The traits that forbid an attack on the species at a place of a line, whatever its size."""
    prey = line[at]
    skills, defences = hunter.traits, prey.traits
    found: set[str] = set()
    if "climbing" in defences and "climbing" not in skills:
        found.add("climbing")
    if "defensive herding" in defences and hunter.population <= prey.population:
        found.add("defensive herding")
    if "burrowing" in defences and prey.food >= prey.population:
        found.add("burrowing")
    if "symbiosis" in defences and at + 1 < len(line) and line[at + 1].body > prey.body:
        found.add("symbiosis")
    if "ambush" not in skills:
        before = at and "warning call" in line[at - 1].traits
        if before or (at + 1 < len(line) and "warning call" in line[at + 1].traits):
            found.add("warning call")
    return found


def distinct(hand: list[Card]) -> list[int]:
    """Places in a hand, one for cards that are alike."""
    return list({(card.trait, card.food): place for place, card in enumerate(hand)}.values())


def play_one(random: Callable[[], float]) -> Outcome:
    """One game; `random` gives floats in [0, 1)."""
    return Table(random).play()


def simulate(games: int, seed: int) -> tuple[int, int]:
    """Play that many games. Returns the decisions and the forced choices of all of them."""
    return simulated(play_one, games, seed)
