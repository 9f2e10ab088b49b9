"""The page `docs/mods.md`: its files beside the garden, and what the commands print. `UPDATE_GOLDEN=1` writes it."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.helpers import run
from tests.spec.pages import PAGES, garden, write

PAGE = PAGES.parent / "mods.md"
BLOCK = re.compile(r'^( *)```(\w+)(?: title="([^"]+)")?\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)


def test_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    write(tmp_path / "garden", garden())
    text = PAGE.read_text(encoding="utf-8")
    shown = BLOCK.sub(_after, text)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(shown, encoding="utf-8")
    else:
        assert shown == text
    assert shown.count("$ rulelang") >= 12


def _after(match: re.Match[str]) -> str:
    """A block as it should be: files are written, commands are run and what they print put behind them."""
    indent, kind, title, body = match[1], match[2], match[3], match[4]
    lines = [line.removeprefix(indent) for line in body.splitlines()]
    if title:
        write(Path(), {title: "\n".join(lines) + "\n"})
    if kind != "console":
        return match[0]
    out: list[str] = []
    for command in (line for line in lines if line.startswith("$ rulelang ")):
        out += [command, *run(*shlex.split(command)[2:]).output.rstrip("\n").split("\n")]
    return "\n".join([f"{indent}```console", *(f"{indent}{line}".rstrip() for line in out), f"{indent}```"])
