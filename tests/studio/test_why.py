"""Why nothing can be done with a part, for whoever points at it."""

from __future__ import annotations

import pytest

from rulelang import load
from rulelang.engine.state import State
from rulelang.present import document
from rulelang.present.seen import handles_of
from rulelang.studio.tables.why import reasons


@pytest.fixture(scope="module")
def state() -> State:
    """Ana is to feed her wolf, which eats meat; Bob's crab is too large for it."""
    players = {
        "ana": [{"wolf population 6 body_size 4": "carnivore"}, "deer population 2"],
        "bob": [{"crab population 3 body_size 6": "horns"}, "newt population 3 body_size 2"],
    }
    given = {"phase": "feeding", "turn": "ana", "state": {"watering_hole": 9}, "players": players}
    return load("evolution").position(given)


def test_the_reason_against_a_target_of_what_was_picked_is_told(state: State) -> None:
    seat = state.decider
    of = {name: "species:" + str(state.thing(name)[1]) for name in ("wolf", "deer", "crab", "newt")}
    told = dict(reasons(state, seat, of["crab"], [of["wolf"]]))
    assert any("smaller" in refusal.text for refusals in told.values() for refusal in refusals), told
    assert all(refusal.span.line > 0 for refusals in told.values() for refusal in refusals)
    assert reasons(state, seat, of["wolf"], []) != reasons(state, seat, of["crab"], [])
    assert reasons(state, 3 - seat, of["wolf"], []) == []
    assert reasons(state, seat, "species:999", []) == []


def test_every_part_of_a_document_is_known_by_its_id(state: State) -> None:
    for seat in (1, 2):
        shown = document(state, seat)
        parts = handles_of(state, seat)
        for player in shown["players"]:
            assert player["id"] in parts
            things = [thing for group in player["groups"] for thing in group["things"]]
            cards = [card for zone in player["zones"] for card in zone.get("cards", [])]
            assert {part["id"] for part in (*things, *cards)} <= parts.keys()
        assert all(not part.startswith(f"player:{3 - seat}/hand") for part in parts)


def test_what_can_be_done_has_no_reason_against_it(state: State) -> None:
    seat = state.decider
    for option in document(state, seat)["question"]["options"]:  # type: ignore[index]
        for parameter in option["parameters"]:
            if isinstance(parameter["value"], str):
                told = [action for action, _ in reasons(state, seat, parameter["value"], [])]
                assert option["label"] not in told
