"""What generated programs call: a mark, distinct items, trials, and run-time diagnostics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NoReturn

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.backends.errors import out_of_range, over_budget

#: The host of a playout from a paused game: decisions are taken at random. False, so nothing is told to it.
A_ = ()


def distinct_(S: list[int], zone: int, table: Sequence[int]) -> list[int]:
    """Of the items in an array zone those whose table entries did not come before, in order.

    An address that is no zone (its enumerator will not use the list) gives any list.
    """
    items = S[zone + 1 : zone + 1 + S[zone]]
    if len(items) < 2:
        return items
    try:
        looks = [*map(table.__getitem__, items)]
    except IndexError:
        return []
    if len(set(looks)) == len(looks):
        return items
    seen: dict[int, int] = {}
    for look, item in zip(looks, items, strict=True):
        if look not in seen:
            seen[look] = item
    return list(seen.values())


def alike_(table: Sequence[int]) -> tuple[frozenset[int], ...]:
    """By item all those that have the same entry."""
    found: dict[int, list[int]] = {}
    for item, look in enumerate(table):
        found.setdefault(look, []).append(item)
    sets = {look: frozenset(items) for look, items in found.items()}
    return tuple([sets[look] for look in table])


def trial_(routine: Callable[..., object], S: list[int], *args: int) -> int:
    """1 if the routine runs on a copy of the state without being refused."""
    try:
        routine(S[:], *args)
    except EnsureFailed:
        return 0
    return 1


def blame_trial_(
    B: list[Any], more: Callable[..., object] | None, routine: Callable[..., object], S: list[int], *args: int
) -> None:
    """Notes the reason for which the routine is refused on a copy of the state, if it is, and its details."""
    copy = S[:]
    try:
        routine(copy, *args)
    except EnsureFailed as refused:
        B.append((refused.reason, refused.values))
        if more is not None:
            more(copy, B, refused.reason, *refused.values)


class RuntimeErrors:
    """Raises the diagnostics of one program. The generated source makes one from its own tables.

    `spans`: the author's lines. `fails`: (code, span, message). `ranges`: (what, low, high, span). `titles`: by the
    name of a generated function, how errors name it. `points`: by pc, the name of the function that pauses there.
    `lines`: generated line -> number in `spans`.
    """

    def __init__(
        self,
        spans: Sequence[tuple[str, int, int, int, int]],
        fails: list[tuple[str, int, str]],
        ranges: list[tuple[str, int | None, int | None, int]],
        titles: dict[str, str],
        points: Sequence[str],
        lines: dict[int, int],
    ) -> None:
        self.spans = [Span(*span) for span in spans]
        self.fails, self.ranges, self.titles, self.points = fails, ranges, titles, points
        self.lines = lines

    def fail(self, number: int, *args: int) -> NoReturn:
        code, span, message = self.fails[number]
        raise RuleError(Diagnostic(code, self.spans[span], message.format(*args)))

    def range(self, number: int, value: int) -> NoReturn:
        what, low, high, span = self.ranges[number]
        raise out_of_range(what, low, high, self.spans[span], value)

    def steps(self, span: int) -> NoReturn:
        raise over_budget("X605", self.spans[span], self.running(sys._getframe(1)))

    def depth(self, span: int) -> NoReturn:
        raise over_budget("X606", self.spans[span], self.running(sys._getframe(1)))

    def recursion(self, error: RecursionError, path: str) -> NoReturn:
        """The host's own stack ran out: as `depth`, at the line where the cycle starts."""
        trace, frame = error.__traceback__, None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                frame = trace.tb_frame
            trace = trace.tb_next
        raise over_budget("X606", self.line(frame), self.running(frame)) from None

    def line(self, frame: FrameType | None) -> Span:
        number = None if frame is None else self.lines.get(frame.f_lineno)
        return NOWHERE if number is None else self.spans[number]

    def stack(self, span: int) -> NoReturn:
        raise over_budget("X608", self.spans[span], self.running(sys._getframe(1)))

    def running(self, frame: FrameType | None) -> list[str]:
        """Titles of the routines that are at work, the innermost first; also those that wait in the state's frames."""
        found: list[str] = []
        outer: dict[str, Any] = {}
        while frame is not None:
            title = self.titles.get(frame.f_code.co_name)
            if title is not None:
                found.append(title)
                if "sp" in frame.f_locals:
                    outer = frame.f_locals
            frame = frame.f_back
        if outer and outer["pc"] != 0:  # resumed: who called it waits in the state
            S, sp = outer["S"], outer["S"][outer["sp"] + 1]
            while sp and len(found) < 10_000:
                found.append(self.titles.get(self.points[S[sp]], "?"))
                sp = S[sp + 1]
        return found
