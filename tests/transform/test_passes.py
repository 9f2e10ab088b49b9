"""The passes over the IR: marks, verification, putting in place, frames."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import mark_recursive
from rulelang.compiler.ir.dump import dump
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.ir.walk import callees
from rulelang.compiler.passes.choice.proposal_weights import proposal_weights
from rulelang.compiler.passes.choice.strategy import plan_sampling
from rulelang.compiler.passes.inline import inline_functions
from rulelang.compiler.passes.loops import prune_rows
from rulelang.compiler.passes.suspension import frame_layouts, mark_pausing, stack_words
from tests.backends.machine import C, L, at, enumerator, module, plus, pure, routine

ONE = enumerator("one", "", ir.Yield((C(1),)))
ASK = ir.Pick(1, C(1), (ir.Source(0, "one", ()),), C(1), "tag", ("x",))


def test_marks() -> None:
    made = module(
        routine("main", "", ir.CallRoutine("a", ()), ir.CallRoutine("c", ())),
        routine("a", "", ir.CallRoutine("b", ())),
        routine("b", "", ASK, ir.CallRoutine("a", ())),
        routine("c", "", ir.Pick(1, None, (ir.Source(0, "one", ()),), C(0), "tag", ("x",), chance=True)),
        ONE,
    )
    mark_pausing(made)
    mark_recursive(made)
    assert [f.name for f in made.functions.values() if f.pausing] == ["main", "a", "b"]
    assert [f.name for f in made.functions.values() if f.recursive] == ["a", "b"]


def test_frames_hold_what_surely_has_a_value() -> None:
    made = module(
        routine(
            "main",
            "",
            ir.Set("b", C(1)),
            ir.NewList("items", 3),
            ir.Branch(L("b"), (ir.Set("only_here", C(1)), ir.Set("a", C(2))), (ir.Set("a", C(3)),)),
            ir.ForRange("i", C(0), C(4), (ASK, ir.Set("later", L("x")))),
            ASK,
            ir.Set("c", ir.Arith("+", L("a"), ir.Length("items"))),
        ),
        ONE,
    )
    mark_pausing(made)
    mark_recursive(made)
    frame = frame_layouts(made)["main"]
    slots = [[(s.name, s.offset, s.capacity) for s in p.slots] for p in frame.points.values()]
    # what may still be read: `b` is not, `a` and `items` are after the loop
    assert slots == [
        [("a", 2, None), ("i@at", 3, None), ("i@end", 4, None), ("items", 5, 3)],
        [("a", 2, None), ("items", 3, 3)],
    ]
    assert [p.pc for p in frame.points.values()] == [2, 3]
    assert frame.size == 9
    assert stack_words(made) >= 2 * frame.size


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ((ir.Set("x", L("y")),), "main: 'y' has no value yet in Set"),
        ((ir.Branch(C(1), (ir.Set("x", C(1)),)), ir.Set("y", L("x"))), "main: 'x' has no value yet in Set"),
        ((ir.CallRoutine("none", ()),), "main: no routine function 'none'"),
        ((ir.CallRoutine("helper", ()),), "main: 'helper' takes 1 arguments, not 0"),
        ((ir.CallRoutine("helper", (C(1),), "r"),), "main: 'helper' answers nothing"),
        ((ir.Set("x", ir.Call("helper", (C(1),))),), "main: no pure function 'helper'"),
        ((ir.NewList("l", 0),), "main: list 'l' has no room"),
        ((ir.Append("l", C(1)),), "main: 'l' is no list here"),
        ((ir.NewList("l", 1), ir.Set("l", C(1))), "main: 'l' is a number and a list"),
        ((ir.Break(),), "main: Break outside of a loop"),
        ((ir.Yield(()),), "main: Yield in a routine function"),
        ((ir.Set("x", ir.Table("none", C(1))),), "main: no table 'none'"),
        ((ir.ForTable("x", "none", C(1), ()),), "main: no row 'none'"),
    ],
)
def test_verify_finds(body: ir.Block, problem: str) -> None:
    made = module(routine("main", "", *body), routine("helper", "a", ir.Add(100, None, L("a"))), ONE)
    assert problem in verify(made)


def test_verify_keeps_pure_functions_pure() -> None:
    made = module(routine("main", ""), pure("bad", "", ir.Store(100, None, C(1)), ir.Return(C(1))))
    assert verify(made) == ["bad: Store in a pure function"]


def test_small_values_are_put_in_place() -> None:
    size = pure("size", "s", ir.Return(plus(at(20, L("s")), ir.If(ir.Call("big", ()), C(4), C(0)))))
    made = module(
        routine("main", "", ir.Branch(ir.Compare(">", ir.Call("size", (at(5),)), C(3)), (ir.Add(100, None, C(1)),))),
        pure("big", "", ir.Return(C(0))),
        size,
        pure("loop", "x", ir.Return(plus(ir.Call("loop", (L("x"),)), C(1)))),
        routine("other", "", ir.Store(100, None, ir.Call("loop", (C(1),)))),
    )
    inline_functions(made)
    source = emit(made).source
    assert "    if S[S[5] + 20] > 3:\n        S[100] = S[100] + 1\n" in source
    assert "S[100] = p_loop(S, 1)" in source


def test_dead_code_goes() -> None:
    never = ir.Branch(ir.Logic("and", (L("x"), C(0))), (ir.Store(101, None, C(1)),), (ir.Return(),))
    made = module(routine("main", "", ir.Set("x", C(1)), never, ir.Store(102, None, C(1))))
    inline_functions(made)
    assert made.functions["main"].body == (ir.Set("x", C(1)), ir.Return())


def test_dump() -> None:
    body = (ASK, ir.Add(100, L("s"), plus(L("x"), ir.Not(L("tag")))))
    made = module(routine("main", "", ir.ForChain("s", at(9), 30, body)), ONE)
    mark_pausing(made)
    assert dump(made).startswith(
        """pausing routine main():  # main  game.rules:1:1
    for s along S[9] by S[30 + _]:
        tag, x = pick at 1 by player 1 of [0: one()], pass if 1
        S[100 + s] += x + (not tag)

enumerator one():  # one  game.rules:1:1
    yield (1)
"""
    )


def test_rows_are_filtered_by_what_is_constant() -> None:
    known = ir.Compare("==", ir.Table("kind", L("t")), C(1))
    changing = at(50, L("t"))
    inner: ir.Block = (ir.Yield((L("t"),)),)
    made = module(
        enumerator("one", "c", ir.ForTable("t", "faces", L("c"), (ir.Branch(known, (ir.Branch(changing, inner),)),))),
        enumerator("two", "c", ir.ForTable("t", "faces", L("c"), (ir.Branch(changing, (ir.Branch(known, inner),)),))),
        tables={"kind": (0, 1, 2, 1)},
        rows={"faces": ((), (1, 2), (3,), (2,))},
    )
    prune_rows(made)
    (one,) = made.functions["one"].body
    (two,) = made.functions["two"].body
    assert isinstance(one, ir.ForTable)
    assert isinstance(two, ir.ForTable)
    assert made.rows[one.row] == ((), (1,), (3,), ())
    assert one.body == (ir.Branch(changing, inner),)
    # A test that stands before it may guard the index, so what comes later stays where it is.
    assert two.row == "faces"
    assert made.rows["faces"] == ((), (1, 2), (3,), (2,))


def test_sources_without_an_option_leave_a_decision() -> None:
    known = ir.Compare("==", ir.Table("kind", L("t")), C(7))
    table = ir.ForTable("t", "faces", L("c"), (ir.Branch(known, (ir.Yield((L("t"),)),)),))
    never = enumerator("never", "c", ir.ForArray("x", C(20), (ir.Branch(at(50, L("x")), (table,)),)))
    sources = (ir.Source(0, "never", (C(1),)), ir.Source(1, "one", ()))
    both = ir.Pick(1, C(1), sources, C(1), "tag", ("x",))
    alone = ir.Pick(1, C(1), sources[:1], C(1), "tag", ("x",))
    made = module(
        routine("main", "", ir.Branch(at(9), (both,)), alone),
        never,
        ONE,
        tables={"kind": (0, 1, 2, 1)},
        rows={"faces": ((), (1, 2), (3,), (2,))},
    )
    prune_rows(made)
    assert made.functions["never"].body == ()
    asking, left = made.functions["main"].body
    assert asking == ir.Branch(at(9), (ir.Pick(1, C(1), sources[1:], C(1), "tag", ("x",)),))
    assert left == alone  # a decision without any source is none
    assert verify(made) == []


def test_options_with_cards_are_weighed() -> None:
    dear = ir.ArrayHas(C(40), plus(L("t"), L("a")))
    other = ir.Compare("!=", L("a"), C(2))
    yields: ir.Block = (ir.Yield((L("c"), L("t"), L("a"))),)
    chain = ir.ForChain("a", at(50, L("me")), 60, (ir.Branch(ir.Logic("and", (other, dear)), yields),), at(70, L("me")))
    items = ir.ForTable("t", "faces", L("c"), (chain,))
    hand = ir.ForArray("c", C(20), (items,), "looks")
    begun = ir.Compare(">", at(30), L("me"))
    rows = {"faces": ((), (1, 2), (3,)), "order": ((), (1, 2), (2, 1))}
    found = proposal_weights(enumerator("play", "me", ir.Branch(begun, (hand,))), rows)
    assert found is not None
    assert (found.zone, found.row, found.before, found.size) == (C(20), "faces", (begun,), at(70, L("me")))
    assert (found.tests, found.distinct) == ((other, dear), "looks")
    assert found.inner is not None
    assert (found.inner.params, found.inner.body) == (("me", "c", "t"), (replace(chain, body=yields),))
    # What all owners have, in whatever order.
    theirs = replace(chain, first=at(50, L("q")), length=at(70, L("q")))
    of_all = ir.ForTable("q", "order", L("me"), (theirs,))
    found = proposal_weights(enumerator("p", "me", replace(hand, body=(replace(items, body=(of_all,)),))), rows)
    assert found is not None
    assert found.size == plus(at(71), at(72))
    # A card alone, with nothing to decode.
    found = proposal_weights(enumerator("n", "", ir.ForArray("c", C(20), (ir.Yield((L("c"),)),))), rows)
    assert found is not None
    assert (found.inner, found.row, found.tests) == (None, "", ())
    # Two of the same things, not the same one twice: that is tested when both are drawn.
    twice = ir.Compare("!=", L("b"), L("a"))
    second = replace(chain, name="b", body=(ir.Branch(twice, (ir.Yield((L("c"), L("a"), L("b"))),)),))
    found = proposal_weights(enumerator("two", "me", replace(hand, body=(replace(chain, body=(second,)),))), rows)
    assert found is not None
    assert found.size == ir.Arith("*", at(70, L("me")), at(70, L("me")))
    assert (found.tests, found.distinct) == ((twice,), "looks")
    # What is tested may exclude most; things depend on the card, or go over something without a length.
    unlikely = replace(hand, body=(ir.Branch(ir.Compare("==", L("c"), C(3)), (items,)),))
    of_card = replace(hand, body=(replace(items, body=(replace(chain, first=at(50, L("c"))),)),))
    unknown = replace(hand, body=(replace(items, body=(replace(chain, length=None),)),))
    for body in (unlikely, of_card, unknown, chain, ir.ForArray("c", at(5, L("c")), (ir.Yield((L("c"),)),))):
        assert proposal_weights(enumerator("x", "me", body), rows) is None


def test_every_cycle_is_watched_by_few() -> None:
    made = module(
        routine("main", "", ir.CallRoutine("a", ())),
        routine("a", "", ir.CallRoutine("b", ()), ir.CallRoutine("c", ())),
        routine("b", "", ir.CallRoutine("a", ())),
        routine("c", "", ir.CallRoutine("a", ()), ir.CallRoutine("d", ())),
        routine("d", "", ir.CallRoutine("d", ())),
    )
    mark_recursive(made)
    assert [f.name for f in made.functions.values() if f.recursive] == ["a", "b", "c", "d"]
    assert [f.name for f in made.functions.values() if f.watched] == ["a", "d"]


@pytest.mark.parametrize(
    ("slots", "spaces", "near", "whose", "way"),
    [(8, 4, 2, C(1), "product"), (8, 4, 9, C(1), ""), (10, 36, 1, C(1), ""), (8, 4, 2, L("x"), "")],
)
def test_from_what_is_mostly_not_legal_nothing_is_drawn(
    slots: int, spaces: int, near: int, whose: ir.Expr, way: str
) -> None:
    """What slots, spaces and what lies near one make together is more than can mostly be legal; or it depends on the
    space how much lies near."""
    yields = ir.Yield((L("s"), L("x"), L("y")))
    there = ir.ForTable("y", "near", whose, (yields,))
    here = ir.ForRange("x", C(1), C(spaces + 1), (ir.Branch(at(60, L("x")), (there,)),))
    first = ir.Arith("*", L("me"), C(slots))
    move = enumerator("move", "me", ir.ForRange("s", first, plus(first, C(slots)), (here,)))
    sources = (ir.Source(0, "move", (L("p"),)), ir.Source(1, "move", (L("p"),)))
    pick = ir.Pick(1, L("p"), sources, C(1), "tag", ("a", "b", "c"))
    rows = {"near": ((), *([tuple(range(near))] * spaces))}
    made = module(routine("main", "", ir.Set("p", C(1)), pick), move, rows=rows)
    assert plan_sampling(made)[1].strategies.get(pick, "") == way


def test_what_a_body_mentions_is_kept_with_that_body() -> None:
    one = pure("one", "", ir.Return(ir.Call("two", ())))
    assert callees(one) == {"two"}
    assert callees(one) is callees(one)
    assert callees(replace(one, body=(ir.Return(ir.Call("three", ())),))) == {"three"}
    one.body = ()
    assert callees(one) == set()
