"""A small game of which every kind of file is a part: what hostile files are made of. It stays as it is: the corpus
says where in its bytes something is changed."""

from __future__ import annotations

import io
import zipfile

from tests.crabs import SETTLE, ZONES, feeding
from tests.workbooks import workbook

MANIFEST = """\
id: reef
version: 1.2.0
language: 1
title: {en: Reef, de: Riff}
players: {count: [2, 3], from: start}
options:
  tide: {is: bool, default: false, text: more water}
  depth: {is: 1..4, default: 2, text: how deep it is}
modes:
  storm: {files: [storm.rules], text: it storms}
files: [things.yaml, game.rules, traits/]
"""
THINGS = (
    """\
lists:
  colour: [red, green, blue]
  reach: {rows: [near, far], attributes: {water: {is: 0..20, start: 4}}}
numbers: {supply: 6, most: 9}
cards:
  card:
    columns: {face: trait, food: {is: int, by: copy}}
    rows:
      - {face: finned, food: [1, 2, 2, 3]}
      - {face: shy, food: [1, 1, 2]}
  shell:
    from: shells.csv
    columns: {hue: colour, worth: int, heavy: {is: bool, default: false}}
  pearl:
    from: {file: pearls.xlsx, sheet: Pearls}
    columns: {shine: int}
kinds:
  crab:
    of: player
    line: true
    at_most: 3
    names: [nip, nab, nob, nan, nod, nix, ned, nat, nel]
    attributes:
      weight: {is: 0..most, start: 1}
      eaten: {is: bool, resets: round}
  player:
    attributes: {bag: number, purse: {is: 0..20, start: 5, seen_by: owner}}
zones:
"""
    + ZONES
    + """\
  beach: {holds: shell, seen_by: everyone}
  depths: {holds: pearl, seen_by: nobody}
state:
  start: player
  water: 0..60
"""
)
RULES = (
    """\
# The reef: crabs graze and grow.
game:
  for card c: move c to deck
  for shell c: move c to beach
  for pearl c: move c to depths
  shuffle deck
  for player p: settle(p)
  rounds until round == 3:
    rest
    feeding
    start = next(start)
"""
    + SETTLE
    + """\
phase rest:
  water += supply + (3 if option.tide else 0)
"""
    + feeding("the reef is bare")
    + """\
action collect(shell s in beach) during feeding once per round:
  tells "{actor} takes {s}"
  require s.worth <= actor.purse because "{s} costs {s.worth}"
  actor.purse -= s.worth
  move s to box
routine eat(crab c):
  require c.weight < most because "{c} is full"
  tells "{c} eats"
  c.weight = min(most, c.weight + 1 + gain(c))
  c.eaten = true
  water -= 1
value gain(crab c) -> int: 0
value score(player p) -> int: p.bag + sum(crab c of p: c.weight)
invariant light: no(crab c where c.weight > most)
"""
)
CSV = """\
id,hue,worth,heavy,copies
whelk,red,2,,2
cone,green,3,true,1
conch,blue,5,,1
"""
BOOK = """\
[Pearls]
id,shine,copies
dull,1,2
bright,4,1
"""
SCENARIO = """\
- name: grazing
  given:
    {phase: feeding, turn: ana, state: {water: 3}, players: {ana: {hand: [shy 1], crab: [nip: [finned 2]]}, bob: [nob]}}
  when: [graze nip, {bob: pass}, grow nip finned: {refused: hand}]
  then: [nip.weight == 3, {log: nip eats}]
"""
LANG = """\
texts:
  wolf: Wolf
  nip: Zwick
  "the reef is bare": das Riff ist kahl
  "{c} eats": "{c} frisst"
  "{c} is full": "{c} ist satt"
"""
FILES = {
    "ruleset.yaml": MANIFEST,
    "things.yaml": THINGS,
    "game.rules": RULES,
    "storm.rules": "after rest: water = max(0, water - 2)\n",
    "traits/finned.yaml": "trait: finned\nname: {en: Finned, de: Flosse}\nrules: |\n  modify gain(self): + 1\n",
    "traits/shy.yaml": 'trait: shy\nrules: |\n  forbid eat(self) when self.weight > 4 because "it hides"\n',
    "shells.csv": CSV,
    "scenarios/a.yaml": SCENARIO,
    "lang/de.yaml": LANG,
}
MOD = {
    "mod.yaml": (
        "id: silt\nversion: 1.0.0\nlanguage: 1\ntitle: Silt\nextends: {reef: '>=1.0, <2'}\n"
        "options: {mud: {is: bool, default: true, text: it is muddy}}\nfiles: [silt.yaml, silt.rules]\n"
    ),
    "silt.yaml": (
        "set: {numbers.supply: 4}\ncards:\n  card:\n    rows:\n      - {face: shy, food: [5]}\nstate: {silt: 0..9}\n"
    ),
    "silt.rules": 'after rest:\n  silt = min(9, silt + 1)\nforbid graze(any) when silt > 8 because "it is choked"\n',
}


def members(data: bytes) -> dict[str, bytes]:
    """What is in a zip, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip of these, the same every time."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def pearls() -> dict[str, bytes]:
    """The members of the workbook but its date of birth."""
    return {name: data for name, data in members(workbook(BOOK)).items() if name != "docProps/core.xml"}
