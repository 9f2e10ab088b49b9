"""Probes: which statements of the rules ran, and which conditions came out true and false.

A probe is a read of a constant table of its own, `probe_N`: whoever links the code puts something in the place of the
table that notes what is read. So no stage knows probes but this one, and rules that are compiled without have none.
What is read is never known beforehand: word 0 of the state, which is 0, or the condition itself, whose value it gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Dispatch, Lowered, Scope, as_bool
from rulelang.compiler.lower.table import DISPATCH
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL
from rulelang.language.semantics.tree import conjuncts, walk

Kind = Literal["line", "if", "where", "require", "rule", "until"]
#: What is noted of a place: bits.
FALSE, TRUE = 1, 2
_ZERO = ir.Cell(0)


@dataclass(frozen=True, slots=True)
class ProbePlace:
    """A stretch of the rules that may run. `kind` "line": a statement or the body of a value, which runs or does not
    (it is noted as true). Others are conditions: of an `if`, a `where` or query, a requirement, an end of a loop;
    "rule": the guard of a hook, or that it counts at all, if it has none (`plain`)."""

    kind: Kind
    span: Span
    plain: bool = False

    @property
    def wanted(self) -> int:
        """The bits that all of it shows."""
        return TRUE if self.kind == "line" or self.plain else TRUE | FALSE


class Probes:
    """The places of a program and, by the identity of their nodes, their numbers. `program`: what is to be lowered."""

    def __init__(self, program: tree.Program) -> None:
        self.places: list[ProbePlace] = []
        self._numbers: dict[int, int] = {}
        self.program = _with_guards(program)
        # What opens a routine or an action is no statement of its block.
        routines, actions = self.program.routines.values(), self.program.actions.values()
        self._lifted = {id(tells) for tells in (*(r.tells for r in routines), *(a.tells for a in actions))}
        for node in walk([*_roots_of(self.program)]):
            self._of(node)
        self.dispatch = Dispatch(
            self._value, self._cond, DISPATCH.slot, DISPATCH.block, self._statement, shortcuts=False
        )

    def _of(self, node: object) -> None:
        match node:
            case tree.Require() | tree.Ensure():
                self._conditions("require", node.condition)
            case tree.If():
                self._conditions("if", node.test)
            case tree.IfElse():
                self._conditions("if", node.test)
            case tree.RepeatUntil() | tree.Rounds():
                self._conditions("until", node.until)
            case tree.Binder():
                self._conditions("where", node.where)
            case tree.Query(kind="any" | "no" | "all"):
                self._conditions("where", node.body)
            case tree.Modify() | tree.Forbid() | tree.Ignore() | tree.Trigger():
                if isinstance(node.guard, tree.Const):
                    self._add(ProbePlace("rule", node.span, plain=True), node.guard)
                else:
                    self._conditions("rule", node.guard)
            case tree.Value():
                # Orders have no value of their own, but their parts have.
                body = node.body.parts[0] if isinstance(node.body, tree.OrderOf) else node.body
                self._add(ProbePlace("line", body.span), body)
        # A scenario may begin in the middle of an offer, and end there: its actions tell what came of it.
        silent = tree.Compulsory | tree.Require | tree.Offer
        if isinstance(node, tree.Statement) and not isinstance(node, silent) and id(node) not in self._lifted:
            self._add(ProbePlace("line", node.span), node)

    def _conditions(self, kind: Kind, condition: tree.Expr | None) -> None:
        for part in conjuncts(condition):
            if not isinstance(part, tree.Const):
                self._add(ProbePlace(kind, part.span), part)

    def _add(self, place: ProbePlace, node: object) -> None:
        if id(node) not in self._numbers:
            self._numbers[id(node)] = len(self.places)
            self.places.append(place)

    # ---- what is lowered

    def _read(self, number: int, index: ir.Expr, scope: Scope, values: tuple[int, int]) -> ir.Expr:
        name = probe_table(number)
        scope.low.tables[name] = values
        return ir.Table(name, index)

    def _statement(self, s: tree.Stmt, scope: Scope) -> list[ir.Stmt]:
        found = DISPATCH.statement(s, scope)
        number = self._numbers.get(id(s))
        if number is None:
            return found
        # What is never done, and nobody can know that.
        return [ir.Branch(self._read(number, _ZERO, scope, (0, 1)), (ir.Tick(s.span),)), *found]

    def _cond(self, e: tree.Expr, scope: Scope) -> ir.Expr:
        lowered = DISPATCH.cond(e, scope)
        number = self._numbers.get(id(e))
        if number is None:
            return lowered
        index: ir.Expr = as_bool(lowered)
        return self._read(number, ir.Arith("+", index, _ZERO) if isinstance(index, ir.Const) else index, scope, (0, 1))

    def _value(self, e: tree.Expr, scope: Scope) -> Lowered:
        if e.type == BOOL and id(e) in self._numbers:
            return self._cond(e, scope), ()
        lowered, guards = DISPATCH.value(e, scope)
        number = self._numbers.get(id(e))
        if number is None:
            return lowered, guards
        return ir.Arith("+", lowered, self._read(number, _ZERO, scope, (0, 0))), guards


def probe_table(number: int) -> str:
    """The name of the table that the probe of a place reads."""
    return f"probe_{number}"


H = TypeVar("H", bound=tree.Hook)


def _with_guards(program: tree.Program) -> tree.Program:
    """The same program, in which each hook has a guard."""

    def all_of(hooks: tuple[H, ...]) -> tuple[H, ...]:
        return tuple(h if h.guard is not None else replace(h, guard=tree.Const(BOOL, h.span, 1)) for h in hooks)

    return replace(
        program, modifies=all_of(program.modifies), forbids=all_of(program.forbids), ignores=all_of(program.ignores),
        triggers=all_of(program.triggers),
    )  # fmt: skip


def _roots_of(program: tree.Program) -> Iterator[object]:
    if program.game is not None:
        yield program.game
    yield from program.routines.values()
    yield from program.actions.values()
    yield from program.values.values()
    yield from program.hooks
