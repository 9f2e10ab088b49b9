"""What is to be said of a name, as Markdown: signature, type, comment, numbered rules, and what hooks weave into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.declarations import (
    DeclaredEntry,
    Reading,
    declared_entries,
    find_hookable,
    hooked_lines,
    printed_value,
)
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.rule_names import Occurrence, Thing, yaml_root
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.base.wording import counted
from rulelang.data.folders import docs_dir
from rulelang.data.yaml_nodes import YamlMap, YamlSeq
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.forms import Entry as Word
from rulelang.language.semantics.builtins.forms import entries_for_word
from rulelang.language.semantics.members import members_of
from rulelang.language.semantics.model import Grid, Model

#: What `entries` calls the things that the index knows.
_ENTRY_GROUPS = {"sort": "card type", "zone": "zone", "table": "table", "state": "state", "attribute": "attribute",
           "column": "column", "option": "option", "grid": "grid", "kind": "kind", "list": "list"}  # fmt: skip
_CITES = re.compile(r"^[ \t]*#:[ \t]*(.*)$")
_COMMENT = re.compile(r"^[ \t]*#(?!:)[ \t]?(.*)$")


def analysis_reading(analysis: Analysis) -> Reading:
    found = Diagnostics(list(analysis.diagnostics))
    return Reading(analysis.source, analysis.model, analysis.trees, analysis.program, found)


def describe_thing(analysis: Analysis, occurrence: Occurrence) -> str:
    """All that is known of what is named at a place."""
    return "\n\n".join(part for part in _description_parts(analysis, occurrence.thing, occurrence.type) if part)


def _description_parts(analysis: Analysis, thing: Thing, type_: str) -> Iterator[str]:
    reading = analysis_reading(analysis)
    model = analysis.model
    match thing.what:
        case "local":
            yield code_block(f"{thing.name}: {type_}" if type_ else thing.name)
        case "built in":
            yield from _built_in_text(analysis, thing, type_)
        case "rule":
            yield from numbered_rules_text(analysis, [thing.name])
        case "value" | "routine" | "phase" | "action" | "invariant":
            yield from _declaration_text(analysis, reading, thing)
        case "trait":
            yield from _trait_text(analysis, thing.name)
        case "row":
            yield from _row_text(analysis, thing)
        case "number":
            values = {str(value).strip("()") for value in model.numbers[thing.name].by_players.values()}
            by = model.numbers[thing.name].by_players
            said = values.pop() if len(values) == 1 else ", ".join(f"{n} players: {v}" for n, v in by.items())
            yield code_block(f"{thing.name} = {said}")
            yield from _declaration_comment(analysis, thing)
        case _:
            entry = _entry_text(reading, thing)
            if entry is not None:
                head = f"{thing.of}.{thing.name}" if thing.what in ("attribute", "column") else thing.name
                yield code_block(f"{head}: {type_}" if type_ else head)
                yield "  \n".join([f"*{entry.what}*", *entry.facts()])
            else:
                yield code_block(f"{thing.name}: {type_}" if type_ else thing.name)
            yield from _declaration_comment(analysis, thing)


def _entry_text(reading: Reading, thing: Thing) -> DeclaredEntry | None:
    names = {thing.name, f"{thing.of}.{thing.name}"}
    what = {_ENTRY_GROUPS.get(thing.what, "")} | ({"ladder"} if thing.what == "list" else set())
    return next((e for e in declared_entries(reading) if e.what in what and e.name in names), None) or next(
        (e for e in declared_entries(reading) if e.what in what and e.called(thing.short.casefold())), None
    )


# ---- what rules declare


def checked_declaration(analysis: Analysis, thing: Thing) -> tree.Declared | None:
    """The checked declaration of what rules declare."""
    program = analysis.program
    return (
        program.values.get(thing.name)
        or program.routines.get(thing.name)
        or program.actions.get(thing.name)
        or program.invariants.get(thing.name)
    )


def declaration_head(analysis: Analysis, item: tree.Declared) -> str:
    """The first words of a declaration, up to its body."""
    text = analysis.texts.get(absolute(item.span.path), "")
    lines = text.split("\n")[item.span.line - 1 : item.span.end_line]
    if not lines:
        return item.id
    lines[0] = lines[0][item.span.column - 1 :]
    said, depth = "", 0
    for char in " ".join(line.strip() for line in lines):
        depth += (char in "([") - (char in ")]")
        if char == ":" and depth == 0:
            break
        said += char
    return said.strip()


def _declaration_text(analysis: Analysis, reading: Reading, thing: Thing) -> Iterator[str]:
    item = checked_declaration(analysis, thing)
    if item is None:
        return
    yield code_block(declaration_head(analysis, item))
    yield comment_above(analysis, item.span)
    yield from numbered_rules_text(analysis, item.cites)
    found = find_hookable(reading, item.id)
    if found:
        yield from _hooked_text(list(hooked_lines(reading, found[0])))


def _hooked_text(lines: Sequence[str]) -> Iterator[str]:
    """The text of `rulelang show`: what is indented is code."""
    for is_code, group in groupby(lines, key=lambda line: line.startswith("    ")):
        part = [line for line in group if line]
        if is_code:
            yield code_block("\n".join(line[4:] for line in part))
        elif part:
            yield "  \n".join(part)


# ---- what data declares


def _trait_text(analysis: Analysis, name: str) -> Iterator[str]:
    trait = analysis.model.traits.get(name)
    if trait is None:
        return
    cards = count_cards(analysis).get(name, 0)
    yield f"**{trait.titles.get('en', name)}** (trait `{name}`), {counted(cards, 'card')}"
    yield "  \n".join(f"{tag}: {text}" if len(trait.text) > 1 else text for tag, text in trait.text.items())
    rules = [text for text in analysis.source.rules if (text.owner.kind, text.owner.name) == ("trait", name)]
    yield from (code_block(text.text.strip("\n")) for text in rules)
    own = [d for d in _all_declared(analysis.program) if (d.origin.what, d.origin.name) == ("trait", name)]
    yield from numbered_rules_text(analysis, list(dict.fromkeys(cite for item in own for cite in item.cites)))


def count_cards(analysis: Analysis) -> dict[str, int]:
    """How many cards can be played as each trait."""
    names = {trait.number: trait.name for trait in analysis.model.traits.values()}
    found: dict[str, int] = {}
    for sort in analysis.model.sorts.values():
        faces = [column for column in sort.columns.values() if column.type.name == "trait"]
        for row in sort.rows:
            values = [row.columns.get(column.name) for column in faces]
            numbers = {n for value in values for n in (value if isinstance(value, tuple) else (value,))}
            for number in numbers:
                if isinstance(number, int) and number in names:
                    found[names[number]] = found.get(names[number], 0) + row.copies
    return found


def _row_text(analysis: Analysis, thing: Thing) -> Iterator[str]:
    model = analysis.model
    if thing.of in model.grids:
        yield from _space_text(model, model.grids[thing.of], thing.name)
        return
    of = model.lists.get(thing.of) or model.sorts.get(thing.of)
    row = next((row for row in of.rows if row.name == thing.name), None) if of is not None else None
    if of is None or row is None:
        yield code_block(f"{thing.name}: {thing.of}")
        return
    yield code_block(f"{row.name}: {of.name}")
    if of.name in model.sorts:
        yield counted(row.copies, "card")
    yield row.text
    cells = [f"- {n}: {printed_value(model, of.columns[n].type, v)}" for n, v in row.columns.items() if n in of.columns]
    yield "\n".join(cells)
    rules = [t for t in analysis.source.rules if (t.owner.name, t.owner.of) == (row.name, of.name)]
    yield from (code_block(text.text.strip("\n")) for text in rules)


def _space_text(model: Model, grid: Grid, name: str) -> Iterator[str]:
    """Say what each map prints on a space."""
    yield code_block(f"{name}: {grid.name}")
    at = grid.spaces[name] - 1
    for title, drawn in grid.maps.items():
        cells = [f"{n}: {printed_value(model, grid.columns[n].type, values[at])}" for n, values in drawn.items()]
        yield f"- {title}: {', '.join(cells)}" if cells else ""


def _declaration_comment(analysis: Analysis, thing: Thing) -> Iterator[str]:
    """The comment beside or above the declaration."""
    for item in index_of(analysis).declarations(thing)[:1]:
        yield text_key(analysis, item.span)
        yield comment_above(analysis, item.span) or comment_beside(analysis, item.span)
        yield from numbered_rules_text(analysis, cited_above(analysis, item.span))


# ---- what the language brings


def _built_in_text(analysis: Analysis, thing: Thing, type_: str) -> Iterator[str]:
    member = members_of(analysis.model, thing.of).get(thing.name) if thing.of else None
    if member is not None:
        yield code_block(f"{thing.of}.{member.name}: {member.type}")
        yield member.doc
        return
    found = entries_for_word(thing.name)
    if not found:
        yield code_block(f"{thing.name}: {type_ or thing.of}")
    yield from describe_word(found)


def describe_word(found: Iterable[Word]) -> Iterator[str]:
    """What the language says of a word."""
    for entry in found:
        yield code_block("\n".join(entry.signatures))
        yield entry.doc
        if entry.more:
            file, _, anchor = entry.more.partition("#")
            page = docs_dir() / "language" / file
            if page.is_file():
                yield f"[{entry.more}]({page.as_uri()}#{anchor})"


# ---- parts


def numbered_rules_text(analysis: Analysis, ids: Iterable[str]) -> Iterator[str]:
    """The numbered rules with their text."""
    said = []
    for id_ in dict.fromkeys(ids):
        rule = analysis.rules.get(id_)
        if rule is not None:
            said.append(f"**{id_}** {rule.text}")
    if said:
        yield "  \n".join(said)


def text_key(analysis: Analysis, span: Span) -> str:
    """What `text:` says of what is declared at a place in YAML."""
    path = absolute(span.path)
    root = yaml_root(analysis.texts.get(path, ""), span.path) if path.endswith((".yaml", ".yml")) else None
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, YamlMap):
            for key, value in node:
                if key.span == span and isinstance(value, YamlMap):
                    return value.text("text") or value.map("text").text("en") or ""
                waiting.append(value)
        elif isinstance(node, YamlSeq):
            waiting.extend(node.items)
    return ""


def comment_above(analysis: Analysis, span: Span) -> str:
    """The remark directly above a declaration, without citations."""
    lines = analysis.texts.get(absolute(span.path), "").split("\n")
    found: list[str] = []
    for line in reversed(lines[: span.line - 1]):
        if _CITES.match(line):
            continue
        match = _COMMENT.match(line)
        if match is None or "$schema" in line:
            break
        found.append(match[1])
    return " ".join(reversed(found)).strip()


def cited_above(analysis: Analysis, span: Span) -> list[str]:
    lines = analysis.texts.get(absolute(span.path), "").split("\n")
    found: list[str] = []
    for line in reversed(lines[: span.line - 1]):
        match = _CITES.match(line)
        if match is None and not _COMMENT.match(line):
            break
        found += match[1].split() if match else []
    return found


def comment_beside(analysis: Analysis, span: Span) -> str:
    """The remark at the end of the line."""
    lines = analysis.texts.get(absolute(span.path), "").split("\n")
    line = lines[span.line - 1] if span.line <= len(lines) else ""
    _, mark, text = line[span.end_column - 1 :].partition(" #")
    return text.strip() if mark else ""


def code_block(text: str) -> str:
    return f"```rulelang\n{text}\n```"


def _all_declared(program: tree.Program) -> Iterator[tree.Declared]:
    for group in (program.routines, program.actions, program.values, program.invariants):
        yield from group.values()
    yield from program.hooks
    yield from program.copies
