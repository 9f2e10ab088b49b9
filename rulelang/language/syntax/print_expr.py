"""Expressions and binders as canonical text, with no bracket that the grammar does not need."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.language.syntax.nodes import (
    Affects,
    Arith,
    Attribute,
    Binder,
    Bool,
    Call,
    Can,
    Compare,
    CountTrue,
    Expr,
    Has,
    IfElse,
    Index,
    Is,
    Logic,
    Meets,
    Member,
    MinMax,
    Name,
    Negative,
    NoneValue,
    Not,
    Number,
    Otherwise,
    Query,
    SortKey,
    Text,
    Then,
    ZoneOf,
)

# How tightly a form binds, loosest first: the order of the grammar's rules.
THEN, COND, OR, AND, NOT, COMPARE, OTHERWISE, SUM, TERM, FACTOR, POSTFIX = range(11)


def expression(node: Expr, least: int = THEN) -> str:
    """The text of an expression, in brackets if it binds more loosely than `least`."""
    text, level = _text(node)
    return f"({text})" if level < least else text


def _text(node: Expr) -> tuple[str, int]:
    match node:
        case Number():
            return str(node.value), POSTFIX
        case Bool():
            return "true" if node.value else "false", POSTFIX
        case NoneValue():
            return "none", POSTFIX
        case Name():
            return f'"{node.id}"' if node.quoted else node.id, POSTFIX
        case Call():
            return f"{node.name}({_list(node.args)})", POSTFIX
        case Attribute():
            return f"{expression(node.object, POSTFIX)}.{node.name}", POSTFIX
        case ZoneOf():
            return f"{expression(node.owner, POSTFIX)}.{node.name}", POSTFIX
        case Index():
            return f"{expression(node.object, POSTFIX)}[{_list(node.args)}]", POSTFIX
        case Query():
            body = f": {expression(node.body)}" if node.body is not None else ""
            return f"{node.kind}({binders(node.binders)}{body})", POSTFIX
        case CountTrue():
            return f"count({_list(node.conditions)})", POSTFIX
        case MinMax():
            return f"{node.kind}({_list(node.args)})", POSTFIX
        case _:
            return _operator(node)


def _operator(node: Expr) -> tuple[str, int]:
    match node:
        case Negative():
            return f"-{expression(node.operand, FACTOR)}", FACTOR
        case Can():
            return f"can {call(node.call)}", FACTOR
        case Arith(op="+" | "-"):
            return f"{expression(node.left, SUM)} {node.op} {expression(node.right, TERM)}", SUM
        case Arith():
            return f"{expression(node.left, TERM)} {node.op} {expression(node.right, FACTOR)}", TERM
        case Otherwise():
            return f"{expression(node.value, OTHERWISE)} otherwise {expression(node.default, SUM)}", OTHERWISE
        case Compare():
            return f"{expression(node.left, OTHERWISE)} {node.op} {expression(node.right, OTHERWISE)}", COMPARE
        case Member():
            word = "not in" if node.negated else "in"
            return f"{expression(node.item, OTHERWISE)} {word} {expression(node.group, OTHERWISE)}", COMPARE
        case Is():
            word = "is not" if node.negated else "is"
            return f"{expression(node.subject, OTHERWISE)} {word} {node.word}", COMPARE
        case Has():
            return f"{expression(node.subject, OTHERWISE)} has {expression(node.trait, POSTFIX)}", COMPARE
        case Meets():
            return f"{expression(node.subject, OTHERWISE)} meets {expression(node.condition, POSTFIX)}", COMPARE
        case Affects():
            return f"{expression(node.trait, OTHERWISE)} affects {call(node.event)}", COMPARE
        case Not():
            return f"not {expression(node.operand, NOT)}", NOT
        case Logic(op="and"):
            return f"{expression(node.left, AND)} and {expression(node.right, NOT)}", AND
        case Logic():
            return f"{expression(node.left, OR)} or {expression(node.right, AND)}", OR
        case IfElse():
            test, other = expression(node.test, OR), expression(node.otherwise, COND)
            return f"{expression(node.then, OR)} if {test} else {other}", COND
        case Then():
            return " then ".join(expression(part, COND) for part in node.parts), THEN
        case _:
            raise AssertionError(f"no text for {type(node).__name__}")


def call(node: Call) -> str:
    """A call where the brackets may be left off without arguments."""
    return f"{node.name}({_list(node.args)})" if node.args else node.name


def _list(nodes: Iterable[Expr]) -> str:
    return ", ".join(expression(node) for node in nodes)


def binders(nodes: Iterable[Binder]) -> str:
    """Several binders, parted by commas."""
    return ", ".join(binder(node) for node in nodes)


def binder(node: Binder) -> str:
    """`[maybe] KIND NAME [of ...] [in ...] ...`"""
    parts = [f"{node.kind} {node.name}"]
    if node.maybe:
        parts.insert(0, "maybe")
    if node.of is not None:
        parts.append(f"of {expression(node.of, POSTFIX)}")
    if node.zones:
        parts.append("in " + " + ".join(expression(zone, POSTFIX) for zone in node.zones))
    if node.on is not None:
        parts.append(f"on {expression(node.on, POSTFIX)}")
    if node.from_ is not None:
        parts.append(f"from {expression(node.from_, SUM)}")
        if node.to is not None:
            parts.append(f"to {expression(node.to, SUM)}")
    if node.where is not None:
        parts.append(f"where {expression(node.where, AND)}{because(node.because)}")
    if node.extreme is not None:
        parts.append(f"with {_key(node.extreme)}")
    if node.sorted_by:
        parts.append("sorted by " + " then ".join(_key(key) for key in node.sorted_by))
    return " ".join(parts) + asks(node.asks)


def because(text: Text | str | None) -> str:
    """` because "..."`, or nothing."""
    said = text.text if isinstance(text, Text) else text
    return f' because "{said}"' if said is not None else ""


def asks(text: Text | None) -> str:
    """The words of a question behind it, or nothing."""
    return f' "{text.text}"' if text is not None else ""


def _key(node: SortKey) -> str:
    return f"{node.way} {expression(node.key, OTHERWISE)}"
