"""What each way to draw a decision earns: `python -m benchmarks.ways [--backend python] [GAME ...]`.

Random games of four with a way and without it (its decisions are counted then), in a process for each, which take
turns. What is told is how much longer a round takes without it: the median of the rounds' ratios, and its quartiles.
A way that earns nothing in any game goes; one that costs something in a game is to be refused there by `_strategy`. The
exit status is 1 if one costs more than a run tells from nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from statistics import median, quantiles
from time import process_time

from benchmarks.rates import PLAYERS, RULESETS

WAYS = ("product", "weighted", "listed")
ROUNDS, SECONDS = 15, 0.15
#: A way costs something where games are shorter without it: by so much at the median, and at the upper quartile still.
COSTS, STILL = 0.97, 0.99


def main(given: Sequence[str]) -> int:
    if given[:1] == ["--worker"]:
        return work(*given[1:])
    backend = "python" if given[:2] == ["--backend", "python"] else "native"
    wanted = [name for name in given if not name.startswith("--") and name not in ("python", "native")]
    chosen = [ruleset.id for ruleset in RULESETS if ruleset.there and (not wanted or ruleset.id in wanted)]
    costly = [id_ for id_ in chosen if not measure(id_, backend)]
    return 1 if costly else 0


def measure(game: str, backend: str) -> bool:
    """Print a line for each way that is used there. Whether none costs anything."""
    earns = True
    with tempfile.TemporaryDirectory() as folder:
        first = _Worker(game, "", backend, folder)
        found = [_Worker(game, way, backend, folder) for way in WAYS if way in first.ways]
        games = max(round(SECONDS * 20 / first.play(20, 0)), 1)
        times: list[list[float]] = [[] for _ in (first, *found)]
        for number in range(ROUNDS):
            order = [*enumerate((first, *found))]
            for at, worker in order if number % 2 else reversed(order):
                times[at].append(worker.play(games, number))
        for worker, mine in zip(found, times[1:], strict=True):
            ratios = [without / usual for usual, without in zip(times[0], mine, strict=True)]
            low, _, high = quantiles(ratios, n=4)
            earns &= median(ratios) >= COSTS or high >= STILL
            print(
                f"{game}, {backend}: {median(ratios):.2f}x as long without `{worker.without}` ({low:.2f} to {high:.2f})"
            )
        for worker in (first, *found):
            worker.process.kill()
    return earns


class _Worker:
    """A process that plays. `without`: the way that it does not take; `ways`: those that the game has decisions for."""

    def __init__(self, game: str, without: str, backend: str, folder: str) -> None:
        self.without = without
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.ways", "--worker", game, without, backend],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "RULELANG_CACHE": f"{folder}/{without or 'all'}"},  # programs of its own
        )  # fmt: skip
        self.ways = self.answer().split()

    def play(self, games: int, seed: int) -> float:
        """Seconds of its processor time."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{games} {seed}\n")
        self.process.stdin.flush()
        return float(self.answer())

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


def work(game: str, without: str, backend: str) -> int:
    """The worker: tells the ways that are taken, then plays so many games from a seed for each line of its input."""
    from rulelang.api import load
    from rulelang.compiler.passes.choice import strategy

    usual, taken = strategy._strategy_for, set[str]()

    def way(*given: object) -> strategy.Strategy:
        found = usual(*given)  # type: ignore[arg-type]
        taken.add(found)
        return "" if found == without else found

    strategy._strategy_for = way  # type: ignore[assignment]
    loaded = load(game)
    loaded.simulate(2, PLAYERS, backend=backend, invariants=False)
    print(*sorted(taken), flush=True)
    for line in sys.stdin:
        games, seed = map(int, line.split())
        begun = process_time()
        loaded.simulate(games, PLAYERS, seed, backend=backend, invariants=False)
        print(process_time() - begun, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
