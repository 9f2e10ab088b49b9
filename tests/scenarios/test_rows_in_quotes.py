"""Rows of cards whose names are no words stand in quotes, in rules and in expressions of scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import FILES, game, one

GIVEN = """
given:
  phase: feeding
  turn: ana
  state: {water: 3}
  zones: {shed: {east: [net.old, net]}}
  players: {ana: {crab: [nip]}, bob: {crab: [nob]}}
"""


@pytest.fixture(autouse=True)
def rods(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = FILES["things.yaml"].replace("      net: {", "      net.old: {cost: 5, hue: red}\n      net: {")
    monkeypatch.setitem(FILES, "things.yaml", rows)
    more = """\
value old(tool t) -> bool: t == "net.old"
value price -> int: "net.old".cost + net.cost
routine lend(tool t): require not old(t) because "it is too old"
"""
    monkeypatch.setitem(FILES, "game.rules", FILES["game.rules"] + more)


def test_in_rules_scenarios_and_steps(tmp_path: Path) -> None:
    body = """
when:
  - lend net.old: {refused: too old}
  - lend net
then:
  - price == 7
  - any(tool t in east.shed where t == "net.old") and no(tool t in west.shed where t == "net.old")
  - '"net.old".cost == 5'
  - sees: {bob: {east.shed: [net.old, net]}}
"""
    outcome = one(tmp_path, GIVEN + body)
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


@pytest.mark.parametrize(
    ("assertion", "code", "hint"),
    [
        ('any(tool t in east.shed where t == net.old)', "N350", 'write `"net.old"`'),
        ('any(tool t in east.shed where t == "net.odl")', "C702", "did you mean `net.old`?"),
        ('any(tool t in east.shed where t == "")', "N350", ""),
    ],
)  # fmt: skip
def test_mistakes_in_scenarios(assertion: str, code: str, hint: str, tmp_path: Path) -> None:
    (found,) = one(tmp_path, f"{GIVEN}then: ['{assertion}']").mistakes
    assert (found.code, found.hint) == (code, hint)


@pytest.mark.parametrize(
    ("value", "hint"),
    [('t == "net.odl"', 'did you mean `"net.old"`?'), ("t == oar.old", 'write `"oar.old"`')],
)
def test_mistakes_in_rules(value: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = FILES["things.yaml"].replace("      net: {", "      oar.old: {cost: 5, hue: red}\n      net: {")
    monkeypatch.setitem(FILES, "things.yaml", rows)
    monkeypatch.setitem(FILES, "game.rules", f"{FILES['game.rules']}value dear(tool t) -> bool: {value}\n")
    (found,) = Compilation(game(tmp_path)).diagnostics
    assert (found.code, found.hint) == ("N350", hint)
