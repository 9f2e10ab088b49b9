"""A study of a game: series that can go on, and what they say so far about seats, cards and traits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulelang.base.noting import Arranged
from rulelang.engine.game import Game
from rulelang.engine.seating import Agent, Seated
from rulelang.engine.simulate import played
from rulelang.engine.watch import MOST
from rulelang.lab.analysis import figures_of
from rulelang.lab.figures import Figures
from rulelang.lab.playing import Games, Task, joined, play_piece
from rulelang.lab.subjects import can_be_dealt, cards_of

#: Games between two calls of `progress`: small enough for a lively bar.
PIECE = 100
#: How many play, if the game allows and nothing is said.
USUAL = 4


class Study:
    """Games between agents, noted while they are played. It can go on at any time; what it says depends on the seed and
    the number of games, not on how they came about.

    `agents` by seat, repeated if there are fewer: names ("mc:50"), objects or classes. `players`: four, or as many as
    the game allows. ValueError for what cannot be, as `Game.simulate`; ImportError without numpy (the extra `lab`).
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        agents: Sequence[Seated] = ("greedy",),
        seed: int = 0,
        options: Mapping[str, object] | None = None,
        backend: str = "auto",
        *,
        invariants: bool = True,
        max_decisions: int = MOST,
    ) -> None:
        low, high = game.players
        count = min(high, max(low, USUAL)) if players is None else players
        seated: list[Agent] = game.seated(agents)
        self.task = Task(game, count, seed, tuple(seated), options, backend, invariants, max_decisions)
        self.table = self.task.table
        self.cards = cards_of(self.table.program.layout)
        self._parts: list[Games] = []
        self._matched: dict[str, list[tuple[Games, Games]]] = {}
        self._matches = 0

    @property
    def games(self) -> int:
        """How many were played, without those that were played twice."""
        return sum(map(len, self._parts))

    @property
    def played(self) -> dict[str, object]:
        """What is played, JSON-able."""
        task = self.task
        return played(task.game, task.players, task.agents, task.options)

    def play(self, games: int, progress: Callable[[int], None] | None = None) -> int:
        """Play so many more; how many there are now. `progress` is called with these. What was played stays if it is
        interrupted. RuleError as `Game.simulate`."""
        first = self.games
        for at in range(first, first + games, PIECE):
            self._parts.append(play_piece(self.task, at, min(PIECE, first + games - at)))
            if progress is not None:
                progress(self.games)
        return self.games

    def match(
        self, pairs: int, cards: Sequence[str] | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Play so many more games twice for each card (by id; None: all that can be dealt), with it in a starting hand
        and with another card in its place. `progress` is called with the number of cards done."""
        wanted = [subject for subject in self.cards if cards is None or subject.id in cards]
        for done, subject in enumerate(wanted, 1):
            if can_be_dealt(self.table.program.layout, subject):
                handles = frozenset(subject.handles)
                without, given = (
                    joined([
                        play_piece(self.task, at, min(PIECE, self._matches + pairs - at), Arranged(handles, with_it))
                        for at in range(self._matches, self._matches + pairs, PIECE)
                    ])
                    for with_it in (False, True)
                )  # fmt: skip
                self._matched.setdefault(subject.id, []).append((without, given))
            if progress is not None:
                progress(done)
        self._matches += pairs
        return self._matches

    def figures(self, *, anytime: bool = False) -> Figures:
        """What there is to say so far. `anytime`: with intervals that hold however long one looked and whenever one
        stops; without, for a number of games that was chosen beforehand. ValueError if none was played."""
        if not self._parts:
            raise ValueError("no game was played yet, so there is nothing to say")
        self._parts = [joined(self._parts)]
        matched = {
            name: (joined([without for without, _ in pairs]), joined([given for _, given in pairs]))
            for name, pairs in self._matched.items()
        }
        return figures_of(self.task, self.table, self._parts[0], matched, self._matches, self.played, anytime=anytime)
