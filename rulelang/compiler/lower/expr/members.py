"""Built-in members: what becomes of each, by the name of its row in `rulelang/language/semantics/builtins/names.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowered, Scope, add
from rulelang.compiler.lower.expr.expressions import through
from rulelang.compiler.lower.state.addresses import cell, face_of, lies_on, owner_of, partner_of
from rulelang.language.semantics import tree


def _of(read: Callable[[tree.Property, ir.Expr, Scope], ir.Expr]) -> Callable[[tree.Property, Scope], Lowered]:
    """A member that is there wherever the thing is that it is read of."""

    def lowered(e: tree.Property, scope: Scope) -> Lowered:
        thing, guards = through(e.object, scope)
        return read(e, thing, scope), guards

    return lowered


def _number(e: tree.Property, thing: ir.Expr, scope: Scope) -> ir.Expr:
    low, plan = scope.low, scope.low.plan
    if plan.is_made(e.kind):
        per = plan.kinds[e.kind].per_owner
        numbers = [0, *((h - 1) % per + 1 for h in range(1, plan.rows_of(e.kind) + 1))]
        return ir.Table(low.table(f"number_{e.kind}", numbers), thing)
    if e.kind in plan.sorts:
        return add(thing, ir.Const(1 - plan.sorts[e.kind][0]))
    return thing


def _face(e: tree.Property, scope: Scope) -> Lowered:
    if isinstance(e.object, tree.LocalRef) and e.object.local.name in scope.faces:
        return ir.Const(scope.faces[e.object.local.name]), ()
    card, guards = through(e.object, scope)
    return face_of(card, scope.low), guards


#: By name, what becomes of each that gives one value; what is printed in a column is lowered as that column, and sets
#: by `state/constant_columns.py`.
MEMBERS: Mapping[str, Callable[[tree.Property, Scope], Lowered]] = {
    "owner": _of(lambda e, thing, scope: owner_of(e.kind, thing, scope.low)),
    "number": _of(_number),
    "place": _of(lambda e, thing, scope: cell(scope.low.plan.kinds[e.kind].place, thing)),
    "face": _face,
    "on": _of(lambda e, card, scope: lies_on(e.type.name, card, scope.low)),
    "partner": _of(lambda e, card, scope: partner_of(card, scope.low)),
}
