"""A game in progress becomes a scenario, and the scenario passes: wherever it stands, whatever game it is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.state import State
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.opening import at_scenario
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import outcome_lines
from rulelang.testing.scenarios.writer import CannotWrite, Written, write_scenario
from tests.scenarios.shore import game

FOLDER = "scenarios"


def passes(home: Path, text: str) -> None:
    """A scenario in a file of its own."""
    path = home / FOLDER / "written.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("scenarios:\n" + text, encoding="utf-8")
    runner = Runner(home)
    assert not runner.diagnostics.failed, "\n".join(str(item) for item in runner.diagnostics)
    (mine,) = [one for one in runner.scenarios if Path(one.path).name == path.name]
    outcome = runner.run(mine)
    assert outcome.passed, text + "\n".join(outcome_lines(outcome, runner.sources))


def shore(tmp_path: Path) -> tuple[Path, Fixture]:
    home = game(tmp_path)
    return home, Fixture(Compilation(home))


def played(fixture: Fixture, seed: int, moves: int, **options: object) -> State:
    state = fixture.game.new(fixture.game.players[0], seed, options=options)
    chance = random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        state.play(chance.randrange(state.option_count))
    return state


GIVEN = {
    "phase": "feeding",
    "turn": "ana",
    "round": 2,
    "state": {"water": 9},
    "lists": {"beach": {"east": {"tide": 3}}},
    "zones": {"deck": ["finned 2", "shy"], "shed": {"west": ["net", "2 x rod"]}},
    "tables": {"shoal": {"nip": {"east": 4}}},
    "players": {
        "ana": {
            "bag": 5,
            "crab": [{"nip weight 3 home west": {"traits": ["finned 1 trips 2"], "hidden": ["shy"]}}, '"old nab"'],
            "boat": ["dory in east"],
            "hand": ["finned 2"],
        },
        "bob": {"crab": ["nob sated true"]},
    },
}


def test_a_position_comes_back_with_all_that_a_given_can_say(tmp_path: Path) -> None:
    home, fixture = shore(tmp_path)
    game_ = begun(home)
    found = write_scenario(fixture, game_, "as it was", last=0)
    assert found.given == GIVEN | {"zones": {"deck": ["finned 2", "shy"], "shed": {"west": ["net", "2 x rod"]}}}
    assert found.steps == ()
    assert found.left_out == ()
    passes(home, found.text("  "))


def begun(home: Path) -> State:
    return load(home).position(GIVEN)


def test_the_last_moves_are_steps_and_what_they_did_is_held(tmp_path: Path) -> None:
    home, fixture = shore(tmp_path)
    state = begun(home)
    for move in ("graze nip", "graze nob"):
        state.play(move)
    found = write_scenario(fixture, state, "two eat", last=1)
    assert found.given["turn"] == "ana"  # entered with bob's, the round of turns would not end after it
    assert found.steps == (("ana", "graze nip"), ("bob", "graze nob"))
    assert "log: [graze nob, nob eats 1]" in found.then
    assert "nob.weight == 2" in found.then
    passes(home, found.text("  "))


def test_a_played_scenario_can_be_gone_on_with_and_written_again(tmp_path: Path) -> None:
    home, fixture = shore(tmp_path)
    state = begun(home)
    state.play("graze nip")
    first = write_scenario(fixture, state, "one eats", last=1)
    passes(home, first.text("  "))
    again = at_scenario(home, "one eats")
    again.play("graze nip")
    assert write_scenario(fixture, again, "one eats", last=1).given == first.given


def test_where_dice_were_cast_it_begins_at_the_very_start(tmp_path: Path) -> None:
    home, fixture = shore(tmp_path)
    state = fixture.game.new(2, 5, ["ana", "bob"], {"storm": True})
    while not state.over and not any(event.text == "the die is cast" for event in state.log):
        casts = [option for option in state.decision.options if option.text == "cast"]
        state.play(casts[0] if casts else 0)
    found = write_scenario(fixture, state, "a cast", last=1)
    assert not found.given
    assert found.start == {"options": {"storm": True}, "seed": 5, "players": ["ana", "bob"]}
    passes(home, found.text("  "))


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    home, fixture = shore(tmp_path)
    state = fixture.game.new(2, 5).altered(list(load(home).position(GIVEN | {"seed": 3}).words))
    state.play("cast")
    with pytest.raises(CannotWrite, match="does not play as recorded"):
        write_scenario(fixture, state, "a cast", last=1)


def test_the_state_is_left_as_it_was(tmp_path: Path) -> None:
    _, fixture = shore(tmp_path)
    state = played(fixture, 3, 6)
    before, choices = state.hash(), state.choices
    write_scenario(fixture, state, "six moves")
    assert (state.hash(), state.choices) == (before, choices)


@pytest.mark.parametrize("ruleset", ["rulesets/evolution", "examples/pebbles"])
def test_random_games_of_any_ruleset_become_scenarios_that_pass(ruleset: str, root: Path) -> None:
    fixture = Fixture(Compilation(root / ruleset))
    held = Held(root / ruleset)
    for seed, moves in ((1, 18), (4, 41)):
        held.passes(write_scenario(fixture, played(fixture, seed, moves), f"game {seed}"))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["origin_of_species", "darwins_choice", "evolved"])
def test_many_random_games_become_scenarios_that_pass(ruleset: str, root: Path) -> None:
    fixture = Fixture(Compilation(root / "rulesets" / ruleset))
    held = Held(root / "rulesets" / ruleset)
    for seed in range(1, 8):
        held.passes(write_scenario(fixture, played(fixture, seed, 11 * seed), f"game {seed}"))


class Held:
    """Runs scenarios of a shipped game that stand in no file: an open document would hold them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = str((home / FOLDER / "written_by_a_test.yaml").absolute())

    def passes(self, found: Written) -> None:
        from rulelang.data.folders import with_unsaved_texts

        text = "scenarios:\n" + found.text("  ")
        with with_unsaved_texts({self.path: text.encode()}):
            runner = Runner(self.home)
            mine = [one for one in runner.scenarios if Path(one.path).name == Path(self.path).name]
            assert len(mine) == 1, text
            runner.scenarios = mine  # expressions of all others would be compiled with it
            outcome = runner.run(mine[0])
        assert outcome.passed, text + "\n".join(outcome_lines(outcome, runner.sources))
