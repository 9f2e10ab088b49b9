"""What a rule of a report is called, and what its page says."""

from __future__ import annotations

from rulelang.base.codes import CODES

_SCENARIO = "what a scenario says did not come out"


def title(rule: str) -> str:
    """The title of a code's page."""
    page = CODES.get(rule)
    return page.title if page else _SCENARIO


def text(rule: str) -> str:
    """The page of a code, as Markdown."""
    page = CODES.get(rule)
    if page is None:
        return f"{_SCENARIO}. `rulelang test` shows the scenario, and what happened in it."
    parts = [page.text]
    for head, example in (("Not like this:", page.bad), ("But like this:", page.good)):
        if example:
            parts.append(f"{head}\n\n```\n{example.rstrip()}\n```")
    return "\n\n".join(parts)
