"""The index of names of a ruleset, rules and data together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.extra_rows import extra_rows
from rulelang.apps.editor.occurrences import Index, Occurrence, Thing
from rulelang.apps.editor.rule_names import in_checked, in_rules
from rulelang.apps.editor.yaml_names import in_files
from rulelang.base.source import Span


def index_of(analysis: Analysis) -> Index:
    """The occurrences of a ruleset, worked out once: those in scenarios with their test rows too."""
    analysis = analysis.of or analysis
    made = analysis.kept.get("index")
    if not isinstance(made, Index):
        made = Index()
        made.add(verified(in_rules(analysis), analysis))
        made.add(verified(in_files(analysis), analysis))
        found = (in_checked(one.analysis, one.heard) for one in extra_rows(analysis).found.values())
        made.add(verified(chain.from_iterable(found), analysis))
        analysis.kept["index"] = made
    return made


def verified(found: Iterable[Occurrence], analysis: Analysis) -> Iterator[Occurrence]:
    """Those whose name stands in the text at their place, each place once."""
    lines: dict[str, list[str]] = {}
    seen: set[tuple[Span, Thing]] = set()
    for item in found:
        span = item.span
        if (span, item.thing) in seen or span.line != span.end_line or not span.path:
            continue
        seen.add((span, item.thing))
        if span.path not in lines:
            lines[span.path] = analysis.texts.get(absolute(span.path), "").split("\n")
        rows = lines[span.path]
        word = rows[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(rows) else ""
        if word.casefold() == item.thing.short.casefold():  # as scenarios are read
            yield item
