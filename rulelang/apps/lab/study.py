"""A study of a game: series that can go on, and what they say so far about seats, cards and traits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulelang.apps.lab.analysis import effect_of, figures_of, held_with
from rulelang.apps.lab.asking import Known, known_of, names_in, narrow
from rulelang.apps.lab.effects import Effect
from rulelang.apps.lab.estimates import estimate
from rulelang.apps.lab.figures import Figures
from rulelang.apps.lab.playing import Games, Task, joined
from rulelang.apps.lab.subjects import Subject, can_be_dealt, cards_of, check_named, traits_of
from rulelang.apps.lab.workers import Workers, pieces_of, workers_for
from rulelang.base.errors import BadArgument
from rulelang.base.trace_plan import HandArrangement
from rulelang.runtime.game import Game
from rulelang.runtime.seating import Seated
from rulelang.runtime.simulate import played
from rulelang.runtime.watch import MOST

#: How many play, if the game allows and nothing is said.
USUAL = 4
#: Games before the first look whether intervals are narrow enough, and at most.
FIRST, LAST = 400, 1_000_000


class Study:
    """Games between agents, noted while they are played. It can go on at any time; what it says depends on the seed and
    the number of games, not on how they came about.

    `agents` by seat, repeated if there are fewer: names ("mc:50"), objects or classes. `players`: four, or as many as
    the game allows. `jobs`: processes; `workers` in their place: who plays. ValueError for what cannot be, as
    `Game.simulate`.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        agents: Sequence[Seated] = ("greedy",),
        seed: int = 0,
        options: Mapping[str, object] | None = None,
        backend: str = "auto",
        jobs: int = 1,
        *,
        workers: Workers | None = None,
        invariants: bool = True,
        max_decisions: int = MOST,
    ) -> None:
        low, high = game.players
        count = min(high, max(low, USUAL)) if players is None else players
        seated = tuple(game.seated(agents))
        self.task = Task(game, count, seed, seated, options, backend, invariants, max_decisions)
        self.table = self.task.table
        self.cards = cards_of(self.table.program.layout)
        self.workers = workers or workers_for(jobs)
        self._parts: list[Games] = []
        self._matched: dict[str, tuple[list[Games], list[Games]]] = {}

    @property
    def games(self) -> int:
        """How many were played, without those that were played twice."""
        return sum(map(len, self._parts))

    @property
    def matches(self) -> int:
        """How many pairs of games there are for each card that was asked about: the fewest."""
        return min((sum(map(len, given)) for _, given in self._matched.values()), default=0)

    @property
    def played(self) -> dict[str, Any]:
        """What is played, JSON-able: see `Result.played`."""
        task = self.task
        return played(task.game, task.players, task.agents, task.options)

    # ---- playing

    def play(self, games: int, progress: Callable[[int], None] | None = None) -> int:
        """Play so many more; how many there are now. `progress` is called with these. What was played stays if it is
        interrupted. RuleError as `Game.simulate`."""
        for part in self.workers.play(self.task, pieces_of(self.games, games)):
            self._parts.append(part)
            if progress is not None:
                progress(self.games)
        return self.games

    def play_until(
        self, half: float, progress: Callable[[int], None] | None = None, most: int = LAST, about: str = ""
    ) -> int:
        """Play on until the share of the win of every seat is known to this much to either side (0.005: half a
        percent), or until there are `most` games. `about`: what is to be known as well as that in the place of the
        seats, as `known` takes it. Look at it with `anytime=True`: it was looked at again and again. ValueError for
        what is none."""
        if about:
            names_in(self.table, about)
        more = FIRST - self.games
        while self.games < most:
            self.play(min(max(more, 100), most - self.games), progress)
            if narrow(self.known(about, anytime=True), half) if about else self.width <= half:
                break
            more = min(self.games // 4, 20_000)
        return self.games

    @property
    def width(self) -> float:
        """How much to either side the share of the win of a seat is unknown, at any time."""
        wins = joined(self._parts).wins
        errors = wins.std(axis=0, ddof=1) / len(wins) ** 0.5
        return max(estimate(0.0, float(error), len(wins), anytime=True).half for error in errors)

    def match(
        self, pairs: int, cards: Sequence[str] | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Play so many more games twice for each card (by id; None: all that can be dealt), with it in a starting hand
        and with another card in its place. How many pairs there are for each; `progress` is called with the number of
        games that were played."""
        done = 0
        for subject in self._dealt(cards):
            both = self._matched.setdefault(subject.id, ([], []))
            for given, parts in enumerate(both):
                arranged = HandArrangement(frozenset(subject.handles), bool(given))
                first = sum(map(len, parts))
                for part in self.workers.play(self.task, pieces_of(first, pairs, arranged)):
                    parts.append(part)
                    done += len(part)
                    if progress is not None:
                        progress(done)
        return self.matches

    def dealt(self, cards: Sequence[str] | None = None) -> int:
        """Of how many cards `match` plays games."""
        return len(self._dealt(cards))

    def _dealt(self, cards: Sequence[str] | None) -> list[Subject]:
        """Those of these that can be in a starting hand; the cards that bear a trait stand for it."""
        layout = self.table.program.layout
        named = set(cards or ())
        bearing = {handle for trait in traits_of(layout) if trait.id in named for handle in trait.handles}
        return [
            card
            for card in self.cards
            if can_be_dealt(layout, card) and (cards is None or card.id in named or bearing & set(card.handles))
        ]

    # ---- what it says

    def figures(self, *, anytime: bool = False) -> Figures:
        """What there is to say so far. `anytime`: with intervals that hold however long one looked and whenever one
        stops; without, for a number of games that was chosen beforehand. ValueError if none was played."""
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined(self._parts)]
        matched = {name: (joined(without), joined(given)) for name, (without, given) in self._matched.items() if given}
        return figures_of(self.task, self.table, self._parts[0], matched, self.matches, self.played, anytime=anytime)

    def effect(self, about: str, *, anytime: bool = False) -> Effect:
        """What a card or a trait (by id) does to winning, as the figures tell it: of a card who held it, of a trait who
        had it in force. `anytime` as `figures`. ValueError if none was played, and for what is no card or trait."""
        check_named(self.table, about)
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined(self._parts)]
        return effect_of(self._parts[0], self.table, about, anytime=anytime)

    def known(self, about: str, *, anytime: bool = False) -> list[Known]:
        """What is known of a card or trait (by id), of a pair (`horns+fat_tissue`), or of all cards and traits (`all`);
        `anytime` as `figures`. ValueError if none was played, and for what is none of these."""
        names_in(self.table, about)
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined(self._parts)]
        return known_of(self._parts[0], self.table, about, anytime=anytime)

    def held(self, trait: str, *, anytime: bool = False) -> Effect:
        """Who held a card that bears the trait (by id), whatever else stands on it, against who drew as many cards of
        these kinds without one. `anytime` as `figures`. ValueError if none was played."""
        if not self._parts:
            raise BadArgument("no game has been played yet, so there is nothing to report")
        self._parts = [joined(self._parts)]
        return held_with(self._parts[0], self.table, trait, anytime=anytime)
