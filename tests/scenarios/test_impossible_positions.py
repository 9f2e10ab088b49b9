"""Positions that no game comes to: pairs that join nobody or nothing, and invariants that do not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.testing.scenarios.checking import check_scenarios
from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import FILES, game, one

PAIR = {
    "traits/link.yaml": "trait: link\ntext: {en: It joins.}\npair: mutual\n"
    "rules: |\n  after eat(self): partner.sated = true\n",
    "traits/cling.yaml": "trait: cling\ntext: {en: It clings.}\npair: directed\n",
}
CARDS = "      - {face: link, food: [1, 2]}\n      - {face: cling, food: [1, 2]}\n"
PAIRS = {
    "nobody is named": ("nip: link", "link", "`link` has no partner"),
    "of a directed pair": ("nip: cling", "cling", "`cling` has no partner"),
    "itself": ("nip: [link: {with: nip}]", "nip}", "`nip` cannot be connected to itself"),
    "nobody of this name": ("nip: [link: {with: nipp}]", "nipp", "there is no crab `nipp`"),
    "a thing of another kind": ("nip: [link: {with: junk}]", "junk}", "there is no crab `junk`"),
    "a player": ("nip: [link: {with: ana}]", "ana}", "there is no crab `ana`"),
    "no pair": ("nip: [shy: {with: nob}]", "nob}", "`shy` cannot have `with: nob`"),
    "not in force": ("nip: {hidden: [link: {with: nob}]}", "nob}", "`link` cannot have `with: nob`"),
}


@pytest.fixture(autouse=True)
def paired(monkeypatch: pytest.MonkeyPatch) -> None:
    shy = "      - {face: shy, food: [3, 3]}\n"
    monkeypatch.setitem(FILES, "things.yaml", FILES["things.yaml"].replace(shy, shy + CARDS))
    for name, text in PAIR.items():
        monkeypatch.setitem(FILES, name, text)
    heavy = "invariant heavy: all(crab c: c.weight + water < 15)\ninvariant bags: no(player p where p.bag > 9)\n"
    monkeypatch.setitem(FILES, "game.rules", FILES["game.rules"] + heavy)


@pytest.mark.parametrize("title", PAIRS)
def test_pairs_that_cannot_be(title: str, tmp_path: Path) -> None:
    card, place, message = PAIRS[title]
    body = f"given:\n  phase: feeding\n  players:\n    ana: {{crab: [{card}], boat: [junk]}}\n    bob: {{crab: [nob]}}"
    (found,) = one(tmp_path, body).mistakes
    assert (found.code, found.message) == ("C702" if "there is no" in message else "C716", message)
    line = f"    ana: {{crab: [{card}], boat: [junk]}}"
    assert (found.span.line, line[found.span.column - 5 :].startswith(place)) == (6, True)
    assert check_scenarios(Compilation(tmp_path / "shore")).diagnostics == (found,)


def test_pairs_that_can_be(tmp_path: Path) -> None:
    body = """
given:
  phase: feeding
  turn: ana
  state: {water: 5}
  players:
    ana: {hand: [cling], crab: [nip: [link food 1: {with: nob}], nab: [cling: {with: none}]]}
    bob: {crab: [nob: [link 2: {with: NAB}]]}
when: [graze nip]
then: [nob.sated, not nip.sated, not nab.sated, nip has link and nob has link and nab has link, nab has cling]
"""
    outcome = one(tmp_path, body)
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


POSITIONS = {
    "of a state value": (
        "state: {water: 50}", "players: {ana: {crab: [nip]}, bob: []}", "water", "few", "`water` is 50",
    ),
    "of a thing": (
        "state: {water: 9}", "players: {ana: {crab: [nip, nab weight 8]}, bob: []}", "nab", "heavy", "`c` is nab",
    ),
    "of a player": (
        "state: {water: 9}", "players: {ana: {bag: 10}, bob: []}", "ana", "bags", "`p` is ana, `p.bag` is 10",
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", POSITIONS)
def test_positions_that_break_an_invariant(title: str, tmp_path: Path) -> None:
    state, players, place, name, because = POSITIONS[title]
    (found,) = one(tmp_path, f"given:\n  phase: feeding\n  turn: ana\n  {state}\n  {players}").mistakes
    assert (found.code, found.message) == ("C717", f"this position breaks the invariant `{name}`")
    assert found.because.startswith(because)
    (related,) = found.related
    assert related.span.path.endswith("game.rules")
    text = (tmp_path / "shore" / "scenarios" / "some.yaml").read_text(encoding="utf-8").split("\n")
    assert text[found.span.line - 1][found.span.column - 1 :].startswith(place)


def test_what_breaks_an_invariant_later_is_told_there(tmp_path: Path) -> None:
    given = "given: {phase: feeding, turn: ana, state: {water: 9}, players: {ana: {crab: [nip weight 4]}, bob: []}}"
    outcome = one(tmp_path, f"{given}\nwhen: [eat nip 3]")
    assert not outcome.mistakes
    assert [failure.diagnostic.code for failure in outcome.failures if failure.diagnostic] == ["X607"]


def test_positions_from_python(tmp_path: Path) -> None:
    shore = rulelang.load(game(tmp_path))
    with pytest.raises(LoadError, match="C717"):
        shore.position({"phase": "feeding", "state": {"water": 50}, "players": ["ana", "bob"]})
