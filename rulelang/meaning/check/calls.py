"""Calls: of values, of built-in functions, of routines in `can R(...)` and as statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.base.words import with_article
from rulelang.meaning import tree
from rulelang.meaning.check import expressions, names, zones
from rulelang.meaning.check.desk import Desk, article, fit, known, missable, wrong
from rulelang.meaning.check.symbols import FUNCTIONS, Signature, What
from rulelang.meaning.types import BOOL, INT, PLAYER, Type, ref
from rulelang.syntax import nodes


def value_call(desk: Desk, node: nodes.Call) -> tree.Expr:
    """`name(args)` as an expression: a declared value or a built-in function."""
    signature = desk.symbols.find(node.name, desk.scope.origin)
    if signature is None and node.name in FUNCTIONS:
        return _builtin(desk, node)
    if signature is None and node.name in desk.lost:
        return wrong(node.span)
    if signature is None:
        _check_anyway(desk, node.args)
        values = [s.name for s in desk.symbols.visible(desk.scope.origin) if s.what == "value"]
        hint = did_you_mean(node.name, [*values, *FUNCTIONS])
        because = _what_it_is(desk, node.name)
        return desk.error("N356", node.name_span, f"there is no value `{node.name}`", because=because, hint=hint)
    if signature.result is None:
        _check_anyway(desk, node.args)
        hint = f"`can {node.name}(...)` asks whether it is possible"
        because = "an expression only reads; routines, phases and actions do something"
        message = f"the {signature.what} `{node.name}` is no value"
        return desk.error(
            "T419", node.name_span, message, because=because, hint=hint, related=names.declared(signature)
        )
    args = arguments(desk, signature, node.args, node.span)
    if args is None:
        return wrong(node.span)
    names.note_call(desk, signature, node.span)
    lost = any(a.type.maybe and not p.type.maybe for a, p in zip(args, signature.params, strict=True))
    type_ = signature.result
    if lost and type_.tag != "bool":
        type_ = type_.optional()
    return tree.ValueCall(type_, node.span, signature.id, args)


def arguments(desk: Desk, signature: Signature, args: Sequence[nodes.Expr], span: Span) -> tuple[tree.Expr, ...] | None:
    """The typed arguments; None after T401 for a wrong number of them. A `maybe` fits everywhere (Meaning 3)."""
    params = signature.params
    if len(args) != len(params):
        _check_anyway(desk, args)
        given = "no arguments are" if not args else "1 argument is" if len(args) == 1 else f"{len(args)} arguments are"
        desk.error("T401", span, f"{signature.shape}, and {given} given", related=names.declared(signature))
        return None
    found = []
    for arg, param in zip(args, params, strict=True):
        value = expressions.expr(desk, arg, param.type)
        if isinstance(arg, nodes.NoneValue) and not param.type.maybe:
            because = f"{signature.shape}; `{param.name}` is never missing"
            found.append(
                desk.error("T403", arg.span, "`none` is given", because=because, related=names.declared(signature))
            )
            continue
        found.append(fit(desk, value, param.type, signature.shape, related=names.declared(signature)))
    return tuple(found)


def event_call(
    desk: Desk, node: nodes.Call, allowed: tuple[What, ...]
) -> tuple[Signature, tuple[tree.Expr, ...]] | None:
    """The routine (or what else is allowed) that is called, with its arguments; None after a diagnostic."""
    signature = desk.symbols.find(node.name, desk.scope.origin)
    kinds = " or ".join(kind for kind in allowed if kind != "invariant")
    if signature is None and node.name in desk.lost:
        return None
    if signature is None:
        _check_anyway(desk, node.args)
        there = [s.name for s in desk.symbols.visible(desk.scope.origin) if s.what in allowed]
        hint, because = did_you_mean(node.name, there), _what_it_is(desk, node.name)
        desk.error("N356", node.name_span, f"there is no {kinds} `{node.name}`", because=because, hint=hint)
        return None
    if signature.what not in allowed:
        _check_anyway(desk, node.args)
        because = {
            "action": "an action is chosen by a player; what it does for others to use stands in a routine",
            "value": "a value is computed and does nothing",
            "invariant": "an invariant holds and does nothing",
        }.get(signature.what, "")
        message = f"`{node.name}` is {with_article(signature.what)}, and {with_article(kinds)} is expected"
        desk.error("T419", node.name_span, message, because=because, related=names.declared(signature))
        return None
    args = arguments(desk, signature, node.args, node.span)
    if args is None:
        return None
    names.note_call(desk, signature, node.span)
    return signature, args


def can(desk: Desk, node: nodes.Can) -> tree.Expr:
    """`can R(args)`"""
    found = event_call(desk, node.call, ("routine", "phase", "action"))
    if found is None:
        return wrong(node.span)
    return tree.Can(BOOL, node.span, found[0].id, found[1])


def _check_anyway(desk: Desk, args: Sequence[nodes.Expr]) -> None:
    """Report mistakes inside arguments although the call itself is wrong (names of rows alone tell nothing)."""
    for arg in args:
        if not expressions.needs_company(desk, arg):
            expressions.expr(desk, arg, None)


def _what_it_is(desk: Desk, name: str) -> str:
    """What the name is instead, for `because`."""
    symbols = desk.symbols
    if name in symbols.model.tables:
        return f"`{name}` is a table, read with brackets: `{name}[...]`"
    if symbols.zones_named(name):
        return f"`{name}` is a zone"
    if symbols.rows_named(name):
        return f"`{name}` is a row of `{symbols.rows_named(name)[0][0]}`"
    if name in symbols.model.state or name in symbols.model.numbers:
        return f"`{name}` is read without parentheses"
    return ""


# ---- built-in functions


def _builtin(desk: Desk, node: nodes.Call) -> tree.Expr:
    counts = {"adjacent": 2, "step": 2, "forbids": 2}
    expected = counts.get(node.name, 1)
    if node.name in ("min", "max"):
        args = tuple(expressions.number(desk, arg, f"`{node.name}` compares numbers") for arg in node.args)
        if not args:
            return desk.error("T401", node.span, f"`{node.name}` needs a number at least")
        kind: Literal["min", "max"] = "min" if node.name == "min" else "max"
        return tree.MinMax(INT.optional() if missable(*args) else INT, node.span, kind, args)
    if len(node.args) != expected:
        _check_anyway(desk, node.args)
        text = "1 argument" if expected == 1 else f"{expected} arguments"
        return desk.error("T401", node.span, f"`{node.name}` takes {text}, and {len(node.args)} are given")
    if node.name == "neighbours":
        because = "they are several; rules ask `x in neighbours(y)` or run over them: `species s in neighbours(y)`"
        _check_anyway(desk, node.args)
        return desk.error("T408", node.span, "`neighbours` is no single value", because=because)
    if node.name == "next":
        player = expressions.typed(desk, node.args[0], PLAYER, "`next` gives the player after another")
        return tree.BuiltinCall(PLAYER.optional() if missable(player) else PLAYER, node.span, "next", (player,))
    if node.name == "forbids":
        return _forbids(desk, node)
    if node.name in ("top", "bottom"):
        return _end(desk, node)
    first = expressions.expr(desk, node.args[0], None)
    if not known(first.type):
        _check_anyway(desk, node.args[1:])
        return wrong(node.span)
    if node.name == "step":
        return _step(desk, node, first)
    return _beside(desk, node, first)


def _end(desk: Desk, node: nodes.Call) -> tree.Expr:
    why = f"`{node.name}` gives one card of one zone"
    zone = zones.one_zone(desk, node.args[0], why)
    if isinstance(zone, tree.BoxRef):
        return desk.error(
            "T407", zone.span, f"the box has no {node.name}", because="what lies there is out of the game"
        )
    if zone is None:
        return wrong(node.span)
    return tree.EndOf(ref(zone.zone.holds, maybe=True), node.span, zone, node.name == "top")


def _step(desk: Desk, node: nodes.Call, level: tree.Expr) -> tree.Expr:
    by = expressions.number(desk, node.args[1], "`step(level, n)` goes up by a number")
    if level.type.tag != "ref" or not desk.symbols.is_ladder(level.type.name):
        because = "`step(level, n)` goes up or down a ladder"
        message = f"{article(level.type)} is no level of a ladder"
        return desk.error("T414", level.span, message, because=because)
    return tree.BuiltinCall(level.type.optional(), node.span, "step", (level, by))


def _beside(desk: Desk, node: nodes.Call, thing: tree.Expr) -> tree.Expr:
    kind, symbols = thing.type.name, desk.symbols
    of_line = thing.type.tag == "ref" and symbols.is_line(kind)
    of_grid = thing.type.tag == "ref" and kind in symbols.model.grids
    if not of_line and not (of_grid and node.name == "adjacent"):
        because = "only things that lie in a row (`line: true`) have this"
        if node.name == "adjacent":
            because = "only spaces of a grid and things that lie in a row are adjacent"
            _check_anyway(desk, node.args[1:])
        return desk.error("T414", thing.span, f"`{node.name}` of {article(thing.type)} is not known", because=because)
    if node.name == "adjacent":
        other = expressions.typed(desk, node.args[1], ref(kind), f"`adjacent` asks about two of `{kind}`")
        return tree.BuiltinCall(BOOL, node.span, "adjacent", (thing, other))
    if node.name == "position":
        type_: Type = INT.optional() if thing.type.maybe else INT
        return tree.BuiltinCall(type_, node.span, "position", (thing,))
    name: tree.BuiltinFunction = "left_of" if node.name == "left_of" else "right_of"
    return tree.BuiltinCall(ref(kind, maybe=True), node.span, name, (thing,))


def _forbids(desk: Desk, node: nodes.Call) -> tree.Expr:
    asked = expressions.expr(desk, node.args[0], None)
    if not known(asked.type):
        return wrong(node.span)
    if asked.type.tag != "condition":
        because = "`forbids(condition, measure)` asks whether a printed condition rules a measure out"
        return desk.error("T414", asked.span, f"this is {article(asked.type)}, not a condition", because=because)
    measure = ref(asked.type.name)
    what = expressions.typed(desk, node.args[1], measure, f"the condition is one on `{asked.type.name}`")
    return tree.BuiltinCall(BOOL, node.span, "forbids", (asked, what))
