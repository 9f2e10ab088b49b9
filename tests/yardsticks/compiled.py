"""A compiled game as a game that was written by hand sees it: a position of plain values, and options by what they do.

The hand-written game is led: wherever it asks, its position is compared with the compiled one, and so are its options;
then one is chosen at random and done in both. Cards are known by how they look (what is printed on them), since those
that are alike have no names of their own in a game by hand.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar

import rulelang

#: How a card looks, and what an option does, in the words of a yardstick.
Look = Hashable
Act = tuple[Any, ...]
PLAYERS = 4
#: More than fall between two decisions.
DICE = 40


loaded = cache(rulelang.load)


class Compiled:
    """One compiled game, and how much was compared. Subclasses say what its position is and what its options do."""

    game: str
    kind: str  # whose lines lie before the players
    #: What is chosen oftener than by chance alone, so that rare things happen: weights by the first word of an act.
    weights: ClassVar[Mapping[str, int]] = {}

    def __init__(self, seed: int) -> None:
        self.state = loaded(self.game).new(players=PLAYERS, seed=seed, log=True, backend="python")
        self.layout = self.state.table.program.layout
        self.attributes = {(a.kind, a.trait, a.name): a for a in self.layout.attributes}
        self.zones = {
            zone.first_id + owner: (zone.name, owner)
            for zone in self.layout.zones.values()
            for owner in ([0] if not zone.of else range(1, zone.owners + 1))
        }
        self.cards = [card for card, info in enumerate(self.layout.cards) if card and info.sort]
        self.chance = Random(seed)
        self.by_kind = seed % 3 != 0
        self.compared = 0
        self.offered: Counter[str] = Counter()
        self.drawn: list[deque[Look]] = [deque() for _ in range(PLAYERS)]
        self.read = 0  # of the changes that the log tells
        self.rolled: deque[int] = deque()
        self.dice: list[int] = []
        self.fix_dice()
        self.look_about()

    def look(self, card: int) -> Look:
        raise NotImplementedError

    def position(self) -> Any:
        raise NotImplementedError

    def act(self, option: Any) -> Act:
        raise NotImplementedError

    # ---- reading the state

    def word(self, name: str, handle: int = 0, kind: str = "", trait: str = "") -> int:
        found = self.attributes[kind, trait, name]
        row = (found.rows or {}).get(handle, 0) if trait else handle
        return int(self.state.words[found.base + row * found.width])

    def look_about(self) -> None:
        """Notes where things and cards are, which everything below reads, and what was drawn meanwhile."""
        words, line = self.state.words, self.layout.kinds[self.kind]
        self.lines: list[list[int]] = []
        for player in range(1, PLAYERS + 1):
            row, handle = [], words[line.first + player]
            while handle:
                row.append(handle)
                handle = words[line.next + handle]
            self.lines.append(row)
        self.places = {handle: (seat, at) for seat, row in enumerate(self.lines) for at, handle in enumerate(row)}
        self.lying: dict[tuple[str, int], list[int]] = {}
        for card in self.cards:
            self.lying.setdefault(self.zones[words[self.layout.where + card]], []).append(card)

        changes = self.state.log.changes
        for change in changes[self.read :]:
            if (
                change.what == "move"
                and self.zones[change.origin][0] == "deck"
                and self.zones[change.target][0] == "hand"
            ):
                self.drawn[self.zones[change.target][1] - 1].extend(map(self.look, change.cards))
        self.read = len(changes)

    def pile(self, zone: str, owner: int = 0) -> list[int]:
        return self.lying.get((zone, owner), [])

    def looks(self, zone: str, owner: int = 0) -> list[Any]:
        """What lies there, in the order of its looks."""
        return sorted(self.look(card) for card in self.pile(zone, owner))

    # ---- being followed

    def fix_dice(self) -> None:
        """The dice that fell are kept for the other game, and it is settled which fall next."""
        assert not self.rolled, "the other game has rolled fewer dice"
        self.rolled.extend(self.dice[: len(self.dice) - len(self.state.dice)])
        self.dice = [self.chance.randrange(6) for _ in range(DICE)]
        self.state = self.state.altered(list(self.state.words), dice=self.dice)

    def roll(self) -> int:
        """The next die of six sides."""
        return self.rolled.popleft() + 1

    def draw(self, seat: int) -> Look:
        """The next card that this seat draws."""
        assert self.drawn[seat], f"seat {seat} draws one card more"
        return self.drawn[seat].popleft()

    def ask(self, position: Any, acts: Sequence[Act] | None = None, count: int | None = None) -> Act:
        """The other game asks, in this position, with these options, or with so many: what is done."""
        assert not self.state.over, "one game is over, the other is not"
        assert not any(self.drawn)
        assert self.position() == position
        listed = [(self.act(option), option) for option in self.state.decision.options]
        if acts is not None:  # some may come to the same: giving up either of two cards that are alike
            assert sorted((act for act, _ in listed), key=repr) == sorted(acts, key=repr)
        if count is not None:
            assert len(listed) == count, listed
        options = dict(listed)
        self.compared += 1
        self.offered.update({act[0] for act in options})
        chosen = self.choose(sorted(options, key=repr))
        self.state.play(options[chosen].index)
        self.fix_dice()
        self.look_about()
        return chosen

    def choose(self, acts: Sequence[Act]) -> Act:
        if self.by_kind:
            kinds = sorted({act[0] for act in acts})
            kind = self.chance.choices(kinds, [self.weights.get(kind, 3) for kind in kinds])[0]
            acts = [act for act in acts if act[0] == kind]
        return acts[self.chance.randrange(len(acts))]

    def ends(self, scores: Sequence[int], rounds: int, decisions: int) -> None:
        """The other game is over."""
        words, cells = self.state.words, self.layout.cells
        assert self.state.over
        assert not any(self.drawn)
        assert list(self.state.scores) == list(scores)
        assert (words[cells.round], words[cells.decisions]) == (rounds, decisions)


def spoken(name: str) -> str:
    return name.replace("_", " ")


class Asking:
    """What a table in Python does to be led: the compiled game chooses for it. `act` spells an option as it does."""

    leader: Compiled
    forced: int
    decisions: int

    def pick(self, options: Any) -> Any:
        if len(options) == 1:
            self.forced += 1
            return options[0]
        self.decisions += 1
        acts = [self.act(option) for option in options]
        return options[acts.index(self.leader.ask(self.position(), acts=acts))]
