"""Series of games that are written down as they are played."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.rng import game_seed
from rulelang.runtime.seating import asked, begin
from rulelang.runtime.simulate import Result, Totals, chosen, played
from rulelang.runtime.watch import MOST, endless
from rulelang.testing.replay.writing import ReplayWriter


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
    max_decisions: int = MOST,
) -> Result:
    """Play n games between agents and write each move of them into a file, in one process.

    `names` of agents by seat, repeated if they are fewer; None: random ones. They are the games that `simulate` plays
    between the same agents, but for games of random ones only: those it plays inside of the compiled rules, where the
    same chance is used otherwise. Errors as of `simulate`; OSError where the file cannot be written.
    """
    agents = [make_agent(name) for name in names or ("random",)]
    table = game.table(players, options, chosen(backend, n, agents))
    cells = table.program.layout.cells
    totals = Totals(table.players)
    seats = [agents[seat % len(agents)] for seat in range(table.players)]
    start = time.perf_counter()
    with ReplayWriter(path, game.info) as writer:
        for index in range(n):
            own = game_seed(seed, index)
            state = game.start(table, own, log=False, invariants=invariants)
            for agent in dict.fromkeys(seats):
                begin(agent, own)
            writer.begin(state)
            while not state.over:
                if state.decisions >= max_decisions:  # the pending one is one more
                    raise endless(table.program, state.words, max_decisions, state.words[cells.site], state.decider)
                choice = asked(seats[state.decider - 1], state)
                writer.move(state, choice)
                state.play(choice)
            writer.end(state)
            totals.count(table, list(state.words))
            if progress is not None:
                progress(index + 1)
    return totals.result(seed, time.perf_counter() - start, played(game, players, agents, options))
