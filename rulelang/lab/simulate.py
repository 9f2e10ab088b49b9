"""`simulate`: a series of games, spread over processes if wanted. The outcome does not depend on how many there are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from rulelang.agents import Agent, make_agent
from rulelang.engine import simulate as engine
from rulelang.engine.game import Game
from rulelang.engine.simulate import Result, Tally, play_series

#: Games of one piece of work: small enough for a lively progress bar, large enough to be worth sending.
PIECE = 50

Series = tuple[Game, int, int, "tuple[str, ...] | None", "Mapping[str, object] | None", str]

#: In a process that helps: what it plays pieces of. It is sent once, since linking a table may take as long as a piece.
_given: list[Series] = []


def simulate(
    game: Game,
    n: int = 1000,
    players: int = 4,
    seed: int = 0,
    agents: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Play n games between agents given by name (by seat, repeated if fewer; None: random ones, on the fast path).

    `progress` is called with the number of games done. ValueError for an unknown agent and as `Game.simulate`.
    """
    makers = None if agents is None or set(agents) == {"random"} else tuple(agents)
    if jobs < 2 or n <= PIECE:
        return engine.simulate(game, n, players, seed, _make(makers), options, backend, progress)
    backend = engine.chosen(backend, n, _make(makers))
    # Games between bots take long, and unequally so: many small pieces keep all processes busy.
    size = max(1, min(PIECE, n // (8 * jobs))) if makers else PIECE if backend == "python" else 20 * PIECE
    game.table(players, options, backend)  # so that the others find it on the disk
    pieces = [range(first, min(first + size, n)) for first in range(0, n, size)]
    series: Series = (game, players, seed, makers, options, backend)
    # Imported late: it costs more than a start may take.
    from concurrent.futures import ProcessPoolExecutor

    tally = Tally(players)
    start = time.perf_counter()
    with ProcessPoolExecutor(min(jobs, len(pieces)), initializer=_help, initargs=(series,)) as pool:
        for part in pool.map(_play, pieces):
            tally.join(part)
            if progress is not None:
                progress(len(tally.points))
    return tally.result(seed, time.perf_counter() - start)


def _make(names: tuple[str, ...] | None) -> list[Agent] | None:
    return None if names is None else [make_agent(name) for name in names]


def _help(series: Series) -> None:
    _given[:] = [series]


def _play(indices: range) -> Tally:
    game, players, seed, names, options, backend = _given[0]
    return play_series(game, indices, players, seed, _make(names), options, backend)
