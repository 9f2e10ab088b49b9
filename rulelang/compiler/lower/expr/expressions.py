"""Expressions of the rules as pure IR: what all lowering asks of them. `dispatch` knows each kind of expression.

A reference may be missing (language reference, "missing references"). Lowering an expression gives the IR expression
and its guards: conditions that must hold for it to be readable. A condition that reads through something missing is
false; a statement that does is skipped; the null record reads 0, so an unguarded read is harmless.
"""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Guards,
    Lowered,
    Lowering,
    Scope,
    as_bool,
    both,
    join_guards,
    word,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.model import MISSING_INT, Type


def value(e: tree.Expr, scope: Scope) -> Lowered:
    """An expression and its guards."""
    return scope.low.dispatch.value(e, scope)


def cond(e: tree.Expr, scope: Scope) -> ir.Expr:
    """A condition: true or false also where something is missing."""
    return scope.low.dispatch.cond(e, scope)


def through(e: tree.Expr, scope: Scope) -> Lowered:
    """An object that is read through: its presence joins the guards. An empty slot is no object, but a mistake."""
    if isinstance(e, tree.SlotRead):
        return scope.low.dispatch.slot(e.zone, scope)
    lowered, guards = value(e, scope)
    return lowered, join_guards(guards, (present(e, lowered, scope),))


def plain(e: tree.Expr, scope: Scope) -> ir.Expr:
    """The expression without its guards: for places where the checker has excluded missing references."""
    return value(e, scope)[0]


def guarded(e: tree.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
    """The expression, and one condition under which it is readable and present."""
    lowered, guards = value(e, scope)
    return lowered, both(*guards, present(e, lowered, scope))


def nothing(type_: Type) -> ir.Expr:
    """What stands for something of a type that is missing."""
    return ir.Const(MISSING_INT if type_.tag == "int" else 0)


def present(e: tree.Expr, lowered: ir.Expr, scope: Scope) -> ir.Expr:
    """The condition that a lowered reference refers to something."""
    if isinstance(e, tree.LocalRef) and e.local.name in scope.present and not e.type.maybe:
        return TRUE
    if _may_be_none(e, scope):
        return ir.Compare("!=", lowered, ir.Const(0))
    if e.type.tag == "int" and not _may_lack_number(e, scope.low):
        return TRUE
    return present_type(e.type, lowered, scope.low, slot=isinstance(e, tree.SlotRead))


def _may_be_none(e: tree.Expr, scope: Scope) -> bool:
    """Whether what is read may be none although its type is sure: one of several faces, who follows nobody."""
    plan = scope.low.plan
    match e:
        case tree.Property(name="face"):
            return any(len(card.faces) > 1 for card in plan.cards)
        case tree.BuiltinCall(name="next"):
            return plan.features.nobody
        case _:
            return False


def _may_lack_number(e: tree.Expr, low: Lowering) -> bool:
    """Whether a number itself may be missing, not only what it is read through (that is in the guards)."""
    match e:
        case tree.AttributeRef() | tree.StateRef():
            return e.attribute.type.maybe
        case tree.ColumnRef():
            return e.column.type.maybe
        case tree.ValueCall():
            return low.program.values[e.value].type.maybe
        case tree.BuiltinCall():
            return FUNCTIONS[e.name].result.maybe
        case tree.Query() | tree.Arith() | tree.Property() | tree.TableRef() | tree.Negative():
            return False
        case _:
            return e.type.maybe


def present_type(type_: Type, lowered: ir.Expr, low: Lowering, *, slot: bool = False) -> ir.Expr:
    if type_.tag == "int":
        return ir.Compare("!=", lowered, ir.Const(MISSING_INT)) if type_.maybe else TRUE
    if type_.tag != "ref":
        return TRUE
    if low.plan.is_made(type_.name):
        if isinstance(lowered, ir.Const):
            return FALSE if lowered.value == 0 else ir.Cell(low.plan.kinds[type_.name].alive, lowered)
        return ir.Cell(low.plan.kinds[type_.name].alive, lowered)
    # Cards begin as missing where they are kept, even without `maybe`.
    if type_.maybe or slot or type_.name in low.plan.sorts:
        return ir.Compare("!=", lowered, ir.Const(0))
    return TRUE


def arguments(
    args: tuple[tree.Expr, ...], scope: Scope, *, maybe: tuple[bool, ...] | None = None, kept: bool = False
) -> tuple[tuple[ir.Expr, ...], Guards]:
    """Arguments of a call; guards: those that may not be missing are present. `kept`: what is called may wait."""
    out: list[ir.Expr] = []
    guards: Guards = ()
    for k, arg in enumerate(args):
        lowered, more = value(arg, scope)
        if kept and arg.type.tag == "int":
            lowered = word(lowered, "the argument", arg.span, scope.low)
        out.append(as_bool(lowered) if arg.type.tag == "bool" and not _is_flat(lowered) else lowered)
        guards = join_guards(guards, more)
        if maybe is None or not (k < len(maybe) and maybe[k]):
            guards = join_guards(guards, (present(arg, lowered, scope),))
    return tuple(out), guards


def _is_flat(e: ir.Expr) -> bool:
    return isinstance(e, ir.Cell | ir.Local | ir.Const | ir.Call | ir.Table | ir.If)


def either_of(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
    """One of two expressions; only it where the test is known."""
    if isinstance(test, ir.Const):
        return then if test.value else otherwise
    return ir.If(test, then, otherwise)
