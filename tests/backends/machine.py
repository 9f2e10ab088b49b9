"""Small hand-built programs, and what drives them: short names for the IR, a layout, an agent like the policy."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rulelang.base.layout import ActionInfo, Cells, DecisionPoint, Layout, LogTemplate
from rulelang.base.source import Span
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import PythonProgram, link
from rulelang.compiler.ir import nodes as ir

CELLS = Cells(**{f.name: i for i, f in enumerate(fields(Cells))})
WORDS = len(fields(Cells))
STACK = 300
SIZE = 500
RNG = 1_000_003, 77
POLICY = 4_242_424, 99


def here(line: int) -> Span:
    return Span("game.rules", line, 1, line, 9)


def layout(size: int = SIZE) -> Layout:
    return Layout(
        size=size, players=2, cells=CELLS, attributes=(), kinds={}, zones={}, tables={}, cards=(), sorts={}, lists={},
        where=0, card_next=0, card_prev=0, card_face=0, card_partner=0, silent=0, zone_owner=(), zone_player=(),
        zone_names=(), stack=STACK,
    )  # fmt: skip


def module(*functions: ir.Function, size: int = SIZE, **more: Any) -> ir.Module:
    made = ir.Module(layout(size), {f.name: f for f in functions}, **more)
    start = [0] * size
    start[CELLS.rng_x], start[CELLS.rng_c] = RNG
    start[CELLS.policy_x], start[CELLS.policy_c] = POLICY
    made.initial = start
    site = DecisionPoint("offer", (ActionInfo("a", "a", (), ()),), "?", here(1))
    made.sites = [site] * 10
    made.templates = [LogTemplate("routine", "r", "", (), here(1))] * 5
    return made


def function(kind: Any, name: str, params: str, *body: ir.Stmt, lists: str = "", line: int = 1) -> ir.Function:
    return ir.Function(name, kind, tuple(params.split()), body, name, here(line), frozenset(lists.split()))


def routine(name: str, params: str, *body: ir.Stmt, **more: Any) -> ir.Function:
    return function("routine", name, params, *body, **more)


def pure(name: str, params: str, *body: ir.Stmt, **more: Any) -> ir.Function:
    return function("pure", name, params, *body, **more)


def enumerator(name: str, params: str, *body: ir.Stmt, **more: Any) -> ir.Function:
    return function("enumerator", name, params, *body, **more)


def L(name: str) -> ir.Local:
    return ir.Local(name)


def C(value: int) -> ir.Const:
    return ir.Const(value)


def at(base: int, index: ir.Expr | None = None) -> ir.Cell:
    return ir.Cell(base, index)


def plus(left: ir.Expr, right: ir.Expr) -> ir.Arith:
    return ir.Arith("+", left, right)


def program(made: ir.Module) -> PythonProgram:
    return link(emit(made).source, made)


def next_policy(S: list[int], n: int) -> int:
    """The choice that the policy's generator would make: steps it."""
    x, c = S[CELLS.policy_x], S[CELLS.policy_c]
    t = x * 998578647 + c
    S[CELLS.policy_x], S[CELLS.policy_c] = t & (2**30 - 1), t >> 30
    return ((x ^ c) * n) >> 30


def play(game: PythonProgram, host: Any = None, check: bool = True) -> tuple[list[int], int]:
    """A resumable game by the policy's choices: the final state and how often it paused.

    With `check`, at every pause the options are listed again, and the game goes on in a copy.
    """
    S = game.initial
    options = game.begin(S, host)
    pauses = 0
    while options is not None:
        pauses += 1
        if check:
            before = S.copy()
            assert game.options(S) == options
            assert before == S
            S = before
        options = game.resume(S, host, options[next_policy(S, len(options))])
    return S, pauses


def visible(S: list[int]) -> list[int]:
    """A state without what may differ between the modes: the stack and where it waits."""
    hidden = {CELLS.site, CELLS.decider, CELLS.frame}
    return [0 if i in hidden else word for i, word in enumerate(S[:STACK])]


def same_in_both(made: ir.Module) -> tuple[list[int], int]:
    """Play directly and resumably, and compare; answers the resumable one."""
    game = program(made)
    S, pauses = play(game)
    T = game.initial
    game.playout(T)
    assert visible(S) == visible(T)
    return S, pauses


class Listener:
    """A host that writes down what it hears, with dice that may be fixed."""

    def __init__(self, *dice: int) -> None:
        self.heard: list[object] = []
        self.dice = list(dice)

    def open(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append(("open", template, args))

    def line(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append(("line", template, args))

    def close(self) -> None:
        self.heard.append("close")

    def curtain(self) -> None:
        self.heard.append("down")

    def settle(self) -> None:
        self.heard.append("settle")

    def curtain_end(self) -> None:
        self.heard.append("up")

    def die(self, bound: int) -> int:
        return self.dice.pop(0) if self.dice else -1
