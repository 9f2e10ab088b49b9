"""The forms in which scenarios say what is done and what holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.run import run_path
from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import FILES, game, one

GIVEN = """
given:
  phase: feeding
  turn: ana
  state: {water: 9}
  players:
    ana: {bag: 2, hand: [shy, 2 x finned food 2], crab: [nip weight 2, nab: {hidden: [shy 3]}, nit]}
    bob: {crab: ['"old nob" weight 4', count, a.b]}
  zones: {shed: {east: [2 x rod, net]}}
"""
GOOD = {
    "then between steps": """
when:
  - graze nip
  - then: [water == 8, {decision: bob}, nip.weight == 3, {log: nip eats 1}]
  - bob: [{then: [active == bob]}, graze count]
then: [water == 7, round == 1]
""",
    "some of the options, and some that are none": """
when:
  - options: {among: [graze nip, pass], not: [breed, graze count]}
  - ana: {options: {not: graze a.b}}
then: [{options: {among: graze nab}}]
""",
    "what no line says": """
when: [graze nip]
then: [{log: {not: [nab eats, is cast]}}, {log: nip eats}]
""",
    "what a seat sees": """
when: [graze nip]
then:
  - sees:
      bob: {ana.hand: hidden, nab.hidden: hidden, deck: hidden, ana.bag: 2, nip.weight: 3, water: 8}
      ana: {ana.hand: [2 x finned 2, shy], bob.hand: hidden, nab.hidden: shy, discards: 0, log: nip eats 1}
  - sees: {ana: {east.shed: [2 x rod, net], ana.hand: 3, log: {not: nab eats}}, bob: {ana.hand: 3}}
""",
    "cards that are alike": """
then: [count(card c in ana.hand) == 3, "sum(card c in ana.hand: c.food) == 7", count(tool t in east.shed) == 3]
""",
    "things by any name": """
when: [ana: graze nip, bob: graze old nob]
then:
  - '"old nob".weight == 5 and "old nob".owner == bob'
  - count(crab c of bob where (c == "count" or c == "a.b")) == 2
  - '"count".weight + "a.b".weight == 2'
""",
    "a player is an answer": """
when: [vote ana, {options: [ana, bob]}, bob]
then: [bob.bag == 1]
""",
}  # fmt: skip
BAD = {
    "then between steps": ("when: [{then: [water == 8]}, graze nip]\n", "this is false"),
    "among": ("then: [{options: {among: [breed]}}]\n", "`breed` is not among the options"),
    "not among": ("then: [{options: {not: [graze]}}]\n", "`graze` is among the options"),
    "a line that is said": ("when: [graze nip]\nthen: [{log: {not: nip eats}}]\n", "the log contains this"),
    "what is not seen": ("then: [{sees: {bob: {ana.hand: [shy]}}}]\n", "the view is different"),
    "what is seen": ("then: [{sees: {ana: {ana.hand: hidden}}}]\n", "the view is different"),
    "other cards": ("then: [{sees: {ana: {ana.hand: [shy, 2 x finned 1]}}}]\n", "the view is different"),
    "another value": ("then: [{sees: {ana: {nip.weight: 9}}}]\n", "the view is different"),
}
MISTAKEN = {
    "a seat that is none": ("then: [{sees: {eve: {deck: hidden}}}]\n", "C702"),
    "a zone that is none": ("then: [{sees: {ana: {ana.deck: hidden}}}]\n", "C702"),
    "a thing that is none": ("then: [{sees: {ana: {nup.weight: 1}}}]\n", "C702"),
    "a word that is none": ("then: [{log: {never: nip eats}}]\n", "C702"),
    "a name that is none": ("then: ['\"young nob\".weight == 1']\n", "C702"),
    "what is seen is no map": ("then: [{sees: {ana: deck}}]\n", "C701"),
}


@pytest.fixture(autouse=True)
def _vote(monkeypatch: pytest.MonkeyPatch) -> None:
    vote = "routine vote(player p):\n  choose player q by p\n  q.bag += 1\n"
    monkeypatch.setitem(FILES, "game.rules", FILES["game.rules"] + vote)


@pytest.mark.parametrize("name", GOOD)
def test_what_can_be_said(tmp_path: Path, name: str) -> None:
    outcome = one(tmp_path, GIVEN.strip() + "\n" + GOOD[name].strip())
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_hold_is_told(tmp_path: Path, name: str) -> None:
    body, message = BAD[name]
    outcome = one(tmp_path, GIVEN.strip() + "\n" + body.strip())
    assert [failure.message for failure in outcome.failures] == [message]


@pytest.mark.parametrize("name", MISTAKEN)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str) -> None:
    body, code = MISTAKEN[name]
    outcome = one(tmp_path, GIVEN.strip() + "\n" + body.strip())
    assert [item.code for item in outcome.mistakes] == [code]


def test_none_is_no_pass(tmp_path: Path) -> None:
    """To end an offer and to decline a choice are two things: a step that is left over does not do the other."""
    assert one(tmp_path / "a", GIVEN.strip() + "\nwhen: [ana: pass]\nthen: [{decision: bob}]").passed
    outcome = one(tmp_path / "b", GIVEN.strip() + "\nwhen: [ana: none]")
    assert "to choose nothing, type `pass`" in outcome.failures[0].notes[0]


def test_a_trait_asks_its_own_values(tmp_path: Path) -> None:
    home = game(tmp_path)
    (home / "traits" / "shy.yaml").write_text(
        FILES["traits/shy.yaml"] + "  value timid(crab c) -> bool: c has shy\n"
        "scenarios:\n  - name: its own\n"
        "    given: {phase: feeding, turn: ana, players: {ana: {crab: [nip: shy, nap]}, bob: []}}\n"
        "    then: [timid(nip), not timid(nap)]\n"
    )
    (outcome,) = run_path(home).outcomes
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


LADDER = {
    "ruleset.yaml": "id: rungs\nversion: 1.0.0\nlanguage: 1\ntitle: Rungs\nplayers: {count: 2, from: start}\n"
    "files: [things.yaml, game.rules]\n",
    "game.rules": """\
game: playing
phase playing:
  turns p from start once each: offer one action to p
action play(card c in actor.hand) during playing: move c to pile
value score(player p) -> int: 0
""",
    "scenarios/s.yaml": """\
- name: by the printed word
  given: {phase: playing, turn: ana, players: {ana: {hand: [club four, club five, club rank two]}, bob: {}}}
  when:
    - options: [play club four, play club five, play club two]
    - play club five
  then: [count(card c in pile where c.rank == five) == 1]
""",
}
WAYS_TO_PRINT = {
    "a column by copy": "columns: {rank: {is: rank, by: copy}}, rows: {club: {rank: [two, four, five]}}",
    "a row for each": "columns: {rank: rank}, for_each: {rank: rank}, rows: {club: {}}",
}


@pytest.mark.parametrize("section", ["ladders", "lists"])
@pytest.mark.parametrize("way", WAYS_TO_PRINT)
def test_options_and_cards_by_the_printed_word(tmp_path: Path, section: str, way: str) -> None:
    things = (
        f"{section}: {{rank: [two, three, four, five]}}\ncards: {{card: {{{WAYS_TO_PRINT[way]}}}}}\n"
        "zones: {hand: {of: player, holds: card, seen_by: owner}, pile: {holds: card, seen_by: everyone}}\n"
        "state: {start: player}\n"
    )
    for name, text in {**LADDER, "things.yaml": things}.items():
        (tmp_path / "rungs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "rungs" / name).write_text(text)
    report = run_path(tmp_path / "rungs")
    assert not report.mistakes
    assert [outcome.passed for outcome in report.outcomes] == [True], list(outcome_lines(report.outcomes[0], {}))


def test_cards_without_names_are_told_how_to_get_one(tmp_path: Path) -> None:
    things = (
        "lists: {rank: [two, four]}\ncards: {card: {columns: {rank: rank}, for_each: {rank: rank}, rows: [{}]}}\n"
        "zones: {hand: {of: player, holds: card, seen_by: owner}, pile: {holds: card, seen_by: everyone}}\n"
        "state: {start: player}\n"
    )
    steps = (
        "- name: unnamed\n  given: {phase: playing, turn: ana, players: {ana: {hand: [card four]}, bob: {}}}\n"
        "  when: [play card two]\n"
    )
    for name, text in {**LADDER, "things.yaml": things, "scenarios/s.yaml": steps}.items():
        (tmp_path / "rungs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "rungs" / name).write_text(text)
    (outcome,) = run_path(tmp_path / "rungs").outcomes
    assert [mistake.code for mistake in outcome.mistakes] == ["C702"]
    assert all(mistake.hint.startswith("give the row a name") for mistake in outcome.mistakes)


def test_refusals_of_a_repeated_row_in_every_form(tmp_path: Path) -> None:
    things = (
        "lists: {suit: [clubs, hearts]}\nladders: {rank: [two, four]}\n"
        "cards: {card: {columns: {suit: suit, rank: rank}, for_each: {suit: suit, rank: rank}, rows: {card: {}}}}\n"
        "zones: {hand: {of: player, holds: card, seen_by: owner}, pile: {holds: card, seen_by: everyone}}\n"
        "state: {start: player}\n"
    )
    game = LADDER["game.rules"].replace(": move c", ':\n  require c.suit == clubs because "no red ones"\n  move c')
    forms = ["card hearts four", "card four hearts", "card rank four suit hearts", "card hearts", '"card hearts four"']
    refused = ", ".join(f"{{'play {form}': {{refused: no red ones}}}}" for form in forms)
    steps = (
        "- name: red\n"
        "  given: {phase: playing, turn: ana, players: {ana: {hand: [card clubs two, card hearts four]}, bob: {}}}\n"
        f"  when:\n    - ana: [{refused}, play card two]\n  then: [log: ana plays card clubs two]\n"
    )
    game = game.replace("\n  move c", '\n  tells "{actor} plays {c}"\n  move c')
    for name, text in {**LADDER, "game.rules": game, "things.yaml": things, "scenarios/s.yaml": steps}.items():
        (tmp_path / "rungs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "rungs" / name).write_text(text)
    report = run_path(tmp_path / "rungs")
    assert [outcome.passed for outcome in report.outcomes] == [True], list(outcome_lines(report.outcomes[0], {}))
