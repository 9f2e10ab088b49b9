"""What is told of an action names the player who chose it, also when it was forced or begun in somebody else's turn."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.presentation.story import Story
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from tests.cli.helpers import MANIFEST

RULES = """\
game: duel

phase duel:
  turns p from first(player q) once each: offer one action to p or pass

# No words of its own: it is told by what comes of it.
action challenge(player other) during duel once per game:
  require other != actor
  answer(other)
  tells "the fight is over"

routine answer(player other):
  may choose player sent where sent != other by other:
    tells "{sent} is sent forth"
  else: yield(other)

routine yield(player p): tells "{p} withdraws"

action mark(player other) during duel once per game:
  require other != actor
  tells "{other} is marked"

value score(player p) -> int: 0
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST.replace("things.yaml, ", ""), encoding="utf-8")
    (tmp_path / "game.rules").write_text(RULES, encoding="utf-8")
    return rulelang.load(tmp_path)


def told(state: State) -> list[str]:
    return [line.strip() for line in Story().news(state)]


@pytest.mark.parametrize("restored", [False, True])
def test_who_answers_is_not_said_to_be_the_other(game: Game, restored: bool) -> None:
    state = game.new(3, 1)
    state.play("challenge bob")
    state.play("none")
    state = game.restore(state.save()) if restored else state
    assert told(state) == ["Duel", "bob withdraws", "ana: the fight is over"]


def test_a_line_about_another_says_who_did_it(game: Game) -> None:
    state = game.new(3, 1)
    state.play("pass")
    state.play("mark ana")
    assert told(state) == ["Duel", "ana passes", "bob: ana is marked"]
    event = next(event for event in state.log if event.what == "action")
    assert (event.name, event.by) == ("mark", 2)


def test_what_is_done_unasked_is_told_of_who_had_to(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST.replace("things.yaml, ", ""), encoding="utf-8")
    forced = RULES.replace("to p or pass", "to p").replace("require other != actor", "require other == next(actor)", 1)
    forced = forced.replace("  require other != actor\n", "  require round < 0\n").replace("  answer(other)\n", "")
    (tmp_path / "game.rules").write_text(forced, encoding="utf-8")
    lines = told(rulelang.load(tmp_path).new(2, 1))
    assert lines == ["Duel", "ana: the fight is over", "bob: the fight is over"]
