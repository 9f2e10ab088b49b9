"""Completion in a shell: commands, options, games, mods and codes, asked as each shell asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

FIELDS = ["none", "farmland", "factory", "suburb", "city"]
PROGRAM = "from rulelang.apps.cli.main import main; main(prog_name='rulelang')"


def completed(shell: str, line: str, where: Path) -> list[str]:
    """What the shell is offered for the last word of a line."""
    words = line.split(" ")
    asked = {
        "_RULELANG_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1),
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=where, env=os.environ | asked, capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    lines = done.stdout.split("\n") if done.stdout.strip() else []
    if shell == "zsh":  # in threes: what it is, the word, its help
        return lines[1::3]
    return [line.partition(",")[2].partition("\t")[0] for line in lines if line]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    for name in ("games/pond/ruleset.yaml", "ponies/mod.yaml", "plain/notes.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    near = folder / "games" / "pond" / "mods" / "any"
    near.mkdir(parents=True)
    (near / "mod.yaml").write_text("id: weedy\n", encoding="utf-8")
    (folder / "pack.zip").touch()
    (folder / "pond.lock").touch()
    return folder


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_completes(shell: str, desk: Path) -> None:
    assert completed(shell, "rulelang ch", desk) == ["check"]
    assert completed(shell, "rulelang play e", desk) == ["evolution", "evolved"]
    assert completed(shell, "rulelang check p", desk) == ["pack.zip", "ponies"]
    assert "--players" in completed(shell, "rulelang play evolution --pl", desk)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rulelang check games/", ["games/pond"]),
        ("rulelang check ./gam", ["./games/pond"]),
        ("rulelang check evolution p", ["pack.zip", "pond.lock", "ponies"]),
        ("rulelang sim games/pond we", ["weedy"]),
        ("rulelang mods list games/pond we", ["weedy"]),
        ("rulelang show evolution --mod po", ["pond.lock", "ponies"]),
        ("rulelang sim evolution darw", ["darwins_choice_colossal"]),
        ("rulelang test plain/", ["plain/notes.yaml"]),
        ("rulelang dump origin", ["origin_of_species"]),
        ("rulelang coverage evolution po", ["pond.lock", "ponies"]),
        ("rulelang explain n32", [f"N32{k}" for k in range(10)]),
        ("rulelang check [", []),
    ],
)
def test_games_and_mods(line: str, offered: list[str], desk: Path) -> None:
    assert completed("bash", line, desk) == offered


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rulelang sim evolved -o ma", ["map=rodinia", "map=pangaea"]),
        ("rulelang sim evolved --option corn", ["corners=true", "corners=false"]),
        ("rulelang play evolved -o counters=", ["counters=10"]),  # 3 to 20: one of many
        ("rulelang dump evolved -o nothing", []),
        ("rulelang sim darwins_choice --mode b", ["beginner"]),
        ("rulelang sim darwins_choice darwins_choice_colossal --mode e", ["epic"]),
        ("rulelang check darwins_choice --mode k", ["kids"]),
        ("rulelang test darwins_choice --mode k", ["kids"]),
        ("rulelang play darwins_choice_colossal -o kids_h", [f"kids_harder={x}" for x in FIELDS]),
        ("rulelang sim nowhere --mode ", []),
        ("rulelang sim nowhere -o ", []),
        ("rulelang sim plain -o ", []),
    ],
)
def test_modes_and_options_of_the_game_that_stands_before(line: str, offered: list[str], desk: Path) -> None:
    assert completed("zsh", line, desk) == offered


def test_a_script_for_each_shell(desk: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        env = os.environ | {"_RULELANG_COMPLETE": f"{shell}_source", "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, timeout=120)
        assert "_RULELANG_COMPLETE" in done.stdout
