"""A code's manual page, as `rulelang explain CODE` prints it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """`title`: what is wrong, in a few words; `text`: what was expected and how to fix it; a bad and a good example."""

    code: str
    title: str
    text: str
    bad: str = ""
    good: str = ""
