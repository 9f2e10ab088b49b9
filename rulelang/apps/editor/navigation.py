"""Find, outline and rename what files declare."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulelang.apps.editor.analysis import Analysis, absolute, analyse, in_all_modes
from rulelang.apps.editor.completions import described_key
from rulelang.apps.editor.hover import checked_declaration, describe_thing, describe_word
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.rule_names import Occurrence, Thing, yaml_root
from rulelang.apps.editor.scenario_names import extra_rows, ruleset_at_line
from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.source import Placement, Span
from rulelang.data.folders import with_unsaved_texts
from rulelang.data.ruleset_source import RulesText
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics.builtins.forms import entries_for_word
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse
from rulelang.testing.scenarios.scenario import read_scenarios

# ---- Rules in a file

_RULES_WORD = re.compile(r"owner's\b|[A-Za-z_][A-Za-z0-9_]*")


def rules_at(analysis: Analysis, path: str, line: int) -> RulesText | None:
    """The rules text in which a line of a file stands."""
    for text in analysis.source.rules:
        span = text.span
        if absolute(span.path) == path and not span.is_cell:
            first = text.placement.line + 1
            if first <= line <= first + text.text.rstrip("\n").count("\n"):
                return text
    return None


def is_in_rules(analysis: Analysis, path: str, line: int, column: int) -> bool:
    """Whether a place stands in rules, and not in a remark."""
    if rules_at(analysis, path, line) is None:
        return False
    lines = analysis.texts.get(path, "").split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    return "#" not in re.sub(r'"[^"]*"', "", before)


def word_at(text: str, path: str, line: int, column: int) -> tuple[str, Span] | None:
    """The word at a place (line and column from 1)."""
    lines = text.split("\n")
    if line > len(lines):
        return None
    for match in _RULES_WORD.finditer(lines[line - 1]):
        if match.start() + 1 <= column <= match.end() + 1:
            return match[0], Span(path, line, match.start() + 1, line, match.end() + 1)
    return None


# ---- Declarations, uses and hooks


def thing_at(analysis: Analysis, path: str, line: int, column: int) -> Occurrence | None:
    return index_of(analysis).at(path, line, column)


def hover_text(analysis: Analysis, path: str, line: int, column: int) -> tuple[str, Span] | None:
    """What is to be said of the word at a place, as Markdown, and the place of the word."""
    found = thing_at(analysis, path, line, column)
    analysis = ruleset_at_line(analysis, path, line)
    if found is not None:
        return describe_thing(analysis, found), found.span
    if path.endswith((".yaml", ".yml")) and rules_at(analysis, path, line) is None:
        return described_key(analysis, path, analysis.texts.get(path, ""), line, column)
    word = rules_word_at(analysis, path, line, column)
    known = entries_for_word(word[0]) if word is not None else ()
    if word is None or not known:
        return None
    return "\n\n".join(describe_word(known)), word[1]


def rules_word_at(analysis: Analysis, path: str, line: int, column: int) -> tuple[str, Span] | None:
    """The word at a place, if that stands in rules: what the language itself says."""
    if not is_in_rules(ruleset_at_line(analysis, path, line), path, line, column):
        return None
    return word_at(analysis.texts.get(path, ""), path, line, column)


def definition_of(analysis: Analysis, path: str, line: int, column: int) -> list[Span]:
    """Find where the thing that is named at a place is declared; a space of a grid with its grid."""
    found = thing_at(analysis, path, line, column)
    if found is None:
        return []
    space = found.thing.what == "row" and found.thing.of in analysis.model.grids
    thing = Thing("grid", found.thing.of) if space else found.thing
    return [item.span for item in index_of(analysis).declarations(thing)]


def references_to(
    analysis: Analysis, path: str, line: int, column: int, *, declarations: bool, modes: bool = True
) -> list[Span]:
    """All places of what is named at a place. `modes`: those too that stand in files that only other modes read."""
    found = thing_at(analysis, path, line, column)
    if found is None:
        return []
    ways = in_all_modes(analysis) if modes else (analysis,)
    items = [item for way in ways for item in index_of(way).uses(found.thing)]
    return sorted({item.span for item in items if declarations or not item.declares})


def hooks_of(analysis: Analysis, thing: Thing) -> list[Span]:
    """The hooks of a value, routine, phase or action."""
    item = checked_declaration(analysis, thing)
    return [hook.span for hook in analysis.program.hooks if item is not None and hook.pattern.event == item.id]


# ---- Outline and symbols

#: Below these there are too many lines for an outline.
_DEEPEST_LEVEL = 3


@dataclass
class OutlineSymbol:
    """One entry: its name, what it is, its whole extent, and its name's place."""

    name: str
    what: str
    whole: Span
    place: Span
    parts: list[OutlineSymbol] = field(default_factory=list)


def document_outline(path: str, text: str) -> list[OutlineSymbol]:
    """The outline of a document, also of one that is broken elsewhere."""
    if path.endswith(".rules"):
        return list(_rules_outline(text, Placement(path)))
    if path.endswith((".yaml", ".yml")):
        root = read_yaml_text(text, path, Diagnostics()).root
        return list(_yaml_outline(root, 1)) if root is not None else []
    return []


def _rules_outline(text: str, placement: Placement) -> Iterator[OutlineSymbol]:
    for node in parse(text, placement)[0]:
        match node:
            case nodes.Phase() | nodes.Action() | nodes.Routine() | nodes.Value() | nodes.Invariant():
                yield OutlineSymbol(node.name, type(node).__name__.lower(), node.span, node.name_span)
            case nodes.Replace(target=target):
                yield OutlineSymbol(f"replace {target.name}", "hook", node.span, target.name_span)
            case nodes.Game():
                yield OutlineSymbol("game", "routine", node.span, node.span.first(4))
            case nodes.Modify(event=event):
                yield OutlineSymbol(f"modify {'.'.join(event.path)}", "hook", node.span, event.name_span)
            case nodes.Forbid() | nodes.Ignore() | nodes.Trigger():
                word = node.kind if isinstance(node, nodes.Trigger) else type(node).__name__.lower()
                said = ", ".join(".".join(event.path) for event in node.events)
                yield OutlineSymbol(f"{word} {said}", "hook", node.span, node.events[0].name_span)
            case nodes.Labelled():
                yield OutlineSymbol(f"label {node.name}", "hook", node.span, node.name_span)
            case _:
                yield OutlineSymbol(type(node).__name__.lower(), "hook", node.span, node.span.first(1))


def _yaml_outline(node: YamlNode, depth: int) -> Iterator[OutlineSymbol]:
    if isinstance(node, YamlMap):
        for key, value in node:
            found = OutlineSymbol(key.text or "?", "key", _entry_span(key, value), key.span)
            if key.text == "rules" and isinstance(value, YamlScalar) and value.exact:
                found.parts = list(_rules_outline(value.text, value.placement()))
            elif depth < _DEEPEST_LEVEL or key.text == "scenarios":
                found.parts = list(_yaml_outline(value, depth + 1))
            yield found
    elif isinstance(node, YamlSeq):
        for item in node:
            name = item.get("name") if isinstance(item, YamlMap) else None
            if isinstance(name, YamlScalar):
                yield OutlineSymbol(" ".join(name.text.split()), "scenario", item.span, name.span)


def _entry_span(key: YamlScalar, value: YamlNode) -> Span:
    return key.span.to(value.span) if (value.span.end_line, value.span.end_column) > key.span[3:] else key.span


def folding_ranges(path: str, text: str) -> Iterator[tuple[int, int]]:
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


def workspace_symbols(analysis: Analysis, query: str) -> Iterator[Occurrence]:
    """All declarations whose name has the letters of the query in their order."""
    wanted = query.casefold()
    for thing, found in index_of(analysis).by_thing.items():
        if thing.what not in ("local", "built in") and _has_letters(thing.name.casefold(), wanted):
            yield from (item for item in found if item.declares)


def _has_letters(name: str, letters: str) -> bool:
    at = iter(name)
    return all(letter in at for letter in letters)


# ---- Renaming

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class RenameRefused(Exception):
    """It cannot be renamed; the text says why."""


def renamable_thing(analysis: Analysis, path: str, line: int, column: int) -> Occurrence:
    """What is named at a place. Refused."""
    found = thing_at(analysis, path, line, column)
    if found is None:
        raise RenameRefused("there is no name here")
    thing = found.thing
    if thing.what == "built in":
        raise RenameRefused(f"`{thing.name}` is a keyword of the language")
    declared = index_of(analysis).declarations(thing)
    if not declared:
        raise RenameRefused(f"`{thing.short}` is not declared in a file that can be changed")
    foreign = next((item for item in declared if thing.what != "rule" and not analysis.owns(item.span)), None)
    if foreign is not None:
        raise RenameRefused(
            f"`{thing.short}` is declared in {foreign.span.file}, in a game or mod that this one extends: rename it "
            f"there, or give it another name under `rename:`"
        )
    return found


def rename_edits(analysis: Analysis, path: str, line: int, column: int, new: str) -> dict[str, list[Span]]:
    """The places of a name, by file, where another one is to stand. Refused."""
    thing = renamable_thing(analysis, path, line, column).thing
    parts = new.split(".") if thing.what == "row" and "." in thing.name else [new]
    if thing.what != "rule" and not all(map(_NAME.match, parts)):
        raise RenameRefused(f"`{new}` is not a valid name: use letters, digits and `_`, and start with a letter or `_`")
    uses = [(way, {item.span for item in _renamed_places(way, thing)}) for way in in_all_modes(analysis)]
    edits: dict[str, list[Span]] = {}
    for span in sorted(set().union(*(spans for _, spans in uses))):
        edits.setdefault(absolute(span.path), []).append(span)
    _check_unread_scenarios(analysis, thing, edits)
    held = dict(analysis.held)
    for path, spans in edits.items():
        text = next(way.texts[path] for way, _ in uses if path in way.texts)
        held[path] = text_with_word(text, spans, new).encode("utf-8", "surrogatepass")
    for way, mine in uses:
        _check_same_game(way, thing, new, edits, mine, held)
    return edits


def _renamed_places(analysis: Analysis, thing: Thing) -> list[Occurrence]:
    """Where a thing is named. Refused where something may be missing, or is not one's own."""
    if not analysis.is_complete or any(_is_syntax_error(item) for item in analysis.diagnostics):
        raise RenameRefused(unreadable_reason(analysis.diagnostics, f"`{thing.short}`"))
    items = index_of(analysis).uses(thing)
    far = next((item for item in items if thing.what != "rule" and not analysis.owns(item.span)), None)
    if far is not None:
        raise RenameRefused(f"`{thing.short}` is also used in {far.span.file}, which belongs to another game or mod")
    cell = next((item for item in items if item.span.is_cell or item.span.sheet), None)
    if cell is not None:
        raise RenameRefused(f"`{thing.short}` is also in a workbook, {cell.span}, which a text editor cannot change")
    return items


@dataclass(frozen=True, slots=True)
class MovedFile:
    """A file that is called as a name is, and its other path. `named`: where the manifest names it, and how then."""

    old: str
    new: str
    named: tuple[tuple[Span, str], ...] = ()


def moved_file(analysis: Analysis, thing: Thing, new: str) -> MovedFile | None:
    """The file of a trait that is renamed, if it is called so and nothing stands in its way."""
    trait = next((one for one in analysis.source.traits if thing.what == "trait" and one.id == thing.name), None)
    old = Path(absolute(trait.path)) if trait is not None else None
    if old is None or old.stem != thing.name or old.with_stem(new).exists() or not old.is_file():
        return None
    named = []
    for manifest in analysis.source.manifests:
        home = os.path.dirname(absolute(manifest.span.path))
        node = yaml_root(analysis.texts.get(absolute(manifest.span.path), ""), manifest.span.path)
        files = node.get("files") if isinstance(node, YamlMap) else None
        for item in files.items if isinstance(files, YamlSeq) else ():
            if isinstance(item, YamlScalar) and os.path.join(home, *item.text.split("/")) == str(old):
                named.append((item.span, item.text[: -len(old.name)] + new + old.suffix))
    return MovedFile(str(old), str(old.with_stem(new)), tuple(named))


def unreadable_reason(found: Iterable[Diagnostic], name: str) -> str:
    """Why nothing is renamed while something cannot be read, and where that is."""
    errors = [item for item in found if item.severity == "error"]
    first = next((item for item in errors if _is_syntax_error(item) or item.code[0] == "Y"), None)
    return (
        f"a file that cannot be read may also use {name}; fix it first{f': {first.span}' if first is not None else ''}"
    )


def _is_syntax_error(item: Diagnostic) -> bool:
    return item.severity == "error" and item.code[0] == "S"


def _check_unread_scenarios(analysis: Analysis, thing: Thing, edits: Mapping[str, list[Span]]) -> None:
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
            raise RenameRefused(_unclear_text(place, thing))
    for item in (*told, *analysis.beyond()):
        path = absolute(item.span.file)
        text = analysis.texts.get(path, "")
        whole = item.code[0] == "Y" and yaml_root(text, item.span.path) is None
        lines = range(1, text.count("\n") + 2) if whole else range(item.span.line, item.span.end_line + 1)
        if item.severity == "error" and stands(path, lines):
            raise RenameRefused(
                unreadable_reason([item], f"`{thing.short}`") if whole else _unclear_text(item.span, thing)
            )


def _unclear_text(place: Span, thing: Thing) -> str:
    return f"a scenario with an error may use `{thing.short}`; fix it first: {place}"


def text_with_word(text: str, spans: list[Span], new: str) -> str:
    """A text with another word in these places."""
    lines = text.split("\n")
    for span in sorted(set(spans), reverse=True):
        row = lines[span.line - 1]
        lines[span.line - 1] = row[: span.column - 1] + new + row[span.end_column - 1 :]
    return "\n".join(lines)


def _check_same_game(
    analysis: Analysis, thing: Thing, new: str, edits: Mapping[str, list[Span]], mine: set[Span],
    held: Mapping[str, bytes],
) -> None:  # fmt: skip
    """Refused where the game would not be the same game under the new name. `mine`: the places that it reads; `held`:
    the texts as they would be."""
    after, told, _ = analyse(analysis.where, analysis.compilation.mode, held)
    before = {_diagnostic_key(item) for item in analysis.diagnostics}
    if analysis.compilation.mode is None:  # what is wrong with scenarios of modes is told there
        before |= {_diagnostic_key(item) for item in analysis.beyond()}
        told = (*told, *(after.beyond() if after is not None else ()))
    fresh = next((i for i in told if i.severity == "error" and _diagnostic_key(i) not in before), None)
    if fresh is not None:
        raise RenameRefused(f"renaming to `{new}` would cause an error, {fresh.span}: {fresh.message}")
    if after is None:
        raise RenameRefused(f"renaming to `{new}` would make the ruleset unreadable")
    now = index_of(after)
    for path, spans in edits.items():
        for span in mine.intersection(spans):
            same = now.at(path, span.line, _shifted_column(span, spans, len(new)))
            if same is None or same.thing.what != thing.what or len(now.uses(same.thing)) != len(mine):
                raise RenameRefused(f"`{new}` would mean something else where `{thing.short}` is used")


def _shifted_column(span: Span, spans: list[Span], length: int) -> int:
    """The column of a place when those before it on its line have a name of another length."""
    before = [s for s in spans if s.line == span.line and s.column < span.column]
    return span.column + sum(length - (s.end_column - s.column) for s in before)


def _diagnostic_key(item: Diagnostic) -> tuple[str, str, int]:
    return item.code, item.span.path, item.span.line
