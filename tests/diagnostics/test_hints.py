"""Hints say what was meant, by the words that stand there: of plain English, of kinds, of numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import run
from tests.semantics.check_pond import FILES as POND
from tests.semantics.check_pond import checked, first
from tests.spec.pages import write
from tests.syntax.texts import mistakes


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("owner draws 1 card", "draw 1 from ZONE to owner.ZONE"),
        ("p gains two coins", "p.NAME += 2"),
        ("if p.bag > 1: p.owner loses 3 food", "p.owner.NAME -= 3"),
        ("each player draws three cards", "for player x: draw 3 from ZONE to x.ZONE"),
        ("the player pays 2 coins", "X.NAME -= 2"),
        ("gain one food", "X.NAME += 1"),
        ("discards one card", "move CARD to ZONE"),
        ("owner's points increase 5", "X.NAME += 5"),
    ],
)
def test_a_sentence_is_told_the_statement_that_it_means(line: str, meant: str) -> None:
    (mistake,) = mistakes(f"routine r:\n  {line}\n")
    assert (mistake.code, mistake.hint) == ("S223", f"write `{meant}`")


def test_a_sentence_at_the_left_edge_is_told_that_something_has_to_happen_first() -> None:
    (mistake,) = mistakes("owner draws 2 cards\n")
    assert (
        mistake.hint
        == "say when it happens, as `after EVENT:`, and in its block write `draw 2 from ZONE to owner.ZONE`"
    )


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("mvoe c to x", "did you mean `move`?"),
        ("draws 1 from deck to p.hand", "did you mean `draw`?"),
        ("while a: nothing", "write `repeat until E:`"),
        ("move one card from deck to x", "the form is `move CARD to X.ZONE`"),
        ("noen one", ""),
    ],
)
def test_misspelt_statements_are_no_sentences(line: str, hint: str) -> None:
    assert mistakes(f"routine r:\n  {line}\n")[0].hint == hint


@pytest.mark.parametrize(("word", "number"), [("one", 1), ("Two", 2), ("twelve", 12), ("zero", 0)])
def test_a_number_word_is_told_its_digits(word: str, number: int) -> None:
    for text in (f"modify hunger(any): + {word}", f"value v(player p) -> int: p.bag + {word}"):
        mistake = first(text)
        assert (mistake.code, mistake.hint) == ("N350", f"write `{number}`")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("value v -> int: count(frogs)", "write `frog f`"),
        ("value v(frog f) -> int: count(frog)", "write `frog x`"),
        ("value v -> int: frogs", "write `count(frog f)`"),
        ("value v -> bool: frog", "write `any(frog f)`"),
        ("value v -> maybe frog: frogs", "write `first(frog f)`"),
        # A value that takes arguments, or one of another type, is no value here, unless a letter is wrong.
        ("value for_herons(player p) -> int: 1\nvalue v -> int: herons", ""),
        ("value for_herons -> int: 1\nvalue v -> int: herons", "did you mean `for_herons`?"),
        ("value for_herons -> bool: true\nvalue v -> int: herons", ""),
        ("value v -> bool: hungr", "did you mean `hungry`?"),
        ("value v -> maybe fish: limmit", "did you mean `limit`?"),
        ("value v -> int: nothingness", ""),
    ],
)
def test_what_is_proposed_fits_the_place(text: str, hint: str) -> None:
    mistake = first(text)
    assert (mistake.code, mistake.hint) == ("N350", hint)


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("value v(player p) -> number: 1", "N354", "write `int`"),
        ("value v(player p) -> bool: p.hand", "T408", "write `count(card c in p.hand)` or `p.hand is empty`"),
        ("value v -> int: deck", "T408", "write `count(card c in deck)` or `deck is empty`"),
        ("value v(player p) -> int: p.score", "N355", "write `score(p)` to read it"),
        ("action a during feeding: draw 1 from deck to owner.hand", "N362", "write `actor`"),
        ('routine r(fish f): tells "{fish} eats"', "N350", "did you mean `f`?"),
        (
            "routine r(fish f): graze(f)",
            "T419",
            "move its steps to a routine, and call the routine here and in the action",
        ),
    ],
)
def test_a_hint_says_what_to_write(text: str, code: str, hint: str) -> None:
    mistake = first(text)
    assert (mistake.code, mistake.hint) == (code, hint)


@pytest.mark.parametrize("name", ["populatoin[start]", "pricess[1]"])
def test_brackets_behind_an_unknown_name_are_no_second_mistake(name: str) -> None:
    assert [d.code for d in checked(f"value v -> int: {name}")[1]] == ["N350"]


@pytest.mark.parametrize(
    "rule",
    [
        "always after strike(any, self): self.weight += this.food",
        "always after strike(any, self), bite(self): self.weight += 1",
        "always modify hunger(self): + self.weight",
    ],
)
def test_a_rule_without_a_bearer_is_one_mistake(rule: str) -> None:
    (mistake,) = checked(f"# in a trait\n{rule}")[1]
    assert (mistake.code, mistake.hint) == ("N362", "remove `always`")
    assert [d.code for d in checked(rule.removeprefix("always "))[1]] == ["N362"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("  then: [a.weight == 1, population[a, b] == 1]", "population[a, b] == 1"),
        ("  then: [population[a, b] == 1, a.weight == 1]", "population[a, b] == 1"),
        ("  when: [eat a: {shown[a, b]: 1}]", "shown[a, b]"),
    ],
)
def test_a_bracket_that_yaml_takes_for_a_list_is_told_in_the_words_that_stand_there(
    line: str, meant: str, tmp_path: Path
) -> None:
    write(tmp_path / "pond", POND | {"scenarios/x.yaml": f"- name: a\n{line}\n"})
    output = run("check", str(tmp_path / "pond")).output
    assert f"put `{meant}` in quotes" in output
    assert "path" not in output


def test_what_stands_behind_a_list_is_no_question_of_indentation(tmp_path: Path) -> None:
    write(tmp_path / "pond", POND | {"scenarios/x.yaml": "- name: a\n  then:\n    - [a, b].weight == 1\n"})
    assert "hint: put the whole text in quotes" in run("check", str(tmp_path / "pond")).output


def test_a_scenario_of_a_phase_that_nothing_runs_leads_to_the_warning_of_the_rules(tmp_path: Path) -> None:
    rules = "phase storm: offer one action to start or pass\naction gust during storm: water += 1\n"
    scenario = "- name: a\n  given: {phase: storm, players: [ana, bob]}\n"
    write(tmp_path / "pond", POND | {"game.rules": POND["game.rules"] + rules, "scenarios/x.yaml": scenario})
    output = run("check", str(tmp_path / "pond")).output
    assert output.count("hint: run `storm` where it should happen") == 1
    assert "W517 has the same cause" in output
    alone = run("test", str(tmp_path / "pond")).output
    assert "hint: run `storm` where it should happen" in alone
