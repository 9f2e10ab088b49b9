"""`rulelang print`, and the page that shows it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pypdf
import pytest

from tests.cli.helpers import run, tiny
from tests.printing.hostile import hostile

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "print.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def test_what_the_page_shows(desk: Path) -> None:
    (block,) = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    lines = block.splitlines()
    assert len(lines) == 6
    for command, said in zip(lines[::2], lines[1::2], strict=True):
        assert run(*shlex.split(command)[2:]).output == f"{said}\n"
        assert pypdf.PdfReader(desk / said.partition(":")[0]).pages


def test_the_python_of_the_page_runs(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out == "['Deal', 'Select food', 'Play cards', 'Feeding']\n"
    assert (desk / "evolution.pdf").read_bytes().startswith(b"%PDF")


def test_files_are_named_by_what_is_in_them(root: Path, desk: Path) -> None:
    assert run("print", "sheet", "evolution", str(root / "examples" / "climate"), "--lang", "zh").exit_code == 0
    assert run("print", "sheet", "darwins_choice", "--mode", "kids").exit_code == 0
    assert sorted(path.name for path in desk.glob("*.pdf")) == [
        "darwins_choice-kids-sheet.pdf", "evolution-climate-sheet-zh.pdf",
    ]  # fmt: skip


def test_the_environment_chooses_the_language(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_TW.UTF-8")
    assert run("print", "sheet", "evolution").output == "evolution-sheet-zh.pdf: 1 page\n"
    assert run("print", "sheet", "evolution", "--lang", "en").output == "evolution-sheet.pdf: 1 page\n"
    monkeypatch.setenv("LANGUAGE", "xx")
    assert run("print", "sheet", "evolution").output == "evolution-sheet.pdf: 1 page\n"


def test_what_cannot_be_printed_is_told_in_one_line(desk: Path) -> None:
    home = str(tiny(desk / "tiny"))
    for words, said in (
        (["cards", home], "this game has no cards"),
        (["sheet", home, "--lang", "xx"], "tiny has no `xx` translation; available languages: en"),
    ):
        result = run("print", *words)
        assert (result.exit_code, result.output) == (2, f"Error: {said}\n")
    assert not list(desk.glob("*.pdf"))


def test_mistakes_are_told_and_nothing_is_printed(desk: Path) -> None:
    home = tiny(desk / "tiny")
    (home / "game.rules").write_text("game:\n  nothing_like_it\n", encoding="utf-8")
    result = run("print", "rulebook", str(home))
    assert result.exit_code == 1
    assert "nothing_like_it" in result.output
    assert not list(desk.glob("*.pdf"))


def test_texts_that_were_cut_are_told(desk: Path) -> None:
    result = run("print", "cards", hostile(desk))
    assert result.exit_code == 0
    assert "(1 card had too much text, which was cut: Long)" in result.output
