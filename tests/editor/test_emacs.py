"""A real Emacs, with the settings of docs/editors.md, tells, mends, completes and runs the scenarios of a trait."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).parent / "emacs" / "drive.el"


def has_eglot() -> bool:
    """Whether there is an Emacs with Eglot and a mode for YAML."""
    if shutil.which("emacs") is None:
        return False
    asked = "(progn (package-initialize) (require 'eglot) (or (require 'yaml-mode nil t) (require 'yaml-ts-mode)))"
    done = subprocess.run(["emacs", "--batch", "--eval", asked], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.slow
def test_emacs_tells_mends_completes_and_runs(tmp_path: Path) -> None:
    if not has_eglot():
        pytest.skip("there is no Emacs with Eglot here (Debian: apt install emacs-nox elpa-eglot elpa-yaml-mode)")
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"```elisp\n(.*?)```", page, re.DOTALL)
    (tmp_path / "settings.el").write_text(settings, encoding="utf-8")
    game = tmp_path / "game"
    shutil.copytree(ROOT / "rulesets" / "origin_of_species", game)
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "rulelang").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulelang "$@"\n', encoding="utf-8")
    (commands / "rulelang").chmod(0o755)
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    told = tmp_path / "told.json"
    arguments = [str(tmp_path / "settings.el"), str(game / "traits" / "burrowing.yaml"), str(told)]
    command = ["emacs", "--batch", "-l", str(DRIVER), *arguments]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=400, check=False)
    assert told.is_file(), done.stderr
    found = json.loads(told.read_text(encoding="utf-8"))
    (mistake,) = found["mistakes"]
    assert "nothing is called `strikex`" in mistake
    assert "Change `strikex` to `strike`" in found["actions"]
    assert {"strike(any, self)", "attack(self)"} <= set(found["completed"])
    assert found["passed"] == "4 scenarios passed"
