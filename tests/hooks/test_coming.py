"""What comes after others have gone: `at_most` counts the living, in one action, in phases and outside of turns."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.errors import RuleError
from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.hooks.small import play, started, told, unoptimised, write

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")


THINGS = """\
kinds:
  pawn: {of: player, line: true, at_most: 2, names: [a, b, c, d], attributes: {size: {is: 0..9, start: 1}}}
state: {first_player: player, total: number, kept: maybe pawn}
"""
DAY = "phase day: turns p from first_player once each: offer any actions to p or pass\n"
FLOW = "game:\n  for player p: fill(p)\n  day\n" + DAY
FILL = """\
routine fill(player p):
  repeat 2 times: create pawn of p
routine swap(player p):
  let x = first(pawn y of p)
  kept = x
  remove x
  create pawn n of p
  n.size = 5
  tells "{count(pawn y of p)} with {n is present}, {x is missing}, {kept is missing}"
routine empty(player p):
  for pawn x of p: remove x
value score(player p) -> int: 0
"""
CASES = {
    "an action": FLOW + "action go during day: swap(actor)\n",
    "a hook": FLOW + "action go during day: total += 1\nafter go: swap(actor)\n",
    "a nested phase": (
        FLOW + "action go during day: dusk\nphase dusk: offer one action to actor\n"
        "action one during dusk: swap(actor)\naction two during dusk: nothing\n"
    ),
    "two actions, and a thing has a name": (
        "game:\n  for player p: fill(p)\n  day\n"
        "phase day:\n  turns p from first_player once each:\n    let z = first(pawn y of p)\n"
        "    offer any actions to p or pass\n    if z is missing: total += 1\n"
        "action go during day:\n  for pawn x of actor where x.number == 1: remove x\n"
        "action one during day:\n  require count(pawn x of actor) < 2\n  create pawn n of actor\n  n.size = 5\n"
        '  tells "{count(pawn y of actor)} with {n is present}, true, true"\n'
    ),
    "outside of turns": (
        "game:\n  for player p: fill(p)\n  for player p: swap(p)\n  day\n" + DAY + "action go during day: total += 1\n"
    ),
}


def game(folder: Path, rules: str, backend: str) -> State:
    return started(write(folder / "pawns", {"things.yaml": THINGS, "game.rules": rules + FILL}), backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rules", CASES.values(), ids=CASES)
def test_what_has_gone_makes_room(tmp_path: Path, rules: str, backend: str) -> None:
    state = game(tmp_path, rules, backend)
    play(state, "go")
    if "action one" in rules:
        play(state, "one")
    assert told(state)[-1] == "2 with true, true, true"


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_more_than_at_most_live(tmp_path: Path, backend: str) -> None:
    """With room for what has gone there are no more that live."""
    rules = FLOW + (
        "action go during day:\n  swap(actor)\n  create pawn n of actor\n"
        '  tells "{count(pawn y of actor)}, {n is missing}"\n'
    )
    state = game(tmp_path, rules, backend)
    play(state, "go")
    assert told(state)[-1] == "2, true"
    assert next(iter(state.names.layout.kinds.values())).per_owner == 4


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_than_there_is_room_for_is_told(tmp_path: Path, backend: str) -> None:
    rules = FLOW + "action go during day:\n  repeat 3 times: swap(actor)\n"
    state = game(tmp_path, rules, backend)
    with pytest.raises(RuleError) as told_:
        play(state, "go")
    assert told_.value.diagnostic.code == "X612"


@pytest.mark.parametrize("backend", BACKENDS)
def test_between_turns_and_phases_room_is_free_again(tmp_path: Path, backend: str) -> None:
    """No slots beside those for the living where each lets go before the next one comes."""
    rules = (
        "game:\n  for player p: fill(p)\n  repeat 4 times:\n    dawn\n    day\n    dusk\n"
        + DAY
        + "phase dawn: for player p where no(pawn x of p): fill(p)\nphase dusk: for player p: empty(p)\n"
        'action go during day:\n  total += 1\n  tells "{count(pawn x of actor)}"\naction die during day: empty(actor)\n'
    )
    state = game(tmp_path, rules, backend)
    assert next(iter(state.names.layout.kinds.values())).per_owner == 2
    play(state, "go", "die", "pass", "go", "pass", "go", "pass", "go")
    assert told(state) == ["2", "2", "2", "2"]
