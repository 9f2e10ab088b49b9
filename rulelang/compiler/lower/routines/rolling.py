"""`roll`: the log shows each die to those who see where the sum is kept."""

from __future__ import annotations

from rulelang.base.layout import LogTemplate
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Scope, add, both, when
from rulelang.compiler.lower.expr.expressions import value
from rulelang.compiler.lower.routines.assignments import assign
from rulelang.compiler.lower.routines.keeping import flows, kept_of
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import INT

#: So many dice are told in one line; more, or a number of them that is worked out in play, one a line before the sum.
DICE_IN_A_LINE = 6


def roll(s: tree.Roll, scope: Scope) -> list[ir.Stmt]:
    """Throws the dice, tells what each shows, and keeps the sum."""
    count, guards = value(s.count, scope)
    total = scope.fresh("total")
    stmts: list[ir.Stmt]
    if isinstance(count, ir.Const) and 0 < count.value <= DICE_IN_A_LINE:
        dice = [scope.fresh("die") for _ in range(count.value)]
        stmts = [throw for die in dice for throw in _throw(die, s.sides)]
        stmts += [ir.Set(total, ir.Local(dice[0])), *(ir.Set(total, _more(total, die)) for die in dice[1:])]
    else:
        dice = []
        die = scope.fresh("die")
        told = _told(("a die shows ", (0, "int")), (die,), s, scope)
        each = (ir.Tick(s.span), *_throw(die, s.sides), ir.Set(total, _more(total, die)), told)
        stmts = [ir.Set(total, ir.Const(0)), ir.ForRange(scope.fresh("k"), ir.Const(0), count, each)]
    if len(dice) == 1:
        stmts.append(_told(("the die shows ", (0, "int")), (total,), s, scope))
    else:
        faces = [part for k in range(len(dice)) for part in (" + " if k else "the dice show ", (k, "int"))]
        whole = " = " if faces else "the dice show "
        stmts.append(_told((*faces, whole, (len(dice), "int")), (*dice, total), s, scope))
    if isinstance(s.target, tree.Local):
        scope.names[s.target.name] = ir.Local(total)
    else:
        sum_ = tree.Local(total, INT, total)
        scope.names[total] = ir.Local(total)
        stmts += assign(tree.Assign(s.span, s.target, "=", tree.LocalRef(INT, s.span, sum_)), scope)
    return when(both(*guards), stmts) if guards else stmts


def _throw(die: str, sides: int) -> tuple[ir.Stmt, ...]:
    """What a die shows, from 1, into a local."""
    return ir.Random(die, ir.Const(sides), die=True), ir.Set(die, add(ir.Local(die), ir.Const(1)))


def _more(total: str, die: str) -> ir.Expr:
    return add(ir.Local(total), ir.Local(die))


def _told(parts: tuple[str | tuple[int, str], ...], of: tuple[str, ...], s: tree.Roll, scope: Scope) -> ir.Stmt:
    """Make a line of the log with the numbers in these locals, which only those see who see where they are kept."""
    straight = isinstance(s.target, tree.AttributeRef)
    kept, handles = kept_of(flows(scope.low).of(s), range(len(of)), len(of), scope, straight=straight)
    template = scope.low.template(LogTemplate("tells", "", "", parts, s.span, kept))
    return ir.Log(template, (*map(ir.Local, of), *handles))
