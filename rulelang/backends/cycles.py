"""Rules that call each other without end, in words."""

from __future__ import annotations


def describe_cycle(titles: list[str]) -> str:
    """The cycle that the innermost routine stands in, or where it stands: `a → b → a`."""
    if not titles:
        return ""
    inner, *outer = titles
    if inner not in outer:
        return f"it was in: {' → '.join(reversed(titles[:8]))}"
    end = outer.index(inner) + 1
    return f"they go round: {' → '.join(reversed(titles[: end + 1]))}"
