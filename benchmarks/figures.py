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
    """A figure: its name, its unit and, if it is promised, the bound, and on which side of the bound it has to lie.

    `bound` is what was reached, less what a busy machine takes: behind it, something has become slower. `goal` is what
    is aimed at where that is further on; to miss it is told and is no failure.
    """

    name: str
    unit: str
    bound: float | None = None
    side: Literal["at least", "less than"] = "at least"
    goal: float | None = None

    def met_by(self, value: float) -> bool:
        return self._met(value, self.bound)

    def short_of_goal(self, value: float) -> bool:
        return not self._met(value, self.goal)

    def _met(self, value: float, bound: float | None) -> bool:
        if bound is None:
            return True
        return value >= bound if self.side == "at least" else value < bound

    @property
    def text(self) -> str:
        return self._text(self.bound)

    @property
    def aim(self) -> str:
        return self._text(self.goal)

    def _text(self, bound: float | None) -> str:
        if bound is None:
            return ""
        number = f"{bound:,.0f}" if bound >= 1000 else f"{bound:.3g}"
        return f"{self.side} {number} {self.unit}"


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
    def short(self) -> bool:
        """Whether it was measured and lies short of its goal."""
        return self.value is not None and self.target.short_of_goal(self.value)

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "skipped" if self.skipped else "not measured"
        if not self.passed:
            return "FAIL"
        if self.target.goal is not None:
            return "short of the goal" if self.short else "pass, goal reached"
        return "" if self.target.bound is None else "pass"

    def as_json(self) -> dict[str, object]:
        target = self.target
        return {
            "name": target.name,
            "value": self.value,
            "unit": target.unit,
            "bound": None if target.bound is None else {"side": target.side, "bound": target.bound},
            "goal": None if target.goal is None else {"side": target.side, "bound": target.goal},
            "passed": self.passed,
            "short": self.short,
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
    rows = [("", "measured", "has to be", "goal", "")]
    for each in figures:
        rows.append((each.target.name, _measured(each), each.target.text, each.target.aim, each.verdict))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for row, figure in zip(rows, [None, *figures], strict=True):
        name, measured, bound, goal, verdict = row
        columns = (f"{name:<{widths[0]}}", f"{measured:>{widths[1]}}", f"{bound:<{widths[2]}}", f"{goal:<{widths[3]}}")
        lines.append("  ".join((*columns, verdict)).rstrip())
        if figure and figure.note:
            lines += [f"    {line}" for line in figure.note.splitlines()]
    return "\n".join(lines)


def _measured(figure: Figure) -> str:
    if figure.value is None:
        return "-"
    number = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
    return f"{number} {figure.target.unit}"
