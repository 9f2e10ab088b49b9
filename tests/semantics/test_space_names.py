"""Spaces of a grid have names in rules, as rows of lists do."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.spaces import Spaces
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.run import run_path
from tests.native.machine import needs_compiler
from tests.reference.played import compared, game_of, games

MANIFEST = """\
id: board
version: 1.0.0
language: 1
title: {en: Board}
players: {count: 2, from: start}
files: [things.yaml, game.rules]
"""
THINGS = """\
lists: {city: {attributes: {at: {is: field, start: c2}}, rows: [bonn, kiel]}}
grids:
  field:
    columns: {high: bool}
    attributes: {cubes: number}
    maps: {m: {high: [true false true, false]}}
kinds: {player: {attributes: {home: {is: field, start: b1}, last: maybe field}}}
tables: {walked: {of: [player, field], is: int}}
state: {start: player, king: {is: field, start: b2}, lost: maybe field}
"""
RULES = """\
game: rounds until round == 4: day
phase day:
  turns p from start once each: offer one action to p or pass
routine visit(player p, field f):
  walked[p, f] += 1
  f.cubes += 1
  p.last = f
after visit(any, c1): a1.cubes += 1
before visit(any, b2) when king == b2: king = c2
forbid visit(any, a2) because "{a2} is flooded"
modify worth(c2): + 5
modify worth(f): + 1 when f in neighbours(b1)
value worth(field f) -> int: (f if f.high else king).cubes
value middle -> field: b1
action go(field f where f != b1) during day: visit(actor, f)
action back during day:
  let there = a1 if actor.home == b1 else c1
  visit(actor, there)
  actor.home = there
  bonn.at = b2
  lost = c1
value score(player p) -> int: sum(field f where (f == a1 or f == middle or f == p.last): f.cubes) + walked[p, c1]
value tiebreak(player p) -> order: worth(c2) then worth(a1) then b1.cubes
"""
SCENARIOS = """\
- name: spaces by name
  given:
    phase: day
    turn: ana
    state: {king: b2}
    players: {ana: {home: c1}, bob: []}
    lists: {field: {a2: {cubes: 2}}, city: {kiel: {at: a1}}}
  when: [go b2, go c1]
  then:
    - king == c2
    - a1.cubes == 1 and b2.cubes == 1 and c1.cubes == 1
    - kiel.at == a1 and bonn.at == c2
    - ana.last == b2 and walked[bob, c1] == 1
    - worth(c2) > worth(c1)
"""


def written(folder: Path, things: str = THINGS, rules: str = RULES) -> Path:
    for name, text in {"ruleset.yaml": MANIFEST, "things.yaml": things, "game.rules": rules}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def mistakes(folder: Path, more: str, things: str = THINGS) -> list[Diagnostic]:
    return [*Compilation(written(folder, things, RULES + more)).diagnostics]


def test_the_reference_agrees(tmp_path: Path) -> None:
    game = game_of(written(tmp_path))
    assert sum(1 for _ in games(game, 60)) == 60
    assert compared(game)[1] == 0


@pytest.mark.parametrize("backend", [pytest.param("native", marks=needs_compiler)])
def test_backends_agree(backend: str, tmp_path: Path) -> None:
    game, ends = load(written(tmp_path)), []
    for one in ("python", backend):
        state, chance = game.new(2, 3, backend=one), random.Random(3)
        while not state.over:
            state.play(chance.randrange(state.option_count))
        ends.append((state.hash(), state.scores))
    assert ends[0] == ends[1]


def test_scenarios_name_spaces(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "spaces.yaml").write_text(SCENARIOS, encoding="utf-8")
    (found,) = run_path(tmp_path).outcomes
    assert not [*found.mistakes, *found.failures]


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("value x -> bool: king == d1\n", "did you mean `c1`?"),
        ("value x -> bool: king == b7\n", "did you mean `b2`?"),
        ("value x -> int: e9.cubes\n", "did you mean `c2`?"),
        ("value x -> int: worth(z1)\n", "did you mean `c1`?"),
        ("after visit(any, a4): lost = a1\n", "did you mean `a2`?"),
    ],
)
def test_the_nearest_space_is_proposed(rule: str, hint: str, tmp_path: Path) -> None:
    (found,) = mistakes(tmp_path, rule)
    assert found.code in ("N350", "N359")
    assert "`field` has columns a to c and rows 1 to 2" in found.because
    assert found.hint == hint


def test_a_start_beyond_the_edge(tmp_path: Path) -> None:
    (found,) = mistakes(tmp_path, "", THINGS.replace("start: b2", "start: b3"))
    assert (found.code, found.hint) == ("N305", "did you mean `b2`?")
    assert found.because == "`field` has columns a to c and rows 1 to 2"


@pytest.mark.parametrize(
    ("things", "rules", "what"),
    [
        ("state: {a1: int, start", "", "the state value"),
        ("zones: {a1: {holds: card}}\ncards: {card: {rows: [{copies: 2}]}}\nstate: {start", "", "the zone"),
        ("numbers: {a1: 3}\nstate: {start", "", "the number"),
        ("state: {start", "value a1 -> int: 3\n", "the value"),
    ],
)
def test_a_declared_name_hides_a_space(things: str, rules: str, what: str, tmp_path: Path) -> None:
    found = mistakes(tmp_path, rules, THINGS.replace("state: {start", things))
    assert [one.message for one in found if one.code == "N375"] == [f"{what} `a1` hides a space of `field`"]


def test_declared_names_go_before_spaces(tmp_path: Path) -> None:
    things = THINGS.replace("state: {start", "state: {a1: {is: field, start: c2}, start")
    state = load(written(tmp_path, things, RULES + "invariant kept: a1 == c2\n")).new(2, 1)
    assert not state.over


def test_variables_go_before_spaces(tmp_path: Path) -> None:
    assert not mistakes(tmp_path, "value x -> int: sum(field a1: a1.cubes)\nvalue y(field b2) -> bool: b2 == c1\n")


def test_one_name_in_two_grids(tmp_path: Path) -> None:
    things = THINGS.replace("kinds:", "  sky: {columns: {stars: int}, maps: {m: {stars: [1 2]}}}\nkinds:")
    found = mistakes(tmp_path, "value x(sky s) -> bool: s == b1\nvalue y(field f) -> bool: b1 == f\n", things)
    assert {one.code for one in found} == {"N351"}  # where the type is not known: `a1.cubes`
    assert {one.message[4:] for one in found} == {" is ambiguous: it is a space of `field` and a space of `sky`"}
    assert not [one for one in found if one.span.line > RULES.count("\n")]


def test_names_of_spaces() -> None:
    board = Spaces(30, 2)
    assert [board["a1"], board["b1"], board["z1"], board["aa1"], board["ad2"]] == [1, 2, 26, 27, 60]
    assert list(board)[25:27] == ["z1", "aa1"]
    assert all(board[name] == number for number, name in enumerate(board, 1))
    assert not {"a0", "a3", "ae1", "a01", "A1", "a", "1a"} & {*board}
    assert "a01" not in board
    assert [board.nearest(name) for name in ("zz9", "a3", "frog1", "a1b")] == ["ad2", "a2", None, None]
