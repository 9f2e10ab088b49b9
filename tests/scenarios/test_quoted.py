"""Lines in quotes that would be maps without them: steps, claims, things and cards (C701 with the line to write)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.shore import one

GIVEN = """\
given:
  phase: feeding
  turn: ana
  state: {water: 1}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
"""

# The lines above a line in quotes, and that line; without its quotes each scenario is sound.
LINES = {
    "run": ("when:", "run: to the end of the turn"),
    "options": ("when:", "options: {among: [graze nip]}"),
    "then": ("when:", "then: [water == 1]"),
    "a player": ("when:", "ana: graze nip"),
    "a player in capitals": ("when:", "Ana: graze nip"),
    "a player with a list": ("when:", "ana: [graze nip]"),
    "a refusal": ("when:", "graze nob: {refused: not to ana}"),
    "options below a player": ("when:\n- ana:", "options: {among: [graze nip]}"),
    "over": ("then:", "over: false"),
    "decision": ("then:", "decision: ana"),
    "log": ("then:", "log: {not: nip eats}"),
    "sees": ("then:", "sees: {bob: {water: 1}}"),
    "winners": ("then:", "winners: [ana]"),
    "scores": ("then:", "scores: {ana: 0}"),
    "options as a claim": ("then:", "options: {among: [graze nip]}"),
    "a claim between steps": ("when:\n- then:", "over: false"),
}


@pytest.mark.parametrize("title", LINES)
@pytest.mark.parametrize("quote", ['"', "'"])
def test_the_line_to_write_is_the_one_without_quotes(title: str, quote: str, tmp_path: Path) -> None:
    above, line = LINES[title]
    depth = "  " * above.count("\n")
    (found,) = one(tmp_path, f"{GIVEN}{above}\n{depth}- {quote}{line}{quote}").mistakes
    assert (found.code, found.hint) == ("C701", f"write it without the quotes: `- {line}`")
    assert "found quoted text" in found.message
    assert not one(tmp_path, f"{GIVEN}{above}\n{depth}- {line}").mistakes


@pytest.mark.parametrize(
    ("good", "bad"),
    [("crab: [nip: shy]", "crab: ['nip: shy']"), ("hand: [shy: {with: nip}]", "hand: ['shy: {with: nip}']")],
)
def test_things_and_cards_in_quotes(good: str, bad: str, tmp_path: Path) -> None:
    (found,) = one(tmp_path, GIVEN.replace("crab: [nip]", bad)).mistakes
    assert (found.code, "found quoted text" in found.message) == ("C701", True)
    assert found.hint.removeprefix("write it without the quotes: `- ").rstrip("`") in good
    assert "C701" not in [item.code for item in one(tmp_path, GIVEN.replace("crab: [nip]", good)).mistakes]


def test_dice_in_quotes(tmp_path: Path) -> None:
    (found,) = one(tmp_path, GIVEN + "when:\n- 'dice: [4]'\n- cast").mistakes
    assert found.hint == "write it without the quotes: `- dice: [4]`"


@pytest.mark.parametrize("line", ["run: to the end of the turn", "dice: [4]"])
def test_what_is_nobodys_step_is_not_listed_below_a_player(line: str, tmp_path: Path) -> None:
    (found,) = one(tmp_path, f"{GIVEN}when:\n- ana: [{{{line}}}]").mistakes
    assert (found.code, found.hint) == ("C701", f"write it as a step of its own: `- {line.split(':')[0]}: ...`")


def test_expressions_stay_in_quotes(tmp_path: Path) -> None:
    assert one(tmp_path, GIVEN + 'then:\n- "sum(crab c of ana: c.weight) == 1"\n- "water == 1"').passed
