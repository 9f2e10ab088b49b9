"""What is proposed at marked places, in text that is broken there as it is while one types."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.editor.completing import complete
from rulelang.editor.proposals import Proposal
from tests.cli.helpers import tiny
from tests.editor.helpers import Desk, shipped

OOS, EVO = "origin_of_species", "evolution"
BURROWING = "traits/burrowing.yaml"
FORBID = 'forbid strike(any, self) when self is fed because "it is fed and sits in its burrow"'

PREY = "    when: [hunt wolf mole]\n    then: [mole is missing, wolf.blue == 2]"
STOCK = "value stock(source place) -> int: watering_hole if place == hole else bank"

#: Game, file, text in it, what is typed in its place (¦: the cursor), what must be proposed, what must not be.
CASES = [
    (OOS, BURROWING, FORBID, "¦", ["modify", "forbid", "after", "value"], ["let"]),
    (OOS, BURROWING, FORBID, "forbid ¦", ["strike(any, self)"], []),
    (OOS, BURROWING, FORBID, "forbid strike(¦", ["any", "self"], ["modify"]),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self is ¦", ["fed", "present"], ["red"]),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self.¦", ["red", "owner"], ["fed"]),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self.r¦", ["red"], []),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when self has ¦", ["camouflage", "burrowing"], []),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) when count(¦", ["animal", "player"], []),
    (OOS, BURROWING, FORBID, "forbid strike(hunter, self) when hunter.owner == ¦", ["owner", "actor"], []),
    (OOS, BURROWING, FORBID, "forbid strike(any, self) ¦", ["when", "unless", "because"], ["modify"]),
    (OOS, BURROWING, "#: oos-card-burrowing oos-14.4", "#: oos-card-burrowing oos-1¦", ["oos-14.4"], ["modify"]),
    (OOS, BURROWING, "trait: burrowing", "trait: burrowing\npa¦", ["pair", "state", "scenarios"], ["lists"]),
    (OOS, BURROWING, "    rule: [oos-card-burrowing, oos-14.4]", "    rule: [¦", ["oos-card-burrowing"], []),
    (OOS, BURROWING, PREY, "    when: [¦", ["hunt", "pass", "ana"], []),
    (OOS, BURROWING, PREY, "    when: [hunt ¦", ["wolf", "mole", "hare"], ["hunt", "ana"]),
    (OOS, BURROWING, PREY, "    when: [hunt wolf ¦", ["wolf", "mole"], ["hunt"]),
    (OOS, BURROWING, PREY, "    then: [mole.¦", ["blue", "red"], ["wolf"]),
    (OOS, BURROWING, PREY, "    then: [¦", ["mole", "ana", "base"], []),
    (EVO, "cards.yaml", "{face: ambush, ", "{face: a¦", ["ambush", "carnivore"], ["face"]),
    (EVO, "cards.yaml", "{face: ambush, ", "{¦", ["face", "food"], []),
    (EVO, "components.yaml", "    at_most: boards  ", "    ¦", ["at_most", "attributes", "line"], []),
    (EVO, "game.rules", STOCK,
     "value stock(source place) -> int: watering_hole if place == ¦", ["hole", "bank", "place"], ["plant"]),
    (EVO, "game.rules", STOCK,
     "value stock(¦", ["source", "int", "species", "player"], ["place"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  let n = 1\n  s.¦", ["population", "food"], []),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  let n = 1\n  ¦", ["let", "if", "n", "s", "eat"], ["modify"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  let n = 1\n  s.population += ¦", ["n", "s", "min"], ["let"]),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  move top of deck to ¦", ["discards", "box"], []),
    (EVO, "game.rules", STOCK,
     "routine r(species s):\n  if option.¦", ["cooperation"], ["deck"]),
    (EVO, "game.rules", STOCK,
     'routine r(species s):\n  tells "{¦', ["s"], ["let"]),
    (EVO, "game.rules", STOCK,
     "modify ¦", ["flesh(s)"], ["eat"]),
]  # fmt: skip


def typed(game: str, file: str, old: str, new: str) -> list[Proposal]:
    """What is proposed at the mark, by what was known of the game before this was typed."""
    desk = shipped(game)
    text = desk.read(file)
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    offset = text.index(old)
    lead = text[text.rfind("\n", 0, offset) + 1 : offset]
    new = new.replace("\n", f"\n{lead}" if not lead.strip() else "\n")
    before, after = text.replace(old, new).split("¦")
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return complete(desk.analysis(file), desk.path(file), before + after, line, column)


@pytest.mark.parametrize(("game", "file", "old", "new", "wanted", "unwanted"), CASES, ids=[case[3] for case in CASES])
def test_what_fits_is_proposed(
    game: str, file: str, old: str, new: str, wanted: list[str], unwanted: list[str]
) -> None:
    found = typed(game, file, old, new)
    labels = [item.label for item in found]
    assert [word for word in wanted if word not in labels] == [], labels
    assert [word for word in unwanted if word in labels] == []


def test_what_has_the_type_comes_first() -> None:
    found = typed(EVO, "game.rules", STOCK, "value stock(source place) -> int: ¦")
    ranks = {item.label: item.rank for item in found}
    assert ranks["watering_hole"] < ranks["place"]


def test_patterns_of_hooks_are_filled_in() -> None:
    found = typed(EVO, "traits/hard_shell.yaml", "modify defence(self)", "modify def¦ #")
    item = next(item for item in found if item.label.startswith("defence"))
    assert (item.label, item.snippet, item.begun) == ("defence(self)", "defence(self): ", 3)


def test_the_title_of_a_numbered_rule_is_its_text() -> None:
    found = typed(OOS, BURROWING, "#: oos-card-burrowing oos-14.4", "#: ¦")
    (item,) = [item for item in found if item.label == "oos-card-burrowing"]
    assert len(item.detail) > 10


def test_nothing_is_proposed_in_prose_and_remarks() -> None:
    assert typed(OOS, BURROWING, FORBID, "# for¦") == []
    assert typed(OOS, BURROWING, FORBID, 'forbid strike(any, self) because "for¦') == []


def test_what_is_known_of_a_broken_game_is_what_was_known_before(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    desk.analysis("game.rules")
    desk.put("things.yaml", desk.read("things.yaml") + "  broken: [\n")
    text = desk.read("game.rules").replace("actor.coins += pay(actor)", "actor.")
    desk.put("game.rules", text)
    place = desk.at("game.rules", '{actor} works"\n  actor.¦')
    assert "coins" in [
        item.label for item in complete(desk.analysis("game.rules"), desk.path("game.rules"), text, *place)
    ]
