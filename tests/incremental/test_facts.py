"""A scenario is checked again where a fact that its check reads has changed, and its own text has not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulelang.incremental import Incremental
from tests.incremental.sessions import again, from_nothing
from tests.properties.games import ROOT

RULES = """
value left() -> int: pile
phase resting:
  turns p from start once each:
    roll 1d6 as r
    tells "{p} rolls {r}"
    offer one action to p
"""
SCENARIOS = """
- name: somebody rests
  given: {phase: resting, turn: ana, state: {pile: 5}, dice: [6, 5], players: [ana, bob]}
  when: []
  then: [left() == 5]
"""
#: What changes of the rules, which stay sound, and the code of what is then wrong with a scenario.
EDITS = {
    "a line of the log": ('tells "{actor} takes', 'tells "{actor} grabs', "C715"),
    "the name of an action": ("action take(", "action grab(", "C705"),
    "its arguments": ("take(int n from 1 to 3)", "take(player q, int n from 1 to 3)", "C702"),
    "the result of a value": ("value left() -> int: pile", "value left() -> bool: pile == 5", "T406"),
    "the name of a phase": ("phase resting:", "phase dozing:", "C702"),
    "a die": ("roll 1d6 as r", "roll 1d4 as r", "C704"),
    "what leads to a phase": ("    resting\n", "    pile -= 1\n", "C720"),
}


@pytest.fixture
def resting(tmp_path: Path) -> Incremental:
    folder = shutil.copytree(ROOT / "examples" / "pebbles", tmp_path / "pebbles")
    rules, scenarios = folder / "game.rules", folder / "scenarios" / "taking.yaml"
    text = rules.read_text("utf-8").replace("pile == 0: taking", "pile == 0:\n    taking\n    resting")
    rules.write_text(f"{text}{RULES}", "utf-8")
    scenarios.write_text(f"{scenarios.read_text('utf-8')}{SCENARIOS}", "utf-8")
    session = Incremental(folder)
    assert session.check().diagnostics == session.scenarios().diagnostics == ()
    return session


@pytest.mark.parametrize("what", EDITS)
def test_a_fact_has_changed(what: str, resting: Incremental) -> None:
    old, new, code = EDITS[what]
    rules = Path(resting.where) / "game.rules"
    text = rules.read_text("utf-8")
    assert old in text
    changed = text.replace(old, new)
    resting.update(
        rules, changed.replace("    resting\n", "    dozing\n") if what == "the name of a phase" else changed
    )
    now = again(resting, scenarios=True)
    assert not any(item.severity == "error" for item in now.rules)
    assert now.scenarios is not None
    assert code in {item.code for item in now.scenarios}
    assert now == from_nothing(resting, scenarios=True)
