"""Files that are too large are answered soon, with the limit and what to do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import rulelang
from rulelang.base.limits import ALL, CELLS, DECLARATIONS, LETTERS, SPACES, VALUES, Limit
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.checking import check_scenarios
from rulelang.testing.scenarios.run import name_matches

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


@pytest.mark.parametrize("count", [1_500, pytest.param(14_000, marks=pytest.mark.slow)])
def test_more_mistakes_than_anybody_reads(count: int, tmp_path: Path) -> None:
    rules = RULES + "".join(f"routine r{number}: no{number} = 1\n" for number in range(count))
    codes, messages, took = checked(tmp_path, {"g.rules": rules})
    assert len(codes) == 1_001
    assert codes.count("Y108") == 1
    assert "there are more than 1,000 errors and warnings; only the first 1,000 are shown" in messages
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
    assert name_matches(pattern, name) is fits


def test_no_pattern_takes_long() -> None:
    began = time.process_time()
    assert not name_matches("(a+)+" * 200 + "$", "a" * 5_000 + "b")
    assert not name_matches("*a" * 500 + "*c$", "a" * 20_000)
    assert time.process_time() - began < SOON


def codes_with(
    folder: Path, files: dict[str, str], limit: Limit, most: int, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the codes of a check under a smaller limit; the message names the variable that allows more."""
    monkeypatch.setenv(limit.variable, str(most))
    codes, _, took = checked(folder, files)
    found = rulelang.check(folder)[1]
    assert any(f"{limit.variable} to {2 * most}" in item.hint for item in found) == bool(codes)
    assert took < SOON
    return codes


LISTS = "lists:\n  a:\n    columns: {v: int}\n    rows:\n"
GRID = "grids:\n  board:\n    columns: {h: int}\n    maps:\n      m:\n        h:\n"


@pytest.mark.parametrize(("count", "most", "expected"), [(20, 100, []), (40, 100, ["Y104"])])
def test_values_of_one_file(
    count: int, most: int, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f"      r{number}: {{v: 1}}\n" for number in range(count))
    files = {"t.yaml": LISTS + rows, "g.rules": RULES}
    assert codes_with(tmp_path, files, VALUES, most, monkeypatch) == expected


def test_values_of_several_files_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"n{file}.yaml": "numbers:\n" + "".join(f"  n_{file}_{n}: 1\n" for n in range(20)) for file in range(9)}
    assert codes_with(tmp_path, {**files, "g.rules": RULES}, VALUES, 100, monkeypatch) == ["Y107"]


@pytest.mark.parametrize(("count", "expected"), [(40, []), (60, ["Y104"])])
def test_cells(count: int, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = "id,a\n" + "".join(f"x{number},1\n" for number in range(count))
    files = {"t.yaml": TABLE, "g.rules": RULES, "c.csv": table}
    assert codes_with(tmp_path, files, CELLS, 100, monkeypatch) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["1 " * 9] * 9, []),
        (["1 " * 11] * 11, ["N324"]),
        (["1 " * 60, *["1"] * 30], ["N324"]),  # few numbers are written, and 1,860 spaces meant
    ],
)
def test_spaces(rows: list[str], expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = "".join(f"          - {row}\n" for row in rows)
    assert codes_with(tmp_path, {"t.yaml": GRID + drawn, "g.rules": RULES}, SPACES, 100, monkeypatch) == expected


@pytest.mark.parametrize("files", [1, 4])
def test_declarations(files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"r{file}.rules": f"routine r{file}_NO: nothing\n" for file in range(files)}
    texts = {
        name: "".join(text.replace("NO", str(number)) for number in range(120 // files)) for name, text in texts.items()
    }
    assert codes_with(tmp_path, {"g.rules": RULES, **texts}, DECLARATIONS, 100, monkeypatch) == ["S220"]


def test_characters_of_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"r{file}.rules": "# a remark of no use\n" * 100 for file in range(4)}
    assert codes_with(tmp_path, {"g.rules": RULES, **texts}, LETTERS, 5_000, monkeypatch) == ["S220"]


@pytest.mark.parametrize("count", [1_500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_unknown_keys(count: int, tmp_path: Path) -> None:
    keys = "".join(f"k{number}: 1\n" for number in range(count))
    codes, _, took = checked(tmp_path, {"t.yaml": keys, "g.rules": RULES})
    assert (len(codes), codes.count("Y108")) == (1_001, 1)
    assert took < SOON


def test_files_that_are_missing(tmp_path: Path) -> None:
    """Files that exist are not called unread because the mistakes of others end the list."""
    files = {"g.rules": RULES}
    checked(tmp_path, files)
    manifest = (tmp_path / "ruleset.yaml").read_text("utf-8")
    missing = ", ".join(f"x{number}.yaml" for number in range(1_500))
    (tmp_path / "ruleset.yaml").write_text(manifest.replace("g.rules]", f"{missing}, g.rules]"), encoding="utf-8")
    assert {item.code for item in rulelang.check(tmp_path)[1]} == {"Y132", "Y108"}


def test_mistakes_of_scenarios(tmp_path: Path) -> None:
    checked(tmp_path, {"g.rules": RULES})
    (tmp_path / "scenarios").mkdir()
    steps = ", ".join(f"nope{number}" for number in range(1_500))
    (tmp_path / "scenarios" / "a.yaml").write_text(f"- name: a\n  when: [{steps}]\n  then: [over]\n", "utf-8")
    found = check_scenarios(Compilation(tmp_path)).diagnostics
    assert len(found) == 1_001


def test_the_table_of_limits_is_whole(root: Path) -> None:
    text = (root / "docs" / "cli.md").read_text("utf-8")
    for limit in ALL:
        row = next(line for line in text.splitlines() if f"`{limit.variable}`" in line)
        assert f"| {limit.usual:,} |" in row
