"""Codes of names and declarations."""

from __future__ import annotations

from rulelang.base.codes.declarations import DECLARATION_PAGES
from rulelang.base.codes.page import Page
from rulelang.base.codes.rule_names import RULE_NAME_PAGES

PAGES: tuple[Page, ...] = (*DECLARATION_PAGES, *RULE_NAME_PAGES)
