"""`meets` asks one of two printed conditions, whichever an `if` names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooks.small import codes, started, told, unoptimised, write
from tests.native.machine import needs_compiler

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")

THINGS = """\
lists: {skill: [dig, climb]}
kinds: {pawn: {of: player, at_most: 2, attributes: {size: {is: 0..9, start: 1}}}}
cards:
  tool:
    columns:
      needs: {is: condition on skill, counted_by: total}
      wants: {is: condition on skill, counted_by: twice}
      plain: condition on skill
    rows:
      spade: {needs: "dig>=2", wants: "dig>=2", plain: ""}
      rope: {needs: "dig>=1", wants: "dig==0", plain: ""}
state: {first_player: player}
"""
RULES = """\
game:
  create pawn x of first_player
  for tool t, tool u:
    for int n from 1 to 2: tells "{t} {u} {n} {fits(x, t, u, n)}"
    tells "{t} {u} {mixed(x, t, u)}"
  day
phase day: turns p from first_player once each: offer any actions to p or pass
action nap(pawn x of actor) during day: x.size = 2
value total(pawn x, skill k) -> int: x.size
value twice(pawn x, skill k) -> int: x.size * 2
value score(player p) -> int: 0
value fits(pawn x, tool t, tool u, int n) -> bool: x meets (t.needs if n == 1 else u.needs)
value mixed(pawn x, tool t, tool u) -> bool: x meets (t.needs if t == u else u.wants if t == rope else t.wants)
"""


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_each_is_counted_by_the_value_of_its_own_column(tmp_path: Path, backend: str) -> None:
    where = write(tmp_path / "either", {"things.yaml": THINGS, "game.rules": RULES})
    needs = {"spade": False, "rope": True}
    wanted = []
    for t in needs:
        for u in needs:
            wanted += [f"{t} {u} 1 {needs[t]}", f"{t} {u} 2 {needs[u]}"]
            wanted.append(f"{t} {u} {needs[t] if t == u else True}")
    assert told(started(where, backend=backend)) == [line.replace("T", "t").replace("F", "f") for line in wanted]


@pytest.mark.parametrize("said", ["t.plain", "t.plain if t == u else u.needs"])
def test_a_column_that_nothing_counts_is_named(tmp_path: Path, said: str) -> None:
    rules = f"{RULES}value v(pawn x, tool t, tool u) -> bool: x meets ({said})\n"
    assert codes(write(tmp_path / "either", {"things.yaml": THINGS, "game.rules": rules})) == ["T413"]
