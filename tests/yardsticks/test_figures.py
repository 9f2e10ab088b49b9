"""What the table of measurements says of a figure: held, short of its goal, failed, or not measured."""

from __future__ import annotations

import pytest

from benchmarks.figures import Figure, Target, table

RATE = Target("moves", "x", 1.5, "at least", goal=1.8)
TIME = Target("check", "s", 0.8, "less than", goal=0.4)


@pytest.mark.parametrize(
    ("figure", "verdict", "passed", "short"),
    [
        (Figure(RATE, 1.4), "FAIL", False, True),
        (Figure(RATE, 1.5), "short of the goal", True, True),
        (Figure(RATE, 1.9), "pass, goal reached", True, False),
        (Figure(TIME, 0.8), "FAIL", False, True),
        (Figure(TIME, 0.5), "short of the goal", True, True),
        (Figure(TIME, 0.39), "pass, goal reached", True, False),
        (Figure(Target("clone", "us", 10.0, "less than"), 3.0), "pass", True, False),
        (Figure(Target("rate", "/s", goal=2_000_000), 1_000_000), "short of the goal", True, True),
        (Figure(Target("rate", "/s"), 1_000_000), "", True, False),
        (Figure(RATE, None, "it broke"), "not measured", False, False),
        (Figure(RATE, None, "no compiler", skipped=True), "skipped", True, False),
    ],
)
def test_a_verdict_tells_what_holds_from_what_is_aimed_at(
    figure: Figure, verdict: str, passed: bool, short: bool
) -> None:
    assert (figure.verdict, figure.passed, figure.short) == (verdict, passed, short)
    assert (figure.as_json()["passed"], figure.as_json()["short"]) == (passed, short)


def test_the_table_has_a_column_for_each() -> None:
    text = table([Figure(RATE, 1.6, "eleven rounds"), Figure(Target("rate", "/s", goal=2_000_000), 1_234_567)])
    assert text.splitlines() == [
        "           measured  has to be       goal",
        "moves         1.6 x  at least 1.5 x  at least 1.8 x         short of the goal",
        "    eleven rounds",
        "rate   1,234,567 /s                  at least 2,000,000 /s  short of the goal",
    ]
