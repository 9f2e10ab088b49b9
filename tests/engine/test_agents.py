"""Agents, and series between them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from rulelang.agents import AGENTS, First, Greedy, Ismcts, MonteCarlo, Random, make_agent
from rulelang.engine.game import Game
from rulelang.engine.program import LinkedProgram
from rulelang.lab.simulate import simulate
from tests.engine.fake import fake_game, link
from tests.engine.test_state import laying

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
    for name, why in (("mc:0", "no budget"), ("ismcts:many", "no budget"), ("greedy:5", "does not search")):
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
    assert shown.split() == ["1", "True"]
