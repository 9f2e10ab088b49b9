"""Plays random games of other engines, for `benchmarks.peers`, which starts it with an interpreter that has them.

It reads lines `NAME SECONDS` and answers each with a JSON object: `moves` and `seconds` of the processor, or `skipped`
and why. It needs nothing of rulelang, and imports an engine when it is first asked for.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

#: Plays for about so many seconds: moves.
Play = Callable[[float], int]
#: Games of a batch, and moves of all of them in a call.
BATCH, MOVES = 1024, 64


def openspiel(name: str) -> Play:
    """Move by move from Python, chance included, which is not counted."""
    game = import_module("pyspiel").load_game(name)
    chance = Random(1)

    def play(seconds: float) -> int:
        moves, until = 0, time.process_time() + seconds
        while time.process_time() < until:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(chance.choices(actions, weights)[0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(chance.random() * len(legal))])
                    moves += 1
        return moves

    return play


def pgx(name: str) -> Play:
    """A batch of games at once, compiled, each begun again where it ends."""
    jax, numpy = import_module("jax"), import_module("jax.numpy")
    environment = import_module("pgx").make(name)
    again: Any = import_module("pgx.experimental").auto_reset(environment.step, environment.init)

    def move(state: Any, key: Any) -> tuple[Any, None]:
        keys = jax.random.split(key, BATCH + 1)
        likely = numpy.where(state.legal_action_mask, 0.0, -1e9)
        return jax.vmap(again)(state, jax.random.categorical(keys[0], likely), keys[1:]), None

    run = jax.jit(lambda state, key: jax.lax.scan(move, state, jax.random.split(key, MOVES))[0])
    held = [jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(1), BATCH))]
    held[0] = run(held[0], jax.random.PRNGKey(2))

    def play(seconds: float) -> int:
        moves, until = 0, time.process_time() + seconds
        while time.process_time() < until:
            held[0] = run(held[0], jax.random.PRNGKey(moves))
            held[0].legal_action_mask.block_until_ready()
            moves += BATCH * MOVES
        return moves

    return play


MAKE: dict[str, Callable[[], Play]] = {
    "openspiel leduc": partial(openspiel, "leduc_poker"),
    "openspiel gin_rummy": partial(openspiel, "gin_rummy"),
    "openspiel hearts": partial(openspiel, "hearts"),
    "pgx leduc": partial(pgx, "leduc_holdem"),
    "pgx sparrow_mahjong": partial(pgx, "sparrow_mahjong"),
}


def answer(name: str, seconds: float, made: dict[str, Play]) -> dict[str, object]:
    try:
        if name not in made:
            made[name] = MAKE[name]()
            made[name](0.05)  # warm
        begun = time.process_time()
        moves = made[name](seconds)
        return {"moves": moves, "seconds": time.process_time() - begun}
    except Exception as error:
        return {"skipped": f"{type(error).__name__}: {error}".splitlines()[0]}


def main() -> None:
    made: dict[str, Play] = {}
    for line in sys.stdin:
        name, _, seconds = line.strip().rpartition(" ")
        print(json.dumps(answer(name, float(seconds), made)), flush=True)


if __name__ == "__main__":
    main()
