"""What the hints of mistakes come to, as edits: tried by the compiler before anybody is offered one (see `fixing`).

A mistake may carry edits. If it has none, `hinted` reads the hint; if that is not enough, there is a recipe by code in
`written`, `types`, `values`, `hooks`, `files` or `mods`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.recipes.files import FILES
from rulelang.apps.editor.recipes.hinted import hinted
from rulelang.apps.editor.recipes.hooks import HOOKS
from rulelang.apps.editor.recipes.mods import MODS
from rulelang.apps.editor.recipes.place import Edit as Edit
from rulelang.apps.editor.recipes.place import Place
from rulelang.apps.editor.recipes.place import Recipe as Recipe
from rulelang.apps.editor.recipes.types import TYPES
from rulelang.apps.editor.recipes.values import VALUES
from rulelang.apps.editor.recipes.written import WRITTEN
from rulelang.base.diagnostics import Diagnostic

_BY_CODE = (WRITTEN, TYPES, VALUES, HOOKS, FILES, MODS)


def _carried(place: Place) -> Iterator[Recipe]:
    """Yield the edits that the mistake carries, with what they make of the text between the first and the last."""
    groups = place.item.edits
    for edits in groups:
        (first, new), (last, end) = edits[0], edits[-1]
        text = place.rows[first.line - 1][first.end_column - 1 : last.column - 1]
        yield Recipe(f"Write `{new}{text}{end}`", edits, (), len(groups) > 1)


def recipes(analysis: Analysis, item: Diagnostic, rows: Sequence[str]) -> Iterator[Recipe]:
    """What may mend a mistake in these lines."""
    row = rows[item.span.line - 1]
    end = item.span.end_column - 1 if item.span.end_line == item.span.line else len(row)
    place = Place(analysis, item, rows, row, row[item.span.column - 1 : end])
    yield from _carried(place)
    yield from hinted(place)
    for group in _BY_CODE:
        if item.code in group:
            yield from group[item.code](place)
