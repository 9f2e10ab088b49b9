"""Compiling grows as the rules do, and no chain of rules is too long for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

import rulelang
from benchmarks.growth import GAME, write_traits
from benchmarks.rates import ROOT
from rulelang.compiler.backends.native import emit as native
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import mark_recursive
from rulelang.compiler.passes.inline import as_expression
from rulelang.compiler.passes.possible_values import possible_values
from rulelang.compiler.passes.suspension import mark_pausing
from tests.native.machine import needs_compiler
from tests.transform.growing import chain, deck_builder, hooked, nested


def _counted(work: Callable[[], object], events: tuple[str, ...] = ("call",)) -> int:
    """Functions that are called meanwhile: what takes time, on any machine. `c_call`: those of Python itself too."""
    count = 0

    def seen(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in events

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def _calls(compilation: Compilation) -> int:
    """Of compiling a table for both backends."""
    assert compilation.summary.players == (2, 4)

    def work() -> None:
        emit(compilation.ready(3, {}))
        native.emit(compilation.ready(3, {}))

    return _counted(work)


def test_compiling_is_linear_in_the_rules(tmp_path: Path) -> None:
    small, large = (_calls(Compilation(deck_builder(tmp_path / str(n), n))) for n in (10, 40))
    assert large < 4 * small


@pytest.mark.parametrize("made", [hooked, deck_builder])
def test_what_words_can_be_is_worked_out_in_time_linear_in_the_rules(
    made: Callable[[Path, int], Path], tmp_path: Path
) -> None:
    """Restoring a save asks for it. How many locals are looked at counts, so calls of Python itself are counted too."""
    steps = []
    for number in (25, 100):
        module = Compilation(made(tmp_path / str(number), number)).ready(3, {})
        mark_pausing(module)
        mark_recursive(module)
        steps.append(_counted(partial(possible_values, module), ("call", "c_call")))
    assert steps[1] < 4.4 * steps[0], steps


@pytest.mark.parametrize("kind", ["routine", "can", "value", "loop", "asking"])
@pytest.mark.parametrize(
    ("backend", "length"),
    [
        ("python", 400),
        pytest.param("native", 60, marks=needs_compiler),  # a compiler takes its time
        pytest.param("python", 1000, marks=pytest.mark.slow),
        pytest.param("native", 400, marks=[needs_compiler, pytest.mark.slow]),
    ],
)
def test_a_long_chain_of_rules_is_played(kind: str, backend: str, length: int, tmp_path: Path) -> None:
    game = rulelang.load(chain(tmp_path / kind, kind, length))
    state = game.new(players=2, backend=backend)
    if kind == "asking":
        assert state.option_count == 2
    state = game.restore(state.save(), backend)  # with every frame of the chain in it
    if kind == "asking":
        state.play(1)
    assert state.over
    assert state.scores == [length, length]


@pytest.mark.parametrize(("kind", "deepest"), [("loops", 15), ("repeats", 15), ("decisions", 50), ("arguments", 1000)])
@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_what_nests_as_deep_as_may_be_is_played(kind: str, deepest: int, backend: str, tmp_path: Path) -> None:
    game = rulelang.load(nested(tmp_path / kind, kind, deepest))
    state = game.new(players=2, backend=backend)
    while not state.over:
        state.play(0)
    assert state.scores == [1, 0]


@pytest.mark.parametrize(("kind", "deepest"), [("loops", 15), ("repeats", 15), ("decisions", 50)])
def test_what_nests_deeper_is_refused(kind: str, deepest: int, tmp_path: Path) -> None:
    with pytest.raises(rulelang.LoadError, match="S220: this is nested too deeply"):
        rulelang.load(nested(tmp_path / kind, kind, deepest + 1))


@pytest.mark.slow
@pytest.mark.parametrize("in_play", [False, True], ids=["out of play", "in play"])
def test_what_growth_is_measured_with_is_a_game(in_play: bool, tmp_path: Path) -> None:
    """`benchmarks.growth` lays all traits of a game over it once more, under other names."""
    base = ROOT / "rulesets" / GAME
    game = rulelang.load(base, [write_traits(tmp_path / "more", base, in_play)])
    before = rulelang.load(base)
    layout, plain = (found.table(4).program.layout for found in (game, before))
    assert len(layout.lists["trait"]) - 1 == 2 * (len(plain.lists["trait"]) - 1)  # the first stands for none
    assert (len(layout.cards) > len(plain.cards)) == in_play
    assert game.simulate(20, 4, backend="python").decisions > 0


def test_tests_that_follow_each_other_are_not_told_twice_each() -> None:
    """What follows a test that does not end everything is there twice in an expression: of 60 such, without end."""
    one = ir.Branch(ir.Local("a"), (ir.Branch(ir.Local("b"), (ir.Return(ir.Const(1)),)),))
    end = ir.Return(ir.Const(0))
    assert as_expression((one, one, end)) is not None
    assert as_expression((*[one] * 60, end)) is None
