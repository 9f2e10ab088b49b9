"""Numbers that are to be chosen are their own labels, by lines of text and on the full screen."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from rulelang import load
from rulelang.apps.terminal import TableApp
from rulelang.presentation.console import Session
from rulelang.runtime.game import Game
from tests.terminal.driving import drive, match, press

FILES = {
    "ruleset.yaml": "id: bids\nversion: 0.1.0\nlanguage: 1\ntitle: {en: Bids}\nplayers: {count: 2}\n"
    "files: [things.yaml, game.rules]\n",
    "things.yaml": "kinds: {player: {attributes: {bid: number, dared: number}}}\n",
    "game.rules": """
game:
  bidding

phase bidding:
  turns p from first(player q) once each:
    choose int n from 0 to 12 by p "How many tricks will you take?"
    p.bid = n
    may choose int m from 5 to 7 by p "And how many with an ace?": p.dared = m

value score(player p) -> int: p.bid * 100 + p.dared
""",
}


@pytest.fixture(scope="module")
def bids(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("games") / "bids"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return load(folder)


def typed(game: Game, *lines: str) -> tuple[Session, list[str]]:
    """What a person is told who types lines; nobody else moves before the last of them."""
    said: list[str] = []
    answers = iter(lines)
    session = Session(match(game.new(2, 1), 1, 2), said.append, lambda _: next(answers, None))
    session.viewer = 1
    session.run()
    return session, said


@pytest.mark.parametrize("number", [0, 1, 11])
def test_a_number_that_is_typed_is_meant(bids: Game, number: int) -> None:
    session, said = typed(bids, str(number))
    assert session.state.scores[0] == 100 * number
    assert any(line.strip().startswith("0,  1,  2,  3") for line in said)


def test_what_is_no_number_has_a_letter(bids: Game) -> None:
    session, said = typed(bids, "3", "x")
    assert any(line.strip() == "5,  6,  7,  x none of them" for line in said)
    assert session.state.scores[0] == 300
    assert session.state.decider == 2
    session, said = typed(bids, "3", "6")
    assert session.state.scores[0] == 306
    session, said = typed(bids, "3", "1")
    assert session.state.decider == 1
    session, said = typed(bids, "why not 13", "why not 12")
    assert sum("You can do that" in line for line in said) == 1


def test_digits_are_the_numbers_on_the_full_screen(bids: Game) -> None:
    async def script(app: TableApp, pilot: Pilot[None]) -> None:
        listed = app.query_one("#options", OptionList)
        assert [str(listed.get_option_at_index(at).prompt).strip() for at in (0, 1, 12)] == ["0", "1", "12"]
        await press(app, pilot, "0")
        assert app.match.state.scores[0] == 0
        assert app.picking is not None
        await press(app, pilot, "7")
        assert app.match.state.scores[0] == 7

    drive(match(bids.new(2, 1), 1), script)


def test_help_speaks_of_the_game_that_is_played(bids: Game) -> None:
    _, said = typed(bids, "help")
    assert any(line.endswith("explain why you cannot do something: why not 0") for line in said)
