"""Rows in a YAML file: cells changed, rows added and taken out, with comments and everything else left as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.base.source import Span
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank
from rulelang.data.yaml_reader import plain_value
from rulelang.tools.cards.exporting import json_value
from rulelang.tools.cards.rows import SortTable, node_of

if TYPE_CHECKING:
    from rulelang.tools.cards.importing import CellChange, RowChange

_PLAIN = re.compile(r"[^\W\d_][\w .+/†-]*[\w†]\Z|[^\W\d_]\Z")
_ROW_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class YamlRows:
    """The rows of a sort in one file. Each method says whether it could do what was asked."""

    def __init__(self, edits: TextEdits, root: YamlNode | None, sort: str) -> None:
        self.edits = edits
        self.rows = _rows(root, sort)
        self.gone: set[int] = set()  # places of rows that go

    # ---- cells

    def change(self, row: YamlMap, cells: Sequence[CellChange]) -> bool:
        """Put other texts into cells of a row."""
        new: dict[str, Any] = {}
        parts: dict[str, dict[str, Any]] = {}
        gone: set[str] = set()
        for cell in cells:
            form, node = cell.form, node_of(row, cell.form)
            if node is not None and cell.after and not (isinstance(node, YamlScalar) and node.value is None):
                self.edits.replace(node.span, self._text(node, cell))
            elif not cell.after:
                gone.add(form.name)
            elif form.part:
                parts.setdefault(form.key, {})[form.part] = json_value(cell.after, form)
            else:
                new[form.key] = json_value(cell.after, form)
        lost = {name for name in gone if row.get(name) is not None}
        for key in {cell.form.key for cell in cells if cell.form.part}:
            inner = row.get(key)
            dropped = {cell.form.part for cell in cells if cell.form.key == key and cell.form.name in gone}
            if not isinstance(inner, YamlMap):
                if inner is not None and key not in gone and not is_blank(inner):
                    return False  # a list, or a text without languages that stays
                new |= {key: parts[key]} if key in parts else {}
            elif set(inner.keys()) <= dropped:
                lost.add(key)
                new |= {key: parts[key]} if key in parts else {}
            else:
                self._drop(inner, dropped)
                self._put(inner, parts.get(key, {}), dropped)
        for key in [key for key in new if row.get(key) is not None]:
            node = row.get(key)
            assert node is not None
            lead = "" if self._blank_before(node.span) else " "
            self.edits.replace(node.span, f"{lead}{written(new.pop(key))}")
            lost.discard(key)
        if lost >= set(row.keys()):
            if row.items:
                self.edits.replace(row.span, written(new))
                return True
        else:
            self._drop(row, lost)
        return self._put(row, new, lost)

    def _text(self, node: YamlNode, cell: CellChange) -> str:
        """The new text in the style of the old one."""
        if isinstance(node, YamlSeq) or not isinstance(node, YamlScalar):
            return written(json_value(cell.after, cell.form))
        if cell.form.kind in ("set", "several") and isinstance(node.value, str):
            return written(cell.after)  # as it was: `a+b`
        value = json_value(cell.after, cell.form)
        if not isinstance(value, str):
            return written(value)
        block = self._block(node, value)
        if block is not None:
            return block
        if node.style == "double" or node.style == "single":
            return _quoted(value, node.style)
        return written(value)

    def _block(self, node: YamlScalar, value: str) -> str | None:
        """A text of several lines as `|` has it, where one stood before."""
        if node.style != "literal" or value[:1] in (" ", "\n") or not value.strip() or _UNPRINTED.search(value):
            return None
        if value.endswith("\n\n") or any(ord(c) < 32 and c != "\n" for c in value):
            return None
        lines = value.removesuffix("\n").split("\n")
        head = "|" if value.endswith("\n") else "|-"
        indent = " " * node.indent
        return "\n".join([head, *(indent + line if line else "" for line in lines)])

    def _put(self, row: YamlMap, values: dict[str, Any], gone: Collection[str]) -> bool:
        """New keys at the end of a map, of which some are `gone`."""
        if not values:
            return True
        said = [f"{_key(key)}: {written(value)}" for key, value in values.items()]
        text = self.edits.part(row.span)
        kept = [(key, value) for key, value in row.items if key.text not in gone]
        if not kept:
            if not text.startswith("{") and text.strip() not in ("", "~", "null"):
                return False
            self.edits.replace(row.span, f"{'' if self._blank_before(row.span) else ' '}{{{', '.join(said)}}}")
            return True
        key, last = kept[-1][0].span, kept[-1][1].span
        if text.startswith("{"):
            self.edits.insert(last.end_line, last.end_column, "".join(f", {part}" for part in said))
        else:
            indent = " " * (row.items[0][0].span.column - 1)
            self.edits.insert_line(max(last.end_line, key.line), "\n".join(indent + part for part in said))
        return True

    def _blank_before(self, span: Span) -> bool:
        return self.edits.line(span.line)[: span.column - 1].endswith(" ")

    def _drop(self, row: YamlMap, keys: Collection[str]) -> None:
        """Take keys with their values out of a map that keeps others."""
        places = [(k.span, v.span if v.span.line >= k.span.line else k.span) for k, v in row.items]
        self._drop_items(places, [i for i, (key, _) in enumerate(row.items) if key.text in keys], row.span)

    def _drop_items(self, places: Sequence[tuple[Span, Span]], which: Sequence[int], whole: Span) -> None:
        """Take some of the items of a map or list out; each has the places of its beginning and of its value."""
        flow = self.edits.part(whole)[:1] in ("{", "[")
        runs: list[list[int]] = []
        for at in which:
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
        for run in runs:
            first, last = places[run[0]][0], places[run[-1]][1]
            start, end = self.edits.at(first.line, first.column), self.edits.at(last.end_line, last.end_column)
            if run[0] > 0 and flow:
                before = places[run[0] - 1][1]
                self.edits.cut(self.edits.at(before.end_line, before.end_column), end)
            elif run[0] == 0 and (flow or self.edits.line(first.line)[: first.column - 1].strip()):
                following = places[run[-1] + 1][0]
                self.edits.cut(start, self.edits.at(following.line, following.column))
            else:
                self.edits.drop_lines(first.line, max(last.end_line, places[run[-1]][0].line))

    # ---- rows

    def remove(self, row: YamlMap) -> bool:
        """Take out a row, and the lines `#: ID` above it."""
        rows = self.rows
        if rows is None:
            return False
        places = _places(rows)
        at = next((i for i, (key, value) in enumerate(places) if row.span in (value, key)), None)
        if at is None or len(self.gone) + 1 >= len(places):
            return False
        if self.edits.part(rows.span)[:1] in ("{", "["):
            self.gone.add(at)
            return True
        first, value = places[at]
        self.gone.add(at)
        line = first.line
        while line > 1 and self.edits.line(line - 1).lstrip().startswith("#:"):
            line -= 1
        self.edits.drop_lines(line, max(value.end_line, first.line))
        return True

    def finish(self) -> None:
        """Take out the rows that go, where they share lines with others."""
        rows = self.rows
        if rows is not None and self.gone and self.edits.part(rows.span)[:1] in ("{", "["):
            self._drop_items(_places(rows), sorted(self.gone), rows.span)

    def add(self, new: Sequence[RowChange], table: SortTable) -> bool:
        """New rows behind the last one."""
        rows = self.rows
        if not isinstance(rows, (YamlMap, YamlSeq)):
            return False
        text = self.edits.part(rows.span)
        flow = text[:1] in ("{", "[")
        if isinstance(rows, YamlMap) and not all(change.name for change in new):
            return False
        said = [_row(change, table, isinstance(rows, YamlMap)) for change in new]
        if not len(rows):
            brackets = "{}" if isinstance(rows, YamlMap) else "[]"
            if not flow:
                return False
            self.edits.replace(rows.span, f"{brackets[0]}{', '.join(said)}{brackets[1]}")
            return True
        last = rows.items[max(i for i in range(len(rows)) if i not in self.gone)]
        end = last[1].span if isinstance(last, tuple) else last.span
        if flow:
            self.edits.insert(end.end_line, end.end_column, "".join(f", {row}" for row in said))
            return True
        first = rows.items[0]
        if isinstance(first, tuple):
            lead = " " * (first[0].span.column - 1)
            line = max(end.end_line, last[0].span.line) if isinstance(last, tuple) else end.end_line
        else:
            before = self.edits.line(first.span.line)[: first.span.column - 1]
            lead = before[: before.rindex("-")] + "- "
            line = end.end_line
        self.edits.insert_line(line, "\n".join(lead + row for row in said))
        return True


def _rows(root: YamlNode | None, sort: str) -> YamlNode | None:
    """Where the rows of a sort stand in a file: in its section `cards:`, or all of it."""
    if isinstance(root, YamlMap) and isinstance(cards := root.get("cards"), YamlMap):
        node = cards.get(sort)
        return node.get("rows") if isinstance(node, YamlMap) else None
    return root


def _places(rows: YamlNode) -> list[tuple[Span, Span]]:
    """Where each row begins, and where its value stands."""
    if isinstance(rows, YamlMap):
        return [(key.span, node.span if node.span.end_line >= key.span.line else key.span) for key, node in rows]
    return [(node.span, node.span) for node in rows] if isinstance(rows, YamlSeq) else []


def _row(change: RowChange, table: SortTable, named: bool) -> str:
    """A new row, as one line."""
    values: dict[str, Any] = {} if named or not change.name else {"id": change.name}
    for cell in change.cells:
        value = json_value(cell.after, cell.form)
        if cell.form.part:
            values.setdefault(cell.form.key, {})[cell.form.part] = value
        else:
            values[cell.form.key] = value
    return f"{_key(change.name)}: {written(values)}" if named else written(values)


# ---- words of YAML


def written(value: Any) -> str:
    """A value on one line, so that it reads as the same."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(key)}: {written(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    text = str(value)
    return text if _PLAIN.match(text) and plain_value(text) == text else _quoted(text, "double")


def _key(text: str) -> str:
    return text if _ROW_KEY.match(text) and plain_value(text) == text else _quoted(text, "double")


def _quoted(text: str, style: str) -> str:
    if style == "single" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    said = json.dumps(text, ensure_ascii=False)
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", said)
