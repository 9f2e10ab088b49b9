"""The grammar's tables, those that ship and those in the cache, and how fast texts are read."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lark import Lark
from lark.exceptions import UnexpectedToken

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.disk_cache import digest
from rulelang.base.source import Placement
from rulelang.language.syntax import grammar as module
from rulelang.language.syntax.build import Builder
from rulelang.language.syntax.driver import feed
from rulelang.language.syntax.grammar import END, GRAMMAR, TABLES, Grammar, load_tables, shared_grammar
from rulelang.language.syntax.lark_tables import compile_tables, lark_of, tables_text
from rulelang.language.syntax.lexer import Token, lay_out, scan, split_chunks
from rulelang.language.syntax.parse import parse
from tests.syntax.texts import examples


def parses(monkeypatch: pytest.MonkeyPatch, cache: Path) -> bool:
    monkeypatch.setenv("RULELANG_CACHE", str(cache))
    return "ROUTINE" in Grammar(load_tables(), Builder()).start("decl").row


def no_compiler(*_: object, **__: object) -> None:
    raise AssertionError("the grammar is compiled again")


@pytest.fixture
def none_ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the grammar had been changed since the tables were written."""
    other = tmp_path / "other.json"
    other.write_text(TABLES.read_text("utf-8").replace(digest(GRAMMAR.read_text("utf-8")), "another"))
    monkeypatch.setattr(module, "TABLES", other)


def test_tables_that_ship_are_of_this_grammar_and_need_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads(TABLES.read_text("utf-8"))
    assert kept["grammar"] == digest(GRAMMAR.read_text("utf-8")), "run `rulelang docs`"
    monkeypatch.setattr(Lark, "__init__", no_compiler)
    assert parses(monkeypatch, tmp_path)
    assert not (tmp_path / "grammar").exists()


def test_tables_of_another_grammar_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = GRAMMAR.read_text("utf-8")
    (tmp_path / "few.json").write_text(tables_text(compile_tables(source)), encoding="utf-8")
    monkeypatch.setattr(module, "TABLES", tmp_path / "few.json")
    assert module.shipped_tables(source) is not None
    assert module.shipped_tables(source + "\n// more\n") is None
    (tmp_path / "few.json").write_text("{")
    assert module.shipped_tables(source) is None


def test_tables_are_the_same_each_time() -> None:
    """Lark numbers its states otherwise in each process."""
    code = "from rulelang.language.syntax import grammar, lark_tables as t; "
    code += "print(t.tables_text(t.compile_tables(grammar.GRAMMAR.read_text())))"
    made = [
        subprocess.check_output([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in "12"
    ]
    assert made[0] == made[1]


def test_the_parser_reads_what_larks_own_reads() -> None:
    """Token by token: what can stand next, and the node in the end, in every declaration of the shipped games and in
    beginnings of them that go wrong."""
    ours, theirs = shared_grammar(), lark_of(GRAMMAR.read_text("utf-8"), Builder())
    chance, seen = random.Random(4), 0
    for name, text in examples().items():
        lines, _ = scan(text, Placement(name), ours.signs)
        for chunk in split_chunks(lines):
            lay_out(chunk, Diagnostics())
            one, other = ours.start("decl"), theirs.parse_interactive(start="decl")
            ended = False
            for at, token in enumerate([*chunk.tokens, Token(END, "", chunk.tokens[-1].span)]):
                if at % 5 == 0 and seen % 20 == 0:
                    assert one.accepts() == other.accepts()
                if chance.random() < 0.002:
                    token = chance.choice(chunk.tokens)
                took = feed(ours, one, [token], 0)
                try:
                    made = other.feed_token(token)
                except UnexpectedToken:
                    assert not took
                    ended = True
                    break
                assert took
            if not ended:
                assert one.node == made
            seen += 1
    assert seen > 300


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
    assert len(file.read_bytes()) > 30_000


@pytest.mark.usefixtures("none_ship")
def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert parses(monkeypatch, blocked / "below")
    (tmp_path / "grammar").write_text("no folder")
    assert parses(monkeypatch, tmp_path)


def test_lark_is_imported_for_making_tables_only() -> None:
    code = """import sys
from rulelang.base.source import Placement
from rulelang.language.syntax.parse import parse
_, found = parse('phase noon:\\n  offer one action to p\\nphase sneeze: 1 1\\n', Placement('t'))
print(found.failed, 'lark' in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_reading_is_fast() -> None:
    shared_grammar()
    text = examples()["evolved/game.rules"]
    best = min(_seconds(text) for _ in range(3))
    assert best < 0.06 * max(1.0, len(text.splitlines()) / 250)


def _seconds(text: str) -> float:
    start = time.process_time()
    parse(text, Placement("t"))
    return time.process_time() - start
