"""The table of all diagnostic codes, joined from one file for each area.

Y1xx data files (YAML, CSV, schema, manifest, mods) · S2xx syntax of the rules · N3xx names and declarations ·
N4xx translation catalogs ·
T4xx types, owners, arities · W5xx hooks and patches · X6xx run time · C7xx scenarios and coverage.
"""

from __future__ import annotations

from rulelang.base.codes import card_data, data, hooks, languages, names, runtime, scenarios, syntax, types
from rulelang.base.codes.page import Page

CODES: dict[str, Page] = {
    page.code: page
    for module in (data, card_data, syntax, names, languages, types, hooks, runtime, scenarios)
    for page in module.PAGES
}

__all__ = ["CODES", "Page"]
