"""The shipped rulesets play the same games on both backends, word for word."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from itertools import count

import pytest

from rulelang.api import load
from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.compiler.backends.python.link import PythonProgram
from rulelang.data.folders import shipped_rulesets_dir
from rulelang.runtime.rng import game_seed, policy_seed, seed_words
from tests.native.machine import needs_compiler

pytestmark = [needs_compiler, pytest.mark.usefixtures("as_users")]
#: How many games of each ruleset: in the quick tests, and driven decision by decision in the slow one.
GAMES = int(os.environ.get("RULELANG_SAME_GAMES", "10"))
MANY = int(os.environ.get("RULELANG_SAME_DECISIONS", "2000"))
PIECE = 100  # games of one case of the slow test, so that every core has some
RULESETS = sorted(path.name for path in shipped_rulesets_dir().iterdir() if path.is_dir())


@cache
def programs(ruleset: str) -> tuple[NativeProgram, PythonProgram]:
    game = load(ruleset)
    players = min(4, game.players[1])
    native, python = (game.table(players, None, backend).program for backend in ("native", "python"))
    assert isinstance(native, NativeProgram)
    assert isinstance(python, PythonProgram)
    return native, python


def fresh(program: PythonProgram, seed: int) -> list[int]:
    S, cells = program.initial, program.layout.cells
    S[cells.rng_x], S[cells.rng_c] = seed_words(seed)
    S[cells.policy_x], S[cells.policy_c] = seed_words(policy_seed(seed))
    return S


class Ear:
    """A host that notes what it hears, and the words as they are then."""

    def __init__(self, words: list[int], stack: int) -> None:
        self.words, self.stack = words, stack
        self.heard: list[tuple[object, ...]] = []

    def open(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append(("open", template, args, hash(tuple(self.words[: self.stack]))))

    def line(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append(("line", template, args, hash(tuple(self.words[: self.stack]))))

    def close(self) -> None:
        self.heard.append(("close",))

    def curtain(self) -> None:
        self.heard.append(("curtain",))

    def settle(self) -> None:
        self.heard.append(("settle",))

    def curtain_end(self) -> None:
        self.heard.append(("curtain end",))

    def die(self, bound: int) -> int:
        return -1


def same_playouts(ruleset: str, seeds: Sequence[int]) -> None:
    native, python = programs(ruleset)
    stack = native.layout.stack
    for seed in seeds:
        S = fresh(python, seed)
        T = S.copy()
        native.playout(S)
        python.playout(T)
        assert S[:stack] == T[:stack], seed


def same_decisions(ruleset: str, games: Sequence[int], asked: int) -> None:
    """Driven by the same choices: the whole array, the options and the log after every decision; at one decision in
    `asked` also what can be asked about the game."""
    native, python = programs(ruleset)
    stack = native.layout.stack
    for index in games:
        S = fresh(python, game_seed(11, index))
        T = S.copy()
        hears = index % 10 == 0
        one, other = (Ear(S, stack), Ear(T, stack)) if hears else (None, None)
        options, expected = native.begin(S, one), python.begin(T, other)
        for number in count():
            assert S == T, (index, number)
            assert options == expected, (index, number)
            assert one is None or other is None or one.heard == other.heard, (index, number)
            if options is None:
                break
            choice = game_seed(index, number)
            if choice // 1000 % asked == 0:
                same_answers(native, python, S)
            option = options[choice % len(options)]
            options, expected = native.resume(S, one, option), python.resume(T, other, option)


def same_answers(native: NativeProgram, python: PythonProgram, S: list[int]) -> None:
    """Questions about a paused game, and a playout from there."""
    before, stack = S.copy(), native.layout.stack
    assert native.options(S) == python.options(S)
    for player in range(1, native.layout.players + 1):
        assert native.score(S, player) == python.score(S, player)
        assert native.tiebreak(S, player) == python.tiebreak(S, player)
    assert native.invariants(S) == python.invariants(S)
    site = native.sites[S[native.cells.site] - 1]
    for option in native.options(S) or ():
        if option[0] >= 0 and site.actions[option[0]].id in native.module.why:
            action = site.actions[option[0]].id
            args = option[1 : 1 + len(site.actions[option[0]].types)]
            assert native.why(S, action, args) == python.why(S, action, args)
    assert before == S
    T = S.copy()
    U = S.copy()
    native.playout(T)
    python.playout(U)
    assert T[:stack] == U[:stack]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_playouts(ruleset: str) -> None:
    same_playouts(ruleset, [game_seed(5, i) for i in range(GAMES)])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_decisions(ruleset: str) -> None:
    same_decisions(ruleset, range(GAMES // 5), asked=50)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY, PIECE))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_many_decisions(ruleset: str, first: int) -> None:
    same_decisions(ruleset, range(first, min(first + PIECE, MANY)), asked=1000)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_series(ruleset: str) -> None:
    """Many games played inside of the library are those that Python plays one by one."""
    game = load(ruleset)
    players = min(4, game.players[1])
    one, other = (game.simulate(GAMES, players, seed=8, backend=backend) for backend in ("native", "python"))
    assert one.points == other.points
    assert (one.wins, one.rounds, one.decisions) == (other.wins, other.rounds, other.decisions)
    assert one.forced == other.forced
