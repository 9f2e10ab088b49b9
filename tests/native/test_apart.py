"""Libraries made of pieces that were compiled before: they play as others do, and little is compiled after a change."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulelang
from rulelang.api import load
from rulelang.base.errors import BuildError, RuleError
from rulelang.compiler.backends.native import build
from rulelang.compiler.backends.native.build import Pieces, library_path, split_into_pieces
from rulelang.compiler.backends.native.emit import emit
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import shipped_rulesets_dir
from rulelang.runtime.rng import game_seed
from rulelang.runtime.table import choose_options
from tests.native import test_same_games as same
from tests.native.machine import needs_compiler

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(os.name != "posix" or os.uname().sysname != "Linux", reason="only GNU's linkers are asked"),
]
QUICK = ("darwins_choice",)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(build.APART_VARIABLE, "1")
    same.programs.cache_clear()
    yield
    same.programs.cache_clear()


@pytest.fixture
def home(tmp_path: Path, root: Path) -> Path:
    return Path(shutil.copytree(root / "examples" / "pebbles", tmp_path / "pebbles"))


def objects(tmp_path: Path) -> dict[str, list[str]]:
    """By object, the pieces in it."""
    folder = tmp_path / "cache" / "native" / build.PIECES_FOLDER
    return {path.stem: path.read_text().split() for path in folder.glob("*.names")}


def change(home: Path, old: str, new: str, file: str = "game.rules") -> None:
    path = home / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def both(home: Path) -> None:
    """Games of both backends, log and all."""
    game = load(str(home))
    for seed in range(3):
        one, other = (game.new(2, seed=seed, backend=backend) for backend in ("native", "python"))
        while not one.over:
            assert list(one.keys) == list(other.keys)
            choice = game_seed(seed, one.decisions) % one.option_count
            one.play(choice)
            other.play(choice)
        assert other.over
        assert one.hash() == other.hash()
        assert [str(entry) for entry in one.log] == [str(entry) for entry in other.log]


@pytest.mark.parametrize(
    "ruleset", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in same.RULESETS]
)
def test_the_same_games(ruleset: str, tmp_path: Path) -> None:
    same.same_playouts(ruleset, [game_seed(5, i) for i in range(10)])
    same.same_decisions(ruleset, range(2), asked=50)
    assert len(objects(tmp_path)) >= 3


def test_after_a_change_little_is_compiled(home: Path, tmp_path: Path) -> None:
    both(home)
    first = objects(tmp_path)
    change(home, "pile -= n", "pile -= max(n, 1)")
    both(home)
    second = objects(tmp_path)
    new = {piece.partition("__")[0] for names in second.keys() - first.keys() for piece in second[names]}
    assert new
    assert all("take" in piece or "taking" in piece or piece in ("tables", "rest") for piece in new), new
    change(home, "pile -= max(n, 1)", "pile -= n  # as before")
    both(home)
    assert objects(tmp_path) == second


def test_numbers_that_shift_are_those_of_the_new_text(home: Path, tmp_path: Path) -> None:
    """A line of the log and an error come before others, whose pieces are kept."""
    change(home, "took: {is: number", "took: {is: 0..12", "things.yaml")
    change(home, "action take", "routine cheer(player p): p.took += max(1 - pile, 0)\n\naction take")
    change(home, "once each: offer one", "once each:\n    cheer(p)\n    offer one")
    both(home)
    before = {piece for names in objects(tmp_path).values() for piece in names if "do_take" in piece}
    assert before
    cheer = 'cheer(player p):\n  p.took += max(2 - pile, 0)\n  tells "{p} cheers"\n  '
    change(home, "cheer(player p): ", cheer)
    both(home)
    assert {piece for names in objects(tmp_path).values() for piece in names if "do_take" in piece} == before
    change(home, "took: {is: 0..12", "took: {is: 0..3", "things.yaml")
    game = load(str(home))
    errors = []
    for backend in ("native", "python"):
        with pytest.raises(RuleError) as found:
            game.simulate(20, 2, seed=3, backend=backend)
        errors.append((found.value.diagnostic.code, found.value.diagnostic.message, found.value.diagnostic.span))
    assert errors[0] == errors[1]


def text_of(home: Path, players: int = 4) -> Pieces:
    compilation = Compilation(str(home))
    module = compilation.ready(players, choose_options(compilation.summary.options, players, None))
    found = split_into_pieces(emit(module).source, "cc")
    assert found is not None
    return found


def test_of_a_large_game_few_pieces_change(tmp_path: Path) -> None:
    """A number, a condition, lines before others, a routine: what else is printed does not depend on them."""
    home = Path(shutil.copytree(shipped_rulesets_dir() / "darwins_choice", tmp_path / "darwins_choice"))
    before = {piece.name for piece in text_of(home).functions.values()}
    for old, new, few in (
        ("modify plants_on: at least 0", "modify plants_on: at least 1", 10),
        ("value hunger", "# a note\n\nvalue hunger", 0),
        ("-> bool: able(c)", "-> bool: able(c) and hunger(c) < 40", 40),
        ("routine clear_food:\n", "routine help_out(creature c): c.plants = 0\nroutine clear_food:\n", 40),
    ):
        change(home, old, new, "food.rules")
        found = {piece.name for piece in text_of(home).functions.values()}
        assert len(found - before) <= few, new
        assert len(found) > 300
        before = found


def test_a_compiler_that_cannot_do_it_makes_the_whole(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *names.ld*) exit 1;; esac\nexec cc "$@"\n', encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("RULELANG_CC", str(compiler))
    both(home)


@pytest.mark.parametrize("failing", ["*", "*-c*"])
def test_what_fails_is_told_as_of_the_whole(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    compiler = tmp_path / "cc"
    said = 'echo "rules.c:7:1: error: too clever" >&2; exit 1'
    compiler.write_text(f'#!/bin/sh\ncase "$*" in {failing}) {said};; esac\nexec cc "$@"\n', encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("RULELANG_CC", str(compiler))
    if failing == "*":
        with pytest.raises(rulelang.BuildError, match=r"cc failed: rules.c:7:1: error: too clever$"):
            load(str(home)).new(2, backend="native")
    else:
        both(home)
    assert not objects(tmp_path)


def test_no_half_of_an_object_is_used(home: Path, tmp_path: Path) -> None:
    """A process that ends while it writes leaves an object without its list, which does not count."""
    both(home)
    folder = tmp_path / "cache" / "native" / build.PIECES_FOLDER
    for path in folder.glob("*.o"):
        path.write_bytes(path.read_bytes()[:100])
        path.with_suffix(".names").unlink()
    change(home, "pile -= n", "pile -= max(n, 1)")
    both(home)
    assert {path.suffix for path in folder.iterdir()} == {".o", ".names"}


def test_what_others_may_have_written_is_made_anew(home: Path, tmp_path: Path) -> None:
    both(home)
    folder = tmp_path / "cache" / "native" / build.PIECES_FOLDER
    for path in folder.glob("*.o"):
        path.write_bytes(b"something else")
        path.chmod(0o622)
    change(home, "pile -= n", "pile -= max(n, 1)")
    both(home)


def test_what_is_kept_is_bounded(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MOST_OBJECTS", 4)
    for number in range(2, 8):
        change(home, "pile -= ", "pile -= 0 + ")
        both(home)
        assert len(objects(tmp_path)) <= 4, number
    folder = tmp_path / "cache" / "native" / build.PIECES_FOLDER
    assert len(list(folder.iterdir())) <= 8


def test_other_texts_are_compiled_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "native"
    assert split_into_pieces("int rl_least(void) { return 0; }\n", "cc") is None
    assert library_path("int rl_least(void);\nint rl_least(void) { return 0; }\n", folder).is_file()
    with pytest.raises(BuildError):
        library_path("int rl_least(void) {\n", folder)
