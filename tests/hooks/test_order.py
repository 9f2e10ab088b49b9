"""The order of hooks is that of meaning.md, and no trait that is not in play has a part in it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rulelang.runtime.state import State
from tests.hooks.small import started, told, unoptimised, write
from tests.native.machine import needs_compiler

__all__ = ["unoptimised"]

THINGS = """\
kinds:
  knot: {of: player, line: true, at_most: 4, names: [a, b, c, d, e, f, g, h]}
cards:
  card:
    columns: {face: trait, shape: int, tag: {is: int, by: copy}}
    rows:
      - {face: tie, shape: 1, tag: [1, 2, 3, 4, 5, 6, 7, 8, 9]}
      - {face: load, shape: 2, tag: [1, 2, 3, 4, 5, 6, 7, 8, 9]}
      - {face: bell, shape: 3, tag: [1, 2, 3, 4]}
zones:
  gear: {of: knot, holds: card, seen_by: everyone, in_force: true}
  purse: {of: knot, holds: card, seen_by: everyone, in_force: true}
state: {first_player: player}
"""

RULES = """\
game: tying
phase tying:
  for player p: repeat 3 times: create knot of p at left
  turns p from first_player until all pass in a row: offer one action to p or pass
value score(player p) -> int: 0
action tie(knot x of actor, knot y) during tying:
  require x != y
  let c = first(card c in box where c.shape == 1)
  move c to x.gear with y
action load(knot x of actor) during tying:
  let c = first(card c in box where c.shape == 2)
  move c to x.gear
action stow(knot x of actor) during tying:
  let c = first(card c in box where c.shape == 2)
  move c to x.purse
action slip(knot x of actor) during tying:
  let c = first(card c in box where c.shape == 2)
  move c to bottom of x.gear
action hang(knot x of actor) during tying:
  let c = first(card c in box where c.shape == 3)
  move c to x.gear
action loosen(card c in gear + purse) during tying: move c to box
action tug(knot x of actor) during tying: pull(x)
routine pull(knot x): nothing
"""

TRAITS = {
    "tie": 'pair: mutual\nrules: |\n  after pull(self): tells "tie {this.tag} {self}"\n',
    "load": 'rules: |\n  after pull(any): tells "load {this.tag} {self}"\n',
    "bell": 'rules: |\n  after pull(x) when x.owner == owner: tells "bell {this.tag} {self}"\n',
}

#: Traits that nobody bears.
ABSENT = {
    "a plain one": "after pull(x) when x.owner != owner: nothing",
    "one of no bearer": "always after pull(any): nothing",
    "one with two hooks": "after pull(self): nothing\n  after pull(any): nothing",
    "one that copies": "copy cards on right_of(self)",
    "one that may": "may after pull(self): nothing",
}


@dataclass
class Expected:
    """The cards of a game: those in the box, the first on the bottom, and those that lie on knots, the oldest first."""

    box: dict[str, list[int]]
    laid: list[tuple[str, int, str, str]] = field(default_factory=list)  # face, tag, on, partner

    def lay(self, face: str, on: str, partner: str = "") -> None:
        if self.box[face]:
            self.laid.append((face, self.box[face].pop(0), on, partner))

    def loosen(self, face: str, tag: int) -> None:
        self.laid = [card for card in self.laid if card[:2] != (face, tag)]
        self.box[face].append(tag)

    def pulled(self, x: str, rows: list[list[str]]) -> list[str]:
        """What is told when x is pulled; `rows` are the knots of each player, from the active one on."""
        found = []
        mine = next(row for row in rows if x in row)
        for knot in (knot for row in rows for knot in row):
            for trait in ("bell", "load", "tie"):
                for face, tag, on, partner in self.laid:
                    works = trait == "load" or (knot in mine if trait == "bell" else knot == x)
                    if face == trait and knot in (on, partner) and works:
                        found.append(f"{face} {tag} {knot}")
        return found


def rows(state: State) -> list[list[str]]:
    """The knots of each player along his line, from the active player on."""
    players = state.view()["players"]
    seats = [(state.active - 1 + k) % len(players) for k in range(len(players))]
    return [[thing["name"] for thing in players[seat]["things"]["knot"]] for seat in seats]


def ruleset(folder: Path, absent: str) -> Path:
    files = {"things.yaml": THINGS, "game.rules": RULES}
    files |= {f"traits/{name}.yaml": f"trait: {name}\ntext: {name}\n{text}" for name, text in TRAITS.items()}
    if absent:
        head = "trait: absent\ntext: absent\ncards: [{shape: 4, tag: [1, 2, 3]}]\nrules: |\n  "
        files["traits/absent.yaml"] = head + ABSENT[absent] + "\n"
    return write(folder / "knots", files)


def a_game(state: State, seed: int) -> int:
    """A random game of some length, each pull told as expected; how many lines were told."""
    chance = random.Random(seed)
    expected = Expected({"tie": list(range(1, 10)), "load": list(range(1, 10)), "bell": list(range(1, 5))})
    for _ in range(60):
        texts = [option.text for option in state.decision.options]
        word = chance.choice([*sorted({text.split()[0] for text in texts} - {"pass"}), "tug"])
        text = chance.choice([text for text in texts if text.split()[0] == word])
        before, around = len(told(state)), rows(state)
        state.play(state.decision.options[texts.index(text)])
        match text.split():
            case ["tug", knot]:
                assert told(state)[before:] == expected.pulled(knot, around), text
            case ["tie", knot, other]:
                expected.lay("tie", knot, other)
            case ["loosen", face, *tag]:  # what is printed is named only where it tells cards apart
                alone = next(card[1] for card in expected.laid if card[0] == face)
                expected.loosen(face, int(tag[0]) if tag else alone)
            case ["hang", knot]:
                expected.lay("bell", knot)
            case [_, knot]:
                expected.lay("load", knot)
    return len(told(state))


@pytest.mark.parametrize("absent", ["", *ABSENT])
def test_hooks_of_bearers_go_by_row_then_trait_then_age(tmp_path: Path, absent: str) -> None:
    where = ruleset(tmp_path, absent)
    for seed in range(4):
        assert a_game(started(where), seed) > 20


@needs_compiler
@pytest.mark.usefixtures("unoptimised")
def test_the_order_is_that_of_native_games(tmp_path: Path) -> None:
    where = ruleset(tmp_path, "one of no bearer")
    for seed in range(4):
        assert a_game(started(where, backend="native"), seed) > 20
