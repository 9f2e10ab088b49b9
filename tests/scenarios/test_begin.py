"""Play begins on entry of the phase that `given` names, or in its first turn loop, whatever leads there."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.run import run_path
from rulelang.testing.scenarios.scenario import Outcome, outcome_lines

THINGS = """
kinds:
  player: {attributes: {points: number}}
  wolf: {of: player, at_most: 3, attributes: {age: number}}
cards:
  card: {columns: {face: trait}, rows: [{face: howling, copies: 2}]}
zones: {traits: {of: wolf, holds: card, in_force: true}}
state: {start: player, before: number, inside: number, after: number, shown: {is: number, resets: hunt}}
"""
TRAIT = """
trait: howling
text: {en: it howls}
"""
# The phase that is begun at. Two may act in each turn, and what stands before the loop counts what was done.
HUNT = """
phase hunt:
  inside += 1
  turns p from start once each: offer one action to p
action bite during hunt: actor.points += 1
action growl during hunt: actor.points += 2
value score(player p) -> int: p.points
"""
# Whatever runs `hunt` runs it once: `before` counts what is done before it, `after` what is done after it.
WAYS = {
    "the flow": "game:\n  before += 1\n  hunt\n  after += 1\n",
    "the flow, twice": "game:\n  before += 1\n  hunt\n  after += 1\n  if after > 1: hunt\n",
    "rounds": "game:\n  before += 1\n  rounds until true:\n    before += 1\n    hunt\n    after += 1\n",
    "a loop whose end has come": "game:\n  repeat until before == 0:\n    before += 1\n    hunt\n    after += 1\n",
    "a loop of no passes": "game:\n  repeat before times:\n    hunt\n    after += 1\n",
    "a condition that does not hold": "game:\n  if before > 0:\n    before += 1\n    hunt\n    after += 1\n",
    "the other side of a condition":
        "game:\n  if before == 0: before += 1\n  else:\n    before += 1\n    hunt\n    after += 1\n",
    "a loop over players":
        "game:\n  for player p where p == start:\n    before += 1\n    hunt\n    p.points += 0\n    after += 1\n",
    "a choice": "game:\n  before += 1\n  for player p where p == start: chosen(p)\nroutine chosen(player p):\n"
        "  choose player q by p\n  before += 1\n  q.points += 0\n  hunt\n  q.points += 0\n  after += 1\n",
    "a routine": "game:\n  before += 1\n  run\n  after += 1\nroutine run:\n  before += 1\n  hunt\n",
    "a routine that cannot be":
        "game:\n  before += 1\n  run\n  after += 1\nroutine run:\n  require before > 5\n  deeper\n"
        "routine deeper:\n  before += 1\n  hunt\n",
    "a hook before a phase":
        "game:\n  before += 1\n  day\n  after += 1\nphase day:\n  nothing\nbefore day:\n  before += 1\n  hunt\n",
    "a hook that does not hold":
        "game:\n  before += 1\n  day\n  after += 1\nphase day: nothing\nbefore day when before > 9: hunt\n",
    "a hook after a phase":
        "game:\n  day\n  after += 1\nphase day: before += 1\nafter day:\n  before += 1\n  hunt\n",
    "a hook in place of a phase":
        "game:\n  day\n  after += 1\nphase day: before += 1\ninstead of day:\n  before += 1\n  hunt\n",
    "proceed":
        "game:\n  day\n  after += 1\nphase day:\n  before += 1\n  hunt\ninstead of day:\n  before += 1\n  proceed\n",
    "proceed past a hook that takes the phase's place":
        "game:\n  hunt\n  after += 1\ninstead of hunt when before > 0: before += 1\n",
    "proceed in the phase itself":
        "game:\n  hunt\n  after += 1\ninstead of hunt when before == 0:\n  shown = 0\n  proceed\n",
    "a hook that somebody may use":
        "game:\n  day\n  after += 1\nphase day: nothing\nmay before day: hunt\n",
    "a routine in owner's order":
        "game:\n  run\n  after += 1\nroutine run in owner's order:\n  before += 1\nbefore run: hunt\n",
    "after a routine in owner's order":
        "game:\n  run\n  after += 1\nroutine run in owner's order:\n  before += 1\nafter run: hunt\n",
    "another phase": "game:\n  day\n  after += 1\nphase day:\n  before += 1\n  hunt\n",
    "another phase with turns":
        "game:\n  day\n  after += 1\nphase day:\n  before += 1\n  turns p from start once each: before += 1\n  hunt\n",
    "another phase that resets things":
        "game:\n  day\n  after += 1\nphase day:\n  before += 1\n  hunt\nbefore hunt: nothing\n",
    "a number and a thing made on the way":
        "game:\n  for player p where p == start:\n    roll 1d6 as n\n    create wolf w of p\n    let m = n + 1\n"
        "    hunt\n    p.points += 0\n    if m > 50: before += m\n    w.age += 1\n    after += 1\n",
}  # fmt: skip
SCENARIOS = """
- name: on entry
  given: {phase: hunt, state: {shown: 3}, players: [ana, bob]}
  when:
    - options: [bite, growl]
  then:
    - before == 0 and inside == 1 and after == 0 and phase == hunt and shown == 0
    - {decision: ana}
- name: with a turn
  given: {phase: hunt, turn: bob, state: {start: ana}, players: [ana, bob]}
  when: [options: [bite, growl]]
  then:
    - before == 0 and inside == 0 and after == 0 and phase == hunt and active == bob
    - {decision: bob}
- name: and play goes on
  given: {phase: hunt, turn: bob, state: {start: ana}, players: [ana, bob]}
  when: [bite, growl, run: to the end of the game]
  then: [after == 1 and bob.points >= 1 and ana.points >= 2]
"""


def table(folder: Path, rules: str, scenarios: str, trait: str = "") -> list[Outcome]:
    ruleset = folder / "wood"
    (ruleset / "scenarios").mkdir(parents=True)
    (ruleset / "ruleset.yaml").write_text(
        "id: wood\nversion: 1.0.0\nlanguage: 1\ntitle: Wood\nplayers: {count: 2, from: start}\n"
        "files: [things.yaml, game.rules, howling.yaml]\n"
    )
    (ruleset / "things.yaml").write_text(THINGS)
    (ruleset / "howling.yaml").write_text(TRAIT + trait)
    (ruleset / "game.rules").write_text(rules)
    (ruleset / "scenarios" / "begin.yaml").write_text(scenarios)
    report = run_path(ruleset)
    assert [(item.code, str(item.span), item.message, item.because) for item in report.mistakes] == []
    return list(report.outcomes)


def told(outcomes: list[Outcome]) -> str:
    return "\n".join(line for outcome in outcomes if not outcome.passed for line in outcome_lines(outcome, {}))


@pytest.mark.parametrize("way", WAYS)
def test_whatever_leads_to_the_phase(tmp_path: Path, way: str) -> None:
    outcomes = table(tmp_path, WAYS[way] + HUNT, SCENARIOS)
    assert len(outcomes) == 3
    assert told(outcomes) == ""


def test_a_hook_of_a_trait(tmp_path: Path) -> None:
    rules = "game:\n  day\n  after += 1\nphase day: before += 1\n" + HUNT
    borne = SCENARIOS.replace("players: [ana, bob]", "players: {ana: {wolf: [a: howling]}, bob: {}}")
    outcomes = table(tmp_path, rules, borne, "rules: |\n  before day when before > 9: hunt\n")
    assert (len(outcomes), told(outcomes)) == (3, "")


def test_a_phase_that_is_run_in_turns(tmp_path: Path) -> None:
    rules = """
game:
  before += 1
  turns p from start once each:
    before += 1
    hunt
    after += 1
phase hunt:
  inside += 1
  offer one action to active
action bite during hunt: actor.points += 1
action growl during hunt: actor.points += 2
value score(player p) -> int: p.points
"""
    scenarios = """
- name: the turn is that of the loop around the phase
  given: {phase: hunt, turn: bob, state: {start: ana}, players: [ana, bob]}
  when:
    - bob: growl
    - options: [bite, growl]
    - ana: bite
    - run: to the end of the game
  then: [before == 1 and inside == 2 and after == 2, {winners: [bob]}]
- name: without one it begins with the first
  given: {phase: hunt, players: [ana, bob]}
  when: [ana: bite, run: to the next question]
  then: [before == 1, inside == 2, after == 1, {decision: bob}]
"""
    assert told(table(tmp_path, rules, scenarios)) == ""


@pytest.mark.parametrize(("code", "given"), [
    ("C720", "{phase: dusk, players: [ana, bob]}"),
    ("C720", "{phase: night, players: [ana, bob]}"),
    ("C720", "{phase: never, players: [ana, bob]}"),
    ("C720", "{phase: hidden, players: [ana, bob]}"),
    ("C721", "{phase: still, turn: bob, state: {start: ana}, players: [ana, bob]}"),
    ("C721", "{turn: bob, state: {start: ana}, players: [ana, bob]}"),
    ("", "{phase: still, turn: bob, players: [ana, bob]}"),
    ("", "{phase: dusk, players: {ana: {wolf: [a]}, bob: {}}}"),
])  # fmt: skip
def test_where_play_cannot_begin(tmp_path: Path, code: str, given: str) -> None:
    """A phase that this position does not lead to, or nothing does; a `turn` that has no turns."""
    rules = (
        """
game:
  still
  for wolf w: dusk
  hunt
phase still: before += 1
phase dusk: before += 1
phase night: before += 1
phase never: night
phase hidden: before += 1
action sneak during hunt: hidden
"""
        + HUNT
    )
    (outcome,) = table(
        tmp_path, rules, f"- name: one\n  given: {given}\n  when: [run: to the next question]\n  then: [inside == 1]\n"
    )
    assert [item.code for item in outcome.mistakes] == ([code] if code else [])
    assert outcome.passed == (not code)
    if code:
        assert all(item.because and item.span.line == 2 for item in outcome.mistakes)


@pytest.mark.parametrize(("given", "said"), [
    ("{phase: hunt, state: {shown: 3}, players: [ana, bob]}", "`shown` is reset before play begins"),
    ("{phase: hunt, state: {shown: 0}, players: [ana, bob]}", ""),
    ("{phase: still, state: {shown: 3}, players: [ana, bob]}", ""),
    ("{state: {shown: 3}, players: [ana, bob]}", ""),
])  # fmt: skip
def test_what_the_phase_sets_back_at_once(tmp_path: Path, given: str, said: str) -> None:
    """A warning: the scenario runs as the rules say, and shows nothing of that value."""
    rules = "game:\n  still\n  hunt\nphase still: before += shown\n" + HUNT
    (outcome,) = table(
        tmp_path, rules, f"- name: one\n  given: {given}\n  when: [run: to the next question]\n  then: [shown == 0]\n"
    )
    assert outcome.passed
    assert [(item.code, item.severity, item.message) for item in outcome.mistakes] == (
        [("C718", "warning", said)] if said else []
    )
