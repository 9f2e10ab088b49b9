"""A game is the same in every process: nothing depends on hashes of strings, on memory addresses or on the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.backends.named import BACKENDS
from tests.properties.games import ROOT

SCRIPT = """
import sys
from tests.properties.games import NATIVE, RULESETS, usual, walk
few = [ruleset for ruleset in NATIVE if ruleset.name == "evolution" and ruleset.backend in sys.argv]
for ruleset in few or RULESETS[::-2]:
    for number, state in enumerate(walk(usual(ruleset).new(5), 5, 60)):
        print(ruleset, number, state.hash(), [o.text for o in state.decision.options] if number % 20 == 1 else "")
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_processes_play_the_same_game(backend: str, tmp_path: Path) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, backend],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "PYTHONHASHSEED": seed,
                "RULELANG_CACHE": str(tmp_path / seed),
            },
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "4711")
    ]
    first, second = (process.communicate(timeout=300)[0] for process in running)
    assert [process.returncode for process in running] == [0, 0]
    assert len(first.splitlines()) > 50
    assert first.splitlines() == second.splitlines()
