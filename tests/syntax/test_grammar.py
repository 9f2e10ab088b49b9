"""The grammar's cache, and how fast texts are read."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulelang.base.source import Placement
from rulelang.syntax.build import Builder
from rulelang.syntax.grammar import GRAMMAR, cache_file, grammar, load
from rulelang.syntax.parse import parse
from tests.syntax.texts import examples


def parses(folder: Path) -> bool:
    lark = load(Builder(), folder)
    parser = lark.parse_interactive(start="decl")
    return "ROUTINE" in parser.choices()  # type: ignore[no-untyped-call]


def test_the_cache_is_written_and_read(tmp_path: Path) -> None:
    assert parses(tmp_path)
    file = cache_file(GRAMMAR.read_text("utf-8"), tmp_path)
    assert file.exists()
    written = file.read_bytes()
    assert parses(tmp_path)
    assert file.read_bytes() == written


@pytest.mark.parametrize("content", [b"", b"junk", b"\x80\x05."])
def test_a_broken_cache_is_passed_over(tmp_path: Path, content: bytes) -> None:
    file = cache_file(GRAMMAR.read_text("utf-8"), tmp_path)
    file.write_bytes(content)
    assert parses(tmp_path)


def test_a_cut_cache_is_passed_over(tmp_path: Path) -> None:
    assert parses(tmp_path)
    file = cache_file(GRAMMAR.read_text("utf-8"), tmp_path)
    file.write_bytes(file.read_bytes()[:-1000])
    assert parses(tmp_path)


def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert parses(blocked / "below")
    cache_file(GRAMMAR.read_text("utf-8"), tmp_path).mkdir()
    assert parses(tmp_path)


def test_another_grammar_has_another_file(tmp_path: Path) -> None:
    assert cache_file("a", tmp_path) != cache_file("b", tmp_path)


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
    start = time.perf_counter()
    parse(text, Placement("t"))
    return time.perf_counter() - start
