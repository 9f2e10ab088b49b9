"""Calls of built-in functions, checked against their rows in `rulelang/language/semantics/builtins/functions.py`."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from rulelang.base.english import arguments_given
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins import row
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.check import expressions, zones
from rulelang.language.semantics.check.checker import Checker, article, known, missable, wrong
from rulelang.language.syntax import nodes


def call(checker: Checker, name: str, args: Sequence[nodes.Expr], span: Span) -> tree.Expr:
    """`name(args)` as a value."""
    function = FUNCTIONS[name]
    if function.takes(len(args)) and function.is_set:
        because = f"write `x in {name}(y)` to test for membership, or `KIND x in {name}(y)` to loop over the things"
        expressions.check_anyway(checker, args)
        return checker.error("T408", span, f"`{name}` gives several things, not a single value", because=because)
    return typed(checker, name, args, span) or wrong(span)


def typed(checker: Checker, name: str, args: Sequence[nodes.Expr], span: Span) -> tree.BuiltinCall | None:
    """The call of a function that gives a value or a set, with its type; None after a diagnostic."""
    function = FUNCTIONS[name]
    if not function.takes(len(args)):
        expressions.check_anyway(checker, args)
        checker.error("T401", span, f"{function.shape}, but {arguments_given(len(args))}")
        return None
    params = (*function.params, *function.params[-1:] * (len(args) - len(function.params)))
    bound: dict[str, str] = {}
    found: list[tree.Expr] = []
    places: list[tree.ZoneRef] = []
    for number, (param, arg) in enumerate(zip(params, args, strict=True), 1):
        one = _argument(checker, function, param, arg, bound)
        if one is None:
            expressions.check_anyway(checker, args[number:])
            return None
        if isinstance(one, tree.ZoneRef):
            places.append(one)
        else:
            found.append(one)
    result = row.resolved(function.result, bound)
    if missable(*found) and result.tag in ("int", "ref"):
        result = result.optional()
    return tree.BuiltinCall(result, span, name, tuple(found), tuple(places))


def _argument(
    checker: Checker, function: row.Function, param: row.Parameter, arg: nodes.Expr, bound: dict[str, str]
) -> tree.Expr | tree.ZoneRef | None:
    """What is given for a parameter; a type variable that it is the first to have is bound. None after a diagnostic."""
    if isinstance(param.type, row.Zone):
        return _zone(checker, function, param, param.type, arg, bound)
    variable = param.variable
    if not variable or variable in bound:
        return expressions.typed(checker, arg, row.resolved(param.type, bound), param.why(bound))
    found = expressions.expr(checker, arg, None)
    if not known(found.type):
        return None
    if found.type.tag != param.type.tag or not function.where[variable].has(checker.symbols.model, found.type.name):
        text = Template(param.refused).substitute(function=function.name, found=article(found.type))
        checker.error("T414", found.span, text, because=param.because)
        return None
    if param.type.tag == "condition" and not isinstance(found, tree.ColumnRef):
        because = f"`{function.name}` needs a column, as in `{function.name}(c.COLUMN, ...)`"
        checker.error("T414", found.span, "expected a condition that is read from a column", because=because)
        return None
    bound[variable] = found.type.name
    return found


def _zone(
    checker: Checker,
    function: row.Function,
    param: row.Parameter,
    type_: row.Zone,
    arg: nodes.Expr,
    bound: dict[str, str],
) -> tree.ZoneRef | None:
    zone = zones.one_zone(checker, arg, param.because)
    if isinstance(zone, tree.BoxRef):
        because = "cards in the box are out of the game"
        checker.error("T407", zone.span, f"the box has no {function.name}", because=because)
        return None
    if zone is not None:
        bound[type_.holds] = zone.zone.holds
    return zone


def is_set(node: nodes.Expr) -> bool:
    """Whether an expression is a call of a function that gives several."""
    return isinstance(node, nodes.Call) and node.name in FUNCTIONS and FUNCTIONS[node.name].is_set


__all__ = ["call", "is_set", "typed"]
