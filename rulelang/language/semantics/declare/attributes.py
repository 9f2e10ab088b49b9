"""Declare what things have: attributes, state and slots that change, and printed columns that do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal, get_args

from rulelang.base.diagnostics import Related
from rulelang.base.layout import SeenBy
from rulelang.base.source import Span
from rulelang.base.wording import a_quoted, did_you_mean
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, node_kind
from rulelang.language.semantics.builtins.names import MEMBERS
from rulelang.language.semantics.cards import FACE_COLUMNS, report_unknown_row
from rulelang.language.semantics.declare.cells import ROW_WORDS, Plan, implied_value, read_single
from rulelang.language.semantics.declare.registry import (
    NAME,
    WRONG,
    Kind,
    Registry,
    TypeText,
    as_flag,
    as_map,
    as_word,
    bound_range,
    read_bound,
    read_type,
    valid_name,
)
from rulelang.language.semantics.declare.settings import value_set
from rulelang.language.semantics.model import (
    ERROR,
    MISSING_INT,
    TRAIT,
    Attribute,
    Bound,
    Column,
    Listing,
    Option,
    Row,
    Seers,
    Type,
    Zone,
    ref,
)

# ---- attributes

_SEERS: tuple[SeenBy, ...] = get_args(SeenBy)


def declare_attributes(
    registry: Registry, section: YamlMap, owner: str, zones: dict[str, Zone], *, owned: bool
) -> dict[str, Attribute]:
    """The attributes of `owner`. Slots (`{holds: SORT}`) go to `zones` instead. `owned`: it can belong to a player."""
    found: dict[str, Attribute] = {}
    for key, node in section:
        if not member_name(registry, key, "an attribute"):
            continue
        if isinstance(node, YamlMap) and node.get("holds") is not None:
            _slot(registry, key, node, owner, zones)
        else:
            no_of(registry, key, node)
            found[key.text] = read_attribute(registry, key, node, owned=owned)
    return found


def no_of(registry: Registry, key: YamlScalar, node: YamlNode) -> None:
    """N317 for `of:` where only the state of a trait can have one."""
    of = node.key("of") if isinstance(node, YamlMap) else None
    if of is not None:
        because = "only the state of a trait can be `of` something; for each pair of things, declare a table"
        registry.out.error("N317", of.span, f"the attribute `{key.text}` cannot have `of:`", because=because)


def member_name(registry: Registry, key: YamlScalar, what: str) -> bool:
    """True if rules can read it as `.NAME`; else N302."""
    if NAME.match(key.text):
        return True
    because = "rules read it as `.NAME`, and a name consists of letters, digits and `_`"
    message = f"`{key.text}` is not a valid name for {what}"
    registry.out.error("N302", key.span, message, because=because, hint=valid_name(key.text))
    return False


def _slot(registry: Registry, key: YamlScalar, node: YamlMap, owner: str, zones: dict[str, Zone]) -> None:
    held = as_word(registry, node.get("holds"), "the card type of the slot")
    sort = registry.kind(held, "a slot holds one card of a card type", ("cards",)) if held is not None else None
    if sort is None:
        return
    if key.text in zones:
        other = zones[key.text]
        because = "slots and zones need different names"
        related = [Related(other.span, "the zone is declared here")]
        registry.out.error("N300", key.span, f"there is already a zone `{key.text}`", because=because, related=related)
        return
    zones[key.text] = Zone(key.text, owner, sort.name, slot=True, span=key.span)


_PRINTED = ("set of ", "condition on ")


def read_attribute(registry: Registry, key: YamlScalar, node: YamlNode, *, owned: bool) -> Attribute:
    """An attribute or state value from `TYPE` or `{is: TYPE, start: ..., resets: ..., clamp: ..., seen_by: ...}`."""
    details = node if isinstance(node, YamlMap) else YamlMap((), node.span)
    holds = details.key("holds")
    if holds is not None:
        because = "only kinds, lists and cards can have slots; declare a zone instead"
        registry.out.error("N317", holds.span, f"`{key.text}` cannot be a slot here", because=because)
        return Attribute(key.text, ERROR, span=key.span)
    told = details.get("is") if isinstance(node, YamlMap) else node
    if isinstance(told, YamlScalar) and told.text.startswith(_PRINTED):  # of whatever: there is no list to be named
        because = (
            "a value that changes in play must be one number, boolean or reference; "
            "only columns can be sets or conditions"
        )
        registry.out.error("N317", node.span, f"`{key.text}` cannot be {a_quoted(told.text)}", because=because)
        said = WRONG
    else:
        said = read_type(registry, told, key.span)
    resets = as_word(registry, details.get("resets"), "`turn`, `round`, `phase` or the name of a phase")
    clamp = as_flag(registry, details.get("clamp"))
    if clamp and said.type.tag not in ("int", "error"):
        because = "only numbers can be clamped to a range"
        registry.out.error(
            "N317", _place(details, "clamp"), f"{a_quoted(said.type)} cannot be clamped", because=because
        )
    elif clamp and said.type.tag == "int" and said.low is None and said.high is None:
        because = f"`{key.text}` has no range"
        registry.out.error(
            "N317",
            _place(details, "clamp"),
            "`clamp` has no effect here",
            because=because,
            hint="give it a range: write `is: 0..6`",
        )
    return Attribute(
        name=key.text,
        type=said.type,
        low=said.low,
        high=said.high,
        start=_start(registry, key, details.get("start"), said),
        resets=resets.text if resets is not None else None,
        clamp=clamp,
        seen_by=read_seen_by(registry, details.get("seen_by"), key.text, owned=owned),
        span=key.span,
    )


def _place(node: YamlMap, key: str) -> Span:
    found = node.key(key)
    return found.span if found is not None else node.span


def read_seen_by(registry: Registry, node: YamlNode | None, name: str, *, owned: bool) -> Seers:
    """Who sees it, everyone if nothing is said; N305 for another word, N308 for an owner where there is none.

    `option.NAME` stands for what the table has chosen: each value of the option has to say who sees it.
    """
    word = as_word(registry, node, "`owner`, `nobody` or `everyone`")
    if word is None:
        return "everyone"
    option = registry.options.get(word.text.removeprefix("option.")) if word.text.startswith("option.") else None
    said = option.values if option is not None and option.values else (word.text,)
    for seer in said:
        if seer not in _SEERS:
            _no_seer(registry, word, seer, option)
            return "everyone"
    if "owner" in said and not owned:
        because = f"`{name}` does not belong to a player"
        hint = "write `nobody` or `everyone`"
        registry.out.error("N308", word.span, f"`{name}` cannot be `seen_by: owner`", because=because, hint=hint)
        return "everyone"
    return word.text


def _no_seer(registry: Registry, word: YamlScalar, seer: str, option: Option | None) -> None:
    """N305"""
    fitting = [name for name, other in registry.options.items() if other.values and {*other.values} <= {*_SEERS}]
    options = [f"option.{name}" for name in fitting]
    because = "expected `owner`, `nobody`, `everyone`, or an option with these as values"
    related = [Related(option.span, "the option is declared here")] if option is not None else []
    message = f"unknown value `{seer}`" if seer == word.text else f"unknown value `{seer}` of `{word.text}`"
    hint = did_you_mean(word.text, [*_SEERS, *options]) if option is None else ""
    registry.out.error("N305", word.span, message, because=because, hint=hint, related=related)


def _start(registry: Registry, key: YamlScalar, node: YamlNode | None, said: TypeText) -> Bound:
    """The value at the start of the game, as stored. Without `start:` it is 0, false, none, or the first row.

    What is made in play and cards begin as missing even without `maybe`: there may be none yet.
    """
    of = said.type
    word = as_word(registry, node, f"{a_quoted(of)}")
    if of.tag == "error":
        return 0
    if word is None or (of.maybe and word.text == "none"):
        if word is not None or of.maybe or of.tag != "int":
            return _first(registry, of)
        if (isinstance(said.low, int) and said.low > 0) or (isinstance(said.high, int) and said.high < 0):
            because = f"the range of `{key.text}` is {said.low}..{said.high}, and a value without `start:` starts at 0"
            registry.out.error(
                "N315",
                key.span,
                f"the start value 0 of `{key.text}` is out of range",
                because=because,
                hint=f"write `start: {said.low}`",
            )
            return said.low if isinstance(said.low, int) else 0
        return 0
    if of.tag == "bool":
        if isinstance(word.value, bool):
            return int(word.value)
        registry.shape(word, f"`true` or `false` as the start value of `{key.text}`")
        return 0
    if of.tag == "int":
        return _number(registry, key, word, said)
    return _row(registry, key, word, of)


def _first(registry: Registry, of: Type) -> int:
    if of.tag == "int":
        return MISSING_INT
    kind = registry.kinds.get(of.name)
    given = of.tag == "ref" and not of.maybe and kind is not None and kind.category not in ("made", "cards")
    return 1 if given else 0


def _number(registry: Registry, key: YamlScalar, word: YamlScalar, said: TypeText) -> Bound:
    if isinstance(word.value, (bool, float)):
        registry.out.error(
            "N304", word.span, f"expected a whole number as the start value of `{key.text}`, found {node_kind(word)}"
        )
        return 0
    start = read_bound(registry, word.text, word.span)
    if start is not None:
        low, high = said.low, said.high
        too_low = (
            low is not None and _fixed(start, low) and bound_range(registry, start)[0] < bound_range(registry, low)[1]
        )
        too_high = (
            high is not None
            and _fixed(start, high)
            and bound_range(registry, start)[1] > bound_range(registry, high)[0]
        )
        if too_low or too_high:
            said_range = f"{low}..{high}" if high is not None else f"{low} or more"
            because = f"the range of `{key.text}` is {said_range}"
            related = [Related(key.span, "it is declared here")]
            bound = low if too_low else high
            hint = f"write `start: {bound}`, or widen the range" if isinstance(bound, int) else ""
            message = f"the start value {start} is out of range"
            registry.out.error("N315", word.span, message, because=because, hint=hint, related=related)
            return low if isinstance(low, int) else 0
    return start if start is not None else 0


def _fixed(a: Bound, b: Bound) -> bool:
    """True if the two can be compared at every table: at most one of them depends on it."""
    return isinstance(a, int) or isinstance(b, int)


def _row(registry: Registry, key: YamlScalar, word: YamlScalar, of: Type) -> int:
    kind = registry.kinds.get(of.name)
    if kind is None or not kind.rows or kind.category == "cards":
        what = (
            f"the rows of `{of.name}` have no names"
            if kind is None or kind.category != "cards"
            else "a row of cards can have several copies"
        )
        hint = "leave `start:` out, and set the value in the rules when the game begins"
        registry.out.error("N317", word.span, f"`{key.text}` cannot have a `start:`", because=what, hint=hint)
        return 0
    number = kind.rows.get(word.text)
    if number is None:
        report_unknown_row(word.text, word.span, kind.name, kind.rows, kind.span, registry.out, registry.removed)
    return number or 0


Member = tuple[str, str, Span]
What = Literal["an attribute", "a column", "a slot", "a zone"]


def check_members(registry: Registry, owner: str, members: Iterator[Member], built_in: dict[str, str]) -> None:
    """N321 where two things that rules read as `x.NAME` of one kind have one name, N301 where it is built in."""
    seen: dict[str, tuple[str, Span]] = {}
    for name, what, span in members:
        if name in built_in:
            because = f"`.{name}` of `{owner}` is built in: {built_in[name]}"
            message, hint = f"{what} of `{owner}` cannot be called `{name}`", "choose another name"
            registry.out.error("N301", span, message, because=because, hint=hint)
        elif name in seen and seen[name][1] != span:
            other, place = seen[name]
            because = f"rules read both as `.{name}`"
            related = [Related(place, f"{other} of `{owner}` is declared here")]
            message, hint = f"`{owner}` already has {other} `{name}`", "choose another name for one of the two"
            registry.out.error("N321", span, message, because=because, hint=hint, related=related)
        else:
            seen[name] = (what, span)


# ---- columns

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
    plan.default = implied_value(column)
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
