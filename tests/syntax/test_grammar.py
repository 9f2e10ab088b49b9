"""The grammar's tables, those that ship and those in the cache, and how fast texts are read."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lark import Lark

from rulelang.base.source import Placement
from rulelang.syntax import grammar as module
from rulelang.syntax.build import Builder
from rulelang.syntax.grammar import GRAMMAR, TABLES, fingerprint, grammar, load, tables
from rulelang.syntax.parse import parse
from tests.syntax.texts import examples


def parses(monkeypatch: pytest.MonkeyPatch, cache: Path) -> bool:
    monkeypatch.setenv("RULELANG_CACHE", str(cache))
    parser = load(Builder()).parse_interactive(start="decl")
    return "ROUTINE" in parser.choices()  # type: ignore[no-untyped-call]


def no_compiler(*_: object, **__: object) -> None:
    raise AssertionError("the grammar is compiled again")


@pytest.fixture
def none_ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the grammar had been changed since the tables were written."""
    other = tmp_path / "other.json"
    other.write_text(TABLES.read_text("utf-8").replace(fingerprint(GRAMMAR.read_text("utf-8")), "another"))
    monkeypatch.setattr(module, "TABLES", other)


def test_tables_that_ship_are_of_this_grammar_and_need_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads(TABLES.read_text("utf-8"))
    assert kept["grammar"] == fingerprint(GRAMMAR.read_text("utf-8")), "run `rulelang docs`"
    monkeypatch.setattr(Lark, "__init__", no_compiler)
    assert parses(monkeypatch, tmp_path)
    assert not (tmp_path / "grammar").exists()


def test_tables_of_another_grammar_or_lark_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = 'start: decl\ndecl: A\nthen_line: A A\nA: "a"\n'
    (tmp_path / "few.json").write_text(tables(source), encoding="utf-8")
    monkeypatch.setattr(module, "TABLES", tmp_path / "few.json")
    assert module.shipped(source) is not None
    assert module.shipped(source + 'B: "b"\n') is None
    monkeypatch.setattr(module, "__version__", "0.0.1")
    assert module.shipped(source) is None
    (tmp_path / "few.json").write_text("{")
    assert module.shipped(source) is None


@pytest.mark.usefixtures("none_ship")
def test_the_cache_is_written_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parses(monkeypatch, tmp_path)
    (file,) = (tmp_path / "grammar").iterdir()
    written = file.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(Lark, "__init__", no_compiler)
        assert parses(monkeypatch, tmp_path)
    assert file.read_bytes() == written


@pytest.mark.usefixtures("none_ship")
@pytest.mark.parametrize("content", [b"", b"junk", b"\x80\x05.", None])
def test_a_broken_cache_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None) -> None:
    assert parses(monkeypatch, tmp_path)
    (file,) = (tmp_path / "grammar").iterdir()
    written = file.read_bytes()
    file.write_bytes(written[:-1000] if content is None else content)
    assert parses(monkeypatch, tmp_path)
    assert file.read_bytes().startswith(written[:10])  # made anew
    assert len(file.read_bytes()) > 100_000


@pytest.mark.usefixtures("none_ship")
def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert parses(monkeypatch, blocked / "below")
    (tmp_path / "grammar").write_text("no folder")
    assert parses(monkeypatch, tmp_path)


def test_lark_is_imported_for_parsing_only() -> None:
    code = "import sys, rulelang.syntax.parse, rulelang.syntax.printer; print('lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_reading_is_fast() -> None:
    grammar()
    text = examples()["evolved/game.rules"]
    best = min(_seconds(text) for _ in range(3))
    assert best < 0.06 * max(1.0, len(text.splitlines()) / 250)


def _seconds(text: str) -> float:
    start = time.process_time()
    parse(text, Placement("t"))
    return time.process_time() - start
