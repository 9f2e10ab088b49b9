"""Studies on a Ray cluster say what studies in one process say, also when a worker is killed in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rulelang.apps.lab.simulate import simulate_on
from rulelang.apps.lab.study import Study
from rulelang.apps.lab.tournament import tournament
from rulelang.apps.lab.workers import LocalWorkers, play
from tests.lab.duel import duel
from tests.lab.dying import dying

pytest.importorskip("ray", reason="ray is not installed: the extra `ray`")

from rulelang.apps.lab.workers import Ray

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[Ray]:
    import ray

    # So that workers find this folder's tests.
    root = str(Path(__file__).resolve().parents[2])
    ray.init(
        num_cpus=2, log_to_driver=False, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": root}}
    )  # fmt: skip
    yield Ray()
    ray.shutdown()


def test_it_says_the_same(tmp_path: Path, cluster: Ray) -> None:
    game = duel(tmp_path)
    found = []
    for workers in (None, cluster, LocalWorkers(2)):
        one = Study(game, agents=["random"], seed=3, workers=workers)
        one.play(350)
        found.append(one.figures())
    assert found[0] == found[1] == found[2]
    series = simulate_on(cluster, game, 300, 2, seed=3, agents=["first", "random"])
    assert series.points == game.simulate(300, 2, 3, ["first", "random"]).points
    agents = ["first", "random", "mc:3"]
    there = tournament(game, agents, 12, seed=4, workers=cluster)
    assert there == tournament(game, agents, 12, seed=4)


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, cluster: Ray) -> None:
    (tmp_path / "game").mkdir()
    study = Study(duel(tmp_path / "game"), agents=["random"], seed=3)
    task = replace(study.task, options={"flag": str(tmp_path / "killed")})
    pieces = [(first, 100, None) for first in range(0, 500, 100)]
    there = list(cluster.play(task, pieces, dying))
    assert (tmp_path / "killed").exists(), "nobody was killed"
    here = [play(study.task, piece) for piece in pieces]
    assert [part.wins.tolist() for part in there] == [part.wins.tolist() for part in here]
    assert [part.reached.tolist() for part in there] == [part.reached.tolist() for part in here]
