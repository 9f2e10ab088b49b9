"""Codes of this room (names)."""

from __future__ import annotations

from rulelang.base.codes.declarations import DECLARATION_PAGES
from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (*DECLARATION_PAGES,)
