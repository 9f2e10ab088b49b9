"""Offer quick fixes and refactorings; the compiler tries each fix first."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulelang.apps.editor.analysis import Analysis, absolute, analyse
from rulelang.apps.editor.data_recipes import FILE_RECIPES, VALUE_RECIPES
from rulelang.apps.editor.hook_recipes import HOOK_RECIPES, MOD_RECIPES
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.recipes import Edit, MistakePlace, Recipe, hint_recipes
from rulelang.apps.editor.rule_names import TypeListener
from rulelang.apps.editor.rule_recipes import TEXT_RECIPES, TYPE_RECIPES
from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.source import Span
from rulelang.data.folders import with_unsaved_texts
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS
from rulelang.language.semantics.check.program import check_program
from rulelang.language.semantics.tree import free_locals
from rulelang.language.syntax import nodes
from rulelang.tools.lint.rule import Fix as LintFix
from rulelang.tools.lint.run import lint

# ---- Recipes for a mistake

RECIPES_BY_CODE = (TEXT_RECIPES, TYPE_RECIPES, VALUE_RECIPES, HOOK_RECIPES, FILE_RECIPES, MOD_RECIPES)


def _carried_edits(place: MistakePlace) -> Iterator[Recipe]:
    """Yield the edits that the mistake carries, with what they make of the text between the first and the last."""
    groups = place.item.edits
    for edits in groups:
        (first, new), (last, end) = edits[0], edits[-1]
        text = place.rows[first.line - 1][first.end_column - 1 : last.column - 1]
        yield Recipe(f"Write `{new}{text}{end}`", edits, (), len(groups) > 1)


def recipes_for(analysis: Analysis, item: Diagnostic, rows: Sequence[str]) -> Iterator[Recipe]:
    """What may mend a mistake in these lines."""
    row = rows[item.span.line - 1]
    end = item.span.end_column - 1 if item.span.end_line == item.span.line else len(row)
    place = MistakePlace(analysis, item, rows, row, row[item.span.column - 1 : end])
    yield from _carried_edits(place)
    yield from hint_recipes(place)
    for group in RECIPES_BY_CODE:
        if item.code in group:
            yield from group[item.code](place)


# ---- Fixes

_NO_FILE = re.compile(r"there is no file `([^`]+)`")
_NO_TRAIT = re.compile(r"(?:nothing is called|there is no trait) `([A-Za-z_]\w*)`")
MOST_TRIES = 6
#: What could not be read was asked nothing else: more may be wrong in it, as soon as these are mended.
_UNREAD = ("S", "Y123", "Y170", "Y173", "Y176")


@dataclass(frozen=True, slots=True)
class Fix:
    """`edits`: texts for places, an empty place to insert; `creates`: new files by absolute path.
    `of`: the mistake that it mends; `other`: it is one of several things that may be meant."""

    title: str
    edits: tuple[Edit, ...] = ()
    creates: tuple[tuple[str, str], ...] = ()
    of: Diagnostic | None = None
    other: bool = False


def edited_text(text: str, edits: Iterable[Edit]) -> str:
    """A text with the edits in it."""
    lines = text.split("\n")
    for span, new in sorted(edits, reverse=True):
        first = lines[span.line - 1] if span.line <= len(lines) else ""
        last = lines[span.end_line - 1] if span.end_line <= len(lines) else ""
        lines[span.line - 1 : span.end_line] = [first[: span.column - 1] + new + last[span.end_column - 1 :]]
    return "\n".join(lines)


def analysis_after_fix(analysis: Analysis, fix: Fix) -> tuple[Analysis | None, tuple[Diagnostic, ...]]:
    """What comes of a ruleset when it is mended so."""
    held = dict(analysis.held)
    by_path: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_path.setdefault(absolute(edit[0].path), []).append(edit)
    for path, edits in by_path.items():
        held[path] = edited_text(analysis.texts.get(path, ""), edits).encode("utf-8", "surrogatepass")
    held |= {path: text.encode() for path, text in fix.creates}
    made, found, _ = analyse(analysis.where, analysis.compilation.mode, held)
    return made, found


def working_fixes(analysis: Analysis, items: Iterable[Diagnostic]) -> Iterator[Fix]:
    """What mends some mistakes: only what does, and brings no other; of one mistake the first, and those that are
    beside it where several things may be meant."""
    for item in list(items)[:MOST_TRIES]:
        found = 0
        for fix in _possible_fixes(analysis, item):
            if (found == 0 or (fix.other and found < MOST_TRIES)) and _fixes_cleanly(analysis, item, fix):
                found += 1
                yield fix


def _fixes_cleanly(analysis: Analysis, item: Diagnostic, fix: Fix) -> bool:
    made, found = analysis_after_fix(analysis, fix)
    beyond = item not in analysis.diagnostics  # but in a scenario
    now = [*found, *(made.beyond() if beyond and made is not None else ())]
    before = [*analysis.diagnostics, *(analysis.beyond() if beyond else ())]
    same = any((other.code, other.message, other.span) == (item.code, item.message, item.span) for other in now)
    alike = next((code for code in _UNREAD if item.code.startswith(code)), "")
    now, before = ([one for one in some if one.code.startswith(alike)] for some in (now, before))
    return not same and _error_weight(now) < _error_weight(before)


def _error_weight(items: Iterable[Diagnostic]) -> int:
    return sum(1 if item.severity == "warning" else 1_000 for item in items)


def _possible_fixes(analysis: Analysis, item: Diagnostic) -> Iterator[Fix]:
    """What may mend a mistake, in the order in which it is tried."""
    rows = analysis.texts.get(absolute(item.span.path), "").split("\n")
    if not item.span.is_cell and 0 < item.span.line <= len(rows):
        for recipe in recipes_for(analysis, item, rows):
            yield Fix(recipe.title, recipe.edits, recipe.creates, item, recipe.other)
    missing = _NO_FILE.search(item.message)
    if missing is not None:
        yield from _new_file_fixes(analysis, item, missing[1])
    trait = _NO_TRAIT.search(item.message)
    if trait is not None and analysis.model.traits and "trait" in f"{item.message} {item.because}":
        yield from _new_trait_fixes(analysis, item, trait[1])


def _new_file_fixes(analysis: Analysis, item: Diagnostic, name: str) -> Iterator[Fix]:
    path = os.path.join(os.path.dirname(absolute(item.span.path)), *name.split("/"))
    stem = os.path.splitext(os.path.basename(name))[0]
    if name.endswith(".rules"):
        yield Fix(f"Create {name}", (), ((path, f"# {stem}\n"),), item)
    elif name.endswith((".yaml", ".yml")):
        made = new_trait_text(stem) if "traits" in name.split("/") else f"# {stem}\nnumbers: {{}}\n"
        yield Fix(f"Create {name}", (), ((path, made),), item)


def _new_trait_fixes(analysis: Analysis, item: Diagnostic, name: str) -> Iterator[Fix]:
    own = [trait.path for trait in analysis.source.traits if analysis.owns(trait.span)]
    folder = os.path.dirname(absolute(own[0])) if own else os.path.join(absolute(analysis.where), "traits")
    yield Fix(
        f"Create the trait `{name}`", (), ((os.path.join(folder, f"{name}.yaml"), new_trait_text(name)),), item, True
    )


def new_trait_text(name: str) -> str:
    """A trait to begin with."""
    title = name.replace("_", " ").capitalize()
    return f"trait: {name}\nname: {{en: {title}}}\ntext: {{en: What it does.}}\n"


# ---- what is begun at a place


def new_item_fixes(analysis: Analysis, path: str, text: str, line: int, column: int) -> Iterator[Fix]:
    """A numbered rule that is cited and not there; a scenario for the file at hand."""
    named = index_of(analysis).at(path, line, column)
    if named is not None and named.thing.what == "rule" and named.thing.name not in analysis.rules:
        yield from _new_rule_fix(analysis, named.thing.name)
    if path.endswith((".yaml", ".yml")):
        yield from _new_scenario_fix(path, text)


def _new_rule_fix(analysis: Analysis, name: str) -> Iterator[Fix]:
    """Below the last rule of the document that has most of the rules."""
    paths = [rule.span.path for rule in analysis.rules.values() if rule.ruleset == analysis.source.id]
    if not paths:
        return
    path = max(sorted(set(paths)), key=paths.count)
    last = max((rule.span for rule in analysis.rules.values() if rule.span.path == path), key=lambda span: span.line)
    rows = analysis.texts[absolute(path)].split("\n")
    end = last.line
    while end < len(rows) and rows[end][: last.column].isspace() and rows[end].strip():
        end += 1
    indent = " " * (last.column - 1)
    place = Span(path, end, len(rows[end - 1]) + 1, end, len(rows[end - 1]) + 1)
    said = f"\n{indent}{name}:\n{indent}  text: What the rulebook says, in your own words."
    yield Fix(f"Add the numbered rule `{name}`", ((place, said),))


def _new_scenario_fix(path: str, text: str) -> Iterator[Fix]:
    """At the end of the scenarios of a file; of a trait's file that has none yet, below it."""
    root = read_yaml_text(text, path, Diagnostics()).root
    if not isinstance(root, YamlMap):
        return
    key, node = root.key("scenarios"), root.get("scenarios")
    rows = text.rstrip("\n").split("\n")
    indent, head = "  ", ""
    if key is None:
        if root.get("trait") is None:
            return
        head = "\nscenarios:"
    elif node is not None and not isinstance(node, YamlScalar) and key is root.items[-1][0]:
        dash = next((row for row in rows[key.span.line :] if row.lstrip().startswith("- ")), "  - ")
        indent = dash[: len(dash) - len(dash.lstrip())]
    else:
        return
    body = ("- name: what it shows", "  given: {players: {ana: [], bob: []}}", "  when: []", "  then: []")
    said = head + "".join(f"\n{indent}{row}" for row in body)
    end = len(rows)
    place = Span(path, end, len(rows[-1]) + 1, end, len(rows[-1]) + 1)
    yield Fix("Add a scenario", ((place, said),))


# ---- lint


def lint_fixes(analysis: Analysis, path: str) -> Fix | None:
    """What `rulelang lint --fix` mends in a file."""
    with with_unsaved_texts(analysis.held):
        found = lint(analysis.where, (), analysis.compilation.mode)
    fixes: list[LintFix] = [item.fix for item in found.advice if item.fix is not None]
    edits: list[Edit] = []
    for fix in fixes:
        here = [edit for edit in fix.edits if absolute(edit[0].path) == path]
        clash = any(_overlap(span, other) for span, _ in here for other, _ in edits)
        if here and len(here) == len(fix.edits) and not clash:
            edits += here
    return Fix("Fix all that lint can fix", tuple(edits)) if edits else None


def _overlap(a: Span, b: Span) -> bool:
    return a.line == b.line and a.column < b.end_column and b.column < a.end_column


# ---- Extraction of a `value`

_EXTRACTED_TYPES = ("int", "bool", "order", "ref")


def extract_value(analysis: Analysis, path: str, chosen: Span) -> Fix | None:
    """The value for an expression that is chosen wholly; None where no expression is, or the value would not do."""
    heard = TypeListener()
    check_program(analysis.model, analysis.trees, analysis.source, form=heard.form)
    found = [
        (node, typed)
        for node, typed, _ in heard.met.values()
        if absolute(node.span.path) == path and node.span[1:] == chosen[1:] and typed.type.tag in _EXTRACTED_TYPES
    ]
    owner = next(
        (
            node
            for _, declarations in analysis.trees
            for node in declarations
            if absolute(node.span.path) == path and not isinstance(node, nodes.Patched) and _contains(node.span, chosen)
        ),
        None,
    )
    if not found or owner is None or isinstance(found[0][0], nodes.Name | nodes.Number | nodes.Bool):
        return None
    typed = found[0][1]
    rows = analysis.texts[path].split("\n")
    text = rows[chosen.line - 1][chosen.column - 1 : chosen.end_column - 1] if chosen.line == chosen.end_line else ""
    if not text or typed.type.name.startswith("option "):
        return None
    name = _free_name(analysis)
    locals_ = [local for local in free_locals(typed) if not (local.text in BEARERS and local.name == local.text)]
    params = ", ".join(f"{_type_text(local)} {local.text}" for local in locals_)
    call = name + (f"({', '.join(local.text for local in locals_)})" if locals_ else "")
    head = f"value {name}({params})" if locals_ else f"value {name}"
    indent = " " * (owner.span.column - 1)
    last = owner.span.end_line - (1 if not rows[owner.span.end_line - 1][: owner.span.end_column - 1].strip() else 0)
    end = Span(chosen.path, last, len(rows[last - 1]) + 1, last, len(rows[last - 1]) + 1)
    said = f"\n\n{indent}{head} -> {typed.type}: {text}"
    fix = Fix("Extract a value", ((chosen, call), (end, said)))
    made, found_after = analysis_after_fix(analysis, fix)
    worse = sum(item.severity == "error" for item in found_after) > sum(
        item.severity == "error" for item in analysis.diagnostics
    )
    return None if made is None or worse else fix


def _type_text(local: tree.Local) -> str:
    return str(local.type)


def _contains(outer: Span, inner: Span) -> bool:
    return outer[1:3] <= inner[1:3] and inner[3:] <= outer[3:]


def _free_name(analysis: Analysis) -> str:
    taken = {signature.name for signature in analysis.symbols.signatures.values()}
    return next(name for n in range(1, 1000) if (name := f"new_value{'' if n == 1 else n}") not in taken)
