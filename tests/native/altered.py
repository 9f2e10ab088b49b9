"""Saves that somebody has altered: made here, restored and played on. As a program it plays them on one backend.

    python -m tests.native.altered BACKEND FIRST TRIES SECONDS WHERE [GAME]

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
from math import prod
from pathlib import Path
from typing import Any

from rulelang import IllegalMove, RuleError, SaveError, load
from rulelang.runtime.game import Game
from rulelang.runtime.position import state_digest
from rulelang.runtime.state import State

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
MOVES = 8
LONG = 10.0  # seconds that a restored position may think about its moves


@cache
def game(name: str = "evolution") -> Game:
    return load(RULESETS / name)


@cache
def midway(moves: int = 60, seed: int = 5, name: str = "evolution") -> State:
    """A position with animals, traits and food."""
    state, chance = game(name).new(4, seed), random.Random(seed)
    for _ in range(moves):
        state.play(chance.randrange(state.option_count))
    assert not state.over
    return state


@cache
def positions(name: str) -> list[State]:
    """Positions of one game: at its beginning, later on, and those in which most is kept in frames."""
    spread = [midway(moves, 5, name) for moves in (5, 60, 110)] if name == "evolution" else []
    state, chance, found = game(name).new(4, 7), random.Random(7), list[State]()
    while not state.over:
        found.append(state.clone())
        state.play(chance.randrange(state.option_count))
    deep = sorted(found, key=lambda s: -len(framed(s)))[:3]
    return [*spread, *deep, *found[:: max(1, len(found) // 4)]]


def altered(state: State, changes: Mapping[int, int]) -> str:
    """The save of a state with other words, and with the digest of those."""
    record: dict[str, Any] = json.loads(state.save())
    for at, word in changes.items():
        record["words"][at] = word
    if all(-(1 << 63) <= word < 1 << 63 for word in record["words"]):
        record["hash"] = state_digest(state.table, record["words"])
    return json.dumps(record)


def outcome(blob: str, backend: str, seed: int, name: str = "evolution") -> str:
    """What becomes of a save: refused, stuck, or played. Any other exception is a fault of ours."""
    try:
        state = game(name).restore(blob, backend)
    except SaveError:
        return "refused"
    assert state.over != (state.option_count > 0)
    chance = random.Random(seed)
    for _ in range(MOVES):
        if state.over:
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


def framed(state: State) -> list[int]:
    """Addresses of the locals in frames."""
    points, words, found = state.table.program.known().points, state.words, []  # type: ignore[attr-defined]
    for at in heads(state)[::2]:
        for offset, capacity, _, _ in points[words[at]][1]:
            found += range(at + offset, at + offset + 1 + (words[at + offset] if capacity else 0))
    return found


def queued(state: State) -> list[int]:
    """Addresses of what rules claim for themselves: queues, chains of pairs, flags, and all else that is neither in an
    attribute nor in a table."""
    layout = state.table.program.layout
    named = {at for a in layout.attributes for at in range(a.base, a.base + (a.count + 1) * a.width)}
    named |= {at for t in layout.tables.values() for at in range(t.base, t.base + prod(t.dims))}
    known = state.table.program.known().words  # type: ignore[attr-defined]
    found = {at for start, end, _ in known for at in range(start, end)}
    for pairs in filter(None, (layout.pairs,)):
        rows = layout.kinds[pairs.kind].owners * layout.kinds[pairs.kind].per_owner
        found |= {*range(pairs.first, pairs.first + rows + 1)}
        found |= {
            at + card for at in (pairs.next, pairs.prev, layout.card_partner) for card in range(len(layout.cards))
        }
    for kind in layout.kinds.values():
        if kind.used:
            found |= {kind.waiting, *range(kind.used, kind.used + kind.owners * kind.per_owner + 1)}
    for queue in filter(None, (layout.queue,)):
        found.add(queue.count)
    return sorted(found - named)


def changes_of(state: State, number: int, where: str) -> dict[int, int]:
    """One to three words, and what they become.

    `where`: "all", the "locals" in frames, or the "queue" (see `queued`) with these. Half of the new words are such as
    stand near by, so that they often fit.
    """
    chance = random.Random(f"{number} {where}")
    stack = state.table.program.layout.stack
    local = framed(state) or heads(state)
    whole = range(stack)
    among = {
        "all": lambda: [whole, whole, local, local, heads(state)],
        "locals": lambda: [local],
        "queue": lambda: [queued(state), local],
    }[where]()
    near = [*(state.words[at] for at in local), *state.words[:stack:7]]
    values = (
        lambda: chance.choice(near),
        lambda: chance.choice(near) + chance.choice((-1, 1)),
        lambda: chance.randrange(0, 100),
        lambda: chance.randrange(-3, 12),
        lambda: chance.randrange(0, 400),
        lambda: chance.choice((1, -1)) * (1 << chance.randrange(4, 34)),
        lambda: chance.randrange(-(1 << 31), 1 << 31),
    )
    return {chance.choice(chance.choice(among)): chance.choice(values)() for _ in range(chance.randrange(1, 4))}


def main(backend: str, first: int, tries: int, seconds: float, where: str, name: str = "evolution") -> None:
    end, found = time.monotonic() + seconds, Counter[str]()
    states = positions(name)
    for state in states:
        assert outcome(altered(state, {}), backend, 1, name) == "played"
    for number in range(first, first + tries):
        if time.monotonic() > end:
            break
        state = states[number % len(states)]
        changes = changes_of(state, number, where)
        print("TRY", number, changes, flush=True)
        began = time.monotonic()
        found[outcome(altered(state, changes), backend, number, name)] += 1
        assert time.monotonic() - began < LONG, "it took too long"
    print("DONE", dict(sorted(found.items())), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), *sys.argv[5:])
