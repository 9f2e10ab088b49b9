"""Documents of a game as it goes on are those that are made from nothing; and patches lead from each to the next."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulelang import load
from rulelang.presentation.view import document
from rulelang.presentation.view.document import Documents, patch, patched
from rulelang.presentation.view.events import known_cards, reveals_cards
from rulelang.runtime.state import State
from tests.native.machine import needs_compiler

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/ruleset.yaml"))
GAMES += sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/mod.yaml"))


def goes_on(name: str, seed: int, moves: int, every: int, backend: str = "python") -> None:
    """Play at random, now and then taking moves back, while some look on at each position and some now and then."""
    state, chance = load(name).new(3, seed, backend=backend), Random(seed)
    whole, told, past = Documents(state), dict[int, Any](), [state]
    for number in range(moves):
        if state.over:
            break
        if number % 13 == 12:
            state = past[-4]
        else:
            state = state.clone()
            state.play(chance.randrange(state.option_count))
        past.append(state)
        for seat in range(4):
            if (seat == 2 and number % 5) or (seat == 3 and number < 9):
                continue
            shown = whole.of(state, seat)
            if number % every == 0:
                assert shown == document(state, seat or None), (number, seat)
            change = json.loads(json.dumps(patch(told.get(seat, {}), shown)))
            told[seat] = told[seat] if change is None else patched(told.get(seat, {}), change)
            assert told[seat] == shown, (number, seat)
            told[seat] = shown


@pytest.mark.parametrize("name", GAMES)
def test_a_document_goes_on_as_it_is_from_nothing(name: str) -> None:
    goes_on(name, 3, 26, 12)


@needs_compiler
@pytest.mark.parametrize("name", GAMES)
def test_the_same_natively(name: str) -> None:
    goes_on(name, 5, 40, 9, "native")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_documents_of_whole_games(name: str, seed: int) -> None:
    goes_on(name, seed, 2000, 1 + seed % 3)


def test_what_has_not_changed_is_the_same_and_costs_nothing() -> None:
    state = load("evolution").new(4, 5)
    whole = Documents(state)
    before = whole.of(state, 1)
    state.play(0)
    after = whole.of(state, 1)
    shown = json.dumps(patch(before, after))
    assert len(shown) * 3 < len(json.dumps(after))
    others = [n for n, (old, new) in enumerate(zip(before["players"], after["players"], strict=True)) if old is not new]
    assert {player["groups"] is after["players"][n]["groups"] for n, player in enumerate(before["players"])} >= {True}
    assert others


def test_seats_share_what_everybody_sees() -> None:
    state = load("evolution").new(4, 5)
    whole = Documents(state)
    one, other = whole.of(state, 1), whole.of(state, 2)
    assert one["zones"] is other["zones"]
    assert one["players"][2]["groups"] is other["players"][2]["groups"]
    hands = [seen["players"][0]["zones"] for seen in (one, other)]
    assert hands[0] != hands[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1}, {"a": True}),
        ({"a": 1, "b": [1, 2]}, {"b": [2, 1, 3]}),
        ([{"id": "x", "n": 1}, {"id": "y"}, {"id": "z"}], [{"id": "z"}, {"id": "x", "n": 2}, {"id": "w"}]),
        ([{"id": "x"}, {"id": "x"}], [{"id": "x", "n": 3}]),
        ({"a": {"id": "p", "v": [1]}}, {"a": {"id": "q", "v": [1]}}),
        ({"a": []}, {"a": [1]}),
        ({"a": [1]}, {"a": []}),
        ({"a": None}, {"a": {"is": 3, "in": {"of": [[0, 1]]}}}),
        ([[0, 1], [2]], [[0, 1, 2], [2]]),
        (1, {"x": 1}),
        ({"a": {"b": {"c": 1}}, "no": 1}, {"a": {"b": {"c": 2}}}),
        ([1, 2, 3, 4, 5], [1, 2, 9, 4, 5]),
    ],
)
def test_a_patch_leads_to_the_new_value(old: Any, new: Any) -> None:
    kept = json.dumps(old)
    for one, other in ((old, new), (new, old)):
        change = patch(one, other)
        assert change is not None
        assert json.dumps(patched(one, json.loads(json.dumps(change))), sort_keys=True) == json.dumps(
            other, sort_keys=True
        )
    assert json.dumps(old) == kept
    assert patch(old, json.loads(kept)) is None


@pytest.mark.parametrize("name", ["evolution", "darwins_choice"])
def test_what_a_move_reveals_is_what_somebody_knows_then_and_did_not_before(name: str) -> None:
    state, chance = load(name).new(3, 8), Random(1)
    past: list[State] = []
    told = set()
    for _ in range(40):
        for old in past[-2:]:
            slowly = any(not known_cards(state, viewer) <= known_cards(old, viewer) for viewer in range(4))
            assert reveals_cards(old, state) == slowly
            told.add(slowly)
        past.append(state.clone())
        state.play(chance.randrange(state.option_count))
    assert True in told
