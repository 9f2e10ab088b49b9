"""What `when` and `then` can say, and what a failure shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.testing.scenarios.scenario import Failure, outcome_lines
from tests.scenarios.shore import FILES, one

GIVEN = """
given:
  phase: feeding
  turn: ana
  state: {water: 3}
  players:
    ana: {hand: [shy], crab: [nip, nab weight 9, nan: shy]}
    bob: {crab: [nob: finned, nod]}
"""

GOOD = {
    "options, players and plain steps": """
when:
  - options: [graze nip, play nip shy, play nab shy, play nan shy, cast, pass]
  - ana: {options: [graze nip, play nip shy, play nab shy, play nan shy, cast, pass]}
  - ana: graze nip
  - bob: {graze nab: {refused: not to bob}}
  - bob: [pass]
then: [nip.weight == 2]
""",
    "refusals of actions and of routines, and calls": """
when:
  - graze nab: {refused: nab is full}
  - graze nan: {refused: it hides}
  - eat nab 1: {refused: [is full]}
  - eat nip 2
  - eat nob 2
then:
  - nip.weight == 3
  - nob.weight == 4
  - water == 1
  - "sum(card c in nob.traits: c.trips) == 1"
  - {decision: ana}
  - {log: [nip eats 2, nob eats 2]}
""",
    "a routine that asks, and the decision below it": """
when:
  - ask bob
  - bob: red
then:
  - water == 7
  - {decision: ana}
  - {options: [graze nip, play nip shy, play nab shy, play nan shy, cast, pass]}
""",
    "the end": """
when:
  - perish nod
  - perish nob
then:
  - nod is missing
  - {over: false}
  - {scores: {ana: 11, bob: 0}}
""",
}


@pytest.mark.parametrize("title", GOOD)
def test_good(title: str, tmp_path: Path) -> None:
    outcome = one(tmp_path, GIVEN + GOOD[title])
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


def failed(folder: Path, body: str) -> list[Failure]:
    outcome = one(folder, GIVEN + body)
    assert not outcome.mistakes, [item.message for item in outcome.mistakes]
    return list(outcome.failures)


def test_a_claim_shows_what_was_found_instead(tmp_path: Path) -> None:
    (failure,) = failed(tmp_path, "when: [graze nip]\nthen: [nob.weight == 1 and nip.weight == 5]")
    assert (failure.what, failure.expected, failure.found) == ("nip.weight == 5", ("5",), ("2",))
    assert (failure.span.line, failure.span.column, failure.span.end_column) == (11, 32, 47)


def test_every_claim_that_fails_is_told(tmp_path: Path) -> None:
    found = failed(
        tmp_path, "then: [nip.weight == 5, right_of(nip) == nan, nip has shy, {over: true}, {winners: [bob]}]"
    )
    assert [failure.found for failure in found] == [("1",), ("nab",), (), ("false",), ()]
    assert found[1].expected == ("nan",)


def test_options_that_differ(tmp_path: Path) -> None:
    (failure,) = failed(tmp_path, "when:\n  - options: [graze nip, graze nab, pass]")
    assert "graze nab" in failure.expected
    assert "graze nab" not in failure.found
    assert "cast" in failure.found
    assert "cast" not in failure.expected
    lines = list(outcome_lines(one(tmp_path, GIVEN + "when:\n  - options: [graze nip, graze nab, pass]"), {}))
    assert any(line.endswith("- graze nab") for line in lines)
    assert any(line.endswith("+ cast") for line in lines)


def test_a_step_that_cannot_be_done_says_why_and_ends_the_scenario(tmp_path: Path) -> None:
    (failure,) = failed(tmp_path, "when: [graze nab, graze nip]\nthen: [nip.weight == 7]")
    assert failure.what == "graze nab"
    assert failure.notes[0].startswith("nab is full [")
    assert failure.notes[-1].startswith("ana is asked: ")


def test_the_wrong_player(tmp_path: Path) -> None:
    (failure,) = failed(tmp_path, "when:\n  - bob: graze nob")
    assert (failure.expected, failure.found) == (("bob",), ("ana",))


def test_what_was_to_be_refused(tmp_path: Path) -> None:
    (possible,) = failed(tmp_path, "when:\n  - graze nip: {refused: it hides}")
    assert "possible" in possible.message
    assert possible.notes[-1] == "the step names no player, so ana tried it"
    (other,) = failed(tmp_path, "when:\n  - graze nab: {refused: it hides}")
    assert (other.expected, other.found) == (("it hides",), ("nab is full",))
    assert other.notes[-1] == "the step names no player, so ana tried it"
    (named,) = failed(tmp_path, "when:\n  - ana: {graze nab: {refused: it hides}}")
    assert not [note for note in named.notes if "names nobody" in note]
    (call,) = failed(tmp_path, "when:\n  - eat nip 1: {refused: it hides}")
    assert "possible" in call.message


def test_points_that_are_others(tmp_path: Path) -> None:
    (wrong,) = failed(tmp_path, "when: [pass]\nthen:\n  - scores: {ana: 90, bob: 91}")
    assert re.fullmatch(r"ana has \d+ points?, not 90; bob has \d+ points?, not 91", wrong.message)
    assert not wrong.expected


def test_calls_that_cannot_be_read_or_happen(tmp_path: Path) -> None:
    (unread,) = failed(tmp_path, "when: [perish nip, eat nip 1]")
    assert "there is no crab `nip 1` here" in unread.notes[0]
    (barred,) = failed(tmp_path, "when: [eat nab 1]")
    assert barred.message == "this cannot happen now"


def test_reasons_are_not_found_in_what_is_quoted_of_the_step(tmp_path: Path) -> None:
    """`there is no crab `nob` here` quotes the step: that is no reason with `nob` in it."""
    (other,) = failed(tmp_path, "when:\n  - perish nob\n  - graze nob: {refused: nob here}")
    assert other.message == "this is refused, but for another reason"
    gone = "when:\n  - perish nob\n  - graze nob: {refused: there is no crab}\n  - options: {not: [graze nob]}"
    assert failed(tmp_path, gone) == []


@pytest.mark.parametrize(
    "step",
    ["graze nix: {refused: there is no crab}", "graze NIX: {refused: ''}", "eat nix 1: {refused: ''}",
     "options: {not: [graze nix]}"],
)  # fmt: skip
def test_what_is_said_not_to_be_possible_is_there(step: str, tmp_path: Path) -> None:
    """`nix` is a name that the game gives to crabs. There is none of this name yet."""
    (failure,) = failed(tmp_path, f"when:\n  - {step}")
    assert failure.message == "`nix` does not exist here, so this claim proves nothing"
    bred = f"when:\n  - pass\n  - bob: breed\n  - {step}"
    assert "says nothing" not in str([found.message for found in failed(tmp_path, bred)])


FORMS = {
    "options may be cut short, between words where they are not": "options: {among: [gra, play nab], not: [graze nan]}",
    "a card may be told by where it lies": "play nip shy in ana's hand",
    "names without regard to case": "Graze NIP",
    "names in quotes": "'graze \"nip\"'",
    "routines without regard to case": "Eat NIP 2",
    "a refused routine": "eat nab 1: {refused: IS full}",
    "passing where there is none": "none: {refused: ''}",
}


@pytest.mark.parametrize("title", FORMS)
def test_forms_of_steps(title: str, tmp_path: Path) -> None:
    outcome = one(tmp_path, GIVEN + f"when:\n  - {FORMS[title]}")
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


def test_rules_that_go_wrong(tmp_path: Path) -> None:
    (failure,) = failed(tmp_path, "when: [burst nip]")
    assert failure.diagnostic is not None
    assert failure.diagnostic.code == "X601"
    assert failure.diagnostic.span.path.endswith("game.rules")


def test_cards_that_a_player_did_not_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others read of `a card` where one lies in a hand, and may be said to."""
    praise = 'routine praise(player p, card c): tells "{p} praises {c}"\n'
    boast = "routine boast(player p):\n  for card c in p.hand: praise(p, c)\n"
    monkeypatch.setitem(FILES, "game.rules", FILES["game.rules"] + praise + boast)
    ana, bob = "{log: {not: ana praises a card}}", "{log: {not: ana praises shy}}"
    assertions = (
        f"then: [sees: {{ana: {ana}, bob: {bob}}}, sees: {{ana: {{log: praises shy}}, bob: {{log: praises a card}}}}]"
    )
    assert failed(tmp_path, f"when: [boast ana]\n{assertions}") == []


def test_the_log_in_order(tmp_path: Path) -> None:
    (failure,) = failed(tmp_path, "when: [eat nip 1, eat nob 1]\nthen:\n  - {log: [nob eats, nip eats]}")
    assert failure.message == "the log contains this, but in another order"
    (other,) = failed(tmp_path, "then:\n  - {log: nob eats}")
    assert other.message == "the log does not contain this"
