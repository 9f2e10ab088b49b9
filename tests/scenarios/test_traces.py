"""Scenarios that are not run again after an edit would come out as they did: traces of runs, held against runs from
nothing."""

from __future__ import annotations

import random
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rulelang.base.memo import Memo
from rulelang.testing.scenarios.rerun import IncrementalRun, TracingRunner
from rulelang.testing.scenarios.run import run_path
from rulelang.testing.scenarios.scenario import Outcome
from tests.fuzz.mutate import other_words
from tests.properties.games import ROOT

SMALL = {"pebbles": ROOT / "examples" / "pebbles", "guild": ROOT / "examples" / "guild"}
LARGE = ("origin_of_species", "evolution", "darwins_choice")


def said(outcome: Outcome) -> tuple[object, ...]:
    """All of an outcome, but for the way to what ran too long: without the passes that make rules faster, routines are
    named there that else are put in their callers' place."""
    failures = [
        replace(one, diagnostic=replace(one.diagnostic, because="")) if one.diagnostic is not None else one
        for one in outcome.failures
    ]
    return failures, outcome.mistakes, outcome.log


def edit(folder: Path, chance: random.Random) -> str:
    """Change the rules somewhere: a number, a sign or a name, a line less or twice, or lines that only move."""
    path = chance.choice(sorted([*folder.rglob("*.rules"), *folder.glob("traits/*.yaml")]))
    kind = chance.random()
    if kind < 0.5:
        other_words(path, chance)
        return f"words of {path.name}"
    lines = path.read_text("utf-8").split("\n")
    at = chance.randrange(len(lines))
    if kind < 0.65:
        numbers = [n for n, line in enumerate(lines) if re.search(r"\b\d\b", line.split("#")[0])]
        at = chance.choice(numbers or [at])
        lines[at] = re.sub(r"\b\d\b", lambda found: str(int(found[0]) + 1), lines[at], count=1)
    elif kind < 0.8:
        lines[at : at + 1] = []
    elif kind < 0.9:
        lines.insert(at, lines[at])
    else:
        lines.insert(0, "# a line more")
    path.write_text("\n".join(lines), "utf-8")
    return f"line {at + 1} of {path.name}"


def play(original: Path, home: Path, seed: int, count: int) -> tuple[int, int]:
    """Edit a copy again and again; each time what is run and what is spared comes out as from nothing. Gives how many
    runs were spared, and how many done, after edits that leave a ruleset to play."""
    folder = shutil.copytree(original, home / original.name)
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    chance = random.Random(seed)
    again = IncrementalRun(folder)
    assert again.run().report.ok
    spared = done = 0
    story: list[str] = []
    for _ in range(count):
        if chance.random() < 0.5:
            story.append("all as it was")
            for path, data in whole.items():
                if path.read_bytes() != data:
                    path.write_bytes(data)
        story.append(edit(folder, chance))
        mine = again.run()
        fresh = run_path(folder)
        rest = list(fresh.outcomes)  # two may have one name, which is a mistake: both are run
        assert mine.spared + len(mine.report.outcomes) == len(rest), story
        assert set(mine.report.mistakes) == set(fresh.mistakes), story
        for outcome in mine.report.outcomes:
            own = next(other for other in rest if other.scenario.id == outcome.scenario.id)
            assert said(outcome) == said(own), story
            rest.remove(own)
        assert all(outcome.passed and not outcome.mistakes for outcome in rest), story
        spared, done = spared + mine.spared, done + len(mine.report.outcomes)
    return spared, done


@pytest.mark.parametrize(("name", "count"), [("pebbles", 12), ("guild", 5)])
def test_after_random_edits(name: str, count: int, tmp_path: Path) -> None:
    spared, done = play(SMALL[name], tmp_path, 5, count)
    assert spared > 0
    assert spared + done > count // 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_after_many_random_edits(name: str, seed: int, tmp_path: Path) -> None:
    spared, done = play(SMALL.get(name) or ROOT / "rulesets" / name, tmp_path, 100 + seed, 30)
    assert min(spared, done) > 0


def test_a_change_of_a_value_concerns_those_who_asked_for_it(tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "rulesets" / "evolution", tmp_path / "evolution")
    for path in folder.glob("scenarios/*.yaml"):
        if path.stem != "feeding":
            path.unlink()
    again = IncrementalRun(folder, "^feeding")
    first = again.run()
    assert first.report.ok
    rules = folder / "game.rules"
    text = rules.read_text("utf-8")
    rules.write_text("# lines move\n\n" + text, "utf-8")
    moved = again.run()
    assert (len(moved.report.outcomes), moved.spared) == (0, len(first.report.outcomes))
    assert "value helping(species s, food kind, int n) -> int: n" in text
    changed = text.replace(
        "value helping(species s, food kind, int n) -> int: n",
        "value helping(species s, food kind, int n) -> int: n + 1",
    )
    rules.write_text(changed, "utf-8")
    some = again.run()
    assert 0 < len(some.report.outcomes) < some.spared + len(some.report.outcomes)
    assert some.report.failed
    rules.write_text(text, "utf-8")
    assert again.run().report.ok


def test_a_trace_is_the_same_alone_and_among_others() -> None:
    """Nothing that ran for one scenario is kept for the next, so that the next one's trace would lack it."""
    folder = ROOT / "examples" / "guild"

    def runner() -> TracingRunner:
        return TracingRunner(folder, (), None, backend="python", memo=Memo())

    among = runner()
    for scenario in among.scenarios[::4]:
        alone = runner()
        (same,) = [one for one in alone.scenarios if one.id == scenario.id]
        _, of_many = among.traced(scenario, among.scenarios)
        _, of_one = alone.traced(same, [same])
        assert of_many is not None
        assert of_one is not None
        assert of_many.functions == of_one.functions
