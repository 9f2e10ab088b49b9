"""In random stacks of mods, removing the mod that `why` and `diff` name last changes the rule or value."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.tools.modding.conflicts import find_conflicts
from rulelang.tools.modding.difference import find_differences
from rulelang.tools.modding.facts import data_facts, rule_facts
from rulelang.tools.modding.why import origin_stories
from tests.modding.test_why_and_conflicts import HEAD
from tests.semantics.check_pond import FILES
from tests.spec.pages import write

LOST = "(lost"
#: Rules and data of a mod; `{n}` is a number of its own, so that no two mods do the same.
PARTS = [
    ("replace feeding:\n  water = {n}\n  turns p from start once each: offer one action to p\n", ""),
    ("replace phase feeding:\n  turns p from start once each: offer one action to p or pass\n  water += {n}\n", ""),
    ("replace feeding.turns:\n  water = {n}\n  turns p from start once each: offer one action to p\n", ""),
    ("insert before feeding.turns: water = {n}\n", ""),
    ("insert after feeding.turns: water = {n}\n", ""),
    ("replace routine eat(fish f, food kind, int n):\n  require hunger(f) > 0\n  f.weight = {n}\n", ""),
    ("insert after eat.require: f.weight = {n}\n", ""),
    ("", "set:\n  numbers.limit: {n}\n"),
    ("", "add:\n  numbers.limit: {n}\n"),
]


def lay_out(folder: Path, name: str, before: Sequence[str], part: tuple[str, str], number: int) -> None:
    """Write a mod that comes after those before it."""
    files = {file: text.format(n=number) for file, text in zip(("a.rules", "a.yaml"), part, strict=True) if text}
    after = f"after: [{', '.join(before)}]\n"
    write(folder / name, {**files, "mod.yaml": HEAD.format(name, "pond", after, ", ".join(files))})


def texts(one: Compilation) -> dict[tuple[str, str], str]:
    return {(fact.section, fact.name): fact.text for fact in (*data_facts(one), *rule_facts(one))}


def credited(one: Compilation, name: str) -> str:
    """The mod of the last change that `why` shows as in force; empty if it names the game."""
    (story,) = origin_stories(one, name)
    hands = [hand for hand in story.hands if LOST not in hand.verb]
    return hands[-1].by.split()[0].replace("pond", "")


NAMES = {"feeding": ("phase", "feeding"), "eat": ("routine", "eat"), "limit": ("numbers", "limit")}


@pytest.mark.parametrize("seed", range(14))
def test_the_mod_that_is_named_makes_the_difference(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    write(tmp_path / "pond", FILES)
    monkeypatch.chdir(tmp_path)
    mods = [f"m{k}" for k in range(rng.randint(2, 4))]
    for k, name in enumerate(mods):
        lay_out(tmp_path, name, mods[:k], rng.choice(PARTS), 10 ** (k + 1))
    whole = Compilation("pond", mods)
    assert not whole.diagnostics.failed, [d.message for d in whole.diagnostics]
    bare = Compilation("pond", [])
    told = {item.name: item.after.by.split()[0] for item in find_differences(bare, whole) if item.after is not None}
    for name, key in NAMES.items():
        mod = credited(whole, name)
        if not mod:
            assert texts(whole)[key] == texts(bare)[key]
            continue
        without = Compilation("pond", [other for other in mods if other != mod])
        assert texts(whole)[key] != texts(without)[key], (name, mod)
        assert told.get(name, mod) == mod, f"`diff` and `why` name the same mod for {name}"


@pytest.mark.parametrize(("first", "second"), itertools.permutations(PARTS[:4], 2))
def test_what_a_later_mod_replaces_is_a_conflict(
    first: tuple[str, str], second: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "pond", FILES)
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, "one", [], first, 11)
    lay_out(tmp_path, "two", ["one"], second, 12)
    both = Compilation("pond", ["one", "two"])
    assert not both.diagnostics.failed, [d.message for d in both.diagnostics]
    kept = "11" in texts(both)["phase", "feeding"]
    notes = [item for item in find_conflicts(both) if item.what == "rule"]
    if not kept:
        (note,) = notes
        assert {party.mod for party in note.parties} == {"one", "two"}
        assert note.last == "two"
