"""How much a ruleset or mod may hold, and how its author allows more."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.disk_cache import say_once
from rulelang.base.limits import COUNT, SIZE
from rulelang.compiler.compilation import Compilation
from tests.cli.helpers import tiny


def told(where: Path) -> list[Diagnostic]:
    return Compilation(where).diagnostics.sorted()


def test_more_files_may_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny(tmp_path / "tiny")
    files = sum(1 for path in folder.rglob("*") if path.is_file())
    monkeypatch.setenv(COUNT.variable, str(files - 1))
    (one,) = told(folder)
    assert (one.code, one.message) == ("Y107", f"this folder or zip contains more than {files - 1} files")
    assert one.hint.endswith(f"set the environment variable RULELANG_MAX_FILES to {2 * files - 2}")
    monkeypatch.setenv(COUNT.variable, str(2 * files - 2))
    assert told(folder) == [], "what was kept of a check with another limit is not taken"


def test_more_bytes_may_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny(tmp_path / "tiny")
    with (folder / "game.rules").open("a", encoding="utf-8") as file:
        file.write(f"# {'x' * 99}\n" * 11_000)
    monkeypatch.setenv(SIZE.variable, "1")
    assert {(one.code, one.message) for one in told(folder)} == {
        ("Y107", "this folder or zip contains more than 1 MiB of files")
    }
    monkeypatch.setenv(SIZE.variable, "2")
    assert "Y107" not in [one.code for one in told(folder)]


def test_a_zip_has_the_same_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny(tmp_path / "tiny")
    place = tmp_path / "tiny.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for path in folder.rglob("*"):
            archive.write(path, path.relative_to(folder))
        for number in range(300):
            archive.writestr(f"notes/{number}", "")
    monkeypatch.setenv(COUNT.variable, "20")
    (one,) = told(place)
    assert one.code == "Y130"
    assert "RULELANG_MAX_FILES to 40" in one.hint
    monkeypatch.setenv(COUNT.variable, "400")
    assert {one.code for one in told(place)} == {"Y134"}, "only that nothing reads the notes"


@pytest.mark.parametrize("said", ["many", "0", "-1", "1.5", "²", "9" * 4000])
def test_what_is_no_limit_is_told(
    said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say_once.cache_clear()
    monkeypatch.setenv(COUNT.variable, said)
    assert COUNT.most == 20_000
    assert "RULELANG_MAX_FILES is not a positive whole number; using 20,000" in capsys.readouterr().err
