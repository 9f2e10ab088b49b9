"""What a table from outside changes in the cards of a game: found, and checked at its own cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.declare import declare
from rulelang.tools.cards.tables import (
    CardTypeTable,
    ColumnForm,
    ReadTable,
    TableRow,
    canonical_text,
    cell_node,
    form_for,
    row_cells,
)

#: Rows without names are compared with all others only where there are not many of them.
_MOST_COMPARED = 3000


@dataclass(frozen=True, slots=True)
class CellChange:
    """Another text in a cell. `before` and `after` are empty where the cell is."""

    form: ColumnForm
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row that is changed, added (`old` is None) or removed (`cells` is empty)."""

    old: TableRow | None
    name: str
    cells: tuple[CellChange, ...]

    @property
    def what(self) -> str:
        return "added" if self.old is None else "changed" if self.cells else "removed"


@dataclass(slots=True)
class Changes:
    """What a table changes in the rows of a sort. `forms` are the columns that it has; `aside` those that it lacks."""

    table: CardTypeTable
    forms: tuple[ColumnForm, ...]
    aside: tuple[str, ...]
    rows: list[RowChange] = field(default_factory=list)
    reordered: bool = False
    #: The rows as they are to be, each with its old one and the new one as it was read.
    wanted: list[tuple[TableRow | None, str, YamlMap | None]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.rows)


def changes_of(
    table: CardTypeTable, given: ReadTable, unused: Iterable[str], diagnostics: Diagnostics, *, removing: bool
) -> Changes | None:
    """What a given table changes; None after Y182 for a column that the sort does not have.

    Rows with an id are found by it, others by what stands in them and then by their order. `removing`: rows that the
    table lacks go; else they stay.
    """
    forms = _given_forms(table, given, unused, diagnostics)
    if forms is None:
        return None
    names = {form.name for form in forms}
    changes = Changes(table, tuple(forms), tuple(name for name in table.columns if name not in names))
    new = [(key.text, row) for key, row in given.rows if isinstance(row, YamlMap)]
    pairs = _paired_rows(table.rows, [(name, row, row_cells(row, forms)) for name, row in new], forms)
    met = [old for old, _ in pairs if old is not None]
    order = {id(old): number for number, old in enumerate(table.rows)}
    places = [order[id(old)] for old in met]
    changes.reordered = places != sorted(places)
    kept = {id(old) for old in met}
    for old, (name, row) in pairs:
        changes.wanted.append((old, name, row))
        cells = _cell_changes(old, row_cells(row, forms), forms)
        if old is None or cells:
            changes.rows.append(RowChange(old, name, cells))
    for old in table.rows:
        if id(old) not in kept:
            if removing:
                changes.rows.append(RowChange(old, old.name, ()))
            else:
                changes.wanted.append((old, old.name, None))
    return changes


def _given_forms(
    table: CardTypeTable, given: ReadTable, unused: Iterable[str], diagnostics: Diagnostics
) -> list[ColumnForm] | None:
    if given.columns is None:
        keys: dict[str, YamlScalar] = {}
        for _, row in given.rows:
            for key, value in row if isinstance(row, YamlMap) else ():
                inner = value if isinstance(value, YamlMap) and key.text in ("text", "name") else None
                for tag, _ in inner or ():
                    keys.setdefault(f"{key.text}.{tag.text}", key)
                if inner is None:
                    keys.setdefault(key.text, key)
        known = {form.key for form in table.forms}
        extra = [key for name, key in keys.items() if name not in table.columns and key.text not in known]
        languages = [key for name, key in keys.items() if "." in name and name not in table.columns]
        named = {id(key): name for name, key in keys.items()}
        found = list(table.forms)
        headers = [(named.get(id(key), key.text), key) for key in dict.fromkeys([*extra, *languages])]
    else:
        found = []
        headers = [(key.text, key) for key in given.columns]
    good = True
    for name, key in headers:
        form = form_for(name, table, unused)
        if form is None:
            because = f"the card type `{table.sort}` does not declare it"
            hint = did_you_mean(name, [c for c in table.columns if c not in {n for n, _ in headers}])
            hint = hint or f"declare it under `columns:`, or name it in `unused_columns: [{name}]`"
            diagnostics.error("Y182", key.span, f"there is no column `{name}`", because=because, hint=hint)
            good = False
        elif form not in found:
            found.append(form)
    return found if good else None


def _paired_rows(
    old: Sequence[TableRow], new: Sequence[tuple[str, YamlMap, Mapping[str, str]]], forms: Sequence[ColumnForm]
) -> list[tuple[TableRow | None, tuple[str, YamlMap]]]:
    """Each new row with the old one that it stands for."""
    named = {row.name: row for row in old if row.name}
    mine = [row for row in old if not row.name]
    theirs = [number for number, (name, _, _) in enumerate(new) if not name]
    found: dict[int, TableRow] = {
        number: named[name] for number, (name, _, _) in enumerate(new) if name and name in named
    }
    columns = [form.name for form in forms if form.kind != "id"]
    before = [tuple(row.cells.get(name, "") for name in columns) for row in mine]
    after = [tuple(new[number][2].get(name, "") for name in columns) for number in theirs]
    for first, second in _matched_places(before, after):
        found[theirs[second]] = mine[first]
    return [(found.get(number), (name, row)) for number, (name, row, _) in enumerate(new)]


def _matched_places(before: Sequence[object], after: Sequence[object]) -> Iterable[tuple[int, int]]:
    """Pairs of places in two lists: equal ones, then those that stand in the place of each other."""
    if before == after or max(len(before), len(after)) > _MOST_COMPARED:
        yield from zip(range(len(before)), range(len(after)), strict=False)
        return
    for _, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield from zip(range(a, b), range(c, d), strict=False)


def _cell_changes(old: TableRow | None, new: Mapping[str, str], forms: Sequence[ColumnForm]) -> tuple[CellChange, ...]:
    found = []
    for form in forms:
        if form.kind == "id":
            continue
        before = canonical_text(old.cells.get(form.name, ""), form) if old is not None else ""
        after = new.get(form.name, "")
        if before != after:
            found.append(CellChange(form, before, after))
    return tuple(found)


# ---- checking


def check_changes(source: RulesetSource, every: Mapping[str, Changes]) -> Diagnostics:
    """What the new rows earn that the old ones did not, each at its cell of the table that was given."""
    before = {(item.code, item.message) for item in declare(source)[1]}
    odd = dict(source.odd)
    found = declare(replace(source, tree=_tree_with_rows(source.tree, every), odd=odd))[1]
    return Diagnostics([item for item in found if (item.code, item.message) not in before])


def _tree_with_rows(tree: YamlMap, every: Mapping[str, Changes]) -> YamlMap:
    """The merged files with the wanted rows in the place of those that are there."""
    cards = tree.map("cards")
    sorts: list[tuple[YamlScalar, YamlNode]] = []
    for key, sort in cards:
        if key.text in every and isinstance(sort, YamlMap):
            rows = YamlMap(tuple(_wanted_rows(every[key.text])), sort.span, sort.layer)
            items = [item for item in sort if item[0].text != "rows"]
            sort = YamlMap((*items, (_scalar("rows", sort.span), rows)), sort.span, sort.layer)
        sorts.append((key, sort))
    node = YamlMap(tuple(sorts), cards.span, cards.layer)
    return YamlMap(tuple((k, node if k.text == "cards" else v) for k, v in tree), tree.span, tree.layer)


def _wanted_rows(changes: Changes) -> Iterable[tuple[YamlScalar, YamlNode]]:
    for old, name, row in changes.wanted:
        place = row.span if row is not None else old.key.span if old is not None else Span("", 1, 1, 1, 1)
        key = old.key if old is not None else _scalar(name, place)
        if row is None:
            assert old is not None
            yield key, old.node
            continue
        items: list[tuple[YamlScalar, YamlNode]] = []
        covered = {form.key for form in changes.forms}
        for word, node in row:
            if word.text != "id":
                items.append((word, node))
        if old is not None:
            items.extend((word, node) for word, node in old.node if _is_untouched(word.text, changes, covered))
            items.extend(_untouched_parts(old, changes, covered, row))
        yield (key if name == key.text else _scalar(name, place)), YamlMap(tuple(items), row.span, row.layer)


def _is_untouched(key: str, changes: Changes, covered: set[str]) -> bool:
    """Whether a key of an old row is none that the table says anything of."""
    return key not in covered and all(form.name != key for form in changes.forms)


def _untouched_parts(
    old: TableRow, changes: Changes, covered: set[str], row: YamlMap
) -> Iterable[tuple[YamlScalar, YamlNode]]:
    """The cells of a column `by` a list that the table lacks, where it has others of that column."""
    said = {form.name for form in changes.forms}
    for form in changes.table.forms:
        if form.labels and form.part and form.name not in said and form.key in covered:
            node = cell_node(old.node, form)
            if node is not None and row.get(form.key) is None:
                yield _scalar(form.name, node.span), node


def _scalar(text: str, span: Span) -> YamlScalar:
    return YamlScalar(text or None, span, text, "plain")
