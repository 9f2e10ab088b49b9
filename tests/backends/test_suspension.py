"""Routines that pause anywhere: nested, recursive, in every kind of loop, with lists in their frames."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from tests.backends.machine import (
    CELLS,
    SIZE,
    C,
    L,
    at,
    enumerator,
    module,
    next_policy,
    play,
    plus,
    program,
    routine,
    same_in_both,
    visible,
)

HAND = 40  # an array zone
LINE = 60  # column: next in a chain, 0 ends it
OUT = 100


def numbers(name: str = "numbers") -> ir.Function:
    """Options 0 .. n - 1."""
    return enumerator(name, "n", ir.ForRange("i", C(0), L("n"), (ir.Yield((L("i"),)),)))


def ask(n: ir.Expr, target: str, site: int = 1, may_pass: int = 0) -> ir.Pick:
    return ir.Pick(site, C(1), (ir.Source(0, "numbers", (n,)),), C(may_pass), "tag", (target,))


def note(value: ir.Expr) -> ir.Stmt:
    """Mix a value into a running number: the order of what happens shows in it."""
    mixed = ir.Arith("%", plus(ir.Arith("*", at(OUT), C(31)), value), C(1_000_003))
    return ir.Store(OUT, None, mixed)


def loops_module() -> ir.Module:
    """A decision inside each kind of loop, two routines deep, and once with a list kept over it."""
    inner = routine(
        "inner",
        "a b",
        ir.Set("t", plus(L("a"), L("b"))),
        ask(C(3), "x"),
        note(plus(L("t"), L("x"))),
        ir.Branch(
            ir.Compare("==", L("x"), C(2)),
            (ask(C(2), "y", 2), note(L("y")), ir.Return(plus(L("y"), C(10)))),
            (note(C(7)),),
        ),
        ask(plus(L("x"), C(1)), "z", 3),
        ir.Return(L("z")),
    )
    main = routine(
        "main",
        "",
        *(ir.ArrayPush(C(HAND), C(v)) for v in (4, 2, 9)),
        *(ir.Store(LINE, C(i), C(n)) for i, n in ((1, 3), (3, 2), (2, 0))),
        ir.ArrayToList("cards", C(HAND), 5),
        ir.Sort("cards", "c", (ir.SortKey(L("c"), True),)),
        ir.ForRange("i", C(1), C(4), (ir.CallRoutine("inner", (L("i"), C(0)), "r"), note(L("r")))),
        ir.ForChain("s", C(1), LINE, (ir.CallRoutine("inner", (L("s"), C(5)), "r"), note(L("r")))),
        ir.ForArray("c", C(HAND), (ir.CallRoutine("inner", (L("c"), C(1)), None), note(L("c")))),
        ir.ForList(
            "c",
            "cards",
            (
                ir.Branch(ir.Compare("==", L("c"), C(4)), (ir.Continue(),)),
                ask(C(2), "w"),
                note(plus(L("c"), L("w"))),
            ),
        ),
        ir.ForTable("p", "order", C(1), (ir.ForRange("j", C(0), L("p"), (ask(C(4), "v"), note(L("v")))),)),
        ir.Set("k", C(0)),
        ir.While(
            ir.Compare("<", L("k"), C(50)),
            (
                ask(C(5), "v", 4, may_pass=1),
                ir.Branch(ir.Compare("<", L("tag"), C(0)), (ir.Break(),)),
                ir.Set("k", plus(L("k"), plus(L("v"), C(1)))),
                note(L("k")),
            ),
        ),
        ir.ForList("c", "cards", (note(L("c")),)),
    )
    return module(main, inner, numbers(), rows={"order": ((1, 2), (2, 1, 3))})


def test_pauses_in_every_kind_of_loop() -> None:
    S, pauses = same_in_both(loops_module())
    assert pauses > 25
    assert S[CELLS.over] == 1
    assert S[CELLS.decisions] == pauses
    assert S[CELLS.frame] == S[CELLS.site] == 0


def test_a_playout_from_any_paused_state_ends_like_the_game() -> None:
    game = program(loops_module())
    end, _ = play(game)
    S = game.initial
    options = game.begin(S, None)
    while options is not None:
        T = S.copy()
        game.playout(T)
        assert visible(T) == visible(end)
        options = game.resume(S, None, options[next_policy(S, len(options))])


def test_recursion_across_pauses() -> None:
    dig = routine(
        "dig",
        "depth",
        ir.Branch(ir.Compare(">", L("depth"), C(5)), (ir.Return(C(1)),)),
        ir.NewList("seen", 4),
        ir.ForRange("i", C(0), C(2), (
            ask(C(3), "x"),
            ir.Append("seen", L("x")),
            ir.Branch(
                ir.Compare("!=", L("x"), C(0)),
                (ir.CallRoutine("dig", (plus(L("depth"), L("x")),), "below"), ir.Append("seen", L("below"))),
            ),
        )),
        ir.Set("sum", ir.Length("seen")),
        ir.ForList("v", "seen", (ir.Set("sum", plus(L("sum"), L("v"))), note(L("v")))),
        ir.Return(ir.Arith("%", L("sum"), C(97))),
    )  # fmt: skip
    main = routine("main", "", ir.CallRoutine("dig", (C(0),), "r"), note(L("r")))
    made = module(main, dig, numbers())
    S, pauses = same_in_both(made)
    assert made.functions["dig"].recursive
    assert pauses > 5
    assert len(S) == SIZE
