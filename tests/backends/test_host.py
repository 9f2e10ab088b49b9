"""What a program does with its host: the log, the curtain, fixed dice, calls from outside, questions."""

from __future__ import annotations

import marshal
from dataclasses import replace

import pytest

from rulelang.base.errors import EnsureFailed
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import compile_source, link
from rulelang.compiler.ir import nodes as ir
from tests.backends.machine import (
    CELLS,
    STACK,
    C,
    L,
    Listener,
    at,
    enumerator,
    function,
    here,
    module,
    play,
    plus,
    program,
    pure,
    routine,
    same_in_both,
    visible,
)

WORD, SUM, DIE = 100, 101, 102


def options(name: str, *values: int) -> ir.Function:
    return enumerator(name, "", *(ir.Yield((C(v),)) for v in values))


def talking_module() -> ir.Module:
    roll = routine("roll", "", ir.Random("k", C(6), die=True), ir.Store(DIE, None, L("k")), ir.Log(1, (L("k"),)))
    nested = routine(
        "nested",
        "n",
        ir.Log(2, (L("n"),), opens=True),
        ir.Pick(1, C(2), (ir.Source(0, "pair", ()),), C(0), "tag", ("x",)),
        ir.Add(SUM, None, plus(L("x"), L("n"))),
        ir.LogEnd(),
    )
    main = routine(
        "main",
        "",
        ir.CallRoutine("roll", ()),
        ir.Curtain(False),
        ir.CallRoutine("nested", (C(1),)),
        ir.Curtain(True),
        ir.CallRoutine("nested", (C(2),)),
    )
    careful = routine("careful", "n", ir.Add(WORD, None, L("n")), ir.Ensure(ir.Compare("<", at(WORD), C(5)), 3))
    tried = pure("tried", "n", ir.Return(ir.Trial("careful", (L("n"),))))
    return module(
        main, nested, roll, options("pair", 3, 4), careful, tried,
        callable={"nested": ("nested", ("int",)), "careful": ("careful", ("int",)), "roll": ("roll", ())},
    )  # fmt: skip


def test_the_host_hears_the_same_log_however_often_it_pauses() -> None:
    game = program(talking_module())
    host = Listener(4)
    S, pauses = play(game, host)
    assert pauses == 2
    assert S[DIE] == 4
    assert host.heard == [
        ("line", 1, (4,)), "down", ("open", 2, (1,)), "close", "up", ("open", 2, (2,)), "close",
    ]  # fmt: skip
    assert S[CELLS.curtain] == 0


def test_without_fixed_dice_the_generator_decides() -> None:
    same_in_both(talking_module())


def test_a_call_on_top_of_a_pending_decision() -> None:
    game = program(talking_module())
    host = Listener()
    S = game.initial
    pending = game.begin(S, host)
    words = [S[c] for c in (CELLS.site, CELLS.decider, CELLS.frame)]
    inner = game.call(S, host, "nested", (10,))
    assert inner == [(0, 3), (0, 4)]
    assert S[CELLS.frame] > words[2]
    deeper = game.call(S, host, "nested", (100,))
    assert deeper == inner
    assert game.resume(S, host, (0, 4)) == inner
    assert S[SUM] == 104
    assert game.options(S) == inner
    assert game.resume(S, host, (0, 3)) == pending
    assert S[SUM] == 117
    assert [S[c] for c in (CELLS.site, CELLS.decider, CELLS.frame)] == words
    assert game.call(S, host, "roll", ()) == pending
    assert game.resume(S, host, (0, 3)) is not None
    assert game.resume(S, host, (0, 3)) is None
    assert S[CELLS.over] == 1


def test_a_call_without_a_pending_decision() -> None:
    game = program(talking_module())
    S = game.initial
    assert game.call(S, None, "nested", (1,)) == [(0, 3), (0, 4)]
    assert game.resume(S, None, (0, 3)) is None
    assert (S[SUM], S[CELLS.over], S[CELLS.frame]) == (4, 0, 0)
    with pytest.raises(KeyError):
        game.call(S, None, "no such", ())


def test_a_playout_from_a_decision_under_a_call() -> None:
    game = program(talking_module())
    S = game.initial
    game.begin(S, None)
    game.call(S, None, "nested", (10,))
    game.playout(S)
    assert S[CELLS.over] == 1
    assert S[SUM] >= 10 + 3 * 3


def test_a_trial_leaves_no_trace() -> None:
    game = program(talking_module())
    S = game.initial
    before = S.copy()
    assert [game.pure(S, "tried", (n,)) for n in (4, 5)] == [1, 0]
    assert before == S
    with pytest.raises(EnsureFailed):
        game.call(S, None, "careful", (7,))


def test_questions() -> None:
    made = talking_module()
    made.functions |= {
        f.name: f
        for f in (
            pure("score", "p", ir.Return(ir.Arith("*", L("p"), at(WORD)))),
            pure("tie", "p", ir.Return(ir.Compare(">", L("p"), C(1)))),
            pure("fine", "", ir.Return(ir.Logic("and", (at(WORD), ir.Compare("<", at(WORD), C(9)))))),
            function("why", "why_act", "p", ir.Blame(1, (L("p"),)), ir.BlameCall("why_more", (plus(L("p"), C(1)),))),
            function("why", "why_more", "q", ir.Branch(ir.Compare(">", L("q"), C(2)), (ir.Blame(2),))),
        )
    }
    made.tiebreak = ("tie", "score")
    made.invariants = [("word", "fine", here(5))]
    made.why = {"act": "why_act"}
    game = program(made)
    S = game.initial
    assert game.invariants(S) == [("word", here(5))]
    S[WORD] = 7
    assert game.score(S, 2) == 14
    assert game.tiebreak(S, 2) == (1, 14)
    assert type(game.tiebreak(S, 2)[0]) is int
    assert game.invariants(S) == []
    assert game.why(S, "act", (1,)) == [(1, (1,))]
    assert game.why(S, "act", (2,)) == [(1, (2,)), (2, ())]


def test_a_program_from_kept_code_needs_no_functions() -> None:
    made = talking_module()
    kept = marshal.dumps(compile_source(emit(made).source))
    game = link(marshal.loads(kept), replace(made, functions={}))
    S, _ = play(game)
    T, _ = play(program(made))
    assert visible(S) == visible(T)
    assert S[STACK:] == T[STACK:]
