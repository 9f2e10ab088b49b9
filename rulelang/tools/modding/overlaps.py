"""Changes of rules by several mods that overlap: what a later one replaced, and what remains of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.base.source import Span
from rulelang.language.semantics import tree


def lost(change: tree.RuleChange, changes: Sequence[tree.RuleChange]) -> bool:
    """Return whether a later layer replaced or removed all that a change did."""
    return any(other.layer > change.layer and other.before is not None and _takes(other, change) for other in changes)


def overlapping(changes: Sequence[tree.RuleChange]) -> Iterator[list[tree.RuleChange]]:
    """Group the changes that meet in one place, each group in the order of the layers."""
    groups: list[list[tree.RuleChange]] = []
    for change in sorted(changes, key=lambda c: c.layer):
        met = [group for group in groups if any(_meet(change, other) for other in group)]
        groups = [group for group in groups if group not in met]
        groups.append([*(other for group in met for other in group), change])
    for group in groups:
        yield sorted(group, key=lambda c: c.layer)


def _meet(later: tree.RuleChange, earlier: tree.RuleChange) -> bool:
    if later.place == earlier.place:
        return True
    written_there = earlier.after is not None and later.before is not None and _in(later.before, earlier.after)
    return written_there or _takes(later, earlier)


def _takes(later: tree.RuleChange, earlier: tree.RuleChange) -> bool:
    """Whether a change takes away what an earlier one changed or wrote."""
    if later.before is None:
        return False
    if later.verb != "insert" and earlier.place.startswith(f"{later.place}."):
        return True
    return _in(earlier.declared, later.before) or (earlier.after is not None and _in(earlier.after, later.before))


def _in(inner: Span, outer: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return (
        outer.path == inner.path and begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )
