"""Names are matched without regard to case, wherever a scenario has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import one

WHOLE = """
given:
  phase: FEEDING
  turn: ANA
  options: {STORM: true}
  state: {WATER: 3, START: Bob}
  zones: {DECK: [SHY, Finned Food 2, rest], SHED: {EAST: [ROD GREEN, Net]}}
  lists: {BEACH: {EAST: {TIDE: 4}}}
  tables: {SHOAL: {NIP: {EAST: 3}}}
  players:
    ana: {BAG: 2, HAND: [Shy], CRAB: [nip WEIGHT 4 SATED TRUE HOME WEST, nab], BOAT: [junk in EAST]}
    Bob: {Crab: [Old: {TRAITS: [FINNED TRIPS 3], hidden: [FINNED FOOD 1]}]}
when:
  - ANA: {options: [GRAZE Nip, Graze NAB, CAST, Breed, play NIP shy, PLAY nab SHY, Pass]}
  - Ana: [{GRAZE Old: {refused: NOT to Ana}}]
  - EAT NIP 1
  - options: {among: [PASS], not: [Graze OLD]}
  - ana: PASS
  - BOB: [{GRAZE NIP: {refused: Not to BOB}}]
then:
  - NIP.weight == 5 and nip.home == west and nip.sated and "Nip".weight == 5
  - JUNK.beach == east and ANA.bag == 2 and start == bob and option.storm
  - shoal[Nip, east] == 3 and east.tide == 4 and count(tool t in east.shed) == 2
  - "sum(card c in OLD.traits: c.trips) == 3"
  - {decision: BOB}
  - {scores: {ANA: 8, bob: 1}}
  - {log: NIP EATS 1}
  - sees: {BOB: {ANA.HAND: hidden, NIP.WEIGHT: 5, OLD.TRAITS: [finned], log: {not: NAB EATS}}}
"""


def test_every_name(tmp_path: Path) -> None:
    outcome = one(tmp_path, WHOLE)
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ("{ana: {crab: [nip, Nip]}, bob: []}", "things have the name `Nip`"),
        ("{ana: [], Ana: []}", "players have the name `Ana`"),
    ],
)
def test_names_that_differ_by_case_only_are_one(given: str, what: str, tmp_path: Path) -> None:
    (found,) = one(tmp_path, f"given: {{phase: feeding, players: {given}}}").mistakes
    assert (found.code, found.message) == ("C706", f"two {what}")
