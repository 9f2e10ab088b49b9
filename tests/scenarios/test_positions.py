"""What `given` can say, and that it comes to lie so."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import one

POSITIONS = {
    "things in the long form, with places, truth values and rows": """
given:
  phase: feeding
  turn: bob
  state: {water: 3}
  players:
    ana: {bag: 2, crab: [nip weight 4 sated true home west, nab], boat: [junk in east]}
    bob: {hand: [shy], crab: [nob: finned trips 3]}
then:
  - ana.bag == 2 and nip.weight == 4 and nip.sated and nip.home == west
  - nab.weight == 1 and nab.home is missing
  - right_of(nip) == nab
  - junk.beach == east and junk.owner == ana
  - nob has finned and count(card c in bob.hand) == 1
  - "sum(card c in nob.traits: c.trips) == 3"
  - start == bob and active == bob and round == 1
  - {decision: bob}
""",
    "zones of things in the long form, and cards that are not yet in force": """
given:
  phase: feeding
  turn: ana
  players:
    ana: {crab: [nip weight 2: {traits: [shy], hidden: [finned]}]}
    bob: {crab: [nob]}
then:
  - nip has shy and not nip has finned
  - count(card c in nip.hidden) == 1
""",
    "the first card of a list is the top one, and the rest comes in declared order": """
given:
  phase: feeding
  turn: ana
  zones: {deck: [shy, finned food 2, rest], discards: [finned 1]}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
then:
  - "sum(card c in discards: c.food) == 1"
  - count(card c in deck) == 4
  - count(card c in box) == 0
""",
    "a card told by its value is taken before one that is not": """
given:
  phase: feeding
  turn: ana
  players:
    ana: {hand: [finned, finned], crab: [nip]}
    bob: {hand: [finned food 1], crab: [nob]}
then:
  - "sum(card c in ana.hand: c.food) == 4"
""",
    "zones and attributes of rows, and tables": """
given:
  phase: feeding
  turn: ana
  zones: {shed: {east: [rod green, net], west: [rod 1]}}
  lists: {beach: {east: {tide: 4}}}
  tables: {shoal: {nip: {east: 3, west: 1}, nob: {west: 2}}}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
then:
  - count(tool t in east.shed) == 2 and count(tool t in west.shed) == 1
  - east.tide == 4 and west.tide == 0
  - shoal[nip, east] == 3 and shoal[nip, west] == 1 and shoal[nob, west] == 2
""",
    "options and the round": """
given:
  phase: feeding
  turn: ana
  round: 3
  options: {storm: true}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}, cara: {crab: [nan]}}
then:
  - option.storm and players == 3
  - round == 3
""",
    "a phase without a turn is entered as in play": """
given:
  phase: rest
  state: {start: bob, water: 1}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
when: [run: to the next question]
then:
  - water == 2
  - phase == feeding
  - {decision: bob}
""",
    "without a phase the game begins at its beginning": """
given:
  players: 2
then:
  - count(card c in deck) == 5
  - round == 1 and water == 1
  - {decision: ana}
""",
    "a mode of the ruleset": """
mode: rough
given:
  phase: feeding
  turn: ana
  state: {water: 3}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
when:
  - graze nip
then:
  - nip.weight == 4
""",
    "test rows": """
rows: {tool: {axe: {cost: 7, hue: red}}, card: {big: {face: shy, food: [9]}}}
given:
  phase: feeding
  turn: ana
  zones: {shed: {east: [axe, net]}}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
then:
  - "sum(tool t in east.shed: t.cost) == 9"
  - count(card c in box where c.food == 9) == 1
""",
    "dice": """
given:
  phase: feeding
  turn: ana
  dice: [6]
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
when:
  - cast
  - {dice: [2]}
  - bob: cast
then:
  - die == 2
""",
    "who is made later has the name that the game gives": """
given:
  phase: feeding
  turn: ana
  players: {ana: {crab: [nob]}, bob: {crab: [fay]}}
when:
  - breed
then:
  - right_of(nob) == nob2 and nob2.weight == 1
  - nix is missing
""",
}


@pytest.mark.parametrize("title", POSITIONS)
def test_position(title: str, tmp_path: Path) -> None:
    outcome = one(tmp_path, POSITIONS[title])
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))
