"""A game as what it says: every value of its data and every rule, each with its text and place, whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.data.patches import ROW_SECTIONS, Rename, rename_in_map
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, is_blank
from rulelang.language.semantics.tree import Origin
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import rename_in_syntax as in_other_words
from rulelang.language.syntax.printer import print_declaration

#: Keys of traits and rows that are no data: their rules are looked at as rules, and scenarios are tests.
NON_DATA_KEYS = ("rules", "scenarios")
#: What a declaration is called that others may name, in the order in which a difference tells of them.
NAMED_SECTIONS = ("game", "phase", "action", "routine", "value", "invariant")
HOOK_SECTIONS = ("modify", "forbid", "ignore", "hook", "copy cards")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row without a name."""

    column: str
    text: str
    span: Span
    layer: int


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a game says: its section, what it is called there, its text, where it stands, and its layer.

    `cells`: of a row without a name, by which it is known again.
    """

    section: str
    name: str
    text: str
    span: Span
    layer: int
    cells: tuple[Cell, ...] = ()


def data_facts(compilation: Compilation, renames: Sequence[Rename] = ()) -> Iterator[Fact]:
    """Every leaf of the merged data, by its path, in the words that `renames` give it; a row without a name is one
    fact."""
    source = compilation.source
    names = {rename.old: rename.new for rename in renames}
    traits = {names.get(trait.id, trait.id) for trait in source.traits}
    for section, node in rename_in_map(source.tree, renames).items:
        if isinstance(node, YamlMap) and section.text == "traits":  # what the traits may say, not the traits
            node = YamlMap(tuple(item for item in node.items if item[0].text not in traits), node.span, node.layer)
        yield from _leaf_facts(section.text, (), section, node)
    for trait in source.traits:
        key, name = trait.node.key("trait"), names.get(trait.id, trait.id)
        kept = tuple(
            item for item in rename_in_map(trait.node, renames).items if item[0].text not in (*NON_DATA_KEYS, "trait")
        )
        yield Fact("traits", name, "", key.span if key else trait.span, trait.layer)
        yield from _leaf_facts("traits", (name,), trait.node.items[0][0], YamlMap(kept, trait.node.span, trait.layer))


def _leaf_facts(section: str, path: tuple[str, ...], key: YamlScalar, node: YamlNode) -> Iterator[Fact]:
    rows = section in ROW_SECTIONS and len(path) == 2 and path[1] == "rows"
    if isinstance(node, YamlMap):
        nameless = 0
        for inner, value in node.items:
            if inner.text in NON_DATA_KEYS:
                continue
            if rows and not inner.text:
                nameless += 1
                cells = tuple(_row_cells(value))
                text = ", ".join(f"{cell.column}: {cell.text}" for cell in cells)
                yield Fact(section, f"{path[0]} row {nameless}", text, value.span, value.layer, cells)
                continue
            if rows or (len(path) == 0 and isinstance(value, YamlMap)):
                yield Fact(section, _patch_path((*path, inner.text)), "", inner.span, inner.layer)
            yield from _leaf_facts(section, (*path, inner.text), inner, value)
    elif not is_blank(node):
        whole = not isinstance(node, YamlScalar) and node.layer == key.layer
        span = key.span if whole else node.span
        yield Fact(section, _patch_path(path) or section, yaml_line(node.plain()), span, node.layer)


def _row_cells(row: YamlNode) -> Iterator[Cell]:
    for key, value in row.items if isinstance(row, YamlMap) else ():
        if key.text not in NON_DATA_KEYS and not is_blank(value):
            yield Cell(key.text, yaml_line(value.plain()), value.span, value.layer)


def _patch_path(path: Sequence[str]) -> str:
    """A path as patches write it: `rows` may be left out."""
    return ".".join(part for number, part in enumerate(path) if not (number == 1 and part == "rows"))


def yaml_line(value: Any) -> str:
    """A value of YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {yaml_line(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(yaml_line, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value).strip()


def rule_facts(compilation: Compilation, renames: Sequence[Rename] = ()) -> Iterator[Fact]:
    """Every declaration in the form in which it is in force, and every hook, in canonical text and in the words that
    `renames` give them."""
    replaced: dict[tuple[str, str, str], tuple[Origin, nodes.Replace]] = {}
    declared: list[tuple[Origin, nodes.Decl]] = []
    patched: list[tuple[Origin, nodes.Patched]] = []
    for origin, declarations in compilation.trees:
        for node in declarations:
            for rename in renames:
                node = in_other_words(node, rename.old, rename.new)
            if isinstance(node, nodes.Patched):  # its work is done where the others stand
                patched.append((origin, node))
                continue
            if isinstance(node, nodes.Replace):
                key = ("core", "", node.target.name)
                if key not in replaced or replaced[key][0].layer <= origin.layer:
                    replaced[key] = (origin, node)
            else:
                declared.append((origin, node))
    patched.sort(key=lambda item: item[0].layer)
    for origin, node in declared:
        section = section_of(node)
        if section in HOOK_SECTIONS:
            yield Fact(section, owner_of(compilation, origin), declaration_text(node), node.span, origin.layer)
            continue
        name = getattr(node, "name", "game")
        by = replaced.get((origin.what, origin.name, name))
        body, layer = (by[1].target, by[0].layer) if by is not None else (node, origin.layer)
        whose = owner_of(compilation, origin)
        # Who changed a part of it has the last word.
        whole = by[1] if by is not None else node
        last = next((item for item in reversed(patched) if covers(whole.span, item[1].declared)), None)
        span, layer = (last[1].span, last[0].layer) if last is not None else (body.span, layer)
        yield Fact(section, f"{whose}: {name}" if whose else name, declaration_text(body), span, layer)


def covers(whole: Span, part: Span) -> bool:
    """Whether a stretch of a file lies in another."""
    return whole.path == part.path and whole.line <= part.line <= part.end_line <= whole.end_line


def section_of(node: nodes.Decl) -> str:
    """What a declaration is: `value`, `modify`, ...; every trigger is a `hook`."""
    if isinstance(node, nodes.Trigger):
        return "hook"
    return "copy cards" if isinstance(node, nodes.CopyCards) else type(node).__name__.lower()


def owner_of(compilation: Compilation, origin: Origin) -> str:
    """Who brings a rule: a trait or row; nothing for the rules of the game or of a mod."""
    if origin.what == "core":
        return ""
    if origin.what == "trait":
        return f"trait {origin.name}"
    listing = compilation.model.lists.get(origin.name) or compilation.model.sorts.get(origin.name)
    names = [row.name for row in listing.rows if row.number == origin.row] if listing else []
    return f"{origin.name} {names[0] if names and names[0] else origin.row}"


def declaration_text(node: nodes.Decl) -> str:
    return print_declaration(node).rstrip("\n")
