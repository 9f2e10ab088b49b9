"""`simulate`: a series of games, as `Game.simulate`, or in pieces that workers play."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from rulelang.apps.lab.playing import Task
from rulelang.apps.lab.workers import Piece, Workers, pieces_of
from rulelang.runtime.game import Game
from rulelang.runtime.running import MOST_DECISIONS
from rulelang.runtime.seating import Seated
from rulelang.runtime.simulate import Result, Totals, chosen_backend, play_series, played_rules

# ---- one series


def simulate(
    game: Game,
    n: int = 1000,
    players: int = 4,
    seed: int = 0,
    agents: Sequence[Seated] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    *,
    invariants: bool = True,
    max_decisions: int = MOST_DECISIONS,
    totals: Totals | None = None,
) -> Result:
    """As `Game.simulate`."""
    return game.simulate(
        n, players, seed, agents, options, backend, jobs, progress, invariants=invariants, max_decisions=max_decisions,
        totals=totals,
    )  # fmt: skip


# ---- a series in pieces

#: Games of a piece on the fast path.
LARGE = 2000


def simulate_on(
    workers: Workers,
    game: Game,
    n: int,
    players: int,
    seed: int = 0,
    agents: Sequence[Seated] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    progress: Callable[[int], None] | None = None,
    *,
    invariants: bool = True,
    max_decisions: int = MOST_DECISIONS,
    totals: Totals | None = None,
) -> Result:
    """As `Game.simulate`, and the same games: by these workers."""
    seated = tuple(game.seated(agents)) if agents is not None else ()
    if all(name == "random" for name in agents or ()):
        seated = ()
    named = chosen_backend(backend, n, seated or None)
    task = Task(game, players, seed, seated, options, named, invariants, max_decisions)
    _ = task.table  # compiled before the clock starts
    totals = Totals(players) if totals is None else totals
    start = time.perf_counter()
    for part in workers.play(task, pieces_of(0, n, size=0 if seated else LARGE), series_piece):
        totals.join(part)
        if progress is not None:
            progress(totals.games)
    return totals.result(seed, time.perf_counter() - start, played_rules(game, players, seated or None, options))


def series_piece(task: Task, piece: Piece) -> Totals:
    """The games of a piece, counted up."""
    first, games, _ = piece
    return play_series(
        task.game, range(first, first + games), task.players, task.seed, task.agents or None, task.options,
        task.backend, invariants=task.invariants, max_decisions=task.max_decisions,
    )  # fmt: skip
