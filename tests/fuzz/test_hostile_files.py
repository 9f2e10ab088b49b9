"""Files that are too deep, too large, in circles or no text at all, through the whole check."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.compile import check
from tests.fuzz.outcome import in_time, outcome
from tests.fuzz.tiny import MANIFEST, THINGS, write

GO = "routine trouble: nothing\n"
MOD = "id: {id}\nversion: 1.0.0\nlanguage: 1\ntitle: A mod\nextends: {{{base}: '>=1.0'}}\nfiles: [{file}]\n"


def deep_brackets(folder: Path) -> None:
    write(folder, GO + f"value v -> int: {'(' * 3000}1{')' * 3000}\n")


def deep_sum(folder: Path) -> None:
    write(folder, GO + f"value v -> int: {' + '.join(['total'] * 5000)}\n")


def deep_not(folder: Path) -> None:
    write(folder, GO + f"value v -> bool: {'not ' * 4000}true\n")


def deep_blocks(folder: Path) -> None:
    lines = [" " * (2 + depth) + "if total > 0:" for depth in range(400)]
    write(folder, "\n".join(["routine trouble:", *lines, " " * 500 + "nothing"]))


def long_elif(folder: Path) -> None:
    branches = "".join(f"  elif total == {number}: total = 1\n" for number in range(2000))
    write(folder, f"routine trouble:\n  if total == 0: nothing\n{branches}")


def many_routines(folder: Path) -> None:
    write(folder, GO + "".join(f"routine r{number}: total += {number}\n" for number in range(500)))


def many_hooks(folder: Path) -> None:
    write(folder, GO + "".join(f"after trouble when total > {n}: total += 1\n" for n in range(60)))


def one_long_line(folder: Path) -> None:
    write(folder, GO + "#" + "x" * 3_000_000)


def only_brackets(folder: Path) -> None:
    write(folder, GO + "(" * 50_000)


def deep_yaml(folder: Path) -> None:
    write(folder, GO, things=THINGS + "numbers: " + "[" * 20_000 + "]" * 20_000 + "\n")


def deep_indented_yaml(folder: Path) -> None:
    write(folder, GO, things=THINGS + "numbers:\n" + "".join(" " * n + "a:\n" for n in range(1, 1500)))


def laughs(folder: Path) -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    write(folder, GO, things=bomb + THINGS)


def many_cards(folder: Path) -> None:
    write(folder, GO, things=THINGS.replace("copies: 8", "copies: 100000000"))


def many_things(folder: Path) -> None:
    write(folder, GO, things=THINGS.replace("at_most: 4", "at_most: 2000000000"))


def wide_table(folder: Path) -> None:
    write(folder, GO, things=THINGS + "tables:\n  wide: {of: [card, card, card, card, card, card], is: 0..9}\n")


def utf16(folder: Path) -> None:
    write(folder, GO)
    (folder / "game.rules").write_bytes((folder / "game.rules").read_text("utf-8").encode("utf-16"))


def latin(folder: Path) -> None:
    write(folder, GO)
    (folder / "things.yaml").write_bytes(THINGS.encode() + "# caf\u00e9\n".encode("latin-1"))


def zeros(folder: Path) -> None:
    write(folder, GO)
    (folder / "game.rules").write_bytes(bytes(100_000))


def itself_as_file(folder: Path) -> None:
    write(folder, GO, manifest=MANIFEST.replace("[things.yaml", "[ruleset.yaml, ./things.yaml, things.yaml"))


def outside(folder: Path) -> None:
    write(folder, GO, manifest=MANIFEST.replace("[things.yaml", "[../things.yaml, /etc/passwd, things.yaml"))


def link_to_itself(folder: Path) -> None:
    write(folder, GO)
    os.symlink(folder, folder / "again")
    os.symlink("loop.rules", folder / "loop.rules")


def folder_as_file(folder: Path) -> None:
    write(folder, GO)
    (folder / "things.yaml").unlink()
    (folder / "things.yaml").mkdir()


def two_games(folder: Path) -> None:
    write(folder, GO + (folder / "game.rules").read_text("utf-8") if folder.exists() else GO + "game: nothing\n")


SHAPES: list[Callable[[Path], None]] = [
    deep_brackets, deep_sum, deep_not, deep_blocks, many_routines, many_hooks, one_long_line, only_brackets,
    deep_yaml, deep_indented_yaml, laughs, many_cards, many_things, utf16, latin, zeros, itself_as_file,
    outside, link_to_itself, folder_as_file, two_games,
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_files_of_any_shape(shape: Callable[[Path], None], tmp_path: Path) -> None:
    shape(tmp_path / "tiny")
    with in_time(30):
        assert outcome(tmp_path / "tiny", decisions=4) in ("mistakes", "rule error", "played")


@pytest.mark.parametrize("shape", [long_elif, wide_table], ids=lambda shape: shape.__name__)
def test_files_that_are_too_much(shape: Callable[[Path], None], tmp_path: Path) -> None:
    shape(tmp_path / "tiny")
    with in_time(10):
        assert outcome(tmp_path / "tiny", decisions=4) in ("mistakes", "rule error", "played")


def test_mods_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path / "tiny", GO)
    for own, base in (("one", "two"), ("two", "three"), ("three", "one")):
        folder = tmp_path / own
        folder.mkdir()
        (folder / "mod.yaml").write_text(MOD.format(id=own, base=base, file="x.rules"), "utf-8")
        (folder / "x.rules").write_text("after trouble: total += 1\n", "utf-8")
    _, found = check(tmp_path / "tiny", [tmp_path / "one", tmp_path / "two", tmp_path / "three"])
    assert found.failed
    (tmp_path / "one" / "mod.yaml").write_text(MOD.format(id="one", base="one", file="x.rules"), "utf-8")
    _, found = check(tmp_path / "tiny", [tmp_path / "one"])
    assert found.failed
