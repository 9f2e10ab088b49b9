"""What a measurement comes to: a number beside its target, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


class Unmeasured(Exception):
    """The thing to be timed did not do what it should; its text says what happened instead."""


@dataclass(frozen=True, slots=True)
class Target:
    """A figure that is promised: its name, unit, the bound, and on which side of the bound it has to lie."""

    name: str
    unit: str
    bound: float
    side: Literal["at least", "less than"]

    def met_by(self, value: float) -> bool:
        return value >= self.bound if self.side == "at least" else value < self.bound


@dataclass(frozen=True, slots=True)
class Figure:
    """A target and what was found. `value` is None if it could not be measured; `note` then says why."""

    target: Target
    value: float | None
    note: str = ""

    @property
    def passed(self) -> bool:
        return self.value is not None and self.target.met_by(self.value)

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        return "pass" if self.passed else "FAIL"

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.target.name,
            "value": self.value,
            "unit": self.target.unit,
            "target": {"side": self.target.side, "bound": self.target.bound},
            "passed": self.passed,
            "note": self.note,
        }


def table(figures: list[Figure]) -> str:
    """The figures as lines of text in columns, each note on a line below its figure."""
    rows = [("", "measured", "target", "")]
    rows += [
        (
            figure.target.name,
            "-" if figure.value is None else f"{figure.value:.3g} {figure.target.unit}",
            f"{figure.target.side} {figure.target.bound:g} {figure.target.unit}",
            figure.verdict,
        )
        for figure in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = []
    for row, figure in zip(rows, [None, *figures], strict=True):
        lines.append(f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:<{widths[2]}}  {row[3]}".rstrip())
        if figure and figure.note:
            lines += [f"    {line}" for line in figure.note.splitlines()]
    return "\n".join(lines)
