"""The hand-written Origins of Species, in plain Python and in C, led by the compiled one."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CDLL
from functools import partial
from typing import Any, ClassVar

from benchmarks import plain_origin_of_species as by_hand
from tests.yardsticks.compiled import PLAYERS, Act, Asking, Compiled, spoken
from tests.yardsticks.led import Led


class Origin(Compiled):
    """Acts: pass; hatch LOOK; lay LOOK FACE ANIMAL PARTNER; take, trample, sleep ANIMAL; hunt ANIMAL PREY; burn ANIMAL
    N; rob ANIMAL VICTIM; share FACE ANIMAL PARTNER; defend FACE; drop FACE ANIMAL PARTNER KEPT; choose ANIMAL. An
    animal is its seat and its place in the line."""

    game, kind = "origin_of_species", "animal"
    weights: ClassVar[dict[str, int]] = {"pass": 1, "hatch": 3, "lay": 9, "hunt": 6, "burn": 6, "share": 6}

    def look(self, card: int) -> tuple[str, ...]:
        return tuple(sorted(spoken(self.layout.lists["trait"][face]) for face in self.layout.cards[card].faces))

    def borne(self, card: int) -> tuple[Any, ...]:
        """A card on an animal: its face, and the animals that it joins."""
        layout, words = self.layout, self.state.words
        zone, on = self.zones[words[layout.where + card]]
        assert zone == "traits"
        face = spoken(layout.lists["trait"][words[layout.card_face + card]])
        return face, self.places[on], self.places.get(words[layout.card_partner + card])

    def kept(self, card: int) -> tuple[Any, ...]:
        """What is kept of a card on an animal."""
        face, _, partner = self.borne(card)
        if face == "fat tissue":
            return face, partner, self.word("fat", card, "card", "fat_tissue")
        if face == "hibernation":
            return face, partner, self.word("slept", card, "card", "hibernation")
        return face, partner, int(face == "piracy" and self.feeding and self.word("robbed", card, "card", "piracy"))

    @property
    def feeding(self) -> bool:
        """Whether it still matters what was done in this phase."""
        return self.state.phase == "feeding"

    @property
    def asked_of(self) -> tuple[int, int]:
        """The animal that the question names."""
        asked = f"{self.state.decision.prompt} ".replace("?", " ")
        named = {self.state.names.text("animal", one): at for one, at in self.places.items()}
        return named[max((name for name in named if f" {name} " in asked), key=len)]

    def position(self) -> Any:
        players = []
        for seat, line in enumerate(self.lines):
            animals = []
            for one in line:
                red, blue, attacks, poisoned = (
                    self.word(name, one, "animal") for name in ("red", "blue", "attacks", "poisoned")
                )
                cards = [self.kept(card) for card in self.pile("traits", one)]
                animals.append(
                    (red, blue, attacks * self.feeding, poisoned, *self.looks("body", one), sorted(cards, key=repr))
                )
            players.append((self.looks("hand", seat + 1), len(self.pile("discards", seat + 1)), animals))
        return self.word("base"), self.word("last_round"), players, self.looks("deck")

    def act(self, option: Any) -> Act:
        if option.is_pass:
            return ("pass",)
        site, key = self.state.table.site(self.state.words), option.key
        if site.kind == "order":
            face, on, partner = self.borne(key[2])
            here = self.places[key[1]]
            return ("share", face, here, partner if here == on else on)
        if site.kind == "react":
            return ("defend", spoken(option.source))
        arguments = list(zip(site.actions[key[0]].types, key[1:], strict=True))
        animals = [self.places[value] for type_, value in arguments if type_ == self.kind]
        if site.kind == "choose":
            return ("choose", *animals) if animals else ("drop", *self.borne(key[1]), self.kept(key[1])[2])
        name = option.action.rpartition(".")[2]
        if name == "new_animal":
            return ("hatch", self.look(key[1]))
        if name in ("evolve", "afflict", "link"):
            face = spoken(self.layout.lists["trait"][key[2]])
            return ("lay", self.look(key[1]), face, animals[0], animals[1] if name == "link" else None)
        if name == "burn_fat":
            return ("burn", *animals, key[2])
        return ({"take_food": "take", "hibernate": "sleep"}.get(name, name), *animals)


# ---- in plain Python


def look(card: by_hand.Card) -> tuple[str, ...]:
    return tuple(sorted(card.faces))


class Table(Asking, by_hand.Table):
    """Chooses, draws and rolls as the game does that leads it."""

    def __init__(self, leader: Origin) -> None:
        super().__init__(partial(float, 0))
        self.leader = leader

    def draw(self, player: by_hand.Player) -> None:
        """As it is, but for which card it is."""
        looks = list(map(look, self.deck))
        place = looks.index(self.leader.draw(self.players.index(player)))
        self.random = partial(float, (place + 0.5) / len(looks))
        super().draw(player)

    def die(self) -> int:
        return self.leader.roll()

    def position(self) -> Any:
        players = []
        for player in self.players:
            animals = []
            for one in player.animals:
                numbers = (one.red, one.blue, int(one.hunted), int(one.poisoned))
                animals.append((*numbers, look(one.body), sorted(map(self.kept, one.cards), key=repr)))
            players.append((sorted(map(look, player.hand)), len(player.discards), animals))
        return self.base, self.last_round, players, sorted(map(look, self.deck))

    def place(self, animal: by_hand.Animal | None) -> tuple[int, int] | None:
        return animal and (self.players.index(animal.owner), animal.owner.animals.index(animal))

    def kept(self, card: by_hand.Card) -> tuple[Any, ...]:
        number = {"fat tissue": card.fat, "hibernation": card.slept, "piracy": int(card.robbed)}.get(card.face, 0)
        return card.face, self.place(card.partner), number

    def act(self, option: Any) -> Act:
        if option in ((), None):
            return ("pass",)
        if isinstance(option, by_hand.Animal):
            return ("choose", self.place(option))
        if isinstance(option, by_hand.Card):
            if self.leader.state.decision.kind == "react":
                return ("defend", option.face)
            return ("drop", option.face, self.place(option.on), self.place(option.partner), self.kept(option)[2])
        if isinstance(option[0], by_hand.Card):
            card, other = option
            return (
                "share",
                card.face,
                self.place(card.on if other is card.partner else card.partner),
                self.place(other),
            )
        name, rest = option[0].__name__, option[1:]
        if name == "hatch":
            return (name, look(rest[1]))
        if name == "lay":
            return (name, look(rest[1]), rest[2], self.place(rest[3]), self.place(rest[4]))
        if name in ("trample", "sleep"):
            return (name, self.place(rest[0].on))
        if name == "burn_fat":
            return ("burn", self.place(rest[0]), rest[1])
        if name == "rob":
            return (name, self.place(rest[1]), self.place(rest[3]))
        return (name, *map(self.place, rest[1:]))


def in_python(seed: int) -> Origin:
    """A game of plain_origin_of_species.py beside the compiled one."""
    leader = Origin(seed)
    table = Table(leader)
    table.random = partial(float, (leader.word("start") - 1 + 0.5) / PLAYERS)
    played = table.play()
    leader.ends(played.scores, played.rounds, played.decisions)
    return leader


# ---- in C

#: The faces, by their numbers, and the looks of cards.
FACES = [
    *(
        "communication",
        "cooperation",
        "symbiosis",
        "mimicry",
        "running",
        "tail loss",
        "piracy",
        "scavenger",
        "swimming",
    ),
    *("carnivore", "poisonous", "hibernation", "massive", "parasite", "fat tissue", "grazing", "camouflage"),
    *("burrowing", "sharp vision"),
]
ON_CARDS: list[tuple[str, ...]] = [
    *(("piracy",), ("mimicry",), ("scavenger",), ("running",), ("tail loss",), ("symbiosis",)),
    *(("carnivore", face) for face in FACES[10:14] + FACES[:2]),
    *(("fat tissue", face) for face in ["grazing", "camouflage", "massive", "parasite", "burrowing", "sharp vision"]),
    *(("fat tissue", "cooperation"), ("swimming",)),
]
LOOKS = [tuple(sorted(faces)) for faces in ON_CARDS]
CARDS = 84
NO_PARTNER = -1


class Following(Led):
    """What plain_origin_of_species.c tells of its table, and in which order its options stand."""

    leader: Origin

    def drawn(self, seat: int) -> int:
        if seat < 0:
            return self.leader.roll()
        return LOOKS.index(self.leader.draw(seat))

    def position(self) -> Any:
        """Of hands and of the cards on animals the order is kept, too: options stand in it."""
        told = iter(self.told())
        base, last_round, players = next(told), next(told), []
        self.hands: list[list[Any]] = []
        self.borne: dict[Any, list[Any]] = {}
        for seat in range(PLAYERS):
            pairs = [(LOOKS[next(told)], next(told)) for _ in range(next(told))]
            self.hands.append([look for look, _ in pairs])
            discards, animals = next(told), []
            for at in range(next(told)):
                numbers = [next(told) for _ in range(4)]
                body = LOOKS[next(told)]
                cards = [(FACES[next(told)], place(next(told)), next(told)) for _ in range(next(told))]
                joined = [(FACES[next(told)], place(next(told))) for _ in range(next(told))]
                here = (seat, at)
                self.borne[here] = [(face, here, partner, kept) for face, partner, kept in cards]
                self.borne[here] += [(face, on, here, 0) for face, on in joined]
                animals.append((*numbers, body, sorted(cards, key=repr)))
            hand = sorted(look for look, copies in pairs for _ in range(copies))
            players.append((hand, discards, animals))
        waits = [(FACES[next(told)], *(place(next(told)) for _ in range(3))) for _ in range(next(told))]
        self.waiting = [(face, on if other == partner else partner, other) for face, on, partner, other in waits]
        return base, last_round, players, sorted(LOOKS[look] for look in told)

    def order(self, act: Act) -> Any:
        seat = self.leader.state.decider - 1
        name = act[0]
        if name == "pass":  # comes last where the animals of pairs get something
            return (9,) if self.leader.state.decision.kind == "order" else (0,)
        if name in ("hatch", "lay"):
            return (1, self.hands[seat].index(act[1]), *self.way(act))
        if name == "share":
            return (1, self.waiting.index(act[1:]))
        if name == "defend":
            return (1, FACES.index(act[1]))
        if name == "choose":
            return (1, act[1])
        rank = ["take", "hunt", "burn", "trample", "sleep", "rob"].index(name)
        return (1, act[1], rank, act[2:])

    def ordered(self, acts: Sequence[Act]) -> list[Act]:
        """Cards to be given up stand as they lie: two that are alike need not lie side by side."""
        if acts[0][0] == "drop":
            return [("drop", *card) for card in self.borne[self.leader.asked_of]]
        return super().ordered(acts)

    def way(self, act: Act) -> tuple[Any, ...]:
        if act[0] == "hatch":
            return (0,)
        _, look, face, animal, partner = act
        return (1, ON_CARDS[LOOKS.index(look)].index(face), animal, partner)


def place(told: int) -> tuple[int, int] | None:
    return None if told == NO_PARTNER else divmod(told, CARDS)


def in_c(library: CDLL, seed: int) -> Origin:
    """A game of plain_origin_of_species.c beside the compiled one."""
    leader = Origin(seed)
    Following(library, leader).play(leader.word("start") - 1)
    return leader
