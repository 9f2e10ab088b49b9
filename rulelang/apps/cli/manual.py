"""All manual pages, whoever wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.base.codes import Page


def all_pages() -> dict[str, Page]:
    """The pages of all diagnostics, and of what `rulelang lint` remarks."""
    from rulelang.base.codes import CODES
    from rulelang.tools.lint.run import PAGES

    return {**CODES, **PAGES}
