"""The log beside the table folds what is past and what is long, and opens it by keys and by mouse."""

from __future__ import annotations

from textual.pilot import Pilot

from rulelang.apps.terminal import TableApp
from rulelang.apps.terminal_widgets import StoryLog
from rulelang.presentation.story import FEW, LONG, FoldedTurns
from tests.terminal.driving import begun, drive, match, press, screen, settle


def seen(turns: FoldedTurns) -> list[tuple[str, int]]:
    return [(line.text, line.hidden) for line in turns.shown()]


def a_round(number: int, lines: int) -> list[str]:
    return ["", f"Round {number}", "  Feeding", *(f"    eats {n}" for n in range(lines))]


def test_a_round_that_is_over_is_one_line() -> None:
    turns = FoldedTurns()
    turns.add(a_round(1, 4))
    assert [text for text, _ in seen(turns)] == ["Round 1", "Feeding", *(f"eats {n}" for n in range(4))]
    turns.add(a_round(2, 1))
    assert seen(turns) == [("Round 1", 5), ("Round 2", 0), ("Feeding", 0), ("eats 0", 0)]
    turns.turn(0)
    assert seen(turns)[:2] == [("Round 1", 0), ("Feeding", 4)], "what is opened has its own sections still folded"
    turns.turn(1)
    assert ("eats 3", 0) in seen(turns)
    turns.turn(0)
    assert seen(turns)[0] == ("Round 1", 5)


def test_of_the_phase_that_goes_on_only_what_much_came_of_is_folded() -> None:
    turns = FoldedTurns()
    many = [f"      then {n}" for n in range(FEW + 1)]
    turns.add(["Round 1", "  Feeding", "    first", *many, "    second", "      alone"])
    assert all(not hidden for _, hidden in seen(turns)), "it is news, and not long"
    turns.add(["    third"])
    assert seen(turns) == [
        ("Round 1", 0), ("Feeding", 0), ("first", FEW + 1), ("second", 0), ("alone", 0), ("third", 0),
    ]  # fmt: skip


def test_long_news_are_folded_from_their_first_phase_on() -> None:
    turns = FoldedTurns()
    some = [f"    some {n}" for n in range(10)]
    turns.add(["Round 1", "  One", *some, "  Two", *some, "  Three", *some])
    assert [line for line in seen(turns) if not line[0].startswith("some")] == [
        ("Round 1", 0), ("One", 10), ("Two", 0), ("Three", 0),
    ]  # fmt: skip
    assert len(turns.shown()) <= LONG
    assert all(line.fresh for line in turns.shown())


def test_nothing_new_leaves_the_last_news_in_sight() -> None:
    turns = FoldedTurns()
    turns.add(a_round(1, 5))
    turns.add([])
    assert len(turns.shown()) == 7


def test_a_folded_turn_opens_and_closes_by_keys_and_by_mouse() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        log = app.query_one(StoryLog)
        while not any(line.hidden for line in log.turns.shown()):
            await press(app, pilot, "1")
        first = next(n for n, line in enumerate(log.turns.shown()) if line.hidden)
        hidden = log.turns.shown()[first].hidden
        lines = len(log.turns.shown())
        assert f"▸ {hidden} lines" in "\n".join(screen(app))
        before = app.match.state.hash()
        while app.focused is not log:
            await press(app, pilot, "tab")
        await press(app, pilot, *["up"] * (log.option_count - 1 - first), "enter")
        assert len(log.turns.shown()) > lines
        assert log.turns.shown()[first].hidden == 0
        await press(app, pilot, "space")
        assert len(log.turns.shown()) == lines
        log.scroll_home(animate=False)
        await pilot.pause()
        line = log._index_to_line[first]
        await pilot.click(StoryLog, offset=(3, line))
        await settle(app, pilot)
        assert log.turns.shown()[first].hidden == 0
        assert app.match.state.hash() == before, "nothing was played by it"

    drive(match(begun("origin_of_species")), script)


def test_lines_that_do_not_fit_go_on_further_in() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        for _ in range(12):
            await press(app, pilot, "1")
        log = app.query_one(StoryLog)
        room = log.scrollable_content_region.width
        texts = [str(log.get_option_at_index(n).prompt) for n in range(log.option_count)]
        broken = [text.split("\n") for text in texts if "\n" in text]
        assert broken, "some line is longer than the log is wide"
        for first, *rest in broken:
            indent = len(first) - len(first.lstrip())
            assert all(line.startswith(" " * (indent + 4)) for line in rest)
        assert all(len(line) <= room for text in texts for line in text.split("\n"))

    drive(match(begun("evolved")), script, size=(80, 24))
