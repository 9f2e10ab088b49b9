"""What a person reads of cards, options and things in the terminal: words, texts once, and `look NAME`."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulelang import load
from rulelang.base.terminal import display_width
from rulelang.presentation.console import Match, Session
from rulelang.presentation.console_output import BoardText, board_lines, name_details, option_menu, pending_options
from rulelang.runtime.state import State

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/*.yaml") if path.stem in ("ruleset", "mod"))
#: What nobody reads at a table: names of the rules, and numbers of rows.
RAW = re.compile(r"\w_\w|\bpart \d|\bdock|\bdiet \d|\bdoes \d|\bset \d|-2147483648")


@pytest.mark.parametrize("name", GAMES)
def test_no_screen_shows_names_of_the_rules(name: str) -> None:
    state = load(name).new(3, 5, ["Ana", "Bob", "Cleo"])
    luck = random.Random(2)
    for number in range(120):
        if state.over:
            break
        if number % 15 == 0:
            lines = [*board_lines(state, state.decider, 80), *option_menu(state, 80)]
            assert [line for line in lines if RAW.search(line)] == []
            assert [line for line in lines if display_width(line) > 80] == []
        state.play(luck.randrange(state.option_count))


def test_the_text_of_a_card_is_told_once() -> None:
    state = load("evolved").new(2, 5)
    while not any("hand:" in line for line in board_lines(state, 1)):
        state.play(0)
    board = BoardText(1, 300)
    first, second = (board.whole(state) for _ in range(2))
    assert first == board_lines(state, 1, 300) == board.whole(state, texts=True)
    texts = [line for line in first if line.endswith(".")]
    assert texts
    assert not {*texts} & {*second}


def session(state: State, lines: list[str]) -> list[str]:
    said: list[str] = []
    typed = iter(["", *lines])  # the first one sits down
    Session(Match(state, frozenset({1, 2}), []), said.append, lambda prompt: next(typed, None), 80).run()
    return said


def test_look_tells_of_what_lies_there_and_of_what_there_is() -> None:
    state = load("evolution").new(2, 5)
    assert name_details(state, 2, "horns") == ["  Horns: A carnivore that attacks this species loses 1 population."]
    (hunger,) = name_details(state, 1, "play a")
    assert "play a trait" in hunger
    assert name_details(state, 1, "unicorn") == []
    assert "Nothing here is called unicorn." in session(state, ["look unicorn"])
    assert any("Type what to look at" in line for line in session(state, ["look"]))


def test_look_says_what_a_phase_an_action_and_what_lies_on_a_place_are() -> None:
    state = load("evolution").new(2, 5)
    (feeding,) = name_details(state, 1, "feeding", 200)
    assert "actions in it: eat plants, attack" in feeding
    assert name_details(state, 1, "select food") == ["  select food (phase)"]
    assert name_details(state, 1, "attack") == ["  attack: possible in: feeding"]
    place = " ".join(name_details(load("darwins_choice").new(2, 5), 1, "place 1"))
    assert "needs" in place, "the requirements of the biome that lies there"
    assert name_details(load("darwins_choice").new(2, 5), 1, "adaptability"), "though no species has it yet"


def test_a_card_and_its_trait_of_the_same_text_are_told_once() -> None:
    state = load("evolution").new(2, 5)
    card = next(card for number in range(5, 30) for card in name_details(load("evolution").new(2, number), 1, "horns")
                if "food" in card)  # fmt: skip
    assert card.count("loses 1 population") == 1
    spoken = state.spoken(load("evolution").language("zh").labelled())
    assert name_details(spoken, 1, "horns") == name_details(spoken, 1, "尖角") != []


def test_a_text_that_names_nothing_points_at_no_rule() -> None:
    said = session(load("evolution").new(2, 5), ["unicorn"])
    assert not any(".rules:" in line or ".yaml:" in line for line in said)


def test_an_option_is_chosen_by_the_words_that_are_shown() -> None:
    state = load("darwins_choice").new(2, 5)
    while state.phase != "acting":
        state.play(0)
    option = next(option for option in pending_options(state) if option["action"] == "action:trade")
    assert option["sentence"].startswith("trade ")
    assert option["typed"] != option["sentence"]
    lines = session(state, [option["sentence"]])
    assert not any("There is no" in line for line in lines)
    assert not [line for line in lines if "you have traded" in line]


def test_options_that_look_alike_are_told_apart() -> None:
    state = load("evolution").new(3, 3)
    luck = random.Random(4)
    for _ in range(130):
        sentences = [option["sentence"] for option in pending_options(state)]
        assert len(sentences) == len(set(sentences))
        state.play(luck.randrange(state.option_count))


def test_an_option_that_is_asked_about_by_its_number_can_be_done() -> None:
    said = session(load("evolution").new(2, 5), ["why not 1", "why not 999"])
    assert "You can do that: it is one of the options." in said
    assert any("999" in line for line in said)


def test_what_is_kept_can_be_looked_at_by_its_name() -> None:
    state = load("evolution").new(2, 5, ["Ana", "Bob"])
    (start,) = name_details(state, 1, "start player")
    assert start.strip().startswith("start player ")
    assert any("population 1" in line for line in name_details(state, 1, "population"))
    assert name_details(state, 1, "hedgehog") == []


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_help_fits_the_screen(columns: int, lang: str) -> None:
    game = load("evolution")
    state = game.new(2, 5, ["Ana", "Bob"]).spoken(game.language(lang))
    said: list[str] = []
    Session(Match(state, frozenset((1, 2)), []), said.append, lambda _: None, columns).help()
    assert said
    assert [line for line in said if display_width(line) > columns] == []
