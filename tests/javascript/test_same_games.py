"""Games in Node against those of Python: the words, the options, the log and all that can be asked."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulelang.backends.python.link import PythonProgram
from rulelang.base.errors import RuleError
from rulelang.cli.main import main
from rulelang.compile import Compilation
from rulelang.engine.options import choose_options
from rulelang.engine.rng import game_seed
from tests.javascript.node import module_of, needs_node, run
from tests.native.test_same_games import RULESETS, fresh

pytestmark = needs_node
GAMES, STEPPED, ASKED = 5, 1, 9


class Ear:
    """A host that notes what it hears, as `games.mjs` does."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def open(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append(["open", template, list(args)])

    def line(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append(["line", template, list(args)])

    def close(self) -> None:
        self.heard.append(["close"])

    def curtain(self) -> None:
        self.heard.append(["curtain"])

    def settle(self) -> None:
        self.heard.append(["settle"])

    def curtain_end(self) -> None:
        self.heard.append(["curtain end"])

    def die(self, bound: int) -> int:
        return -1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_same_games(ruleset: str, tmp_path: Path) -> None:
    compilation = Compilation(ruleset)
    players = min(4, compilation.summary.players[1])
    python = compilation.link(players, choose_options(compilation.summary.options, players, None), "python")
    assert isinstance(python, PythonProgram)
    playouts = [game_seed(6, index) for index in range(GAMES)]
    stepped = [game_seed(7, index) for index in range(STEPPED)]
    job = {"playouts": [*map(str, playouts)], "stepped": [*map(str, stepped)], "asked": ASKED}
    found = run(Path(__file__).with_name("games.mjs"), module_of(compilation, players, tmp_path), job=job)
    stack = python.layout.stack
    for index, seed in enumerate(playouts):
        for play, words in ((python.playout, found["playouts"]), (python.sample, found["samples"])):
            S = fresh(python, seed)
            play(S)
            assert words[index] == S, (play, index)
    for seed, seen in zip(stepped, found["stepped"], strict=True):
        S, ear = fresh(python, seed), Ear()
        options = python.begin(S, ear)
        for number in count():
            decision = seen[number]
            assert decision["words"] == S, number
            assert decision["options"] == (options and [*map(list, options)]), number
            assert decision["heard"] == ear.heard, number
            ear.heard.clear()
            if options is None:
                assert len(seen) == number + 1
                break
            if number % ASKED == 0:
                same_answers(python, S, decision, stack)
            options = python.resume(S, ear, options[(number * 7919 + 13) % len(options)])


def same_answers(python: PythonProgram, S: list[int], decision: Any, stack: int) -> None:
    """Questions about a paused game, and a playout from there."""
    seats = range(1, python.layout.players + 1)
    assert decision["again"] == decision["options"]
    assert decision["kept"]
    assert decision["scores"] == [python.score(S, seat) for seat in seats]
    assert decision["tiebreaks"] == [list(python.tiebreak(S, seat)) for seat in seats]
    assert decision["invariants"] == [name for name, _ in python.invariants(S)]
    site = python.sites[S[python.cells.site] - 1]
    expected = []
    for option in python.options(S) or ():
        if option[0] >= 0 and site.actions[option[0]].id in python.module.why:
            action = site.actions[option[0]]
            reasons = python.why(S, action.id, option[1 : 1 + len(action.types)])
            expected.append([[number, list(args)] for number, args in reasons])
    assert decision["why"] == expected
    rest = S.copy()
    python.playout(rest)
    assert decision["rest"][:stack] == rest[:stack]


def test_a_game_that_does_not_end_is_told_alike(tmp_path: Path) -> None:
    compilation = Compilation("evolution")
    python = compilation.link(2, choose_options(compilation.summary.options, 2, None), "python")
    assert isinstance(python, PythonProgram)
    job = {"playouts": [], "stepped": [], "asked": 1, "most": 20}
    found = run(Path(__file__).with_name("games.mjs"), module_of(compilation, 2, tmp_path), job=job)
    python.watch(20, False)
    with pytest.raises(RuleError) as caught:
        python.playout(fresh(python, 5))
    told = caught.value.diagnostic
    assert found["ended"] == [told.code, told.message, told.because, list(told.span)]


def test_dump_prints_the_module(tmp_path: Path) -> None:
    shown = CliRunner().invoke(main, ["dump", "evolution", "--stage", "js", "--players", "2"])
    assert shown.exit_code == 0
    path = tmp_path / "shown.mjs"
    path.write_text(shown.output, encoding="ascii")
    job = {"playouts": ["3"], "stepped": [], "asked": 1}
    compilation = Compilation("evolution")
    expected = run(Path(__file__).with_name("games.mjs"), module_of(compilation, 2, tmp_path), job=job)
    assert run(Path(__file__).with_name("games.mjs"), path, job=job) == expected
