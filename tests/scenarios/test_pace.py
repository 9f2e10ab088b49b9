"""How far a scenario plays: what is forced may be written or left out, and claims are judged where a step has ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.run import run_path
from rulelang.testing.scenarios.scenario import Failure, Outcome, outcome_lines

FILES = {
    "ruleset.yaml": "id: pack\nversion: 1.0.0\nlanguage: 1\ntitle: Pack\n"
    "players: {count: 2, from: start}\nfiles: [things.yaml, game.rules]\n",
    "things.yaml": """\
kinds:
  player: {attributes: {points: number, tired: {is: bool, resets: turn}, warm: {is: bool, resets: phase}}}
  wolf: {of: player, at_most: 2, names: [una, ulf], attributes: {food: number}}
state: {start: player, water: number, nights: number, moon: {is: number, resets: round}, die: number}
""",
    "game.rules": """\
game:
  rounds until round == 3:
    feeding
    dusk
phase feeding:
  turns p from start until all pass in a row: offer one action to p or pass
phase dusk:
  nights += 1
  for wolf w where w.food == 0:
    tells "{w} is gone"
    remove w
  for player p where count(wolf w of p) == 0: born(p)
action eat(wolf w of actor) during feeding:
  require water > 0 because "the pool is dry"
  water -= 1
  w.food += 1
  actor.tired = true
  actor.warm = true
  moon = 5
action howl during feeding:
  require water > 0
  water -= 1
  for player p where p != actor:
    choose wolf w of p by p
    w.food += 1
  moon += 1
action gamble during feeding:
  require water > 5
  water -= 5
  roll 1d6 as die
routine fling: roll 1d20 as die
routine born(player p):
  create wolf w of p
  tells "{w} is born"
routine perish(wolf w): remove w
value score(player p) -> int: sum(wolf w of p: w.food)
""",
}
GIVEN = """
given:
  phase: feeding
  turn: ana
  state: {water: 1}
  players: {ana: [ann], bob: [ben]}
"""


def one(folder: Path, body: str) -> Outcome:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "scenarios").mkdir(exist_ok=True)
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    (folder / "scenarios" / "some.yaml").write_text(f"scenarios:\n  - name: one\n{lines}", encoding="utf-8")
    report = run_path(folder)
    assert [item.message for item in report.mistakes] == []
    return report.outcomes[0]


def failed(folder: Path, body: str) -> Failure:
    outcome = one(folder, body)
    assert not outcome.mistakes, [item.message for item in outcome.mistakes]
    (failure,) = outcome.failures
    return failure


GOOD = {
    "before anything else happens":
        "when: [eat ann]\nthen: [ann.food == 1, ana.tired, water == 0, phase == feeding, active == ana]",
    "the end of the turn":
        "when: [eat ann, run: to the end of the turn]\nthen: [not ana.tired, ana.warm, phase == feeding]",
    "the end of the phase":
        "when: [eat ann, run: to the end of the phase]\nthen: [not ana.warm, moon == 5, nights == 0, round == 1]",
    "the end of the round":
        "when: [eat ann, run: to end of round]\n"
        "then: [moon == 0, nights == 1, round == 1, ben is missing, {over: false}]",
    "the end of the game":
        "when: [eat ann, run: to the end of the game]\nthen: [{over: true}, round == 3, {winners: [ana]}]",
    "the next question, where there is none": "when: [eat ann, run: to the next question]\nthen: [{over: true}]",
    "nothing is done: the first question": "then: [ann.food == 0, phase == feeding, {options: [eat ann, howl, pass]}]",
    "what is forced is written":
        "when:\n  - ana: eat ann\n  - bob: pass\n  - ana: pass\n  - bob: {options: [pass]}\n"
        "then: [nights == 0, active == ana]",
    "or left out": "when:\n  - ana: eat ann\n  - ana: pass\n  - run: to the end of the phase\nthen: [nights == 0]",
    "what is forced within an action is done with it": "when: [howl]\nthen: [ben.food == 1, moon == 1, active == ana]",
    "and may be written": "when:\n  - ana: howl\n  - bob: ben\nthen: [ben.food == 1, moon == 1, active == ana]",
    "a routine happens there": "when: [eat ann, perish ben]\nthen: [active == ana, ben is missing, ana.tired]",
    "a refusal of somebody who has no choice":
        "when:\n  - eat ann\n  - bob: [{eat ben: {refused: the pool is dry}}]\nthen: [active == ana]",
}  # fmt: skip


@pytest.mark.parametrize("title", GOOD)
def test_where_a_step_has_ended(title: str, tmp_path: Path) -> None:
    outcome = one(tmp_path, GIVEN + GOOD[title])
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))


def test_a_wrong_step_where_one_is_forced(tmp_path: Path) -> None:
    failure = failed(tmp_path, GIVEN + "when:\n  - eat ann\n  - bob: howl")
    assert failure.message == "this is not possible now"
    assert failure.notes[0] == "bob had no choice but `pass`"
    assert "nobody had a choice" in failure.notes[-2]
    assert "feeding ended" in failure.notes[-2]
    assert "the game ended" in failure.notes[-2]
    assert failure.notes[-1] == "nobody is asked: the game is over"


def test_a_step_that_was_taken_for_a_forced_one_is_told(tmp_path: Path) -> None:
    """What fails behind it may have meant a later question."""
    said = "`bob: pass` answered a question of bob with only one option, `pass`"
    steps = "when:\n  - eat ann\n  - bob: pass\n"
    assert said in failed(tmp_path, f"{GIVEN}{steps}  - ana: howl").notes
    assert said in failed(tmp_path, f"{GIVEN}{steps}  - then: [ann.food == 0]").notes
    assert said in failed(tmp_path, f"{GIVEN}{steps}then: [ann.food == 0]").notes
    free = failed(tmp_path, GIVEN + "when: [eat ann]\nthen: [ann.food == 0]")
    assert not any("had no choice but" in note for note in free.notes)


def test_a_claim_that_holds_further_on(tmp_path: Path) -> None:
    failure = one(tmp_path, GIVEN + "when: [eat ann]\nthen: [nights == 1 and moon == 0]").failures[-1]
    assert failure.found == ("5",)
    assert failure.notes[-1].endswith("add the step `- run: to the end of the round`")
    assert failed(tmp_path, GIVEN + "when: [eat ann]\nthen: [water == 9]").notes == ()


def test_running_on_past_a_choice(tmp_path: Path) -> None:
    failure = failed(tmp_path, GIVEN.replace("1}", "2}") + "when: [eat ann, run: to the end of the phase]")
    assert failure.message == "bob has a choice before the phase ends"
    assert failure.notes[-1] == "bob is asked: eat ben, howl, pass"
    far = failed(tmp_path, GIVEN + "when: [eat ann, run: to the end of the phase]\nthen: [ana.warm]")
    assert "bob had only `pass`" in far.notes[-1]


def test_where_else_can_play_run(tmp_path: Path) -> None:
    outcome = one(tmp_path, GIVEN + "when: [run: to the end of the day]")
    assert [item.code for item in outcome.mistakes] == ["C702"]


def test_a_name_is_never_that_of_another(tmp_path: Path) -> None:
    """In the slot of the one that has gone lives another, with a name of its own."""
    body = "when: [eat ann, run: to the end of the game]\nthen:\n  - ben is missing\n"
    body += "  - {log: [ben is gone, ulf 2 is born, ulf is born]}\n"
    outcome = one(tmp_path, GIVEN + body + "  - ulf2.food == 0")
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))
    failure = failed(tmp_path, GIVEN + body + "  - ben.food == 0")
    assert failure.message == "`ben` is missing"


def test_nothing_is_said_of_what_has_gone(tmp_path: Path) -> None:
    assert failed(tmp_path, GIVEN + "when: [perish ben]\nthen: [ben.food == 0]").message == "`ben` is missing"
    assert one(tmp_path, GIVEN + "when: [perish ben]\nthen: [ben is missing or ben.food == 0]").passed


def test_dice_have_to_be_rolled(tmp_path: Path) -> None:
    rich = GIVEN.replace("1}", "9}")
    assert one(tmp_path, rich + "when: [dice: [4], gamble]\nthen: [die == 4]").passed
    assert failed(tmp_path, rich + "when: [dice: [4], eat ann]").message == "nobody has rolled 4"
    assert failed(tmp_path, rich + "when: [dice: [4], dice: [3], gamble]").message == "nobody has rolled 4"
    misfit = failed(tmp_path, rich + "when: [dice: [7], gamble]")
    assert misfit.message == "the rules rolled a die with 6 sides, which cannot show 7"
    given = failed(tmp_path, rich.replace("turn: ana", "turn: ana\n  dice: [2]") + "when: [eat ann]")
    assert (given.message, given.span.line) == ("nobody has rolled 2", 6)


ENDLESS = {
    "a step that runs on": "when: [eat ann, run: to the end of the game]",
    "a step that nobody is asked for": "when: [eat ann, howl]",
    "a claim about the end": "when: [eat ann]\nthen: [{over: true}]",
    "who is asked": "when: [eat ann]\nthen: [{decision: ana}]",
    "options": "when: [eat ann]\nthen: [{options: [pass]}]",
}


@pytest.mark.parametrize("title", ENDLESS)
def test_a_game_without_choices_that_never_ends_is_told(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FILES, "game.rules", FILES["game.rules"].replace("round == 3", "round == -1"))
    monkeypatch.setattr("rulelang.testing.scenarios.stepper.MOST_FORCED", 200)
    failure = failed(tmp_path, GIVEN + ENDLESS[title])
    assert failure.diagnostic is not None
    assert failure.diagnostic.code == "X611"
    assert "200 questions, turns and phases in a row at which nobody had a choice" in failure.diagnostic.message
