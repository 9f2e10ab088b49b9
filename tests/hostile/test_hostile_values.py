"""Each value of each YAML file of a game, replaced by values that nobody expects: told in the file, and soon.

All of them are more than four thousand files; a few in every run.
"""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fuzz.outcome import outcome
from tests.fuzzing.pool import FILES, pool

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 7, 10**12, 10**30, 1.5, float("inf"), float("nan"), "", " ", "x", "a b", "\x07", "\x1b[2J",
    "1..0", "0..99999999999", "self", "none", "[", "{x}", "player", "card", "9" * 400, [], [[]], ["x", "x"], [None], {},
    {"x": None}, {"x": {"x": {"x": 1}}}, {1: 2}, [1] * 300, "x" * 5000,
)  # fmt: skip

NAMES = ("ruleset.yaml", "things.yaml", "traits/shy.yaml", "scenarios/a.yaml")
SCENARIO = """\
- name: grazing
  given:
    {phase: feeding, turn: ana, state: {water: 3}, players: {ana: {hand: [shy 1], crab: [nip: [armed 2]]}, bob: [nob]}}
  when: [graze nip, {ana: pass}, grow nip armed: {refused: hand}]
  then: [nip.weight == 2, {log: nip eats}, {decision: ana}]
"""
TEXTS = {name: FILES.get(name, SCENARIO) for name in NAMES}


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


def replaced(name: str, path: tuple[Any, ...], odd: Any) -> str:
    """The text of a file with one value replaced."""
    whole = yaml.safe_load(TEXTS[name])
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = copy.deepcopy(odd)
    return yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)


CASES = [(name, path, odd) for name in NAMES for path in paths(yaml.safe_load(TEXTS[name])) for odd in range(len(ODD))]


def try_one(folder: Path, name: str, path: tuple[Any, ...], odd: int) -> None:
    pool(folder, sound=True)
    for own, text in TEXTS.items():
        (folder / own).parent.mkdir(exist_ok=True)
        (folder / own).write_text(replaced(own, path, ODD[odd]) if own == name else text, "utf-8")
    began = time.process_time()
    came = outcome(folder, decisions=3)
    took = time.process_time() - began
    told = f"{name}: {path} = {str(ODD[odd])[:60]!r}"
    assert came in ("mistakes", "rule error", "played"), told
    assert took < 5, f"{told}: {took:.1f} s"  # 2 s on a quiet machine


def test_there_are_many() -> None:
    assert len(CASES) > 4000


def test_values_that_nobody_expects(tmp_path: Path) -> None:
    chance = random.Random(8)
    for number, case in enumerate(chance.sample(CASES, 12)):
        try_one(tmp_path / f"g{number}", *case)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_all_values_that_nobody_expects(part: int, tmp_path: Path) -> None:
    for number, case in enumerate(CASES[part::8]):
        try_one(tmp_path / f"g{number}", *case)
