"""Listing, counting and decoding agree, for enumerators of any shape."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.passes.choice.counting import counter_function, decoder_function
from rulelang.compiler.passes.choice.shapes import shape_of
from tests.backends.machine import C, L, at, enumerator, module, plus, program, routine, same_in_both

ZONES = (20, 30, 40)
FIRST, NEXT = 50, 60  # a chain: first by kind, next by item
MARK = 80  # a word by item
ITEMS = 8
TABLES = {"look": (0, 1, 2, 1, 3, 2, 1, 4, 5)}
ROWS = {"order": ((), (2, 1, 3), (5,), (4, 4))}


def setup(words: list[int]) -> tuple[ir.Stmt, ...]:
    """Three array zones, a chain, and marks, from given numbers."""
    take = iter(words)
    found: list[ir.Stmt] = []
    for zone in ZONES:
        found += [ir.ArrayPush(C(zone), C(1 + next(take) % ITEMS)) for _ in range(next(take) % 6)]
    chain = sorted({1 + next(take) % ITEMS for _ in range(4)})
    found += [
        ir.Store(FIRST, None, C(chain[0])),
        *(ir.Store(NEXT, C(a), C(b)) for a, b in pairwise(chain)),
    ]
    found += [ir.Store(MARK, C(i), C(next(take) % 3)) for i in range(ITEMS + 1)]
    return tuple(found)


words = st.lists(st.integers(0, 1000), min_size=60, max_size=60)


@st.composite
def conditions(draw: st.DrawFn, names: tuple[str, ...]) -> ir.Expr:
    name = L(draw(st.sampled_from(names)))
    return draw(
        st.sampled_from(
            (
                ir.Compare("!=", at(MARK, name), C(0)),
                ir.Arith("&", at(MARK, name), C(1)),
                ir.Arith("&", at(MARK, name), C(2)),
                ir.Compare("<", name, C(4)),
                ir.Compare("==", ir.Arith("%", name, C(2)), C(1)),
                ir.Not(ir.ArrayHas(C(ZONES[1]), name)),
            )
        )
    )


@st.composite
def nests(draw: st.DrawFn, depth: int, names: tuple[str, ...], compels: bool) -> ir.Block:
    """A block of an enumerator with locals `names` at hand; options have two values."""
    block: list[ir.Stmt] = []
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from(("yield", "branch", "range", "array", "distinct", "chain", "table")))
        if kind == "yield" or depth == 0:
            values = (L(draw(st.sampled_from(names))), L(draw(st.sampled_from(names))))
            must = draw(st.none() | conditions(names)) if compels else None
            block.append(ir.Yield(values, must))
        elif kind == "branch":
            inner = draw(nests(depth - 1, names, compels))
            other = draw(st.just(()) | nests(depth - 1, names, compels))
            block.append(ir.Branch(draw(conditions(names)), inner, other))
        else:
            name = f"v{len(names)}"
            deeper = (*names, name)
            inner = draw(nests(depth - 1, deeper, compels))
            if draw(st.integers(0, 9)) == 0:
                inner = (
                    ir.Branch(draw(conditions(deeper)), (draw(st.sampled_from((ir.Continue(), ir.Break()))),)),
                    *inner,
                )
            zone = C(draw(st.sampled_from(ZONES)))
            of_param = plus(ir.Arith("*", L("p"), C(10)), C(10))
            match kind:
                case "range":
                    low = draw(st.sampled_from((C(0), C(2), L(names[-1]))))
                    inner = (ir.Tick(NOWHERE), *inner) if draw(st.booleans()) else inner
                    block.append(ir.ForRange(name, low, C(draw(st.integers(0, 4))), inner))
                case "array":
                    block.append(ir.ForArray(name, zone, inner))
                case "distinct":
                    block.append(ir.ForArray(name, draw(st.sampled_from((zone, of_param))), inner, "look"))
                case "chain":
                    block.append(ir.ForChain(name, at(FIRST), NEXT, inner))
                case _:
                    block.append(ir.ForTable(name, "order", C(draw(st.integers(0, 3))), inner))
    return tuple(block)


@given(nests(3, ("p",), True), words)
@settings(max_examples=150)
def test_list_count_and_decode_agree(body: ir.Block, start: list[int]) -> None:
    found = enumerator("found", "p", *body)
    main = routine(
        "main", "", *setup(start), ir.Pick(1, C(1), (ir.Source(0, "found", (C(1),)),), C(1), "tag", ("a", "b"))
    )
    facts = shape_of(found)
    count = counter_function(found, facts, ROWS)
    made_of = [count]
    if facts.arity:
        made_of.append(replace(decoder_function(found, facts, ROWS, noted=False, whole=False), name="again"))
        made_of.append(replace(decoder_function(found, facts, ROWS, noted=True, whole=False), name="noted"))
    made = module(main, found, *made_of, tables=TABLES, rows=ROWS)
    assert verify(made) == []
    game = program(made)
    S = game.initial
    game.names["DIRECT_"]["main"](S)
    listed: list[tuple[int, ...]] = []
    must = bool(game.names["l_found"](S, listed, 7, 1))
    hoisted = [game.names["distinct_"](S, game_zone(S, zone), TABLES[table]) for zone, table in facts.hoisted]
    pure = game.names["PURE_"]
    number = pure[count.name](S, 1, *hoisted)
    assert (abs(number), number < 0) == (len(listed), must and bool(listed))
    for name, notes in (("again", ()), ("noted", ([],))):
        if facts.arity:
            assert [(7, *pure[name](S, k, *notes, 1, *hoisted)) for k in range(len(listed))] == listed


def test_steps_and_notes_are_counted_apart() -> None:
    """A long inner loop counts the steps of the budget while the outer one notes where its options begin."""
    inner = ir.ForRange("v2", C(0), at(MARK, L("v1")), (ir.Tick(NOWHERE), ir.Yield((L("v1"), L("v2")))))
    body = (ir.ForRange("v1", C(1), C(3), (ir.Branch(ir.Compare("!=", at(MARK, L("v1")), C(0)), (inner,)),)),)
    test_list_count_and_decode_agree.hypothesis.inner_test(body, [2] * 60)


def game_zone(S: list[int], zone: ir.Expr) -> int:
    """The address of a zone expression over the parameter, which is 1."""
    return zone.value if isinstance(zone, ir.Const) else 20


@given(nests(2, ("p",), True), nests(2, ("p",), False), nests(1, ("p",), True), words, st.integers(0, 2))
@settings(max_examples=100)
def test_offers_of_several_sources(
    one: ir.Block, two: ir.Block, three: ir.Block, start: list[int], may_pass: int
) -> None:
    passing = (C(0), C(1), ir.Compare("!=", at(MARK, C(2)), C(0)))[may_pass]
    sources = tuple(ir.Source(i + 3, name, (L("who"),)) for i, name in enumerate(("one", "two", "three", "bare")))
    main = routine(
        "main",
        "",
        *setup(start),
        ir.ForRange(
            "i",
            C(0),
            C(6),
            (
                ir.Set("who", plus(C(1), ir.Arith("%", L("i"), C(3)))),
                ir.Pick(1, C(1), sources, passing, "tag", ("a", "b", "c")),
                ir.Store(MARK, C(0), plus(plus(ir.Arith("*", at(MARK, C(0)), C(7)), L("tag")), plus(L("a"), L("b")))),
                ir.Add(MARK, C(3), C(1)),
                ir.Pick(2, None, sources[:2], C(0), "luck", ("d", "e"), chance=True),
                ir.Store(MARK, C(1), ir.Arith("%", plus(plus(at(MARK, C(1)), L("luck")), L("d")), C(5))),
            ),
        ),
    )
    bare = enumerator("bare", "p", ir.Branch(ir.Compare(">", L("p"), C(1)), (ir.Yield(()),)))
    made = module(
        main,
        enumerator("one", "p", *one),
        enumerator("two", "p", *two),
        enumerator("three", "p", *three),
        bare,
        tables=TABLES,
        rows=ROWS,
    )
    assert verify(made) == []
    same_in_both(made)


def test_three_loops_are_counted_by_their_lengths() -> None:
    inner = ir.ForRange("c", C(0), C(4), (ir.Yield((plus(ir.Arith("*", L("a"), C(10)), L("b")), L("c"))),))
    cubes = enumerator("cubes", "", ir.ForRange("a", C(1), C(4), (ir.ForRange("b", C(2), C(4), (inner,)),)))
    pick = ir.Pick(1, C(1), (ir.Source(0, "cubes", ()),), C(0), "tag", ("x", "y"))
    seen = [ir.Add(100, plus(ir.Arith("*", L("x"), C(4)), L("y")), C(1))]
    made = module(routine("main", "", ir.ForRange("i", C(0), C(200), (pick, *seen))), cubes)
    S, pauses = same_in_both(made)
    assert pauses == 200
    taken = {place for place in range(100, 280) if S[place]}
    assert taken == {100 + 4 * (10 * a + b) + c for a in (1, 2, 3) for b in (2, 3) for c in range(4)}
