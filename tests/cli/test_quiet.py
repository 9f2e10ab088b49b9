"""`--quiet`: what is wrong is told, and nothing besides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import RULES, SCENARIOS, THINGS, run, tiny


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
def test_nothing_wrong_is_nothing_said(tmp_path: Path, command: str) -> None:
    where = str(tiny(tmp_path))
    assert run(command, where).output
    quiet = run(command, "--quiet", where)
    assert (quiet.exit_code, quiet.output) == (0, "")


def test_a_failure_is_told(tmp_path: Path) -> None:
    failed = run("test", "-q", str(tiny(tmp_path, tests=SCENARIOS.replace("coins == 1", "coins == 2"))))
    assert failed.exit_code == 1
    assert "expected 2" in failed.output
    assert " failed in " not in failed.output


def test_a_mistake_is_told(tmp_path: Path) -> None:
    mistaken = run("check", "-q", str(tiny(tmp_path, rules=RULES + "value lost -> int: nowhere\n")))
    assert mistaken.exit_code == 1
    assert mistaken.output.startswith("error[N350]")
    assert "1 error in" not in mistaken.output


def test_a_warning_of_a_scenario_that_passes_is_told(tmp_path: Path) -> None:
    where = tiny(tmp_path, tests=SCENARIOS.replace("turn: ana", "turn: ana, state: {calm: 2}"))
    (where / "things.yaml").write_text(THINGS + "state: {calm: {is: 0..9, resets: earning}}\n", "utf-8")
    (where / "game.rules").write_text(RULES + "value quiet -> int: calm\n", "utf-8")
    told = run("test", str(where))
    assert told.exit_code == 0, told.output
    assert "warning[C718]: `calm` is reset" in told.output
    assert told.output.rstrip().endswith("; 1 warning in 1 file")
    assert run("test", "-q", str(where)).output.startswith("warning[C718]")


def test_a_series_prints_its_result_alone(tmp_path: Path) -> None:
    assert run("sim", "-q", str(tiny(tmp_path)), "-n", "2").output.startswith("Tiny: 2 games")


def test_quiet_and_verbose_exclude_each_other(tmp_path: Path) -> None:
    assert run("test", "-q", "-v", str(tiny(tmp_path))).exit_code == 2
