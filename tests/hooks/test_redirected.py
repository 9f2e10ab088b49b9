"""Where an event is sent elsewhere: a trait's own routine has the bearer of the rule that sends it there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.named import BACKENDS
from tests.hooks.small import codes, play, started, told, unoptimised, write

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")


THINGS = """\
kinds:
  pawn: {of: player, line: true, at_most: 3, names: [a, b, c, d]}
cards:
  card: {columns: {face: trait}, rows: [{face: mute, copies: 2}, {face: horn, copies: 2}]}
zones:
  gear: {of: pawn, holds: card, seen_by: everyone, in_force: true}
state: {first_player: player, total: number}
"""
FLOW = """\
game:
  for player p: create pawn of p
  for pawn x, card c in box where c.number == (1 if x.owner == first_player else 2): move c to x.gear
  day
phase day: turns p from first_player once each: offer any actions to p or pass
action go(pawn y) during day: push(y)
routine push(pawn y): tells "push {y}"
routine core_bump(pawn y): tells "core {y}"
value score(player p) -> int: 0
"""
OWN = '  routine bump(pawn y):\n    nothing\n    tells "{self} bumps {y} for {owner}"\n    again(y)\n'
AGAIN = '  routine again(pawn y):\n    nothing\n    tells "{self} again {y}"\n'
CASES = {
    "to its own routine": ("  react to push(self): redirect bump(self)\n" + OWN + AGAIN,
                           ["push b", "b bumps b for bob", "b again b"]),
    "to the core": ("  react to push(self): redirect core_bump(self)\n", ["push b", "core b"]),
    "from its own routine to the core": (
        "  after push(self): bump(self)\n  react to bump(y): redirect core_bump(y)\n" + OWN + AGAIN,
        ["push b", "core b"],
    ),
    # b sends it to a, whose own card sends it back: the last to send it bears it.
    "from its own routine to itself": (
        "  after push(self): bump(self)\n"
        "  react to bump(y) when y == self: redirect bump(first(pawn z where z != self))\n" + OWN + AGAIN,
        ["push b", "a bumps b for ana", "a again b"],
    ),
    "from its own routine to another": (
        "  after push(self): bump(self)\n  react to bump(y) when y == self: redirect again(y)\n" + OWN + AGAIN,
        ["push b", "b again b"],
    ),
    "in its place": (
        "  instead of push(self): bump(self)\n"
        "  instead of again(y) when y == self:\n    proceed\n    proceed\n" + OWN + AGAIN,
        ["b bumps b for bob", "b again b", "b again b"],
    ),
    "to what it requires of its bearer": (
        "  react to push(self): redirect bump(self)\n"
        "  routine bump(pawn y):\n    require self.owner != first_player\n    nothing\n    tells \"{self} bumps\"\n",
        ["push b", "b bumps"],
    ),
}  # fmt: skip


def game(folder: Path, mute: str) -> Path:
    files = {
        "things.yaml": THINGS,
        "game.rules": FLOW + "value worth(pawn x) -> int: 1\n",
        "traits/mute.yaml": "trait: mute\ntext: mute\nrules: |\n" + mute,
        "traits/horn.yaml": "trait: horn\ntext: horn\nrules: |\n  modify worth(self): + 1\n",
    }
    return write(folder / "pawns", files)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES)
def test_the_bearer_is_that_of_the_rule(tmp_path: Path, case: str, backend: str) -> None:
    mute, expected = CASES[case]
    state = started(game(tmp_path, mute), backend=backend)
    play(state, "go b")
    assert [text for text in told(state) if ":" not in text] == expected


def test_without_a_bearer_it_is_refused(tmp_path: Path) -> None:
    mute = "  always react to push(y): redirect bump(y)\n" + OWN + AGAIN
    assert codes(game(tmp_path, mute)) == ["W509"]
