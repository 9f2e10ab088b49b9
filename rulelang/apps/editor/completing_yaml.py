"""Keys and values of YAML by the schemas of the game, and in scenarios what can be said and done in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.completing_rules import complete_rules
from rulelang.apps.editor.completing_scenarios import complete_scenario
from rulelang.apps.editor.json_schemas import Schema, make
from rulelang.apps.editor.names import names_from
from rulelang.apps.editor.proposals import Proposal
from rulelang.apps.editor.writing import schema_of
from rulelang.apps.editor.yaml_place import ITEM, YamlPlace, yaml_place
from rulelang.base.source import Placement, Span
from rulelang.data.schema import load_schemas
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS
from rulelang.language.semantics.declare.labels import GAME

_WORD = re.compile(r"[\w.\-]*\Z")
_KEY = re.compile(r"[A-Za-z_][\w\-]*(?=[ \t]*:(?:[ \t]|$))")
_GENERAL = "../"
#: What `this` of `look:` is called in a routine, where it is a word of the language.
_ITS = "its_thing"
_THIS = re.compile(r"\bthis\b")
_NOWHERE = Placement("")


class _Node(NamedTuple):
    """A schema, and the file it stands in: `trait.schema.json` of the game, `../trait.schema.json` of all games."""

    file: str
    schema: Schema


def complete_yaml(analysis: Analysis, path: str, text: str, line: int, column: int) -> list[Proposal]:
    """The proposals at a place of a YAML document."""
    place = yaml_place(text, line, column)
    if place is None:
        return []
    match = _WORD.search(place.said)
    begun = len(match[0]) if match else 0
    found: list[Proposal] = []
    said = complete_scenario(analysis, path, text, line, place)
    if said is None:
        said = _of_the_manifest(analysis, path, place.path) or _shown(analysis, place)
    if said is not None:
        return [item.replacing(begun) for item in said]
    known = _Schemas(analysis)
    nodes = known.at(schema_of(Path(path), text), place.path)
    if place.keyed:
        found += known.keys(nodes)
    if place.valued:
        found += known.values(nodes)
    return [item.replacing(begun) for item in found]


def _of_the_manifest(analysis: Analysis, path: str, steps: tuple[str, ...]) -> list[Proposal]:
    """What its values name that is declared elsewhere, or beside them."""
    if Path(path).name not in ("ruleset.yaml", "mod.yaml"):
        return []
    if steps == ("players", "from"):
        players = (state for state in analysis.model.state.values() if state.type.name == "player")
        return [Proposal(state.name, "field", str(state.type), rank=1) for state in players]
    if len(steps) == 3 and steps[0] == "options" and steps[2] == "default" and steps[1] in analysis.model.options:
        option = analysis.model.options[steps[1]]
        return [Proposal(value, "row", f"option {option.name}", rank=1) for value in option.values]
    return []


def _shown(analysis: Analysis, place: YamlPlace) -> list[Proposal] | None:
    """What `look:` works out of a kind, as an expression of rules; None elsewhere."""
    steps = place.path[:-1] if place.path[-1:] == ("is",) else place.path
    if not place.valued or len(steps) != 4 or (steps[0], steps[2]) != ("look", "show"):
        return None
    kind = "" if steps[1] == GAME else f"{steps[1]} {_ITS}"
    text = f"routine shown{f'({kind})' if kind else ''}:\n  let what = {_THIS.sub(_ITS, place.said)}"
    column = len(text) - text.rindex("\n")
    found = complete_rules(analysis, tree.Origin("core"), text, _NOWHERE, 2, column, outside=True)
    named = (replace(item, label="this") if item.label == _ITS else item for item in found if item.label not in BEARERS)
    return list(named)


def described(analysis: Analysis, path: str, text: str, line: int, column: int) -> tuple[str, Span] | None:
    """What the schemas say of the key at a place, as Markdown, and the place of the key."""
    rows = text.split("\n")
    row = rows[line - 1] if line <= len(rows) else ""
    key = next((m for m in _KEY.finditer(row) if m.start() < column <= m.end() + 1), None)
    place = yaml_place(text, line, key.end() + 1) if key is not None else None
    if key is None or place is None:
        return None
    known = _Schemas(analysis)
    nodes = known.at(schema_of(Path(path), text), place.path)
    found = next((p for p in known.keys(nodes) if p.label == key[0] and (p.detail or p.doc)), None)
    if found is None:
        return None
    said = "\n\n".join(part for part in (f"`{key[0]}`: {found.detail}" if found.detail else "", found.doc) if part)
    return said, Span(path, line, key.start() + 1, line, key.end() + 1)


class _Schemas:
    """The schemas of a game and those of all games."""

    def __init__(self, analysis: Analysis) -> None:
        made = analysis.kept.get("schemas")
        if not isinstance(made, dict):
            made = make(names_from(analysis.source, analysis.model, analysis.program))
            analysis.kept["schemas"] = made
        self.files: dict[str, Schema] = {**{f"{_GENERAL}{n}.schema.json": s for n, s in load_schemas().items()}, **made}

    def at(self, file: str, path: Sequence[str]) -> list[_Node]:
        """All schemas that speak of the value at a path."""
        top = [_Node(name, self.files[name]) for name in (file, _GENERAL + file) if name in self.files]
        nodes = list(self.whole(top))
        for step in path:
            nodes = list(self.whole(self._step(nodes, step)))
        return nodes

    def whole(self, nodes: Iterable[_Node]) -> Iterator[_Node]:
        """Schemas with those they refer to and are made of."""
        waiting, seen = list(nodes), set()
        while waiting:
            node = waiting.pop()
            if id(node.schema) in seen or not isinstance(node.schema, dict):
                continue
            seen.add(id(node.schema))
            yield node
            if "$ref" in node.schema:
                waiting += self._referred(node.file, node.schema["$ref"])
            for word in ("allOf", "anyOf", "oneOf"):
                waiting += [_Node(node.file, part) for part in node.schema.get(word, ())]
            waiting += [_Node(node.file, node.schema[word]) for word in ("then", "else") if word in node.schema]

    def _referred(self, file: str, reference: str) -> Iterator[_Node]:
        name, _, inner = reference.partition("#")
        target = (
            file
            if not name
            else name
            if name.startswith(_GENERAL) or not file.startswith(_GENERAL)
            else _GENERAL + name
        )
        found: Any = self.files.get(target)
        for step in inner.strip("/").split("/") if inner else ():
            found = found.get(step) if isinstance(found, dict) else None
        if isinstance(found, dict):
            yield _Node(target, found)

    def _step(self, nodes: Iterable[_Node], step: str) -> Iterator[_Node]:
        for file, schema in nodes:
            if step == ITEM:
                items = schema.get("items")
                if isinstance(items, dict):
                    yield _Node(file, items)
                continue
            below = schema.get("properties", {}).get(step)
            if below is None:
                below = schema.get("additionalProperties")
            if isinstance(below, dict):
                yield _Node(file, below)

    def keys(self, nodes: Iterable[_Node]) -> Iterator[Proposal]:
        for file, schema in nodes:
            for name, below in schema.get("properties", {}).items():
                told = [node.schema for node in self.whole([_Node(file, below)])] if isinstance(below, dict) else []
                doc = next((s["description"] for s in told if "description" in s), "")
                title = next((s["title"] for s in told if "title" in s), "")
                yield Proposal(name, "property", title, doc, snippet=f"{name}: ", rank=1, again=True)
            for one in self.whole([_Node(file, schema["propertyNames"])] if "propertyNames" in schema else []):
                for name in one.schema.get("enum", ()):
                    yield Proposal(str(name), "property", snippet=f"{name}: ", rank=2, again=True)

    def values(self, nodes: Iterable[_Node]) -> Iterator[Proposal]:
        for _, schema in nodes:
            said = schema.get("enumDescriptions", ())
            for number, value in enumerate(schema.get("enum", [schema["const"]] if "const" in schema else ())):
                if value is not None:
                    word = str(value).lower() if isinstance(value, bool) else str(value)
                    yield Proposal(word, "row", said[number] if number < len(said) else "", rank=1)
            if schema.get("type") == "boolean":
                yield from (Proposal(word, "row", rank=2) for word in ("true", "false"))
