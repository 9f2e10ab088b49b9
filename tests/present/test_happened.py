"""Documents and the log point at each other: which entry changed a part last, and which parts an entry is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rulelang.data.schema import schema_problems
from rulelang.presentation.story import SharedStories
from rulelang.presentation.view import document, in_words, log, parts_told, told_by
from rulelang.presentation.view.events import Traces
from tests.log.games import everywhere, positions


def ids_in(part: Any) -> Iterator[str]:
    """All ids of a document, but of those in its log."""
    if isinstance(part, list):
        for one in part:
            yield from ids_in(one)
    elif isinstance(part, dict):
        if isinstance(part.get("id"), str):
            yield part["id"]
        for key, value in part.items():
            if key != "log":
                yield from ids_in(value)


@everywhere
def test_both_ways(name: str) -> None:
    followed = {seat: Traces(seat) for seat in range(2)}
    for number, state in enumerate(positions(name, 3, 5)):
        if number == 50:
            break
        for seat, traces in followed.items():
            if (number + seat) % 24 != 1:
                traces.follow(state)
                continue
            shown = document(state, seat or None)
            told = log(state, seat or None)
            assert schema_problems("log", told) == []
            plain = state.log_for(seat or None).data()["entries"]
            assert [(entry["id"], entry["what"]) for entry in told["entries"]] == [
                (entry["id"], entry["what"]) for entry in plain
            ]
            assert shown["log"]["entries"] == len(told["entries"])
            there = {*ids_in(shown), "game"}
            assert shown["log"]["last"]
            for part, entry in shown["log"]["last"].items():
                assert part in there, part
                changed = told["entries"][entry]
                assert changed["what"] in ("move", "made", "gone", "set")
                assert part in changed["parts"]
            for entry in told["entries"]:
                assert all(part in there for part in entry.get("parts", ()))
                assert ("parts" in entry) == (entry["what"] in ("move", "made", "gone", "set"))


def test_a_change_is_told_by_its_cause() -> None:
    state = next(state for number, state in enumerate(positions("evolution", 3, 5)) if number == 60)
    last = document(state, 1)["log"]["last"]
    told = {told_by(state, 1, entry) for part, entry in last.items() if part.startswith("species:")}
    assert told
    texts = {event.text for event in in_words(state).log_for(1)}
    assert any(text in texts for text in told)


@pytest.mark.parametrize("taken", [1, 7])
def test_a_game_that_was_taken_back_is_followed_anew(taken: int) -> None:
    states = [state.clone() for _, state in zip(range(40), positions("evolution", 3, 5), strict=False)]
    traces = Traces(1)
    traces.follow(states[-1])
    traces.follow(states[-1 - taken])
    fresh = Traces(1)
    fresh.follow(states[-1 - taken])
    assert traces.last == fresh.last


def test_numbers_of_tables_have_entries() -> None:
    """What a table keeps of things in play is told as it changes, and the number in the document knows by which."""
    state = next(state for number, state in enumerate(positions("evolved", 3, 5)) if number == 60)
    shown, entries = document(state, 1), log(state, 1)["entries"]
    cells = {cell["id"]: cell for table in shown["tables"] for cell in table["cells"]}
    pointed = {part: at for part, at in shown["log"]["last"].items() if part in cells}
    assert len(pointed) > 3
    for part, at in pointed.items():
        entry = entries[at]
        assert entry["attribute"] == part.partition(":")[2].partition("/")[0]
        assert entry["new"] == cells[part]["value"]
        assert entry["parts"] == [part]


@everywhere
def test_each_line_of_a_story_is_about_parts_that_are_there(name: str) -> None:
    """What is lit on a screen when a line of the log is pointed at, for a seat and for a spectator."""
    stories, named = SharedStories(), 0
    for number, state in enumerate(positions(name, 3, 5)):
        if number == 50:
            break
        for seat in range(2):
            told = stories.lines(state, seat)
            if (number + seat) % 24 != 1:
                continue
            parts = parts_told(state, seat, stories.of[seat], stories.reading)
            assert len(parts) == len(told)
            there, rows = {*ids_in(document(state, seat or None)), "game"}, state.table.program.layout.lists
            for line, found in zip(told, parts, strict=True):
                assert all(part in there or part.partition(":")[0] in rows for part in found), line
                assert len(set(found)) == len(found)
            named += sum(map(bool, parts))
    assert named > 20


def test_a_line_is_about_what_it_names_and_what_came_of_it() -> None:
    stories = SharedStories()
    for number, state in enumerate(positions("evolution", 3, 5)):
        stories.lines(state, 1)
        if number == 60:
            break
    lines = stories.lines(state, 1)
    parts = parts_told(state, 1, stories.of[1], stories.reading)
    thing = next(one for one in document(state, 1)["players"][0]["groups"][0]["things"])
    about = [line for line, found in zip(lines, parts, strict=True) if thing["id"] in found]
    assert about
    assert all(thing["label"] in line or not line.strip() for line in about), about
