"""Hundreds of rulesets with something wrong in them: told as diagnostics, or played; nothing else comes of them."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.mutate import mutate
from tests.fuzz.outcome import outcome
from tests.properties.games import EXAMPLES, ROOT

#: What is changed: (folder, mods).
BASES = (
    (ROOT / "rulesets" / "evolution", ()),
    (EXAMPLES / "evolved", ()),
    (EXAMPLES / "origin_of_species", ()),
    (EXAMPLES / "darwins_choice", ()),
    (EXAMPLES / "darwins_choice", (EXAMPLES / "darwins_choice_colossal",)),
)
A_TEST = 10


def run(first: int, count: int, tmp_path: Path, play: float) -> Counter[str]:
    """Change and try rulesets; a share `play` of those that are right is played for a while, the others are loaded."""
    came: Counter[str] = Counter()
    for seed in range(first, first + count):
        where, mods = BASES[seed % len(BASES)]
        # Each in a folder of its own: outcomes are cached by place and content.
        folder = tmp_path / str(seed)
        copies = [shutil.copytree(path, folder / path.name) for path in (where, *mods)]
        chance = random.Random(seed)
        done = mutate(chance.choice(copies), chance)
        try:
            decisions = 10 if chance.random() < play else 0
            came[outcome(copies[0], copies[1:], decisions, seed)] += 1
        except Exception as error:
            error.add_note(f"seed {seed}: {done}")
            raise
        shutil.rmtree(folder)
    return came


@pytest.mark.parametrize("first", range(0, 160, A_TEST))
def test_changed_rulesets(first: int, tmp_path: Path) -> None:
    run(first, A_TEST, tmp_path, play=0.4)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_many_changed_rulesets(first: int, tmp_path: Path) -> None:
    came = run(first, 100, tmp_path, play=1)
    assert came["mistakes"], came
    assert came["played"], came
