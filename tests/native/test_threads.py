"""Threads that play at once with one library do as each would alone: nothing is shared but what nobody changes."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.apps.lab.study import Study
from rulelang.apps.lab.tournament import tournament
from rulelang.compiler.backends.native_agents.program import with_agents
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.game import Game
from rulelang.runtime.rng import Generator
from rulelang.runtime.simulate import Totals
from rulelang.runtime.table import choose_options
from rulelang.runtime.threads import map_in_threads
from tests.native.machine import needs_compiler
from tests.native.test_same_games import RULESETS

THREADS = 4
GAMES = 400


def together(work: Callable[[int], Any]) -> list[Any]:
    """What the work of each thread comes to, all begun at the same moment."""
    ready = threading.Barrier(THREADS)

    def go(number: int) -> Any:
        ready.wait(60)
        return [work(number) for _ in range(2)]

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(go, range(THREADS)))


def alone(work: Callable[[int], Any]) -> list[Any]:
    return [[work(number)] * 2 for number in range(THREADS)]


def series(found: Game) -> Callable[[int], Any]:
    program: Any = found.table(4, backend="native").program
    return lambda number: [program.play_many(number, 10 * number, GAMES, mode) for mode in (0, 1, 2)]


def searches(found: Game) -> Callable[[int], Any]:
    program: Any = found.table(3, backend="native").program
    positions = []
    for number in range(THREADS):
        state, chance = found.new(3, number, log=False), Generator(number)
        for _ in range(20 + 7 * number):
            state.play(chance.below(state.option_count))
        positions.append(list(state.words))

    def search(number: int) -> Any:
        words, kind = positions[number], ("mc", "ismcts")[number % 2]
        seat = words[program.cells.decider]
        world = list(words)
        program.determinise(world, seat, number)
        return program.search(kind, words, seat, 200, number), program.observe(words, seat), world, program.count(words)

    return search


def moves(found: Game) -> Callable[[int], Any]:
    """Games move by move, with a log, which a host hears."""

    def play(number: int) -> Any:
        state, chance = found.new(2, number, backend="native"), Generator(number)
        while not state.over:
            state.play(chance.below(state.option_count))
        return state.hash(), [str(line) for line in state.log]

    found.table(2, backend="native")
    return play


def bots(found: Game) -> Callable[[int], Any]:
    program: Any = found.table(3, backend="native").program
    agents = [("greedy", 0), ("mc", 4), ("ismcts", 6)]
    return lambda number: program.between_many(number, 0, 3, agents)


@needs_compiler
@pytest.mark.parametrize("make", [series, searches, moves, bots])
def test_threads_play_as_if_alone(make: Callable[[Game], Callable[[int], Any]]) -> None:
    work = make(rulelang.load("evolution"))
    assert together(work) == alone(work)


@needs_compiler
def test_each_thread_watches_and_fails_for_itself() -> None:
    """One has a bound that its games pass; the error is its own, and the others go on."""
    program: Any = rulelang.load("evolution").table(4, backend="native").program

    def work(number: int) -> Any:
        program.watch(20 if number == 1 else 100_000, False)
        try:
            return program.play_many(number, 0, GAMES)
        except rulelang.RuleError as error:
            return error.diagnostic.code

    found = together(work)
    assert found[1] == ["X611", "X611"]
    assert [len(each[0]) for number, each in enumerate(found) if number != 1] == [GAMES] * (THREADS - 1)


@needs_compiler
def test_other_threads_run_meanwhile() -> None:
    """A long call gives the interpreter back."""
    program: Any = rulelang.load("evolution").table(4, backend="native").program
    done = threading.Event()
    thread = threading.Thread(target=lambda: (program.play_many(1, 0, 20_000), done.set()))
    thread.start()
    turns = 0
    while not done.is_set():
        turns += 1
        done.wait(0.001)
    thread.join()
    assert turns > 20


@needs_compiler
@pytest.mark.parametrize("agents", [None, ["greedy", "mc:3"]])
def test_series_studies_and_tournaments_are_played_by_threads(
    root: Path, monkeypatch: pytest.MonkeyPatch, agents: list[str] | None
) -> None:
    """In the library no process is needed: two threads play what one does."""
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", None)
    monkeypatch.setattr("rulelang.apps.lab.workers.ProcessPoolExecutor", None)
    game = rulelang.load(root / "examples" / "pebbles")
    one, two = (game.simulate(120, 2, 3, agents, backend="native", jobs=jobs).points for jobs in (1, 2))
    assert one == two
    studies = [Study(game, 2, agents or ["random"], 3, backend="native", jobs=jobs) for jobs in (1, 2)]
    assert [study.play(250) for study in studies] == [250, 250]
    assert studies[0].figures().as_json() == studies[1].figures().as_json()
    if agents:
        contests = [tournament(game, agents, 6, 2, 3, backend="native", jobs=jobs).games for jobs in (1, 2)]
        assert contests[0] == contests[1]


def endless(found: Game) -> Callable[[int], Any]:
    program: Any = found.table(4, backend="native").program
    return lambda number: program.play_many(number, 0, 100_000)


@needs_compiler
def test_threads_that_nobody_waits_for_stop() -> None:
    """A piece that fails ends what the others are at, however long that is."""
    play = endless(rulelang.load("evolution"))
    begun = threading.Barrier(2)

    def work(number: int) -> Any:
        begun.wait(60)
        if number:
            raise ArithmeticError
        return play(number)

    start = time.process_time()
    with pytest.raises((ArithmeticError, KeyboardInterrupt)):
        list(map_in_threads(2, work, [1, 0]))
    assert time.process_time() - start < 1.5  # all of it takes ten times as long


@needs_compiler
def test_a_long_series_takes_no_more_memory(root: Path) -> None:
    game = rulelang.load(root / "examples" / "pebbles")
    most = []
    for each in (True, False):
        tracemalloc.start()
        game.simulate(36_000, 2, backend="native", jobs=2, totals=Totals(2, each=each))
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[1] < most[0] / 2


COMPILER = shutil.which("gcc") or shutil.which("clang")
SANITIZE = ("-fsanitize=thread", "-fPIE", "-pie", "-pthread")
#: Threads play and search at once, each in its context; what they share is constant.
MAIN = """
#include <pthread.h>
#include <stdlib.h>
static const i32 INITIAL[] = {%s};
static void *play(void *number) {
    context *C = malloc(rl_context_size());
    i32 *S = malloc(4 * SIZE), *out = malloc(4 << 20), chance[2];
    i64 *rows = malloc(8 * (40 * WIDTH + 1)), *tree = malloc(8 << 20), kinds[] = {AGENT_GREEDY}, budgets[] = {0}, mode;
    i64 failed = 0;
    rl_context(C); rl_buffer(C, out, 1 << 20); rl_more(C, malloc(rl_more_size())); rl_tree(C, tree, 1 << 20);
    for (mode = 0; mode < 3; mode++) failed |= rl_play_many(C, S, INITIAL, (u64)number, 0, 40, mode, rows) < 40;
    failed |= rl_between_many(C, S, INITIAL, (u64)number, 0, 2, 1, kinds, budgets, chance, rows) < 2;
    copy(S, INITIAL, SIZE);
    failed |= rl_begin(C, S, 0, 0) != PAUSED;
    failed |= rl_search(C, S, AGENT_MC, S[AT_DECIDER], 20, 1, 0, 0, 0) < 0;
    failed |= rl_search(C, S, AGENT_ISMCTS, 1, 20, 1, 0, 0, 0) < 0;
    free(tree); free(rows); free(out); free(S); free(C->more); free(C);
    return (void *)failed;
}
int main(void) {
    pthread_t threads[4];
    i64 i;
    void *failed;
    for (i = 0; i < 4; i++) if (pthread_create(&threads[i], 0, play, (void *)(i + 1))) return 2;
    for (i = 0; i < 4; i++) { pthread_join(threads[i], &failed); if (failed) return 1; }
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="there is no gcc and no clang here")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_data_race(ruleset: str, tmp_path: Path) -> None:
    source, program, trial = tmp_path / "rules.c", tmp_path / "rules", tmp_path / "trial.c"
    trial.write_text("int main(void) { return 0; }", encoding="ascii")
    command = [str(COMPILER), "-std=c99", "-w", "-O1", "-g", *SANITIZE, "-o", str(program)]
    if subprocess.run([*command, str(trial)], capture_output=True, check=False).returncode or (
        subprocess.run([str(program)], capture_output=True, check=False).returncode
    ):
        pytest.skip("this compiler has no thread sanitizer that runs here")
    compilation = Compilation(ruleset)
    players = min(4, compilation.summary.players[1])
    module = compilation.ready(players, choose_options(compilation.summary.options, players, None))
    source.write_text(with_agents(module).source + MAIN % ", ".join(map(str, module.initial)), encoding="ascii")
    subprocess.run([*command, str(source)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    assert "data race" not in done.stderr


@pytest.mark.skipif(COMPILER is None or shutil.which("nm") is None, reason="gcc or clang and nm are not all here")
def test_a_library_keeps_nothing_that_changes(tmp_path: Path) -> None:
    """There is no symbol of data that may be written."""
    compilation = Compilation("evolution")
    module = compilation.ready(2, choose_options(compilation.summary.options, 2, None))
    source, made = tmp_path / "rules.c", tmp_path / "rules.o"
    found = []
    for more in ("", "static i64 COUNTER;\ni64 rl_next(void) { return ++COUNTER; }\n"):
        source.write_text(with_agents(module).source + more, encoding="ascii")
        subprocess.run([str(COMPILER), "-std=c99", "-w", "-O0", "-c", "-o", str(made), str(source)], check=True)
        said = subprocess.run(["nm", str(made)], capture_output=True, text=True, check=True).stdout
        found.append([line.split()[-1] for line in said.splitlines() if line.split()[-2] in "bBdDC"])
    assert found == [[], ["COUNTER"]]
