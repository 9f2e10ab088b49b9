"""A series of games spread over threads, where a library plays them, or else over processes. The outcome does not
depend on how many there are."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from rulelang.runtime import simulate as one
from rulelang.runtime.seating import Agent, check_sendable
from rulelang.runtime.simulate import Result, Totals, play_series
from rulelang.runtime.threads import in_threads

if TYPE_CHECKING:
    from rulelang.runtime.game import Game

#: Games of one piece of work: small enough for a lively progress bar, large enough to be worth sending.
PIECE = 50

Series = tuple["Game", int, int, "Sequence[Agent] | None", "Mapping[str, object] | None", str, bool, int]

#: In a process that helps: what it plays pieces of. It is sent once, since linking a table may take as long as a piece.
_given: list[Series] = []


def simulate(
    game: Game,
    n: int,
    players: int,
    seed: int,
    agents: Sequence[Agent] | None,
    options: Mapping[str, object] | None,
    backend: str,
    jobs: int,
    progress: Callable[[int], None] | None,
    *,
    invariants: bool,
    max_decisions: int,
    totals: Totals | None = None,
) -> Result:
    """As `engine.simulate.simulate`, by `jobs` threads or processes. ValueError also for agents that cannot be sent."""
    if jobs > 1 and agents is not None:
        check_sendable(agents)  # also where so few games need no other process: it is told at once
    if jobs < 2 or n <= PIECE:
        return one.simulate(
            game, n, players, seed, agents, options, backend, progress, invariants=invariants,
            max_decisions=max_decisions, totals=totals,
        )  # fmt: skip
    backend = one.chosen(backend, n, agents)
    # Games between bots take long, and unequally so: many small pieces keep all processes busy.
    size = max(1, min(PIECE, n // (8 * jobs))) if agents else PIECE if backend == "python" else 20 * PIECE
    soon = one.first_table(game, players, options, backend, agents)  # so that the others find it
    totals = Totals(players) if totals is None else totals
    start = time.perf_counter()
    begun = one.meanwhile(game, soon, n, players, seed, options, progress, invariants, max_decisions, totals)
    pieces = [range(first, min(first + size, n)) for first in range(begun, n, size)]
    series: Series = (game, players, seed, agents, options, backend, invariants, max_decisions)
    with closing(_by_several(min(jobs, len(pieces)), series, pieces)) as found:
        for part in found:
            totals.join(part)
            if progress is not None:
                progress(totals.games)
    return totals.result(seed, time.perf_counter() - start, one.played(game, players, agents, options))


def _by_several(jobs: int, series: Series, pieces: Sequence[range]) -> Generator[Totals]:
    if not pieces:
        return
    game, players, _, agents, options, backend, *_ = series
    if one.inside(game.table(players, options, backend), agents) is not None:
        yield from in_threads(jobs, lambda piece: _played(series, piece), pieces)
    else:
        yield from _in_processes(jobs, series, pieces)


def _in_processes(jobs: int, series: Series, pieces: Sequence[range]) -> Generator[Totals]:
    # Imported late: it costs more than a start may take.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, initializer=_help, initargs=(series,)) as pool:
        try:
            begun = deque(pool.submit(_play, piece) for piece in pieces)
            while begun:  # not `map`, which cancels what is left: helpers that are terminated do not take that well
                yield begun.popleft().result()
        except BaseException:  # nobody waits for what is left, or for a piece that takes long
            for helper in set(multiprocessing.active_children()) - others:
                helper.terminate()
            raise


def _help(series: Series) -> None:
    # Whoever started it is told to stop, and stops it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _given[:] = [series]


def _play(indices: range) -> Totals:
    return _played(_given[0], indices)


def _played(series: Series, indices: range) -> Totals:
    game, players, seed, agents, options, backend, invariants, most = series
    return play_series(
        game, indices, players, seed, agents, options, backend, invariants=invariants, max_decisions=most
    )
