"""Who is asked: for what may happen, in rules of no bearer, outside of turns, and for what belongs to nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.hooks.small import play, started, told, unoptimised, write

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")


THINGS = """\
kinds:
  goat: {of: player, line: true, at_most: 4, names: [a, b, c, d, e, f, g, h]}
cards:
  card: {columns: {face: trait}, rows: [{face: bell, copies: 3}, {face: rope, copies: 3}]}
zones:
  neck: {of: goat, holds: card, seen_by: everyone, in_force: true}
state: {first_player: player, bites: number}
"""

FLOW = """\
value score(player p) -> int: 0
routine graze(goat x) in owner's order:
  bites += 1
  tells "{x} grazes"
routine chase(goat x): tells "{x} runs"
"""

BELL = "trait: bell\ntext: bell\nrules: |\n"
ROPE = "trait: rope\ntext: rope\nrules: |\n"


def game(folder: Path, backend: str, rules: str, bell: str, rope: str = "  modify worth(self): + 0\n") -> State:
    files = {
        "things.yaml": THINGS,
        "game.rules": FLOW + "value worth(goat x) -> int: 0\n" + rules,
        "traits/bell.yaml": BELL + bell,
        "traits/rope.yaml": ROPE + rope,
    }
    return started(write(folder / "goats", files), backend=backend)


def options(state: State) -> list[str]:
    return [option.text for option in state.decision.options]


GIVE = "action give(goat x, card c in box) during field: move c to x.neck\n"


@pytest.mark.parametrize("backend", BACKENDS)
def test_outside_of_turns_the_first_player_answers(tmp_path: Path, backend: str) -> None:
    rules = (
        "game:\n  first_player = next(first_player)\n  for player p: create goat of p\n"
        "  for goat x: graze(x)\n  over_there\n"
        "phase over_there: nothing\n"
        'may before over_there: tells "yes"\n'
        'after over_there:\n  choose goat x\n  tells "{x} it is"\n'
    )
    state = game(tmp_path, backend, rules, "  modify worth(self): + 0\n")
    play(state, "bob: over_there", "bob: a")
    assert told(state)[-2:] == ["yes", "a it is"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_for_nobody_the_actor_answers(tmp_path: Path, backend: str) -> None:
    """What nobody's things may do, and what they choose; forced hooks of theirs run as well."""
    rules = (
        "game:\n  first_player = next(first_player)\n"
        "  create goat of nobody\n  for player p: create goat of p\n  field\n"
        "phase field: turns p from first_player once each: offer any actions to p or pass\n"
        "action go(goat x) during field: graze(x)\n"
        "action hunt(goat x) during field: chase(x)\n" + GIVE
    )
    bell = (
        '  may after graze(any): tells "may {self}"\n'
        '  react to chase(any):\n    choose goat y\n    tells "to {y}"\n    stop\n'
    )
    rope = '  before graze(any): tells "before {self}"\n  after graze(any): tells "after {self}"\n'
    state = game(tmp_path, backend, rules, bell, rope)
    (nobodys,) = (thing["name"] for thing in state.view()["nobody"]["goat"])
    play(state, f"bob: give {nobodys} bell", f"bob: give {nobodys} rope", "bob: go a")
    assert options(state) == [f"bell {nobodys}", "none"]
    play(state, f"bob: bell {nobodys}")
    assert told(state) == [f"before {nobodys}", "a grazes", f"may {nobodys}", f"after {nobodys}"]
    play(state, "bob: hunt a", "bob: b")
    assert told(state)[-1] == "to b"


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_owner_is_asked_once(tmp_path: Path, backend: str) -> None:
    """What may happen is picked among what has to; declining is offered when only that is left."""
    rules = (
        "game:\n  first_player = next(first_player)\n  for player p: create goat of p\n  field\n"
        "phase field: turns p from first_player once each: offer any actions to p or pass\n"
        "action go(goat x) during field: graze(x)\n" + GIVE
    )
    bell = '  may before graze(self): tells "bell before"\n  may after graze(self): tells "bell after"\n'
    rope = '  before graze(self): tells "rope before"\n  after graze(self): tells "rope after"\n'
    state = game(tmp_path, backend, rules, bell, rope)
    play(state, "give a bell", "give a bell", "give a rope", "go a")
    assert state.players[state.decider - 1] == "ana"
    assert options(state) == ["bell a #1", "bell a #2", "rope a"]
    play(state, "rope a")
    assert options(state) == ["bell a #1", "bell a #2", "none"]
    play(state, "bell a #2", "none")
    assert told(state) == ["rope before", "bell before", "a grazes"]
    assert options(state) == ["bell a #1", "bell a #2", "rope a"]
    play(state, "bell a #1", "rope a", "bell a")
    assert told(state)[3:] == ["bell after", "rope after", "bell after"]
    play(state, "bob: go a", "rope a", "none", "rope a", "none")
    assert told(state)[6:] == ["rope before", "a grazes", "rope after"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_may_instead_of(tmp_path: Path, backend: str) -> None:
    rules = (
        "game:\n  first_player = next(first_player)\n  for player p: create goat of p\n  field\n"
        "phase field: turns p from first_player once each: offer any actions to p or pass\n"
        "action hunt(goat x) during field: chase(x)\n" + GIVE
    )
    state = game(tmp_path, backend, rules, '  may instead of chase(self): tells "it stands"\n')
    play(state, "bob: give a bell", "bob: hunt a", "ana: none", "bob: hunt a", "ana: bell a", "bob: hunt b")
    assert told(state) == ["a runs", "it stands", "b runs"]
