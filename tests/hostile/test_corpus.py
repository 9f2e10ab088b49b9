"""Every case of the corpus is answered by its diagnostic, within 2 s and 300 MB (`grow.py` beside this finds more)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.hostile.cases import Case, answer, original, read

CASES = [*read()]
#: Seconds of a processor that a case may take, on a machine that does much else beside it.
MOST = 2.0
#: A test each, as they take some 20 s of a processor together.
PARTS = 4


def judged(numbers: Sequence[int]) -> None:
    """Have these cases answered by a process of their own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.judge", *map(str, numbers)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [number for number, *_ in found] == [*numbers]
    wrong = [f"{CASES[number]}: {said}" for number, said, _ in found if said != CASES[number].answer]
    assert not wrong, wrong[:5]
    first, *others = found  # the first reads the compiler and the reef as well
    slow = [f"{CASES[number]}: {seconds:.1f} s" for number, _, seconds in others if seconds > MOST]
    assert not slow, slow
    assert first[2] < 5 * MOST


def test_there_are_many_of_all_kinds() -> None:
    assert len(CASES) >= 300
    assert len({(case.file, case.at, case.drop, case.put) for case in CASES}) == len(CASES)
    assert all(case.answer for case in CASES)
    assert all(case.change(original(case.file)) != original(case.file) for case in CASES)
    kinds = Counter(case.file.partition(":")[0].rpartition(".")[2] for case in CASES)
    assert {"yaml", "rules", "csv", "xlsx", "zip", "mod", "save", "replay"} <= kinds.keys()
    assert len({case.answer for case in CASES}) > 100


@pytest.mark.parametrize("part", range(PARTS))
def test_all_are_answered_as_they_should(part: int) -> None:
    judged(range(part, len(CASES), PARTS))


def test_what_is_not_changed_is_sound() -> None:
    for file in ("save", "replay", "mod:mod.yaml", "game.rules", "zip:"):
        assert answer(Case(file, 0, 0, "")) == ""
