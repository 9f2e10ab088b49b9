"""What docs/cards.md shows of commands is what they print."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tests.cli.helpers import run
from tests.spec.pages import PAGES, lay_out, sections
from tests.workbooks import workbook

PAGE = PAGES.parent / "cards.md"


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game of the page's first section, in a folder `garden`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (section,) = [section for section in sections(PAGE) if section.heading == "Files of rows"]
    where, _ = lay_out(section.good, tmp_path)
    os.rename(where, tmp_path / "garden") if where.name != "garden" else None
    return tmp_path / "garden"


def shown(command: str) -> str:
    """What the page prints below a command."""
    block = PAGE.read_text(encoding="utf-8").partition(f"$ rulelang {command}\n")[2]
    return block.partition("```")[0]


def test_an_import(garden: Path) -> None:
    exported = run("cards", "garden", "export", "--sort", "job", "-o", "jobs.csv")
    assert exported.exit_code == 0, exported.output
    text = Path("jobs.csv").read_text(encoding="utf-8")
    rows = [line.replace("water=1", "water=2").split(",") for line in text.splitlines()]
    Path("jobs.csv").unlink()
    Path("jobs.xlsx").write_bytes(workbook("[job]\n" + "\n".join(",".join(row) for row in rows) + "\n"))
    command = "cards garden import jobs.xlsx --sort job --dry-run"
    assert run(*command.split()).output == shown(command)


def test_the_frame(garden: Path) -> None:
    path = garden / "jobs.xlsx"
    path.write_bytes(
        workbook("[Deck]\nid,copies,weed,water,pay,hard,needs,remark\nnoon,1,1,1,12,TRUE,water=1,2026-03-01\n")
    )
    frame = PAGE.read_text(encoding="utf-8").partition("```text\nerror[N315]")[2].partition("```")[0]
    assert f"error[N315]{frame}" in run("check", "garden").output


@pytest.mark.parametrize("verb", ["find", "stats"])
def test_what_is_found_in_a_shipped_game(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = PAGE.read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(f"$ rulelang cards evolution {verb} ")]
    command = line.removeprefix("$ rulelang ")
    assert run(*shlex.split(command)).output == shown(command)
