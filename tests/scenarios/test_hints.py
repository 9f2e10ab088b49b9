"""Hints of failed claims: with the steps that they name, the claims pass and nothing else breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.manifest import is_ruleset
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.testing.scenarios.run import Runner, run_path
from rulelang.testing.scenarios.scenario import Failure, Outcome, Scenario
from rulelang.testing.scenarios.tokens import list_items
from tests.scenarios.test_pace import GIVEN, failed, one

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(p for home in ("rulesets", "examples") for p in (ROOT / home).glob("*") if is_ruleset(p))
#: The quick part of the property looks at every so-many-th scenario.
SAMPLED = 12

_HINT = re.compile(r"nobody has a choice before .*(?:add the step|add `when)")
_RUN = re.compile(r"run: to [a-z ]+")


def runs(node: YamlNode) -> bool:
    return isinstance(node, YamlMap) and node.items[0][0].text == "run"


def without(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario without each of its `run` steps in turn, and without any."""
    steps = list_items(scenario.node.get("when"))
    there = [number for number, step in enumerate(steps) if runs(step)]
    for gone in dict.fromkeys((*((number,) for number in there), tuple(there))):
        if gone:
            left = [step for number, step in enumerate(steps) if number not in gone]
            yield with_steps(scenario, left, f"without {gone}")


def with_steps(scenario: Scenario, steps: Sequence[YamlNode], what: str) -> Scenario:
    place = scenario.node.span
    pairs = [pair for pair in scenario.node.items if pair[0].text != "when"]
    key = YamlScalar("when", place, "when")
    node = YamlMap((*pairs, (key, YamlSeq(tuple(steps), place))), place, scenario.node.layer)
    return replace(scenario, node=node, name=f"{scenario.name} {what}")


def hint_of(failure: Failure) -> str:
    found = [note for note in failure.notes if _HINT.match(note)]
    assert len(found) <= 1, failure.notes
    return found[0] if found else ""


def followed(scenario: Scenario, hint: str, failure: Failure) -> Scenario:
    """The scenario with the steps that a hint names, at the place that it names."""
    named = "".join(f"- {line}\n" for line in _RUN.findall(hint))
    added = list_items(read_yaml_text(named, "hint.yaml", Diagnostics()).root)
    assert added, hint
    steps = list_items(scenario.node.get("when"))
    at = len(steps)
    if "before this `then`" in hint:
        at = next(n for n, step in enumerate(steps) if step.span.line <= failure.span.line <= step.span.end_line)
    return with_steps(scenario, [*steps[:at], *added, *steps[at:]], hint)


def claims(outcome: Outcome) -> set[tuple[object, str]]:
    return {(failure.span, failure.what) for failure in outcome.failures}


def hints_hold(runner: Runner, scenario: Scenario) -> int:
    """Follow all hints of a scenario that fails. Return how many there were."""
    outcome = runner.run(scenario, ())
    hinted = [(failure, hint_of(failure)) for failure in outcome.failures]
    given = dict.fromkeys(hint for _, hint in hinted if hint)
    assert len(given) <= 1, f"{scenario.id}: hints that contradict each other: {list(given)}"
    for hint in given:
        served = {(failure.span, failure.what) for failure, own in hinted if own}
        first = next(failure for failure, own in hinted if own)
        after = runner.run(followed(scenario, hint, first), ())
        assert not after.mistakes, scenario.id
        assert not served & claims(after), f"{scenario.id}: {hint}: {after.failures}"
        at_the_end = "before this `then`" not in hint
        assert not at_the_end or claims(after) < claims(outcome), f"{scenario.id}: {hint}: {after.failures}"
    return len(given)


def cases(path: Path, every: int) -> tuple[int, int]:
    """How many scenarios failed without their `run` steps, and how many hints there were."""
    runner = Runner(path)
    tried = hints = 0
    mine = [one for one in runner.scenarios if any(map(runs, list_items(one.node.get("when"))))]
    for scenario in mine[::every]:
        for changed in without(scenario):
            tried += 1
            hints += hints_hold(runner, changed)
    return tried, hints


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_hints_of_some_shipped_scenarios_hold(path: Path) -> None:
    cases(path, SAMPLED)


@pytest.mark.slow
def test_hints_of_all_shipped_scenarios_hold() -> None:
    """Most scenarios that lack a `run` step are told which, and all these hints hold."""
    tried, hints = (sum(column) for column in zip(*(cases(path, 1) for path in SHIPPED), strict=True))
    assert hints > 0.8 * tried > 50


def hinted(outcome: Outcome) -> list[str]:
    return [hint_of(failure) for failure in outcome.failures]


def test_a_hint_names_several_steps_in_their_order(tmp_path: Path) -> None:
    body = GIVEN + "when: [eat ann!]\nthen: [round == 2, nights == 2]"
    steps = "run: to the end of the round", "run: to the end of the round"
    said = " and ".join(f"`- {step}`" for step in steps)
    first, second = hinted(one(tmp_path, body.replace("!", "")))
    assert first == second
    assert first.endswith(f"before 2 failed claims are true: at the end of `when`, add the steps {said}")
    assert one(tmp_path, body.replace("!", ", " + ", ".join(steps))).passed


def test_a_scenario_without_steps_is_shown_the_whole_line(tmp_path: Path) -> None:
    body = GIVEN.replace("water: 1", "water: 0")
    assert hint_of(failed(tmp_path, body + "then: [nights == 1]")).endswith(
        "add `when: [run: to the end of the round]`"
    )


def test_a_step_that_would_break_another_claim_is_not_named(tmp_path: Path) -> None:
    assert hinted(one(tmp_path, GIVEN + "when: [eat ann]\nthen: [ana.tired, nights == 1]")) == [""]
    assert hinted(one(tmp_path, GIVEN + "when: [eat ann]\nthen: [nights == 1]")) != [""]


def test_one_hint_serves_the_most_claims(tmp_path: Path) -> None:
    """`nights == 1` is true at the end of each phase from dusk on; `moon == 0` only after the end of the round."""
    outcome = one(tmp_path, GIVEN + "when: [eat ann]\nthen: [nights == 1, moon == 0, water == 5]")
    own = "nobody has a choice before 2 failed claims are true: at the end of `when`, add the step "
    assert hinted(outcome) == [f"{own}`- run: to the end of the round`"] * 2 + [""]


def test_a_hint_between_steps_is_for_that_place(tmp_path: Path) -> None:
    body = GIVEN + "when:\n  - eat ann\n!  - then: [nights == 1]\n  - run: to the end of the round\nthen: [nights == 2]"
    step = "- run: to the end of the round"
    hint = hint_of(failed(tmp_path, body.replace("!", "")))
    assert hint == f"nobody has a choice before it is true: before this `then`, add the step `{step}`"
    assert one(tmp_path, body.replace("!", f"  {step}\n")).passed


def test_between_two_steps_of_a_player_there_is_no_place_for_a_run(tmp_path: Path) -> None:
    assert hint_of(failed(tmp_path, GIVEN + "when:\n  - ana: [eat ann, then: [nights == 1]]")) == ""


def test_dice_that_a_forced_move_would_roll(tmp_path: Path) -> None:
    """That nobody has rolled a die is a failure with a way out, as a claim."""
    free = failed(tmp_path, GIVEN + "when: [dice: [4], eat ann]")
    assert free.message == "nobody has rolled 4"
    assert hint_of(free) == "", "nobody rolls it further on either"


@pytest.mark.parametrize("claim", ["{over: true}", "{winners: [ana]}", "{over: true}, {winners: [ana]}"])
def test_a_game_that_goes_on_by_itself_is_not_called_over(claim: str, tmp_path: Path) -> None:
    for failure in one(tmp_path, GIVEN + f"when: [eat ann]\nthen: [{claim}]").failures:
        (note,) = failure.notes
        assert note.endswith("add the step `- run: to the end of the game`")
    # Where the end would break another claim there is no such step, but the reason.
    failure = failed(tmp_path, GIVEN + "when: [eat ann]\nthen: [{over: true}, ana.tired]")
    assert failure.notes == ("the game is not over yet: it ends later, without another choice",)


def test_who_has_a_choice_before_the_end_is_named(tmp_path: Path) -> None:
    failure = failed(tmp_path, GIVEN.replace("1}", "2}") + "when: [eat ann]\nthen: [{over: true}]")
    assert failure.notes == ("bob is asked: eat ben, howl, pass",)


MOD = "id: m\nversion: 1.0.0\nlanguage: 1\nextends: {origin_of_species: '>=1.0, <2'}\nfiles: []\n"
TAKEN = """\
- name: one
  given: {phase: feeding, turn: ana, state: {base: 4}, players: {ana: [wolf blue 1], bob: [deer: parasite, hare]}}
  when: [STEPS]
"""


def notes_of(folder: Path, steps: str) -> tuple[str, ...]:
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "mod.yaml").write_text(MOD, encoding="utf-8")
    (folder / "scenarios" / "s.yaml").write_text(TAKEN.replace("STEPS", steps), encoding="utf-8")
    (outcome,) = run_path(folder).outcomes
    assert not outcome.mistakes
    return tuple(note for failure in outcome.failures for note in failure.notes if " answered a question of " in note)


def test_a_step_taken_for_a_forced_one_is_explained_however_late_it_shows(tmp_path: Path) -> None:
    done = "`pass` answered a question of ana with only one option, `pass`; if you mean bob, write `bob: pass`"
    assert notes_of(tmp_path, "pass, ana: take_food wolf") == (done,)
    assert notes_of(tmp_path, "pass, bob: take_food deer, bob: take_food wolf") == (done,)
    assert notes_of(tmp_path, "pass, bob: take_food deer, bob: take_food hare, bob: take_food wolf") == (done,)
    assert notes_of(tmp_path, "pass, bob: take_food deer, then: [deer.red == 4]") == (done,)
    assert notes_of(tmp_path, "ana: pass, bob: take_food deer, bob: take_food wolf") == (), "it can only be meant so"
