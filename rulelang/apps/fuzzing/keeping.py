"""Findings as files: the smallest scenario, and the game as a replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulelang.apps.fuzzing.playing import Finding
from rulelang.apps.fuzzing.shrinking import Shrunk, shrunk
from rulelang.base.files import write_atomically
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.game import Game
from rulelang.testing.replay.writing import ReplayWriter
from rulelang.testing.scenarios.fixture import Fixture


def free(folder: Path) -> int:
    """The first number behind those of the findings that lie in a folder: what was found before is not written over."""
    numbers = [path.stem.removeprefix("finding-") for path in folder.glob("finding-*")]
    return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)


def keep(folder: Path, number: int, finding: Finding, game: Game, other: str = "") -> tuple[list[Path], Shrunk | None]:
    """Write a finding into a folder: the files, and the scenario, if it can be shown as one."""
    folder.mkdir(parents=True, exist_ok=True)
    setting = finding.setting
    replay = folder / f"finding-{number}.jsonl"
    _write_replay(replay, finding, game)
    fixture = Fixture(Compilation(setting.where, setting.mods, setting.mode))
    small = shrunk(fixture, finding, other)
    if small is None:
        return [replay], None
    scenario = folder / f"finding-{number}.yaml"
    text = "".join(f"# {line}".rstrip() + "\n" for line in _head(finding, small)) + small.scenario.text()
    write_atomically(scenario, text.encode())
    return [scenario, replay], small


def _head(finding: Finding, small: Shrunk) -> Iterator[str]:
    yield f"{small.wrong.kind}: {' '.join(small.wrong.what.split())}"
    yield (
        f"Found with {finding.players} players in {finding.setting}, seed {finding.seed}, after move "
        f"{len(finding.choices)}; minimized to {small.after} of {small.before} parts."
    )


def _write_replay(path: Path, finding: Finding, game: Game) -> None:
    """The whole game up to the move after which it is wrong."""
    state = game.start(game.table(finding.players, finding.options), finding.seed, log=False, invariants=False)
    with ReplayWriter(path, game.info) as writer:
        writer.begin(state)
        for number, choice in enumerate(finding.choices, 1):
            writer.move(state, choice)
            if number < len(finding.choices):
                state.play(choice)
