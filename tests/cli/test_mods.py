"""Mods are given alike to every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import run
from tests.scenarios.shore import game

COMMANDS = {
    "check": [],
    "test": [],
    "coverage": [],
    "show": [],
    "dump": ["--stage", "data", "--name", "numbers"],
    "sim": ["-n", "2", "-p", "2"],
    "play": ["--bots", "2", "--seed", "1"],
}
BEHIND = ("check", "coverage", "sim", "play")


def laid(folder: Path) -> tuple[str, str, str]:
    """A game with one scenario, a mod for it, and one that is broken."""
    home = game(folder)
    (home / "scenarios").mkdir()
    (home / "scenarios" / "some.yaml").write_text(
        "- name: some\n  given: {phase: feeding, turn: ana, players: {ana: {crab: [nip]}, bob: []}}\n", encoding="utf-8"
    )
    for name, text in (("tide", "set: {numbers.meal: 2}\n"), ("odd", "set: {numbers.mael: 2}\n")):
        (folder / name).mkdir()
        (folder / name / "mod.yaml").write_text(
            f'id: {name}\nversion: 1.0.0\nlanguage: 1\ntitle: x\nextends: {{shore: ">=1.0"}}\nfiles: [more.yaml]\n',
            encoding="utf-8",
        )
        (folder / name / "more.yaml").write_text(text, encoding="utf-8")
    return str(home), str(folder / "tide"), str(folder / "odd")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_mods(tmp_path: Path, command: str) -> None:
    """A sound one is taken, and a broken one is noticed, in each way in which it may be given."""
    home, tide, odd = laid(tmp_path)
    rest = COMMANDS[command]
    ways = [["--mod", tide], *([[tide]] if command in BEHIND else [])]
    for way in ways:
        assert run(command, home, *way, *rest).exit_code == 0, way
        broken = run(command, home, *[odd if word == tide else word for word in way], *rest)
        assert "mael" in broken.output or "mistakes" in broken.output, way
    if command in BEHIND:
        assert "mael" in run(command, home, tide, "--mod", odd, *rest).output
