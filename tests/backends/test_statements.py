"""Expressions and statements against a plain reading of what the IR says, also after the simplifying passes."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.passes.inline import inline_functions
from tests.backends.machine import C, L, at, module, plus, program, pure, routine

OPS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
WORDS = 100  # ten words with values -4 .. 5, at 100 ..
ZONE = 120
TABLE = (3, 1, 4, 1, 5)
LOCALS = {"a": 3, "b": 0, "c": -2}
PURES = {
    "half": pure("half", "x", ir.Return(ir.Arith("//", L("x"), C(2)))),
    "same": pure("same", "x y", ir.Return(ir.Compare("==", L("x"), L("y")))),
    "sign": pure(
        "sign",
        "x",
        ir.Branch(ir.Compare("<", L("x"), C(0)), (ir.Return(C(-1)),)),
        ir.Return(ir.If(L("x"), C(1), C(0))),
    ),
}


def value(expr: ir.Expr, env: dict[str, int], S: list[int]) -> int:
    """What the IR says an expression is."""

    def of(part: ir.Expr) -> int:
        return value(part, env, S)

    match expr:
        case ir.Const(number):
            return number
        case ir.Local(name):
            return env[name]
        case ir.Cell(base, index):
            return S[base + (0 if index is None else of(index))]
        case ir.Table(_, index):
            return TABLE[of(index)]
        case ir.Arith(op, left, right) | ir.Compare(op, left, right):
            return int(OPS[op](of(left), of(right)))
        case ir.MinMax(kind, args):
            return (min if kind == "min" else max)(map(of, args))
        case ir.Logic(op, parts):
            return int((all if op == "and" else any)([of(p) != 0 for p in parts]))
        case ir.Not(operand):
            return int(of(operand) == 0)
        case ir.If(test, then, otherwise):
            return of(then) if of(test) else of(otherwise)
        case ir.ArrayHas(zone, item):
            start = of(zone)
            return int(of(item) in S[start + 1 : start + 1 + S[start]])
        case ir.Call("half", (arg,)):
            return of(arg) // 2
        case ir.Call("same", (left, right)):
            return int(of(left) == of(right))
        case ir.Call("sign", (arg,)):
            return (of(arg) > 0) - (of(arg) < 0)
        case _:
            raise AssertionError(expr)


def bounded(part: ir.Expr, size: int) -> ir.Expr:
    return ir.Arith("%", part, C(size))


def combine(inner: st.SearchStrategy[ir.Expr]) -> st.SearchStrategy[ir.Expr]:
    many = st.lists(inner, min_size=0, max_size=3).map(tuple)
    return st.one_of(
        st.builds(ir.Arith, st.sampled_from(["+", "-", "*", "&", "|", "^"]), inner, inner),
        st.builds(lambda op, a, n: ir.Arith(op, a, C(n)), st.sampled_from(["//", "%"]), inner, st.integers(1, 5)),
        st.builds(ir.Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), inner, inner),
        st.builds(ir.MinMax, st.sampled_from(["min", "max"]), st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(ir.Logic, st.sampled_from(["and", "or"]), many),
        st.builds(ir.Not, inner),
        st.builds(ir.If, inner, inner, inner),
        st.builds(lambda part: at(WORDS, bounded(part, 10)), inner),
        st.builds(lambda part: ir.Table("digits", bounded(part, 5)), inner),
        st.builds(lambda part, item: ir.ArrayHas(plus(bounded(part, 1), C(ZONE)), item), inner, inner),
        st.builds(lambda part: ir.Call("half", (part,)), inner),
        st.builds(lambda one, two: ir.Call("same", (one, two)), inner, inner),
        st.builds(lambda part: ir.Call("sign", (part,)), inner),
    )


leaves: st.SearchStrategy[ir.Expr] = st.one_of(
    st.builds(ir.Const, st.integers(-4, 6)),
    st.builds(ir.Local, st.sampled_from(sorted(LOCALS))),
    st.builds(lambda i: at(WORDS + i), st.integers(0, 9)),
)
exprs = st.recursive(leaves, combine, max_leaves=12)


@given(exprs)
@settings(max_examples=400)
def test_expressions(expr: ir.Expr) -> None:
    start = routine("main", "")
    number = pure("number", "a b c", ir.Return(expr))
    test = pure("test", "a b c", ir.Branch(expr, (ir.Return(C(5)),)), ir.Return(C(6)))
    made = module(start, number, test, *PURES.values(), tables={"digits": TABLE})
    assert verify(made) == []
    S = made.initial
    S[WORDS : WORDS + 10] = [1, -4, 0, 5, 2, -1, 3, 0, 4, 1]
    S[ZONE : ZONE + 4] = [3, 2, 0, -1]
    wanted = value(expr, LOCALS, S)
    for _ in range(2):
        game = program(made)
        found = game.names["PURE_"]["number"](S, *LOCALS.values())
        if "number" not in game.names["TRUTHS_"]:
            assert type(found) is int
        assert game.pure(S, "number", (*LOCALS.values(),)) == wanted
        assert game.pure(S, "test", (*LOCALS.values(),)) == (5 if wanted else 6)
        inline_functions(made)
        assert verify(made) == []


def run(*body: ir.Stmt, words: dict[int, int] | None = None, **more: object) -> list[int]:
    made = module(routine("main", "", *body), **more)
    assert verify(made) == []
    S = made.initial
    for place, word in (words or {}).items():
        S[place] = word
    program(made).playout(S)
    return S


def zone(start: int, items: list[int]) -> dict[int, int]:
    return {start: len(items)} | {start + 1 + i: item for i, item in enumerate(items)}


def items(S: list[int], start: int) -> list[int]:
    return S[start + 1 : start + 1 + S[start]]


A, B, WHERE = 60, 80, 100


def test_array_pushes_and_drops() -> None:
    S = run(
        ir.Set("z", C(A)),
        ir.ArrayPush(L("z"), C(5)),
        ir.ArrayPush(C(A), C(6), bottom=True),
        ir.ArrayPush(plus(L("z"), C(0)), C(7)),
        ir.ArrayDrop(ir.MinMax("max", (L("z"), C(0))), C(5)),
        words=zone(A, [1, 2]),
    )
    assert items(S, A) == [6, 1, 2, 7]


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_array_draw_takes_the_top_first(count: int) -> None:
    S = run(
        ir.Store(WHERE + 20, None, C(count)),
        ir.ArrayDraw(C(A), C(B), C(count), WHERE, C(8)),
        ir.ArrayDraw(C(B), C(A), at(WHERE + 20), WHERE, C(9)),
        ir.ArrayDraw(C(A), C(B), at(WHERE + 20), WHERE, C(8)),
        words=zone(A, [1, 2, 3, 4]) | zone(B, [5]),
    )
    assert items(S, A) == [1, 2, 3, 4][: 4 - count]
    assert items(S, B) == [5, *[4, 3, 2, 1][:count]]
    assert S[WHERE + 1 : WHERE + 6] == [8 if i > 4 - count else 0 for i in range(1, 5)] + [0]


@pytest.mark.parametrize(("bottom", "wanted"), [(False, [5, 6, 1, 2, 3]), (True, [1, 2, 3, 5, 6])])
def test_all_of_a_zone_onto_another(bottom: bool, wanted: list[int]) -> None:
    S = run(
        ir.ArrayAppendAll(C(A), C(B), WHERE, C(4), bottom),
        words=zone(A, [1, 2, 3]) | zone(B, [5, 6]),
    )
    assert (items(S, A), items(S, B)) == ([], wanted)
    assert S[WHERE + 1 : WHERE + 7] == [4, 4, 4, 0, 0, 0]


def test_a_shuffle_is_a_fair_fisher_yates_of_the_game_s_generator() -> None:
    shuffled = run(ir.ArrayShuffle(C(A)), words=zone(A, [1, 2, 3, 4, 5]))
    by_hand = run(
        ir.Set("i", C(5)),
        ir.While(
            ir.Compare(">", L("i"), C(1)),
            (
                ir.Random("k", L("i")),
                ir.Set("v", at(A, L("i"))),
                ir.Store(A, L("i"), at(A + 1, L("k"))),
                ir.Store(A + 1, L("k"), L("v")),
                ir.Set("i", ir.Arith("-", L("i"), C(1))),
            ),
        ),
        words=zone(A, [1, 2, 3, 4, 5]),
    )
    assert shuffled == by_hand
    assert items(shuffled, A) != [1, 2, 3, 4, 5]


def test_lists_are_sorted_cut_and_kept() -> None:
    key = ir.Arith("%", L("x"), C(10))
    S = run(
        ir.ArrayToList("l", C(A), 9),
        ir.Sort("l", "x", (ir.SortKey(key, True), ir.SortKey(at(WHERE, L("x")), False))),
        ir.ForList("x", "l", (ir.ArrayPush(C(B), L("x")),)),
        ir.TakeAt("l", C(1)),
        ir.Append("l", C(42)),
        ir.Store(WHERE + 90, None, plus(ir.Length("l"), ir.Item("l", C(1)))),
        words=zone(A, [12, 25, 31, 45, 5]) | {WHERE + 25: 2, WHERE + 45: 1, WHERE + 5: 3},
    )
    assert items(S, B) == [45, 25, 5, 12, 31]
    assert S[WHERE + 90] == 5 + 5


def test_a_row_may_be_chosen_by_a_value_and_a_word_filled() -> None:
    S = run(
        ir.Set("i", C(1)),
        ir.ForTable("p", "order", L("i"), (ir.Fill(WHERE, 2, 7, L("p")), ir.Add(WHERE + 20, None, L("p")))),
        ir.Fill(WHERE + 30, 40, 1),
        ir.Fill(WHERE + 30, 1),
        rows={"order": ((1,), (3, 5))},
    )
    assert S[WHERE + 3 : WHERE + 7] == [7, 7, 7, 7]
    assert S[WHERE + 20] == 8
    assert S[WHERE + 30 : WHERE + 71] == [0, *[1] * 39, 0]


def test_names_that_python_keeps_for_itself() -> None:
    names = ["if", "S", "len", "pc", "tag_", "d_x", "None", "x@at", "T_a", "näme", "print"]
    S = run(
        *(ir.Set(name, C(i)) for i, name in enumerate(names)),
        *(ir.Store(WHERE, C(i), L(name)) for i, name in enumerate(names)),
    )
    assert S[WHERE : WHERE + len(names)] == list(range(len(names)))
