"""Files that are too deep, too large, in circles or no text at all, through the whole check."""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.compiler.compilation import check
from tests.fuzz.bounded import Ran, run
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


def pipe(folder: Path) -> None:
    write(folder, GO)
    (folder / "game.rules").unlink()
    os.mkfifo(folder / "game.rules")


def pipe_that_nothing_reads(folder: Path) -> None:
    write(folder, GO)
    os.mkfifo(folder / "more.rules")


def pipe_as_manifest(folder: Path) -> None:
    write(folder, GO)
    (folder / "ruleset.yaml").unlink()
    os.mkfifo(folder / "ruleset.yaml")


def pipe_as_scenarios(folder: Path) -> None:
    write(folder, GO)
    (folder / "scenarios").mkdir()
    os.mkfifo(folder / "scenarios" / "a.yaml")


def pipe_alone(folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    os.mkfifo(folder)


def socket_file(folder: Path) -> None:
    write(folder, GO)
    (folder / "game.rules").unlink()
    os.mknod(folder / "game.rules", stat.S_IFSOCK | 0o600)


def folder_in_place(folder: Path) -> None:
    write(folder, GO)
    (folder / "game.rules").unlink()
    (folder / "game.rules").mkdir()


def links_in_a_circle(folder: Path) -> None:
    write(folder, GO)
    (folder / "game.rules").unlink()
    os.symlink("game.rules", folder / "game.rules")


def large(folder: Path) -> None:
    write(folder, GO)
    (folder / "game.rules").write_bytes(b"#" * 50_000_000)


def large_together(folder: Path) -> None:
    names = [f"r{number}.rules" for number in range(12)]
    write(folder, GO, manifest=MANIFEST.replace("game.rules]", f"game.rules, {', '.join(names)}]"))
    for name in names:
        (folder / name).write_bytes(b"#" * 7_000_000)


def crowded(folder: Path) -> None:
    write(folder, GO)
    for number in range(20_010):
        (folder / f"x{number}").touch()


def zipped(folder: Path, name: str, data: bytes, *, level: int = zipfile.ZIP_DEFLATED) -> Path:
    """The game as a zip in the place of the folder, with one file exchanged."""
    source = write(folder.with_name("source"), GO)
    with zipfile.ZipFile(folder, "w", level) as archive:
        for path in sorted(source.iterdir()):
            archive.writestr(path.name, data if path.name == name else path.read_bytes())
    return folder


def bomb(folder: Path) -> None:
    zipped(folder, "game.rules", b"#" * 100_000_000)


def bombs(folder: Path) -> None:
    names = [f"r{number}.rules" for number in range(12)]
    zipped(folder, "ruleset.yaml", MANIFEST.replace("game.rules]", f"game.rules, {', '.join(names)}]").encode())
    with zipfile.ZipFile(folder, "a", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, b"#" * 7_000_000)


def lying_zip(folder: Path) -> None:
    """A member that unpacks to more than it says."""
    data = zipped(folder, "game.rules", b"#" * 5_000_000).read_bytes()
    folder.write_bytes(data.replace((5_000_000).to_bytes(4, "little"), (50).to_bytes(4, "little")))


def torn_zip(folder: Path) -> None:
    data = bytearray(zipped(folder, "game.rules", GO.encode() * 300).read_bytes())
    at = data.find(b"game.rules") + 12
    data[at : at + 20] = bytes(range(200, 220))
    folder.write_bytes(bytes(data))


def locked_zip(folder: Path) -> None:
    """All members say that they are encrypted."""
    data = bytearray(zipped(folder, "", b"").read_bytes())
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(sign)
        while at >= 0:
            data[at + place] |= 1
            at = data.find(sign, at + 4)
    folder.write_bytes(bytes(data))


def crowded_zip(folder: Path) -> None:
    zipped(folder, "", b"")
    with zipfile.ZipFile(folder, "a") as archive:
        for number in range(21_000):
            archive.writestr(f"x{number}", b"")


#: A shape, and the codes that come of it, in order.
UNREADABLE: dict[Callable[[Path], None], list[str]] = {
    pipe: ["Y132"],
    pipe_that_nothing_reads: ["Y134"],
    pipe_as_manifest: ["Y132"],
    pipe_as_scenarios: ["Y132"],
    pipe_alone: ["Y130"],
    socket_file: ["Y132"],
    folder_in_place: ["Y132"],
    links_in_a_circle: ["Y132"],
    large: ["Y104"],
    large_together: ["Y107", "S220"],
    crowded: ["Y107"],
    bomb: ["Y104"],
    bombs: ["Y107", "S220"],
    lying_zip: ["Y132"],
    torn_zip: ["Y132"],
    locked_zip: ["Y132"],
    crowded_zip: ["Y107"],
}


def codes_of(ran: Ran) -> list[str]:
    return re.findall(r"^(?:error|warning)\[(\w+)\]", ran.out, re.MULTILINE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("shape", UNREADABLE, ids=lambda shape: shape.__name__)
def test_only_regular_files_of_bearable_size_are_read(shape: Callable[[Path], None], tmp_path: Path) -> None:
    """One mistake, told as such, in little time and memory; none of what follows from it."""
    shape(tmp_path / "tiny")
    ran = run(["check", "tiny"], tmp_path)
    assert sorted(codes_of(ran)) == sorted(UNREADABLE[shape]), ran.out
    assert ran.code in (1, 2)
    assert ran.seconds < 20  # most take 0.3 s, the largest 2


def test_the_true_size_is_told(tmp_path: Path) -> None:
    large(tmp_path / "tiny")
    assert "this file has 50,000,000 bytes" in run(["check", "tiny"], tmp_path).out


MONSTERS = {
    "arguments": (GO + f"value v -> int: max({', '.join(['1'] * 200_000)})\n", "S220"),
    "a sum": (GO + f"value v -> int: {' + '.join(['1'] * 200_000)}\n", "S220"),
    "members": (GO + f"value v -> int: total{'.a' * 300_000}\n", "S220"),
    "events": (GO + f"after {', '.join(['trouble'] * 100_000)}: total += 1\n", "S220"),
    "ifs": ("routine trouble:\n" + "  if total > 0: total += 1\n" * 100_000, "S220"),
    "brackets": (GO + f"value v -> int: {'(' * 400_000}1{')' * 400_000}\n", "S220"),
    "a name": (f"routine trouble: {'x' * 900_000} += 1\n", "N350"),
    "a line": (GO + "x" * 2_000_000, "S220"),
    "mistakes": (GO + "".join(f"routine r{n}: tota{n} += 1\n" for n in range(4000)), "N350"),
}


@pytest.mark.parametrize("name", MONSTERS)
def test_monsters_are_refused_soon(name: str, tmp_path: Path) -> None:
    rules, code = MONSTERS[name]
    write(tmp_path / "tiny", rules)
    ran = run(["check", "tiny"], tmp_path)
    assert set(codes_of(ran)) - {"Y108"} == {code}, ran.out[:2000]
    assert ran.seconds < 20  # 0.4 to 1.5 s on a quiet machine; what is quadratic takes minutes
    assert max(map(len, ran.out.split("\n"))) < 3000


BROKEN = {
    "things.yaml": (THINGS.replace("  card:\n    columns", "  card:\n   - x\n    columns"), "Y102"),
    "quote": (THINGS + "  text: 'no end\n", "Y102"),
    "two separators": ("id;n,m\nx;1,2\ny;2,2\n", "Y170"),
    "an open quote": ('id,n\nx,"1\ny,2\n', "Y113"),
    "cp1252": ("id,n\ncaf\u00e9,1\n".encode("cp1252"), "Y101"),
    "utf-16": ("id,n\nx,1\n".encode("utf-16"), "Y101"),
    "utf-16 without a mark": ("id,n\nx,1\n".encode("utf-16-le"), "Y101"),
    "nothing": ("", "Y110"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_read_is_one_mistake(name: str, tmp_path: Path) -> None:
    """What follows from it, in all that names what stands there, is not told."""
    content, code = BROKEN[name]
    folder = tmp_path / "tiny"
    use = GO + "value worth(card c) -> int: c.cost + count(beast b where b.n > 0)\n"
    if code == "Y102":
        write(folder, use, things=str(content))
    else:
        things = THINGS.replace("kinds:", "  beast: {from: beasts.csv, columns: {n: int}}\nkinds:")
        write(folder, use, things=things, manifest=MANIFEST.replace("game.rules]", "game.rules, beasts.csv]"))
        data = content if isinstance(content, bytes) else content.encode()
        (folder / "beasts.csv").write_bytes(data)
    _, found = check(folder)
    assert [item.code for item in found.sorted()] == [code]


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
