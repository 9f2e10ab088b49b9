"""One cell, read by its column's type."""

from __future__ import annotations

import re

from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlNode, YamlScalar, YamlSeq, kind_of
from rulelang.meaning.conditions import parse_condition, stretch, unknown_row, words
from rulelang.meaning.declare.desk import Desk
from rulelang.meaning.declare.plan import Plan, Single, implicit

_WHOLE = re.compile(r"-?[0-9]{1,9}\Z")


def read_single(desk: Desk, plan: Plan, node: YamlNode) -> Single | None:
    """One value of the column's type; None after N304, N305, N313 or N315."""
    of = plan.column.type
    if of.tag == "error":
        return 0
    if isinstance(node, YamlScalar):
        mark = (node.text, node.value is None or isinstance(node.value, bool))
        if mark in plan.known:
            return plan.known[mark]
        value = _scalar(desk, plan, plan.cells.get(node.text.strip(), node), node)
        if value is not None:
            plan.known[mark] = value
        return value
    if isinstance(node, YamlSeq) and of.tag == "set":
        members: list[int] = []
        for item in node.items:
            if not isinstance(item, YamlScalar):
                desk.shape(item, f"a {of.name}")
                continue
            number = _row(desk, plan, plan.cells.get(item.text, item).text, item.span)
            if number is not None:
                members.append(number)
        return _members(desk, plan, members, node.span)
    desk.shape(node, f"a `{of}`")
    return None


def _scalar(desk: Desk, plan: Plan, word: YamlScalar, written: YamlScalar) -> Single | None:
    """`word` is the text after `cells:`, `written` the cell itself, where a mistake is shown."""
    of = plan.column.type
    text = word.text.strip()
    if word.value is None or not text or (of.maybe and text == "none"):
        if plan.default is not None and (of.maybe or of.tag in ("set", "condition") or not text):
            return plan.default if not of.maybe else _nothing(plan)
        desk.shape(written, f"a `{of}`")
        return None
    if of.tag == "bool":
        if text in ("true", "false") and (isinstance(word.value, bool) or word.style == "csv"):
            return int(text == "true")
        hint = (
            f"say in the column what it means: `cells: {{{text}: true}}`"
            if written.style == "csv"
            else "write `true` or `false`"
        )
        desk.out.error("N304", written.span, f"`{text}` is neither true nor false", because=_for(plan), hint=hint)
        return None
    if of.tag == "int":
        return _number(desk, plan, word, written)
    if of.tag == "set":
        members: list[int] = []
        good = True
        for name, at in words(word.text, 0, "+"):
            place = stretch(written, at, at + max(1, len(name))) if word is written else written.span
            number = _row(desk, plan, name, place)
            good = good and number is not None
            if number is not None:
                members.append(number)
        return _members(desk, plan, members, written.span) if good else None
    if of.tag == "condition":
        return parse_condition(word if word is written else written, of.name, plan.rows, plan.declared, desk.out)
    return _row(desk, plan, text, written.span)


def _nothing(plan: Plan) -> Single:
    value = implicit(plan.column)
    assert value is not None, "a maybe column has an implicit default"
    return value


def _number(desk: Desk, plan: Plan, word: YamlScalar, written: YamlScalar) -> int | None:
    text = word.text.strip()
    if not _WHOLE.match(text) or (word.style != "csv" and not isinstance(word.value, int)):
        desk.out.error("N304", written.span, f"this is {kind_of(written)}, not a whole number", because=_for(plan))
        return None
    number = int(text)
    low, high = plan.column.low, plan.column.high
    if (low is not None and number < low) or (high is not None and number > high):
        said = (
            f"{low}..{high}"
            if low is not None and high is not None
            else f"{low} or more"
            if high is None
            else f"at most {high}"
        )
        related = [Related(plan.column.span, "the column is declared here")]
        because = f"the column `{plan.name}` holds {said}"
        desk.out.error("N315", written.span, f"{number} is out of range", because=because, related=related)
        return None
    return number


def _row(desk: Desk, plan: Plan, name: str, place: Span) -> int | None:
    number = plan.rows.get(name)
    if number is None:
        unknown_row(
            name, place, plan.column.type.name, {**plan.rows, **dict.fromkeys(plan.cells, 0)}, plan.declared, desk.out
        )
    return number


def _members(desk: Desk, plan: Plan, members: list[int], place: Span) -> tuple[int, ...]:
    if len(set(members)) != len(members):
        because = "a set holds each row once"
        desk.out.error("N314", place, f"`{plan.name}` names the same row twice", because=because)
    return tuple(sorted(set(members)))


def _for(plan: Plan) -> str:
    return f"the column `{plan.name}` is `{plan.column.type}`"
