"""Another name for something, in all files; refused with a reason where that is not one's own or would not hold."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulelang.apps.editor.analysis import Analysis, absolute, analyse, in_all_modes
from rulelang.apps.editor.extra_rows import extra_rows
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.navigating import named_at
from rulelang.apps.editor.occurrences import Occurrence, Thing
from rulelang.apps.editor.yaml_words import root_of
from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.source import Span
from rulelang.data.folders import with_unsaved_texts
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.testing.scenarios.scenario import read_scenarios

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Refused(Exception):
    """It cannot be renamed; the text says why."""


def renamable(analysis: Analysis, path: str, line: int, column: int) -> Occurrence:
    """What is named at a place. Refused."""
    found = named_at(analysis, path, line, column)
    if found is None:
        raise Refused("there is no name here")
    thing = found.thing
    if thing.what == "built in":
        raise Refused(f"`{thing.name}` is a keyword of the language")
    declared = index_of(analysis).declarations(thing)
    if not declared:
        raise Refused(f"`{thing.short}` is not declared in a file that can be changed")
    foreign = next((item for item in declared if thing.what != "rule" and not analysis.owns(item.span)), None)
    if foreign is not None:
        raise Refused(
            f"`{thing.short}` is declared in {foreign.span.file}, in a game or mod that this one extends: rename it "
            f"there, or give it another name under `rename:`"
        )
    return found


def rename(analysis: Analysis, path: str, line: int, column: int, new: str) -> dict[str, list[Span]]:
    """The places of a name, by file, where another one is to stand. Refused."""
    thing = renamable(analysis, path, line, column).thing
    parts = new.split(".") if thing.what == "row" and "." in thing.name else [new]
    if thing.what != "rule" and not all(map(_NAME.match, parts)):
        raise Refused(f"`{new}` is not a valid name: use letters, digits and `_`, and start with a letter or `_`")
    uses = [(way, {item.span for item in _uses(way, thing)}) for way in in_all_modes(analysis)]
    edits: dict[str, list[Span]] = {}
    for span in sorted(set().union(*(spans for _, spans in uses))):
        edits.setdefault(absolute(span.path), []).append(span)
    _read(analysis, thing, edits)
    held = dict(analysis.held)
    for path, spans in edits.items():
        text = next(way.texts[path] for way, _ in uses if path in way.texts)
        held[path] = changed(text, spans, new).encode("utf-8", "surrogatepass")
    for way, mine in uses:
        _tried(way, thing, new, edits, mine, held)
    return edits


def _uses(analysis: Analysis, thing: Thing) -> list[Occurrence]:
    """Where a thing is named. Refused where something may be missing, or is not one's own."""
    if not analysis.whole or any(_syntax(item) for item in analysis.diagnostics):
        raise Refused(unreadable(analysis.diagnostics, f"`{thing.short}`"))
    items = index_of(analysis).uses(thing)
    far = next((item for item in items if thing.what != "rule" and not analysis.owns(item.span)), None)
    if far is not None:
        raise Refused(f"`{thing.short}` is also used in {far.span.file}, which belongs to another game or mod")
    cell = next((item for item in items if item.span.is_cell or item.span.sheet), None)
    if cell is not None:
        raise Refused(f"`{thing.short}` is also in a workbook, {cell.span}, which a text editor cannot change")
    return items


@dataclass(frozen=True, slots=True)
class Moved:
    """A file that is called as a name is, and its other path. `named`: where the manifest names it, and how then."""

    old: str
    new: str
    named: tuple[tuple[Span, str], ...] = ()


def moved(analysis: Analysis, thing: Thing, new: str) -> Moved | None:
    """The file of a trait that is renamed, if it is called so and nothing stands in its way."""
    trait = next((one for one in analysis.source.traits if thing.what == "trait" and one.id == thing.name), None)
    old = Path(absolute(trait.path)) if trait is not None else None
    if old is None or old.stem != thing.name or old.with_stem(new).exists() or not old.is_file():
        return None
    named = []
    for manifest in analysis.source.manifests:
        home = os.path.dirname(absolute(manifest.span.path))
        node = root_of(analysis.texts.get(absolute(manifest.span.path), ""), manifest.span.path)
        files = node.get("files") if isinstance(node, YamlMap) else None
        for item in files.items if isinstance(files, YamlSeq) else ():
            if isinstance(item, YamlScalar) and os.path.join(home, *item.text.split("/")) == str(old):
                named.append((item.span, item.text[: -len(old.name)] + new + old.suffix))
    return Moved(str(old), str(old.with_stem(new)), tuple(named))


def unreadable(found: Iterable[Diagnostic], name: str) -> str:
    """Why nothing is renamed while something cannot be read, and where that is."""
    errors = [item for item in found if item.severity == "error"]
    first = next((item for item in errors if _syntax(item) or item.code[0] == "Y"), None)
    return (
        f"a file that cannot be read may also use {name}; fix it first{f': {first.span}' if first is not None else ''}"
    )


def _syntax(item: Diagnostic) -> bool:
    return item.severity == "error" and item.code[0] == "S"


def _read(analysis: Analysis, thing: Thing, edits: Mapping[str, list[Span]]) -> None:
    """Refused where the word stands in a scenario, or a file of them, that could not be read, and is not changed."""
    told = Diagnostics()
    with with_unsaved_texts(analysis.held):
        told.extend(read_scenarios(analysis.source, analysis.compilation.memo)[1])
    word = re.compile(rf"(?<!\w){re.escape(thing.short)}(?!\w)", re.IGNORECASE)  # as scenarios are read
    known = {(path, span.line, span.column) for path, spans in edits.items() for span in spans}

    def stands(path: str, lines: Iterable[int]) -> bool:
        rows = analysis.texts.get(path, "").split("\n")
        return any((path, n, m.start() + 1) not in known for n in lines for m in word.finditer(rows[n - 1]))

    for place in (span for one in extra_rows(analysis).found.values() for span in one.unread):
        if stands(absolute(place.path), range(place.line, place.end_line + 1)):
            raise Refused(_unclear(place, thing))
    for item in (*told, *analysis.beyond()):
        path = absolute(item.span.file)
        text = analysis.texts.get(path, "")
        whole = item.code[0] == "Y" and root_of(text, item.span.path) is None
        lines = range(1, text.count("\n") + 2) if whole else range(item.span.line, item.span.end_line + 1)
        if item.severity == "error" and stands(path, lines):
            raise Refused(unreadable([item], f"`{thing.short}`") if whole else _unclear(item.span, thing))


def _unclear(place: Span, thing: Thing) -> str:
    return f"a scenario with an error may use `{thing.short}`; fix it first: {place}"


def changed(text: str, spans: list[Span], new: str) -> str:
    """A text with another word in these places."""
    lines = text.split("\n")
    for span in sorted(set(spans), reverse=True):
        row = lines[span.line - 1]
        lines[span.line - 1] = row[: span.column - 1] + new + row[span.end_column - 1 :]
    return "\n".join(lines)


def _tried(
    analysis: Analysis, thing: Thing, new: str, edits: Mapping[str, list[Span]], mine: set[Span],
    held: Mapping[str, bytes],
) -> None:  # fmt: skip
    """Refused where the game would not be the same game under the new name. `mine`: the places that it reads; `held`:
    the texts as they would be."""
    after, told, _ = analyse(analysis.where, analysis.compilation.mode, held)
    before = {_said(item) for item in analysis.diagnostics}
    if analysis.compilation.mode is None:  # what is wrong with scenarios of modes is told there
        before |= {_said(item) for item in analysis.beyond()}
        told = (*told, *(after.beyond() if after is not None else ()))
    fresh = next((i for i in told if i.severity == "error" and _said(i) not in before), None)
    if fresh is not None:
        raise Refused(f"renaming to `{new}` would cause an error, {fresh.span}: {fresh.message}")
    if after is None:
        raise Refused(f"renaming to `{new}` would make the ruleset unreadable")
    now = index_of(after)
    for path, spans in edits.items():
        for span in mine.intersection(spans):
            same = now.at(path, span.line, _shifted(span, spans, len(new)))
            if same is None or same.thing.what != thing.what or len(now.uses(same.thing)) != len(mine):
                raise Refused(f"`{new}` would mean something else where `{thing.short}` is used")


def _shifted(span: Span, spans: list[Span], length: int) -> int:
    """The column of a place when those before it on its line have a name of another length."""
    before = [s for s in spans if s.line == span.line and s.column < span.column]
    return span.column + sum(length - (s.end_column - s.column) for s in before)


def _said(item: Diagnostic) -> tuple[str, str, int]:
    return item.code, item.span.path, item.span.line
