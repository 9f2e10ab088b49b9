"""What is stored lies between the bounds it is declared with: sums of it are not tested, others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_exprs, all_statements
from rulelang.compiler.passes.checked_arithmetic import CellRanges, check_arithmetic
from rulelang.runtime.table import choose_options
from tests.fuzz.tiny import write

THINGS = """\
lists:
  pool: {rows: [north, south]}
cards:
  card: {columns: {cost: int}, rows: [{cost: 1, copies: 16}]}
kinds:
  fish:
    of: player
    line: true
    at_most: 4
    attributes: {weight: {is: 2..9, start: 2}, left: {is: maybe int}, owes: {is: int, start: -3}, mate: fish}
zones:
  deck: {holds: card, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
tables:
  marks: {is: int, of: [player, pool]}
state: {start: player, total: int, small: 0..6, wide: number}
"""


def made(folder: Path, routine: str) -> ir.Module:
    rules = f"routine trouble\nroutine other(int n): total = n\nroutine tried(fish f):\n  {routine}\n"
    compilation = Compilation(write(folder / "tiny", rules, things=THINGS))
    module, _ = compilation.lowered(2, choose_options(compilation.summary.options, 2, None))
    return module


@pytest.mark.parametrize(
    ("said", "tested"),
    [
        ("other(small * 1000 + 7)", False),
        ("other(f.weight * small)", False),
        ("other(min(f.weight - 100, total))", False),
        ("other(small + total)", True),
        ("other(wide + 1)", True),
        ("other(f.owes - 1)", True),
        ("other(f.weight + marks[start, north])", True),
    ],
)
def test_sums_are_tested_where_bounds_do_not_tell(said: str, tested: bool, tmp_path: Path) -> None:
    module = made(tmp_path, said)
    check_arithmetic(module)
    calls = [
        expr
        for function in module.functions.values()
        if "tried" in function.name
        for stmt in all_statements(function.body)
        for expr in all_exprs(stmt)
        if isinstance(expr, ir.Call) and module.functions[expr.function].keeps is not None
    ]
    assert bool(calls) == tested


def test_words_lie_where_the_layout_says(tmp_path: Path) -> None:
    layout = made(tmp_path, "total = 1").layout
    words = CellRanges(layout)
    at = {attribute.name: attribute.base for attribute in layout.attributes}
    any_thing = ir.Local("thing")
    assert words.of(at["weight"], any_thing) == (0, 9)  # of nothing, and of what is not in play
    assert words.of(at["weight"] + 1, None) == (0, 9)
    assert words.of(at["left"], any_thing) == (-(2**31), 2**31 - 1)
    assert words.of(at["mate"], any_thing) == (0, 8)
    assert words.of(at["small"], None) == (0, 6)
    assert words.of(at["wide"], None) == (0, 2**31 - 1)
    assert words.of(layout.kinds["fish"].alive, any_thing) == (0, 1)
    assert words.of(0, any_thing) == (-(2**31), 2**31 - 1)  # an address that is worked out
