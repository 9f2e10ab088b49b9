"""The measurements. Each returns one figure, or raises `Unmeasured`.

Rates are ratios of two sides that take turns. Times of whole processes are the processor's seconds, at the pace of a
yardstick that takes turns with them: the clock on the wall tells as much of what else the machine does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from benchmarks import plain_evolution, plain_origin_of_species
from benchmarks.figures import Figure, Target, Unmeasured, of_children, same_game
from benchmarks.many_cards import write_many_cards
from benchmarks.rates import SHORTER

ROOT = Path(__file__).resolve().parent.parent
GAME = "evolution"
OTHER = "origin_of_species"
LARGEST = ROOT / "rulesets" / "darwins_choice_colossal"  # which stands on another game
PLAYERS = 4

SPEED = Target("decisions per second, compiled / plain Python", "x", 1.5, "at least", goal=1.8)
OTHER_SPEED = Target("the same of origin_of_species", "x", 0.9, "at least", goal=1.8)
CHECK_COLD = Target(f"rulelang check rulesets/{LARGEST.name}, cold cache", "s", 3.0, "less than", goal=0.6)
CHECK_WARM = Target(f"rulelang check rulesets/{LARGEST.name}, warm cache", "s", 0.15, "less than", goal=0.1)
START = Target("start of a compiled game, warm cache", "s", 0.3, "less than")
START_COLD = Target(f"rulelang play {GAME}, to the first question, cold cache", "s", 1.5, "less than", goal=0.5)
IMPORT = Target("import rulelang, beyond the start of Python", "s", 0.02, "less than")
CHECK_MANY = Target("rulelang check of 3,000 cards, just edited", "s", 0.8, "less than", goal=0.4)
CHECK_MORE = Target("the same of 20,000", "s", 2.0, "less than", goal=1.5)
CLONE = Target("clone of a state", "us", 10.0, "less than")

# Plain work of a kind with a check's (objects, dicts, strings), and the processor's seconds that it takes where the
# bounds below were set. The clock of a figure is stretched or shrunk by what it takes here and now.
YARDSTICK = """
found = {}
for round in range(9):
    for k in range(20_000):
        name = f"{k % 977}.{k}"
        found[name] = (k, name.partition("."), [k] * 3)
    sorted(found.values(), key=lambda item: item[1])
"""
YARDSTICK_SECONDS = 0.17

START_PROGRAM = f"import rulelang; rulelang.load({GAME!r}).new(players={PLAYERS}, seed=7)"
CLI_PROGRAM = "from rulelang.apps.cli.main import main; main()"


def speed(rounds: int, games: int) -> list[Figure]:
    """Random four-player games of both games that are written by hand too; against each, see `_speed`."""
    sides = ((GAME, plain_evolution.simulate, SPEED), (OTHER, plain_origin_of_species.simulate, OTHER_SPEED))
    return [_speed(*side, rounds, games) for side in sides]


def _speed(
    name: str, by_hand: Callable[[int, int], tuple[int, int]], target: Target, rounds: int, games: int
) -> Figure:
    """Games on both sides, in turn; the median over the rounds of the ratio of their rates. Rounds are many and short,
    and seconds are this process's, so that what else the machine does meets both sides alike."""
    import rulelang

    rounds, games = SHORTER * rounds, max(games // SHORTER, 1)
    game = rulelang.load(name)

    def compiled(seed: int) -> tuple[float, int]:
        start = process_time()
        # as bare as the other side, which tests no invariants
        result = game.simulate(n=games, players=PLAYERS, seed=seed, backend="python", invariants=False)
        return process_time() - start, int(result.decisions)

    def plain(seed: int) -> tuple[float, int]:
        start = process_time()
        decisions, _forced = by_hand(games, seed)
        return process_time() - start, decisions

    compiled(0)  # warm up
    plain(0)
    ours, theirs = [], []
    for number in range(1, rounds + 1):
        if number % 2:
            ours.append(compiled(number))
            theirs.append(plain(number))
        else:
            theirs.append(plain(number))
            ours.append(compiled(number))

    rates = [(a / s, b / t) for (s, a), (t, b) in zip(ours, theirs, strict=True)]
    per_game = (
        sum(decisions for _, decisions in ours) / (rounds * games),
        sum(decisions for _, decisions in theirs) / (rounds * games),
    )
    note = (
        f"compiled {median(a for a, _ in rates):,.0f}/s, {per_game[0]:.0f} decisions a game; "
        f"plain {median(b for _, b in rates):,.0f}/s, {per_game[1]:.0f} a game; {rounds} rounds of {games} games"
    )
    if not same_game(*per_game, rounds * games):
        raise Unmeasured(f"the two sides do not count the same decisions: {note}")
    return Figure(target, median(a / b for a, b in rates), note)


def check_cold(runs: int) -> Figure:
    """Each with an empty cache. Python's own bytecode files are there since one run before them."""

    def one(number: int) -> Spent:
        with empty_cache() as cache:
            return check(LARGEST, cache)

    return _paced(CHECK_COLD, one, runs)


def check_warm(runs: int) -> Figure:
    """On a cache that one run before them filled."""
    with empty_cache() as cache:
        return _paced(CHECK_WARM, lambda number: check(LARGEST, cache), runs)


def start(runs: int) -> Figure:
    """Python starts, the package is imported, the game loaded from the cache and set up."""
    with empty_cache() as cache:
        return _paced(START, lambda number: python(START_PROGRAM, [], cache), runs)


def start_cold(runs: int) -> Figure:
    """What a player waits for who has just installed it: the first question, on an empty cache. (There is no input, so
    the process ends with it.)"""

    def one(number: int) -> Spent:
        with empty_cache() as cache:
            return python(CLI_PROGRAM, ["play", GAME, "--plain", "--seed", "7", "--players", str(PLAYERS)], cache)

    return _paced(START_COLD, one, runs)


def imported(runs: int) -> Figure:
    """What a process that imports the package takes more than one that does nothing."""
    with empty_cache() as cache:

        def one(number: int) -> Spent:
            more, bare = python("import rulelang", [], cache), python("pass", [], cache)
            return Spent(more.processor - bare.processor, more.wall - bare.wall)

        return _paced(IMPORT, one, 3 * runs)


def check_many(runs: int) -> list[Figure]:
    """On cards of which one was edited since the last check, as their keeper meets it."""
    return [_check_many(CHECK_MANY, 3000, runs), _check_many(CHECK_MORE, 20_000, runs)]


def _check_many(target: Target, cards: int, runs: int) -> Figure:
    with empty_cache() as cache, tempfile.TemporaryDirectory() as folder:

        def one(number: int) -> Spent:
            write_many_cards(Path(folder), cards=cards, edit=number)
            return check(Path(folder), cache)

        return _paced(target, one, runs)


def _paced(target: Target, work: Callable[[int], Spent], runs: int) -> Figure:
    """Processes in turn with the yardstick; one of them before all others does not count."""
    work(0)
    spent, paces = [], []
    for number in range(1, runs + 1):
        with empty_cache() as cache:
            paces.append(python(YARDSTICK, [], cache).processor / YARDSTICK_SECONDS)
        spent.append(work(number))
    value = median(found.processor / pace for found, pace in zip(spent, paces, strict=True))
    note = (
        f"the yardstick took {median(paces):.2f} of its time here; unpaced {median(s.processor for s in spent):.3f} s, "
        f"on the wall {median(s.wall for s in spent):.3f} s; {runs} runs"
    )
    return Figure(target, value, note)


def clone(repeats: int) -> Figure:
    """The copy of a state in the middle of a game."""
    import rulelang

    state = rulelang.load(GAME).new(players=PLAYERS, seed=7, backend="python")
    for _ in range(100):
        if state.over:
            break
        state.play(0)
    number = 1000
    times = timeit.repeat(state.clone, number=number, repeat=repeats)
    return Figure(CLONE, median(times) / number * 1e6)


# ---- processes


@contextmanager
def empty_cache() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rulelang-bench-") as folder:
        yield Path(folder)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of one process, with those it started. Those of the processor, where a system tells them."""

    processor: float
    wall: float


def check(ruleset: Path, cache: Path) -> Spent:
    return python(CLI_PROGRAM, ["check", str(ruleset)], cache)


def python(program: str, arguments: list[str], cache: Path) -> Spent:
    """What a Python process takes from its start to its end. Raises `Unmeasured` if it fails."""
    environment = os.environ | {"RULELANG_CACHE": str(cache), "XDG_CACHE_HOME": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else a checkout that has just changed is compiled every time
    before, begin = of_children(), perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    wall, used = perf_counter() - begin, of_children() - before
    spent = Spent(used or wall, wall)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()
        raise Unmeasured(f"it ended with status {done.returncode}, saying: {said[-1]}")
    return spent
