"""Mistakes in scenarios are told at their place, with the nearest name; the others are run all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.checking import check_scenarios
from tests.scenarios.shore import FILES, run

GOOD = """\
  - name: a good one
    given: {phase: feeding, turn: ana, players: {ana: {crab: [nip]}, bob: {crab: [nob]}}}
"""

# What follows `- name: x`: the code, where it stands, a part of the message, a part of the hint.
MISTAKES = {
    "given: {phase: feeding, players: {ana: {crab: [nip wieght 3]}, bob: []}}": ("C702", "wieg", "wieght", "`weight`"),
    "given: {phase: feeding, players: {ana: {crabs: [nip]}, bob: []}}": ("C702", "crabs", "`crabs` of a", "`crab`"),
    "given: {phase: feding, players: {ana: {crab: [nip]}, bob: []}}": ("C702", "feding", "phase `feding`", "`feeding`"),
    "given: {phase: feeding, turn: anna, players: {ana: [], bob: []}}": ("C702", "anna", "player `anna`", "`ana`"),
    "given: {phase: feeding, state: {watr: 3}, players: {ana: [], bob: []}}": ("C702", "watr", "`watr`", "`water`"),
    "given: {phase: feeding, zones: {dekk: rest}, players: {ana: [], bob: []}}": ("C702", "dekk", "`dekk`", "`deck`"),
    "given: {phase: feeding, zones: {deck: [shyy]}, players: {ana: [], bob: []}}": ("C702", "shyy", "`shyy`", "`shy`"),
    "given: {phase: feeding, options: {strom: true}, players: {ana: [], bob: []}}": ("C702", "strom", "`strom`", ""),
    "given: {phase: feeding, tables: {shoul: {}}, players: {ana: [], bob: []}}": ("C702", "shoul", "shoul", "`shoal`"),
    "given: {phase: feeding, lists: {beach: {nest: {tide: 1}}}, players: {ana: [], bob: []}}":
        ("C702", "nest", "beach `nest`", "`west`"),
    "given: {phase: feeding, zones: {shed: {nest: [net]}}, players: {ana: [], bob: []}}":
        ("C702", "nest", "beach `nest`", "`west`"),
    "given: {phase: feeding, players: {ana: {crab: [nip home nest]}, bob: []}}": ("C702", "nest", "`nest`", "`west`"),
    "given: {phase: feeding, players: {ana: {crab: [nip weight 12]}, bob: []}}": ("C704", "12", "0 to 9", ""),
    "given: {phase: feeding, players: {ana: {crab: [nip weight much]}, bob: []}}": ("C704", "much", "a number", ""),
    "given: {phase: feeding, players: {ana: {bag: 4294967296}, bob: []}}": ("C704", "4294967296", "too large", ""),
    "given: {phase: feeding, round: 4294967296, players: {ana: [], bob: []}}": ("Y121", "4294967296", "at most", ""),
    "given: {phase: feeding, players: {ana: {crab: [nip weight]}, bob: []}}": ("C704", "weight", "missing", ""),
    "given: {phase: feeding, players: {ana: {bag: []}, bob: []}}": ("C701", "[]", "one value", ""),
    "given: {phase: feeding, players: {ana: [nip], bob: []}}": ("C701", "ana", "by kind", "map"),
    "given: {phase: feeding, players: {ana: {crab: [{}]}, bob: []}}": ("C701", "{}", "a thing", ""),
    "given: {phase: feeding, players: {ana: {crab: [nip, nip]}, bob: []}}": ("C706", "nip]", "two things", ""),
    "given: {phase: feeding, players: {ana: {crab: [a, b, c, d]}, bob: []}}": ("C706", "d]", "cannot be added", ""),
    "given: {phase: feeding, players: {ana: {hand: [finned 9]}, bob: []}}": ("C703", "9", "no `finned`", ""),
    "given: {phase: feeding, players: {ana: {hand: [finned food 9]}, bob: []}}": ("C703", "9", "no `finned`", ""),
    "given: {phase: feeding, players: {ana: {hand: [finned foo 9]}, bob: []}}": ("C703", "foo", "no `finned", "`food`"),
    "given: {phase: feeding, players: {ana: {hand: [{shy food: 3}]}, bob: []}}": ("C701", "{", "a map", "`shy food 3`"),
    "given: {phase: feeding, players: {ana: {hand: [shy, shy, shy]}, bob: []}}": ("C703", "shy]", "is left", ""),
    "given: {phase: feeding, players: {ana: []}}": ("C707", "ana", "with 1 player", ""),
    "mode: ruff\n    given: {phase: feeding, players: {ana: [], bob: []}}": ("C707", "ruff", "of this scenario", ""),
    "rows: {tol: {axe: {cost: 1}}}": ("C702", "tol", "`tol`", "`tool`"),
    "rows: {tool: {axe: {cost: 1, hue: red, csot: 1}}}": ("C707", "{tool", "rows of this", "`cost`"),
    "when: [garze nip]": ("C705", "garze", "cannot begin with", "`graze`"),
    "when: [{graze nip: {refusd: no}}]": ("C702", "refusd", "`refusd`", "`refused`"),
    "when: [{anna: pass}]": ("C702", "anna", "player `anna`", "`ana`"),
    "when: [{dice: [0]}]": ("C701", "0", "from 1", ""),
    "then: [{decison: ana}]": ("C702", "decison", "`decison`", "`decision`"),
    "then: [{decision: anna}]": ("C702", "anna", "`anna`", "`ana`"),
    "then: [{winners: [anna]}]": ("C702", "anna", "`anna`", "`ana`"),
    "then: [{over: maybe}]": ("C701", "maybe", "true or false", ""),
    "then: [{scores: {ana: much}}]": ("C701", "much", "points", ""),
    "then:\n      - sum(card c in deck: c.food) == 5": ("C701", "sum(", "a map", "quotes"),
    "then: [gain(nip, nab) == 1, water == 2]": ("C701", "gain(nip", "comma", "quotes"),
    "when: [{ana: ['graze nip: {refused: it hides}']}]": ("C701", "'graze", "one line", "`- ana:`"),
    # Steps, options and lines of the log name what there is, even where they are said not to be.
    "when: [{graze zorg: {refused: ''}}]": ("C702", "zorg", "crab `zorg`", ""),
    "when: [{ana: [{graze nipp: {refused: there is no crab}}]}]\n    given: &g {phase: feeding, players: {ana: {crab: "
    "[nip]}, bob: []}}": ("C702", "nipp", "crab `nipp`", "`nip`"),
    "when: [{play nip shyy: {refused: there is no card}}]": ("C702", "shyy", "card `shyy`", "`shy`"),
    "when: [{play nip shy 9: {refused: ''}}]": ("C713", "9", "`play` does not take `9`", ""),
    "when: [{eat nip: {refused: a number is missing}}]": ("C713", "nip", "`eat` needs a number", ""),
    "when: [{eat nip much: {refused: there is no int}}]": ("C713", "much", "not a number", ""),
    "when: [eat nip]": ("C713", "nip", "`eat` needs a number", ""),
    "when: [{graze: {refused: it hides}}]": ("C713", "graze", "`graze` needs a crab", ""),
    "when: [{graze nip nab: {refused: too much}}]": ("C713", "nab", "does not take `nab`", ""),
    "when: [{graze nip: {refused: Nip}}]": ("C714", "Nip", "adds nothing", "write why"),
    "when: [graze the nip]": ("C702", "the", "crab `the`", "leave `the` out"),
    "when: [graze nipp]": ("C702", "nipp", "crab `nipp`", "`nip`"),
    "when: [nip graze nob]": ("C702", "graze", "nothing is called `graze`", "write `graze ...`"),
    "when: [nip grazes nob]": ("C702", "grazes", "nothing is called `grazes`", "write `graze ...`"),
    "when: [{options: {not: [graze zorg]}}]": ("C702", "graze zorg", "crab `zorg`", ""),
    "when: [{options: {not: [garze]}}]": ("C705", "garze", "cannot begin with", "`graze`"),
    "when: [{options: {not: [gra]}}]": ("C705", "gra", "cannot begin with", ""),
    "when: [{options: {among: [graze zorg]}}]": ("C702", "graze zorg", "crab `zorg`", ""),
    "then: [{options: [graze zorg, pass]}]": ("C702", "graze zorg", "crab `zorg`", ""),
    "when: [{dice: [7]}, cast]": ("C704", "7", "no die of this game can show 7", ""),
    "given: {phase: feeding, dice: [9], players: {ana: [], bob: []}}": ("C704", "9", "no die of this game", ""),
    "then: [{sees: {bob: {deck: [finedd]}}}]": ("C702", "finedd", "card `finedd`", "`finned`"),
    "then: [{sees: {bob: {start: anna}}}]": ("C702", "anna", "player `anna`", "`ana`"),
    "then: [{sees: {bob: {water: much}}}]": ("C704", "much", "`water` is a number", ""),
    "then: [{sees: {bob: {log: {not: a crab eats}}}}]": ("C715", "a crab", "can contain", ""),
    "then: [{log: {not: zorg eats}}]": ("C715", "zorg eats", "can contain", ""),
    "then: [{log: {not: [nip ate]}}]": ("C715", "nip ate", "can contain", ""),
    "then: [{log: the dye is cast}]": ("C715", "the dye", "can contain", "`die`"),
    "then: [{sees: {bob: {log: {not: nipp eats}}}}]": ("C715", "nipp eats", "can contain", "`nip`"),
    "then: [water is much]": ("T412", "", "", ""),
    "then: [water ==]": ("S", "", "", ""),
    "then: [water]": ("T4", "water", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("body", MISTAKES)
def test_mistake(body: str, tmp_path: Path) -> None:
    code, place, message, hint = MISTAKES[body]
    text = f"scenarios:\n{GOOD}  - name: x\n    {body}\n"
    report = run(tmp_path, text)
    good, bad = report.outcomes
    assert good.passed
    assert not bad.passed
    assert not bad.failures
    (found,) = bad.mistakes
    assert (found.code.startswith(code), message in found.message, hint in found.hint) == (True, True, True), found
    line = text.split("\n")[found.span.line - 1]
    assert line[found.span.column - 1 :].startswith(place), found
    checked = check_scenarios(Compilation(tmp_path / "shore")).diagnostics
    assert [item for item in checked if item.code.startswith(code)] == [found], "`check` tells the same, once"


def test_all_independent_mistakes_are_told(tmp_path: Path) -> None:
    text = """\
- name: x
  given: {phase: feeding, turn: anna, state: {watr: 3}, players: {ana: {crab: [nip wieght 3]}, bob: {bagg: 1}}}
  when: [garze nip]
  then: [nipp.weight == 1]
"""
    (outcome,) = run(tmp_path, text).outcomes
    assert sorted(codes(outcome.mistakes)) == ["C702", "C702", "C702", "C705", "N350"]


def codes(found: tuple[Diagnostic, ...]) -> list[str]:
    return [item.code for item in found]


def test_two_scenarios_of_one_name(tmp_path: Path) -> None:
    report = run(tmp_path, "scenarios:\n" + GOOD + GOOD)
    assert codes(report.mistakes) == ["C706"]
    assert not report.ok


def test_keys_that_nothing_reads(tmp_path: Path) -> None:
    report = run(tmp_path, "scenarios:\n" + GOOD + "  - name: x\n    givn: {}\n")
    assert codes(report.mistakes) == ["Y120"]
    assert report.mistakes[0].hint == "did you mean `given`?"
    assert [outcome.passed for outcome in report.outcomes] == [True, False]


def test_keys_of_given_that_nothing_reads(tmp_path: Path) -> None:
    report = run(tmp_path, "scenarios:\n" + GOOD + "  - name: x\n    given: {fase: feeding}\n")
    assert codes(report.mistakes) == ["Y120"]
    assert report.mistakes[0].hint == "did you mean `phase`?"


@pytest.mark.parametrize(
    "text", ["", "- 1\n", "scenarios: 3\n", "a: b\n", "- name: [x]\n", "- given: {}\n", "[", "\t- a"]
)
def test_other_things_than_scenarios(text: str, tmp_path: Path) -> None:
    report = run(tmp_path, text)
    assert text == "" or not report.ok


def test_a_ruleset_with_mistakes_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FILES, "game.rules", FILES["game.rules"] + "routine more: nothing_known\n")
    report = run(tmp_path, "scenarios:\n" + GOOD)
    assert not report.ok
    assert report.outcomes == ()
    assert codes(report.mistakes) == ["N356"]
