"""Write replays line by line while games are played, and record a whole series."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rulelang.base.languages import ENGLISH
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.position import position_digest
from rulelang.runtime.rng import game_seed
from rulelang.runtime.running import MOST_DECISIONS, endless_game_error
from rulelang.runtime.seating import ask_agent, begin_agent
from rulelang.runtime.simulate import Result, Totals, chosen_backend, played_rules
from rulelang.runtime.state import State
from rulelang.runtime.table import GameInfo
from rulelang.testing.replay import EVERY, FORMAT, WHAT

# ---- write games


class ReplayWriter:
    """Writes games into a file, which is begun anew. OSError where it cannot be written."""

    def __init__(self, path: Path, info: GameInfo, every: int = EVERY) -> None:
        self.every = every
        self.games = self.moves = 0
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666)
        self.line({"rulelang": WHAT, "format": FORMAT, **info.identity, "content_hash": info.content})

    def begin(self, state: State) -> None:
        """Another game, that stands here now."""
        self.games += 1
        self.moves = 0
        self.before = len(state.choices)
        table = state.table
        fresh = state.seed is not None and not self.before and not state.asks_forced
        self.line(
            {
                "game": self.games,
                "players": table.players,
                "names": list(state.players),
                "options": dict(table.options),
                "layout": table.fingerprint,
                **({"seed": state.seed} if fresh else {"saved": json.loads(state.save())}),
            }
        )

    def move(self, state: State, index: int) -> None:
        """What will be taken in a position. Call it before the move is made."""
        self.moves += 1
        decision = (state if state.names.language is ENGLISH else state.spoken(ENGLISH)).decision
        told = {
            "move": self.moves,
            "by": decision.player,
            "of": len(decision.options),
            "choice": index,
            "said": decision.options[index].text,
        }
        if self.moves % self.every == 1 or self.every == 1:
            told["at"] = position_digest(state.table, state.words)
        self.line(told)

    def back(self, state: State) -> None:
        """Moves were taken back, and the game stands here again."""
        self.moves = len(state.choices) - self.before
        self.line({"back": self.moves})

    def end(self, state: State) -> None:
        """The game is over."""
        self.line({"end": 1, "scores": state.scores, "winners": state.winners,
                   "at": position_digest(state.table, state.words)})  # fmt: skip
        os.fsync(self.file)

    def line(self, record: dict[str, Any]) -> None:
        data = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        while data:  # a disk that is full takes a part of it, and says so the next time
            data = data[os.write(self.file, data) :]

    def close(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# ---- record a series


def record_series(
    game: Game,
    path: Path,
    n: int,
    players: int,
    seed: int = 0,
    names: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    progress: Callable[[int], None] | None = None,
    *,
    invariants: bool = True,
    max_decisions: int = MOST_DECISIONS,
) -> Result:
    """Play n games between agents and write each move of them into a file, in one process.

    `names` of agents by seat, repeated if they are fewer; None: random ones. They are the games that `simulate` plays
    between the same agents, but for games of random ones only: those it plays inside of the compiled rules, where the
    same chance is used otherwise. Errors as of `simulate`; OSError where the file cannot be written.
    """
    agents = [make_agent(name) for name in names or ("random",)]
    table = game.table(players, options, chosen_backend(backend, n, agents))
    cells = table.program.layout.cells
    totals = Totals(table.players)
    seats = [agents[seat % len(agents)] for seat in range(table.players)]
    start = time.perf_counter()
    with ReplayWriter(path, game.info) as writer:
        for index in range(n):
            own = game_seed(seed, index)
            state = game.start(table, own, log=False, invariants=invariants)
            for agent in dict.fromkeys(seats):
                begin_agent(agent, own)
            writer.begin(state)
            while not state.over:
                if state.decisions >= max_decisions:  # the pending one is one more
                    raise endless_game_error(
                        table.program, state.words, max_decisions, state.words[cells.site], state.decider
                    )
                choice = ask_agent(seats[state.decider - 1], state)
                writer.move(state, choice)
                state.play(choice)
            writer.end(state)
            totals.count(table, list(state.words))
            if progress is not None:
                progress(index + 1)
    return totals.result(seed, time.perf_counter() - start, played_rules(game, players, agents, options))
