"""Games that look for mistakes inside of the library: what it tests of a position is what Python tests, and planted
mistakes are found."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rulelang.api import load
from rulelang.apps.fuzzing.inside import PROVING, Proving
from rulelang.apps.fuzzing.playing import Wrong
from rulelang.compiler.backends.native.build import library_path, text_for
from rulelang.compiler.backends.native.emit import emit
from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.running import MOST_DECISIONS, watching_limits
from rulelang.runtime.table import choose_options
from rulelang.runtime.validate_state import InvalidState, check_values, check_words
from tests.fuzzing.pool import pool
from tests.native.machine import needs_compiler

pytestmark = needs_compiler


@pytest.fixture(scope="module")
def sound_pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pool(tmp_path_factory.mktemp("proved") / "pool", sound=True)


def positions(program: Any, table: Any, chance: random.Random, number: int) -> list[list[int]]:
    """Words of random games, on the way."""
    found: list[list[int]] = []
    while len(found) < number:
        words = program.initial
        table.seed_game(words, chance.randrange(1000))
        keys = program.begin(words, None)
        while keys is not None and len(found) < number:
            if chance.random() < 0.1:
                found.append(words[:])
            keys = program.resume(words, None, chance.choice(keys))
    return found


def says(program: Any, words: list[int]) -> bool:
    """What Python says of words."""
    try:
        check_words(program.layout, words)
        check_values(program.layout, words)
    except InvalidState:
        return False
    return True


def compare(where: str, players: int, number: int) -> None:
    table = load(where).table(players, {}, PROVING)
    program: Any = table.program
    proving = Proving(program)
    chance, layout = random.Random(4), program.layout
    refused = 0
    queue = layout.queue
    queued = range(queue.count, queue.count + 1 + queue.room * queue.width) if queue else range(0)
    for words in positions(program, table, chance, number):
        assert proving.sound(words)
        for _ in range(20):
            other, at = words[:], chance.randrange(1, layout.stack)
            if at in queued:  # what waits there is tested by its kinds in Python alone
                continue
            other[at] = chance.choice((0, 1, 2, other[at] + 1, other[at] - 1, chance.randrange(-3, 400), other[at - 1]))
            assert proving.sound(other) == says(program, other), (at, words[at], other[at])
            assert proving.sound_after(words, other) == says(program, other), (at, words[at], other[at])
            refused += not says(program, other)
    assert refused >= number, "altered words hardly ever show"


def test_positions_are_sound_or_not_as_python_says(sound_pool: Path) -> None:
    compare(str(sound_pool), 3, 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"),
    [("evolution", 3), ("origin_of_species", 3), ("darwins_choice", 4), ("darwins_choice_colossal", 3), ("evolved", 4)],
)
def test_positions_of_shipped_games_are_sound_or_not_as_python_says(name: str, players: int) -> None:
    compare(f"rulesets/{name}", players, 40)


#: What is written in the place of what, and the kind of finding that it is.
PLANTED = {
    "what pauses counts otherwise": (
        "    BEGIN;\n    S[AT_SITE] =",
        "    BEGIN;\n    S[AT_FORCED]++;\n    S[AT_SITE] =",
        "backends",
    ),
    "listing changes a word": (
        "    C->used = C->found = 0;\n    return again",
        "    C->used = C->found = 0;\n    if (!C->counts) ((i32 *)S)[AT_FORCED]++;\n    return again",
        "options",
    ),
    "an option is listed that is not counted": (
        "    return again(C, S, frame, S[frame]);",
        "    { i64 status = again(C, S, frame, S[frame]); C->found += !C->counts; return status; }",
        "options",
    ),
    "a word is less than it may be": (
        "void close_game(i32 *S) {",
        "void close_game(i32 *S) { S[AT_CURTAIN] = -1;",
        "state",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", [None, *PLANTED])
def test_a_planted_mistake_is_found(what: str | None, sound_pool: Path, tmp_path: Path) -> None:
    compilation = Compilation(sound_pool)
    module = compilation.ready(3, choose_options(compilation.summary.options, 3, None), target="native")
    emitted = emit(module)
    source = text_for(PROVING, emitted.source)
    if what is not None:
        before, after, _ = PLANTED[what]
        assert source.count(before) == 1
        source = source.replace(before, after)
    program = NativeProgram(library_path(source, tmp_path / "cache"), emitted.link_info, module, backend=PROVING)
    with watching_limits(program, MOST_DECISIONS, True):
        found = Proving(program).prove_many(1, 0, 50, 8)
    if what is None:
        assert (found.games, found.problem) == (50, None)
        assert found.decisions > 8 * found.remade > 0
        assert found.both == 7
    else:
        assert isinstance(found.problem, Wrong)
        assert found.problem.kind == PLANTED[what][2]
