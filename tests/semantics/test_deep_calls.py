"""Routines that go from row to row by calling themselves are reported where there are more rows than calls (W522)."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.base.numbers import DEEPEST
from rulelang.compiler.compilation import Compilation

MANIFEST = """\
id: board
version: 1.0.0
language: 1
title: {en: Board}
players: {count: 2}
options: {stones: {is: 1..300, default: 3, text: How many}}
files: [things.yaml, game.rules]
"""
THINGS = """\
grids:
  cell:
    columns: {x: int, soil: soil}
    attributes: {wet: bool, far: number}
    maps: {m: {x: [%s], soil: [%s]}}
lists: {soil: [sand, clay], stone: {count: %s, attributes: {wet: bool, on: maybe stone}}}
"""
FLOW = "game: %s\nvalue score(player p) -> int: count(cell c where c.wet)\n"
FLOOD = """\
routine soak(cell c):
  require not c.wet
  c.wet = true
  for cell d in neighbours(c): soak(d)
"""


def written(folder: Path, rules: str, *, side: int = 19, stones: int | str = 3, begin: str = "nothing") -> Path:
    row = "[" + ", ".join(map(str, range(1, side + 1))) + "]"
    things = THINGS % (", ".join([row] * side), ", ".join(["sand"] * side), stones)
    for name, text in {"ruleset.yaml": MANIFEST, "things.yaml": things, "game.rules": FLOW % begin + rules}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def codes(folder: Path) -> list[str]:
    return [one.code for one in Compilation(folder).diagnostics]


BY_OTHERS = """\
routine soak(cell c):
  c.wet = true
  for cell d in neighbours(c) where not d.wet: pass_on(d)
routine pass_on(cell c): soak(c)
"""
BY_LET = """\
routine soak(cell c):
  require any(cell d in neighbours(c) where not d.wet)
  c.wet = true
  let next = first(cell d in neighbours(c) where not d.wet) otherwise c
  soak(next)
"""
COUNTED_UP = """\
routine soak(cell c, int far):
  require not c.wet
  c.wet = true
  c.far = far
  for cell d in neighbours(c): soak(d, far + 1)
"""
STONES = "routine soak(stone s):\n  require not s.wet\n  s.wet = true\n  for stone t where not t.wet: soak(t)\n"
SAME_SOIL = FLOOD.replace("in neighbours(c): soak", "in neighbours(c) where d.soil == c.soil: soak")


@pytest.mark.parametrize("rules", [FLOOD, BY_OTHERS, BY_LET, COUNTED_UP, SAME_SOIL])
def test_a_board_with_more_spaces_than_calls(rules: str, tmp_path: Path) -> None:
    assert codes(written(tmp_path, rules)) == ["W522"]


@pytest.mark.parametrize("stones", [300, "option.stones"])
def test_a_list_that_may_have_more_rows_than_calls(stones: int | str, tmp_path: Path) -> None:
    assert codes(written(tmp_path, STONES, side=3, stones=stones)) == ["W522"]


ALONG = FLOOD.replace("in neighbours(c): soak", "in neighbours(c) where d.x == c.x: soak")
LIMITED = """\
routine soak(cell c, int left):
  require left > 0
  c.wet = true
  for cell d in neighbours(c): soak(d, left - 1)
"""
CHOSEN = """\
routine soak(cell c):
  c.wet = true
  choose cell d in neighbours(c) where not d.wet: soak(d)
"""
STAYS = """\
routine soak(cell c):
  if not c.wet:
    c.wet = true
    soak(c)
"""
ONCE = "routine soak(cell c): c.wet = true\nroutine spread(cell c):\n  for cell d in neighbours(c): soak(d)\n"
LOOP = """\
routine soak(cell c):
  c.wet = true
  repeat until no(cell d where not d.wet and any(cell e in neighbours(d) where e.wet)):
    for cell d where not d.wet and any(cell e in neighbours(d) where e.wet): d.wet = true
"""


@pytest.mark.parametrize("rules", [ALONG, LIMITED, CHOSEN, STAYS, ONCE, LOOP])
def test_no_false_alarms(rules: str, tmp_path: Path) -> None:
    assert codes(written(tmp_path, rules)) == []


@pytest.mark.parametrize("side", [3, 14])
def test_a_board_with_fewer_spaces_than_calls(side: int, tmp_path: Path) -> None:
    assert side * side < DEEPEST
    assert codes(written(tmp_path, FLOOD, side=side)) == []


def test_one_mistake_is_reported_once(tmp_path: Path) -> None:
    endless = "routine soak(cell c):\n  c.wet = true\n  soak(first(cell d) otherwise c)\n"
    assert codes(written(tmp_path, endless)) == ["W521"]
    assert codes(written(tmp_path, BY_OTHERS.replace("pass_on(cell c): soak(c)", "pass_on(cell c):\n"
                 "  for cell d in neighbours(c) where not d.wet: soak(d)"))) == ["W522"]  # fmt: skip


def test_the_loop_that_is_proposed_runs_on_a_large_board(tmp_path: Path) -> None:
    state = load(written(tmp_path, LOOP, begin="soak(a1)")).new(2, 1)
    assert [*state.scores] == [361, 361]
