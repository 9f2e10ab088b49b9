"""Printed columns of lists, card sorts, grids and traits: their declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.builtins.members import MEMBERS
from rulelang.language.semantics.cards import FACE_COLUMNS
from rulelang.language.semantics.declare.numbers import value_set
from rulelang.language.semantics.declare.plan import ROW_WORDS, Plan, implicit
from rulelang.language.semantics.declare.registry import NAME, Kind, Registry, as_map, as_word, valid_name
from rulelang.language.semantics.declare.single import read_single
from rulelang.language.semantics.declare.type_texts import TypeText, read_type
from rulelang.language.semantics.model import Column, Listing, Row
from rulelang.language.semantics.types import ERROR, TRAIT, Type, ref

#: What rules read of cards and rows is not printed under its name.
_BUILT_IN = tuple(name for name, row in MEMBERS.items() if not row.column and row.called is None)
_RANGE = re.compile(r"(-?[0-9]{1,6})\s*\.\.\s*(-?[0-9]{1,6})\Z")
MAX_BY = 256


def declare_columns(registry: Registry, section: YamlMap, owner: str, *, cards: bool = False) -> dict[str, Plan]:
    """The columns of `owner` by name. A mistaken one stays, with the type ERROR, so that its cells are not blamed."""
    plans: dict[str, Plan] = {}
    for key, node in section:
        if not NAME.match(key.text):
            because = "rules read it as `.NAME`"
            message = f"`{key.text}` is not a valid name for a column"
            registry.out.error("N302", key.span, message, because=because, hint=valid_name(key.text))
        elif key.text in (*ROW_WORDS, "id", "copies", *_BUILT_IN):
            because = (
                f"`{key.text}` already has a meaning in each row"
                if key.text in (*ROW_WORDS, "id", "copies")
                else f"`.{key.text}` is built in"
            )
            message, hint = f"a column cannot be called `{key.text}`", "choose another name"
            registry.out.error("N301", key.span, message, because=because, hint=hint)
        else:
            plans[key.text] = _plan(registry, key, node, owner, cards)
    return plans


def _plan(registry: Registry, key: YamlScalar, node: YamlNode, owner: str, cards: bool) -> Plan:
    details = node if isinstance(node, YamlMap) else YamlMap((), node.span)
    if details.get("values") is not None:
        said = _value_set(registry, key, details, owner)
    else:
        said = read_type(registry, details.get("is") if isinstance(node, YamlMap) else node, key.span)
    column_type = _printable(registry, key, node, said, cards)
    low = said.low if isinstance(said.low, int) else None
    high = said.high if isinstance(said.high, int) else None
    if isinstance(said.low, str) or isinstance(said.high, str):
        because = "printed values are the same in every game, so the range needs two whole numbers"
        registry.out.error(
            "N317", node.span, f"the range of the column `{key.text}` depends on the game", because=because
        )
        column_type = ERROR
    column = Column(key.text, column_type, None, low, high, None, details.text("counted_by") or "", span=key.span)
    kind = registry.kinds.get(column_type.name)
    rows = kind.rows if kind else registry.hidden[column_type.name].rows if column_type.name in registry.hidden else {}
    if not isinstance(rows, Mapping):
        rows = {row.name: row.number for row in rows}
    plan = Plan(column, rows, kind.span if kind else key.span)
    plan.cells = _cells(registry, details)
    plan.default = implicit(column)
    _by(registry, details, plan, cards)
    _tells_apart(registry, details, plan, cards)
    default = details.get("default")
    if default is not None and column_type != ERROR:
        value = read_single(registry, plan, default)
        if value is not None or plan.default is None:
            plan.default = value or 0  # a mistaken one is told once, and not of every cell that is left out
    plan.column = replace(plan.column, default=plan.default)
    return plan


def _value_set(registry: Registry, key: YamlScalar, details: YamlMap, owner: str) -> TypeText:
    """`{values: [a, b]}`: a list of its own, called `OWNER COLUMN`, that no rule can name."""
    name = f"{owner} {key.text}"
    values = value_set(registry, details.get("values"), f"the column `{key.text}`")
    if not values:
        return TypeText(ERROR)
    rows = tuple(Row(value, number, {}, layer=key.layer, span=key.span) for value, number in values.items())
    registry.hidden[name] = Listing(name, rows, span=key.span)
    registry.kinds[name] = Kind(name, "list", key.span, values)
    return TypeText(ref(name))


def _printable(registry: Registry, key: YamlScalar, node: YamlNode, said: TypeText, cards: bool) -> Type:
    """The type, or ERROR after N317 for what cannot be printed on a row."""
    kind = registry.kinds.get(said.type.name)
    if said.type.tag == "ref" and (kind is None or kind.category not in ("list", "ladder") or kind.counted):
        what = kind.what if kind else "a phase"
        what = "a list whose length can differ from game to game" if kind and kind.counted else what
        because = f"a column can contain rows of a list, but `{said.type.name}` is {what}"
        related = [Related(kind.span, "it is declared here")] if kind and kind.span.path else []
        registry.out.error(
            "N317", node.span, f"the column `{key.text}` cannot be `{said.type}`", because=because, related=related
        )
        return ERROR
    if cards and said.type != ERROR:
        expected = {"face": TRAIT, "faces": Type("set", "trait")}.get(key.text)
        if expected is not None and said.type != expected:
            because = f"`{key.text}` names the traits that a card can have on a thing, so it must be `{expected}`"
            registry.out.error("N317", node.span, f"the column `{key.text}` cannot be `{said.type}`", because=because)
            return ERROR
    return said.type


def _cells(registry: Registry, details: YamlMap) -> dict[str, YamlScalar]:
    cells: dict[str, YamlScalar] = {}
    for key, node in as_map(registry, details.get("cells"), "a map from each written word to its value"):
        word = as_word(registry, node, "the value of the written word")
        if word is not None:
            cells[key.text] = word
    return cells


def _by(registry: Registry, details: YamlMap, plan: Plan, cards: bool) -> None:
    """Read `by:` into the plan; N303, N307 or N317 for what a column cannot be repeated by."""
    word = as_word(registry, details.get("by"), "`copy`, a list or a range like `1..4`")
    if word is None:
        return
    if plan.column.type.tag in ("set", "condition"):
        because = "a column with `by:` contains one number, boolean or row for each"
        registry.out.error("N317", word.span, f"{a_quoted(plan.column.type)} cannot have `by:`", because=because)
        return
    match = _RANGE.match(word.text.strip())
    if match:
        low, high = int(match[1]), int(match[2])
        if low > high or high - low >= MAX_BY:
            because = (
                "a range goes from the lower number to the higher one"
                if low > high
                else f"a column may have at most {MAX_BY} values"
            )
            registry.out.error("N307", word.span, f"`{word.text}` is not a valid range for `by:`", because=because)
            return
        plan.column = replace(plan.column, by=(low, high))
        plan.labels = tuple(str(number) for number in range(low, high + 1))
        return
    if word.text == "copy":
        if cards:
            plan.column = replace(plan.column, by="copy")
        else:
            because = "only cards have copies"
            registry.out.error("N317", word.span, f"the column `{plan.name}` cannot be `by: copy`", because=because)
        return
    because = "`by:` must be `copy`, a list or a range like `1..4`"
    kind = registry.kind(word, because, ("list", "ladder"))
    if kind is None:
        return
    if kind.counted:
        because = "the length of this list can differ from game to game, and printed values cannot"
        registry.out.error("N317", word.span, f"the column `{plan.name}` cannot be `by: {kind.name}`", because=because)
        return
    plan.column = replace(plan.column, by=kind.name)
    plan.labels = tuple(kind.rows)


def _tells_apart(registry: Registry, details: YamlMap, plan: Plan, cards: bool) -> None:
    """Read `tells_apart:` into the plan; N317 where the column has to tell rows apart."""
    said = details.get("tells_apart")
    if not isinstance(said, YamlScalar) or said.value is not False:
        return
    if cards and plan.name not in FACE_COLUMNS:
        plan.column = replace(plan.column, tells_apart=False)
        return
    because = (
        f"`{plan.name}` names the traits that a card can have on a thing" if cards else "only cards can be identical"
    )
    registry.out.error("N317", said.span, f"the column `{plan.name}` cannot have `tells_apart: false`", because=because)


def columns_of(plans: Iterable[Plan]) -> dict[str, Column]:
    return {plan.name: plan.column for plan in plans}
