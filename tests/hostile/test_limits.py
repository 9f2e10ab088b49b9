"""Files that are too large are answered soon, with the limit and what to do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import rulelang
from rulelang.scenarios.run import matches

RULES = "game:\n  day\nphase day: offer one action to first(player p) or pass\naction go during day: nothing\n"
RULES += "value score(player p) -> int: 0\n"
TABLE = "cards:\n  card:\n    from: c.csv\n    columns: {a: int}\n"
#: CPU seconds: ten times what it takes on a slow machine.
SOON = 10


def checked(folder: Path, files: dict[str, str]) -> tuple[list[str], list[str], float]:
    """Check a small game with these files: the messages, and the CPU time that it took."""
    names = ", ".join(name for name in files if not name.endswith(".csv"))
    manifest = "id: tiny\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Tiny}\n"
    manifest += f"players: {{count: [2, 4], play: clockwise}}\nfiles: [{names}]\n"
    for name, text in {"ruleset.yaml": manifest, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    began = time.process_time()
    found = list(rulelang.check(folder)[1])
    return [item.code for item in found], [item.message for item in found], time.process_time() - began


@pytest.mark.parametrize("columns", [1_500, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_table_of_too_many_columns(columns: int, tmp_path: Path) -> None:
    text = "a" + "," * columns + "\n1" + "," * columns + "\n"
    codes, messages, took = checked(tmp_path, {"t.yaml": TABLE, "g.rules": RULES, "c.csv": text})
    assert "Y104" in codes
    assert f"this line has {columns + 1:,} cells" in messages
    assert took < SOON


@pytest.mark.parametrize("count", [1_500, pytest.param(30_000, marks=pytest.mark.slow)])
def test_more_mistakes_than_anybody_reads(count: int, tmp_path: Path) -> None:
    rules = RULES + "".join(f"routine r{number}: no{number} = 1\n" for number in range(count))
    codes, messages, took = checked(tmp_path, {"g.rules": rules})
    assert len(codes) == 1_001
    assert codes.count("Y108") == 1
    assert "there are more than 1,000 mistakes, and only the first 1,000 are shown" in messages
    assert took < SOON


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("wolf", "A Wolf eats", True),
        ("^a wolf", "A Wolf eats", True),
        ("^wolf", "A Wolf eats", False),
        ("eats$", "A Wolf eats", True),
        ("^a*eats$", "A Wolf eats", True),
        ("a.*wolf", "A Wolf eats", True),
        ("crab|wolf", "A Wolf eats", True),
        ("crab|deer", "A Wolf eats", False),
        ("wolf*a wolf", "A Wolf eats", False),
        ("", "A Wolf eats", True),
    ],
)
def test_patterns_of_names(pattern: str, name: str, fits: bool) -> None:
    assert matches(pattern, name) is fits


def test_no_pattern_takes_long() -> None:
    began = time.process_time()
    assert not matches("(a+)+" * 200 + "$", "a" * 5_000 + "b")
    assert not matches("*a" * 500 + "*c$", "a" * 20_000)
    assert time.process_time() - began < SOON
