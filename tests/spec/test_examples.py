"""What lies in `examples/` works: rulesets check, their scenarios pass and they can be played; scripts run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rulelang
from rulelang.testing.scenarios.run import run_path
from tests.native.machine import needs_compiler

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FOLDERS = sorted(path.parent for name in ("ruleset.yaml", "mod.yaml") for path in EXAMPLES.glob(f"*/{name}"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_ruleset_is_sound_and_its_scenarios_pass(folder: Path) -> None:
    assert [f"{d.span}: {d.message}" for d in rulelang.check(folder)[1]] == []
    report = run_path(folder)
    assert report.outcomes
    assert [(o.scenario.id, o.failures, o.mistakes) for o in report.outcomes if not o.passed] == []
    state = rulelang.load(folder).new(players=2, seed=3)
    while not state.over:
        state.play(state.decision.options[-1])
    assert state.winners


def test_the_own_game_is_short() -> None:
    files = [path for path in (EXAMPLES / "pebbles").rglob("*") if path.is_file()]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 60


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_script_runs(script: Path) -> None:
    root = {"PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run([sys.executable, script], env=os.environ | root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 3


def test_every_folder_is_named_in_the_readme() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    shown = [path.name for path in EXAMPLES.iterdir() if path.name not in ("README.md", "__pycache__")]
    assert [name for name in shown if f"`{name}" not in text] == []


@pytest.mark.slow
@needs_compiler
def test_a_network_learns() -> None:
    """A round of learning, and a game against `greedy`."""
    given = ["--minutes", "2", "--rounds", "1", "--games", "1"]
    command = [sys.executable, EXAMPLES / "learning" / "ppo.py", *given]
    root = {"PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run(command, env=os.environ | root, capture_output=True, text=True, timeout=300)
    assert "of 1 games won against greedy" in done.stdout, done.stderr
