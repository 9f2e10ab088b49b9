"""The Node process behind the backend: it hears hosts, ends with Python, comes back, and is missed in one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulelang import load
from rulelang.backends.javascript.link import JavaScriptProgram
from rulelang.backends.javascript.node import find_node, running
from rulelang.base.errors import BuildError, RuleError
from rulelang.cli.main import main
from rulelang.engine.rng import game_seed
from rulelang.engine.state import State
from rulelang.ir import nodes as ir
from tests.backends.machine import C, L, enumerator, module, plus, pure, routine
from tests.javascript.machine import javascript
from tests.javascript.node import needs_node
from tests.native.test_same_games import Ear, fresh

pytestmark = needs_node
ROOT = Path(__file__).resolve().parents[2]


def program() -> JavaScriptProgram:
    found = load("evolution").table(3, None, "javascript").program
    assert isinstance(found, JavaScriptProgram)
    return found


def test_a_host_sees_the_words_as_they_are() -> None:
    """Whole games against Python: options, words, what the host heard and what it saw at each event."""
    one, other = program(), load("evolution").table(3).program
    for seed in (1, 2):
        S, stack = fresh(one, seed), one.layout.stack  # type: ignore[arg-type]
        T = S.copy()
        ear, heard = Ear(S, stack), Ear(T, stack)
        found, expected = one.begin(S, ear), other.begin(T, heard)
        number = 0
        while True:
            assert (S, found, ear.heard) == (T, expected, heard.heard), (seed, number)
            if found is None:
                break
            option = found[game_seed(seed, number) % len(found)]
            found, expected = one.resume(S, ear, option), other.resume(T, heard, option)
            number += 1


class Curious(Ear):
    """A host that asks the program while it runs, or raises what it was given."""

    def __init__(self, game: JavaScriptProgram, words: list[int], raised: BaseException | None = None) -> None:
        super().__init__(words, game.layout.stack)
        self.game, self.raised, self.scores = game, raised, list[int]()

    def line(self, template: int, args: tuple[int, ...]) -> None:
        if self.raised is not None:
            raise self.raised
        self.scores.append(self.game.score(self.words, 1))

    open = line


def test_a_host_may_ask_while_rules_run() -> None:
    game = program()
    S = fresh(game, 5)  # type: ignore[arg-type]
    host = Curious(game, S)
    options = game.begin(S, host)
    assert options is not None
    assert options == game.options(S)
    assert host.scores


@pytest.mark.parametrize("raised", [ZeroDivisionError("of a host"), KeyboardInterrupt()])
def test_what_a_host_raises_comes_through(raised: BaseException) -> None:
    game = program()
    S = fresh(game, 5)  # type: ignore[arg-type]
    node = running()
    with pytest.raises(type(raised)) as caught:
        game.begin(S, Curious(game, S, raised))
    assert caught.value is raised
    assert running() is node
    assert game.begin(fresh(game, 5), None) is not None  # type: ignore[arg-type]


def test_node_that_ended_is_told_and_comes_back() -> None:
    class Killer(Ear):
        def line(self, template: int, args: tuple[int, ...]) -> None:
            old.process.kill()

        open = line

    game = program()
    old = running()
    S = fresh(game, 5)  # type: ignore[arg-type]
    with pytest.raises(BuildError, match=r"Node ended while it played \(exit status -9\)"):
        game.begin(S, Killer(S, game.layout.stack))
    assert game.begin(fresh(game, 5), None) is not None  # type: ignore[arg-type]
    assert running() is not old


def test_more_than_a_pipe_holds() -> None:
    many = enumerator("many", "", ir.ForRange("i", C(0), C(60_000), (ir.Yield((L("i"),)),)))
    main = routine("main", "", ir.Pick(1, C(1), (ir.Source(0, "many", ()),), C(0), "tag", ("x",)))
    game = javascript(module(main, many, size=200_000))
    S = game.initial
    for _ in range(3):
        found = game.begin(S, None)
        assert found == [(0, i) for i in range(60_000)]
        S = game.initial


def test_threads_take_turns() -> None:
    game = program()

    def play(seed: int) -> list[int]:
        S: list[int] = fresh(game, seed)  # type: ignore[arg-type]
        options = game.begin(S, None)
        for _ in range(10):
            assert options is not None
            options = game.resume(S, None, options[-1])
        game.playout(S)
        return S

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(8))) == [play(seed) for seed in range(8)]


def test_processes_that_help_have_one_of_their_own() -> None:
    game = load("evolution")
    expected = game.simulate(60, 2, seed=3, backend="python")
    found = game.simulate(60, 2, seed=3, backend="javascript", jobs=2)
    assert (found.points, found.decisions) == (expected.points, expected.decisions)


def test_a_long_chain_of_rules() -> None:
    """The budget of the rules is the limit, not the usual stack of V8."""
    deeper = ir.Return(plus(ir.Call("down", (plus(L("n"), C(-1)),)), C(1)))
    down = pure("down", "n", ir.Branch(L("n"), (deeper,)), ir.Return(C(0)))
    made = module(routine("main", ""), down)
    made.limits["depth"] = 30_000
    game = javascript(made)
    assert game.pure(game.initial, "down", (30_000,)) == 30_000
    with pytest.raises(RuleError) as caught:
        game.pure(game.initial, "down", (30_001,))
    found = caught.value.diagnostic
    assert (found.code, found.because) == ("X606", "they go round: down → down")


SCRIPT = """
import sys, time
from rulelang import load
from rulelang.backends.javascript.node import running
game = load("evolution")
game.new(2, 1, backend="javascript")
print(running().process.pid, flush=True)
if sys.argv[1] == "endless":  # it is still at work when its end comes
    running().ask({"do": "load", "text": "for (;;) { }"})
time.sleep(60 if sys.argv[1] == "killed" else 0)
"""


@pytest.mark.parametrize("how", ["done", "killed", "endless"])
def test_node_ends_with_python(how: str) -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT, how], cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        pid = int(running.stdout.readline())
        if how != "done":
            time.sleep(0.5)
            running.send_signal(signal.SIGKILL)
    end = time.monotonic() + 20
    while _lives(pid):
        assert time.monotonic() < end, "Node is still there"
        time.sleep(0.1)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize("arguments", [("sim", "evolution", "-n", "1"), ("test", str(ROOT / "rulesets/evolution"))])
def test_a_missing_node_is_told(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    find_node.cache_clear()
    monkeypatch.setattr("rulelang.backends.javascript.node._running", [])
    result = CliRunner().invoke(main, [*arguments, "--backend", "javascript"])
    assert result.exit_code == 2
    (told, advice) = result.output.strip().splitlines()
    assert "Node was not found: the JavaScript backend needs Node 18 or newer" in told
    assert "--backend python" in advice


def test_an_old_node_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old: Any = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v12.22.9\n", encoding="ascii")
    old.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    find_node.cache_clear()
    with pytest.raises(BuildError, match=r"needs Node 18 or newer, and .* is 12\.22\.9"):
        find_node()
    find_node.cache_clear()


def test_playing_and_watching(tmp_path: Path) -> None:
    """`play` goes the same way on every backend, from a saved game too."""
    saved = tmp_path / "game.json"
    watched = [
        CliRunner().invoke(main, ["play", "evolution", "--bots", "2", "--seed", "3", "--backend", name]).output
        for name in ("python", "javascript")
    ]
    assert watched[0] == watched[1]
    state: State = load("evolution").new(2, 3)
    saved.write_bytes(state.save())
    loaded = [
        CliRunner().invoke(main, ["play", "evolution", "--bots", "2", "--load", str(saved), "--backend", name]).output
        for name in ("python", "javascript")
    ]
    assert loaded[0] == loaded[1] != ""
