"""Each form of expression, and which module checks it. Everybody else asks by way of `expressions`: expressions hold
expressions, and no module imports those that import it."""

from __future__ import annotations

from rulelang.meaning import tree
from rulelang.meaning.check import binders, built_in, calls, conditions, constants, members, names, zones
from rulelang.meaning.check.desk import Desk, article, fit, known, missable, none_of, same, wrong
from rulelang.meaning.check.expressions import condition, needs_company, number, order_part
from rulelang.meaning.types import BOOL, INT, ORDER, Type
from rulelang.syntax import nodes


def expr(desk: Desk, node: nodes.Expr, want: Type | None) -> tree.Expr:
    """The typed expression; of type error (already reported) where the node makes no sense."""
    match node:
        case nodes.Number():
            return constants.settled(desk, tree.Const(INT, node.span, node.value))
        case nodes.Bool():
            return tree.Const(BOOL, node.span, int(node.value))
        case nodes.NoneValue():
            return _none(desk, node, want)
        case nodes.Name():
            return names.resolve(desk, node.id, node.span, want)
        case nodes.Attribute():
            return members.attribute(desk, node)
        case nodes.Index():
            return members.index(desk, node)
        case nodes.Call():
            return calls.value_call(desk, node)
        case nodes.ZoneOf():
            return _zone_of(desk, node)
        case nodes.Negative():
            operand = number(desk, node.operand, "only a number has a minus")
            return tree.Negative(operand.type if known(operand.type) else INT, node.span, operand)
        case nodes.Arith():
            return _arith(desk, node)
        case nodes.IfElse():
            return _if_else(desk, node, want)
        case nodes.Then():
            return _then(desk, node)
        case nodes.Otherwise():
            return _otherwise(desk, node, want)
        case nodes.Query():
            return binders.query(desk, node)
        case nodes.CountTrue():
            parts = tuple(
                condition(desk, part, "`count` without a binder counts what holds") for part in node.conditions
            )
            return tree.CountTrue(INT, node.span, parts)
        case nodes.MinMax():
            return built_in.call(desk, node.kind, node.args, node.span)
        case _:
            return conditions.check(desk, node)


def _none(desk: Desk, node: nodes.NoneValue, want: Type | None) -> tree.Expr:
    if want is None or want.tag not in ("int", "ref"):
        because = "`none` has no type of its own; it stands where a number or a thing may be missing"
        return desk.error("T400", node.span, "what is `none` here?", because=because, hint="`x is missing` asks for it")
    return none_of(want, node.span)


def _zone_of(desk: Desk, node: nodes.ZoneOf) -> tree.Expr:
    found = zones.zones(desk, node)
    if len(found) == 1 and isinstance(found[0], tree.ZoneRef):
        if found[0].zone.slot and found[0].owner is not None:
            return members.read(desk, found[0].owner, node.name, node.span, node.name_span, None)
        because = "a zone is where cards lie; rules ask about the cards in it"
        return desk.error("T408", node.span, f"the zone `{node.name}` is no value", because=because)
    return wrong(node.span)


def _arith(desk: Desk, node: nodes.Arith) -> tree.Expr:
    why = f"`{node.op}` calculates with numbers"
    left, right = number(desk, node.left, why), number(desk, node.right, why)
    type_ = INT.optional() if missable(left, right) else INT
    return constants.settled(desk, tree.Arith(type_, node.span, node.op, left, right))


def _if_else(desk: Desk, node: nodes.IfElse, want: Type | None) -> tree.Expr:
    test = condition(desk, node.test, "`if` asks a condition")
    first, second = node.then, node.otherwise
    if want is None and needs_company(desk, first) and not needs_company(desk, second):
        otherwise = expr(desk, second, None)
        then = expr(desk, first, otherwise.type)
    else:
        then = expr(desk, first, want)
        otherwise = expr(desk, second, want or (then.type if known(then.type) else None))
    if not known(then.type, otherwise.type):
        kept = then if known(then.type) else otherwise
        return tree.IfElse(kept.type, node.span, test, then, otherwise)
    if want == ORDER:
        why = "both ways of an `if` give the same type"
        then, otherwise = fit(desk, then, ORDER, why), fit(desk, otherwise, ORDER, why)
    if not same(then.type, otherwise.type):
        message = f"one way gives {article(then.type)}, the other {article(otherwise.type)}"
        return desk.error("T400", node.span, message, because="both ways of an `if` give the same type")
    type_ = then.type.optional() if missable(then, otherwise) else then.type
    return tree.IfElse(type_, node.span, test, then, otherwise)


def _then(desk: Desk, node: nodes.Then) -> tree.Expr:
    parts = tuple(order_part(desk, expr(desk, part, None)) for part in node.parts)
    return tree.OrderOf(ORDER.optional() if missable(*parts) else ORDER, node.span, parts)


def _otherwise(desk: Desk, node: nodes.Otherwise, want: Type | None) -> tree.Expr:
    value = expr(desk, node.value, want.optional() if want is not None and want.tag in ("int", "ref") else want)
    hoped = value.type.sure() if known(value.type) and not isinstance(node.value, nodes.NoneValue) else want
    default = expr(desk, node.default, hoped)
    if not known(value.type, default.type):
        return tree.Otherwise(value.type if known(value.type) else default.type, node.span, value, default)
    if not same(value.type, default.type):
        message = f"this is {article(default.type)}, and {article(value.type.sure())} stands before `otherwise`"
        return desk.error("T400", default.span, message, because="what stands in for a missing value is of its type")
    if not _may_fail(desk, value):
        because = "`otherwise` says what holds where something is missing"
        hint = "leave `otherwise` and what follows away"
        return desk.error(
            "T404", node.span, "what stands before `otherwise` is never missing", because=because, hint=hint
        )
    return tree.Otherwise(default.type, node.span, value, default)


def _may_fail(desk: Desk, value: tree.Expr) -> bool:
    """True if the value can be missing at run time: it is `maybe`, reads a slot, or reads a thing that may be gone."""
    if value.type.maybe or isinstance(value, tree.SlotRead | tree.ValueCall | tree.IfElse):
        return True
    if value.type.tag == "ref" and value.type.name in desk.symbols.model.made:
        return True
    if isinstance(value, tree.AttributeRef | tree.ColumnRef | tree.Property):
        return _may_fail(desk, value.object)
    return False
