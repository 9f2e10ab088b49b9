"""`rulelang studio` before anybody looks at it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulelang.apps.cli.main import main
from rulelang.apps.studio import guard


def test_without_its_pages_it_says_how_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "STATIC", tmp_path / "nothing")
    run = CliRunner().invoke(main, ["studio", str(tmp_path), "--port", "0", "--no-browser"])
    assert (run.exit_code, run.stdout) == (2, "")
    assert run.stderr.startswith("Error: the studio is not built yet; in a clone of rulelang, run `make studio`")


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        run = CliRunner().invoke(main, ["studio", str(tmp_path), "--port", port, "--no-browser"])
    assert run.exit_code == 2
    assert (
        f"cannot listen on 127.0.0.1, port {port}: address already in use; `--port 0` picks a free port" in run.stderr
    )


def test_a_game_that_is_not_there_is_not_hosted(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["host", str(tmp_path / "nothing"), "--port", "0", "--no-browser"])
    assert (run.exit_code, run.stdout) == (2, "")
    assert "nothing" in run.stderr
