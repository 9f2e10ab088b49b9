"""Saves that somebody has altered: made here, restored and played on. As a program it plays them on one backend.

    python -m tests.native.altered BACKEND FIRST TRIES SECONDS WHERE

tells each try as a line before it is made (`TRY number changes`), so that what ends the process is known.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rulelang import IllegalMove, RuleError, SaveError, load
from rulelang.engine.game import Game
from rulelang.engine.state import State, digest

EVOLUTION = Path(__file__).resolve().parents[2] / "rulesets" / "evolution"
MOVES = 8


@cache
def game() -> Game:
    return load(EVOLUTION)


@cache
def midway(moves: int = 60, seed: int = 5) -> State:
    """A position with animals, traits and food."""
    state, chance = game().new(4, seed), random.Random(seed)
    for _ in range(moves):
        state.play(chance.randrange(state.option_count))
    assert not state.over
    return state


def altered(state: State, changes: Mapping[int, int]) -> str:
    """The save of a state with other words, and with the digest of those."""
    record: dict[str, Any] = json.loads(state.save())
    for at, word in changes.items():
        record["words"][at] = word
    if all(-(1 << 63) <= word < 1 << 63 for word in record["words"]):
        record["hash"] = digest(state.table, record["words"])
    return json.dumps(record)


def outcome(blob: str, backend: str, seed: int) -> str:
    """What becomes of a save: refused, stuck, or played. Any other exception is a fault of ours."""
    try:
        state = game().restore(blob, backend)
    except SaveError:
        return "refused"
    chance = random.Random(seed)
    for _ in range(MOVES):
        if state.over or not state.option_count:
            break
        try:
            state.play(chance.randrange(state.option_count))
        except (RuleError, SaveError, IllegalMove) as error:
            return f"stuck: {type(error).__name__}"
    return "played"


def heads(state: State) -> list[int]:
    """Addresses of the point and the parent of every frame."""
    found, frame = [], state.words[state.table.program.layout.cells.frame]
    while frame:
        found += [frame, frame + 1]
        frame = state.words[frame + 1]
    return found


def changes_of(state: State, number: int, where: str) -> dict[int, int]:
    """One to three words, and what they become.

    `where`: "all", the "locals" in frames, or all but those: what is "told", as its meaning is known.
    """
    chance = random.Random(f"{number} {where}")
    stack = state.table.program.layout.stack
    end = max(i for i, word in enumerate(state.words) if word) + 1
    framed = sorted({*range(stack, end)} - {*heads(state)})
    among = {
        "all": [range(stack), range(stack), framed, heads(state)],
        "told": [range(stack), range(stack), heads(state)],
        "locals": [framed],
    }[where]
    values = (
        lambda: chance.randrange(-3, 12),
        lambda: chance.randrange(0, 400),
        lambda: chance.choice((1, -1)) * (1 << chance.randrange(4, 34)),
        lambda: chance.randrange(-(1 << 31), 1 << 31),
    )
    return {chance.choice(chance.choice(among)): chance.choice(values)() for _ in range(chance.randrange(1, 4))}


def main(backend: str, first: int, tries: int, seconds: float, where: str) -> None:
    end, found = time.monotonic() + seconds, Counter[str]()
    states = [midway(moves) for moves in (5, 60, 110)]
    for state in states:
        assert outcome(altered(state, {}), backend, 1) == "played"
    for number in range(first, first + tries):
        if time.monotonic() > end:
            break
        state = states[number % len(states)]
        changes = changes_of(state, number, where)
        print("TRY", number, changes, flush=True)
        found[outcome(altered(state, changes), backend, number)] += 1
    print("DONE", dict(sorted(found.items())), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5])
