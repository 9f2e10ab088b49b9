"""Rules that go wrong: the code, the author's line, the text, and the cycle."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.compiler.backends.python.link import PythonProgram
from rulelang.compiler.backends.python.on_demand import OnDemandProgram
from rulelang.compiler.ir import nodes as ir
from tests.backends.machine import CELLS, STACK, C, L, at, enumerator, here, module, plus, program, pure, routine

WORD = 100
LIMITS = ir.Limits(0, 6, False, "body size of crab", here(7))
NUMBERS = enumerator("numbers", "n", ir.ForRange("i", C(0), L("n"), (ir.Yield((L("i"),)),)))


def trouble(made: ir.Module) -> list[Diagnostic]:
    """The diagnostics of the direct and of the resumable mode."""
    found = [*_trouble(program(made)), *_trouble(OnDemandProgram(made))]
    assert found[:2] == found[2:]
    return found[:2]


def _trouble(game: PythonProgram) -> list[Diagnostic]:
    found: list[Diagnostic] = []

    def paused(S: list[int]) -> None:
        options = game.begin(S, None)
        while options:
            options = game.resume(S, None, options[-1])

    run: Callable[[list[int]], None]
    for run in (game.playout, paused):
        with pytest.raises(RuleError) as error:
            run(game.initial)
        found.append(error.value.diagnostic)
    return found


def ask() -> ir.Stmt:
    return ir.Pick(1, C(1), (ir.Source(0, "numbers", (C(2),)),), C(0), "tag", ("x",))


@pytest.mark.parametrize(
    "stmt",
    [
        ir.Store(WORD, None, plus(at(WORD), C(7)), LIMITS),
        ir.Add(WORD, plus(at(WORD), at(WORD)), C(7), LIMITS),
        ir.Add(WORD, None, plus(at(WORD), C(7)), LIMITS),
    ],
)
def test_out_of_range(stmt: ir.Stmt) -> None:
    for found in trouble(module(routine("main", "", ask(), stmt), NUMBERS)):
        assert (found.code, found.span) == ("X601", here(7))
        assert found.message == "body size of crab would become 7, but must be 0 to 6"


@pytest.mark.parametrize(("start", "add", "end"), [(5, 4, 6), (1, -4, 0), (3, 2, 5)])
def test_clamped(start: int, add: int, end: int) -> None:
    clamp = ir.Limits(0, 6, True, "", here(7))
    main = routine(
        "main",
        "",
        ir.Store(WORD, None, C(start)),
        ir.Add(WORD, None, C(add), clamp),
        ir.Store(WORD + 1, None, plus(C(start), at(WORD + 9)), clamp),
        ir.Add(WORD + 1, None, plus(C(add), at(WORD + 9)), clamp),
    )
    game = program(module(main))
    S = game.initial
    game.playout(S)
    assert S[WORD : WORD + 2] == [end, end]


def test_a_fail_statement() -> None:
    main = routine("main", "", ask(), ir.Fail("X601", here(12), "row {0} of {1} is empty", (C(3), L("x"))))
    direct, paused = trouble(module(main, NUMBERS))
    assert paused == Diagnostic("X601", here(12), "row 3 of 1 is empty")
    assert direct.span == here(12)


def test_a_loop_without_end_shows_where_it_is() -> None:
    main = routine("main", "", ask(), ir.CallRoutine("spin", ()))
    spin = routine("spin", "", ir.While(C(1), (ir.Add(WORD, None, C(1)),), budget=True, span=here(3)))
    made = module(main, spin, NUMBERS, limits={"steps": 500, "depth": 20})
    for found in trouble(made):
        assert (found.code, found.span, found.because) == ("X605", here(3), "the running rules were main → spin")


def test_a_chain_without_end_shows_the_cycle() -> None:
    first = routine("horns", "n", ir.CallRoutine("wound", (plus(L("n"), C(1)),)), line=4)
    second = routine("wound", "n", ir.CallRoutine("horns", (L("n"),)), line=5)
    main = routine("main", "", ask(), ir.CallRoutine("horns", (C(0),)))
    for found in trouble(module(main, first, second, NUMBERS)):
        assert found.code == "X606"
        assert found.because in ("the cycle is horns → wound → horns", "the cycle is wound → horns → wound")


def test_a_recursion_that_fans_out_runs_out_of_steps() -> None:
    fan = routine(
        "fan",
        "n",
        ir.Branch(
            ir.Compare("<", L("n"), C(15)), tuple(ir.CallRoutine("fan", (plus(L("n"), C(1)),)) for _ in range(3))
        ),
    )
    made = module(routine("main", "", ask(), ir.CallRoutine("fan", (C(0),))), fan, NUMBERS)
    made.limits["steps"] = 3000
    for found in trouble(made):
        assert (found.code, found.because) == ("X605", "the cycle is fan → fan")


def test_a_value_that_needs_itself() -> None:
    size = pure("size", "s", ir.Return(plus(ir.Call("size", (plus(L("s"), C(1)),)), C(1))), line=9)
    main = routine("main", "", ask(), ir.Store(WORD, None, ir.Call("size", (C(1),))))
    for found in trouble(module(main, size, NUMBERS)):
        assert (found.code, found.span, found.because) == ("X606", here(9), "the cycle is size → size")
    made = module(main, size, NUMBERS)
    made.limits["depth"] = 100_000  # the host's own stack ends first
    for found in trouble(made):
        assert (found.code, found.because) == ("X606", "the cycle is size → size")


def test_depth_is_counted_across_pauses() -> None:
    deep = routine("deep", "", ask(), ir.CallRoutine("deep", ()))
    made = module(routine("main", "", ir.CallRoutine("deep", ())), deep, NUMBERS, size=3000)
    made.limits["depth"] = 50
    direct, paused = trouble(made)
    assert direct == paused
    assert paused.code == "X606"


def test_the_control_stack_is_bounded() -> None:
    deep = routine("deep", "", ask(), ir.CallRoutine("deep", ()), line=6)
    made = module(routine("main", "", ir.CallRoutine("deep", ())), deep, NUMBERS)
    game = program(made)
    S = game.initial
    game.begin(S, None)
    with pytest.raises(RuleError) as error:
        list(iter(lambda: game.resume(S, None, (0, 0)), None))
    found = error.value.diagnostic
    assert (found.code, found.span, found.because) == ("X608", here(6), "the cycle is deep → deep")
    assert len(S) == made.layout.size >= S[CELLS.frame] >= STACK


def test_a_budget_is_per_decision() -> None:
    body = (ask(), *[ir.Tick(here(2))] * 30)
    main = routine("main", "", ir.ForRange("i", C(0), C(20), body))
    made = module(main, NUMBERS, limits={"steps": 40, "depth": 9})
    S = program(made).initial
    program(made).playout(S)
    assert S[CELLS.steps] == 30


def test_a_mistake_of_the_compiler_is_told_the_author_s_line() -> None:
    main = routine("main", "", ir.Store(WORD, None, at(10**9)), line=11)
    game = program(module(main))
    with pytest.raises(IndexError) as error:
        game.playout(game.initial)
    assert error.value.__notes__ == ["in the rules at game.rules:11:1"]
