"""A rule that gives no reason of its own is told by what is the case, in words, and never by its code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang import load
from rulelang.compiler.compilation import check
from rulelang.runtime.state import State
from tests.hooks.small import started, write
from tests.native.machine import needs_compiler

GAME = {
    "components.yaml": """\
lists:
  food: [plant, meat]
  colour:
    columns: {warm: bool, shade: {is: food}}
    rows: {red: {warm: true, shade: meat}, blue: {warm: false, shade: plant}}
grids:
  space: {columns: {soil: food}, legend: {p: plant}, maps: {all: {soil: [p p, p p]}}}
kinds:
  snail:
    of: player
    at_most: 4
    attributes: {size: 0..9, slow: bool, mood: maybe colour, friend: maybe snail}
    names: [alva, bruma, corda, delva]
  player: {attributes: {bag: number}}
tables: {trail: {of: [snail, colour], is: 0..9}}
state: {first_player: player, calm: bool, water: 0..9}
""",
    "game.rules": """\
game:
  dawn
  garden
phase dawn:
  for player p:
    create snail s of p
    s.size = 3
    s.mood = red
  turns p from first_player once each: offer one action to p or pass
phase garden:
  turns p from first_player until all pass: offer one action to p or pass

routine eat(snail s, food f, int n):
  require s.size > n because "{s} is too small for {n}"
  require not s.slow
forbid eat(any, meat) because "snails eat plants"
value hunger(snail s) -> int: 5 - s.size
value score(player p) -> int: p.bag
value happy(snail s) -> bool: s.size > 8
value near(snail s, snail t) -> bool: s == t

action grow(snail s of actor, int n from 1 to 2) during dawn: s.size += n
action think during garden free: water = 1
action swell(snail s of actor) during garden:
  s.size += 2
  ensure s.size < 5 because "{s} bursts at {s.size}"
  roll 1d6 as water
  choose snail t: t.slow = true
action breathe(snail s of actor) during garden:
  s.size += 1
  ensure s.size < 9
action TESTED during garden:
  BODY
""",
}


def asked(folder: Path, action: str, body: str, backend: str = "python", look: str = "") -> State:
    rules = GAME["game.rules"].replace("TESTED", action).replace("BODY", body)
    where = write(folder / "words", {**GAME, "components.yaml": GAME["components.yaml"] + look, "game.rules": rules})
    state = started(where, backend=backend)
    state.play("pass")
    state.play("pass")
    return state


def told(state: State, text: str) -> list[str]:
    return [reason.text for reason in state.why_not(text)]


SNAIL = "go(snail s of actor)"
OTHER = "go(snail s of actor, snail t)"
WORDS = [
    (SNAIL, "require s.size < 3: nothing", "go alva", ["the size of alva is 3, not less than 3"]),
    (SNAIL, "require not s.size >= 3", "go alva", ["the size of alva is 3, at least 3"]),
    (SNAIL, "require hunger(s) > 7", "go alva", ["the hunger of alva is 2, not more than 7"]),
    (SNAIL, "require s.size < hunger(s)", "go alva", ["the size of alva is 3, not less than the hunger of alva (2)"]),
    (SNAIL, "require water > 0", "go alva", ["the water is 0"]),
    (SNAIL, "require s.slow", "go alva", ["alva is not slow"]),
    (SNAIL, "require not s.slow == false", "go alva", ["alva is not slow"]),
    (SNAIL, "require s is happy", "go alva", ["alva is not happy"]),
    (SNAIL, "require calm", "go alva", ["it is not calm"]),
    (SNAIL, "require s.mood == blue", "go alva", ["the mood of alva is red, not blue"]),
    (SNAIL, "require s.mood != red", "go alva", ["the mood of alva is red"]),
    (SNAIL, "require s.mood is missing", "go alva", ["alva has a mood"]),
    (SNAIL, "require s.friend is present and s.friend.size > 1", "go alva", ["alva has no friend"]),
    (SNAIL, "require s.mood is present and not s.mood.warm", "go alva", ["red is warm"]),
    (SNAIL, "require s.mood is present and s.mood.shade == plant", "go alva", ["the shade of red is meat, not plant"]),
    (SNAIL, "require s.size > 4 and s.slow", "go alva", ["the size of alva is 3, not more than 4", "alva is not slow"]),
    (SNAIL, "require s.size > 4 or s.slow", "go alva",
     ["the size of alva is 3, not more than 4, and alva is not slow"]),
    (SNAIL, "require not (s.size == 3 and s.mood == red)", "go alva",
     ["the size of alva is 3, and the mood of alva is red"]),
    (SNAIL, "require trail[s, red] > 0", "go alva", ["the trail of alva and red is 0"]),
    (SNAIL, "require s.size + 1 == 9", "go alva", ["the size of alva plus 1 is 4, not 9"]),
    (SNAIL, "require count(snail t of actor) > 1", "go alva", ["the number of snails of yours is 1, not more than 1"]),
    (SNAIL, "require any(snail t where t.slow)", "go alva", ["there is no snail that is slow"]),
    (SNAIL, "require no(snail t of actor where t.size < 8)", "go alva",
     ["you have a snail whose size is less than 8"]),
    (SNAIL, "require all(snail t: t.slow)", "go alva", ["not for every snail: it is slow"]),
    (SNAIL, "require count(snail t where t.size > 1) > 2", "go alva",
     ["the number of snails whose size is more than 1 is 2, not more than 2"]),
    (SNAIL, "require can eat(s, meat, 1)", "go alva", ["snails eat plants"]),
    (SNAIL, "require can eat(s, plant, 5)", "go alva", ["alva is too small for 5"]),
    (SNAIL, "require can eat(s, meat, 5) or s.slow", "go alva",
     ["alva is too small for 5", "snails eat plants", "alva is not slow"]),
    (SNAIL, "require not can eat(s, plant, 1)", "go alva", ["eat is possible for alva, plant and 1"]),
    (OTHER, "require near(s, t)", "go alva bruma", ["near does not hold for alva and bruma"]),
    (OTHER, "require s != t", "go alva alva", ["something other than alva is needed"]),
    (OTHER, "require s == t", "go alva bruma", ["alva is not bruma"]),
    (OTHER, "require t.owner == actor", "go alva bruma", ["bruma is not yours"]),
    (OTHER, "require t.owner != actor", "go alva alva", ["alva is yours"]),
    (OTHER, "require t.owner != s.owner", "go alva alva", ["alva and alva have the same owner"]),
    ("go(snail s of actor where s.slow)", "nothing", "go alva", ["alva is not slow"]),
    ("go(snail s of actor where can eat(s, meat, 1))", "nothing", "go alva", ["snails eat plants"]),
    ("go(snail s of actor, int n from 1 to s.size)", "nothing", "go alva 4",
     ["4 is not a number from 1 to the size of alva (3)"]),
    ("go(space x, space y in neighbours(x))", "nothing", "go a1 b2", ["b2 is not adjacent to a1"]),
    (SNAIL, "nothing", "go bruma", ["bruma belongs to bob, not to ana"]),
]  # fmt: skip


@pytest.mark.parametrize(("action", "body", "text", "reasons"), WORDS, ids=[f"{a}: {b}" for a, b, _, _ in WORDS])
def test_a_condition_without_a_reason_is_told_in_words(
    tmp_path: Path, action: str, body: str, text: str, reasons: list[str]
) -> None:
    body = body.removesuffix(": nothing")
    assert told(asked(tmp_path, action, body), text) == reasons


LOOK = """\
look:
  near: {called: "{s} sees {t}", otherwise: "{s} is too far from {t}"}
  happy: {called: "{s} smiles"}
  hunger: {called: "what {s} could eat"}
  trail: {called: "the {colour} trail of {snail}"}
  snail: {members: {slow: {called: "{snail} {n:has|have} slowed down", otherwise: "{snail} {n:keeps|keep} going"}}}
  colour: {members: {warm: {called: "{colour} warms you"}}}
  game: {members: {calm: {called: the garden sleeps, otherwise: the garden is awake}}}
"""
OWN_WORDS = [
    (OTHER, "require near(s, t)", "go alva bruma", "alva is too far from bruma"),
    (OTHER, "require not near(s, t)", "go alva alva", "alva sees alva"),
    (SNAIL, "require s is happy", "go alva", "it is not the case that alva smiles"),
    (SNAIL, "require any(snail t where t is happy)", "go alva", "there is no snail that smiles"),
    (SNAIL, "require hunger(s) > 7", "go alva", "what alva could eat is 2, not more than 7"),
    (SNAIL, "require trail[s, red] > 0", "go alva", "the red trail of alva is 0"),
    (SNAIL, "require s.slow", "go alva", "alva keeps going"),
    (SNAIL, "require any(snail t of actor where t.slow)", "go alva", "you have no snail that has slowed down"),
    (SNAIL, "require count(snail t where t.slow) > 0", "go alva", "the number of snails that have slowed down is 0"),
    (SNAIL, "require s.mood is present and not s.mood.warm", "go alva", "red warms you"),
    (
        SNAIL,
        "require any(colour c where not c.warm and c == red)",
        "go alva",
        "there is no colour that is red for which it is not the case that it warms you",
    ),
    (SNAIL, "require calm", "go alva", "the garden is awake"),
]


@pytest.mark.parametrize(("action", "body", "text", "reason"), OWN_WORDS, ids=[b for _, b, _, _ in OWN_WORDS])
def test_a_ruleset_has_words_of_its_own_for_values_and_tables(
    tmp_path: Path, action: str, body: str, text: str, reason: str
) -> None:
    assert told(asked(tmp_path, action, body, look=LOOK), text) == [reason]


@pytest.mark.parametrize(
    ("look", "told_"),
    [
        ('near: {called: "{s} sees {u}"}', "unknown placeholder `u`"),
        ('near: {called: "{s} sees {t}", otherwise: "{s} misses {u}"}', "unknown placeholder `u`"),
        ('trail: {called: "the trail of {snial}"}', "unknown placeholder `snial`"),
        ('hunger: {called: "what {s} eats", otherwise: nothing}', "`otherwise:` has no effect here"),
        ('snail: {members: {slow: {called: "{snial} creeps"}}}', "unknown placeholder `snial`"),
        ('snail: {members: {size: {called: "{snail} is large"}}}', "`called:` has no effect here"),
        ('game: {members: {calm: {called: "{n:is|are} calm"}}}', "unknown placeholder `n`"),
        ('eat: {called: "{s} eats"}', "`called:` has no effect here"),
    ],
)
def test_words_that_do_not_fit_a_value_are_told(tmp_path: Path, look: str, told_: str) -> None:
    files = {**GAME, "components.yaml": f"{GAME['components.yaml']}look:\n  {look}\n"}
    files["game.rules"] = files["game.rules"].replace("TESTED", SNAIL).replace("BODY", "s.slow = true")
    assert [one.message for one in check(write(tmp_path / "words", files))[1]] == [told_]


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
@pytest.mark.parametrize(
    ("ensured", "reason"),
    [
        ("can eat(s, meat, 1)", "snails eat plants"),
        ("can eat(s, plant, 3)", "alva is too small for 3"),
        ("s.size > 1 and can eat(s, plant, 3)", "alva is too small for 3"),
        ("s.slow", "alva is not slow"),
        ("can swell(s)", "alva bursts at 5"),  # a trial in a trial
        ("can breathe(s) and can swell(s)", "alva bursts at 5"),
        ("can swell(s) or s.slow", "alva bursts at 5"),
        ("s.size > 4", "the size of alva is 3, not more than 4"),
    ],
)
def test_what_a_trial_meets_is_told_in_words(tmp_path: Path, backend: str, ensured: str, reason: str) -> None:
    """An `ensure` deep in what the action does: the reasons of what it asks `can` for are its reasons."""
    state = asked(tmp_path, SNAIL, f"walk(s)\nroutine walk(snail s): ensure {ensured}", backend)
    assert "go alva" not in [option.text for option in state.decision.options]
    assert told(state, "go alva") == [reason]


def test_what_is_ensured_and_holds_is_done(tmp_path: Path) -> None:
    state = asked(tmp_path, SNAIL, "walk(s)\nroutine walk(snail s): ensure can eat(s, plant, 1)")
    assert told(state, "go alva") == []
    state.play("go alva")


def test_a_second_main_action_and_another_phase_are_told(tmp_path: Path) -> None:
    state = asked(tmp_path, SNAIL, "nothing")
    assert told(state, "grow alva 1") == ["you can grow only in the dawn phase"]
    state.play("go alva")
    assert told(state, "go alva") == ["you have already taken your action this turn"]
    assert told(state, "think") == []


def test_an_action_that_is_one_call_is_refused_for_its_reasons(tmp_path: Path) -> None:
    assert told(asked(tmp_path, SNAIL, "eat(s, meat, 1)"), "go alva") == ["snails eat plants"]


def test_no_code_is_shown() -> None:
    """No dots of `a.b`, no operators, no calls: what the tests above expect is plain words."""
    for _, _, _, reasons in WORDS:
        for reason in reasons:
            assert not re.search(r"\w\.\w|[=<>\[]|\w\(", reason), reason


def test_where_nobody_acts_the_one_who_is_asked_would_be_the_one() -> None:
    """Outside of turns a thing of his is his, whatever else keeps him from it."""
    state = load("evolution").new(3, seed=4)
    assert not state.words[state.table.program.layout.cells.actor]
    told = [refusal.text for refusal in state.why_not("graze wolf")]
    assert told[0] == "you can graze only in the feeding phase"
    assert not any("not yours" in text for text in told)
