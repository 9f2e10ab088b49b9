"""Conditions on cards in the words of the rules, over what is printed: checked as rules are, asked of every card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.english import a_quoted, listed
from rulelang.base.nearest import did_you_mean
from rulelang.base.node import record
from rulelang.base.source import Placement, Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.cards import face_column
from rulelang.language.semantics.check import check_expression
from rulelang.language.semantics.conditions import condition_text
from rulelang.language.semantics.denial import inward
from rulelang.language.semantics.model import CardSort, Column, ColumnValue, Condition, Model, Row
from rulelang.language.semantics.types import BOOL, INT, MISSING_INT, Type, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse_expression

#: What a query is called in messages.
WHERE = "(condition)"
#: The card that is asked about.
_CARD = "this_card"


@record
class Card:
    """Equal copies of a row: its printed values by column, and how many there are."""

    sort: CardSort
    row: Row
    values: Mapping[str, ColumnValue]
    copies: int


def cards_of(sort: CardSort) -> Iterator[Card]:
    """The cards of a sort as they are written: each row once for all copies on which the same is printed.

    What `for_each` repeats counts once.
    """
    for row in sort.rows:
        if row.number != row.written:
            return
        several = [column for column in sort.columns.values() if column.by == "copy"]
        found: dict[tuple[object, ...], list[Any]] = {}
        for copy in range(row.copies):
            values = {name: _value(row, column, copy) for name, column in sort.columns.items()}
            entry = found.setdefault(tuple(values[column.name] for column in several), [values, 0])
            entry[1] += 1
        for values, copies in found.values():
            yield Card(sort, row, values, copies)


def _value(row: Row, column: Column, copy: int) -> ColumnValue:
    value = row.columns.get(column.name, column.default)
    if column.by == "copy" and isinstance(value, tuple):
        return value[copy]
    if value is None:
        return MISSING_INT if column.type == INT.optional() else 0
    return value


@record
class Question:
    """A checked expression about a card. `copies` and names of columns stand for what is printed on it."""

    text: str
    whole: tree.Expr

    def of(self, card: Card) -> int:
        """What it is for a card: 1 or 0 for a condition. MISSING_INT where a number is missing."""
        value = _evaluate(self.whole, card)
        assert isinstance(value, int)
        return value


def read_question(
    text: str, sort: CardSort, model: Model, program: tree.Program, want: Type = BOOL, place: Placement | None = None
) -> tuple[Question | None, Diagnostics]:
    """The expression of a text about cards of a sort; None with diagnostics, whose places are in WHERE or `place`."""
    node, found = parse_expression(text, place or Placement(WHERE))
    if node is None or found.failed:
        return None, found
    node = _meant(node, sort, model, want == BOOL)
    expr, found = check_expression(model, program, node, {_CARD: ref(sort.name)}, want)
    if expr is None:
        return None, _hinted(found, sort, model)
    for part in _parts(expr):
        if not _is_printed(part, model):
            because = "a query here can use only values that are printed on cards"
            hint = f"use a printed column: {listed(list(sort.columns))}" if sort.columns else ""
            found.error("Y184", part.span, "this value is not printed on cards", because=because, hint=hint)
            return None, found
    return Question(text, _settled(expr, model)), found


_PRINTED = (
    tree.Const, tree.LocalRef, tree.NumberRef, tree.ColumnRef, tree.Property, tree.Arith, tree.Negative, tree.Compare,
    tree.Logic, tree.Not, tree.IfElse, tree.MemberOfSet, tree.Present, tree.Otherwise,
)  # fmt: skip


def _is_printed(part: tree.Typed, model: Model) -> bool:
    if isinstance(part, tree.NumberRef):
        return _number(part, model) is not None
    if isinstance(part, tree.Property):
        return part.name in ("face", "faces")
    return isinstance(part, _PRINTED)


def _meant(node: Any, sort: CardSort, model: Model, asked: bool) -> Any:
    """Names of columns as what is printed on the card; a trait that is asked for (`asked`) as one of its faces."""
    if isinstance(node, nodes.Name):
        card = nodes.Name(node.span, _CARD)
        if node.id in sort.columns:
            return nodes.Attribute(node.span, card, node.id, node.span)
        face = face_column(sort)
        if asked and face is not None and node.id in model.traits:
            return nodes.Member(node.span, node, nodes.Attribute(node.span, card, "faces", node.span), False)
        return node
    truth = isinstance(node, nodes.Logic | nodes.Not)
    changed: dict[str, Any] = {}
    for item in fields(node):
        value = getattr(node, item.name)
        inner = asked and truth
        if isinstance(value, Span):
            continue
        if isinstance(value, nodes.Node):
            changed[item.name] = _meant(value, sort, model, inner)
        elif isinstance(value, tuple):
            changed[item.name] = tuple(
                _meant(part, sort, model, inner) if isinstance(part, nodes.Node) else part for part in value
            )
    return replace(node, **changed)


def _hinted(found: Diagnostics, sort: CardSort, model: Model) -> Diagnostics:
    """Unknown names with the nearest of what is printed."""
    known = [*sort.columns, *(model.traits if face_column(sort) is not None else ())]
    fresh = Diagnostics()
    for item in found:
        name = item.message.split("`")[1] if item.code == "N350" and "`" in item.message else ""
        hint = (
            did_you_mean(name, known)
            or item.hint
            or f"the printed columns of `{sort.name}` are {listed(list(sort.columns))}"
        )
        fresh.add(replace(item, hint=hint, because=f"this query is about {a_quoted(sort.name)}") if name else item)
    return fresh


def _parts(expr: object) -> Iterator[tree.Typed]:
    if isinstance(expr, tree.Typed):
        yield expr
        for item in fields(expr):
            yield from _parts(getattr(expr, item.name))
    elif isinstance(expr, tuple):
        for part in expr:
            yield from _parts(part)


def _number(part: tree.NumberRef, model: Model) -> int | None:
    """A number that is the same at every table."""
    values = set(model.numbers[part.name].by_players.values())
    value = values.pop() if len(values) == 1 and part.index is None else None
    return value if isinstance(value, int) else None


def _settled(expr: Any, model: Model) -> Any:
    """The expression with constants in the place of numbers."""
    if isinstance(expr, tree.NumberRef):
        return tree.Const(INT, expr.span, _number(expr, model) or 0)
    changed = {
        item.name: _settled(value, model)
        for item in fields(expr)
        if isinstance(value := getattr(expr, item.name), tree.Typed)
    }
    return replace(expr, **changed) if changed else expr


# ---- asking


def _evaluate(expr: tree.Expr, card: Card) -> ColumnValue:
    match expr:
        case tree.Const(value=value):
            return value
        case tree.LocalRef():
            return card.row.number
        case tree.ColumnRef(column=column, index=index):
            printed = card.values[column.name]
            return _item(printed, column, _int(index, card)) if index is not None else printed
        case tree.Property(name=name):
            shown = card.values.get("faces", card.values.get("face", 0))
            if name == "face":
                return card.values.get("face", 0)
            return shown if isinstance(shown, tuple) else (shown,) if isinstance(shown, int) and shown else ()
        case tree.Not():
            denied = inward(expr)
            return int(not _int(denied.operand, card)) if isinstance(denied, tree.Not) else _evaluate(denied, card)
        case tree.Negative(operand=operand):
            number = _int(operand, card)
            return MISSING_INT if number == MISSING_INT else -number
        case tree.Logic(op=op, left=left, right=right):
            first = bool(_int(left, card))
            return int((first and bool(_int(right, card))) if op == "and" else (first or bool(_int(right, card))))
        case tree.IfElse(test=test, then=then, otherwise=otherwise):
            return _evaluate(then if _int(test, card) else otherwise, card)
        case tree.Compare(op=op, left=left, right=right):
            return int(_compare(op, _int(left, card), _int(right, card)))
        case tree.Arith(op=op, left=left, right=right):
            return _arith(op, _int(left, card), _int(right, card))
        case tree.MemberOfSet(item=item, group=group):
            members = _evaluate(group, card)  # type: ignore[arg-type]
            return int(isinstance(members, tuple) and _int(item, card) in members)
        case tree.Present(operand=operand):
            return int(_int(operand, card) not in (MISSING_INT, *((0,) if operand.type.tag == "ref" else ())))
        case tree.Otherwise(value=first, default=default):
            found = _evaluate(first, card)
            missing = found == MISSING_INT or (first.type.tag == "ref" and found == 0)
            return _evaluate(default, card) if missing else found
    raise TypeError(type(expr).__name__)


def _int(expr: tree.Expr, card: Card) -> int:
    value = _evaluate(expr, card)
    return value if isinstance(value, int) else 0


def _item(value: ColumnValue, column: Column, number: int) -> int:
    first = column.by[0] if isinstance(column.by, tuple) else 1
    values = value if isinstance(value, tuple) else ()
    return values[number - first] if 0 <= number - first < len(values) else 0


def _compare(op: str, left: int, right: int) -> bool:
    if op in ("==", "!="):
        return (left == right) == (op == "==")
    if MISSING_INT in (left, right):
        return False
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]


def _arith(op: str, left: int, right: int) -> int:
    if MISSING_INT in (left, right):
        return MISSING_INT
    if op in ("/", "%"):
        if right == 0:
            return MISSING_INT
        return left // right if op == "/" else left % right
    return {"+": left + right, "-": left - right, "*": left * right}[op]


# ---- values as they read


def said(value: ColumnValue, column: Column, model: Model) -> str:
    """A printed value in words; empty where nothing is printed."""
    of = column.type
    if isinstance(value, Condition):
        return condition_text(value, _names(of, model))
    if isinstance(value, tuple) and column.by is not None and column.by != "copy":
        labels = _names(ref(column.by), model) if isinstance(column.by, str) else []
        if labels:
            return " ".join(f"{name} {number}" for name, number in zip(labels, value, strict=False) if number)
        return " ".join(map(str, value))
    if isinstance(value, tuple):
        names = _names(of, model)
        return " ".join(names[number - 1] for number in value)
    if of.tag == "bool":
        return "yes" if value else ""
    if of.tag == "ref":
        return _names(of, model)[value - 1] if value else ""
    return "" if value == MISSING_INT else str(value)


def _names(of: Type, model: Model) -> list[str]:
    listing = model.lists.get(of.name)
    return [row.name or str(row.number) for row in listing.rows] if listing is not None else []
