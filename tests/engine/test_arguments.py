"""Public functions report arguments of a wrong type where they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.runtime.decision import IllegalMove, Option
from rulelang.runtime.game import Game


@pytest.fixture(scope="module")
def pebbles(root: Path) -> Game:
    return rulelang.load(root / "examples" / "pebbles")


WRONG = [
    (lambda g, s: s.play(None), "a choice must be an option, its text or its index, not None"),
    (lambda g, s: s.try_play(None), "a choice must be an option, its text or its index, not None"),
    (lambda g, s: s.try_play(True), "not bool True"),
    (lambda g, s: s.find(1.0), "not float 1.0"),
    (lambda g, s: s.find(b"take 1"), "not bytes b'take 1'"),
    (lambda g, s: s.undo(True), "the number of moves must be a whole number, not bool True"),
    (lambda g, s: s.undo(None), "the number of moves must be a whole number, not None"),
    (lambda g, s: s.seat(True), "a player must be a whole number, not bool True"),
    (lambda g, s: s.view(1.0), "a player must be a whole number, not float 1.0"),
    (lambda g, s: s.log_for([1]), "a player must be a whole number, not list [1]"),
    (lambda g, s: s.why_not(None), "an option must be a string, not None"),
    (lambda g, s: s.thing(1), "the name of a thing must be a string, not int 1"),
    (lambda g, s: s.playout(None), "the seed must be a whole number, not None"),
    (lambda g, s: s.imagined("1"), "the seed must be a whole number, not str '1'"),
    (lambda g, s: s.determinize(1, 0.5), "the seed must be a whole number, not float 0.5"),
    (lambda g, s: s.decision.find(None), "the text of an option must be a string, not None"),
    (lambda g, s: s.decision.nearest(3), "the text of an option must be a string, not int 3"),
    (lambda g, s: g.new("2"), "the number of players must be a whole number, not str '2'"),
    (lambda g, s: g.new(True), "the number of players must be a whole number, not bool True"),
    (lambda g, s: g.new(2.0), "the number of players must be a whole number, not float 2.0"),
    (lambda g, s: g.new(2, None), "the seed must be a whole number, not None"),
    (lambda g, s: g.new(2, 1.5), "the seed must be a whole number, not float 1.5"),
    (lambda g, s: g.new(2, names="ana"), "names must be a list, not str 'ana'"),
    (lambda g, s: g.new(2, names=[1]), "each of names must be a string, not int 1"),
    (lambda g, s: g.new(2, options=["pebbles"]), "options must be a map, not list ['pebbles']"),
    (lambda g, s: g.new(2, options={1: 2}), "each key of options must be a string, not int 1"),
    (lambda g, s: g.new(2, backend=None), "the backend must be a string, not None"),
    (lambda g, s: g.position([]), "the position must be a map, not list []"),
    (lambda g, s: g.restore(None), "a saved game must be bytes or a string, not None"),
    (lambda g, s: g.restore(s), "a saved game must be bytes or a string, not State"),
    (lambda g, s: g.record(None), "expected a state to record, found None"),
    (lambda g, s: g.language(None), "the tag of a language must be a string, not None"),
    (lambda g, s: g.simulate("5", 2), "the number of games must be a whole number, not str '5'"),
    (lambda g, s: g.simulate(5, 2, jobs=None), "the number of jobs must be a whole number, not None"),
    (lambda g, s: g.simulate(5, 2, seed=None), "the seed must be a whole number, not None"),
    (lambda g, s: g.simulate(5, 2, progress=1), "`progress` must be a function, not int 1"),
    (lambda g, s: rulelang.load(None), "a ruleset must be an id or a path, not None"),
    (lambda g, s: rulelang.load("pebbles", "thick_fur"), "mods must be a list, not str 'thick_fur'"),
    (lambda g, s: rulelang.load("pebbles", [1]), "each mod must be an id or a path, not int 1"),
    (lambda g, s: rulelang.check("pebbles", mode=1), "the mode must be a string, not int 1"),
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_type_is_a_type_error(pebbles: Game, call: Any, said: str) -> None:
    state = pebbles.new(2)
    before = state.hash()
    with pytest.raises(TypeError) as caught:
        call(pebbles, state)
    assert said in str(caught.value)
    assert state.hash() == before


def test_a_wrong_value_is_a_value_error(pebbles: Game) -> None:
    state = pebbles.new(2)
    for call, said in (
        (lambda: state.undo(-1), "must be 0 or more, not -1"),
        (lambda: state.seat(0), "there is no player 0: name one of ana, bob, or a seat from 1"),
        (lambda: pebbles.simulate(0, 2), "cannot play 0 games"),
        (lambda: pebbles.simulate(5, 2, jobs=0), "the number of jobs must be 1 or more, not 0"),
        (lambda: pebbles.new(-1), "not -1"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            call()  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("index", [-1, -3, 3, 1 << 70])
def test_an_option_is_known_by_its_own_place(pebbles: Game, index: int) -> None:
    state = pebbles.new(2)
    last = state.decision.options[-1]
    with pytest.raises(IllegalMove, match="belongs to another decision"):
        state.play(Option(last.text, index, last.key, last.action, last.source))


def test_an_option_of_another_action_with_the_same_key_is_refused(pebbles: Game) -> None:
    state = pebbles.new(2)
    last = state.decision.options[-1]
    with pytest.raises(IllegalMove, match="belongs to another decision"):
        state.play(Option(last.text, last.index, last.key, "give", last.source))


def test_nothing_can_be_played_once_the_game_is_over(pebbles: Game) -> None:
    state = pebbles.new(2)
    last = state.decision.options[0]
    while not state.over:
        state.play(0)
    for choice in (0, "take 1", last):
        assert [reason.text for reason in state.try_play(choice)] == ["the game is over"]
    with pytest.raises(TypeError, match="not None"):
        state.try_play(None)  # type: ignore[arg-type]
