"""Properties of whole small rulesets as they come: the compiler is tested, and not only the shipped games."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulelang
from rulelang.base.errors import RuleError
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.language.syntax.format import format_text
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from tests.backends.named import HERE
from tests.fuzz.mutate import mutate
from tests.fuzz.outcome import in_time, outcome
from tests.generated.rulesets import Files, rulesets, written
from tests.reference.lockstep import followed

DECISIONS, TABLES = 12, (2, 3)
needs_another = pytest.mark.skipif(len(HERE) < 2, reason="neither a compiler of C nor Node is here to compare with")


@contextmanager
def folder_of(files: Files) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rulelang-made-") as folder:
        yield written(files, Path(folder))


def sound(where: Path) -> Compilation | None:
    """Its compilation; None where something is wrong with it (a few of those that come are mistaken)."""
    compilation = Compilation(where)
    return None if compilation.checked.diagnostics and compilation.diagnostics.failed else compilation


def play(game: Game, seed: int) -> None:
    """Random games, until the rules fail or enough has been seen."""
    for players in TABLES:
        chance = random.Random(seed)
        try:
            state = game.new(players=players, seed=seed)
            for _ in range(DECISIONS):
                if state.over:
                    break
                state.play(chance.randrange(len(state.decision.options)))
        except RuleError:
            pass  # a number that grows too large, a name of a rule too deep: both have to say so


# ---- what checks plays as the reference says


def agrees(files: Files, seed: int) -> None:
    with folder_of(files) as where:
        compilation = sound(where)
        if compilation is not None:
            play(followed(rulelang.load(where), compilation), seed)


@settings(max_examples=3)
@given(rulesets(), st.integers(0, 99))
def test_what_checks_plays_as_the_reference_says(files: Files, seed: int) -> None:
    agrees(files, seed)


@pytest.mark.slow
@settings(max_examples=300)
@given(rulesets(), st.integers(0, 99))
def test_much_that_checks_plays_as_the_reference_says(files: Files, seed: int) -> None:
    agrees(files, seed)


# ---- on every backend


def texts(state: State) -> list[str]:
    return [option.text for option in state.decision.options]


def alike(files: Files, seed: int) -> None:
    """A game on every backend: the same words and options at each decision, or the same mistake at the same one."""
    with folder_of(files) as where:
        if sound(where) is None:
            return
        game, chance = rulelang.load(where), random.Random(seed)
        told: dict[str, str] = {}
        states = []
        for backend in HERE:
            try:
                states.append(game.new(players=2, seed=seed, backend=backend))
            except RuleError as error:
                told[backend] = error.diagnostic.code
        for _ in range(DECISIONS):
            if told or states[0].over:
                break
            number = chance.randrange(len(states[0].decision.options))
            for state, backend in zip(states, HERE, strict=True):
                try:
                    state.play(number)
                except RuleError as error:
                    told[backend] = error.diagnostic.code
            if told:
                break
            first, *others = states
            for other in others:
                assert list(first.words) == list(other.words)
                assert first.over == other.over
                assert first.over or texts(first) == texts(other)
        assert len(told) in (0, len(HERE))
        assert len(set(told.values())) < 2


@needs_another
@settings(max_examples=2)
@given(rulesets(), st.integers(0, 99))
def test_all_backends_go_through_the_same_words(files: Files, seed: int) -> None:
    alike(files, seed)


@pytest.mark.slow
@needs_another
@settings(max_examples=60)
@given(rulesets(), st.integers(0, 99))
def test_all_backends_go_through_the_same_words_in_many(files: Files, seed: int) -> None:
    alike(files, seed)


# ---- the checker, and the formatter


def broken(files: Files, seed: int) -> None:
    """Whatever is done to the files, there are diagnostics, or a game that can be played."""
    with folder_of(files) as where, in_time(60):
        mutate(where, random.Random(seed))
        outcome(where, decisions=3)


@settings(max_examples=5)
@given(rulesets(), st.integers(0, 10_000))
def test_the_checker_never_crashes(files: Files, seed: int) -> None:
    broken(files, seed)


@pytest.mark.slow
@settings(max_examples=500)
@given(rulesets(), st.integers(0, 10_000))
def test_the_checker_never_crashes_whatever_comes(files: Files, seed: int) -> None:
    broken(files, seed)


def said(node: Any) -> Any:
    """A piece of typed tree without the places where it stands."""
    if isinstance(node, Span):
        return None
    if is_dataclass(node):
        return type(node).__name__, *(said(getattr(node, f.name)) for f in fields(node))
    if isinstance(node, dict):
        return [(key, said(value)) for key, value in node.items()]
    return [said(item) for item in node] if isinstance(node, tuple | list) else node


def keeps_meaning(files: Files) -> None:
    with folder_of(files) as where:
        before = sound(where)
        if before is None:
            return
        meant = said(before.program)
        tidy = format_text(files["made.rules"])
        assert format_text(tidy) == tidy
        (where / "made.rules").write_text(tidy, encoding="utf-8")
        after = sound(where)
        assert after is not None
        assert said(after.program) == meant


@settings(max_examples=3)
@given(rulesets())
def test_the_formatter_keeps_meaning(files: Files) -> None:
    keeps_meaning(files)


@pytest.mark.slow
@settings(max_examples=300)
@given(rulesets())
def test_the_formatter_keeps_meaning_of_much(files: Files) -> None:
    keeps_meaning(files)


# ---- the generator


def test_most_of_what_comes_is_sound() -> None:
    """Or the properties would say nothing."""
    good: list[bool] = []

    @settings(max_examples=8)
    @given(rulesets())
    def one(files: Files) -> None:
        with folder_of(files) as where:
            good.append(sound(where) is not None)

    one()
    assert sum(good) >= 0.7 * len(good)
