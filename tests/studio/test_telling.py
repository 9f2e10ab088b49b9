"""Who is told first where a server has more to tell than it can, and how decisions share a flush."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rulelang.apps.studio.tables import room, store
from rulelang.apps.studio.tables.hub import Hub
from rulelang.apps.studio.tables.room import HANDFUL, HURRY, PASSED, PATIENCE, Guest, Notifier
from rulelang.apps.studio.tables.setup import Spec
from rulelang.apps.studio.tables.store import CannotKeep, Store, join_moves, move_kept, moves_gone
from tests.studio.helpers import client, site
from tests.studio.test_rooms import PEBBLES, begin, enter


class Clock:
    """Stands still, unless it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(room, "time", made)
    return made


def guest(name: str) -> Guest:
    return cast("Guest", SimpleNamespace(name=name, waits=room.NOTHING, wake=asyncio.Event()))


def table(number: int) -> tuple[Guest, Guest, Guest]:
    """Who is asked, and two who look on."""
    return guest(f"{number} asked"), guest(f"{number} one"), guest(f"{number} other")


def news(of: Notifier, guests: Sequence[Guest]) -> None:
    """There is something new at a table."""
    for place, one in enumerate(guests):
        of.due(one, soon=place == 0)


def test_a_table_is_closed_at_once_also_where_something_has_just_happened() -> None:
    """What waits for the next move is broken off, whatever it has heard before."""

    async def closed() -> float:
        hub = Hub(Store(None), {"pebbles": Spec(str(PEBBLES))})
        room = await hub.open({"game": "pebbles", "seats": ["you", "you"]})
        for _ in range(3):
            await asyncio.sleep(0)
        assert room.driver is not None
        assert not room.driver.done()
        room.tell()
        begun = time.monotonic()
        async with asyncio.timeout(20):
            await hub.close()
        return time.monotonic() - begun

    assert asyncio.run(closed()) < 10


def told(of: Notifier, clock: Clock, count: int = 1000) -> list[str]:
    found = []
    while len(found) < count and (one := of.next(clock.now)) is not None:
        found.append(cast("Any", one).name)
    return found


async def idle(of: Notifier) -> None:
    """Have nobody woken but by the test."""
    assert of.waking is not None
    of.waking.cancel()


def test_with_little_to_tell_a_table_is_told_as_a_whole(clock: Clock) -> None:
    async def play() -> list[str]:
        order = Notifier()
        for number in range(2):
            news(order, table(number))
            await idle(order)
            clock.now += 0.001
        return told(order, clock)

    names = ["asked", "one", "other"]
    assert asyncio.run(play()) == [f"{number} {name}" for number in range(2) for name in names]


def test_whoever_is_asked_comes_first_where_he_would_wait_long(clock: Clock) -> None:
    async def play() -> list[str]:
        order = Notifier()
        for number in range(5):
            news(order, table(number))
            await idle(order)
        clock.now += HURRY + 0.01
        return told(order, clock)

    found = asyncio.run(play())
    assert found[:5] == [f"{number} asked" for number in range(5)]
    assert len(found) == 15


def test_nobody_is_passed_over_for_ever(clock: Clock) -> None:
    """With more to tell to those who are asked than can be told, one of the others comes after every few of them, once
    he has waited for long; before, he does not."""

    async def play() -> tuple[list[str], list[str]]:
        order = Notifier()
        news(order, table(0))
        for number in range(1, 60):
            order.due(table(number)[0], soon=True)
        await idle(order)
        clock.now += HURRY + 0.01
        early = told(order, clock, 2 * PASSED)
        clock.now += PATIENCE
        return early, told(order, clock, 2 * PASSED)

    early, late = asyncio.run(play())
    assert all("asked" in name for name in early)
    assert [name for name in late if "asked" not in name] == ["0 one", "0 other"]
    assert late.index("0 other") - late.index("0 one") == PASSED + 1


def test_whoever_waits_is_told_once_and_gets_a_better_place(clock: Clock) -> None:
    async def play() -> list[str]:
        order = Notifier()
        ana, bob = guest("Ana"), guest("Bob")
        for _ in range(3):
            order.due(ana, soon=False)
            order.due(bob, soon=False)
        order.due(bob, soon=True)  # he is asked now
        order.due(bob, soon=False)  # and keeps his place
        await idle(order)
        clock.now += HURRY + 0.01
        return [*told(order, clock), *told(order, clock)]

    assert asyncio.run(play()) == ["Bob", "Ana"]


def test_what_comes_in_is_heard_while_many_are_told() -> None:
    async def play() -> int:
        order, many = Notifier(), [guest(str(number)) for number in range(100)]
        for one in many:
            order.due(one, soon=True)
        await asyncio.sleep(0)
        woken = sum(one.wake.is_set() for one in many)
        while order.waking is not None:
            await asyncio.sleep(0)
        assert all(one.wake.is_set() for one in many)
        order.due(many[0], soon=True)  # it begins anew
        assert order.waking is not None
        await order.waking
        return woken

    assert asyncio.run(play()) == HANDFUL


def test_decisions_of_many_tables_share_a_flush(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is written at once; those that come soon after it go together, all on the disk when that is said."""
    batches: list[int] = []
    write = Store._write
    monkeypatch.setattr(Store, "_write", lambda kept, writes: (batches.append(len(writes)), write(kept, writes))[1])
    count = 2 * store.ROWS + 7

    async def play() -> None:
        kept = Store(tmp_path / "rooms.db")
        await kept.keep([move_kept("first", 0, 1, 2, True)])

        async def one(number: int) -> None:
            await asyncio.sleep(0.00001 * number)
            await kept.keep([move_kept(f"room {number}", 3, 1, 2, False)])
            with closing(sqlite3.connect(tmp_path / "rooms.db")) as other:
                found = other.execute(
                    "select number, seat, choice, person from moves where room = ?", (f"room {number}",)
                )
                assert found.fetchall() == [(3, 1, 2, 0)]

        await asyncio.gather(*(one(number) for number in range(count)))
        kept.close()

    asyncio.run(play())
    assert batches[0] == 1
    assert sum(batches) == count + 1
    assert len(batches) < count / 4


def test_one_decision_that_cannot_be_kept_spoils_no_other(tmp_path: Path) -> None:
    async def play() -> list[object]:
        kept = Store(tmp_path / "rooms.db")
        await kept.keep([move_kept("room", 0, 1, 2, True)])
        again, other, gone = move_kept("room", 0, 1, 2, True), move_kept("other", 0, 1, 2, True), moves_gone("none", 0)
        found = await asyncio.gather(*(kept.keep([one]) for one in (again, other, gone)), return_exceptions=True)
        rows = kept.db.execute("select count(*) from moves").fetchone()
        kept.close()
        return [*found, rows]

    blamed, other, gone, rows = asyncio.run(play())
    assert isinstance(blamed, CannotKeep)
    assert (other, gone, rows) == (None, None, (2,))


def test_moves_are_joined_in_their_order_and_nothing_else_is() -> None:
    moves = [move_kept("room", number, 1, 2, True) for number in range(store.ROWS + 3)]
    gone = moves_gone("room", 2)
    found = join_moves([*moves, gone, moves[0]])
    assert [text.count("(") for text, _ in found[:2]] == [store.ROWS, 3]
    assert [value for _, values in found[:2] for value in values] == [value for _, values in moves for value in values]
    assert found[2:] == [gone, moves[0]]


def test_who_has_moved_and_who_is_asked_are_told_before_who_looks_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[tuple[int, bool]] = []
    due = Notifier.due

    def noted(of: Notifier, one: Guest, *, soon: bool) -> None:
        order.append((one.role.seat, soon))
        due(of, one, soon=soon)

    with client(site(tmp_path, folder=Path(PEBBLES))) as asked:
        made = begin(asked, "you", "you")
        room, keys = made["room"], made["tokens"]
        with (
            enter(asked, room, made["watch"]) as watcher,
            enter(asked, room, keys[0]) as ana,
            enter(asked, room, keys[1]),
        ):
            who = ana.until_asked()
            monkeypatch.setattr(Notifier, "due", noted)
            assert ana.say("play", at=ana.moves, option=who[0]["index"])["t"] == "done"
            watcher.until(1)
            monkeypatch.setattr(Notifier, "due", due)
    assert sorted(order[:2]) == [(1, True), (2, True)]
    assert order[2] == (0, False)
