"""Things die and are made: what is made finds room while fewer than `at_most` of its owner's live, in games of every
shipped ruleset; and nothing that is kept of a dead thing comes to mean another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import rulelang
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering
from rulelang.compiler.lower.state import moving
from tests.backends.named import BACKENDS
from tests.properties.games import ROOT, SHIPPED
from tests.scenarios.court import failures


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """From now on a `create` fails loudly where its owner has fewer than `at_most`; the kinds that are made."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))  # nobody else may find these tables, nor we theirs
    usual, seen = moving.create_function, list[str]()

    def create(kind: str, low: Lowering) -> str:
        name = usual(kind, low)
        if kind not in seen:
            seen.append(kind)
        laid, function = low.plan.kinds[kind], low.functions[name]
        room = ir.Compare("<", ir.Cell(laid.count, moving.OWNER), ir.Const(laid.most))
        fail = ir.Branch(room, (ir.Fail("X604", NOWHERE, "no room", ()),))
        body = tuple(
            replace(s, then=(fail, *s.then)) if isinstance(s, ir.Branch) and s.then == (ir.Return(ir.Const(0)),) else s
            for s in function.body
        )
        if not any(isinstance(s, ir.Branch) and fail in s.then for s in function.body):
            assert body != function.body
            low.functions[name] = replace(function, body=body)
        return name

    monkeypatch.setattr(moving, "create_function", create)
    return seen


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_made_finds_room(name: str, strict: list[str]) -> None:
    game = rulelang.load(ROOT / "rulesets" / name)
    for players in game.players[1:]:
        game.simulate(40, players=players, seed=players)
    assert strict


WARREN = {
    "ruleset.yaml": "id: warren\nversion: 1.0.0\nlanguage: 1\ntitle: Warren\nplayers: {count: 2, from: start}\n"
    "files: [things.yaml, game.rules]\n",
    "things.yaml": """\
kinds:
  player: {attributes: {points: int, heir: maybe rabbit}}
  rabbit: {of: player, line: true, at_most: 2, attributes: {friend: maybe rabbit, size: number}}
state: {start: player, oldest: maybe rabbit}
""",
    "game.rules": """\
game:
  rounds until round == 9: meadow
phase meadow:
  turns p from start once each: offer any actions to p or pass
action love(rabbit r of actor, rabbit s) during meadow:
  r.friend = s
  oldest = s
  actor.heir = s
action lose(rabbit r of actor) during meadow: remove r
action bear during meadow:
  require count(rabbit r of actor) < 2
  create rabbit r of actor
  r.size = 5
action replace_each during meadow:
  for rabbit r of actor:
    offer_up(r)
routine offer_up(rabbit r):
  r.owner.points += 1
  remove r
  r.owner.points += 100
value score(player p) -> int: p.points
""",
}
SCENARIOS = """\
- name: what has gone makes room for the next action
  given: {phase: meadow, turn: ana, players: {ana: {rabbit: [one, two]}, bob: {rabbit: [far]}}}
  when: [lose one, bear, lose two, bear]
  then: [count(rabbit r of ana) == 2, "sum(rabbit r of ana: r.size) == 10"]
- name: nothing that is kept comes to mean what is made in its place
  given: {phase: meadow, turn: ana, players: {ana: {rabbit: [one, two]}, bob: {rabbit: [far]}}}
  when: [love two one, lose one, bear]
  then: [two.friend is missing, oldest is missing, ana.heir is missing, count(rabbit r of ana) == 2]
- name: what lives is kept
  given: {phase: meadow, turn: ana, players: {ana: {rabbit: [one, two]}, bob: {rabbit: [far]}}}
  when: [love two far, lose one, bear, pass, bob: pass, ana: pass]
  then: [two.friend == far, oldest == far, ana.heir == far]
- name: a variable of a routine that goes on means nothing else
  given: {phase: meadow, turn: ana, players: {ana: {rabbit: [one, two]}, bob: {rabbit: [far]}}}
  when: [replace_each, bear]
  then: [ana.points == 2, count(rabbit r of ana) == 1]
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_room_within_a_turn(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failures(WARREN, SCENARIOS, tmp_path, backend, monkeypatch) == []
