"""`expect:`: sums that are known of a deck; where they are tested, and what is said."""

from __future__ import annotations

import pytest

from rulelang.compiler.compilation import Compilation
from tests.data.conftest import Write, write  # noqa: F401

RULES = "game:\n  for card c: move c to box\nvalue score(player p) -> int: 0\n"
THINGS = """\
lists: {diet: [plants, meat]}
cards:
  card:
    columns: {food: {is: int, by: copy}, diet: maybe diet, set: {is: 1..2, tells_apart: false}, worth: maybe int}
    for_each: {set: 1..2}
    expect: {EXPECTED}
    rows:
      - {food: [1, 2, 3], diet: meat, worth: 4}
      - {food: [5, 5], diet: plants}
      - {food: 0, copies: 2}
"""


def told(write: Write, expected: str) -> list[tuple[str, str]]:  # noqa: F811
    folder = write("tiny", {"things.yaml": THINGS.replace("EXPECTED", expected), "game.rules": RULES})
    return [(item.code, item.message) for item in Compilation(folder).checked.diagnostics]


@pytest.mark.parametrize(
    "expected",
    [
        "count: 7, rows: 3, sum of food: 16",
        "count where diet is present: 5, rows where food == 5: 1",
        "sum of food where diet == meat: 6",
        "sum of worth: 12",
        "sum of food * 2 - 1: 25",
        '"sum of food where diet != meat": 10',
    ],
)
def test_what_holds_is_not_told(expected: str, write: Write) -> None:  # noqa: F811
    assert told(write, expected) == []


@pytest.mark.parametrize(
    ("expected", "code", "message"),
    [
        ("count: 8", "Y177", "`count` of `card` is 7, but 8 was expected"),
        (
            "sum of food where diet == meat: 7",
            "Y177",
            "`sum of food where diet == meat` of `card` is 6, but 7 was expected",
        ),
        ("cards: 7", "Y185", "unknown check `cards` in `expect:`"),
        ("sum of fod: 7", "N350", "nothing is called `fod`"),
        ("sum of diet: 7", "T400", "expected a number, found a `maybe diet`"),
        ("count: many", "Y121", "`count` must be a whole number, not the text `many`"),
    ],
)
def test_what_does_not_hold_is_told(expected: str, code: str, message: str, write: Write) -> None:  # noqa: F811
    assert told(write, expected) == [(code, message)]


def test_a_mod_may_bring_cards(write: Write) -> None:  # noqa: F811
    base = write("tiny", {"things.yaml": THINGS.replace("EXPECTED", "count: 7"), "game.rules": RULES})
    more = "cards: {card: {rows: [{food: [1, 1]}], EXPECT}}\n"
    mod = write("more", {"more.yaml": more.replace("EXPECT", "expect: {rows: 4}")})
    assert [d.message for d in Compilation(base, [mod]).checked.diagnostics] == []
    (mod / "more.yaml").write_text(more.replace("EXPECT", "expect: {rows: 5}"))
    assert [d.code for d in Compilation(base, [mod]).checked.diagnostics] == ["Y177"]
