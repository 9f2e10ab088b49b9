"""The logs of whole rounds of each shipped game, as people read them at 80 columns. Read aloud what changes here.

`UPDATE_GOLDEN=1 pytest tests/log` writes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulelang.base.terminal import fold_line
from rulelang.presentation.story import Story
from tests.log.games import NAMES, game, positions

GOLDEN = Path(__file__).parent / "golden"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
COLUMNS = 80
#: By name of the file: agents, seed, rounds, and whether all is told.
KINDS = {"random": ("random", 4, 3, False), "ahead": ("ahead", 9, 2, False), "full": ("random", 4, 1, True)}


def told(name: str, kind: str) -> Iterator[str]:
    agent, seed, rounds, full = KINDS[kind]
    story = Story(full=full, waits=True)
    yield f"{game(name).title}, 3 players, {agent} agents, seed {seed}, {rounds} rounds{', in full' * full}"
    for state in positions(name, 3, seed, agent):
        if state.round > rounds:
            return
        for line in story.news(state):
            yield from fold_line(line, COLUMNS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_the_log_reads_as_it_did(name: str, kind: str) -> None:
    file = GOLDEN / f"{name}-{kind}.txt"
    lines = list(told(name, kind))
    assert all(len(line) <= COLUMNS for line in lines[1:])
    text = "\n".join(lines) + "\n"
    if UPDATE:
        file.write_text(text, encoding="utf-8")
    assert file.exists(), "UPDATE_GOLDEN=1 writes it"
    assert text == file.read_text(encoding="utf-8")
