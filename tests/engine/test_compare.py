"""Two series side by side: intervals against values worked out elsewhere, and `sim --against`."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import rulelang
from rulelang.apps.lab.statistics import (
    compare_series,
    newcombe_interval,
    student_interval,
    student_quantile,
    wilson_interval,
)
from rulelang.data.schema import schema_problems
from tests.cli.helpers import run, tiny


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(x: int, n: int, low: float, high: float) -> None:
    """The examples of Newcombe (1998), Statistics in Medicine 17, 857-872, table I."""
    found = wilson_interval(x, n)
    assert found.value == x / n
    assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)


@pytest.mark.parametrize(
    ("x", "m", "y", "n", "low", "high"),
    [(48, 80, 56, 70, 0.0524, 0.3339), (3, 10, 9, 10, 0.1705, 0.8090), (0, 10, 10, 10, 0.6075, 1.0)],
)
def test_newcombe(x: int, m: int, y: int, n: int, low: float, high: float) -> None:
    """The examples of Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10."""
    found = newcombe_interval(x, m, y, n)
    assert found.value == pytest.approx(y / n - x / m)
    assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)
    back = newcombe_interval(y, n, x, m)
    assert (back.low, back.high) == pytest.approx((-found.high, -found.low))


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045), (999, 1.962)]
)
def test_student_quantiles(freedom: int, t: float) -> None:
    """The tables' two-sided 95 %."""
    assert student_quantile(0.975, freedom) == pytest.approx(t, rel=0.0015)


def test_student() -> None:
    found = student_interval([1, 2, 3, 4])
    assert (found.value, found.low, found.high) == pytest.approx((2.5, 0.4458, 4.5542), abs=3e-3)
    assert math.isinf(student_interval([5]).low)
    assert student_interval([5]).as_json() == {"value": 5.0, "low": None, "high": None}
    assert (student_interval([3, 3, 3]).low, student_interval([3, 3, 3]).high) == (3, 3)


def laid(folder: Path) -> tuple[str, str]:
    home = tiny(folder / "tiny")
    rich = folder / "rich"
    rich.mkdir()
    text = "id: rich\nversion: 1.0.0\nlanguage: 1\ntitle: x\nextends: {tiny: any}\nfiles: [a.rules]\n"
    (rich / "mod.yaml").write_text(text, encoding="utf-8")
    (rich / "a.rules").write_text("modify pay(any): + 1\n", encoding="utf-8")
    return str(home), str(rich)


def test_a_series_against_itself_does_not_differ(tmp_path: Path) -> None:
    home, rich = laid(tmp_path)
    base = rulelang.load(home).simulate(40, 2, 3)
    for row in compare_series(base, rulelang.load(home).simulate(40, 2, 3, jobs=2)):
        assert row.base == row.against
        assert row.difference.value == 0
        assert not row.differs
    against = rulelang.load(home, [rich]).simulate(40, 2, 3)
    rows = {(row.what, row.seat): row for row in compare_series(base, against)}
    assert list(rows) == [("wins", 1), ("wins", 2), ("points", 1), ("points", 2), ("rounds", 0), ("decisions", 0)]
    assert rows["rounds", 0].differs
    assert rows["rounds", 0].difference.high < 0  # who is paid more is done sooner
    assert rows["rounds", 0].base.value == pytest.approx(base.rounds.mean)
    with pytest.raises(ValueError, match="same seed"):
        compare_series(base, rulelang.load(home).simulate(40, 2, 4))


def test_sim_against(tmp_path: Path) -> None:
    home, rich = laid(tmp_path)
    words = ["sim", home, "--against", rich, "-n", "30", "-p", "2"]
    report = json.loads(run(*words, "--json").output)
    assert schema_problems("comparison", report) == []
    assert (report["base"]["mods"], report["against"]["mods"]) == ({}, {"rich": "1.0.0"})
    shown = run(*words).output
    assert "base: tiny 1.0.0\nagainst: tiny 1.0.0 with rich 1.0.0\n" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert [line.split()[0] for line in shown.splitlines()[5:11]] == [
        "wins",
        "wins",
        "points",
        "points",
        "rounds",
        "decisions",
    ]
    assert run(*words, "-n", "1").exit_code == 0
