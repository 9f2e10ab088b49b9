"""Mistakes as editors show them: with the words of `check`, a link to the code's page, and the related places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from lsprotocol import types as lsp

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.places import Places, uri_of
from rulelang.base.diagnostics import Diagnostic
from rulelang.data.folders import docs_dir

#: What is said of a mistake with a hint that no editor can carry out.
IN_A_WORKBOOK = (
    "\nthis cell is in a workbook, which a text editor cannot change: edit it there. "
    "For CSV tables, the editor offers fixes (`rulelang cards GAME export --to csv`)"
)
_HEADING = re.compile(r"^##+ ([A-Z]\d{3})\b.*$", re.MULTILINE)


def by_file(items: Iterable[Diagnostic], places: Places) -> dict[str, list[lsp.Diagnostic]]:
    """By URI, what is to be shown in each file, each once."""
    found: dict[str, list[lsp.Diagnostic]] = {}
    for item in dict.fromkeys(items):
        if item.span.path:
            found.setdefault(uri_of(item.span.file), []).append(shown(item, places))
    return found


def shown(item: Diagnostic, places: Places) -> lsp.Diagnostic:
    """One mistake. What spans several lines is marked on the first."""
    within = f"{item.span.within}: " if item.span.within else ""
    span = item.span
    if span.line != span.end_line and not span.is_cell:
        lines = places.lines(absolute(span.file))
        end = len(lines[span.line - 1]) + 1 if span.line <= len(lines) else span.column
        span = span._replace(end_line=span.line, end_column=max(end, span.column + 1))
    return lsp.Diagnostic(
        places.range(span),
        within + words(item) + (IN_A_WORKBOOK if span.is_cell and item.hint else ""),
        lsp.DiagnosticSeverity.Error if item.severity == "error" else lsp.DiagnosticSeverity.Warning,
        item.code,
        _page(item.code),
        "rulelang",
        related_information=[
            lsp.DiagnosticRelatedInformation(places.location(related.span), related.note)
            for related in item.related
            if related.span.path
        ],
    )


def words(item: Diagnostic) -> str:
    """What is wrong, why, and what helps, as frames say it."""
    notes = [f"{word}: {text}" for word, text in (("because", item.because), ("hint", item.hint)) if text]
    return "\n".join((item.message, *notes))


def _page(code: str) -> lsp.CodeDescription | None:
    """Where the reference tells more of a code."""
    address = _pages().get(code)
    return lsp.CodeDescription(address) if address else None


@cache
def _pages() -> dict[str, str]:
    """By code, the address of its heading."""
    found = {}
    for file in (docs_dir() / "reference" / name for name in ("diagnostics.md", "lint.md")):
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        for heading in _HEADING.finditer(text):
            anchor = re.sub(r"[^\w\- ]", "", heading[0].lstrip("# ").lower()).replace(" ", "-")
            found[heading[1]] = f"{file.as_uri()}#{anchor}"
    return found
