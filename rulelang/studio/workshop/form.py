"""A trait's file as a form: what stands in it by fields, and changes of fields as changes of the text.

The text is the file; a change cuts out what a field says and puts in what it shall say, so that comments, blank lines
and the order of everything else stay as they are, to the letter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.text_edits import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.scenarios.flow import flow
from rulelang.semantics.cards import face_column
from rulelang.semantics.model import CardSort, Column, Model

Kind = Literal["text", "number", "numbers", "flag", "row", "rows"]

_NUMBER = re.compile(r"-?[0-9]{1,9}")


class NoForm(ValueError):
    """This text has no form, or no such field; the message says why."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: where it stands (keys and numbers from the root), what it is called, what may be said, what is said.

    `choices`: the rows of a list. `value`: as the page shows it.
    """

    at: tuple[str | int, ...]
    label: str
    kind: Kind
    value: object
    choices: tuple[str, ...] = ()
    group: str = ""

    def plain(self) -> dict[str, Any]:
        return {
            "at": list(self.at), "label": self.label, "kind": self.kind, "value": self.value,
            "choices": list(self.choices), "group": self.group,
        }  # fmt: skip


def form_of(text: str, path: str, model: Model, languages: tuple[str, ...] = ("en",)) -> list[Field]:
    """The fields of a trait's file: name and text in each language, what is printed on it and on its cards. NoForm."""
    return list(_fields(_root(text, path), model, languages))


def _root(text: str, path: str) -> YamlMap:
    out = Diagnostics()
    root = read_yaml_text(text, path, out).root
    if out.failed or not isinstance(root, YamlMap):
        first = next(iter(out.sorted()), None)
        said = f"line {first.span.line}: {first.message}" if first is not None else "it is no map of keys and values"
        raise NoForm(f"this file cannot be read as it is; {said}")
    if root.get("trait") is None:
        raise NoForm("this is no file of a trait: only those have a form")
    return root


def _fields(root: YamlMap, model: Model, languages: tuple[str, ...]) -> Iterator[Field]:
    for key, label in (("name", "Name"), ("text", "Text")):
        node = root.get(key)
        if isinstance(node, YamlMap):
            known = dict.fromkeys([*languages, *node.keys()])
            for code in known:
                yield Field((key, code), label, "text", node.text(code) or "", group=code)
        elif isinstance(node, YamlScalar):
            yield Field((key,), label, "text", node.text if node.value is not None else "", group="en")
        else:
            for code in languages:
                yield Field((key, code), label, "text", "", group=code)
    columns = model.lists["trait"].columns if "trait" in model.lists else {}
    for name, column in columns.items():
        if column.span.path and (column.default is None or root.get(name) is not None):
            found = _column((name,), column, root.get(name), model, "Printed on it")
            if found is not None:
                yield found
    yield from _cards(root, model)


def _cards(root: YamlMap, model: Model) -> Iterator[Field]:
    """The cards that stand in the trait's own file, a group for each row."""
    sorts = {sort.name: sort for sort in model.sorts.values() if face_column(sort) is not None}
    node = root.get("cards")
    listed: list[tuple[tuple[str | int, ...], CardSort, YamlNode]]
    if isinstance(node, YamlMap):
        listed = [(("cards", key.text), sorts[key.text], value) for key, value in node if key.text in sorts]
    else:
        listed = [(("cards",), next(iter(sorts.values())), node)] if sorts and node is not None else []
    for at, sort, rows in listed:
        items = rows.items if isinstance(rows, YamlSeq) else (rows,)
        for number, row in enumerate(items):
            if not isinstance(row, YamlMap):
                continue
            here: tuple[str | int, ...] = (*at, number) if isinstance(rows, YamlSeq) else at
            group = "Its cards" if len(items) == 1 else f"Its cards, row {number + 1}"
            face = face_column(sort)
            by_copy = any(column.by == "copy" for column in sort.columns.values())
            if not by_copy or row.get("copies") is not None:
                copies = row.get("copies")
                value = copies.text if isinstance(copies, YamlScalar) else "1"
                yield Field((*here, "copies"), "copies", "number", value, group=group)
            for name, column in sort.columns.items():
                if column is face or name in sort.repeated or (column.default is not None and row.get(name) is None):
                    continue
                found = _column((*here, name), column, row.get(name), model, group)
                if found is not None:
                    yield found


def _column(at: tuple[str | int, ...], column: Column, node: YamlNode | None, model: Model, group: str) -> Field | None:
    """A printed value; None for one that a form cannot show."""
    label = column.name.replace("_", " ")
    tag, several = column.type.tag, column.by is not None
    if isinstance(node, YamlMap):
        return None
    items = node.items if isinstance(node, YamlSeq) else (node,) if node is not None else ()
    words = [item.text for item in items if isinstance(item, YamlScalar) and item.value is not None]
    if tag == "int":
        if several:
            each = f"{label}, one for each card" if column.by == "copy" else label
            return Field(at, each, "numbers", " ".join(words), group=group)
        return Field(at, label, "number", words[0] if words else "", group=group)
    if several:
        return None
    if tag == "bool":
        return Field(at, label, "flag", bool(words) and words[0] == "true", group=group)
    if tag in ("ref", "set"):
        listing = model.lists.get(column.type.name)
        rows = tuple(row.name for row in listing.rows) if listing is not None else ()
        if not rows:
            return None
        if tag == "set":
            return Field(at, label, "rows", [part for word in words for part in word.split("+")], rows, group)
        return Field(at, label, "row", words[0] if words else "", rows, group)
    return None


# ---- changes


def changed(text: str, path: str, field: Field, value: object) -> str:
    """The text with another value in a field. NoForm for a value that the field cannot hold."""
    root = _root(text, path)
    said = written(field, value)
    parent, node, key = _find(root, field.at)
    edits = TextEdits(text)
    if node is not None and not (isinstance(node, YamlScalar) and node.span.line == 0):
        if isinstance(node, YamlScalar) and node.style in ("literal", "folded"):
            _replace_block(edits, node, said)
        else:
            edits.replace(node.span, said)
    else:
        _add(edits, root, parent, field.at, key, said)
    return edits.result()


def written(field: Field, value: object) -> str:
    """A value as YAML. NoForm for one that the field cannot hold."""
    if field.kind == "flag":
        return "true" if value else "false"
    if field.kind == "number":
        word = str(value).strip()
        if not _NUMBER.fullmatch(word):
            raise NoForm(f"{field.label}: `{word}` is no whole number")
        return word
    if field.kind == "numbers":
        words = re.split(r"[\s,]+", str(value).strip(" ,"))
        wrong = next((word for word in words if not _NUMBER.fullmatch(word)), None)
        if wrong is not None:
            raise NoForm(f"{field.label}: `{wrong}` is no whole number; write them with blanks between them")
        return f"[{', '.join(words)}]"
    if field.kind == "row":
        if value not in field.choices:
            raise NoForm(f"{field.label}: there is no `{value}`")
        return str(value)
    if field.kind == "rows":
        chosen = [str(one) for one in value] if isinstance(value, list) else []
        if not set(chosen) <= set(field.choices):
            raise NoForm(f"{field.label}: there is no `{sorted(set(chosen) - set(field.choices))[0]}`")
        return f"[{', '.join(chosen)}]"
    return texted(str(value))


def texted(text: str) -> str:
    """A text on one line of YAML."""
    said = " ".join(text.split())
    plain = flow(said)
    return plain if plain == said or plain.startswith("'") else json.dumps(said, ensure_ascii=False)


def _find(root: YamlMap, at: tuple[str | int, ...]) -> tuple[YamlNode, YamlNode | None, str | int]:
    """The node that holds the last part of a place, what lies there, and the last part. NoForm if nothing does."""
    node: YamlNode = root
    for step in at[:-1]:
        inner = _step(node, step)
        if inner is None:
            return root, None, at[0]
        node = inner
    return node, _step(node, at[-1]), at[-1]


def _step(node: YamlNode, step: str | int) -> YamlNode | None:
    if isinstance(node, YamlMap) and isinstance(step, str):
        return node.get(step)
    if isinstance(node, YamlSeq) and isinstance(step, int) and step < len(node.items):
        return node.items[step]
    return None


def _add(
    edits: TextEdits, root: YamlMap, parent: YamlNode, at: tuple[str | int, ...], key: str | int, said: str
) -> None:
    """A key that is not there yet, behind the last one of its map; a whole new map at the end of the head."""
    if parent is root:
        line = f"{at[0]}: {{{at[1]}: {said}}}" if len(at) == 2 else f"{at[0]}: {said}"
        heads = [name for name in ("text", "name", "trait") if root.get(name) is not None and name != at[0]]
        behind = root.get(heads[0]) if heads else None
        if behind is not None:
            edits.insert_line(_last_line(behind), line)
        else:
            edits.append_line(line)
        return
    if not isinstance(parent, YamlMap) or not parent.items:
        raise NoForm(f"`{at[0]}` has another shape than the form knows; write it in the text")
    last_key, last = parent.items[-1]
    if edits.part(parent.span).startswith("{"):
        edits.insert(last.span.end_line, last.span.end_column, f", {key}: {said}")
    else:
        edits.insert_line(_last_line(last), f"{' ' * (last_key.span.column - 1)}{key}: {said}")


def _last_line(node: YamlNode) -> int:
    """The last line that a value takes: a block's span ends where the next key begins."""
    span = node.span
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line


def _replace_block(edits: TextEdits, node: YamlScalar, said: str) -> None:
    """In the place of a text of several lines."""
    last = max(node.span.line, _last_line(node))
    while last > node.span.line and not edits.line(last).strip():
        last -= 1
    start = edits.at(node.span.line, node.span.column)
    edits.cut(start, edits.at(last, len(edits.line(last)) + 1), said)


# ---- rules


def with_rule(text: str, path: str, rule: str) -> str:
    """The text with a rule more under `rules:`. NoForm."""
    root = _root(text, path)
    edits = TextEdits(text)
    node = root.get("rules")
    lines = rule.rstrip().split("\n")
    if node is None or (isinstance(node, YamlScalar) and not node.text.strip()):
        block = "\n".join(["rules: |", *(f"  {line}" for line in lines)])
        before = root.key("scenarios")
        if node is not None:
            key = root.key("rules")
            assert key is not None
            edits.drop_lines(key.span.line, max(key.span.line, _last_line(node)))
        if before is not None:
            edits.insert(before.span.line, 1, block + "\n")
        else:
            edits.append_line(block)
        return edits.result()
    if not isinstance(node, YamlScalar) or node.style != "literal":
        raise NoForm("`rules:` stands on one line; write `rules: |` and the rules below it, further in")
    last = max(node.span.line + 1, _last_line(node))
    while last > node.span.line and not edits.line(last).strip():
        last -= 1
    indent = " " * (len(edits.line(last)) - len(edits.line(last).lstrip())) if node.indent == 0 else " " * node.indent
    edits.insert_line(last, "\n".join(f"{indent}{line}" for line in lines))
    return edits.result()


def rules_of(text: str, path: str) -> str:
    """What stands under `rules:`."""
    node = _root(text, path).get("rules")
    return node.text if isinstance(node, YamlScalar) else ""
