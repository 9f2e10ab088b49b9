"""Sentences of a rulebook read well aloud: relative clauses, the number of nouns, counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.labels import Label, is_plural_label
from rulelang.base.wording import is_plural
from rulelang.compiler.compilation import Compilation
from rulelang.tools.printing.printed_names import Names
from rulelang.tools.printing.rulebook import book_of
from tests.cli.helpers import tiny
from tests.printing.test_documents import GAMES, IDS, book, texts

THINGS = """kinds:
  player:
    attributes: {coins: 0..20, bonus: 0..9, main_actions: 0..3, spare: 0..9, wares: 0..9}
  hut:
    of: player
    at_most: 3
    attributes: {doors: 0..9, size: 0..9, open: bool}
lists:
  field: {rows: [north, south]}
tables:
  path: {of: [hut, field], is: 0..9}
numbers: {goal: 3}
look:
  player:
    members:
      spare: {name: lens, unit: lens|lenses}
      wares: {name: cargo, unit: ware|wares}
      coins: {unit: coin|coins, name: coins}
"""
RULES = """game:
  rounds until round > 2: earning
phase earning:
  turns p from first(player q) once each:
    STATEMENT
    offer one action to p or pass
action work during earning:
  require CONDITION
  actor.coins += 1
value score(player p) -> int: p.coins
"""
CONDITIONS = [
    ("actor.main_actions == 0", "your main actions are 0"),
    ("actor.bonus == 0", "your bonus is 0"),
    ("actor.coins > 2", "your coins are more than 2"),
    ("actor.spare > 2", "your lens is more than 2"),
    ("actor.wares > 2", "your cargo is more than 2"),
    ("any(hut h of actor where h.open)", "you have a hut that is open"),
    ("no(hut h of actor where h.doors > 1)", "you have no hut whose doors are more than 1"),
    ("any(hut h where h.open and h.doors == 2)", "there is a hut that is open, and whose doors are 2"),
    ("any(hut h where h.number == 2)", "there is a hut whose number is 2"),
    (
        "any(hut h where path[h, north] > 2 and h.open)",
        "there is a hut that is open for which the path of it and north is more than 2",
    ),
    (
        "any(hut h where h.open and actor.coins > 2)",
        "there is a hut that is open, if your coins are more than 2",
    ),
    ("any(player p where any(hut h of p where h.open))", "there is a player that has a hut that is open"),
    ("count(hut h where h.open) > 1", "there are at least 2 huts that are open"),
    ("count(hut h where h.open) >= 1", "there is a hut that is open"),
    ("count(hut h where h.open) == 0", "there is no hut that is open"),
    ("count(hut h where h.open) < 1", "there is no hut that is open"),
    ("count(hut h where h.open) <= 1", "there is at most 1 hut that is open"),
    ("not count(hut h where h.open) > 2", "there are at most 2 huts that are open"),
    ("count(hut h where h.open) == 2", "there are exactly 2 huts that are open"),
    ("count(hut h where h.open) != 2", "the number of huts that are open is not 2"),
    ("count(hut h where h.open) < goal", "there are at most 2 huts that are open"),
    (
        "count(hut h where h.open) < actor.bonus",
        "your bonus is more than the number of huts that are open",
    ),
    (
        "any(player p where count(hut h of p where h.doors > 1) > 1)",
        "there is a player for which there are at least 2 huts of it whose doors are more than 1",
    ),
]  # fmt: skip
STATEMENTS = [
    ("p.coins += 1", "The player's coins rise by 1"),
    ("p.bonus += 1", "The player's bonus rises by 1"),
    ("p.main_actions = 0", "The player's main actions become 0"),
    ("p.coins -= 1", "The player's coins fall by 1"),
    ("for hut h with least h.size: h.size = 3", "For each hut whose size is least"),
    ("for hut h where h.open with most h.doors: h.size = 3", "For each hut that is open, whose doors are greatest"),
]


def said(folder: Path, condition: str, statement: str) -> list[str]:
    rules = RULES.replace("CONDITION", condition).replace("STATEMENT", statement)
    one = Compilation(tiny(folder, things=THINGS, rules=rules))
    assert [f"{item.span}: {item.message}" for item in one.diagnostics if item.severity == "error"] == []
    return [*texts(book_of(Names(one)).phases)]


@pytest.mark.parametrize(("condition", "words"), CONDITIONS, ids=[c for c, _ in CONDITIONS])
def test_a_condition_reads_well(tmp_path: Path, condition: str, words: str) -> None:
    assert words in said(tmp_path / "tiny", condition, "p.coins += 1")


@pytest.mark.parametrize(("statement", "words"), STATEMENTS, ids=[s for s, _ in STATEMENTS])
def test_what_happens_reads_well(tmp_path: Path, statement: str, words: str) -> None:
    assert words in said(tmp_path / "tiny", "actor.coins > 2", statement)


@pytest.mark.parametrize(
    ("name", "many"),
    [
        ("points", True), ("main actions", True), ("hunts so far", True), ("points of the turn", True),
        ("number of cards", False), ("bonus", False), ("species", False), ("basis", False), ("mass", False),
        ("size", False), ("steps left", True),
    ],
)  # fmt: skip
def test_the_number_of_a_name(name: str, many: bool) -> None:
    assert is_plural(name) == many


def test_a_label_says_the_number_of_its_name() -> None:
    assert is_plural_label(Label(name={"en": "dice"}, plural={"en": "dice"}), "dice")
    assert is_plural_label(Label(unit={"en": "foot|feet"}), "feet")
    assert not is_plural_label(Label(unit={"en": "lens|lenses"}), "lens")
    assert not is_plural_label(Label(name={"en": "lens"}, plural={"en": "lenses"}), "lens")
    assert not is_plural_label(Label(unit={"en": "meat"}), "meat")


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_no_sentence_of_a_shipped_game_is_nested(game: tuple[str, ...]) -> None:
    made = book(*game)
    for text in (*texts(made.flow), *texts(made.phases), *texts(made.traits)):
        for sentence in text.split(": "):
            assert sentence.count("for which") < 2, text
