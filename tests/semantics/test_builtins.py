"""Built-in functions are declared once: a row and a lowering make one, and everything that reads the rows knows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowered, Scope, join_guards, lower_through
from rulelang.compiler.lower.expr import builtins
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.definitions import Example, Function, Parameter, Zone
from rulelang.language.semantics.builtins.functions import BESIDE, FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import BEARERS, NAMES
from rulelang.language.semantics.model import INT, ref
from rulelang.testing.scenarios.run import Runner
from rulelang.tools.docs_gen.pages import builtins_page
from tests.spec.pages import Block, lay_out, sections

EVERY = list(FUNCTIONS.values())


def told(rules: str, folder: Path) -> list[Diagnostic]:
    """What is wrong with rules over the garden."""
    where, _ = lay_out([Block("rules", "block.rules", rules, 1, ())], folder)
    one = Compilation(where)
    return [item for phase in (one.read[1], one.declared[1], one.parsed[1], one.typed[1]) for item in phase]


def test_every_row_has_a_lowering_and_every_lowering_a_row() -> None:
    lowered = builtins.BUILTIN_FUNCTIONS.keys() | builtins.BUILTIN_SETS.keys()
    assert FUNCTIONS.keys() - lowered == set(), "each wants a line in FUNCTIONS or SETS of lower/expr/builtins.py"
    assert lowered - FUNCTIONS.keys() == set(), "each wants its row in semantics/builtins/functions.py"
    assert builtins.BUILTIN_SETS.keys() == {row.name for row in EVERY if row.is_set}
    assert not builtins.BUILTIN_FUNCTIONS.keys() & builtins.BUILTIN_SETS.keys()
    assert builtins.BUILTIN_NAMES.keys() == {name for name, row in NAMES.items() if row.type is not None}


@pytest.mark.parametrize("row", EVERY, ids=list(FUNCTIONS))
def test_a_row_is_whole(row: Function) -> None:
    """Type variables are bound before they are used, and what is said of arguments names only what is known then."""
    bound: dict[str, str] = {}
    for param in row.params:
        if param.variable and param.variable not in bound:
            assert param.variable in row.where
            assert param.refused or isinstance(param.type, Zone)
            bound[param.variable] = "snail"
        assert param.why(bound)
        assert set(re.findall(r"\$(\w+)", param.refused)) <= {"function", "found"}
    assert bound.keys() == row.where.keys()
    result = row.result.name
    assert not re.fullmatch("[A-Z]", result) or result in bound
    assert row.doc
    assert row.example.then


@pytest.mark.parametrize("row", EVERY, ids=list(FUNCTIONS))
def test_a_wrong_number_of_arguments_is_told_with_the_parameters(row: Function, tmp_path: Path) -> None:
    if row.several:
        assert not row.takes(0)
        return
    args = ", ".join(["1"] * (len(row.params) + 1))
    (found,) = told(f"value wrong -> int: {row.name}({args})", tmp_path)
    names = ", ".join(p.name for p in row.params)
    assert (found.code, found.message) == (
        "T401", f"`{row.name}` takes ({names}), but {len(row.params) + 1} arguments are given",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("call", "code", "message", "because"),
    [
        ("maybe snail: left_of(p)", "T414", "`left_of` is not defined for a `player`", "only things in a row"),
        ("bool: adjacent(p, s)", "T414", "`adjacent` is not defined for a `player`", "only spaces of a grid"),
        ("bool: adjacent(s, p)", "T400", "expected a `snail`, found a `player`", "compares two of `snail`"),
        ("maybe mood: step(s, 1)", "T414", "a `snail` is not a level of a ladder", "takes a level of a ladder"),
        ("maybe mood: step(s.mood, p)", "T400", "expected a number, found a `player`", "takes a number of levels"),
        ("bool: forbids(s, 1)", "T414", "expected a condition, found a `snail`", "takes a printed condition"),
        ("player: next(s)", "T400", "expected a `player`, found a `snail`", "`next` takes a player"),
        ("int: min(1, s)", "T400", "expected a number, found a `snail`", "`min` compares numbers"),
        ("maybe card: top(box)", "T407", "the box has no top", "out of the game"),
        ("maybe card: top(hand)", "T407", "the owner of `hand` is missing", "each `player` has a zone of this name"),
        (
            "maybe snail: neighbours(s)",
            "T408",
            "`neighbours` gives several things, not a single value",
            "write `x in neighbours(y)`",
        ),
        ("int: count(snail t in neighbours(p))", "T414", "a `player` has no neighbours", "spaces of a grid"),
        ("int: count(snail t in neighbours(s, s))", "T401", "`neighbours` takes (x), but 2 arguments are given", ""),
    ],
)
def test_what_does_not_fit_is_told_once(call: str, code: str, message: str, because: str, tmp_path: Path) -> None:
    (found,) = told(f"value wrong(snail s, player p) -> {call}", tmp_path)
    assert (found.code, found.message) == (code, message)
    assert because in found.because


@pytest.mark.parametrize("condition", ["t.needs if k == dig else u.needs", "(u.needs if k == dig else t.needs)"])
def test_a_condition_is_read_from_a_column(condition: str, tmp_path: Path) -> None:
    """What may be either of two printed conditions has no place in the table that answers."""
    things = Block("yaml", "tools.yaml", FUNCTIONS["forbids"].example.things, 1, ())
    rules = Block("rules", "b.rules", f"value v(tool t, tool u, skill k) -> bool: forbids({condition}, k)\n", 1, ())
    where, _ = lay_out([things, rules], tmp_path)
    (found,) = Compilation(where).typed[1]
    assert (found.code, found.message) == ("T414", "expected a condition that is read from a column")


def test_names_of_functions_are_taken(tmp_path: Path) -> None:
    for row in EVERY:
        if row.name not in QUERIES:  # words of the grammar: these are not read as names at all
            (found,) = told(f"value {row.name}(snail s) -> int: 1", tmp_path / row.name)
            assert (found.code, found.because) == ("N353", f"`{row.name}` is built in")


def test_names_are_taken_and_have_an_example(tmp_path: Path) -> None:
    for name in (*NAMES, *BEARERS):
        found = told(f"value {name}(snail s) -> int: 1", tmp_path / name)
        assert [item.because for item in found if item.code == "N353"] == [f"`{name}` is built in"] or name == "none"
    assert all(row.example is not None and row.example.then for row in NAMES.values())


# ---- a new one


GAP = Function(
    "gap",
    (
        Parameter(
            "x", ref("T"), "only what lies in a row or on a grid has a gap", "`$function` of $found is not known"
        ),
        Parameter("y", ref("T"), "a gap is between two of `$T`"),
    ),
    INT,
    "how many places y lies to the right of x",
    Example("value ahead(snail s, snail t) -> int: gap(s, t)", ("ahead(ada, cleo) == 2", "ahead(cleo, ben) == -1")),
    {"T": BESIDE},
    means="what lies between two things",
    since=2,
)


def _gap(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    (x, g1), (y, g2) = lower_through(e.args[0], scope), lower_through(e.args[1], scope)
    place = builtins.position_function(scope.low, e.args[0].type.name)
    return ir.Arith("-", ir.Call(place, (y,)), ir.Call(place, (x,))), join_guards(g1, g2)


@pytest.fixture
def with_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "gap", GAP)  # type: ignore[arg-type]
    monkeypatch.setitem(builtins.BUILTIN_FUNCTIONS, "gap", _gap)  # type: ignore[arg-type]


@pytest.mark.usefixtures("with_gap")
def test_a_row_and_a_lowering_are_a_function(tmp_path: Path) -> None:
    """The recipe of CONTRIBUTING: checked, run, documented."""
    page = tmp_path / "builtins.md"
    page.write_text(builtins_page(), encoding="utf-8")
    assert "gap(T x, T y) -> int, where T is a grid, or a kind of things in a row" in page.read_text()
    assert "Since language 2." in page.read_text()
    (section,) = [one for one in sections(page) if one.heading == "gap"]
    where, mods = lay_out(section.good, tmp_path)
    runner = Runner(where, mods)
    reports = [runner.run(one) for one in runner.scenarios if one.path.endswith(section.good[-1].file)]
    assert [report.passed for report in reports] == [True]


@pytest.mark.usefixtures("with_gap")
@pytest.mark.parametrize(
    ("rules", "code", "part"),
    [
        ("value v(snail s) -> int: gap(s)", "T401", "`gap` takes (x, y), but 1 argument is given"),
        ("value v(player p) -> int: gap(p, p)", "T414", "`gap` of a `player` is not known"),
        ("value v(snail s, player p) -> int: gap(s, p)", "T400", "a gap is between two of `snail`"),
        ("value v(snail s) -> int: gapp(s, s)", "N356", "did you mean `gap`?"),
        ("value gap(snail s) -> int: 1", "N353", "`gap` is built in"),
    ],
)
def test_its_mistakes_are_told(rules: str, code: str, part: str, tmp_path: Path) -> None:
    (found,) = told(rules, tmp_path)
    assert found.code == code
    assert part in (found.message, found.because, found.hint)
