"""Agents, and series between them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from rulelang import load
from rulelang.apps.lab.simulate import simulate
from rulelang.runtime.agents import AGENTS, First, Greedy, Ismcts, MonteCarlo, Random, make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.program import LinkedProgram
from rulelang.runtime.seating import Seated
from rulelang.runtime.state import State
from tests.engine.fake import fake_game, link
from tests.engine.test_state import laying
from tests.native.machine import needs_compiler

GAME = fake_game()


def test_one_random_agent_in_all_seats_plays_the_fast_paths_games() -> None:
    assert GAME.simulate(20, 3, seed=6, agents=[Random()]).points == GAME.simulate(20, 3, seed=6).points


def test_greedy_beats_random() -> None:
    result = GAME.simulate(40, 2, seed=1, agents=[Greedy(), Random()])
    assert result.wins[0] > 28
    assert result.points == GAME.simulate(40, 2, seed=1, agents=[Greedy(), Random()]).points


def test_greedy_takes_what_scores_most() -> None:
    state = laying()
    before = state.hash()
    chosen = state.decision.options[Greedy().choose(state)].text
    assert "lay" in chosen or "grow" in chosen
    assert state.hash() == before


def test_agents_go_by_name() -> None:
    assert {type(make_agent(name)) for name in AGENTS} == {First, Greedy, Ismcts, MonteCarlo, Random}
    with pytest.raises(ValueError, match="did you mean `greedy`"):
        make_agent("gredy")
    searching = make_agent("mc:77")
    assert isinstance(searching, MonteCarlo)
    assert searching.inner == ("mc", 77)
    for name, why in (
        ("mc:0", "not a budget"),
        ("ismcts:many", "not a budget"),
        ("greedy:5", "has no budget"),
        ("mc:0ms", "a time must be 1ms"),
        ("mc:4x0", "threads must be 1"),
        ("mc:", "is not a budget"),
        ("mc:-3", "is not a budget"),
        ("mc:1e3", "is not a budget"),
    ):
        with pytest.raises(ValueError, match=why):
            make_agent(name)


@pytest.mark.parametrize("agents", [None, ["random"], ["greedy", "first"]])
def test_the_number_of_processes_changes_nothing(agents: list[str] | None) -> None:
    done: list[int] = []
    one = simulate(GAME, 120, 2, seed=3, agents=agents)
    many = simulate(GAME, 120, 2, seed=3, agents=agents, jobs=2, progress=done.append)
    assert one.points == many.points
    assert one.wins == many.wins
    assert done == ([50, 100, 120] if agents != ["greedy", "first"] else [*range(7, 120, 7), 120])


def test_a_process_that_helps_links_the_table_once(tmp_path: Path) -> None:
    notes = tmp_path / "linked"
    fake = fake_game()
    game = Game(fake.info, fake.players, fake.options, partial(link_and_note, notes))
    simulate(game, 400, 2, seed=3, jobs=2)  # eight pieces
    linked = notes.read_text(encoding="utf-8").split()
    assert len(linked) == len(set(linked)) <= 3


def link_and_note(notes: Path, players: int, options: Mapping[str, int], backend: str) -> LinkedProgram:
    """Links the table and notes in which process."""
    with notes.open("a", encoding="utf-8") as out:
        out.write(f"{os.getpid()}\n")
    return link(players, options, backend)


def test_imagined_chance_is_other_chance() -> None:
    state = laying()
    other = state.imagined(99)
    assert other.option_count == state.option_count
    assert other.hash() != state.hash()
    assert state.imagined(99).hash() == other.hash()


def test_importing_the_package_is_cheap(root: Path) -> None:
    code = (
        "import rulelang, sys;print(len([m for m in sys.modules if m.startswith('rulelang')]), 'load' in dir(rulelang))"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["2", "True"]  # and `aliases`


class Last:
    """An agent of one's own, at the top of a module: it can be sent to other processes."""

    def choose(self, state: State) -> int:
        return state.option_count - 1


@pytest.mark.parametrize(
    "agents", [["greedy", "first"], [Greedy(), First()], [Greedy, "first"], [Last(), Last], [Last, "greedy"]]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_library_and_the_lab_take_the_same_agents(agents: list[Seated], jobs: int) -> None:
    one = GAME.simulate(60, 2, seed=3, agents=agents, jobs=jobs)
    assert one.points == simulate(GAME, 60, 2, seed=3, agents=agents, jobs=3 - jobs).points
    assert one.played["agents"] in (["greedy", "first"], ["Last", "Last"], ["Last", "greedy"])


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_agents_of_a_real_game_too(root: Path, backend: str) -> None:
    game = load(root / "examples" / "pebbles")
    for agents in (["mc:2"], [MonteCarlo(2), Random], [Last, "ismcts:3"]):
        one = game.simulate(52, 2, seed=3, agents=agents, backend=backend)
        assert one.points == simulate(game, 52, 2, 3, agents, backend=backend, jobs=2).points


def test_random_agents_by_name_take_the_fast_path_everywhere() -> None:
    fast = GAME.simulate(20, 2, seed=3).points
    assert GAME.simulate(20, 2, seed=3, agents=["random"]).points == simulate(GAME, 20, 2, 3, ["random"]).points == fast


def test_what_is_no_agent_is_told() -> None:
    class Inside(Last):
        pass

    for wrong in (3, None, object(), lambda: 7):
        with pytest.raises(ValueError, match="is not an agent"):
            GAME.simulate(2, 2, agents=[wrong])  # type: ignore[list-item]
    for given, why in (("mc:20", "must be a list"), (["gredy"], "did you mean")):
        with pytest.raises(ValueError, match=why):
            GAME.simulate(2, 2, agents=given)  # type: ignore[arg-type]
    assert GAME.simulate(2, 2, agents=[Inside]).games == 2
    with pytest.raises(ValueError, match="cannot be sent to other processes"):
        GAME.simulate(2, 2, agents=[Inside], jobs=2)


def test_a_result_tells_what_was_played() -> None:
    played = GAME.simulate(2, 3, seed=1, options={"map": "coast"}).as_json()
    assert {key: played[key] for key in ("ruleset", "version", "mods", "mode", "options", "agents")} == {
        "ruleset": "fake",
        "version": "1.0.0",
        "mods": {},
        "mode": None,
        "options": {"limit": 6, "teams": False, "map": "coast"},
        "agents": ["random"] * 3,
    }


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_what_a_seat_does_not_know_is_dealt_anew(root: Path, backend: str) -> None:
    state = load(root / "rulesets" / "evolution").new(4, 5, backend=backend)
    for _ in range(40):
        state.play(0)
    before, seen = state.hash(), state.view(state.decider)
    worlds = [state.determinize(state.decider, seed) for seed in range(6)]
    assert [world.view(state.decider) for world in worlds] == [seen] * 6
    assert len({world.hash() for world in worlds}) == 6
    assert [world.decision.options for world in worlds] == [state.decision.options] * 6
    others = [seat for seat in range(1, 5) if seat != state.decider]
    assert any(world.view(seat) != state.view(seat) for world in worlds for seat in others)
    assert state.determinize(state.players[state.decider - 1], 3).hash() == worlds[3].hash()
    assert state.hash() == before
    for world in worlds:
        assert world.seed is None
        assert world.undo() == 0
        while not world.over:
            world.play(0)
    with pytest.raises(ValueError, match="no player"):
        state.determinize(9, 1)


@needs_compiler
def test_worlds_and_games_are_the_same_on_both_backends(root: Path) -> None:
    game = load(root / "rulesets" / "evolution")
    one, two = (game.new(4, 5, backend=backend) for backend in ("python", "native"))
    while not one.over:
        assert one.hash() == two.hash()
        assert one.words == two.words
        if len(one.choices) % 20 == 0:
            assert one.determinize(1, 3).hash() == two.determinize(1, 3).hash()
            assert one.save() == two.save()
            assert one.imagined(4).hash() == two.imagined(4).hash()
        for state in (one, two):
            state.play(state.option_count * 2 // 3)
    assert [str(event) for event in one.log] == [str(event) for event in two.log]
    assert two.undo(3) == 3
    assert two.decision.options
