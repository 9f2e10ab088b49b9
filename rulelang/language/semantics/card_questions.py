"""Conditions over printed cards: check and evaluate them, and compare `expect:` sums with the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.source import Placement, Span
from rulelang.base.wording import a_quoted, did_you_mean, quoted_list
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.language.semantics import tree
from rulelang.language.semantics.cards import condition_text, face_column
from rulelang.language.semantics.check.program import check_expression
from rulelang.language.semantics.denial import inward
from rulelang.language.semantics.model import (
    BOOL,
    INT,
    MISSING_INT,
    CardType,
    Column,
    ColumnValue,
    Condition,
    Model,
    Row,
    Type,
    ref,
)
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse_expression

# ---- questions

#: What a query is called in messages.
WHERE = "(condition)"
#: The card that is asked about.
_CARD = "this_card"


@record
class Card:
    """Equal copies of a row: its printed values by column, and how many there are."""

    sort: CardType
    row: Row
    values: Mapping[str, ColumnValue]
    copies: int


def cards_of(sort: CardType) -> Iterator[Card]:
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
    text: str, sort: CardType, model: Model, program: tree.Program, want: Type = BOOL, place: Placement | None = None
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
            hint = f"use a printed column: {quoted_list(list(sort.columns))}" if sort.columns else ""
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


def _meant(node: Any, sort: CardType, model: Model, asked: bool) -> Any:
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


def _hinted(found: Diagnostics, sort: CardType, model: Model) -> Diagnostics:
    """Unknown names with the nearest of what is printed."""
    known = [*sort.columns, *(model.traits if face_column(sort) is not None else ())]
    fresh = Diagnostics()
    for item in found:
        name = item.message.split("`")[1] if item.code == "N350" and "`" in item.message else ""
        hint = (
            did_you_mean(name, known)
            or item.hint
            or f"the printed columns of `{sort.name}` are {quoted_list(list(sort.columns))}"
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


def printed_text(value: ColumnValue, column: Column, model: Model) -> str:
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


# ---- expected sums

_FORMS = "write `count`, `rows` or `sum of EXPRESSION`, each optionally with `where CONDITION`"
_FORM = re.compile(r"(count|rows)(?:\s+where\s+(.+))?\Z|sum\s+of\s+(.+?)(?:\s+where\s+(.+))?\Z", re.DOTALL)


@record
class Sum:
    """A sum of a sort's cards that is not what is expected: how it is written, the number there, what it came to."""

    word: YamlScalar
    number: YamlScalar
    sort: CardType
    came: int


def report_unmet_sums(source: RulesetSource, model: Model, program: tree.Program) -> Diagnostics:
    """Y177 for each sum that the rows do not come to, Y185 for what is no such sum."""
    found = Diagnostics()
    for one in other_sums(source, model, program, found):
        related = [Related(one.sort.span, f"the cards of `{one.sort.name}`")]
        expected = f"`{one.word.text}` of `{one.sort.name}` is {one.came}, but {one.number.value} was expected"
        hint = f"correct the rows, or, if they are right, write `{one.came}`"
        found.error("Y177", one.number.span, expected, hint=hint, related=related)
    return found


def other_sums(source: RulesetSource, model: Model, program: tree.Program, found: Diagnostics) -> list[Sum]:
    """The sums that the rows do not come to.

    What a layer expects is tested where no later layer lies over it: a mod may bring cards of its own.
    """
    sums: list[Sum | None] = []
    last = len(source.layers) - 1
    for key, node in source.tree.map("cards"):
        sort = model.sorts.get(key.text)
        if sort is None or not isinstance(node, YamlMap):
            continue
        for word, number in node.map("expect"):
            if word.layer == last and isinstance(number, YamlScalar) and isinstance(number.value, int):
                sums.append(_held(word, number, sort, model, program, found))
    return [one for one in sums if one is not None]


def _held(
    word: YamlScalar, number: YamlScalar, sort: CardType, model: Model, program: tree.Program, found: Diagnostics
) -> Sum | None:
    """A sum that is another one; None for what is as expected."""
    form = _FORM.match(word.text.strip())
    if form is None:
        bare = re.match(r"sum\s+(?!of\b)(.+)", word.text, re.DOTALL)
        hint = f"write `sum of {bare[1]}`" if bare else _FORMS
        found.error("Y185", word.span, f"unknown check `{word.text}` in `expect:`", hint=hint)
        return None
    questions: list[Question | None] = []
    for group, want in ((3, INT), (2 if form[1] else 4, BOOL)):
        if form[group] is None:
            questions.append(None)
            continue
        place = word.placement() if word.exact else Placement(word.span.path, word.span.line - 1, 0, word.span.column)
        first = (place.first_column or 0) + form.start(group)
        at = Placement(place.path, place.line, place.column, first)
        question, told = read_question(form[group], sort, model, program, want, at)
        found.extend(told)
        if question is None:
            return None
        questions.append(question)
    value, condition = questions
    total = 0
    rows: set[int] = set()
    for card in cards_of(sort):
        if condition is None or condition.of(card):
            of_one = value.of(card) if value is not None else 1
            total += 0 if of_one == MISSING_INT else of_one * card.copies
            rows.add(card.row.number)
    came = len(rows) if form[1] == "rows" else total
    return Sum(word, number, sort, came) if came != number.value else None
