"""What a measurement comes to: a number beside its target, or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

#: Two rates are comparable only if both sides ask about the same questions in a game: by so much they may differ, and
#: by three standard errors where games are few (the decisions of games are spread by about a sixth of their mean).
SAME_GAME, SPREAD = 0.02, 1 / 6


class Unmeasured(Exception):
    """The thing to be timed did not do what it should; its text says what happened instead."""


class Skipped(Exception):
    """What a measurement needs is not on this machine; its text says what. That is no failure."""


def same_game(ours: float, theirs: float, games: int) -> bool:
    """Whether so many decisions a game, means of so many games on each side, may be those of one game."""
    return abs(ours / theirs - 1) <= max(SAME_GAME, 3 * SPREAD * math.sqrt(2 / games))


@dataclass(frozen=True, slots=True)
class Target:
    """A figure: its name, its unit and, if it is promised, the bound, and on which side of the bound it has to lie."""

    name: str
    unit: str
    bound: float | None = None
    side: Literal["at least", "less than"] = "at least"

    def met_by(self, value: float) -> bool:
        if self.bound is None:
            return True
        return value >= self.bound if self.side == "at least" else value < self.bound

    @property
    def text(self) -> str:
        return "" if self.bound is None else f"{self.side} {self.bound:.3g} {self.unit}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A target and what was found. `value` is None if it could not be measured, or `skipped`; `note` then says why."""

    target: Target
    value: float | None
    note: str = ""
    skipped: bool = False

    @property
    def passed(self) -> bool:
        return self.skipped or (self.value is not None and self.target.met_by(self.value))

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "skipped" if self.skipped else "not measured"
        if self.target.bound is None:
            return ""
        return "pass" if self.passed else "FAIL"

    def as_json(self) -> dict[str, object]:
        bound = self.target.bound
        return {
            "name": self.target.name,
            "value": self.value,
            "unit": self.target.unit,
            "target": None if bound is None else {"side": self.target.side, "bound": bound},
            "passed": self.passed,
            "skipped": self.skipped,
            "note": self.note,
        }


def of_children() -> float:
    """Seconds of the processor of all processes that this one has started and that have ended; 0 if unknown."""
    try:
        import resource
    except ImportError:
        return 0.0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(figures: list[Figure]) -> str:
    """The figures as lines of text in columns, each note on a line below its figure."""
    rows = [("", "measured", "target", "")]
    rows += [(figure.target.name, _measured(figure), figure.target.text, figure.verdict) for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = []
    for row, figure in zip(rows, [None, *figures], strict=True):
        lines.append(f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:<{widths[2]}}  {row[3]}".rstrip())
        if figure and figure.note:
            lines += [f"    {line}" for line in figure.note.splitlines()]
    return "\n".join(lines)


def _measured(figure: Figure) -> str:
    if figure.value is None:
        return "-"
    number = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
    return f"{number} {figure.target.unit}"
