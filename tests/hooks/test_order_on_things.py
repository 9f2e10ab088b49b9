"""The cards on a thing come in the order in which they were laid, wherever they lie: in either of its zones, under
older ones, or at the other end of a pair."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.runtime.state import State
from tests.hooks.small import started, told, unoptimised, write
from tests.native.machine import needs_compiler

__all__ = ["unoptimised"]

THINGS = """\
kinds:
  knot: {of: player, line: true, at_most: 3, names: [a, b, c, d, e, f]}
cards:
  card:
    columns: {face: trait, shape: int, tag: {is: int, by: copy}}
    rows:
      - {face: tie, shape: 1, tag: [1, 2, 3, 4, 5, 6]}
      - {face: lean, shape: 2, tag: [7, 8, 9, 10, 11, 12]}
      - {face: load, shape: 3, tag: [13, 14, 15, 16, 17, 18]}
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
action lean(knot x of actor, knot y) during tying:
  require x != y
  let c = first(card c in box where c.shape == 2)
  move c to x.purse with y
action load(knot x of actor) during tying:
  let c = first(card c in box where c.shape == 3)
  move c to x.gear
action slip(knot x of actor) during tying:
  let c = first(card c in box where c.shape == 3)
  move c to bottom of x.purse
action loosen(card c in gear + purse) during tying: move c to box
action list(knot x) during tying:
  for card c on x: tells "{c.tag}"
  for card c on x sorted by most c.shape: tells "sorted {c.tag}"
  for card c on x where c.shape != 1 with least c.shape: tells "least {c.tag}"
  for knot y of actor, card c on y where y != x: tells "{y} {c.tag}"
action front(knot x where any(card c on x)) during tying:
  let c = first(card c on x where c.shape != 3) otherwise first(card d on x)
  tells "{c.tag}"
action feel(knot x, card c on x) during tying: nothing
action pick(knot x where any(card c on x)) during tying:
  choose card c on x: tells "{c.tag}"
action grope(knot x of actor, maybe card c on x) during tying in steps: nothing
"""

TRAITS = {
    "tie": "pair: mutual",
    "lean": "pair: directed",
    "load": "",
}

SHAPES = ("tie", "lean", "load")


def ruleset(folder: Path) -> Path:
    files = {"things.yaml": THINGS, "game.rules": RULES}
    files |= {f"traits/{name}.yaml": f"trait: {name}\ntext: {name}\n{text}\n" for name, text in TRAITS.items()}
    return write(folder / "knots", files)


class Laid:
    """The tags of the cards on each knot, the oldest first; `box`: those of each shape that lie on none."""

    def __init__(self) -> None:
        self.box = [list(range(1, 7)), list(range(7, 13)), list(range(13, 19))]
        self.cards: list[tuple[int, set[str]]] = []

    def lay(self, shape: int, ends: set[str]) -> None:
        if self.box[shape]:
            self.cards.append((self.box[shape].pop(0), ends))

    def loosen(self, tag: int) -> None:
        self.cards = [card for card in self.cards if card[0] != tag]
        self.box[shape(tag)].append(tag)

    def on(self, knot: str) -> list[int]:
        return [tag for tag, ends in self.cards if knot in ends]

    def listed(self, knot: str, row: list[str]) -> list[str]:
        """What `list` tells; `row` are the knots of the actor."""
        cards = self.on(knot)
        paired = [tag for tag in cards if shape(tag) != 0]
        least = min(map(shape, paired), default=0)
        found = [str(tag) for tag in cards]
        found += [f"sorted {tag}" for tag in sorted(cards, key=lambda tag: -shape(tag))]
        found += [f"least {tag}" for tag in paired if shape(tag) == least]
        return found + [f"{other} {tag}" for other in row if other != knot for tag in self.on(other)]


def shape(tag: int) -> int:
    return (tag - 1) // 6


def a_game(state: State, seed: int) -> int:
    """A random game of some length in which every list of cards is as expected; how many lists there were of two or
    more."""
    chance, laid, seen = random.Random(seed), Laid(), 0
    for _ in range(150):
        options = state.decision.options
        words = [option.text.split() for option in options]
        kinds = sorted({word[0] for word in words} - {"pass", "feel"})
        felt: dict[str, list[int]] = {}
        for option, word in zip(options, words, strict=True):
            if word[0] == "feel":
                felt.setdefault(word[1], []).append(option.key[-1])
        assert felt == {knot: laid.on(knot) for knot in felt}
        kind = chance.choice(kinds)
        option, word = chance.choice([pair for pair in zip(options, words, strict=True) if pair[1][0] == kind])
        before, row = len(told(state)), own(state)
        state.play(option)
        if kind == "grope":  # the knot is asked for in a step of its own
            option = chance.choice(state.decision.options)
            word = [kind, option.text]
            state.play(option)
        knot = word[1]
        seen += len(laid.on(knot)) > 1 and kind in ("list", "front", "pick", "grope")
        match kind:
            case "list":
                assert told(state)[before:] == laid.listed(knot, row)
            case "front":
                cards = laid.on(knot)
                paired = [tag for tag in cards if shape(tag) != 2]
                assert told(state)[before] == str([*paired, *cards][0])
            case "pick" | "grope":
                expected = laid.on(knot) + ([0] if kind == "grope" else [])
                if len(expected) > 1:
                    assert [option.key[-1] for option in state.decision.options] == expected
                    state.play(chance.choice(state.decision.options))
            case "loosen":
                laid.loosen(option.key[-1])
            case "tie" | "lean":
                laid.lay(SHAPES.index(kind), set(word[1:3]))
            case _:
                laid.lay(2, {knot})
    return seen


def own(state: State) -> list[str]:
    """The knots of whoever is asked, along his line."""
    return [thing["name"] for thing in state.view()["players"][state.decider - 1]["things"]["knot"]]


def test_cards_on_things_come_by_age(tmp_path: Path) -> None:
    where = ruleset(tmp_path)
    for seed in range(4):
        assert a_game(started(where), seed) > 10


@needs_compiler
@pytest.mark.usefixtures("unoptimised")
def test_native_games_list_them_alike(tmp_path: Path) -> None:
    where = ruleset(tmp_path)
    for seed in range(4):
        assert a_game(started(where, backend="native"), seed) > 10
