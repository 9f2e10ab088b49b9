"""What waits as plain statements, and what lists its options."""

from __future__ import annotations

import pytest

from rulelang.compiler.backends.unit import Unit
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.dump import dump_function
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.ir.walk import all_statements
from rulelang.runtime.table import choose_options
from tests.backends.machine import CELLS, C, L, enumerator, module, plus, program, routine
from tests.backends.test_suspension import loops_module
from tests.transform.test_pipeline import RULESETS


def little() -> ir.Module:
    """A routine that waits twice: for one that it calls, in a loop, and for a decision behind that."""
    numbers = enumerator("numbers", "n", ir.ForRange("i", C(0), L("n"), (ir.Yield((L("i"),)),)))
    inner = routine("inner", "", ir.Stop(2), ir.Return(C(4)))
    main = routine(
        "main",
        "",
        ir.Set("k", C(2)),
        ir.Set("r", C(0)),
        ir.While(L("k"), (ir.Set("k", ir.Arith("-", L("k"), C(1))), ir.CallRoutine("inner", (), "r"))),
        ir.Pick(1, C(1), (ir.Source(0, "numbers", (plus(L("r"), C(1)),)),), C(1), "tag", ("x",)),
        ir.Store(100, None, L("x")),
    )
    return module(main, inner, numbers)


def test_a_routine_that_waits() -> None:
    unit = Unit(little())
    shown = dump_function(unit.waiting["main"]).split("\n")[1:]
    stack = [line for line in shown if " + @sp]" in line or line.endswith("= @sp")]
    loop = shown.index("    if @pc <= 2:")
    assert shown[loop + 1].strip() == "while @pc or k:"
    assert "                if @pc == 2:" not in shown  # it is the last point of the loop: nothing else is left
    frame = [line.strip() for line in stack if f"S[{CELLS.frame}]" not in line]
    assert frame[:4] == ["S[0 + @sp] = 2", "S[2 + @sp] = k", "S[3 + @sp] = r", "S[5 + @sp] = @sp"]
    assert frame[4:] == ["k = S[2 + @sp]", "r = S[3 + @sp]", "S[0 + @sp] = 3", "S[2 + @sp] = r", "r = S[2 + @sp]"]
    points = [s.pc for s in all_statements(unit.waiting["main"].body) if isinstance(s, ir.Point)]
    assert points == [2, 3]
    assert not any(isinstance(s, (ir.Pick, ir.Stop)) for s in all_statements(unit.waiting["main"].body))


def test_a_lister_takes_what_the_options_depend_on() -> None:
    unit = Unit(little())
    decision = unit.decisions[3]
    assert decision.lister.params == ("r",)
    assert dump_function(decision.lister).split("\n")[1:] == ["    tell 0: numbers(r + 1)", "    yield (-1)"]
    again = dump_function(decision.relister).split("\n")[1:]
    assert again == ["    r = S[2 + @sp]", "    @n = options of main@3(r)", "    pause"]


def test_asking_for_options_enters_no_routine() -> None:
    game = program(loops_module())
    S = game.initial
    options = game.begin(S, None)
    entered = game.points
    while options is not None:
        game.points = []
        assert game.options(S) == options
        game.points = entered
        options = game.resume(S, None, options[0])


@pytest.mark.parametrize("ruleset", sorted(folder.name for folder in RULESETS.iterdir()))
def test_what_lists_is_well_formed(ruleset: str) -> None:
    compilation = Compilation(RULESETS / ruleset)
    made = Unit(compilation.ready(4, choose_options(compilation.summary.options, 4, None))).module
    wrong = verify(made)
    listers = {name for name, function in made.functions.items() if function.kind in ("lister", "relister")}
    assert len(listers) > 4
    assert not [text for text in wrong if text.partition(":")[0] in listers]
