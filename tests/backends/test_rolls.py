"""What dice show is told one by one, and their sum kept; alike on both backends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulelang
from tests.cli.helpers import MANIFEST
from tests.native.machine import needs_compiler

RULES = """\
game:
  roll 1d6 as one
  roll 3d6 as few
  let n = few - 2
  roll n d4 as some
  roll 9d8 as many
  roll 0 d6 as none_at_all
  total = one + few + some + many + none_at_all
value score(player p) -> int: total
"""
TOTAL = re.compile(r"the di(?:e|ce) shows? (?:[\d +]+ = )?(\d+)$")


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_each_die_is_told(tmp_path: Path, backend: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "things.yaml").write_text("state: {total: number}\n", encoding="utf-8")
    (tmp_path / "game.rules").write_text(RULES, encoding="utf-8")
    game = rulelang.load(tmp_path)
    for seed in range(5):
        state = game.new(2, seed, backend=backend)
        told = [event.text for event in state.log]
        assert told == [event.text for event in game.new(2, seed).log]
        totals = [int(found[1]) for line in told if (found := TOTAL.search(line))]
        assert len(totals) == 5
        assert state.scores == [sum(totals)] * 2
        first, second = told[:2]
        assert re.fullmatch(r"the die shows [1-6]", first)
        faces = re.fullmatch(r"the dice show (\d) \+ (\d) \+ (\d) = (\d+)", second)
        assert faces is not None
        *three, few = map(int, faces.groups())
        assert sum(three) == few
        singles = [int(line.rpartition(" ")[2]) for line in told if line.startswith("a die shows ")]
        assert len(singles) == max(0, few - 2) + 9
        assert sum(singles) == totals[2] + totals[3]
