"""One cell, read by its column's type."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import NamedTuple

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted, with_article
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlNode, YamlScalar, YamlSeq, kind_of
from rulelang.language.semantics.conditions import parse_condition, stretch, unknown_row, words
from rulelang.language.semantics.declare.plan import Plan, Single, implicit
from rulelang.language.semantics.declare.registry import Registry, too_large

_WHOLE = re.compile(r"-?[0-9]{1,9}\Z")


class Where(NamedTuple):
    """Which cell is read, as its author knows it: the column of his file, and the row."""

    column: str
    row: str = ""


def read_single(registry: Registry, plan: Plan, node: YamlNode, where: Where | None = None) -> Single | None:
    """One value of the column's type; None after N304, N305, N313 or N315, or Y174 for a cell that holds no value.

    `where` is for messages.
    """
    of = plan.column.type
    if of.tag == "error":
        return 0
    if isinstance(node, YamlScalar):
        if node.style == "odd":
            told = registry.odd[node.span]
            if told.span == node.span:  # of one cell, not of several that are merged
                told = replace(told, because=f"{_for(plan, where)}; {told.because}".removesuffix("; "))
            registry.out.add(told)
            return None
        mark = (node.text, node.value is None or isinstance(node.value, bool))
        if mark in plan.known:
            return plan.known[mark]
        value = _scalar(registry, plan, plan.cells.get(node.text.strip(), node), node, where)
        if value is not None:
            plan.known[mark] = value
        return value
    if isinstance(node, YamlSeq) and of.tag == "set":
        members: list[int] = []
        for item in node.items:
            if not isinstance(item, YamlScalar):
                registry.shape(item, f"{with_article(of.name)}")
                continue
            number = _row(registry, plan, plan.cells.get(item.text, item).text, item.span, where)
            if number is not None:
                members.append(number)
        return _members(registry, plan, members, node.span)
    registry.shape(node, f"{a_quoted(of)}")
    return None


def _scalar(
    registry: Registry, plan: Plan, word: YamlScalar, written: YamlScalar, where: Where | None
) -> Single | None:
    """`word` is the text after `cells:`, `written` the cell itself, where a mistake is shown."""
    of = plan.column.type
    text = word.text.strip()
    if word.value is None or not text or (of.maybe and text == "none"):
        if plan.default is not None and (of.maybe or of.tag in ("set", "condition") or not text):
            return plan.default if not of.maybe else _nothing(plan)
        registry.shape(written, f"{a_quoted(of)}")
        return None
    if of.tag == "bool":
        if text in ("true", "false") and (isinstance(word.value, bool) or word.style == "csv"):
            return int(text == "true")
        hint = (
            f"give its meaning in the column: `cells: {{{text}: true}}`"
            if written.style == "csv"
            else "write `true` or `false`"
        )
        registry.out.error(
            "N304", written.span, f"expected `true` or `false`, found `{text}`", because=_for(plan, where), hint=hint
        )
        return None
    if of.tag == "int":
        return _number(registry, plan, word, written, where)
    if of.tag == "set":
        members: list[int] = []
        good = True
        for name, at in words(word.text, 0, "+"):
            place = stretch(written, at, at + max(1, len(name))) if word is written else written.span
            number = _row(registry, plan, name, place, where)
            good = good and number is not None
            if number is not None:
                members.append(number)
        return _members(registry, plan, members, written.span) if good else None
    if of.tag == "condition":
        cell = word if word is written else written
        return parse_condition(cell, of.name, plan.rows, plan.declared, registry.out, registry.removed)
    return _row(registry, plan, text, written.span, where)


def _nothing(plan: Plan) -> Single:
    value = implicit(plan.column)
    assert value is not None, "a maybe column has an implicit default"
    return value


def _number(registry: Registry, plan: Plan, word: YamlScalar, written: YamlScalar, where: Where | None) -> int | None:
    text = word.text.strip()
    if too_large(registry, text, written.span):
        return None
    if not _WHOLE.match(text) or (word.style != "csv" and not isinstance(word.value, int)):
        message = f"expected a whole number, found {kind_of(written)}"
        quoted = _WHOLE.match(text) and written.style in ("single", "double")
        hint = "write it without quotes" if quoted else _meant(text)
        registry.out.error("N304", written.span, message, because=_for(plan, where), hint=hint)
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
        because = f"{_column(plan, where)} allows {said}"
        message, hint = f"{number} is out of range", "change the number, or widen the range of the column"
        registry.out.error("N315", written.span, message, because=because, hint=hint, related=related)
        return None
    return number


_FRACTION = re.compile(r"([-+]?\d+)[.,](\d+)\Z")
_GROUPS = re.compile(r"[-+]?\d{1,3}([.,' \u00a0\u2009\u202f]\d{3})+\Z")


def _meant(text: str) -> str:
    """How a number that is written in another way is written here; nothing is guessed."""
    if _GROUPS.match(text):
        plain = re.sub(r"[^-+0-9]", "", text)
        return f"write `{plain}`, without separators between digits"
    if match := _FRACTION.match(text):
        if not match[2].strip("0"):
            return f"write `{match[1]}`"
        return "there are no fractions; use a smaller unit, such as tenths"
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("\u2013", "-").removeprefix("+").strip()
    return f"write `{plain}`" if plain != text and _WHOLE.match(plain) else ""


def _row(registry: Registry, plan: Plan, name: str, place: Span, where: Where | None) -> int | None:
    number = plan.rows.get(name)
    if number is None:
        known = {**plan.rows, **dict.fromkeys(plan.cells, 0)}
        about = _column(plan, where) if where is not None and where.row else ""
        unknown_row(name, place, plan.column.type.name, known, plan.declared, registry.out, registry.removed, about)
    return number


def _members(registry: Registry, plan: Plan, members: list[int], place: Span) -> tuple[int, ...]:
    if len(set(members)) != len(members):
        because = "a set contains each row only once"
        message, hint = f"`{plan.name}` names the same row twice", "delete one of the two"
        registry.out.error("N314", place, message, because=because, hint=hint)
    return tuple(sorted(set(members)))


def _for(plan: Plan, where: Where | None) -> str:
    return f"{_column(plan, where)} is `{plan.column.type}`"


def _column(plan: Plan, where: Where | None) -> str:
    """The column in the words of its file, and the row: what is read by a list has columns of other names there."""
    if where is None:
        return f"the column `{plan.name}`"
    row = f" of `{where.row}`" if where.row else ""
    into = "" if where.column == plan.name else f", a part of `{plan.name}`,"
    return f"the column `{where.column}`{row}{into}"
