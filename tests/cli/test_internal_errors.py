"""A bug is reported as a bug: the command line makes a usage error of arguments only."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from rulelang.apps import cli
from rulelang.base.errors import BadArgument
from rulelang.runtime.game import Game
from tests.cli.helpers import THINGS, run, tiny

#: Handlers of wide classes, with the reason.
ALLOWED = {
    "main.py: Exception": "where a bug becomes its report",
    "lab.py: ValueError": "around `float` of an option's text",
}
WIDE = {
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "Exception", "IndexError", "KeyError",
    "LookupError", "RuntimeError", "TypeError", "ValueError",
}  # fmt: skip
COMMANDS = [
    ("sim", "-n", "1"),
    ("sim", "-n", "1", "--jobs", "2"),
    ("play", "--seed", "1"),
    ("report", "-n", "1", "--format", "json"),
    ("tournament", "--agents", "random,first", "-n", "1"),
    ("coverage", "--rules", "--games", "1"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_bug_is_no_usage_error(command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("zip() argument 2 is longer than argument 1")

    monkeypatch.setattr(Game, "table", broken)
    found = run(command[0], str(tiny(tmp_path)), *command[1:])
    assert found.exit_code == 2, found.output
    assert "this is a bug in rulelang, not in your files: ValueError: zip()" in found.output
    assert "Usage:" not in found.output


@pytest.mark.parametrize("command", COMMANDS[:4], ids=" ".join)
def test_an_argument_that_cannot_be_used_is_one(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise BadArgument("two players have the same name: ana, ana")

    monkeypatch.setattr(Game, "table", refused)
    found = run(command[0], str(tiny(tmp_path)), *command[1:])
    assert found.exit_code == 2, found.output
    assert "Error: two players have the same name" in found.output
    assert "Usage:" in found.output


def test_an_import_that_fails_in_rulelang_is_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = tiny(tmp_path)
    sort = "\ncards: {card: {columns: {weight: int}, rows: [{weight: 1}]}}\n"
    (where / "things.yaml").write_text(THINGS + sort, "utf-8")
    command = ("cards", str(where), "export", "--to", "xlsx", "-o", str(tmp_path / "out.xlsx"))
    with monkeypatch.context() as missing:
        missing.setitem(sys.modules, "openpyxl", None)
        assert "pip install 'rulelang[sheets]'" in run(*command).output

    def broken(*_: object) -> bytes:
        raise ImportError("cannot import name `x` from `rulelang.base`")

    monkeypatch.setattr("rulelang.tools.cards.tables.to_xlsx", broken)
    found = run(*command)
    assert found.exit_code == 2
    assert "this is a bug in rulelang" in found.output


def test_commands_catch_no_wide_classes() -> None:
    folder = Path(cli.__file__).parent
    found = {
        f"{path.name}: {name.id}"
        for path in folder.glob("*.py")
        for handler in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(handler, ast.ExceptHandler)
        for name in ([ast.Name("BaseException")] if handler.type is None else ast.walk(handler.type))
        if isinstance(name, ast.Name) and name.id in WIDE
    }
    assert found == set(ALLOWED)
