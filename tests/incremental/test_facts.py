"""A scenario is checked again where a fact that its check reads has changed, and its own text has not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulelang.tools.incremental import Incremental
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


def test_what_a_scenario_does_not_name_is_no_matter_of_its_own(resting: Incremental) -> None:
    rules = Path(resting.where) / "game.rules"
    text = rules.read_text("utf-8")

    def done(changed: str) -> int:
        resting.update(rules, changed)
        assert again(resting, scenarios=True) == from_nothing(resting, scenarios=True)
        return resting.memo.done.get("scenarios", 0)

    assert done(f"# lines that move\n{text}") == 0
    assert done(f"{text}\nvalue halves() -> int: 2\n") == 0
    few = done(f"{text}\nvalue halves(int n) -> int: n\nroutine zap():\n  pile = 0\n")
    more = done(f"{text}\nvalue halves(int n) -> int: n\nroutine rests_all():\n  pile = 0\n")
    assert few == 1, "only the one that looks at the log"
    assert more == 2, "a step may be the beginning of it: `rests`"


def test_one_that_is_mistaken_is_helped_by_any_name(resting: Incremental) -> None:
    scenarios = Path(resting.where) / "scenarios" / "taking.yaml"
    resting.update(scenarios, scenarios.read_text("utf-8").replace("left() == 5", "halvez() == 5"))
    assert again(resting, scenarios=True) == from_nothing(resting, scenarios=True)
    rules = Path(resting.where) / "game.rules"
    resting.update(rules, f"{rules.read_text('utf-8')}\nvalue halves() -> int: 2\n")
    now = again(resting, scenarios=True)
    assert now == from_nothing(resting, scenarios=True)
    assert now.scenarios is not None
    assert "halves" in now.scenarios[0].hint
