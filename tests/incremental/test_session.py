"""The editing session that `make bench` replays: whatever is half typed, a check says what one from nothing says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks import editing
from benchmarks.many_cards import write_many_cards
from rulelang.tools.incremental import Incremental
from tests.incremental.sessions import again, from_nothing


def replay(folder: Path, steps: Iterator[editing.Step], every: int) -> int:
    """Hold every so many answers against one from nothing; how many were that."""
    session = Incremental(folder)
    session.check()
    count = 0
    for number, step in enumerate(steps):
        session.update(step.path, step.text)
        session.check()
        if number % every == 0 or not step.typed:
            count += 1
            scenarios = number % (4 * every) == 0 or not step.typed
            assert again(session, scenarios) == from_nothing(session, scenarios), f"keystroke {number}"
    assert session.check().diagnostics == session.scenarios().diagnostics == ()
    return count


def test_typing(tmp_path: Path) -> None:
    folder = shutil.copytree(editing.GAME, tmp_path / editing.GAME.name)
    assert replay(folder, editing.typing(folder), every=60) > 12


def test_a_cell(tmp_path: Path) -> None:
    write_many_cards(tmp_path, cards=300, edit=1)
    assert replay(tmp_path, editing.cell(tmp_path), every=2) > 3


@pytest.mark.slow
@pytest.mark.parametrize("steps", [editing.typing])
def test_every_keystroke(steps: Callable[[Path], Iterator[editing.Step]], tmp_path: Path) -> None:
    folder = shutil.copytree(editing.GAME, tmp_path / editing.GAME.name)
    replay(folder, steps(folder), every=1)
