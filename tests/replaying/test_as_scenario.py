"""A decision of a recorded game becomes a scenario, and the scenario passes when its game runs it from a file."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import with_unsaved_texts
from rulelang.testing.replay import read
from rulelang.testing.replay_stepper import Walk, as_scenario
from rulelang.testing.replay_writer import record_series
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import outcome_lines
from rulelang.testing.scenarios.writer import HEAD, CannotWrite, Written, scenario_passes
from tests.cli.helpers import RULES, SCENARIOS, run, tiny
from tests.replaying.games import DICE, dice, other


def recorded(folder: Path, to: Path, games: int = 1, players: int = 2) -> Path:
    record_series(Fixture(Compilation(folder)).game, to, games, players, seed=5)
    return to


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny(tmp_path_factory.mktemp("as_scenario") / "tiny", rules=RULES.replace(">= goal", ">= goal * 3"))


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    return recorded(folder, folder.parent / "games.jsonl", 2)


def run_of(home: Path, found: Written) -> None:
    """Its game runs the scenario as one of its files, which is held and not written: the game may be a shipped one."""
    path = str((home / "scenarios" / "of_a_replay.yaml").absolute())
    with with_unsaved_texts({path: (HEAD + found.text("  ")).encode()}):
        runner = Runner(home)
        (runner.scenarios,) = [[one] for one in runner.scenarios if one.home == "of_a_replay"]
        outcome = runner.run(runner.scenarios[0])
    assert outcome.passed, found.text() + "\n".join(outcome_lines(outcome, runner.sources))


def test_each_decision_of_a_small_game(folder: Path, file: Path) -> None:
    fixture = Fixture(Compilation(folder))
    walk = Walk(fixture.game, read(file).games[1])
    for number in range(1, walk.last + 1, 3):
        found = as_scenario(fixture, walk, number)
        move = walk.move(number)
        who = walk.position(0).players[move.by - 1]
        assert found.steps[-1] == (who, move.said)
        assert found.name == f"move {number}, {who}: {move.said}"
        run_of(folder, found)


def test_decisions_of_evolution(root: Path, tmp_path: Path) -> None:
    home = root / "rulesets/evolution"
    fixture = Fixture(Compilation(home))
    walk = Walk(fixture.game, read(recorded(home, tmp_path / "games.jsonl", players=3)).games[0])
    for number in (2, walk.last // 2, walk.last):
        found = as_scenario(fixture, walk, number, "as it was")
        assert (found.name, found.steps[-1][1]) == ("as it was", walk.move(number).said)
        run_of(home, found)


def test_the_examples_of_the_page(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (root / "docs/replays.md").read_text(encoding="utf-8").splitlines()
    examples = [
        shlex.split(line) for line in page if line.startswith("    rulelang replay ") and "--to-scenario" in line
    ]
    assert len(examples) == 2
    recorded(root / "rulesets/evolution", tmp_path / "games.jsonl", 3, 3)
    shutil.copy(tmp_path / "games.jsonl", tmp_path / "game.jsonl")
    (tmp_path / "my_game/scenarios").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    for example in examples:
        done = run(*example[1:])
        assert done.exit_code == 0, done.output
    assert "name: the wolf eats last" in (tmp_path / "my_game/scenarios/found.yaml").read_text()


def test_the_python_of_the_page_runs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", (root / "docs/replays.md").read_text(encoding="utf-8"), re.M | re.S)
    recorded(root / "rulesets/evolution", tmp_path / "games.jsonl", 3)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert capsys.readouterr().out.startswith("1 select_food\n")


def test_what_does_not_come_out_as_written_is_seen(folder: Path, file: Path) -> None:
    fixture = Fixture(Compilation(folder))
    found = as_scenario(fixture, Walk(fixture.game, read(file).games[0]), 4)
    assert scenario_passes(fixture, found)
    assert not scenario_passes(fixture, replace(found, then=("round == 99",)))
    assert not scenario_passes(fixture, replace(found, steps=(*found.steps, ("bob", "fly"))))


def test_a_decision_that_is_not_there(folder: Path, file: Path, tmp_path: Path) -> None:
    fixture = Fixture(Compilation(folder))
    walk = Walk(fixture.game, read(file).games[0])
    for number in (0, walk.last + 1):
        with pytest.raises(CannotWrite, match=f"no decision {number} in this game: it has {walk.last}"):
            as_scenario(fixture, walk, number)


# ---- the command


def test_written_into_a_folder_of_scenarios_and_run_there(folder: Path, file: Path, tmp_path: Path) -> None:
    home = shutil.copytree(folder, tmp_path / "tiny")
    to = home / "scenarios" / "found.yaml"
    for number in ("3", "3", "5"):
        done = run("replay", str(file), "--game", str(home), "--to-scenario", number, "--name", "so it went",
                   "-o", str(to))  # fmt: skip
        assert done.exit_code == 0, done.output
    assert " ".join(done.output.split()).endswith("`so it went 3`")
    names = [line.strip() for line in to.read_text().splitlines() if "name:" in line]
    assert names == ["- name: so it went", "- name: so it went 2", "- name: so it went 3"]
    told = run("test", str(home))
    assert told.exit_code == 0, told.output
    assert "4 passed" in told.output


def test_printed_as_a_file_of_scenarios(file: Path, folder: Path) -> None:
    done = run("replay", str(file), "--game", str(folder), "--to-scenario", "3", "--nth", "2")
    assert done.stdout.startswith(f"{HEAD}  - name: ")
    stepped = run("replay", str(file), "--game", str(folder), "--nth", "2", "--step",
                  stdin="scenario\ngo 3\nscenario\nscenario as it was\nquit\n")  # fmt: skip
    assert "No move has been made yet." in stepped.output
    assert done.stdout in stepped.output
    assert "- name: as it was" in stepped.output


def test_the_mode_stands_in_its_head(tmp_path: Path) -> None:
    """And what is told of the rules does not stand in the file."""
    manifest = (tiny(tmp_path / "plain") / "ruleset.yaml").read_text()
    home = tiny(tmp_path / "tiny", manifest=f"{manifest}modes:\n  rich: {{files: [modes/rich.rules]}}\n")
    (home / "modes").mkdir()
    (home / "modes/rich.rules").write_text("modify pay(any): + 1\n")
    path = tmp_path / "rich.jsonl"
    done = run("sim", str(home), "--mode", "rich", "-n", "1", "-p", "2", "--record", str(path))
    assert done.exit_code == 0, done.output
    (home / "game.rules").write_text((home / "game.rules").read_text() + "# another byte\n")
    done = run("replay", str(path), "--game", str(home), "--to-scenario", "1")
    assert done.exit_code == 0, done.output
    assert "The rules have changed since the recording" in done.stderr
    assert "    mode: rich\n" in done.stdout
    (home / "scenarios/found.yaml").write_text(done.stdout)
    told = run("test", str(home))
    assert told.exit_code == 0, told.output


def test_what_cannot_be_done_is_told(file: Path, folder: Path, tmp_path: Path) -> None:
    def told(*more: str) -> tuple[int, str]:
        done = run("replay", str(file), "--game", str(folder), *more)
        return done.exit_code, " ".join(done.output.split())

    assert "--step and --to-scenario cannot be combined" in told("--step", "--to-scenario", "1")[1]
    assert "--name needs --to-scenario" in told("--name", "x")[1]
    assert "--output needs --to-scenario" in told("-o", str(tmp_path / "x.yaml"))[1]
    code, text = told("--to-scenario", "9999")
    assert (code, "there is no decision 9999 in this game" in text) == (2, True)
    code, text = told("--to-scenario", "1", "-o", str(tmp_path / "no" / "x.yaml"))
    assert (code, "cannot be written: No such file or directory" in text) == (2, True)
    for held, why in ((b"scenarios: [{name: x}]\n", "are in brackets"), (b"\xff", "not a UTF-8 file"),
                      (b"a: [\n", "cannot be read as it is")):  # fmt: skip
        (tmp_path / "x.yaml").write_bytes(held)
        code, text = told("--to-scenario", "1", "-o", str(tmp_path / "x.yaml"))
        assert (code, why in text) == (2, True), text
        assert (tmp_path / "x.yaml").read_bytes() == held


def test_of_other_rules_it_goes_as_far_as_the_game_does(tmp_path: Path) -> None:
    path = recorded(dice(tmp_path / "tiny"), tmp_path / "games.jsonl")
    done = run("replay", str(path), "--game", str(other(tmp_path / "other")), "--to-scenario", "9999")
    assert done.exit_code == 2
    assert "cannot be followed past decision" in " ".join(done.stderr.split())
    assert "has nothing to rest on" in " ".join(done.stderr.split())


def test_a_position_that_nothing_can_hold_is_told(tmp_path: Path) -> None:
    """Dice were cast in a game that did not begin from a seed."""
    scenario = SCENARIOS.replace("ana.coins == 1", "ana.coins > 0").replace("phase:", "seed: 3, phase:")
    folder, path = tiny(tmp_path / "tiny", rules=DICE, tests=scenario), tmp_path / "games.jsonl"
    done = run("play", str(folder), "--from", "work pays a coin", "--record", str(path),
               stdin="work\nwork\nquit\n")  # fmt: skip
    assert done.exit_code == 0, done.output
    done = run("replay", str(path), "--game", str(folder), "--to-scenario", "1")
    assert done.exit_code == 2, done.output
    assert "this position cannot be written as a scenario" in " ".join(done.stderr.split())
    done = run("replay", str(path), "--game", str(folder), "--step", stdin="go 1\nscenario\nquit\n")
    assert "This position cannot be written as a scenario" in done.output
