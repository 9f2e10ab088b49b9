"""The hand-written Evolutions, in plain Python and in C, led by the compiled one."""

from __future__ import annotations

from ctypes import CDLL
from functools import partial
from typing import Any, ClassVar

from benchmarks import plain_evolution as by_hand
from tests.yardsticks.compiled import PLAYERS, Act, Asking, Compiled, spoken
from tests.yardsticks.led import Led

NAMED = {"add_body": "grow_body", "add_population": "grow_population", "add_trait": "play_trait"}


class Evolution(Compiled):
    """Acts: pass; choose LOOK; found EDGE LOOK; drop SPECIES TRAIT; grow_body, grow_population, play_trait SPECIES
    LOOK; graze, think SPECIES; outwit SPECIES TRAIT; attack SPECIES PREY; once SPECIES TRAIT (before food is revealed).
    A species is its seat and its place in the line."""

    game, kind = "evolution", "species"
    weights: ClassVar[dict[str, int]] = {
        "drop": 1,
        "pass": 2,
        "grow_body": 6,
        "grow_population": 4,
        "play_trait": 12,
        "attack": 6,
        "outwit": 6,
        "think": 6,
    }

    def look(self, card: int) -> tuple[str, int]:
        info = self.layout.cards[card]
        return spoken(self.layout.lists["trait"][info.faces[0]]), int(str(info.columns["food"]))

    def position(self) -> Any:
        players = []
        for seat, line in enumerate(self.lines):
            species = []
            for one in line:
                cards = self.pile("traits", one) + self.pile("new_traits", one)
                fat = sum(self.word("fat", card, "card", "fat_tissue") for card in cards)
                numbers = (self.word(name, one, "species") for name in ("population", "body_size", "food"))
                species.append((*numbers, fat, sorted(map(self.look, cards))))
            players.append((self.word("bag", seat + 1, "player"), self.looks("hand", seat + 1), species))
        return self.word("watering_hole"), players, self.looks("deck")

    def act(self, option: Any) -> Act:
        if option.is_pass:
            return ("pass",)
        site = self.state.table.site(self.state.words)
        arguments = list(zip(site.actions[option.key[0]].types, option.key[1:], strict=True))
        cards = [self.look(value) for type_, value in arguments if type_ in self.layout.sorts]
        species = [self.places[value] for type_, value in arguments if type_ == self.kind]
        traits = [spoken(self.layout.lists["trait"][value]) for type_, value in arguments if type_ == "trait"]
        edges = [self.layout.lists["side"][value] for type_, value in arguments if type_ == "side"]
        if site.kind == "choose":
            return ("choose", *cards)
        if site.kind == "order":
            return ("once", species[0], spoken(option.source))
        name = option.action.rpartition(".")[2].removesuffix("_trait" if option.action == "drop_trait" else "_species")
        return (
            "found" if name == "new" else name,
            *edges,
            *species,
            *(cards if name != "drop" else [cards[0][0]]),
            *traits,
        )


# ---- in plain Python


class Table(Asking, by_hand.Table):
    """Chooses and draws as the game does that leads it."""

    def __init__(self, leader: Evolution) -> None:
        super().__init__(lambda: 0.0)
        self.leader = leader

    def draw(self, player: by_hand.Player, cards: int) -> None:
        """As it is, but for which card it is."""
        for _ in range(cards):
            pile = [(card.trait, card.food) for card in self.deck or self.discards]
            if pile:
                place = pile.index(self.leader.draw(self.players.index(player)))
                self.random = partial(float, (place + 0.5) / len(pile))
            super().draw(player, 1)

    def play_cards(self, player: by_hand.Player) -> None:
        self.asked = player
        super().play_cards(player)

    def give_up_card(self, player: by_hand.Player) -> by_hand.Card:
        self.asked = player
        return super().give_up_card(player)

    def position(self) -> Any:
        def looks(cards: list[by_hand.Card]) -> list[tuple[str, int]]:
            return sorted((card.trait, card.food) for card in cards)

        players = [
            (p.bag, looks(p.hand), [(s.population, s.body, s.food, s.fat, looks(s.cards)) for s in p.line])
            for p in self.players
        ]
        return self.hole, players, looks(self.deck)

    def place(self, species: by_hand.Species) -> tuple[int, int]:
        return next((seat, p.line.index(species)) for seat, p in enumerate(self.players) if species in p.line)

    def act(self, option: Any) -> Act:
        def held(place: int) -> tuple[str, int]:
            return self.asked.hand[place].trait, self.asked.hand[place].food

        if option == ():
            return ("pass",)
        if isinstance(option, int):
            return ("choose", held(option))
        name, rest = option[0].__name__, option[1:]
        if name == "found_species":
            return ("found", "right" if rest[2] else "left", held(rest[1]))
        if name == "drop_trait":
            return ("drop", self.place(rest[1]), rest[2].trait)
        if name in NAMED:
            return (NAMED[name], self.place(rest[2]), held(rest[1]))
        if name in ("graze", "think"):
            return (name, self.place(rest[1]))
        if name == "outwit":
            return (name, self.place(rest[1]), rest[2])
        if name == "attack":
            return (name, self.place(rest[1]), self.place(rest[3]))
        trait = {"multiply": "fertile", "reach_up": "long neck", "burn_fat": "fat tissue"}[name]
        return ("once", self.place(rest[-1]), trait)


def in_python(seed: int) -> Evolution:
    """A game of plain_evolution.py beside the compiled one."""
    leader = Evolution(seed)
    table = Table(leader)
    table.random = lambda: (leader.word("start") - 1 + 0.5) / PLAYERS
    played = table.play()
    leader.ends(played.scores, played.rounds, played.decisions)
    return leader


# ---- in C

#: The kinds of cards, in the order of their bits.
KINDS = [
    *("fat tissue", "fertile", "long neck", "ambush", "burrowing", "carnivore", "climbing", "cooperation"),
    *("defensive herding", "foraging", "hard shell", "horns", "intelligence", "pack hunting", "scavenger"),
    *("symbiosis", "warning call"),
]
ONCE = {kind: at for at, kind in enumerate(KINDS[:3])}


class Following(Led):
    """What plain_evolution.c tells of its table, and in which order its options stand."""

    leader: Evolution

    def drawn(self, seat: int) -> int:
        kind, food = self.leader.draw(seat)
        return KINDS.index(kind) << 4 | food + 3

    def look(self, told: int) -> tuple[str, int]:
        return KINDS[told >> 4], (told & 15) - 3

    def position(self) -> Any:
        """Of the hands and of the cards on species the order is kept, too: options stand in it."""
        told = iter(self.told())
        hole, players = next(told), []
        self.hands: list[list[tuple[str, int]]] = []
        self.borne: dict[tuple[int, int], list[str]] = {}
        for seat in range(PLAYERS):
            bag, looks = next(told), next(told)
            pairs = [(self.look(next(told)), next(told)) for _ in range(looks)]
            self.hands.append([look for look, _ in pairs])
            species = []
            for at in range(next(told)):
                numbers = [next(told) for _ in range(4)]
                cards = [self.look(next(told)) for _ in range(next(told))]
                self.borne[seat, at] = [trait for trait, _ in cards]
                species.append((*numbers, sorted(cards)))
            players.append((bag, sorted(look for look, copies in pairs for _ in range(copies)), species))
        return hole, players, sorted(map(self.look, told))

    def order(self, act: Act) -> Any:
        hand = {look: at for at, look in enumerate(self.hands[self.leader.state.decider - 1])}
        if act[0] in ("choose", "found"):
            return (0, act[0] == "found" and act[1] == "right", hand[act[-1]])
        if act[0] == "pass":  # before all others where cards are played, behind them where animals are fed
            return (0, -1) if self.leader.state.phase == "play_cards" else (9,)
        rank = [
            "drop",
            "grow_population",
            "grow_body",
            "play_trait",
            "once",
            "outwit",
            "graze",
            "think",
            "attack",
        ].index(act[0])
        if act[0] == "drop":
            last: Any = self.borne[act[1]].index(act[2])
        elif act[0] == "once":
            last = ONCE[act[2]]
        elif act[0] == "outwit":
            last = KINDS.index(act[2])
        else:
            last = hand[act[2]] if rank < 4 else act[2:]
        return (1, act[1][1], rank, last)


def in_c(library: CDLL, seed: int) -> Evolution:
    """A game of plain_evolution.c beside the compiled one."""
    leader = Evolution(seed)
    Following(library, leader).play(leader.word("start") - 1)
    return leader
