"""A mistake in `given` is answered with a form that is valid in that very game, and with the place of a name."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.scenarios.checking import check_scenarios

MANIFEST = (
    "id: tiny\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Tiny}\nplayers: {count: [2, 2]}\nfiles: [t.yaml, t.rules]\n"
)
ZONES = "cards: {chip: {rows: [a, b]}}\nzones: {hand: {of: player, holds: chip, seen_by: owner}}\n"
PLACES = """\
lists: {pot: {attributes: {heat: number}, rows: [one, two]}}
cards: {chip: {rows: [a, b]}}
zones: {hand: {of: player, holds: chip, seen_by: owner}, stack: {of: pot, holds: chip, seen_by: everyone}}
state: {purse: number}
tables: {met: {of: [player, pot], is: 0..9}}
"""
RULES = "game:\n  day\nphase day: offer one action to first(player p) or pass\naction go during day: nothing\n"
RULES += "value score(player p) -> int: count(chip c in p.hand)\n"


def hints(folder: Path, things: str, given: str) -> list[str]:
    """Write a small game with one scenario; return the hints of its mistakes."""
    for name, text in {
        "ruleset.yaml": MANIFEST, "t.yaml": things, "t.rules": RULES,
        "scenarios/s.yaml": f"scenarios:\n- name: x\n  given: {given}\n  then: [round >= 0]\n",
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    compilation, found = rulelang.check(folder)
    assert not found.failed, [str(item) for item in found]
    return [item.hint for item in check_scenarios(compilation).diagnostics]


def test_a_list_of_cards_in_a_game_of_zones(tmp_path: Path) -> None:
    (hint,) = hints(tmp_path / "wrong", ZONES, "{players: {ana: [a], bob: {}}}")
    assert hint == "write a map: `ana: {hand: [a]}`"
    assert hints(tmp_path / "right", ZONES, "{players: {ana: {hand: [a]}, bob: {}}}") == []


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ("{lists: {pot: {one: {stack: [a]}}}, players: {ana: {}, bob: {}}}", "`zones:`"),
        ("{tables: {purse: {one: 3}}, players: {ana: {}, bob: {}}}", "`state:`"),
        ("{state: {met: 3}, players: {ana: {}, bob: {}}}", "`tables:`"),
        ("{state: {heat: 3}, players: {ana: {}, bob: {}}}", "`lists:`"),
        ("{zones: {hand: [a]}, players: {ana: {}, bob: {}}}", "`players:`"),
    ],
)
def test_a_name_in_the_wrong_part_leads_to_its_own(given: str, word: str, tmp_path: Path) -> None:
    (hint,) = hints(tmp_path, PLACES, given)
    assert word in hint
