"""Keeps rooms and every decision in an SQLite file (write-ahead log), before anybody is told that it was taken.

The first decision after a while is written at once. Those that come soon after it go into the next transaction
together, so that many tables share one flush, which costs the same for one as for twenty. All of it happens in one
thread of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rulelang.studio.tables.ahead import Answers

TABLES = """
create table if not exists rooms (room text primary key, record text not null) without rowid;
create table if not exists moves (
  room text not null, number integer not null, seat integer not null, choice integer not null, person integer not null,
  primary key (room, number)
) without rowid;
create table if not exists early (
  room text not null, seat integer not null, keys text not null, primary key (room, seat)
) without rowid;
"""

#: Seconds from the beginning of a flush to that of the next.
PACE = 0.01
#: Rows that one statement adds: SQLite takes some 999 values, and older statements of other lengths are known still.
ROWS = 50
INTO, ROW = "insert into moves values ", "(?, ?, ?, ?, ?)"
MOVED = INTO + ROW

#: A statement and its values.
Write = tuple[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Kept:
    """A room: `moves` as (seat, choice, person); `early` by seat, what it has answered before its turn."""

    room: str
    record: dict[str, Any]
    moves: list[tuple[int, int, bool]]
    early: Answers


class CannotKeep(Exception):
    """What was to be kept is not on the disk; the text says why."""


class Store:
    """`path`: the file; None keeps all for as long as the process lives."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.thread = ThreadPoolExecutor(1, "store")
        self.waiting: list[tuple[Sequence[Write], asyncio.Future[None]]] = []
        self.writing: asyncio.Task[None] | None = None
        self.next = 0.0  # when the next flush may begin, by the clock of the loop
        self.db: sqlite3.Connection = self.thread.submit(self._open).result()

    def _open(self) -> sqlite3.Connection:
        if self.path is not None:  # the keys of seats stand in it
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        db = sqlite3.connect(self.path or ":memory:", isolation_level=None, check_same_thread=False)
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = full")
        db.executescript(TABLES)
        return db

    def rooms(self) -> list[Kept]:
        """All rooms that were kept."""
        return self.thread.submit(self._rooms).result()

    def _rooms(self) -> list[Kept]:
        found = []
        for room, record in self.db.execute("select room, record from rooms"):
            moves = self.db.execute("select seat, choice, person from moves where room = ? order by number", (room,))
            taken = [(seat, choice, bool(person)) for seat, choice, person in moves]
            told = self.db.execute("select seat, keys from early where room = ?", (room,))
            early = {seat: tuple(tuple(key) for key in json.loads(keys)) for seat, keys in told}
            found.append(Kept(room, json.loads(record), taken, early))
        return found

    async def keep(self, writes: Sequence[Write]) -> None:
        """Returns once they are on the disk. CannotKeep if that cannot be."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((writes, done))
        if self.writing is None:
            self.writing = asyncio.create_task(self._flush())
        await done

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self.waiting:
                if (wait := self.next - loop.time()) > 0:
                    await asyncio.sleep(wait)
                self.next = loop.time() + PACE
                batch, self.waiting = self.waiting, []
                writes = [write for some, _ in batch for write in some]
                try:
                    await loop.run_in_executor(self.thread, self._write, writes)
                except Exception:
                    for one in batch:  # of these one is to blame, or all cannot be kept
                        await self._alone(*one)
                    continue
                for _, done in batch:
                    if not done.done():
                        done.set_result(None)
        finally:
            self.writing = None

    async def _alone(self, writes: Sequence[Write], done: asyncio.Future[None]) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self.thread, self._write, writes)
        except Exception as error:
            if not done.done():
                done.set_exception(CannotKeep(f"this could not be kept: {error}"))
        else:
            if not done.done():
                done.set_result(None)

    def _write(self, writes: Sequence[Write]) -> None:
        writes = joined(writes)
        if len(writes) == 1:  # is a transaction by itself
            self.db.execute(*writes[0])
            return
        self.db.execute("begin immediate")
        try:
            for text, values in writes:
                self.db.execute(text, values)
            self.db.execute("commit")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("rollback")
            raise

    def close(self) -> None:
        self.thread.submit(self.db.close).result()
        self.thread.shutdown()


def joined(writes: Sequence[Write]) -> Sequence[Write]:
    """The same, with moves that follow each other as one statement: for each statement this thread lets the others run,
    and has to wait for its turn again."""
    found: list[Write] = []
    for moves, some in groupby(writes, lambda write: write[0] is MOVED):
        left = [*some]
        while moves and left:
            part, left = left[:ROWS], left[ROWS:]
            found.append((INTO + ", ".join([ROW] * len(part)), tuple(value for _, values in part for value in values)))
        found += left
    return found


def room_kept(room: str, record: Mapping[str, Any]) -> Write:
    return (
        "insert into rooms values (?, ?) on conflict (room) do update set record = excluded.record",
        (room, json.dumps(record, ensure_ascii=False)),
    )


def room_gone(room: str) -> list[Write]:
    return [(f"delete from {table} where room = ?", (room,)) for table in ("moves", "early", "rooms")]


def move_kept(room: str, number: int, seat: int, choice: int, person: bool) -> Write:
    return MOVED, (room, number, seat, choice, int(person))


def moves_gone(room: str, left: int) -> Write:
    """Only so many moves are left."""
    return "delete from moves where room = ? and number >= ?", (room, left)


def early_kept(room: str, before: Answers, now: Answers) -> list[Write]:
    """What has changed of the answers that were given before their turns."""
    return [
        ("insert or replace into early values (?, ?, ?)", (room, seat, json.dumps(now[seat])))
        if now.get(seat)
        else ("delete from early where room = ? and seat = ?", (room, seat))
        for seat in sorted({*before, *now})
        if before.get(seat, ()) != now.get(seat, ())
    ]
