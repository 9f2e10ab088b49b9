"""Silences with several ends: a card works again when all of them are over, in whatever order they began."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.backends.named import BACKENDS
from tests.scenarios.court import failures, trait

FILES = {
    "ruleset.yaml": "id: bells\nversion: 1.0.0\nlanguage: 1\ntitle: Bells\nplayers: {count: 2, from: start}\n"
    "files: [things.yaml, game.rules, traits/]\n",
    "things.yaml": """\
lists: {end: [turn, phase, round, game, ever]}
kinds: {player: {attributes: {points: int}}, imp: {of: player, at_most: 2}}
cards: {card: {columns: {face: trait}, rows: []}}
zones:
  gear: {of: imp, holds: card, seen_by: everyone, in_force: true}
  table: {holds: card, seen_by: everyone, in_force: true}
state: {start: player}
""",
    "game.rules": """\
game:
  rounds until round == 9:
    morning
    evening
phase morning: turns p from start once each: offer any actions to p or pass
phase evening: turns p from start once each: offer any actions to p or pass
action hush(end e) during morning:
  for card c in gear + table:
    if e == turn: silence c until end of turn
    if e == phase: silence c until end of phase
    if e == round: silence c until end of round
    if e == game: silence c until end of game
    if e == ever: silence c
action wake during morning: for card c in gear + table: restore c
action rest during evening: actor.points += 1
value score(player p) -> int: p.points
""",
    **trait("mark", "always after wake: nothing"),
}
ENDS = ["turn", "phase", "round", "game", "ever"]
PASSES = [0, 1, 2, 4]  # passes until the silence is there, the turn is over, the phase, the round


def scenario(name: str, steps: list[str], working: bool) -> str:
    return f"""\
- name: {name}
  given:
    phase: morning
    turn: ana
    players: {{ana: {{imp: [imp: mark]}}, bob: {{}}}}
    zones: {{table: [mark]}}
  when: [{", ".join(steps)}]
  then: [{"" if working else "not "}imp has mark, count(card c in table where c is working) == {int(working)}]
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_longest_holds(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    for one, other in product(ENDS, ENDS):
        for gone, passes in enumerate(PASSES):
            working = gone > max(ENDS.index(one), ENDS.index(other))
            steps = [f"hush {one}", f"hush {other}", *["pass"] * passes, "run: to the next question"]
            found.append(scenario(f"{one} {other} {gone}", steps, working))
        found.append(scenario(f"{one} {other} restored", [f"hush {one}", f"hush {other}", "wake"], True))
        again = [f"hush {one}", f"hush {other}", "wake", f"hush {one}", *["pass"] * 4, "run: to the next question"]
        found.append(scenario(f"{one} {other} again", again, ENDS.index(one) < 3))
    assert failures(FILES, "".join(found), tmp_path, backend, monkeypatch) == []
