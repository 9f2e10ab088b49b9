"""Every place where something is declared or named, in all files of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rulelang.apps.editor.analysis import absolute
from rulelang.base.source import Span

What = Literal[
    "value", "routine", "phase", "action", "invariant", "trait", "row", "list", "kind", "sort", "grid", "attribute",
    "state", "column", "zone", "table", "number", "option", "mode", "local", "rule", "built in",
]  # fmt: skip


class Thing(NamedTuple):
    """What a name stands for. `of`: the kind of an attribute, column or zone, the list or sort of a row, the trait of
    what is kept for each of its cards, the declaration of a local, the type of a built-in name."""

    what: What
    name: str
    of: str = ""

    @property
    def short(self) -> str:
        """The name as it stands in a text."""
        return self.name.rpartition(".")[2] if self.what in ("value", "routine", "action", "zone") else self.name


class Occurrence(NamedTuple):
    """A name in a text, what it stands for, and whether that is declared there. `type`: of an expression, in words."""

    span: Span
    thing: Thing
    declares: bool = False
    type: str = ""


@dataclass
class Index:
    """All occurrences, by file (absolute path) and by thing."""

    by_file: dict[str, list[Occurrence]] = field(default_factory=dict)
    by_thing: dict[Thing, list[Occurrence]] = field(default_factory=dict)

    def add(self, found: Iterable[Occurrence]) -> None:
        for item in found:
            self.by_file.setdefault(absolute(item.span.path), []).append(item)
            self.by_thing.setdefault(item.thing, []).append(item)

    def at(self, path: str, line: int, column: int) -> Occurrence | None:
        """What is named at a place: also right behind the name."""
        here = [
            item
            for item in self.by_file.get(path, ())
            if item.span.line == line == item.span.end_line and item.span.column <= column <= item.span.end_column
        ]
        behind = [(item.span.end_column == column, item.span.end_column - item.span.column, item) for item in here]
        return min(behind, key=lambda found: found[:2])[2] if behind else None

    def declarations(self, thing: Thing) -> list[Occurrence]:
        return [item for item in self.by_thing.get(thing, ()) if item.declares]

    def uses(self, thing: Thing) -> list[Occurrence]:
        return list(self.by_thing.get(thing, ()))


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def word_in(text: str, word: str, span: Span, after: int = 0) -> Span | None:
    """The place of a word on the first line of a span, behind a column."""
    lines = text.split("\n")
    if span.line > len(lines):
        return None
    line = lines[span.line - 1]
    for match in _WORD.finditer(line, max(span.column, after) - 1):
        if match[0] == word:
            return Span(span.path, span.line, match.start() + 1, span.line, match.end() + 1)
    return None
