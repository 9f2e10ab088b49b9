"""Games that ask forced decisions: what a perft, a solver or a lesson counts."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import rulelang
from rulelang.runtime.agents import Random, make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.state import SaveError, State
from tests.backends.named import BACKENDS
from tests.native.machine import needs_compiler
from tests.properties.games import Ruleset, everywhere, game_of, usual

#: Positions after so many moves, from 1.
PERFT = (4, 12, 56, 244, 1396, 8200, 55092)


@pytest.fixture(scope="module")
def reversi(root: Path) -> Game:
    return rulelang.load(root / "examples" / "reversi")


def perft(state: State, depth: int) -> int:
    if state.over or not depth:
        return 1
    if depth == 1:
        return state.option_count
    found = 0
    for index in range(state.option_count):
        after = state.clone()
        after.play(index)
        found += perft(after, depth - 1)
    return found


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_perft_counts_forced_moves(reversi: Game, backend: str) -> None:
    state = reversi.new(2, log=False, backend=backend, ask_forced=True)
    assert tuple(perft(state, depth) for depth in range(1, 5)) == PERFT[:4]


@needs_compiler
def test_a_deep_perft_differs_from_one_without_forced_moves(reversi: Game) -> None:
    asked = reversi.new(2, log=False, backend="native", ask_forced=True)
    silent = reversi.new(2, log=False, backend="native")
    assert (perft(asked, 6), perft(silent, 6)) == (PERFT[5], 8212)


@pytest.mark.slow
@needs_compiler
def test_a_deeper_perft(reversi: Game) -> None:
    assert perft(reversi.new(2, log=False, backend="native", ask_forced=True), 7) == PERFT[6]


@everywhere
def test_it_is_the_same_game_with_more_questions(ruleset: Ruleset) -> None:
    """Whatever is forced is asked, nothing else; each question that leaves a choice finds the same position and log."""
    silent = usual(ruleset).new(3, log=True)
    table = usual(ruleset).table
    asked = game_of(ruleset).start(table, 3, ask_forced=True)
    cells, forced, made = table.program.layout.cells, 0, 0
    agent = Random(3)
    while True:
        while asked.option_count == 1:
            assert asked.decision.kind != "stop"
            asked.play(0)
            forced += 1
        assert (asked.decisions, silent.decisions, len(asked.choices)) == (made + forced, made, made + forced)
        words, others = list(asked.words), list(silent.words)
        assert (words[cells.stepping], others[cells.stepping]) == (2, 0)
        words[cells.stepping] = 0
        assert words[: table.program.layout.stack] == others[: table.program.layout.stack]
        assert [str(event) for event in asked.log[-3:]] == [str(event) for event in silent.log[-3:]]
        assert asked.over == silent.over
        if asked.over:
            break
        choice = agent.choose(silent)
        silent.play(choice)
        asked.play(choice)
        made += 1
    assert forced == others[cells.forced] > 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_flag_stays_with_copies_saves_pickles_and_replays(reversi: Game, backend: str) -> None:
    state = reversi.new(2, seed=3, backend=backend, ask_forced=True)
    while state.option_count != 1:
        state.play(state.decisions % state.option_count)
    assert (state.decision.options[0].text, state.asks_forced) == ("pass", True)
    record = json.loads(json.dumps(reversi.record(state)))
    jsonschema = pytest.importorskip("jsonschema")
    schema = Path(__file__).resolve().parents[2] / "schemas" / "replay.schema.json"
    jsonschema.validate(record, json.loads(schema.read_text(encoding="utf-8")))
    for other in (
        state.clone(), state.without_log(), state.imagined(3), state.determinize(1, 4),
        reversi.restore(state.save(), backend), reversi.replay(record, backend=backend),
        pickle.loads(pickle.dumps(state)),
    ):  # fmt: skip
        assert (other.asks_forced, other.option_count, other.decisions) == (True, 1, state.decisions)
        other.play("pass")
        assert other.decisions == state.decisions + 1
    before = state.hash()
    state.play(0)
    assert (state.undo(), state.hash(), state.option_count) == (1, before, 1)
    with pytest.raises(SaveError, match="`ask_forced` is not true or false"):
        reversi.replay({**record, "ask_forced": 1})
    assert not reversi.new(2).asks_forced


@needs_compiler
def test_agents_and_playouts_take_forced_decisions(reversi: Game) -> None:
    for backend in ("python", "native"):
        state = reversi.new(2, seed=3, backend=backend, ask_forced=True)
        agent = make_agent("mc:2")
        while state.option_count != 1:
            state.play(state.decisions % state.option_count)
        assert agent.choose(state) == 0
        assert sum(state.playout(5)) <= 64


def test_a_recording_of_such_a_game_is_played_again(reversi: Game, tmp_path: Path) -> None:
    from rulelang.testing.replay import played, read
    from rulelang.testing.replay_writer import ReplayWriter

    state = reversi.new(2, seed=3, ask_forced=True)
    with ReplayWriter(tmp_path / "game.jsonl", reversi.info) as writer:
        writer.begin(state)
        for _ in range(12):
            writer.move(state, 0)
            state.play(0)
    (recorded,) = read(tmp_path / "game.jsonl").games
    assert [*played(reversi, recorded)][-1].hash() == state.hash()
