"""The rows of a sort of cards as one table of texts, whatever files they stand in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rulelang.data.card_tables import language_of
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank
from rulelang.language.semantics.declare.cells import ROW_WORDS, as_list
from rulelang.language.semantics.model import CardType, Column, Model

#: id and count: what they say. number, flag, set: the column's type. several: values with blanks between. word: a row's
#: name or a condition. text: words for people. data: a list or map that no column declares, as JSON.
Kind = Literal["id", "count", "number", "flag", "set", "several", "word", "text"]


@dataclass(frozen=True, slots=True)
class Form:
    """A column of the table: the key of a row under which its cells stand, and what they hold.

    `part`: of a column `by` a list, the row of that list; of texts, the language.
    """

    name: str
    key: str
    kind: Kind
    part: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its name (empty if it has none), its cells by column (none where they are empty), and where it stands."""

    name: str
    cells: Mapping[str, str]
    key: YamlScalar
    node: YamlMap


@dataclass(frozen=True, slots=True)
class SortTable:
    """All written rows of a sort. `brought`: so many more stand in the files of traits."""

    sort: str
    forms: tuple[Form, ...]
    rows: tuple[TableRow, ...]
    brought: int = 0
    declared: Mapping[str, Column] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(form.name for form in self.forms)

    def form(self, name: str) -> Form | None:
        return next((form for form in self.forms if form.name == name), None)


def tables_of(source: RulesetSource, model: Model) -> dict[str, SortTable]:
    """The tables of all sorts of cards, by the sorts' names."""
    found = {}
    for key, node in source.tree.map("cards"):
        sort = model.sorts.get(key.text)
        if sort is not None and isinstance(node, YamlMap):
            found[key.text] = table_of(sort, node, model)
    return found


def table_of(sort: CardType, node: YamlMap, model: Model) -> SortTable:
    """The table of one sort; `node` is what `cards:` says of it."""
    rows = [(key, row) for key, row in node.map("rows") if isinstance(row, YamlMap)]
    usual = node.text("copies") or "1"
    forms = forms_of(sort, rows, model)
    counted = any(form.kind == "count" for form in forms)
    lists = [column.name for column in sort.columns.values() if column.by == "copy"]
    found = []
    for key, row in rows:
        cells = cells_of(row, forms)
        if key.text:
            cells["id"] = key.text
        if counted and "copies" not in cells and not any(" " in cells.get(name, "") for name in lists):
            cells["copies"] = usual
        found.append(TableRow(key.text, cells, key, row))
    written = max((row.written for row in sort.rows), default=0)
    return SortTable(sort.name, forms, tuple(found), written - len(rows), sort.columns)


def forms_of(sort: CardType, rows: Sequence[tuple[YamlScalar, YamlMap]], model: Model) -> tuple[Form, ...]:
    """The columns of a table: id, copies, what is declared, texts, and what rows have besides."""
    forms: dict[str, Form] = {}

    def add(form: Form) -> None:
        forms.setdefault(form.name, form)

    keys: dict[str, None] = {}
    said: list[YamlMap] = [row for _, row in rows]
    for row in said:
        keys.update(dict.fromkeys(key.text for key, _ in row))
    named = any(key.text for key, _ in rows) or not rows
    if named:
        add(Form("id", "id", "id"))
    if "copies" in keys or not (named or any(column.by == "copy" for column in sort.columns.values())):
        add(Form("copies", "copies", "count"))
    for column in sort.columns.values():
        if column.name not in sort.repeated:
            for form in _declared(column, sort, model):
                add(form)
    for word in ("name", "text"):
        for row in said:
            node = row.get(word)
            if isinstance(node, YamlMap):
                for tag, _ in node:
                    add(Form(f"{word}.{tag.text}", word, "text", tag.text))
            elif node is not None and not is_blank(node):
                add(Form(word, word, "text"))
    known = {form.key for form in forms.values()}
    for name in keys:
        if name not in forms and name not in known:
            add(Form(name, name, "text"))
    return tuple(forms.values())


def _declared(column: Column, sort: CardType, model: Model) -> Iterable[Form]:
    tag = column.type.tag
    kind: Kind = "number" if tag == "int" else "flag" if tag == "bool" else "set" if tag == "set" else "word"
    if column.by is None:
        yield Form(column.name, column.name, kind)
        return
    labels = labels_of(column, model)
    if not labels or not _plain(column, labels, sort, model):
        yield Form(column.name, column.name, "several", labels=labels)
        return
    yield from (Form(label, column.name, kind, label, labels) for label in labels)


def labels_of(column: Column, model: Model) -> tuple[str, ...]:
    """The rows of the list that a column is `by`; none for copies and ranges."""
    listing = model.lists.get(column.by) if isinstance(column.by, str) else None
    return tuple(row.name for row in listing.rows) if listing is not None else ()


def _plain(column: Column, labels: Sequence[str], sort: CardType, model: Model) -> bool:
    """Whether each label can have a column of its own: nothing else is called so."""
    others = [c for c in sort.columns.values() if c is not column]
    taken = {*sort.columns, *ROW_WORDS, "id", "copies"}
    for other in others:
        taken.update(labels_of(other, model))
    return not any(label in taken for label in labels)


# ---- cells


def cells_of(row: YamlMap, forms: Iterable[Form]) -> dict[str, str]:
    """The texts of a row's cells by column, without the empty ones."""
    found = {}
    for form in forms:
        text = canonical(text_of(node_of(row, form), form), form)
        if text:
            found[form.name] = text
    return found


def node_of(row: YamlMap, form: Form) -> YamlNode | None:
    """What a row says under a column; None if nothing."""
    if not form.part:
        node = row.get(form.key)
        return None if form.kind == "text" and isinstance(node, YamlMap) and form.key in ("text", "name") else node
    own = row.get(form.name)
    if own is not None:
        return own
    node = as_list(row.get(form.key), form.key)
    if isinstance(node, YamlMap):
        return node.get(form.part)
    if isinstance(node, YamlSeq) and form.labels:
        at = form.labels.index(form.part)
        return node.items[at] if at < len(node.items) else None
    return None


def text_of(node: YamlNode | None, form: Form) -> str:
    """What stands in a cell, as a table has it."""
    if node is None:
        return ""
    if isinstance(node, YamlScalar):
        return _word(node)
    words = [_word(item) for item in node.items if isinstance(item, YamlScalar)] if isinstance(node, YamlSeq) else []
    if form.kind in ("set", "several") and isinstance(node, YamlSeq) and len(words) == len(node.items):
        return ("+" if form.kind == "set" else " ").join(words)
    if isinstance(node, YamlMap) and form.labels:
        return " ".join(text_of(node.get(label), form) for label in form.labels)
    return json.dumps(node.plain(), ensure_ascii=False)


def _word(node: YamlScalar) -> str:
    if node.value is None:
        return ""
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    return str(node.value) if isinstance(node.value, int) else node.text


def canonical(text: str, form: Form) -> str:
    """The text that stands for all that mean the same in every kind of file."""
    text = text.replace("\r\n", "\n").strip(" ")
    if form.kind == "several":
        return " ".join(text.split())
    if form.kind == "set":
        return "+".join(part.strip() for part in text.split("+"))
    if form.kind == "flag" and text.lower() in ("true", "false"):
        return text.lower()
    return text


def form_for(name: str, table: SortTable, unused: Iterable[str]) -> Form | None:
    """The form of a column that a table read from outside has; None for one that the sort does not know."""
    found = table.form(name)
    if found is not None:
        return found
    if name == "id":
        return Form("id", "id", "id")
    if name == "copies":
        return Form("copies", "copies", "count")
    language = language_of(name)
    if language is not None:
        return Form(name, language[0], "text", language[1])
    return Form(name, name, "text") if name in (*ROW_WORDS, *unused) else None
