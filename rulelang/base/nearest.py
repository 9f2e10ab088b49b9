"""The nearest known name to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like `word`, or None if none is like it. Ties go to the alphabetically first."""
    found = get_close_matches(word, sorted(set(known)), n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint `did you mean `x`?`, or the empty string."""
    name = nearest(word, known)
    return f"did you mean `{name}`?" if name else ""
