"""Calls: of values, of built-in functions, of routines in `can R(...)` and as statements."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.english import arguments_given, with_article
from rulelang.base.nearest import did_you_mean, nearest
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.check import built_in, expressions, names
from rulelang.language.semantics.check.checker import Checker, fit, wrong
from rulelang.language.semantics.check.symbols import Signature, What
from rulelang.language.semantics.types import BOOL, Type
from rulelang.language.syntax import nodes


def value_call(checker: Checker, node: nodes.Call, want: Type | None) -> tree.Expr:
    """`name(args)` as an expression: a declared value or a built-in function."""
    signature = checker.symbols.find(node.name, checker.scope.origin)
    if signature is None and node.name in FUNCTIONS:
        return built_in.call(checker, node.name, node.args, node.span)
    if signature is None and (node.name in checker.lost or names.gone(checker, node.name, node.name_span)):
        expressions.check_anyway(checker, node.args)  # so that what they name is used
        return wrong(node.span)
    if signature is None:
        expressions.check_anyway(checker, node.args)
        hint = _value_meant(checker, node.name, want)
        because = _what_it_is(checker, node.name)
        return checker.error("N356", node.name_span, f"there is no value `{node.name}`", because=because, hint=hint)
    if signature.result is None:
        expressions.check_anyway(checker, node.args)
        hint = f"`can {node.name}(...)` is true if it is possible"
        because = "an expression can read the state, but it cannot do anything"
        message = f"`{node.name}` is {with_article(signature.what)}, not a value"
        return checker.error(
            "T419", node.name_span, message, because=because, hint=hint, related=names.declared(signature)
        )
    args = arguments(checker, signature, node.args, node.span)
    if args is None:
        return wrong(node.span)
    names.note_call(checker, signature, node.span)
    lost = any(a.type.maybe and not p.type.maybe for a, p in zip(args, signature.params, strict=True))
    type_ = signature.result
    if lost and type_.tag != "bool":
        type_ = type_.optional()
    return tree.ValueCall(type_, node.span, signature.id, args)


def _value_meant(checker: Checker, name: str, want: Type | None) -> str:
    """The nearest name; where that is a value of another type than is wanted, the nearest of this type before it."""
    values = {s.name: s.result for s in checker.symbols.visible(checker.scope.origin) if s.what == "value"}
    like = nearest(name, [*values, *FUNCTIONS])
    if like in values and want is not None:
        like = nearest(name, [n for n, type_ in values.items() if type_ and type_.sure() == want.sure()]) or like
    return f"did you mean `{like}`?" if like else ""


def arguments(
    checker: Checker, signature: Signature, args: Sequence[nodes.Expr], span: Span
) -> tuple[tree.Expr, ...] | None:
    """The typed arguments; None after T401 for a wrong number of them. A `maybe` fits everywhere (Meaning 3)."""
    params = signature.params
    if len(args) != len(params):
        expressions.check_anyway(checker, args)
        checker.error(
            "T401", span, f"{signature.shape}, but {arguments_given(len(args))}", related=names.declared(signature)
        )
        return None
    found = []
    for arg, param in zip(args, params, strict=True):
        value = expressions.expr(checker, arg, param.type)
        if isinstance(arg, nodes.NoneValue) and not param.type.maybe:
            because = f"{signature.shape}; `{param.name}` cannot be missing"
            found.append(
                checker.error(
                    "T403",
                    arg.span,
                    "this argument cannot be `none`",
                    because=because,
                    related=names.declared(signature),
                )
            )
            continue
        found.append(fit(checker, value, param.type, signature.shape, related=names.declared(signature)))
    return tuple(found)


def event_call(
    checker: Checker, node: nodes.Call, allowed: tuple[What, ...]
) -> tuple[Signature, tuple[tree.Expr, ...]] | None:
    """The routine (or what else is allowed) that is called, with its arguments; None after a diagnostic."""
    signature = checker.symbols.find(node.name, checker.scope.origin)
    kinds = " or ".join(kind for kind in allowed if kind != "invariant")
    if signature is None and (node.name in checker.lost or names.gone(checker, node.name, node.name_span)):
        expressions.check_anyway(checker, node.args)
        return None
    if signature is None:
        expressions.check_anyway(checker, node.args)
        there = [s.name for s in checker.symbols.visible(checker.scope.origin) if s.what in allowed]
        hint, because = did_you_mean(node.name, there), _what_it_is(checker, node.name)
        checker.error("N356", node.name_span, f"there is no {kinds} `{node.name}`", because=because, hint=hint)
        return None
    if signature.what not in allowed:
        expressions.check_anyway(checker, node.args)
        because = {
            "action": "only a player can choose an action",
            "value": "a value computes a result, and cannot be a statement",
            "invariant": "an invariant is a condition, and cannot be a statement",
        }.get(signature.what, "")
        message = f"expected {with_article(kinds)}, found the {signature.what} `{node.name}`"
        hint = "move its steps to a routine, and call the routine here and in the action" * (signature.what == "action")
        checker.error("T419", node.name_span, message, because=because, hint=hint, related=names.declared(signature))
        return None
    args = arguments(checker, signature, node.args, node.span)
    if args is None:
        return None
    names.note_call(checker, signature, node.span)
    return signature, args


def can(checker: Checker, node: nodes.Can) -> tree.Expr:
    """`can R(args)`"""
    found = event_call(checker, node.call, ("routine", "phase", "action"))
    if found is None:
        return wrong(node.span)
    return tree.Can(BOOL, node.span, found[0].id, found[1])


def _what_it_is(checker: Checker, name: str) -> str:
    """What the name is instead, for `because`."""
    symbols = checker.symbols
    if name in symbols.model.tables:
        return f"`{name}` is a table: write `{name}[...]`"
    if symbols.zones_named(name):
        return f"`{name}` is a zone"
    if symbols.rows_named(name):
        return f"`{name}` is {symbols.one_of(symbols.rows_named(name)[0][0])}"
    if name in symbols.model.state or name in symbols.model.numbers:
        return f"`{name}` has no parentheses"
    return ""
