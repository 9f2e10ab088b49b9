"""The file of a trait, or of cards, as a form: what stands in it by fields. `changes.py` changes what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.languages import ENGLISH, Language, PhrasedError
from rulelang.base.phrases import phrase
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics.cards import face_column
from rulelang.language.semantics.model import CardType, Column, Model

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
