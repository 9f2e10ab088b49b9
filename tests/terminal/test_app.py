"""The full screen, driven by keys and mouse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.color import Color
from textual.pilot import Pilot
from textual.widgets import OptionList, Tree

from rulelang.apps.terminal import TableApp
from rulelang.apps.terminal_widgets import Board
from rulelang.base.terminal import display_width
from rulelang.presentation.view import in_words
from rulelang.presentation.view.sheet import Sheet, changed
from tests.terminal.driving import begun, drive, game, match, press, screen, settle, text

GAMES = ("evolution", "origin_of_species", "darwins_choice", "darwins_choice_colossal", "evolved")


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (200, 60)])
@pytest.mark.parametrize("name", GAMES)
def test_every_game_fits_every_screen(name: str, size: tuple[int, int]) -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        lines = screen(app)
        assert len(lines) == size[1]
        assert all(display_width(line) == size[0] for line in lines)
        assert "Ana (you)" in "\n".join("".join(piece.text for piece in line) for line in app.query_one(Board).sheet)
        room = max(app.query_one(Board).scrollable_content_region.width, 20)
        assert all(display_width("".join(p.text for p in line)) <= room for line in app.query_one(Board).sheet)
        assert "1 " in text(app)
        assert app.query_one(Board).lit, "there is something to pick"

    drive(match(begun(name, players=3)), script, size)


def test_a_move_by_the_list_and_back() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        before = app.match.state.hash()
        await press(app, pilot, "1")
        assert app.match.state.hash() != before
        assert app.news, "what has changed stands out"
        await press(app, pilot, "u")
        assert app.match.state.hash() == before
        await press(app, pilot, "u")
        assert "You have no move" in text(app)

    drive(match(begun("evolution")), script)


def test_all_that_changed_since_one_was_asked_stands_out() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        before, moves = app.parts, app.match.state
        await press(app, pilot, "1")
        played = len(app.match.state.log) - len(moves.log)
        assert played > 2, "bots have moved too"
        assert app.news == changed(before, app.parts)
        assert {key.partition("/")[0] for key in app.news} >= {"player:1", "player:2", "player:3"}

    drive(match(begun("evolution", players=3)), script)


def test_what_is_typed_is_an_option_or_something_of_the_game() -> None:
    async def typed(app: TableApp, pilot: Pilot[None], line: str) -> None:
        await press(app, pilot, "slash", *("space" if key == " " else key for key in line), "enter")

    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        await typed(app, pilot, "look feeding")
        assert "actions in it: eat plants, attack" in " ".join(text(app).split())
        assert app.shown["question"] is not None
        last = app.shown["question"]["options"][-1]["sentence"]
        before = app.match.state
        await typed(app, pilot, last.lower())
        assert app.match.state is not before

    drive(match(begun("evolution"), 1), script, (200, 50))


def test_a_part_is_picked_by_keys_and_by_mouse() -> None:
    def picks(by_mouse: bool) -> int:
        async def script(app: TableApp, pilot: Pilot[None]) -> None:
            while app.match.state.phase != "evolution" or not app.query_one(Board).lit:
                await press(app, pilot, "1")
            board = app.query_one(Board)
            chosen = []
            while app.match.state.hash() == (before or app.match.state.hash()) and len(chosen) < 4:
                before.append(app.match.state.hash()) if not before else None
                if by_mouse:
                    spot = next(spot for spot in board.spots if spot.part in board.lit)
                    board.scroll_to(0, spot.line, animate=False)
                    await pilot.pause()
                    y = spot.line - board.scroll_offset.y
                    await pilot.click(Board, offset=(spot.start + 1 + board.gutter.left, y))
                    await settle(app, pilot)
                else:
                    await press(app, pilot, "n", "enter")
                chosen.append(board.here)
                if app.match.state.hash() != before[0]:
                    break
                if not board.lit:
                    await press(app, pilot, "1")
                    break
            assert app.match.state.hash() != before[0]
            hashes.append(app.match.state.hash())

        before: list[int] = []
        drive(match(begun("origin_of_species")), script)
        return hashes[-1]

    hashes: list[int] = []
    assert picks(True) == picks(False)


def test_the_cursor_walks_over_a_part_that_stands_in_several_places() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        board = app.query_one(Board)
        await press(app, pilot, "right")
        seen = []
        for _ in board.spots:
            assert board.at is not None
            seen.append(board.at)
            await pilot.press("right")
        assert seen == board.spots
        for key in ("up", "down", "up"):
            before = board.at
            await press(app, pilot, key)
            assert board.at is not None
            assert before is not None
            assert (board.at.line < before.line) == (key == "up")

    state = begun("evolved", players=2)
    drive(match(state), script)


def test_what_is_pointed_at_is_explained_and_why_not() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "n")
        board = app.query_one(Board)
        label = str(app.parts[board.here]["label"])
        assert label in text(app).split("Round")[0]
        other = next(spot for spot in board.spots if spot.part not in board.lit and spot.part in app.parts)
        board.to(other)
        await press(app, pilot, "enter")
        assert app.match.state.hash() == before
        await press(app, pilot, "slash", *"look nobody", "enter")
        assert "Nothing here is called nobody." in text(app)

    state = begun("evolution")
    before = state.hash()
    drive(match(state), script)


def test_the_rules_of_what_is_pointed_at() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        asked: list[str] = []
        app.rules = lambda name: [asked.append(name) or f"all about {name}"]  # type: ignore[func-returns-value]
        board = app.query_one(Board)
        card = next(spot for spot in board.spots if "/hand/" in spot.part)
        board.to(card)
        await press(app, pilot, "r")
        (trait,) = (trait["id"] for trait in app.parts[card.part]["traits"])
        assert asked == [trait.removeprefix("trait:")]
        assert f"all about {asked[0]}" in text(app)

    drive(match(begun("evolution")), script)


def test_pages_over_the_table(tmp_path: Path) -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        for key, said in (("question_mark", "Keys"), ("l", "What you have seen"), ("t", "Causes")):
            await press(app, pilot, key)
            assert said in text(app)
            await press(app, pilot, "escape")
            assert said not in text(app)
        await press(app, pilot, "s")
        assert game("evolution").restore((tmp_path / "kept").read_bytes()).hash() == app.match.state.hash()
        await press(app, pilot, "minus", "plus", "q")
        assert "Leave this game?" in text(app)
        await press(app, pilot, "escape")
        assert "Leave this game?" not in text(app)
        await press(app, pilot, "q", "l")

    app = drive(match(begun("evolution")), script, save_to=tmp_path / "kept")
    assert app.return_code == 0


def test_a_curtain_between_two_people() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        seen = []
        while len(seen) < 3:
            name = app.match.state.players[app.match.person - 1]
            assert f"{name} is next." in text(app)
            hands = [zone for player in app.shown["players"] for zone in player["zones"] if zone["name"] == "hand"]
            assert all("cards" not in zone for zone in hands), "nobody's hand lies behind the curtain"
            await press(app, pilot, "enter")
            assert f"{name} (you)" in text(app)
            seen.append(name)
            while app.match.person and app.match.state.players[app.match.person - 1] == name:
                await press(app, pilot, "1")
        assert set(seen) == {"Ana", "Bob"}

    drive(match(begun("evolution"), 1, 2), script)


def test_a_whole_game_ends_with_its_scores() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        for _ in range(200):
            if app.match.state.over:
                break
            await press(app, pilot, "1")
        assert app.match.state.over
        assert "Scores" in text(app)
        await press(app, pilot, "q")

    drive(match(begun("examples/pebbles")), script)


def test_another_size_while_playing() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        for columns, rows in ((200, 60), (80, 24), (50, 18)):
            await pilot.resize_terminal(columns, rows)
            await settle(app, pilot)
            lines = screen(app)
            assert (len(lines), display_width(lines[0])) == (rows, columns)
            assert app.query_one("#side").display == (columns >= 70)

    drive(match(begun("evolution")), script)


def test_what_led_to_what_is_a_tree_that_folds() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "1", "t")
        shown = [line for line in screen(app) if "▼" in line or "▶" in line]
        assert any("▼" in line for line in shown)
        tree = app.screen.query_one(Tree)
        open_before = text(app)
        assert tree.cursor_node is not None
        await press(app, pilot, "home", "space")  # the oldest opens
        assert text(app) != open_before
        await press(app, pilot, "t")
        assert "Causes" not in text(app)

    drive(match(begun("evolution")), script)


@pytest.mark.parametrize("code", ["zh", "ja"])
def test_the_screen_speaks_the_language_of_the_game(code: str) -> None:
    """All of its own words: none is left in English but the names of keys, players and what is typed."""
    loaded = game("evolution")

    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        seen = []
        for keys in (("n",), ("w",), ("plus",), ("u",), ("question_mark",), ("escape", "q"), ("escape", "l")):
            await press(app, pilot, *keys)
            seen.append(text(app))
        typed = r"why not|look|Enter|Escape|Tab|Ana|Bob|A game"
        assert re.findall(r"[A-Za-z]{3,}", re.sub(typed, "", "\n".join(seen))) == []

    drive(match(in_words(begun("evolution").spoken(loaded.language(code)))), script)


@pytest.mark.parametrize(("rows", "seen"), [(24, 4), (32, 8), (50, 16)])
def test_more_options_are_seen_where_there_is_more_room(rows: int, seen: int) -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        while app.match.state.option_count < 16:
            await press(app, pilot, "1")
        assert app.query_one("#options", OptionList).size.height == seen

    drive(match(begun("evolution"), 1), script, (100, rows))


def test_what_stands_out_can_be_read() -> None:
    """Each colour of text has the contrast that WCAG asks for (AA), also on the ground of what has changed."""

    def light(color: Color) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05

    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        board = app.query_one(Board)
        styles = {name: board.get_component_rich_style(name, partial=True) for name in Board.COMPONENT_CLASSES}
        ground, changed = board.rich_style.bgcolor, styles["board--changed"].bgcolor
        assert ground is not None
        assert changed is not None
        for name, style in styles.items():
            for below in (ground, changed):
                if name == "board--border" and below is changed:
                    continue  # lines of maps do not change
                dark, bright = sorted(
                    light(Color.from_rich_color(color)) for color in (below, style.color or board.rich_style.color)
                )
                assert bright / dark >= (3 if name == "board--border" else 4.5), (name, below)

    drive(match(begun("evolution")), script)


def test_enter_where_nothing_is_pointed_at_goes_to_the_list() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        before = app.match.state.hash()
        await press(app, pilot, "enter")
        assert app.match.state.hash() == before
        assert "Press Enter to take the option" in text(app)
        await press(app, pilot, "down", "enter")
        assert app.match.state.hash() != before

    drive(match(begun("evolution")), script)


def test_the_table_takes_the_room_that_there_is() -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        for columns in (200, 80, 120):
            await pilot.resize_terminal(columns, 40)
            await settle(app, pilot)
            board = app.query_one(Board)
            asked = max(board.scrollable_content_region.width, 20)
            assert board.sheet == Sheet(app.shown, asked, app.language, parts=app.parts).lines()

    drive(match(begun("darwins_choice")), script, (80, 24))
