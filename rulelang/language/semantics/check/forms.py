"""Each form of expression, and which module checks it. Everybody else asks by way of `expressions`: expressions hold
expressions, and no module imports those that import it."""

from __future__ import annotations

from rulelang.language.semantics import tree
from rulelang.language.semantics.check import binders, built_in, calls, conditions, constants, members, names, zones
from rulelang.language.semantics.check.checker import Checker, article, fit, known, missable, none_of, same, wrong
from rulelang.language.semantics.check.expressions import condition, needs_company, number, order_part
from rulelang.language.semantics.types import BOOL, INT, ORDER, Type
from rulelang.language.syntax import nodes


def expr(checker: Checker, node: nodes.Expr, want: Type | None) -> tree.Expr:
    """The typed expression; of type error (already reported) where the node makes no sense."""
    match node:
        case nodes.Number():
            return constants.settled(checker, tree.Const(INT, node.span, node.value))
        case nodes.Bool():
            return tree.Const(BOOL, node.span, int(node.value))
        case nodes.NoneValue():
            return _none(checker, node, want)
        case nodes.Name():
            return names.resolve(checker, node.id, node.span, want)
        case nodes.Attribute():
            return members.attribute(checker, node)
        case nodes.Index():
            return members.index(checker, node)
        case nodes.Call():
            return calls.value_call(checker, node, want)
        case nodes.ZoneOf():
            return _zone_of(checker, node)
        case nodes.Negative():
            operand = number(checker, node.operand, "the minus sign needs a number")
            return tree.Negative(operand.type if known(operand.type) else INT, node.span, operand)
        case nodes.Arith():
            return _arith(checker, node)
        case nodes.IfElse():
            return _if_else(checker, node, want)
        case nodes.Then():
            return _then(checker, node)
        case nodes.Otherwise():
            return _otherwise(checker, node, want)
        case nodes.Query():
            return binders.query(checker, node)
        case nodes.CountTrue():
            return names.counted(checker, node) or built_in.call(checker, "count", node.conditions, node.span)
        case nodes.MinMax():
            return built_in.call(checker, node.kind, node.args, node.span)
        case _:
            return conditions.check(checker, node)


def _none(checker: Checker, node: nodes.NoneValue, want: Type | None) -> tree.Expr:
    if want is None or want.tag not in ("int", "ref"):
        because = "`none` has no type of its own, and the context does not give it a type"
        return checker.error(
            "T400",
            node.span,
            "the type of `none` is unknown here",
            because=because,
            hint="write `x is missing` to test for it",
        )
    return none_of(want, node.span)


def _zone_of(checker: Checker, node: nodes.ZoneOf) -> tree.Expr:
    found = zones.zones(checker, node)
    if len(found) == 1 and isinstance(found[0], tree.ZoneRef):
        if found[0].zone.slot and found[0].owner is not None:
            return members.read(checker, found[0].owner, node.name, node.span, node.name_span, None)
        because = "a zone contains cards"
        return checker.error("T408", node.span, f"the zone `{node.name}` is not a value", because=because)
    return wrong(node.span)


def _arith(checker: Checker, node: nodes.Arith) -> tree.Expr:
    why = f"`{node.op}` needs numbers"
    left, right = number(checker, node.left, why), number(checker, node.right, why)
    type_ = INT.optional() if missable(left, right) else INT
    return constants.settled(checker, tree.Arith(type_, node.span, node.op, left, right))


def _if_else(checker: Checker, node: nodes.IfElse, want: Type | None) -> tree.Expr:
    test = condition(checker, node.test, "`if` needs a condition")
    first, second = node.then, node.otherwise
    if want is None and needs_company(checker, first) and not needs_company(checker, second):
        otherwise = checker.form(checker, second, None)
        then = checker.form(checker, first, otherwise.type)
    else:
        then = checker.form(checker, first, want)
        otherwise = checker.form(checker, second, want or (then.type if known(then.type) else None))
    if not known(then.type, otherwise.type):
        kept = then if known(then.type) else otherwise
        return tree.IfElse(kept.type, node.span, test, then, otherwise)
    if ORDER in (want, then.type.sure(), otherwise.type.sure()):
        why = "both branches of an `if` must have the same type"
        then, otherwise = fit(checker, then, ORDER, why), fit(checker, otherwise, ORDER, why)
    if not same(then.type, otherwise.type):
        message = f"one branch gives {article(then.type)}, the other {article(otherwise.type)}"
        return checker.error("T400", node.span, message, because="both branches of an `if` must have the same type")
    type_ = then.type.optional() if missable(then, otherwise) else then.type
    return tree.IfElse(type_, node.span, test, then, otherwise)


def _then(checker: Checker, node: nodes.Then) -> tree.Expr:
    parts = tuple(order_part(checker, checker.form(checker, part, None)) for part in node.parts)
    return tree.OrderOf(ORDER.optional() if missable(*parts) else ORDER, node.span, parts)


def _otherwise(checker: Checker, node: nodes.Otherwise, want: Type | None) -> tree.Expr:
    value = checker.form(
        checker, node.value, want.optional() if want is not None and want.tag in ("int", "ref") else want
    )
    hoped = value.type.sure() if known(value.type) and not isinstance(node.value, nodes.NoneValue) else want
    default = checker.form(checker, node.default, hoped)
    if not known(value.type, default.type):
        return tree.Otherwise(value.type if known(value.type) else default.type, node.span, value, default)
    if ORDER in (value.type.sure(), default.type.sure()):
        why = "a value and its default must have the same type"
        value, default = fit(checker, value, ORDER, why), fit(checker, default, ORDER, why)
    if not same(value.type, default.type):
        message = f"expected {article(value.type.sure())} as before `otherwise`, found {article(default.type)}"
        return checker.error("T400", default.span, message, because="a value and its default must have the same type")
    if not _may_fail(checker, value):
        because = "`otherwise` gives a default for a value that may be missing"
        hint = "remove `otherwise` and the default"
        return checker.error(
            "T404", node.span, "the value before `otherwise` is never missing", because=because, hint=hint
        )
    return tree.Otherwise(default.type, node.span, value, default)


def _may_fail(checker: Checker, value: tree.Expr) -> bool:
    """True if the value can be missing at run time: it is `maybe`, reads a slot, or reads a thing that may be gone."""
    if value.type.maybe or isinstance(value, tree.SlotRead | tree.ValueCall | tree.IfElse):
        return True
    if value.type.tag == "ref" and value.type.name in checker.symbols.model.made:
        return True
    if isinstance(value, tree.AttributeRef | tree.ColumnRef | tree.Property):
        return _may_fail(checker, value.object)
    return False
