"""A real Neovim, with the settings of docs/editors.md, completes, fixes and runs a scenario of a trait."""

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
DRIVER = Path(__file__).parent / "neovim" / "drive.lua"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no Neovim here (Debian: apt install neovim)")
def test_neovim_completes_fixes_and_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"```lua\n(.*?)```", page, re.DOTALL)
    (tmp_path / "settings.lua").write_text(settings, encoding="utf-8")
    game = tmp_path / "game"
    shutil.copytree(ROOT / "rulesets" / "origin_of_species", game)
    told = tmp_path / "told.json"
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "rulelang").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulelang "$@"\n', encoding="utf-8")
    (commands / "rulelang").chmod(0o755)
    env = {
        **os.environ,
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "TOLD": str(told),
        "SETTINGS": str(tmp_path / "settings.lua"),
        "FILE": str(game / "traits" / "burrowing.yaml"),
    }
    command = ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {DRIVER}"]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert told.is_file(), done.stderr
    found = json.loads(told.read_text(encoding="utf-8"))
    assert found["why"] == "done", found["why"] + done.stderr
    assert found["completed"].startswith("  forbid strike(any, self)")
    assert found["mistakes"] == ["W500"]
    assert found["action"] == "Change `strikke` to `strike`"
    assert found["fixed"] is True
    assert found["passed"] == "1 scenario passed"
    assert "failed" in found["failed"]
    assert "scenario" in found["after"]
