"""Agents of installed packages, budgets in games, time and threads, and what agents do wrong."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from rulelang import load
from rulelang.runtime.agents import Agent, First, Ismcts, MonteCarlo, agent_names, make_agent, with_budget
from rulelang.runtime.rng import Generator
from rulelang.runtime.search import Budget, best_of, read_budget
from rulelang.runtime.seating import begin_agent
from rulelang.runtime.state import State
from tests.engine.fake import fake_game
from tests.fuzz.tiny import write
from tests.native.machine import needs_compiler

MODULE = """\
class Last:
    def choose(self, state):
        return state.option_count - 1

class Nth:
    def __init__(self, which="0"):
        self.which = int(which)
        self.name = f"nth:{which}"

    def start(self, seed):
        self.seed = seed

    def choose(self, state):
        return min(self.which, state.option_count - 1)

class Stubborn:
    def choose(self, state):
        return 99

class Idle:
    pass

def broken():
    raise OSError("no disk")
"""
POINTS = """\
[rulelang.runtime.agents]
last = players:Last
nth = players:Nth
stubborn = players:Stubborn
idle = players:Idle
broken = players:broken
nowhere = players:Nowhere
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package that brings agents, as pip lays one out."""
    (tmp_path / "players.py").write_text(MODULE, encoding="utf-8")
    info = tmp_path / "players-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: players\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return info


def test_an_installed_agent_plays_by_its_name(package: Path) -> None:
    assert agent_names()[-2:] == ["nth", "stubborn"]
    game = fake_game()
    result = game.simulate(6, 2, seed=3, agents=["last", "nth:1"])
    assert result.played["agents"] == ["Last", "nth:1"]
    assert make_agent("nth").choose(game.new(2, 1)) == 0
    assert result.points != game.simulate(6, 2, seed=3, agents=["first", "first"]).points


def test_what_is_wrong_with_an_installed_agent_is_told(package: Path) -> None:
    for name, why in (
        ("idle", "is not an agent: give a name"),
        ("broken", "cannot be used: OSError: no disk"),
        ("nowhere", "cannot be used: AttributeError"),
        ("last:4", "cannot be used: TypeError"),
        ("lst", "did you mean `last`"),
    ):
        with pytest.raises(ValueError, match=why):
            make_agent(name)
    with pytest.raises(ValueError, match="`Stubborn` chose 99, which is not an option"):
        fake_game().simulate(1, 2, agents=["stubborn"])


def test_a_name_that_is_taken_is_told(package: Path) -> None:
    (package / "entry_points.txt").write_text("[rulelang.runtime.agents]\nmc = players:Last\n", encoding="utf-8")
    with pytest.warns(RuntimeWarning, match="another one is called `mc`, which comes with rulelang"):
        assert "mc" in agent_names()
    assert isinstance(make_agent("mc"), MonteCarlo)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("500", Budget(500)),
        ("100ms", Budget(0, 100)),
        ("2s", Budget(0, 2000)),
        ("500x4", Budget(500, 0, 4)),
        ("50msx2", Budget(0, 50, 2)),
        ("x3", Budget(200, 0, 3)),
    ],
)
def test_budgets(text: str, budget: Budget) -> None:
    assert read_budget(text, 200) == budget
    assert read_budget(str(budget), 200) == budget
    assert budget.repeatable == ("s" not in text)
    assert read_budget("9xall", 200).threads >= 1


def test_a_budget_is_given_to_those_who_take_one() -> None:
    names = [with_budget(name, "20ms") for name in ("mc", "ismcts", "ismcts:7", "greedy", "random", "other")]
    assert names == ["mc:20ms", "ismcts:20ms", "ismcts:7", "greedy", "random", "other"]
    with pytest.raises(ValueError, match="not a budget"):
        with_budget("mc", "soon")


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_a_search_takes_about_the_time_that_it_is_given(root: Path, backend: str) -> None:
    names = ("mc:60ms", "ismcts:60ms", "ismcts:60msx2")
    for state, name in [(state, name) for state in wides(root, backend) for name in names]:
        agent = make_agent(name)
        begun = time.process_time()
        chosen = agent.choose(state)
        passed = time.process_time() - begun
        assert 0 <= chosen < state.option_count
        assert 0.05 < passed < 0.5  # of a core, each thread: however busy the machine is


@pytest.mark.parametrize("kind", ["greedy", "mc:3", "ismcts:6"])
@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_of_equal_options_any_is_taken(kind: str, backend: str, tmp_path: Path) -> None:
    """In this game nothing that somebody does changes the score."""
    rules = "routine trouble\naction second() during main: trouble\naction third() during main: trouble\n"
    state = load(write(tmp_path / "tiny", rules)).new(2, 1, backend=backend, log=False)
    agent = make_agent(kind)
    taken: Counter[int] = Counter()
    for seed in range(160):
        begin_agent(agent, seed)
        taken[agent.choose(state)] += 1
    assert sorted(taken) == [0, 1, 2, 3]
    assert min(taken.values()) > 18, taken  # 40 of each are expected: fewer once in 100,000 times


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_threads_share_what_they_found(root: Path, backend: str) -> None:
    state = wide(root, backend)
    chosen = {Ismcts("60x3", seed=4).choose(state) for _ in range(3)}
    assert len(chosen) == 1  # the same seed gives the same choice, whichever thread is done first
    found = [best_of([(4, 90), (9, 10), (9, 12), (9, 12)], Generator(seed)) for seed in range(40)]
    assert set(found) == {2, 3}  # of equals any
    result = load(root / "examples" / "pebbles").simulate(4, 2, 1, ["mc:3x2", First()], backend=backend)
    assert result.played["agents"] == ["mc:3x2", "first"]


def wides(root: Path, backend: str) -> list[State]:
    """Decisions of two, three, four ... options: phases and worlds of every length."""
    game = load("evolution" if backend == "native" else root / "examples" / "pebbles")
    state = game.new(2, 3, backend=backend, log=False)
    found: dict[int, State] = {}
    while not state.over:
        if state.option_count <= 9:
            found.setdefault(state.option_count, state.clone())
        state.play(state.option_count // 2)
    return list(found.values())


def wide(root: Path, backend: str) -> State:
    """A decision with some options."""
    state = load(root / "examples" / "pebbles").new(2, 3, backend=backend, log=False)
    while state.option_count < 3:
        state.play(0)
    return state


def test_the_agent_of_the_page_plays(root: Path) -> None:
    page = (root / "docs" / "agents.md").read_text(encoding="utf-8")
    names: dict[str, type[Agent]] = {}
    exec(page.split("```python\n")[1].split("```")[0], {}, names)  # the page's own example
    result = load(root / "examples" / "pebbles").simulate(4, 2, 1, [names["Careful"], "random"])
    assert result.played["agents"] == ["Careful", "random"]


@needs_compiler
def test_greedy_values_what_pays_later_in_the_round(root: Path) -> None:
    """A trait brings no points at once that a species would not bring more of; it is taken for what comes of it."""
    state = load("evolution").new(2, 1, backend="native", log=False)
    agent = make_agent("greedy")
    taken = 0
    while not state.over:
        option = agent.choose(state)
        taken += state.decision.options[option].text.startswith("play_trait")
        state.play(option)
    assert taken >= 5
