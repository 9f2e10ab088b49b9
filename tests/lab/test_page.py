"""The page about the lab: its Python runs, and so do its commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.helpers import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "lab.md"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_its_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    known: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, str(PAGE), "exec"), known)
    assert "seat 1 wins 0." in capsys.readouterr().out


def test_its_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert commands
    for command in commands:
        words = shlex.split(command)
        done = run(*words[1:], "-p", "3", "-q")
        assert done.exit_code == 0, done.output
        assert (tmp_path / "evolution-report.html").exists() or "report" not in words
