"""What a move at a hosted table takes to compute, and for whom: `python -m benchmarks.moves [--tables N] [--moves N]`.

Tables of four seats are played in this process, at random, without connections and disk. After each move all four seats
are told what is new to them, first whoever is asked: what all see alike is made when he is told. Times are of the
processor.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import time
from collections.abc import Callable, Sequence
from statistics import mean, median
from typing import TypeVar

from rulelang.apps.studio.app import COLLECTED
from rulelang.apps.studio.tables.hub import Hub, shipped_games
from rulelang.apps.studio.tables.room import Guest, Room
from rulelang.apps.studio.tables.routes import message_text
from rulelang.apps.studio.tables.store import Store, Write

SEATS = 4
#: Moves of each table that are not measured: what a game says for the first time is made then.
WARMING = 40
T = TypeVar("T")


class Forgetful(Store):
    """Keeps nothing."""

    async def keep(self, writes: Sequence[Write]) -> None:
        return


class Took:
    """Seconds of the processor, by what took them."""

    def __init__(self) -> None:
        self.move: list[float] = []
        self.asked: list[float] = []
        self.others: list[float] = []

    def timed(self, into: list[float], call: Callable[[], T]) -> T:
        begun = time.process_time_ns()
        answer = call()
        into.append((time.process_time_ns() - begun) / 1e9)
        return answer


async def played(game: str, tables: int, moves: int, backend: str) -> Took:
    """So many moves of each table, but for those of games that end before."""
    hub = Hub(Forgetful(None), shipped_games(), backend)
    rooms: list[tuple[Room, list[Guest]]] = []
    for seed in range(tables):
        room = await hub.open({"game": game, "seats": ["you"] * SEATS, "speed": 0, "seed": seed})
        rooms.append((room, [Guest(room, seat.token, "en") for seat in room.seats]))
    chance, took = random.Random(1), Took()
    for _, guests in rooms:
        tell(guests, 0, took)
    for number in range(WARMING + moves):
        if number == WARMING:
            took = Took()
        for room, guests in rooms:
            state, play = room.state, room.play
            if state is None or play is None or state.over:
                continue
            choice, begun = chance.randrange(state.option_count), time.process_time_ns()
            await room.answer(state.decider, play.moves, choice)
            took.move.append((time.process_time_ns() - begun) / 1e9)
            tell(guests, room.state.decider if room.state is not None else 0, took)
    await hub.close()
    return took


def tell(guests: Sequence[Guest], asked: int, took: Took) -> None:
    seats = {id(guest): guest.role.seat if guest.role is not None else 0 for guest in guests}
    for guest in sorted(guests, key=lambda guest: seats[id(guest)] != asked):
        into = took.asked if seats[id(guest)] == asked else took.others
        took.timed(into, lambda guest=guest: message_text(guest.news()))  # type: ignore[misc]


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--game", default="evolution")
    given.add_argument("--tables", type=int, default=8)
    given.add_argument("--moves", type=int, default=100)
    given.add_argument("--backend", default="native")
    wanted = given.parse_args()
    gc.set_threshold(*COLLECTED)
    took = asyncio.run(played(wanted.game, wanted.tables, wanted.moves, wanted.backend))
    whole = (sum(took.move) + sum(took.asked) + sum(took.others)) / len(took.move)
    print(f"{len(took.move)} moves, {1e3 * whole:.2f} ms each; in ms, on average (half of them within):")
    for name, times in (("the move", took.move), ("whoever is asked is told", took.asked), ("another", took.others)):
        print(f"  {name:26}{1e3 * mean(times):6.3f} ({1e3 * median(times):.3f})")


if __name__ == "__main__":
    main()
