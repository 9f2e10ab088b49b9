"""What holds for every position of every game: saving, copying, taking back, and being refused change nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.runtime.agents import Random
from rulelang.runtime.decision import IllegalMove
from rulelang.runtime.state import State
from tests.properties.games import Ruleset, Seats, everywhere, history, usual, walk

seeds = st.integers(0, 1)
places = st.integers(0, 10_000)
few = settings(max_examples=6)


def position(ruleset: Ruleset, seed: int, place: int) -> State:
    """A position with a decision, of one of two games."""
    states = [state for state in history(usual(ruleset), seed) if not state.over]
    return states[place * 37 % len(states)].clone()


def trail(seats: Seats, seed: int, most: int) -> list[str]:
    return [state.hash() for state in walk(seats.new(seed), seed, most)]


@everywhere
def test_same_seed_same_game(ruleset: Ruleset) -> None:
    seats = usual(ruleset)
    first = [state.hash() for state in history(seats, 0)]
    assert trail(seats, 0, len(first) - 1) == first
    assert len(set(first)) == len(first), "a position came twice"


@everywhere
def test_saved_and_restored_at_every_decision(ruleset: Ruleset) -> None:
    seats, agent = usual(ruleset), Random(1)
    expected = history(seats, 1)[:100]
    state = seats.new(1, log=True)
    for number, other in enumerate(expected):
        state = seats.game.restore(state.save())
        assert state.hash() == other.hash(), f"decision {number}"
        assert state.option_count == other.option_count
        if number % 10 == 0 or state.over:
            looks_the_same(state, other)
        if state.over:
            break
        state.play(agent.choose(state))


def looks_the_same(one: State, other: State) -> None:
    assert one.over == other.over
    assert one.scores == other.scores
    assert one.choices == other.choices
    assert [str(event) for event in one.log] == [str(event) for event in other.log]
    for viewer in (None, 1, 2):
        assert one.view(viewer) == other.view(viewer)
        assert [str(event) for event in one.log_for(viewer)] == [str(event) for event in other.log_for(viewer)]
    if not one.over:
        assert one.decision == other.decision


@everywhere
def test_a_recorded_game_plays_again(ruleset: Ruleset) -> None:
    seats = usual(ruleset)
    last = history(seats, 0)[-1]
    assert seats.game.replay(seats.game.record(last)).hash() == last.hash()


@everywhere
@given(seed=seeds, place=places, moves=st.integers(1, 8))
@few
def test_moves_taken_back(ruleset: Ruleset, seed: int, place: int, moves: int) -> None:
    before = position(ruleset, seed, place)
    state, agent = before.clone(), Random(place)
    done = 0
    while done < moves and not state.over:
        state.play(agent.choose(state))
        done += 1
    assert state.hash() != before.hash()
    assert state.undo(done) == done
    assert state.hash() == before.hash()
    looks_the_same(state, before)


@everywhere
@given(seed=seeds, place=places)
@few
def test_clones_are_independent(ruleset: Ruleset, seed: int, place: int) -> None:
    state = position(ruleset, seed, place)
    before, count = state.hash(), len(state.log)
    clones = [state.clone() for _ in range(3)]
    for number, clone in enumerate(clones):
        clone.play(number % clone.option_count)
    assert (state.hash(), len(state.log)) == (before, count)
    after = [clone.hash() for clone in clones]
    state.play(state.option_count - 1)
    assert [clone.hash() for clone in clones] == after
    bare = position(ruleset, seed, place).without_log()
    bare.play(0)
    assert bare.hash() == after[0]


@everywhere
@given(seed=seeds, place=places)
@few
def test_options_listed_anew(ruleset: Ruleset, seed: int, place: int) -> None:
    state = position(ruleset, seed, place)
    words = list(state.words)
    keys = [option.key for option in state.decision.options]
    assert state.table.program.options(words) == keys
    assert words == state.words
    assert len(keys) >= 2
    assert len(set(keys)) == len(keys)
    texts = [option.text for option in state.decision.options]
    assert len(set(texts)) == len(texts)


@everywhere
@given(seed=seeds, place=places, other=places)
@few
def test_a_refused_move_changes_nothing(ruleset: Ruleset, seed: int, place: int, other: int) -> None:
    state, elsewhere = position(ruleset, seed, place), position(ruleset, seed, other)
    before, count = state.hash(), len(state.log)
    foreign = [option for option in elsewhere.decision.options if option not in state.decision.options]
    for move in [-1, 10**6, "", "no such thing", *foreign[:3]]:
        if isinstance(state.find(move), int):
            continue  # the same key means the same here
        assert state.try_play(move)
        with pytest.raises(IllegalMove) as caught:
            state.play(move)
        assert caught.value.reasons
    assert (state.hash(), len(state.log)) == (before, count)
    looks_the_same(state, position(ruleset, seed, place))


@everywhere
@given(seed=seeds, place=places)
@few
def test_looking_changes_nothing(ruleset: Ruleset, seed: int, place: int) -> None:
    state = position(ruleset, seed, place)
    before = list(state.words)
    for viewer in (None, 1, 2):
        state.view(viewer)
        list(state.log_for(viewer))
    assert len(state.scores) == len(state.players)
    state.playout(place)
    assert state.words == before
