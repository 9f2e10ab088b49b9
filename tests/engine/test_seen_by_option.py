"""Who sees an attribute or a zone may be what the table has chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulelang.api import load
from rulelang.runtime.game import Game

FILES = {
    "ruleset.yaml": """
id: tiny
version: 1.0.0
language: 1
title: {en: Tiny}
players: {count: [2, 2], play: clockwise}
options: {open: {values: [owner, everyone, nobody], default: owner}}
files: [all.yaml, game.rules]
""",
    "all.yaml": """
cards: {card: {columns: {worth: int}, rows: {penny: {worth: 1, copies: 4}}}}
kinds: {player: {attributes: {bag: {is: number, seen_by: option.open}}}}
state: {start: player}
zones: {hand: {of: player, holds: card, seen_by: option.open}}
""",
    "game.rules": """
game:
  for player p:
    p.bag = 7
    move first(card c in box) to p.hand
  play
phase play: turns p from start once each: offer one action to p or pass
action lay(card c in actor.hand) during play: move c to box
value score(player p) -> int: p.bag
""",
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("tiny")
    for name, text in FILES.items():
        (folder / name).write_text(text.lstrip(), encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize(
    ("chosen", "of_his_own", "of_the_other", "to_a_stranger"),
    [("owner", True, False, False), ("everyone", True, True, True), ("nobody", False, False, False)],
)
def test_the_table_chooses(game: Game, chosen: str, of_his_own: bool, of_the_other: bool, to_a_stranger: bool) -> None:
    state = game.new(2, options={"open": chosen})
    mine, theirs = state.view(1)["players"]
    stranger = state.view()["players"][0]
    for player, sees in ((mine, of_his_own), (theirs, of_the_other), (stranger, to_a_stranger)):
        assert player["attributes"].get("bag") == (7 if sees else None)
        assert _names_cards(player["zones"]["hand"]) == sees


def _names_cards(zone: Any) -> bool:
    return "penny" in str(zone)


def test_evolution_hides_what_was_eaten() -> None:
    """As behind the screens of one of its documents; a table may play with open bags."""
    evolution = load(Path(__file__).resolve().parents[2] / "rulesets" / "evolution")
    for chosen, seen in (("owner", [0, None, None]), ("everyone", [0, 0, 0])):
        state = evolution.new(3, options={"bags": chosen})
        assert [player["attributes"].get("bag") for player in state.view(1)["players"]] == seen
    assert [player["attributes"].get("bag") for player in evolution.new(3).view()["players"]] == [None, None, None]
