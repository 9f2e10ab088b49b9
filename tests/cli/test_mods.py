"""Mods are given alike to every command."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from rulelang.apps.cli.documents import print_
from rulelang.apps.cli.main import all_commands
from rulelang.apps.cli.modding import mods
from tests.cli.helpers import run
from tests.scenarios.shore import game

#: Every command by its name, those of a group behind its own.
ALL = {
    **{name: command for name, command in all_commands().commands.items() if not isinstance(command, click.Group)},
    **{f"mods {name}": command for name, command in mods.commands.items()},
    **{f"print {name}": command for name, command in print_.commands.items()},
}
COMMANDS = {
    "check": [],
    "test": [],
    "coverage": [],
    "show": [],
    "dump": ["--stage", "data", "--name", "numbers"],
    "sim": ["-n", "2", "-p", "2"],
    "report": ["-n", "2", "-p", "2", "--format", "json", "-q"],
    "tournament": ["--agents", "random,first", "--games", "1", "-p", "2", "-q"],
    "fuzz": ["-n", "1", "-q"],
    "play": ["--bots", "2", "--seed", "1"],
    "schema": ["--to", "schemas"],
    "mods list": [],
    "mods diff": [],
    "mods why": ["meal"],
    "mods conflicts": [],
    "mods unused": ["-n", "2", "-p", "2"],
    "mods pack": [],
    "mods lock": [],
    "print rulebook": ["-o", "book.pdf"],
    "print cards": ["-o", "cards.pdf"],
    "print sheet": ["-o", "sheet.pdf"],
    "lint": ["--select", "idle-assignment"],
}
#: These take several places, each by itself; so mods are not among them.
PATHS = ("test", "fmt")
#: These look at manifests alone.
ORDER = ("mods list", "mods lock")
#: These ask for no game.
NO_GAME = ("explain", "docs", "lsp")
#: These do not end by themselves: what they take is looked at, and they are not run.
LASTING = ("host",)
#: What comes before mods is another thing than one game: a folder to work in, a file of games, two versions of a game.
OTHER = ("studio", "replay", "diff-games")
#: A mode has no files of its own to format, and schemas hold the names of all modes.
NO_MODE = ("fmt", "schema", "mods list", "mods pack", "mods lock")


@pytest.mark.parametrize("name", ALL)
def test_games_and_mods_are_given_alike(name: str) -> None:
    """GAME first and alone, MODS behind it, and `--mod` beside; no command has a way of its own."""
    params = ALL[name].params
    arguments = [param for param in params if isinstance(param, click.Argument)]
    options = {opt for param in params if isinstance(param, click.Option) for opt in param.opts}
    if name in NO_GAME:
        assert not {"--mod", "--mode"} & options
        return
    if name in OTHER:
        assert arguments[0].name != "game"
        return
    assert name in COMMANDS or name in ("fmt", *LASTING), "a new command joins the table"
    assert "--mod" in options
    assert ("--mode" in options) == (name not in NO_MODE)
    if name in PATHS:
        assert [(a.name, a.nargs) for a in arguments] == [("paths", -1)]
    else:
        assert [(a.name, a.nargs) for a in arguments] == [("game", 1), ("mods", -1)]
        assert arguments[0].required
        assert not arguments[1].required


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
def test_every_command_takes_mods(tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound one is taken, and a broken one is noticed, in each way in which it may be given."""
    monkeypatch.chdir(tmp_path)
    home, tide, odd = laid(tmp_path)
    rest = COMMANDS[command]
    if command in ORDER:
        (Path(odd) / "mod.yaml").write_text(
            "id: mael\nversion: 1.0.0\nlanguage: 1\nextends: {gone: any}\n", encoding="utf-8"
        )
    ways = [["--mod", tide], *([[tide]] if command not in PATHS else [])]
    for way in ways:
        assert run(*command.split(), home, *way, *rest).exit_code == 0, way
        broken = run(*command.split(), home, *[odd if word == tide else word for word in way], *rest)
        assert "mael" in broken.output or "has errors" in broken.output, way
    if command not in PATHS:
        broken = run(*command.split(), home, tide, "--mod", odd, *rest)
        assert "mael" in broken.output or "has errors" in broken.output


def test_a_name_behind_mods(tmp_path: Path) -> None:
    """`show` takes a name last, where the others have only mods."""
    home, tide, odd = laid(tmp_path)
    (Path(tide) / "more.yaml").write_text("set: {cards.tool.rows.net.cost: 9}\n", encoding="utf-8")
    assert "cost 9" not in run("show", home, "net").output
    for words in ([home, tide, "net"], [home, "net", "--mod", tide], ["--mod", tide, home, "net"]):
        shown = run("show", *words)
        assert (shown.exit_code, "cost 9" in shown.output) == (0, True), shown.output
    assert "with the mod tide" in run("show", home, tide).output
    assert "no `nett`" in run("show", home, tide, "nett").output
    assert "has errors" in run("show", home, odd, "net").output


def test_mods_are_formatted_too(tmp_path: Path) -> None:
    home, tide, _ = laid(tmp_path)
    rules = Path(tide) / "more.rules"
    rules.write_text("modify meal(any):\n      + 1\n", encoding="utf-8")
    assert str(rules) in run("fmt", "--check", home, "--mod", tide).output
    assert str(rules) not in run("fmt", "--check", home).output
    missing = run("fmt", "--check", home, "--mod", str(tmp_path / "none"))
    assert (missing.exit_code, "does not exist" in missing.output) == (2, True)
