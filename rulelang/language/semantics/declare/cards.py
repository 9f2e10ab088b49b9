"""`cards:`: sorts of cards with their rows, from YAML and from CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted
from rulelang.base.memo import Same
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.language.semantics.declare.attributes import declare_attributes
from rulelang.language.semantics.declare.columns import columns_of, declare_columns
from rulelang.language.semantics.declare.lists import row_text
from rulelang.language.semantics.declare.plan import Plan
from rulelang.language.semantics.declare.registry import Kind, Registry, as_map, as_word, as_words
from rulelang.language.semantics.declare.rows import RowReader, copies_of, tell_uncounted
from rulelang.language.semantics.declare.type_texts import extent, read_type
from rulelang.language.semantics.model import Bound, CardSort, ColumnValue, Row, Zone
from rulelang.language.semantics.types import INT

CardRow = tuple[YamlScalar, YamlMap]
_MOST_REPEATS = 1000
#: So that a hostile file cannot fill the memory.
_MOST_CARDS = 100_000


def sort_kind(key: YamlScalar, node: YamlMap) -> Kind:
    """The kind with its named rows numbered from 1 (the first of those that `for_each` makes)."""
    rows = {row.text: number for number, (row, _) in enumerate(node.map("rows"), 1) if row.text}
    return Kind(key.text, "cards", key.span, rows)


def declare_sort(
    registry: Registry, key: YamlScalar, node: YamlMap, brought: Sequence[CardRow], zones: dict[str, Zone]
) -> CardSort:
    """A sort of cards. `brought` are the rows that traits bring with them; they come after the sort's own."""
    name = key.text
    plans = declare_columns(
        registry, as_map(registry, node.get("columns"), "columns and their types"), name, cards=True
    )
    unused = _unused(registry, node, plans)
    each = as_map(registry, node.get("for_each"), "a column and its values, like `{set: 1..2}`")
    repeats, ends = _repeats(registry, each, plans)
    given = frozenset(next(iter(repeats), {}))
    reader = RowReader(registry, name, plans, frozenset(unused), given, frozenset({"copies"}))
    own: list[CardRow] = []
    for row_key, row in as_map(registry, node.get("rows"), "a list or map of rows"):
        own.append((row_key, as_map(registry, row, "a row: a map from column to value")))
    usual = copies_of(registry, node, (), schema=True)
    whole = [*own, *brought]
    rows = _kept_rows(reader, whole, len(own), repeats, usual, node.get("copies") is None)
    _check_unused(registry, name, unused, own)
    if not rows:
        because = "it has no cards"
        registry.out.error("N312", key.span, f"the card type `{name}` has no rows", because=because)
    attributes = as_map(registry, node.get("attributes"), "attributes and their types")
    made = declare_attributes(registry, attributes, name, zones, owned=True)
    return CardSort(name, columns_of(plans.values()), rows, made, ends, key.span, given)


def _kept_rows(
    reader: RowReader, whole: Sequence[CardRow], own: int, repeats: Sequence[Mapping[str, int]], usual: int, open_: bool
) -> tuple[Row, ...]:
    """The cards that rows make. Variants of a ruleset mostly have all rows of a sort in common: then they are not read
    one by one, if nothing is wrong with any so far."""

    def work() -> tuple[Sequence[CardRow], tuple[Row, ...], bool]:
        rows, sound = _read_rows(reader, whole, own, repeats, usual, open_)
        return whole, rows, sound and reader.sound

    def fits(known: tuple[Sequence[CardRow], tuple[Row, ...], bool]) -> bool:
        same = all(a is c and b is d for (a, b), (c, d) in zip(whole, known[0], strict=True))
        return same and known[2] and reader.sound

    if not whole:
        return work()[1]
    each = tuple([tuple(extra.items()) for extra in repeats])
    key = reader.owner, reader.like, len(whole), own, each, usual, open_, Same(whole[0][1]), Same(whole[-1][1])
    return reader.registry.memo.kept("rows of sorts", key, work, fits)[1]


def _read_rows(
    reader: RowReader, whole: Sequence[CardRow], own: int, repeats: Sequence[Mapping[str, int]], usual: int, open_: bool
) -> tuple[tuple[Row, ...], bool]:
    """The cards, and whether each row says how many it makes. The first `own` stand with their sort; `open_`: it does
    not say itself how often a row is there that does not say so."""
    registry = reader.registry
    read: list[tuple[CardRow, int, Mapping[str, ColumnValue]]] = []
    empty: list[Span] | None = [] if open_ else None
    total = 0
    for number, (row_key, row) in enumerate(whole):
        copies = copies_of(registry, row, reader.plans.values(), usual, empty, schema=number < own)
        place = row_key.span if row_key.text else row.span
        total += copies * max(1, len(repeats))
        if total > _MOST_CARDS:
            because = f"a card type may have at most {_MOST_CARDS:,} cards"
            message = f"`{reader.owner}` has too many cards: this row exceeds the limit"
            registry.out.error("N315", place, message, because=because)
            break
        read.append(((row_key, row), copies, reader.read(place, row, copies, row_key.text)))
    reader.finish()
    tell_uncounted(registry, empty or ())
    rows: list[Row] = []
    for extra in repeats or [{}]:
        for written, ((row_key, row), copies, columns) in enumerate(read, 1):
            number = len(rows) + 1
            same = Same(row_key), Same(row), Same(columns), tuple(extra.items()), number, written, copies
            card = partial(_row, row_key, row, copies, columns, extra, number, written)
            rows.append(registry.memo.kept("card rows", same, card))
    return tuple(rows), not empty


def _row(
    key: YamlScalar,
    row: YamlMap,
    copies: int,
    columns: Mapping[str, ColumnValue],
    extra: Mapping[str, int],
    number: int,
    written: int,
) -> Row:
    span = key.span if key.text else row.span
    values = {**columns, **extra} if extra else columns
    ruled = row.get("rules") is not None
    return Row(key.text, number, values, copies, row_text(row.get("text")), key.layer, span, written, ruled)


def _repeats(
    registry: Registry, node: YamlMap, plans: Mapping[str, Plan]
) -> tuple[list[dict[str, int]], dict[str, tuple[Bound, Bound]]]:
    """What each repetition of the rows puts into the columns that `for_each` names; nothing without `for_each`.

    Also the ends of the ranges that depend on the table: there rows are left out that lie beyond them.
    """
    repeats: list[dict[str, int]] = []
    ends: dict[str, tuple[Bound, Bound]] = {}
    for key, value in node:
        plan = plans.get(key.text)
        if plan is None:
            because = "`for_each` must name a column"
            hint = did_you_mean(key.text, plans)
            registry.out.error("N319", key.span, f"there is no column `{key.text}`", because=because, hint=hint)
            continue
        word = as_word(registry, value, "a range like `1..2`, or the list of the column")
        if word is None:
            continue
        said = read_type(registry, word, key.span)
        if said.type == INT == plan.column.type and said.low is not None and said.high is not None:
            least, most = extent(registry, said.low)[0], extent(registry, said.high)[1]
            numbers = list(range(least, min(most, least + _MOST_REPEATS) + 1))
            if not (isinstance(said.low, int) and isinstance(said.high, int)):
                ends[key.text] = (said.low, said.high)
            low, high = plan.column.low, plan.column.high
            if (low is not None and least < low) or (high is not None and most > high):
                because = f"the range of the column `{key.text}` is {low}..{high}"
                related = [Related(plan.column.span, "the column is declared here")]
                registry.out.error(
                    "N315", word.span, f"`{word.text}` is out of range", because=because, related=related
                )
                continue
        elif said.type.tag == "ref" and said.type == plan.column.type.sure():
            numbers = sorted(plan.rows.values())
        else:
            if said.type.tag != "error" and plan.column.type.tag != "error":
                because = f"`{key.text}` is {a_quoted(plan.column.type)}; write a range like `1..2`, or its list"
                registry.out.error(
                    "N317", word.span, f"rows cannot be repeated for each `{word.text}`", because=because
                )
            continue
        repeats = [{**old, key.text: number} for old in repeats or [{}] for number in numbers]
        if len(repeats) > _MOST_REPEATS:
            because = f"`for_each` can repeat rows at most {_MOST_REPEATS} times"
            registry.out.error("N315", word.span, "`for_each` has too many values", because=because)
            return [], {}
    return repeats, ends


def _unused(registry: Registry, node: YamlMap, plans: Mapping[str, Plan]) -> dict[str, YamlScalar]:
    unused: dict[str, YamlScalar] = {}
    for word in as_words(registry, node.get("unused_columns"), "a list of column names"):
        if word.text in plans:
            because = "a column cannot be both declared and unused"
            related = [Related(plans[word.text].column.span, "it is declared here")]
            message = f"`{word.text}` is also declared under `columns:`"
            registry.out.error("N331", word.span, message, because=because, hint="delete it", related=related)
        else:
            unused[word.text] = word
    return unused


def _check_unused(registry: Registry, name: str, unused: Mapping[str, YamlScalar], rows: Sequence[CardRow]) -> None:
    """N331 for an unused column that no row has, once there are rows."""
    if not unused or not rows:
        return
    missing = set(unused)
    known: set[str] = set()
    headers: set[tuple[int, int]] = set()
    for _, row in rows:
        mark = (id(row.items[0][0]), id(row.items[-1][0])) if row.items else (0, 0)
        if mark in headers:
            continue
        headers.add(mark)
        known.update(row.keys())
        missing.difference_update(row.keys())
    for word in missing:
        because = f"no row of `{name}` has this column, so you don't need to list it"
        span = unused[word].span
        hint = did_you_mean(word, known) or "delete it"
        registry.out.error("N331", span, f"there is no column `{word}`", because=because, hint=hint)
