"""Nothing that a seat may not know is in any byte that is sent to it."""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest

from rulelang import load
from rulelang.apps.studio.tables.play import Play
from rulelang.apps.studio.tables.room import Guest, Room
from rulelang.apps.studio.tables.setup import Seat, Setup, Spec
from rulelang.apps.studio.tables.store import Store
from rulelang.runtime.game import Game
from rulelang.runtime.state import State


@pytest.fixture(scope="module")
def game() -> Game:
    return load("evolution")


def told(room: Room, state: State, seat: int) -> str:
    """All that a guest who comes in now is sent, once `state` is the table."""
    room.play = Play(state, 7)
    return json.dumps(Guest(room, key_of(room, seat), "en").news())


def key_of(room: Room, seat: int) -> str:
    return room.seats[seat - 1].token if seat else room.setup.keys.watch


async def table(game: Game) -> Room:
    setup = Setup(tuple(Seat("person", name) for name in ("Ana", "Bob", "Cleo")), begun=True)
    store = Store(None)
    room = Room("room", game, Spec("evolution", players=3, seed=5), setup, store)
    room.play = Play(room.first(room.setup))
    store.close()
    return room


def test_what_is_sent_to_a_seat_does_not_depend_on_what_it_may_not_know(game: Game) -> None:
    """Secrets are dealt anew so that a seat cannot tell: then every byte that it is sent is the same, and what others
    are sent is not."""

    async def play() -> int:
        room, chance, others = await table(game), Random(3), 0
        state = room.first(room.setup)
        for number in range(36):
            state.play(chance.randrange(state.option_count))
            if number % 9:
                continue
            for seat in range(4):
                words = [*state.determinize(seat or None, number).words]
                other = state.altered(words)
                assert told(room, state, seat) == told(room, other, seat), (number, seat)
                others += any(told(room, state, one) != told(room, other, one) for one in range(1, 4) if one != seat)
        return others

    assert asyncio.run(play()) > 8


def test_patches_of_a_game_as_it_goes_on_do_not_depend_on_secrets(game: Game) -> None:
    """Everybody follows the game in one room; in others secrets are dealt anew for one seat after each move. What this
    seat is sent is the same there, move by move, though parts of documents are shared by all seats of a room."""

    async def play() -> int:
        rooms = [await table(game) for _ in range(5)]
        guests = [[Guest(room, key_of(room, seat), "en") for seat in range(4)] for room in rooms]
        state, chance, others = rooms[0].first(rooms[0].setup), Random(4), 0
        for number in range(24):
            state = state.clone()
            state.play(chance.randrange(state.option_count))
            told = []
            for at, room in enumerate(rooms):
                shown = state.altered([*state.determinize(at - 1 or None, number).words]) if at else state
                room.play = Play(shown, number)
                told.append([json.dumps(guest.news()) for guest in guests[at]])
            for seat in range(4):
                assert told[0][seat] == told[seat + 1][seat], (number, seat)
                others += any(told[0][one] != told[seat + 1][one] for one in range(4))
        return others

    assert asyncio.run(play()) > 8


def test_ids_of_cards_that_a_seat_does_not_see_are_not_sent(game: Game) -> None:
    async def play() -> None:
        room, chance = await table(game), Random(8)
        state = room.first(room.setup)
        for _ in range(2):
            state.play(chance.randrange(state.option_count))
        for owner in range(1, 4):
            assert f'"player:{owner}/hand/' in told(room, state, owner)
            for reader in {0, 1, 2, 3} - {owner}:
                assert f'"player:{owner}/hand/' not in told(room, state, reader)

    asyncio.run(play())
