"""What can be none: built-in names outside of turns and phases, cards that are kept, faces that are not shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.named import BACKENDS
from tests.hooks.small import codes, started, told, unoptimised, write
from tests.native.machine import needs_compiler

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")

THINGS = """\
lists: {place: [near, far]}
kinds:
  pawn: {of: player, in: place, line: true, at_most: 4, attributes: {held: card, size: {is: 0..9, start: 1}}}
  player: {attributes: {points: number, one: card}}
cards:
  card: {columns: {faces: set of trait, worth: int}, rows: [{faces: odd + even, worth: 2, copies: 4}]}
zones:
  hand: {of: player, holds: card, seen_by: owner}
  gear: {of: pawn, holds: card, seen_by: everyone, in_force: true}
state: {first_player: player, total: number, kept: card, who: player, level: place}
"""
TRAITS = {
    "traits/odd.yaml": "trait: odd\ntext: {en: Odd.}\n",
    "traits/even.yaml": "trait: even\ntext: {en: Even.}\n",
}
GAME = """\
game:
  before_all
  day
phase day: turns p from first_player once each:
  if active == p and actor == p and phase is present: tells "{p} is active"
  if p == first_player:
    before_all
    inside(p)
    tells "points {active.points}"
  offer any actions to p or pass
action wait(int n from 1 to 2) during day:
  require actor.points < 5
  total = n
value score(player p) -> int: 0
"""


def lines(folder: Path, rules: str, backend: str) -> list[str]:
    inside = "" if "routine inside" in rules else "routine inside(player p): nothing\n"
    where = write(folder / "missing", {"things.yaml": THINGS, "game.rules": GAME + rules + inside, **TRAITS})
    return told(started(where, backend=backend))


def mistakes(folder: Path, rules: str) -> list[str]:
    inside = "routine inside(player p): nothing\nroutine before_all: nothing\n"
    return codes(write(folder / "missing", {"things.yaml": THINGS, "game.rules": GAME + rules + inside, **TRAITS}))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["active", "actor", "phase"])
def test_a_built_in_name_is_missing_where_nobody_acts(tmp_path: Path, name: str, backend: str) -> None:
    rules = f'routine before_all:\n  if {name} is missing: tells "missing"\n  if {name} is present: tells "present"\n'
    assert lines(tmp_path, rules, backend) == ["missing", "ana is active", "present", "points 0"]


#: Statements that read the missing player or card; nothing of them may happen.
SILENT = [
    'if active.points == 0: tells "read"',
    'if not (active.points != 0 or active.points == 0): tells "read"',
    'if not (active.points != 0 and active.points == 0): tells "read"',
    'if not active.points > 0: tells "read"',
    "create pawn of active in near",
    "create pawn of first_player in first(pawn x).place",
    'for card c in active.hand: tells "{c}"',
    'for player p from active: tells "{p}"',
    "move first(card c) to active.hand",
    "choose int n from 1 to 2 by active\n  total = n",
    "who = active",
    "total += active.points",
    "total = actor.points",
    'turns p from actor once each: tells "{p}"',
    'if kept.worth == 0: tells "read"',
    "kept = first_player.one",
    "take(kept)",
    "let k = kept\n  take(k)",
    "let shown = first(card c).face\n  named(shown)",
    "named(first(card c).face)",
    "move kept to first_player.hand",
    'if can wait(1): tells "possible"',
]
CALLED = """
routine take(card c): tells "taken {c}"
routine named(trait t): tells "named {t}"
"""


WHOLE = 'routine inside(player p): tells "{count(pawn x)} {count(card c in box)} {total} {who} {kept is missing}"\n'


def nothing_happens(folder: Path, statements: list[str], backend: str) -> None:
    calls = "".join(f"    look_{k}\n" for k in range(len(statements)))
    routines = "".join(f"routine look_{k}:\n  {text}\n" for k, text in enumerate(statements))
    found = lines(folder, f"routine before_all:\n  if phase is missing:\n{calls}{routines}{CALLED}{WHOLE}", backend)
    assert found == ["ana is active", "0 4 0 ana true", "points 0"]


@pytest.mark.parametrize("statement", SILENT)
def test_nothing_happens_through_what_is_missing(tmp_path: Path, statement: str) -> None:
    nothing_happens(tmp_path, [statement], "python")


@needs_compiler
def test_nor_does_it_natively(tmp_path: Path) -> None:
    nothing_happens(tmp_path, SILENT, "native")


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_face_is_missing_until_it_is_shown(tmp_path: Path, backend: str) -> None:
    rules = """\
routine before_all: nothing
routine inside(player p):
  let c = first(card k)
  tells "{c.face is missing}"
  create pawn x of p in near
  for trait t in c.faces where t.number == 1: move c to x.gear as t
  tells "{c.face is missing} {c.face.number}"
"""
    assert lines(tmp_path, rules, backend) == ["ana is active", "true", "false 1", "points 0"]


#: What is asked for where it cannot be missing.
SURE = [
    "value v(player p) -> bool: p is missing",
    "value v(place p) -> bool: p is present",
    "value v -> bool: who is missing",
    "value v -> bool: level is present",
    "value v -> bool: near is missing",
    "value v -> bool: nobody is missing",
    "value v -> bool: best is missing\nvalue best -> player: first_player",
    "action a(player p) during day:\n  require actor is present\n  who = p",
    "action a(player p) during day:\n  if p is missing: who = p",
]
UNSURE = [
    "value v(pawn x) -> bool: x is missing",
    "value v(pawn x) -> bool: x.owner is missing",
    "value v(pawn x) -> bool: x.held is missing",
    "value v(card c) -> bool: c.face is missing",
    "value v -> bool: kept is missing",
    "value v -> bool: active is missing or actor is missing or phase is missing",
    "value v -> bool: first(player p) is missing",
    "value v(maybe player p) -> bool: p is missing",
]


@pytest.mark.parametrize("rules", SURE)
def test_what_is_never_missing_is_not_asked_for(tmp_path: Path, rules: str) -> None:
    assert mistakes(tmp_path, f"{rules}\n") == ["T404"]


@pytest.mark.parametrize("rules", UNSURE)
def test_what_may_be_missing_is(tmp_path: Path, rules: str) -> None:
    assert mistakes(tmp_path, f"{rules}\n") == []


@pytest.mark.parametrize(
    "rules", ["value v -> int: active.points", "value v -> player: actor", "value v -> int: actor.points + 1"]
)
def test_a_value_says_what_holds_without_an_actor(tmp_path: Path, rules: str) -> None:
    assert mistakes(tmp_path, f"{rules}\n") == ["T403"]
    sure = rules.replace("active.points", "active.points otherwise 0")
    sure = sure.replace(": actor.points + 1", ": (actor.points otherwise 0) + 1")
    assert mistakes(tmp_path, sure.replace(": actor", ": actor otherwise nobody") + "\n") == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_nobody_has_no_turn_and_is_offered_nothing(tmp_path: Path, backend: str) -> None:
    rules = """\
routine before_all: nothing
routine inside(player p):
  create pawn x of nobody in near
  who = x.owner
  turns q from x.owner once each: tells "{q} {active} {actor}"
  wild
  tells "{next(x.owner) is missing}"
phase wild: offer any actions to who or pass
action howl(int n from 1 to 2) during wild: total = n
"""
    assert lines(tmp_path, rules, backend) == [
        "ana is active", "ana ana ana", "bob ana bob", "true", "points 0"
    ]  # fmt: skip
