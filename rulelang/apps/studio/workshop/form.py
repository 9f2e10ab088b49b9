"""The file of a trait or of cards as a form: its fields and rules, and how a changed field changes the text."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.languages import ENGLISH, Language, PhrasedError
from rulelang.base.phrases import phrase
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics.cards import face_column
from rulelang.language.semantics.model import CardType, Column, Model
from rulelang.testing.scenarios.yaml_forms import yaml_flow

# ---- fields of a form

#: Keys and numbers from the root of a file.
Place: TypeAlias = tuple[str | int, ...]
Kind = Literal["text", "number", "numbers", "flag", "row", "rows"]


class NoForm(PhrasedError, ValueError):
    """Raised for a text without a form, or without such a field; the message says why."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: where it stands (keys and numbers from the root), what it is called, what may be said, what is said.

    `choices`: the rows of a list. `value`: as the page shows it. `group`: what stands together: a language, a row of
    cards. `traits`: those that the cards of its row bear.
    """

    at: tuple[str | int, ...]
    label: str
    kind: Kind
    value: object
    choices: tuple[str, ...] = ()
    group: str = ""
    traits: tuple[str, ...] = ()
    path: str = ""  # the file, if it is not the one whose form it is

    def plain(self) -> dict[str, Any]:
        return {
            "at": list(self.at), "label": self.label, "kind": self.kind, "value": self.value,
            "choices": list(self.choices), "group": self.group, "path": self.path,
        }  # fmt: skip


def form_of(
    text: str, path: str, model: Model, languages: tuple[str, ...] = ("en",), language: Language = ENGLISH
) -> list[Field]:
    """The fields of a trait's file, or of one with rows of cards: texts in each of the `languages`, what is printed.
    What fields are called, `language` says. NoForm."""
    root = root_of(text, path)
    fields = _trait if root.get("trait") is not None else _cards
    found = list(fields(root, model, languages, language))
    if not found:
        raise NoForm(phrase("there is nothing here for a form: it has fields for traits and card rows"))
    return found


def root_of(text: str, path: str) -> YamlMap:
    out = Diagnostics()
    root = read_yaml_text(text, path, out).root
    if out.failed or not isinstance(root, YamlMap):
        first = next(iter(out.sorted()), None)
        if first is None:
            raise NoForm(phrase("this file cannot be read: it is not a map of keys and values"))
        raise NoForm(phrase("this file cannot be read; line {n}: {problem}", n=first.span.line, problem=first.message))
    return root


def _trait(root: YamlMap, model: Model, languages: tuple[str, ...], language: Language) -> Iterator[Field]:
    for key, label in (("name", language.say("Name")), ("text", language.say("Text"))):
        yield from _texts((key,), label, root.get(key), languages)
    columns = model.lists["trait"].columns if "trait" in model.lists else {}
    for name, column in columns.items():
        if column.span.path and (column.default is None or root.get(name) is not None):
            found = _column((name,), column, root.get(name), model, language.say("Printed values"), language)
            if found is not None:
                yield found
    yield from _cards(root, model, languages, language)


def _texts(
    at: Place, label: str, node: YamlNode | None, languages: tuple[str, ...], group: str = ""
) -> Iterator[Field]:
    """A text in each language: those of the game, and those that stand there already."""
    plain = isinstance(node, YamlScalar)
    for code in dict.fromkeys([*languages, *(node.keys() if isinstance(node, YamlMap) else ())]):
        if isinstance(node, YamlMap):
            value = node.text(code) or ""
        else:
            value = node.text if isinstance(node, YamlScalar) and node.value is not None and code == "en" else ""
        called = label if not group or code == "en" else f"{label} ({code})"
        place = at if plain and code == "en" else (*at, code)
        yield Field(place, called, "text", value, group=group or code)


def _cards(root: YamlMap, model: Model, languages: tuple[str, ...], language: Language) -> Iterator[Field]:
    """The cards that stand in a file, a group for each row."""
    mine = root.get("trait") is not None
    for at, sort, rows in _sorts(root, model, mine=mine):
        listed = list(_rows(at, rows))
        seen: Counter[str] = Counter()
        told = [key for key in ("name", "text") if any(row.get(key) is not None for _, row in listed)]
        for number, (here, row) in enumerate(listed, 1):
            traits = _borne(row, sort)
            named = here[-1] if isinstance(here[-1], str) and here != at else ""
            titles = [title_of(model, trait, language) for trait in traits]
            if mine:
                group = language.say("Its cards") if len(listed) == 1 else language.say("Its cards, row {n}", n=number)
            else:
                group = " / ".join(titles) or str(named).replace("_", " ") or language.say("row {n}", n=number)
                seen[group] += 1
                group = group if seen[group] == 1 else f"{group} ({seen[group]})"
            for key in told:
                label = language.say("Name") if key == "name" else language.say("Text")
                yield from _texts((*here, key), label, row.get(key), languages, group)
            by_copy = any(column.by == "copy" for column in sort.columns.values())
            if not by_copy or row.get("copies") is not None:
                copies = row.get("copies")
                value = copies.text if isinstance(copies, YamlScalar) else "1"
                yield Field((*here, "copies"), language.say("Copies"), "number", value, group=group, traits=traits)
            for name, column in sort.columns.items():
                if column is face_column(sort) or name in sort.repeated:
                    continue
                if column.default is not None and row.get(name) is None:
                    continue
                found = _column((*here, name), column, row.get(name), model, group, language)
                if found is not None:
                    yield replace(found, traits=traits)


def _sorts(root: YamlMap, model: Model, *, mine: bool) -> Iterator[tuple[Place, CardType, YamlNode]]:
    """Sorts with what holds their rows: in a trait's file those that bear it, else all that stand there."""
    node = root.get("cards")
    sorts = {sort.name: sort for sort in model.sorts.values() if not mine or face_column(sort) is not None}
    if isinstance(node, YamlMap):
        for key, value in node:
            rows = value if mine else value.get("rows") if isinstance(value, YamlMap) else None
            if key.text in sorts and rows is not None:
                yield ("cards", key.text) if mine else ("cards", key.text, "rows"), sorts[key.text], rows
    elif sorts and mine and node is not None:
        yield ("cards",), next(iter(sorts.values())), node


def _rows(at: Place, rows: YamlNode) -> Iterator[tuple[Place, YamlMap]]:
    """Rows with their places: without names in a list, with names in a map; one that stands alone."""
    if isinstance(rows, YamlMap) and rows.items and all(isinstance(row, YamlMap) for _, row in rows):
        yield from (((*at, key.text), row) for key, row in rows if isinstance(row, YamlMap))
    elif isinstance(rows, YamlMap):
        yield at, rows
    elif isinstance(rows, YamlSeq):
        yield from (((*at, number), row) for number, row in enumerate(rows.items) if isinstance(row, YamlMap))


def _borne(row: YamlMap, sort: CardType) -> tuple[str, ...]:
    """The traits of a row's cards."""
    face = face_column(sort)
    node = row.get(face.name) if face is not None else None
    items = node.items if isinstance(node, YamlSeq) else (node,)
    return tuple(part for item in items if isinstance(item, YamlScalar) for part in item.text.split("+"))


def title_of(model: Model, trait: str, language: Language) -> str:
    """What a trait is called in a language."""
    known = model.traits.get(trait)
    return (known is not None and language.of(known.titles)) or trait


def _column(
    at: tuple[str | int, ...], column: Column, node: YamlNode | None, model: Model, group: str, language: Language
) -> Field | None:
    """A printed value; None for one that a form cannot show."""
    label = language.word(column.name.replace("_", " "))
    tag, several = column.type.tag, column.by is not None
    if isinstance(node, YamlMap):
        return None
    items = node.items if isinstance(node, YamlSeq) else (node,) if node is not None else ()
    words = [item.text for item in items if isinstance(item, YamlScalar) and item.value is not None]
    if tag == "int":
        if several:
            each = language.say("{value}, one for each card", value=label) if column.by == "copy" else label
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


# ---- changes of fields

_NUMBER = re.compile(r"-?[0-9]{1,9}")
#: Characters of a language tag, as `zh-Hant`.
LONGEST_CODE = 11


def text_with_field(text: str, path: str, field: Field, value: object) -> str:
    """The text with another value in a field. NoForm for a value that the field cannot hold."""
    root = root_of(text, path)
    said = field_yaml(field, value)
    parent, node, rest = _find(root, field.at)
    edits = TextEdits(text)
    if node is not None and not (isinstance(node, YamlScalar) and node.span.line == 0):
        if isinstance(node, YamlScalar) and node.style in ("literal", "folded"):
            _replace_block(edits, node, said)
        else:
            # Behind a key that says nothing yet there is no blank.
            edits.replace(node.span, said if edits.part(node.span) else f" {said}")
    else:
        _add(edits, root, parent, rest, said)
    return edits.result()


def field_yaml(field: Field, value: object) -> str:
    """A value as YAML. NoForm for one that the field cannot hold."""
    if field.kind == "flag":
        return "true" if value else "false"
    if field.kind == "number":
        word = str(value).strip()
        if not _NUMBER.fullmatch(word):
            raise NoForm(phrase("{field}: `{word}` is not a whole number", field=field.label, word=word))
        return word
    if field.kind == "numbers":
        words = re.split(r"[\s,]+", str(value).strip(" ,"))
        wrong = next((word for word in words if not _NUMBER.fullmatch(word)), None)
        if wrong is not None:
            raise NoForm(
                phrase(
                    "{field}: `{word}` is not a whole number; separate the numbers with spaces",
                    field=field.label,
                    word=wrong,
                )
            )
        return f"[{', '.join(words)}]"
    if field.kind == "row":
        if value not in field.choices:
            raise NoForm(phrase("{field}: there is no `{name}`", field=field.label, name=str(value)))
        return str(value)
    if field.kind == "rows":
        chosen = [str(one) for one in value] if isinstance(value, list) else []
        if not set(chosen) <= set(field.choices):
            unknown = sorted(set(chosen) - set(field.choices))[0]
            raise NoForm(phrase("{field}: there is no `{name}`", field=field.label, name=unknown))
        return f"[{', '.join(chosen)}]"
    return text_yaml(str(value))


def text_yaml(text: str) -> str:
    """A text on one line of YAML."""
    said = " ".join(text.split())
    plain = yaml_flow(said)
    return plain if plain == said or plain.startswith("'") else json.dumps(said, ensure_ascii=False)


def _find(root: YamlMap, at: Place) -> tuple[YamlNode, YamlNode | None, Place]:
    """The deepest node on the way to a place; what lies at the place, else None and the rest of the way."""
    node: YamlNode = root
    for number, step in enumerate(at):
        inner = _step(node, step)
        if inner is None:
            return node, None, at[number:]
        node, holder = inner, node
    return holder, node, at[-1:]


def _step(node: YamlNode, step: str | int) -> YamlNode | None:
    if isinstance(node, YamlMap) and isinstance(step, str):
        return node.get(step)
    if isinstance(node, YamlSeq) and isinstance(step, int) and step < len(node.items):
        return node.items[step]
    return None


def _add(edits: TextEdits, root: YamlMap, parent: YamlNode, rest: Place, said: str) -> None:
    """What is not there yet, behind the last key of its map; of a trait at the end of its head."""
    key, *inner = rest
    value = "".join(f"{{{step}: " for step in inner) + said + "}" * len(inner)
    if isinstance(parent, YamlScalar) and not inner and len(str(key)) <= LONGEST_CODE:
        edits.replace(
            parent.span, f"{{en: {text_yaml(parent.text)}, {key}: {said}}}"
        )  # so far it said one language alone
    elif parent is root:
        heads = [name for name in ("text", "name", "trait") if root.get(name) is not None and name != key]
        behind = root.get(heads[0]) if heads else None
        if behind is not None:
            edits.insert_line(last_line(behind), f"{key}: {value}")
        else:
            edits.append_line(f"{key}: {value}")
    elif not isinstance(parent, YamlMap) or not parent.items:
        raise NoForm(phrase("the form does not support this notation for `{key}`; edit the text instead", key=str(key)))
    else:
        last_key, last = parent.items[-1]
        called = text_yaml(str(key))
        if edits.part(parent.span).startswith("{"):
            edits.insert(last.span.end_line, last.span.end_column, f", {called}: {value}")
        else:
            edits.insert_line(last_line(last), f"{' ' * (last_key.span.column - 1)}{called}: {value}")


def last_line(node: YamlNode) -> int:
    """The last line that a value takes: a block's span ends where the next key begins."""
    span = node.span
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line


def _replace_block(edits: TextEdits, node: YamlScalar, said: str) -> None:
    """In the place of a text of several lines."""
    last = max(node.span.line, last_line(node))
    while last > node.span.line and not edits.line(last).strip():
        last -= 1
    start = edits.at(node.span.line, node.span.column)
    edits.cut(start, edits.at(last, len(edits.line(last)) + 1), said)


# ---- rules of a trait


def rules_of(text: str, path: str) -> list[str]:
    """Return the declarations under `rules:`, each with the comments above it."""
    return [rule for rule, _, _ in numbered_rules(text, path)]


def numbered_rules(text: str, path: str) -> list[tuple[str, int, int]]:
    """Return the same with the first and last line of each in the file."""
    node = root_of(text, path).get("rules")
    if not isinstance(node, YamlScalar):
        return []
    lines = node.text.rstrip().split("\n")
    starts = _starts(lines)
    above = node.span.line + (node.style == "literal")
    return [
        ("\n".join(lines[start:end]).rstrip(), above + start, above + end - 1)
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]


def _starts(lines: list[str]) -> list[int]:
    """The lines (from 0) at which declarations begin, with the comments above them. What stands further in goes on with
    what is above it."""
    found: list[int] = []
    begun: int | None = None
    for number, line in enumerate(lines):
        if not line or line[0].isspace():
            continue
        begun = number if begun is None else begun
        if not line.startswith("#"):
            found.append(begun)
            begun = None
    return found


def with_rule(text: str, path: str, rule: str) -> str:
    """The text with a rule more under `rules:`. NoForm."""
    root = root_of(text, path)
    edits = TextEdits(text)
    node = root.get("rules")
    lines = rule.rstrip().split("\n")
    if node is None or (isinstance(node, YamlScalar) and not node.text.strip()):
        block = "\n".join(["rules: |", *(f"  {line}" for line in lines)])
        before = root.key("scenarios")
        if node is not None:
            key = root.key("rules")
            assert key is not None
            edits.drop_lines(key.span.line, max(key.span.line, last_line(node)))
        if before is not None:
            edits.insert(before.span.line, 1, block + "\n")
        else:
            edits.append_line(block)
        return edits.result()
    block_ = _block(node)
    last = _end(edits, block_)
    indent = (
        " " * (len(edits.line(last)) - len(edits.line(last).lstrip())) if block_.indent == 0 else " " * block_.indent
    )
    edits.insert_line(last, "\n".join(f"{indent}{line}" for line in lines))
    return edits.result()


def without_rule(text: str, path: str, number: int) -> str:
    """The text without one of its rules (from 0, as `rules_of` counts), and the comments above it. NoForm."""
    node = root_of(text, path).get("rules")
    block = _block(node)
    starts = _starts(block.text.split("\n"))
    if not 0 <= number < len(starts):
        raise NoForm(phrase("this rule no longer exists"))
    edits = TextEdits(text)
    begin, last = block.span.line + 1, _end(edits, block)
    if len(starts) == 1:  # nothing is left below `rules:`
        edits.drop_lines(block.span.line, last)
    else:
        end = begin + starts[number + 1] - 1 if number + 1 < len(starts) else last
        edits.drop_lines(begin + starts[number], end)
    return edits.result()


def _block(node: object) -> YamlScalar:
    if not isinstance(node, YamlScalar) or node.style != "literal":
        raise NoForm(phrase("`rules:` is on one line; write `rules: |` and the rules below it, indented"))
    return node


def _end(edits: TextEdits, block: YamlScalar) -> int:
    """The last line of a block that holds something."""
    last = max(block.span.line + 1, last_line(block))
    while last > block.span.line and not edits.line(last).strip():
        last -= 1
    return last
