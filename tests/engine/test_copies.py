"""States are copied, pickled and restored with what they know; `undo` works after that."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import rulelang
from rulelang.runtime.decision import IllegalMove
from rulelang.runtime.game import Game
from rulelang.runtime.rng import Generator
from rulelang.runtime.state import UNDO, State
from tests.backends.named import BACKENDS
from tests.engine.fake import fake_game


@pytest.fixture(scope="module")
def pebbles(root: Path) -> Game:
    return rulelang.load(root / "examples" / "pebbles")


def on(state: State, moves: int, seed: int = 1) -> State:
    chance = Generator(seed)
    for _ in range(moves):
        state.play(chance.below(state.option_count))
    return state


def standing(state: State) -> tuple[object, ...]:
    texts = [] if state.over else [option.text for option in state.decision.options]
    return state.hash(), state.choices, state.players, texts, [str(event) for event in state.log]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_pickled_state_goes_on_as_the_same_game(pebbles: Game, backend: str) -> None:
    state = on(pebbles.new(2, seed=3, names=["Zoe"], options={"pebbles": 20}, backend=backend), 3)
    one, other = pickle.loads(pickle.dumps([state, state.clone()]))
    assert standing(one) == standing(other) == standing(state)
    assert one.table is other.table
    assert one.table.backend == backend
    assert standing(on(one, 2)) == standing(on(state, 2))
    assert one["pile"] == state["pile"]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_copy_is_independent(copied: object, pebbles: Game) -> None:
    state = on(pebbles.new(2, seed=3), 2)
    before = standing(state)
    other = copied(state)  # type: ignore[operator]
    assert isinstance(other, State)
    assert standing(other) == before
    other.play(0)
    assert standing(state) == before
    assert other.undo() == 1
    assert standing(other) == before


def test_what_a_clone_leaves_out_stays_left_out(pebbles: Game) -> None:
    state = on(pebbles.new(2, seed=3), 2)
    other = pickle.loads(pickle.dumps(state.determinize(1, 5)))
    assert (other.seed, len(other.log), other._tests, other.undo()) == (None, 0, False, 0)
    assert pebbles.restore(state.without_log().save()).hash() == state.hash()


def test_a_pickled_state_keeps_its_language(root: Path) -> None:
    game = rulelang.load(root / "rulesets" / "evolution")
    spoken = game.new(2, seed=3).spoken(game.language("ja"))
    assert pickle.loads(pickle.dumps(spoken)).prompt == spoken.prompt != game.new(2, seed=3).prompt


def test_another_process_in_another_folder_restores_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    state = on(rulelang.load("examples/pebbles").new(2, seed=3), 2)  # by its way from here
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    code = "import pickle; state = pickle.load(open('state', 'rb')); state.undo(); print(state.hash(), state['pile'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True,
        text=True, timeout=60,
    )  # fmt: skip
    state.undo()
    assert done.stdout.split() == [state.hash(), str(state["pile"])], done.stderr


def test_changed_rules_are_reported(root: Path, tmp_path: Path) -> None:
    rules = (root / "examples/pebbles/game.rules").read_text(encoding="utf-8")
    for name in ("ruleset.yaml", "things.yaml", "game.rules"):
        (tmp_path / name).write_text((root / "examples/pebbles" / name).read_text(encoding="utf-8"), encoding="utf-8")
    kept = pickle.dumps(rulelang.load(tmp_path).new(2))
    (tmp_path / "game.rules").write_text(rules.replace("from 1 to 3", "from 1 to 4"), encoding="utf-8")
    with pytest.raises(ValueError, match="have changed since the game was pickled"):
        pickle.loads(kept)


def test_a_state_without_a_game_says_what_to_do() -> None:
    state = fake_game().new(2)
    assert standing(pickle.loads(pickle.dumps(state))) == standing(state)
    object.__setattr__(state.table, "home", None)
    with pytest.raises(TypeError, match=r"use `state.save\(\)` instead"):
        pickle.dumps(state)


def test_exceptions_of_other_processes_keep_what_they_say(pebbles: Game, tmp_path: Path) -> None:
    with pytest.raises(IllegalMove) as caught:
        pebbles.new(2).play("take 9")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reasons) == (str(caught.value), caught.value.reasons)
    with pytest.raises(rulelang.LoadError) as refused:
        rulelang.load(tmp_path / "nothing")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


# ---- undo


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_restored_game_takes_back_its_moves(pebbles: Game, backend: str) -> None:
    state = pebbles.new(2, seed=3, options={"pebbles": 30}, backend=backend)
    passed = [standing(state)]
    while not state.over:
        on(state, 1)
        passed.append(standing(state))
    restored = pebbles.restore(state.save(), backend)
    for before in passed[-2::-1]:
        assert restored.undo() == 1
        assert standing(restored) == before
    assert restored.undo() == 0


def test_moves_before_and_after_are_taken_back_together(pebbles: Game) -> None:
    state = on(pebbles.new(2, seed=3, options={"pebbles": 30}), 4)
    first = standing(pebbles.new(2, seed=3, options={"pebbles": 30}))
    restored = on(pebbles.restore(state.save()), 2, seed=9)
    assert (restored.undo(6), standing(restored)) == (6, first)


def test_no_more_moves_are_remembered_than_without(root: Path) -> None:
    game = rulelang.load(root / "examples" / "reversi")
    state = game.new(2, seed=1)
    while len(state.choices) < UNDO + 5:
        state.play(0)
    assert game.restore(state.save()).undo(100) == state.undo(100) == UNDO


def test_an_altered_save_or_one_without_a_seed_has_no_past(pebbles: Game) -> None:
    state = on(pebbles.new(2, seed=3), 3)
    record = json.loads(state.save())
    for change in ({"seed": 4, "choices": [0]}, {"choices": [9]}, {"choices": [0] * 9}, {"seed": None}):
        restored = pebbles.restore(json.dumps({**record, **change}))
        assert (restored.undo(), restored.hash()) == (0, state.hash())
    laid = pebbles.position({"phase": "taking", "turn": "ana", "players": ["ana", "bob"], "state": {"pile": 5}})
    laid.play(0)
    assert pebbles.restore(laid.save()).undo() == 0
