"""What a file declares, as an outline; all that a ruleset declares, by name; and what may be folded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.occurrences import Occurrence
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Placement, Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse

#: Below these there are too many lines for an outline.
_DEEPEST = 3


@dataclass
class Symbol:
    """One entry: its name, what it is, its whole extent, and its name's place."""

    name: str
    what: str
    whole: Span
    place: Span
    parts: list[Symbol] = field(default_factory=list)


def outline(path: str, text: str) -> list[Symbol]:
    """The outline of a document, also of one that is broken elsewhere."""
    if path.endswith(".rules"):
        return list(_rules(text, Placement(path)))
    if path.endswith((".yaml", ".yml")):
        root = read_yaml_text(text, path, Diagnostics()).root
        return list(_yaml(root, 1)) if root is not None else []
    return []


def _rules(text: str, placement: Placement) -> Iterator[Symbol]:
    for node in parse(text, placement)[0]:
        match node:
            case nodes.Phase() | nodes.Action() | nodes.Routine() | nodes.Value() | nodes.Invariant():
                yield Symbol(node.name, type(node).__name__.lower(), node.span, node.name_span)
            case nodes.Replace(target=target):
                yield Symbol(f"replace {target.name}", "hook", node.span, target.name_span)
            case nodes.Game():
                yield Symbol("game", "routine", node.span, _head(node.span, 4))
            case nodes.Modify(event=event):
                yield Symbol(f"modify {'.'.join(event.path)}", "hook", node.span, event.name_span)
            case nodes.Forbid() | nodes.Ignore() | nodes.Trigger():
                word = node.kind if isinstance(node, nodes.Trigger) else type(node).__name__.lower()
                said = ", ".join(".".join(event.path) for event in node.events)
                yield Symbol(f"{word} {said}", "hook", node.span, node.events[0].name_span)
            case nodes.Labelled():
                yield Symbol(f"label {node.name}", "hook", node.span, node.name_span)
            case _:
                yield Symbol(type(node).__name__.lower(), "hook", node.span, _head(node.span, 1))


def _head(span: Span, length: int) -> Span:
    return Span(span.path, span.line, span.column, span.line, span.column + length)


def _yaml(node: YamlNode, depth: int) -> Iterator[Symbol]:
    if isinstance(node, YamlMap):
        for key, value in node:
            found = Symbol(key.text or "?", "key", _whole(key, value), key.span)
            if key.text == "rules" and isinstance(value, YamlScalar) and value.exact:
                found.parts = list(_rules(value.text, value.placement()))
            elif depth < _DEEPEST or key.text == "scenarios":
                found.parts = list(_yaml(value, depth + 1))
            yield found
    elif isinstance(node, YamlSeq):
        for item in node:
            name = item.get("name") if isinstance(item, YamlMap) else None
            if isinstance(name, YamlScalar):
                yield Symbol(" ".join(name.text.split()), "scenario", item.span, name.span)


def _whole(key: YamlScalar, value: YamlNode) -> Span:
    return key.span.to(value.span) if (value.span.end_line, value.span.end_column) > key.span[3:] else key.span


def folds(path: str, text: str) -> Iterator[tuple[int, int]]:
    """First and last lines (from 1) of what can be folded: what is indented below a line."""
    lines = text.split("\n")
    depths = [len(line) - len(line.lstrip()) if line.strip() else None for line in lines]
    open_: list[tuple[int, int]] = []  # indentation and line of those above
    last = 0
    for number, depth in enumerate([*depths, 0], 1):
        if depth is None:
            continue
        while open_ and open_[-1][0] >= depth:
            _, begin = open_.pop()
            if last > begin:
                yield begin, last
        open_.append((depth, number))
        last = number


def everything(analysis: Analysis, query: str) -> Iterator[Occurrence]:
    """All declarations whose name has the letters of the query in their order."""
    wanted = query.casefold()
    for thing, found in index_of(analysis).by_thing.items():
        if thing.what not in ("local", "built in") and _has(thing.name.casefold(), wanted):
            yield from (item for item in found if item.declares)


def _has(name: str, letters: str) -> bool:
    at = iter(name)
    return all(letter in at for letter in letters)
