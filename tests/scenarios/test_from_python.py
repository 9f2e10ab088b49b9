"""`Game.position`: a position given as a map in Python."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rulelang import Game, LoadError, load
from rulelang.compiler.backends.native.build import available_compilers
from tests.backends.named import BACKENDS
from tests.scenarios.shore import game

GIVEN = {
    "phase": "feeding",
    "turn": "bob",
    "round": 3,
    "options": {"storm": True},
    "seed": 5,
    "state": {"water": 4},
    "players": {
        "ana": {"bag": 2, "hand": ["2 x finned", "shy"], "crab": ["nip weight 3"]},
        "bob": {"crab": [{"tom weight 2": ["finned"]}, "jerry"]},
    },
}


@pytest.fixture
def shore(tmp_path: Path) -> Game:
    return load(game(tmp_path))


@pytest.mark.parametrize("backend", BACKENDS)
def test_it_lies_and_plays_on(shore: Game, backend: str) -> None:
    state = shore.position(GIVEN, backend)
    assert (state.players, state.phase, state.round, state.active) == (("ana", "bob"), "feeding", 3, 2)
    assert state.table.options["storm"] == 1
    assert state.view("ana")["state"]["water"] == 4
    assert state.view("bob")["players"][0]["zones"]["hand"] == {"count": 3}
    state.play("graze tom")
    assert (
        state.view("bob")["players"][1]["things"]["crab"][0]["attributes"]["weight"] == 4
    )  # and one more: it is finned
    assert [event.text for event in state.log if "eats" in event.text] == ["tom eats 1"]


@pytest.mark.parametrize("phase", ["feeding", None])
def test_it_can_be_saved(shore: Game, phase: str | None) -> None:
    """What is set only where positions are laid is none of the words that a save may not hold."""
    state = shore.position({**GIVEN, "phase": phase, **({} if phase else {"turn": "ana"})})
    assert shore.restore(state.save()).hash() == state.hash()


def test_both_backends_give_the_same_words(shore: Game) -> None:
    words = [
        list(shore.position(GIVEN, backend).words)
        for backend in ("python", "native" if available_compilers() else "python")
    ]
    assert words[0] == words[1]


def test_names_and_back(shore: Game) -> None:
    state = shore.position(GIVEN)
    for name in ("ana", "bob", "nip", "tom", "jerry", "east", "red"):
        kind, handle = state.thing(name)
        assert state.names.text(kind, handle) == name
    assert state.thing("tom")[0] == "crab"
    with pytest.raises(ValueError, match="did you mean `jerry`"):
        state.thing("jery")


def test_it_is_a_scenario_of_the_very_start_without_a_phase(shore: Game) -> None:
    assert shore.position({"players": 3}).round == 1
    assert shore.position({"players": ["x", "y"]}).players == ("x", "y")


@pytest.mark.parametrize(("change", "code"), [
    ({"phase": "fiesta"}, "C702"),
    ({"players": {"ana": {"crab": ["nip weight 99"]}, "bob": []}}, "C704"),
    ({"players": {"ana": {"crab": ["nip", "nip"]}, "bob": []}}, "C706"),
    ({"players": 1, "turn": None}, "C707"),
    ({"options": {"strom": True}}, "C702"),
    ({"phsae": "feeding"}, "Y120"),
    ({"turn": "eve"}, "C702"),
])  # fmt: skip
def test_what_cannot_be_is_told(shore: Game, change: dict[str, object], code: str) -> None:
    with pytest.raises(LoadError) as error:
        shore.position(GIVEN | change)
    assert [item.code for item in error.value.diagnostics][:1] == [code]
    (first, *_) = error.value.diagnostics
    assert str(next(iter(change))) in error.value.sources["given"]
    assert first.span.path == "given"
    assert first.span.line > 1


def test_what_no_position_can_hold(shore: Game) -> None:
    with pytest.raises(ValueError, match="a position may contain only texts"):
        shore.position({"players": {1, 2}})
    with pytest.raises(ValueError, match="backend"):
        shore.position(GIVEN, "fortran")


def test_a_game_in_another_process_lays_positions_too(shore: Game) -> None:
    assert pickle.loads(pickle.dumps(shore)).position(GIVEN).active == 2
