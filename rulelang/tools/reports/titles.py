"""What a rule of a report is called, and what its page says."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.base.codes import Page

_SCENARIO = "a scenario failed"


def title(rule: str, pages: Mapping[str, Page]) -> str:
    """The title of a code's page."""
    page = pages.get(rule)
    return page.title if page else _SCENARIO


def text(rule: str, pages: Mapping[str, Page]) -> str:
    """The page of a code, as Markdown."""
    page = pages.get(rule)
    if page is None:
        return f"{_SCENARIO}. `rulelang test` shows the scenario, and what happened in it."
    parts = [page.text]
    for head, example in (("Incorrect:", page.bad), ("Correct:", page.good)):
        if example:
            parts.append(f"{head}\n\n```\n{example.rstrip()}\n```")
    return "\n\n".join(parts)
