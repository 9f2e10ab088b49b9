"""An option is picked part by part."""

from __future__ import annotations

from rulelang.apps.terminal import Picking
from rulelang.presentation.view.document_types import Option, Question


def option(index: int, action: str, *values: str | int) -> Option:
    return {
        "id": f"{action}{values}", "kind": "action", "index": index, "typed": "", "label": action, "sentence": "",
        "action": f"action:{action}", "source": "",
        "parameters": [
            {"name": "x", "kind": "wolf", "label": "x", "value": value, "text": str(value)} for value in values
        ],
    }  # fmt: skip


def picking(*options: Option) -> Picking:
    question: Question = {"id": "question", "player": "player:1", "sentence": "", "options": [*options]}
    return Picking(question)


def test_the_thing_and_then_its_target() -> None:
    asked = picking(
        option(0, "attack", "wolf:1", "wolf:2"), option(1, "attack", "wolf:1", "wolf:3"), option(2, "sleep")
    )
    assert asked.lit() == {"wolf:1", "wolf:2", "wolf:3"}
    assert asked.pick("wolf:1") is None
    assert asked.lit() == {"wolf:2", "wolf:3"}
    assert [fits["index"] for fits in asked.fitting()] == [0, 1]
    meant = asked.pick("wolf:3")
    assert meant is not None
    assert meant["index"] == 1


def test_what_is_not_lit_cannot_be_picked_and_picks_are_taken_back() -> None:
    asked = picking(option(0, "attack", "wolf:1", "wolf:2"), option(1, "feed", "wolf:1"))
    assert asked.pick("wolf:9") is None
    assert not asked.picked
    assert asked.pick("wolf:1") is None, "two actions are about it"
    assert asked.drop()
    assert not asked.drop()
    assert len(asked.fitting()) == 2


def test_the_same_part_twice_and_numbers_are_no_parts() -> None:
    asked = picking(option(0, "pair", "wolf:1", "wolf:1"), option(1, "pair", "wolf:1", "wolf:2"), option(2, "take", 3))
    assert asked.pick("wolf:1") is None
    assert asked.lit() == {"wolf:1", "wolf:2"}
    meant = asked.pick("wolf:1")
    assert meant is not None
    assert meant["index"] == 0


def test_one_thing_of_which_only_the_number_differs_is_left_to_the_list() -> None:
    asked = picking(option(0, "feed", "wolf:1", 1), option(1, "feed", "wolf:1", 2))
    assert asked.pick("wolf:1") is None
    assert [fits["index"] for fits in asked.fitting()] == [0, 1]
    assert asked.lit() == set()
