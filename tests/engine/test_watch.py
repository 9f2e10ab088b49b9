"""What is watched while games run by themselves: invariants, their end, and whether the user wants them to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.apps.lab.simulate import simulate
from rulelang.base.errors import RuleError
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from tests.backends.named import BACKENDS
from tests.fuzz.tiny import GAME, write
from tests.native.machine import needs_compiler

ENDLESS = GAME.replace("  main\n", "  rounds until round == 0: main\n", 1)
STUCK = GAME.replace("  main\n", "  rounds until round == 0: total = 1\n", 1)


def game_of(folder: Path, rules: str, game: str = GAME) -> Game:
    return load(write(folder / "tiny", rules, game=game))


def refused(game: Game, backend: str, agents: str | None = None, **more: bool | int) -> tuple[str, str, str]:
    made = None if agents is None else [make_agent(agents), make_agent("random")]
    with pytest.raises(RuleError) as caught:
        game.simulate(30, 2, seed=1, backend=backend, agents=made, **more)  # type: ignore[arg-type]
    found = caught.value.diagnostic
    return found.code, found.message, found.because


@pytest.mark.parametrize("agents", [None, "greedy", "mc:5"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_invariants_are_tested_in_series(backend: str, agents: str | None, tmp_path: Path) -> None:
    rules = "routine trouble: total += 1\ninvariant few: total < 3\n"
    game = game_of(tmp_path, rules)
    code, message, because = refused(game, backend, agents)
    assert (code, message) == ("X607", "the invariant `few` is broken")
    assert because == "`total` is 3"
    made = None if agents is None else [make_agent("greedy"), make_agent("random")]
    assert game.simulate(30, 2, seed=1, backend=backend, agents=made, invariants=False).games == 30


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_invariant_at_the_end_of_a_game(backend: str, tmp_path: Path) -> None:
    game = GAME.replace("  main\n", "  main\n  total = 9\n", 1)
    rules = "routine trouble\ninvariant few: total < 3\n"
    assert refused(game_of(tmp_path, rules, game), backend)[0] == "X607"


@pytest.mark.parametrize(
    ("invariant", "because"),
    [
        ("all(fish f: f.weight <= 2)", "`f` is fish 1, `f.weight` is 3"),
        ("no(fish f where f.weight > small + 2)", "`f` is fish 1, `f.weight` is 3, `small + 2` is 2"),
        ("not any(fish f where f.weight > 2)", "`f` is fish 1, `f.weight` is 3"),
        ("total == 0 and all(player p, fish f of p: light(f))", "`p` is Ana, `f` is fish 1, `light(f)` is false"),
        ("all(fish f: f.weight <= 2 or total > 7)", "`f` is fish 1, `f.weight` is 3; `f` is fish 1, `total` is 0"),
        ("sum(fish f: f.weight) < 4", "`sum(fish f: f.weight)` is 4"),
        ("no(fish f where f.weight > 2) or small > 2", "`small` is 0; `f` is fish 1, `f.weight` is 3"),
    ],
)
def test_what_an_invariant_fails_for(invariant: str, because: str, tmp_path: Path) -> None:
    rules = 'routine trouble:\n  tells "{actor} feeds"\n  for fish f of actor: f.weight += 1\n'
    rules += f"value light(fish f) -> bool: f.weight < 3\ninvariant told: {invariant}\n"
    state = game_of(tmp_path, rules).new(2, seed=1, names=["Ana", "Ben"])
    state.play("go")
    before = state.hash()
    with pytest.raises(RuleError) as caught:
        state.play("go")
    told = caught.value.diagnostic.because
    assert told.split("; the log before it: ")[0].replace("fish 2", "fish 1").replace("Ben", "Ana") == because
    assert "feeds" in told.split("; the log before it: ")[1]
    assert state.hash() == before


@pytest.mark.parametrize("agents", [None, "greedy"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_game_without_end(backend: str, agents: str | None, tmp_path: Path) -> None:
    game = game_of(tmp_path, "routine trouble: total = 1", ENDLESS)
    code, message, because = refused(game, backend, agents, max_decisions=700)
    assert (code, message) == ("X611", "the game does not end: there were 700 decisions")
    assert because.startswith("the game is in round ")
    assert "phase `main`, and player " in because
    assert because.endswith("is asked: choose an action")


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_game_that_loops_in_its_rules(backend: str, tmp_path: Path) -> None:
    assert refused(game_of(tmp_path, "routine trouble", STUCK), backend)[0] == "X605"


def test_other_processes_tell_as_well(tmp_path: Path) -> None:
    game = game_of(tmp_path, "routine trouble: total += 1\ninvariant few: total < 3\n")
    with pytest.raises(RuleError, match="X607"):
        simulate(game, 200, 2, 1, backend="python", jobs=2)
    assert simulate(game, 200, 2, 1, backend="python", jobs=2, invariants=False).games == 200


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals, and times of processes in /proc")
@pytest.mark.parametrize(
    "how", [["--backend", "python"], pytest.param(["--backend", "native"], marks=needs_compiler),
            pytest.param(["--backend", "native", "-a", "mc:2000"], marks=needs_compiler),
            ["--backend", "python", "-j", "2"], pytest.param(["--backend", "native", "-j", "2"], marks=needs_compiler)],
    ids=" ".join,
)  # fmt: skip
def test_who_interrupts_is_heard(how: list[str], tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny", "routine trouble: total = 1", game=ENDLESS)
    load(folder).table(2, None, how[1])  # compiled before
    command = [sys.executable, "-m", "rulelang", "sim", str(folder), "-p", "2", "-n", "100000", *how]
    others = _ended()
    running = subprocess.Popen(
        [*command, "--max-decisions", "1000000000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_heard,
    )
    try:
        time.sleep(4)
        assert running.poll() is None
        taken = _taken(running.pid)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=30)
        assert _ended() - others - taken < 1  # of its own time: a busy machine may take longer
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)  # helpers too, if it has not ended
    assert running.returncode == 2
    assert b"Traceback" not in said


def _heard() -> None:
    """A shell starts what runs in the background deaf to SIGINT, and that is handed on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _ended() -> float:
    """Seconds that processes which were started here, and those that these started, have run until they ended."""
    import resource  # not on every system

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _taken(group: int) -> float:
    """Seconds that the processes of a group have run so far."""
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            _, _, group_of, *rest = place.read_text().rpartition(") ")[2].split()
            if int(group_of) == group:
                ticks += int(rest[8]) + int(rest[9])
    return ticks / os.sysconf("SC_CLK_TCK")
