"""A list of all options of a decision, made in one go, has the options of its sources: no more, no fewer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.ir.walk import all_statements, with_blocks
from rulelang.compiler.passes.choice.shapes import FreshNames
from rulelang.compiler.passes.choice.strategy import OptionListing, is_listable, list_options
from tests.backends.machine import C, L, at, enumerator, module, program, routine
from tests.backends.test_enumerators import FIRST, MARK, NEXT, ROWS, TABLES, nests, setup, words

NAMES = ("one", "two", "three")
BEGUN = 90  # a word that switches a source on


def listed(pick: ir.Pick, functions: dict[str, ir.Function]) -> OptionListing:
    return list_options(pick, functions, "all", FreshNames())


def option(tag: int, *values: ir.Expr) -> ir.Stmt:
    return ir.AppendTuple("all", (C(tag), *values))


def as_enumerator(pick: ir.Pick, functions: dict[str, ir.Function]) -> ir.Function:
    """The listing as a function that yields tag and values."""
    found = listed(pick, functions)

    def change(stmt: Any) -> Any:
        if isinstance(stmt, ir.AppendTuple):
            return ir.Yield(stmt.values)
        return with_blocks(stmt, lambda block: tuple(map(change, block)))

    flags = tuple(ir.Set(name, ir.If(test, C(1), C(0))) for name, test in found.flags)
    return enumerator("all", "p", *flags, *map(change, found.block))


@given(nests(2, ("p",), False), nests(2, ("p",), False), nests(2, ("p",), False), words, st.integers(0, 1))
@settings(max_examples=100)
def test_a_list_has_the_options_of_all_sources(
    one: ir.Block, two: ir.Block, three: ir.Block, start: list[int], begun: int
) -> None:
    sources = {
        # Over the same chain as others may go, under a condition.
        "one": (ir.Branch(at(BEGUN), (ir.ForChain("v9", at(FIRST), NEXT, (ir.Yield((L("v9"), L("p"))),)),)), *one),
        "two": (ir.ForChain("v8", at(FIRST), NEXT, (_marked("v8", 1), _marked("v8", 2))), *two),
        "three": (ir.Branch(at(BEGUN), three), *three),
    }
    functions = {name: enumerator(name, "p", *body) for name, body in sources.items()}
    assert all(map(is_listable, functions.values()))
    pick = ir.Pick(1, C(1), tuple(ir.Source(i, n, (L("p"),)) for i, n in enumerate(NAMES)), C(1), "tag", ("a", "b"))
    main = routine("main", "", *setup(start), ir.Store(BEGUN, None, C(begun)))
    made = module(main, *functions.values(), as_enumerator(pick, functions), tables=TABLES, rows=ROWS)
    assert verify(made) == []
    game = program(made)
    S = game.initial
    game.names["DIRECT_"]["main"](S)
    apart: Counter[tuple[int, ...]] = Counter()
    for tag, name in enumerate(NAMES):
        listed: list[tuple[int, ...]] = []
        game.names[f"l_{name}"](S, listed, tag, 1)
        apart += Counter(listed)
    together: list[tuple[int, ...]] = []
    game.names["l_all"](S, together, 0, 1)
    assert Counter(option[1:] for option in together) == apart


def _marked(item: str, bit: int) -> ir.Stmt:
    return ir.Branch(ir.Arith("&", at(MARK, L(item)), C(bit)), (ir.Yield((L(item), C(bit))),))


def _first(found: OptionListing) -> ir.ForChain:
    """The one loop of a listing."""
    return next(s for s in all_statements(found.block) if isinstance(s, ir.ForChain))


def chain(item: str, *body: ir.Stmt) -> ir.ForChain:
    return ir.ForChain(item, at(FIRST), NEXT, body)


def test_loops_over_the_same_things_become_one_that_asks_for_marks_once() -> None:
    one = enumerator("one", "p", ir.Branch(at(5), (chain("a", _marked("a", 1)),)))
    two = enumerator("two", "p", chain("b", _marked("b", 2)))
    three = enumerator("three", "p", chain("c", ir.Yield((L("c"), L("p")))))
    functions = {f.name: f for f in (one, two, three)}
    pick = ir.Pick(1, C(1), tuple(ir.Source(i, n, (C(7),)) for i, n in enumerate(NAMES)), C(1), "tag", ("a", "b"))
    found = listed(pick, functions)
    item = L(_first(found).name)
    marks = at(MARK, item)
    begun = ir.Branch(ir.Logic("and", (ir.Arith("&", marks, C(1)), at(5))), (option(0, item, C(1)),))
    other = ir.Branch(ir.Arith("&", marks, C(2)), (option(1, item, C(2)),))
    asked = ir.Branch(ir.Arith("&", marks, C(3)), (begun, other))
    assert found.flags == ()
    assert found.block == (ir.ForChain(item.name, at(FIRST), NEXT, (option(2, item, C(7)), asked)),)


def test_what_every_item_would_ask_is_asked_before() -> None:
    dear = ir.ArrayHas(C(40), C(3))
    small = ir.Compare("<", at(5), at(6))
    one = enumerator("one", "p", ir.Branch(dear, (chain("a", _marked("a", 1)),)))
    two = enumerator("two", "p", ir.Branch(small, (chain("b", ir.Yield((L("b"), C(2)))),)))
    functions = {f.name: f for f in (one, two)}
    pick = ir.Pick(1, C(1), tuple(ir.Source(i, n, (C(7),)) for i, n in enumerate(NAMES[:2])), C(1), "tag", ("a", "b"))
    found = listed(pick, functions)
    item, flags = L(_first(found).name), tuple(L(name) for name, _ in found.flags)
    assert found.flags == ((flags[0].name, dear), (flags[1].name, small))
    every = ir.Branch(flags[1], (option(1, item, C(2)),))
    few = ir.Branch(ir.Logic("and", (ir.Arith("&", at(MARK, item), C(1)), flags[0])), (option(0, item, C(1)),))
    loop = ir.ForChain(item.name, at(FIRST), NEXT, (every, few))
    assert found.block == (ir.Branch(ir.Logic("or", flags), (loop,)),)


def test_a_loop_that_may_break_off_stays_by_itself() -> None:
    breaks = chain("a", ir.Branch(at(MARK, L("a")), (ir.Break(),)), ir.Yield((L("a"), L("a"))))
    functions = {
        "one": enumerator("one", "", breaks),
        "two": enumerator("two", "", chain("b", ir.Yield((L("b"), C(1))))),
    }
    pick = ir.Pick(1, C(1), (ir.Source(0, "one", ()), ir.Source(1, "two", ())), C(1), "tag", ("a", "b"))
    assert len(listed(pick, functions).block) == 2
