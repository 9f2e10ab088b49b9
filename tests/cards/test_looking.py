"""`rulelang cards GAME table|find|stats|check`: what is found by what is printed, and how it is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.base.terminal import display_width
from rulelang.compiler.compilation import Compilation
from rulelang.language.semantics.card_questions import cards_of, read_question
from tests.cli.helpers import lines, no_traceback, run

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "ruleset.yaml": """\
id: deck
version: 1.0.0
language: 1
title: Deck
players: {count: [2, 4]}
files: [things.yaml, game.rules, traits/]
""",
    "game.rules": "game:\n  for card c: move c to box\nvalue score(player p) -> int: 0\n",
    "things.yaml": """\
numbers: {many: 3}
lists:
  diet: [plants, meat]
  skill: [dig, climb]
cards:
  card:
    columns:
      faces: set of trait
      food: {is: int, by: copy}
      diet: maybe diet
      worth: maybe int
      wild: bool
      shows: {is: int, by: skill, default: 0}
      needs: condition on skill
    rows:
      wolf: {faces: [hunter], food: [0, 1, 1, 5], diet: meat, shows: {dig: 2}, text: 狼の札}
      fox: {faces: [hunter, digger], food: [2, 3], diet: meat, worth: 4, wild: true, needs: "dig>=1"}
      hare: {faces: [digger], food: [7], diet: plants, worth: 0}
      stone: {food: [1]}
""",
    "traits/hunter.yaml": "trait: hunter\nname: {en: Hunter}\ntext: {en: hunts}\n",
    "traits/digger.yaml": "trait: digger\nname: {en: Digger}\ntext: {en: digs}\n",
}


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, text in FILES.items():
        path = tmp_path / "deck" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "deck"


def found(where: str) -> list[tuple[str, str, int]]:
    """Row, food and copies of what a condition finds."""
    result = run("cards", "deck", "find", where, "--json")
    assert result.exit_code in (0, 1), result.output
    return [(card["id"], card["food"], card["copies"]) for card in json.loads(result.output)["card"]]


WOLF = [("wolf", "0", 1), ("wolf", "1", 2), ("wolf", "5", 1)]
FOX = [("fox", "2", 1), ("fox", "3", 1)]
HARE, STONE = [("hare", "7", 1)], [("stone", "1", 1)]


@pytest.mark.parametrize(
    ("where", "cards"),
    [
        ("hunter", WOLF + FOX),
        ("where hunter and food < 2", WOLF[:2]),
        ("hunter and not digger", WOLF),
        ("digger in faces", FOX + HARE),
        ("food >= many", WOLF[2:] + FOX[1:] + HARE),
        ("diet == meat and wild", FOX),
        ("diet is missing", STONE),
        ("worth is present", FOX + HARE),
        ("worth < 3", HARE),
        ("worth otherwise 9 > 4", WOLF + STONE),
        ("shows[dig] > 1", WOLF),
        ("food % 2 == 0", WOLF[:1] + FOX[:1]),
        ("-food == -7", HARE),
        ("food == 100", []),
    ],
)
def test_cards_are_found_by_what_is_printed(where: str, cards: list[tuple[str, str, int]], deck: Path) -> None:
    assert found(where) == cards


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("hunter and fod < 2", ["error[N350]", "did you mean `food`?", "where hunter"]),
        ("huntr", ["did you mean `hunter`?"]),
        ("diet == met", ["error[", "did you mean `meat`?"]),
        ("food", ["error[T400]"]),
        ("food <", ["error[S2"]),
        (
            "score(first(player p)) > 1",
            ["error[Y184]: this value is not printed on cards", "use a printed column: `faces`, `food`"],
        ),
    ],
)
def test_what_cannot_be_asked_is_told(where: str, words: list[str], deck: Path) -> None:
    result = run("cards", "deck", "find", "where " + where)
    no_traceback(result)
    assert result.exit_code == 2
    assert [word for word in words if word not in result.output] == []


def test_a_table_fits_the_terminal(deck: Path) -> None:
    result = run("cards", "deck", "table")
    assert all(display_width(line) <= 80 for line in lines(result))
    assert lines(result)[0] == "card: 4 rows, 8 cards"
    assert "(not shown: " in result.output or "狼の札" in result.output
    result = run("cards", "deck", "table", "--columns", "id,copies,text")
    assert lines(result) == [
        "card: 4 rows, 8 cards",
        "id      copies   text",
        "───────────────────────",
        *[f"wolf         {n}   狼の札" for n in (1, 2, 1)],
        "fox          1", "fox          1", "hare         1", "stone        1", "",
    ]  # fmt: skip


def test_figures_and_bars(deck: Path) -> None:
    result = run("cards", "deck", "stats")
    said = lines(result)
    assert said[0] == "card: 4 rows, 8 cards"
    assert "  food (int): 0 to 7, sum 20, mean 2.5, median 1.5" in said
    assert "    1  3  ██████████████████████████████" in said
    assert "    hunter  6  ██████████████████████████████" in said
    assert "    (none)  5  ██████████████████████████████" in said
    assert all(display_width(line) <= 80 for line in said)
    data = json.loads(run("cards", "deck", "stats", "hunter", "--json").output)["card"]
    assert (data["rows"], data["cards"]) == (2, 6)
    assert data["columns"][1] == {
        "column": "food", "type": "int", "missing": 0, "min": 0, "max": 5, "sum": 12, "mean": 2.0, "median": 1.5,
        "counts": {"0": 1, "1": 2, "2": 1, "3": 1, "5": 1},
    }  # fmt: skip


@given(st.lists(st.tuples(st.integers(-3, 9), st.sampled_from("+-*/%"), st.integers(-3, 9)), min_size=1, max_size=3))
@settings(max_examples=20, deadline=None)
def test_arithmetic_is_that_of_games(parts: list[tuple[int, str, int]]) -> None:
    """What a question comes to is what the same expression is for a constant reading by Python's own rules."""
    one = Compilation(ROOT / "rulesets" / "evolution")
    sort = next(iter(one.model.sorts.values()))
    card = next(iter(cards_of(sort)))
    for left, op, right in parts:
        if op in "/%" and right == 0:
            continue
        comes_to = {"+": left + right, "-": left - right, "*": left * right}.get(op)
        if comes_to is None:
            comes_to = left // right if op == "/" else left % right
        text = f"({left}) {op} ({right}) == {comes_to}"
        question, told = read_question(text, sort, one.model, one.program)
        assert question is not None, [d.message for d in told]
        assert question.of(card)


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "rulesets").iterdir() if path.is_dir()))
@pytest.mark.parametrize("command", ["table", "stats", "check"])
def test_shipped_games(name: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = run("cards", str(ROOT / "rulesets" / name), command)
    no_traceback(result)
    assert result.exit_code == 0
    if command != "check":
        assert all(display_width(line) <= 80 for line in lines(result))
