"""How a reaction reads: the card that brings it, told apart where two read alike, and never a bearer that is none."""

from __future__ import annotations

from pathlib import Path

import rulelang
from tests.cli.helpers import MANIFEST

REACT = "may react to attacked(p) when p == owner: stop"
FILES = {
    "ruleset.yaml": MANIFEST.replace("game.rules", "game.rules, shield.yaml"),
    "shield.yaml": f"trait: shield\ntext: {{en: x}}\ncards: {{charm: [{{copies: 2}}]}}\nrules: |\n  {REACT}\n",
    "things.yaml": f"""
kinds: {{knight: {{of: player, at_most: 1, names: [art, bor]}}, player: {{attributes: {{hits: number}}}}}}
cards:
  charm: {{columns: {{face: trait}}, rows: []}}
  card:
    rows:
      moat: {{rules: "{REACT}"}}
      wall: {{rules: "{REACT}"}}
zones:
  hand: {{of: player, holds: card, seen_by: owner, in_force: true}}
  pouch: {{of: player, holds: charm, in_force: true}}
  gear: {{of: knight, holds: charm, in_force: true}}
""",
    "game.rules": """
game: duel
phase duel: turns p from first(player q) once each: offer one action to p or pass
action raid(player p) during duel:
  require p != actor
  attacked(p)
routine attacked(player p): p.hits += 1
value score(player p) -> int: p.hits
""",
}


def test_a_reaction_is_called_by_its_card(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.lstrip(), encoding="utf-8")
    bob = {"hand": ["moat", "wall"], "pouch": ["shield"], "knight": [{"bor": "shield"}]}
    state = rulelang.load(tmp_path).position({"phase": "duel", "turn": "ana", "players": {"ana": {}, "bob": bob}})
    state.play("raid bob")
    told = [option.text for option in state.decision.options]
    assert told == ["moat", "wall", "shield in bob's pouch", "shield on bor", "none"]
    state.play("moat")
    assert state.view(1)["players"][1]["attributes"]["hits"] == 0
