"""The one table of diagnostic codes, joined from a module for each group of codes.

Y1xx data files (YAML, CSV, schema, manifest, mods) · S2xx syntax of the rules · N3xx names and declarations ·
N4xx catalogues of languages ·
T4xx types, owners, arities · W5xx hooks and patches · X6xx run time · C7xx scenarios and coverage.
"""

from __future__ import annotations

from rulelang.base.codes.data import CARD_DATA_PAGES, DATA_PAGES
from rulelang.base.codes.names import LANGUAGE_PAGES, NAME_PAGES
from rulelang.base.codes.play import RUNTIME_PAGES, SCENARIO_PAGES
from rulelang.base.codes.rules import HOOK_PAGES, SYNTAX_PAGES, TYPE_PAGES
from rulelang.base.diagnostics import Page

#: By the beginning of their codes.
PAGES: tuple[tuple[str, tuple[Page, ...]], ...] = (
    ("Y1", DATA_PAGES),
    ("Y1", CARD_DATA_PAGES),
    ("S2", SYNTAX_PAGES),
    ("N3", NAME_PAGES),
    ("N4", LANGUAGE_PAGES),
    ("T4", TYPE_PAGES),
    ("W5", HOOK_PAGES),
    ("X6", RUNTIME_PAGES),
    ("C7", SCENARIO_PAGES),
)
CODES: dict[str, Page] = {page.code: page for _, pages in PAGES for page in pages}

__all__ = ["CODES", "PAGES", "Page"]
