"""Where something is declared, where it is used, and what hooks it."""

from __future__ import annotations

from rulelang.apps.editor.about import about, declared, of_words
from rulelang.apps.editor.analysis import Analysis, in_all_modes
from rulelang.apps.editor.completing_yaml import described
from rulelang.apps.editor.extra_rows import seen_at
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.occurrences import Occurrence, Thing
from rulelang.apps.editor.texts import in_rules, rules_at, word_at
from rulelang.base.source import Span
from rulelang.language.semantics.builtins.forms import entries_for_word


def named_at(analysis: Analysis, path: str, line: int, column: int) -> Occurrence | None:
    return index_of(analysis).at(path, line, column)


def hover(analysis: Analysis, path: str, line: int, column: int) -> tuple[str, Span] | None:
    """What is to be said of the word at a place, as Markdown, and the place of the word."""
    found = named_at(analysis, path, line, column)
    analysis = seen_at(analysis, path, line)
    if found is not None:
        return about(analysis, found), found.span
    if path.endswith((".yaml", ".yml")) and rules_at(analysis, path, line) is None:
        return described(analysis, path, analysis.texts.get(path, ""), line, column)
    word = rules_word(analysis, path, line, column)
    known = entries_for_word(word[0]) if word is not None else ()
    if word is None or not known:
        return None
    return "\n\n".join(of_words(known)), word[1]


def rules_word(analysis: Analysis, path: str, line: int, column: int) -> tuple[str, Span] | None:
    """The word at a place, if that stands in rules: what the language itself says."""
    if not in_rules(seen_at(analysis, path, line), path, line, column):
        return None
    return word_at(analysis.texts.get(path, ""), path, line, column)


def definition(analysis: Analysis, path: str, line: int, column: int) -> list[Span]:
    """Find where the thing that is named at a place is declared; a space of a grid with its grid."""
    found = named_at(analysis, path, line, column)
    if found is None:
        return []
    space = found.thing.what == "row" and found.thing.of in analysis.model.grids
    thing = Thing("grid", found.thing.of) if space else found.thing
    return [item.span for item in index_of(analysis).declarations(thing)]


def references(
    analysis: Analysis, path: str, line: int, column: int, *, declarations: bool, modes: bool = True
) -> list[Span]:
    """All places of what is named at a place. `modes`: those too that stand in files that only other modes read."""
    found = named_at(analysis, path, line, column)
    if found is None:
        return []
    ways = in_all_modes(analysis) if modes else (analysis,)
    items = [item for way in ways for item in index_of(way).uses(found.thing)]
    return sorted({item.span for item in items if declarations or not item.declares})


def hooks_of(analysis: Analysis, thing: Thing) -> list[Span]:
    """The hooks of a value, routine, phase or action."""
    item = declared(analysis, thing)
    return [hook.span for hook in analysis.program.hooks if item is not None and hook.pattern.event == item.id]
