"""Every pair of traits that can meet in a move of these games does so in a recorded one (`python -m
tests.fuzzing.record_golden` records them anew, where rules have changed)."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.apps.fuzzing.meetings import can_meet, counting_traits
from rulelang.apps.fuzzing.pairs import find_games, measure_pairs, pairs_in_recorded, write_games
from rulelang.compiler.compilation import Compilation
from rulelang.testing.replay import read
from tests.cli.helpers import run
from tests.fuzzing.pool import pool
from tests.fuzzing.record_golden import GAMES, file_of


@pytest.mark.parametrize("name", GAMES)
def test_every_pair_that_can_meet_does(root: Path, name: str) -> None:
    folder = root / "rulesets" / name
    counts = counting_traits(Compilation(folder).graph)
    can, game = can_meet(counts), load(folder)
    assert len(can) > 100
    left = set(can)
    for recorded in read(file_of(name)).games:
        for met in pairs_in_recorded(game, recorded, counts):
            left -= met
    assert not left


def test_which_can_meet(tmp_path: Path) -> None:
    """Those that count in one action; not one whose rule hooks what nothing causes beside the others."""
    folder = pool(tmp_path / "pool", sound=True)
    resolutions = counting_traits(Compilation(folder).graph)
    assert resolutions["graze"] == {"greedy", "shy", "armed"}
    assert not resolutions["breed"]
    assert len(can_meet(resolutions)) == 6
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("1 + gain(c)", "1 + gain(c) + fins(c)"), "utf-8")
    assert counting_traits(Compilation(folder).graph)["graze"] == {"greedy", "shy", "armed", "finned"}


def test_games_are_found_written_and_count(tmp_path: Path) -> None:
    folder = pool(tmp_path / "pool", sound=True)
    counts = counting_traits(Compilation(folder).graph)
    game, wanted = load(folder), can_meet(counts)
    golden = [*find_games(game, counts, wanted, 2)]
    assert set().union(*(one.met for one in golden)) == wanted
    write_games(game, tmp_path / "golden.jsonl", golden)
    report = measure_pairs(str(folder), replays=[tmp_path / "golden.jsonl"])
    assert report.recorded == wanted
    assert not report.untested
    done = run("coverage", str(folder), "--pairs", "--replays", str(tmp_path / "golden.jsonl"))
    assert "6 more met in recorded games" in done.output
    assert "no scenario and no recorded game: none" in done.output
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("draw 3", "draw 2"), "utf-8")
    done = run("coverage", str(folder), "--pairs", "--replays", str(tmp_path / "golden.jsonl"))
    assert done.exit_code == 2
    assert "a recorded game now plays out differently: the position before move 1 differs" in done.output
