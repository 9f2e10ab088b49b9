"""Tournaments: who sits where, what is counted, what is printed."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from rulelang import load
from rulelang.apps.lab.statistics import wilson_interval
from rulelang.apps.lab.tournament import Played, Sitting, Tournament, rate_agents, sittings, tournament
from rulelang.apps.lab.workers import ThisProcess, play
from rulelang.data.schema import schema_problems
from rulelang.runtime.game import Game
from tests.cli.helpers import run

NAMES = ["random", "first", "mc:20"]


@pytest.fixture(scope="module")
def pebbles(root: Path) -> Game:
    return load(root / "examples" / "pebbles")


@pytest.fixture(scope="module")
def found(pebbles: Game) -> Tournament:
    return tournament(pebbles, NAMES, 12, 2, seed=5)


def test_everybody_has_every_seat_in_every_deal() -> None:
    plan = list(sittings(3, 2, 5))
    assert Counter(seats for seats, _ in plan) == dict.fromkeys(
        [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)], 3
    )  # 5 games of a lineup are 6: whole deals
    assert [deal for _, deal in plan] == sorted(deal for _, deal in plan)
    assert {seats for seats, _ in sittings(2, 4, 1)} == {(0, 1, 0, 1), (1, 0, 1, 0)}
    assert Counter(who for seats, _ in sittings(4, 3, 3) for who in seats) == dict.fromkeys(range(4), 9)


def test_standings_are_what_was_played(found: Tournament) -> None:
    assert found.wanted == len(found.games) == 36
    assert found.repeatable
    standings = {one.agent: one for one in found.standings()}
    assert next(iter(standings)) == "mc:20"
    assert sum(one.wins for one in standings.values()) == 36
    for number, name in enumerate(NAMES):
        wins = sum(game.wins[game.seats.index(number)] for game in found.games if number in game.seats)
        assert (standings[name].games, standings[name].wins) == (24, wins)
        assert standings[name].share == wilson_interval(wins, 24)
    share, both = found.duel("mc:20", "random")
    assert both == 12
    assert share.value == 1 - found.duel("random", "mc:20")[0].value > 0.5


def test_the_number_of_processes_changes_nothing(pebbles: Game, found: Tournament) -> None:
    done: list[int] = []
    assert tournament(pebbles, NAMES, 12, 2, seed=5, jobs=2, progress=done.append).games == found.games
    assert done == list(range(1, 37))
    assert tournament(pebbles, NAMES, 12, 2, seed=6).games != found.games


def test_others_can_play_the_games(pebbles: Game, found: Tournament) -> None:
    """As a cluster does: see `test_ray.py`."""

    class Elsewhere(ThisProcess):
        sent: ClassVar[list[Sitting]] = []

        def play(self, task: Any, pieces: Sequence[Any], work: Callable[[Any, Any], Any] = play) -> Iterator[Any]:
            again = pickle.loads(pickle.dumps(task))
            for piece in pieces:
                self.sent.append(piece)
                yield work(again, piece)

    there = Elsewhere()
    assert tournament(pebbles, NAMES, 12, 2, seed=5, workers=there) == found
    assert there.sent == list(sittings(3, 2, 12))


def test_the_same_deal_in_all_seats(pebbles: Game) -> None:
    """Two who play alike win as often: each has the better seat once in every deal."""

    games = tournament(pebbles, ["mc:3", "mc:03"], 20, 2).games
    assert sum(game.wins[game.seats.index(0)] for game in games) == 10


def test_ratings_follow_the_games() -> None:
    games = [Played((k % 2, 1 - k % 2), k // 2, (1.0, 0.0) if k % 2 else (0.0, 1.0), (3, 2)) for k in range(30)]
    weak, strong = rate_agents(2, games)
    assert weak.mu < 25 < strong.mu
    assert strong.sigma < 25 / 3
    assert strong.ordinal > weak.ordinal
    tie = Played((0, 1), 0, (0.5, 0.5), (9, 1))
    one, other = rate_agents(2, [tie])
    assert one.mu == pytest.approx(other.mu)


def test_broken_off_it_keeps_what_was_played(pebbles: Game) -> None:
    def stop(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    for jobs in (1, 2):
        kept = tournament(pebbles, NAMES, 12, 2, seed=5, jobs=jobs, progress=stop)
        assert (len(kept.games), kept.wanted) == (5, 36)
        assert len(kept.standings()) == 3


def test_what_is_no_tournament_is_told(pebbles: Game) -> None:
    for names, why in ((["mc"], "at least two agents"), (["mc", "mc"], "named twice"), (["mc", "mx"], "no agent `mx`")):
        with pytest.raises(ValueError, match=why):
            tournament(pebbles, names, 2)


def test_the_command(root: Path) -> None:
    words = ["tournament", str(root / "examples" / "pebbles"), "-a", "random,mc", "--time", "9", "-n", "6"]
    shown = run(*words)
    assert shown.exit_code == 0, shown.output
    assert "6 games of 2 players, seed 0" in shown.output
    assert "mc:9" in shown.output
    assert all(len(line) <= 80 for line in shown.output.splitlines())
    report = json.loads(run(*words, "--format", "json").output)
    assert schema_problems("tournament", report) == []
    assert [one["agent"] for one in report["standings"]] == ["mc:9", "random"]
    assert report["repeatable"]
    assert len(report["played"]) == 6
    table = run(*words, "--format", "markdown").output
    assert "| mc:9 |" in table
    assert "| agent | finishes ahead of | how often | games |" in table
    timed = run(*words[:4], "--time", "1ms", "-n", "2").output
    assert "time budgets depend on" in timed
    for wrong, why in ((["-a", "random"], "at least two agents"), (["--time", "soon"], "`soon` is not a budget")):
        refused = run(*words[:2], *wrong)
        assert (refused.exit_code, why in refused.output) == (2, True), refused.output
