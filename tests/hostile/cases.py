"""Hostile cases: one change to one file of the reef, and what is answered to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rulelang.api import load
from rulelang.base.terminal import draw_frame
from rulelang.compiler.compilation import Compilation, LoadError, check
from rulelang.data.folders import Unreadable
from rulelang.runtime.game import Game
from rulelang.runtime.state import SaveError
from rulelang.testing.replay import find_divergence, parse_replay
from rulelang.testing.replay_writer import record_series
from rulelang.testing.scenarios.run import run_path
from rulelang.tools.i18n import check_catalogue, game_work
from tests.hostile import base

#: Where a case is: the file; `zip:` the whole game packed; `xlsx:NAME` a member of the workbook; `mod:NAME` a file of
#: the mod; `save`, `save:NAME` that behind a member's name, where it is whatever stands before it; `replay`.
CORPUS = Path(__file__).parent / "corpus.jsonl"


@dataclass(frozen=True, slots=True)
class Case:
    """At this byte of `file`, or of a part of it, so many are dropped, and `put` (in Latin-1, so that any bytes can be
    written) comes there. `answer`: codes, or the words of an error with numbers and quotations left out."""

    file: str
    at: int
    drop: int
    put: str
    answer: str = ""

    def change(self, data: bytes) -> bytes:
        kind, _, name = self.file.partition(":")
        at = self.at + (data.index(f'"{name}":'.encode()) if kind == "save" and name else 0)
        return data[:at] + self.put.encode("latin-1") + data[at + self.drop :]


def read() -> Iterator[Case]:
    for line in CORPUS.read_text("utf-8").splitlines():
        yield Case(*json.loads(line))


def original(file: str) -> bytes:
    """What is changed."""
    kind, _, name = file.partition(":")
    match kind:
        case "save":
            return games()[1]
        case "replay":
            return games()[2]
        case "zip":
            return base.zipped({name: data for name, data in reef().items() if name != "scenarios/a.yaml"})
        case "xlsx":
            return base.pearls()[name]
        case "mod":
            return base.MOD[name].encode()
    return reef()[file]


@cache
def reef() -> dict[str, bytes]:
    return {name: text.encode() for name, text in base.FILES.items()} | {"pearls.xlsx": base.zipped(base.pearls())}


@cache
def games() -> tuple[Game, bytes, bytes]:
    """The reef, a saved game and a replay of it."""
    with TemporaryDirectory() as folder:
        _lay(Path(folder) / "reef", reef())
        game = load(Path(folder) / "reef")
        state = game.new(2, 3)
        for _ in range(6):
            state.play(0)
        record_series(game, Path(folder) / "g.jsonl", 1, 2, seed=3)
        lines = (Path(folder) / "g.jsonl").read_bytes().split(b"\n")
        return game, state.save(), b"\n".join(lines[:12]) + b"\n"


def _lay(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def answer(case: Case) -> str:
    """What is said to a case; "" for nothing. Whatever else comes of it is raised: a mistake of ours."""
    data = case.change(original(case.file))
    kind, _, name = case.file.partition(":")
    if kind == "save":
        try:
            games()[0].restore(data)
        except SaveError as error:
            return _plain(error)
        return ""
    if kind == "replay":
        try:
            found = [
                find_divergence(games()[0], one, same=same)
                for one in parse_replay(data).games
                for same in (True, False)
            ]
        except SaveError as error:
            return _plain(error)
        return next((_plain(one.what) for one in found if one is not None), "")
    with TemporaryDirectory() as folder:
        home, files = Path(folder) / "reef", dict(reef())
        if kind == "zip":
            home = Path(folder) / "reef.zip"
            home.write_bytes(data)
        elif kind == "mod":
            _lay(home, files)
            mod = _lay(Path(folder) / "silt", {n: t.encode() for n, t in base.MOD.items()} | {name: data})
            return _checked(home, mod)
        elif kind == "xlsx":
            _lay(home, files | {"pearls.xlsx": base.zipped(base.pearls() | {name: data})})
        else:
            _lay(home, files | {case.file: data})
            if case.file.startswith("lang/"):
                return _translated(home, Path(case.file).stem)
        return _checked(home)


def _translated(home: Path, code: str) -> str:
    """What is said of a catalogue."""
    try:
        return " ".join(sorted({item.code for item in check_catalogue(game_work(Compilation(home), code))}))
    except LoadError as error:  # the catalogue itself keeps the game from being read
        return " ".join(sorted({item.code for item in error.diagnostics}))
    except Unreadable as error:
        return _plain(error).replace(str(home), "")


def _checked(home: Path, *mods: Path) -> str:
    compilation, found = check(home, mods)
    codes = {item.code for item in found}
    assert all(item.message and draw_frame(item, compilation.checked.sources) for item in found)
    if not found.failed and not mods and home.is_dir():
        report = run_path(home)
        assert not codes or report.outcomes or report.mistakes
        codes.update(item.code for one in report.outcomes for item in one.mistakes)
        codes.update(item.code for item in report.mistakes)
    return " ".join(sorted(codes))


def _plain(words: object) -> str:
    """Words without what is quoted in them, and without numbers."""
    return re.sub(r"\d+", "#", re.sub(r"`[^`]*`|\"[^\"]*\"|'[^']*'", "`#`", str(words)))[:80]
