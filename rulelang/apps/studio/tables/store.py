"""Keep rooms and every decision in an SQLite file that only one process may use."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rulelang.apps.studio.tables.play import Answers

# ---- the lock

#: The errors of a lock that another process has: others are of file systems without locks.
TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)
#: The byte that is locked, far after the text: on Windows a locked byte cannot be read.
FAR = 1 << 20


class InUse(Exception):
    """Another process has the file; the text says which, and what to do."""


class FileLock:
    """Holds the lock of a file until `end`. InUse if another process, or another host of this one, has it."""

    def __init__(self, path: Path) -> None:
        real = path.resolve()
        self.handle = os.open(real.with_name(f"{real.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self.handle)
        except OSError as error:
            owner = os.read(self.handle, 20).decode("ascii", "ignore").strip()
            os.close(self.handle)
            if error.errno not in TAKEN:
                raise
            raise InUse(
                f"another host{f' (process {owner})' if owner else ''} has the tables of `{path}` open; end it first, "
                "or name another file with `--keep`"
            ) from None
        os.ftruncate(self.handle, 0)
        os.write(self.handle, f"{os.getpid()}\n".encode())

    def end(self) -> None:
        """Let another process have the file."""
        os.close(self.handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


# ---- the store

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

COLUMNS = {
    "rooms": ["room", "record"],
    "moves": ["room", "number", "seat", "choice", "person"],
    "early": ["room", "seat", "keys"],
}
#: The reason for a room whose rows have other values than a room writes.
ROWS_ODD = "its saved data is not valid"

#: Seconds from the beginning of a flush to that of the next.
PACE = 0.01
#: Rows that one statement adds: SQLite takes some 999 values, and older statements of other lengths are known still.
ROWS = 50
INTO, ROW = "insert into moves values ", "(?, ?, ?, ?, ?)"
MOVED = INTO + ROW

#: A statement and its values.
Write = tuple[str, tuple[object, ...]]
#: Of a move: its number, seat and choice, and whether a person made it.
KeptMove = tuple[int, int, int, bool]


@dataclass(frozen=True, slots=True)
class Kept:
    """A room: its moves in the order of their numbers; `early` by seat, what it has answered before its turn."""

    room: str
    record: dict[str, Any]
    moves: list[KeptMove]
    early: Answers


@dataclass(frozen=True, slots=True)
class Damaged:
    """A room whose rows cannot be read."""

    room: str
    why: str


class CannotKeep(Exception):
    """A change is not on the disk; the text says why."""


class Unusable(Exception):
    """A file cannot keep tables; the text names it, and says why and what to do."""


class Store:
    """`path`: the file; None keeps all for as long as the process lives. Unusable if another process has the file, or
    it is damaged, or cannot be written."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        try:
            self.alone = FileLock(path) if path is not None else None
        except InUse as problem:
            raise Unusable(str(problem)) from None
        except OSError as error:
            raise Unusable(_unusable(path, error)) from None
        self.thread = ThreadPoolExecutor(1, "store")
        self.waiting: list[tuple[Sequence[Write], asyncio.Future[None]]] = []
        self.writing: asyncio.Task[None] | None = None
        self.next = 0.0  # when the next flush may begin, by the clock of the loop
        try:
            self.db: sqlite3.Connection = self.thread.submit(self._open).result()
        except (sqlite3.Error, OSError) as error:
            self.thread.shutdown()
            if self.alone is not None:
                self.alone.end()
            raise Unusable(_unusable(self.path, error)) from None

    def _open(self) -> sqlite3.Connection:
        if self.path is not None:  # it has the keys of seats
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        db = sqlite3.connect(self.path or ":memory:", isolation_level=None, check_same_thread=False)
        try:
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = full")
            db.executescript(TABLES)
            found = db.execute("pragma integrity_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(found)
            for table, columns in COLUMNS.items():
                if [row[1] for row in db.execute(f"pragma table_info({table})")] != columns:
                    raise sqlite3.DatabaseError(f"its table `{table}` belongs to another program")
        except BaseException:
            db.close()
            raise
        return db

    def rooms(self) -> list[Kept | Damaged]:
        """Return all rooms that were kept."""
        return self.thread.submit(self._rooms).result()

    def _rooms(self) -> list[Kept | Damaged]:
        found: list[Kept | Damaged] = []
        for room, record in self.db.execute("select room, record from rooms").fetchall():
            try:
                found.append(self._room(room, record))
            except (sqlite3.Error, ValueError, TypeError, RecursionError) as problem:
                why = f"the file cannot be read there ({problem})" if isinstance(problem, sqlite3.Error) else ROWS_ODD
                found.append(Damaged(str(room), why))
        return found

    def _room(self, room: str, record: str) -> Kept:
        rows = self.db.execute(
            "select number, seat, choice, person from moves where room = ? order by number", (room,)
        ).fetchall()
        told = self.db.execute("select seat, keys from early where room = ?", (room,)).fetchall()
        early = {seat: tuple(tuple(key) for key in json.loads(keys)) for seat, keys in told}
        numbers = [*(value for row in rows for value in row), *early]
        numbers += [value for keys in early.values() for key in keys for value in key]
        if not all(type(value) is int for value in numbers):
            raise TypeError
        return Kept(room, json.loads(record), [(*row[:3], bool(row[3])) for row in rows], early)

    async def keep(self, writes: Sequence[Write]) -> None:
        """Return once they are on the disk. CannotKeep if they cannot be written."""
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
        writes = join_moves(writes)
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
        """Close the file, for another process to open."""
        self.thread.submit(self.db.close).result()
        self.thread.shutdown()
        if self.alone is not None:
            self.alone.end()


def _unusable(path: Path | None, error: Exception) -> str:
    """Say why a file cannot keep tables, and what to do."""
    if isinstance(error, OSError) or "readonly" in str(error) or "read-only" in str(error):
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return (
            f"cannot write `{path}`, which keeps the tables: {why.lower()}; "
            "make its folder writable, or name another file with `--keep`"
        )
    if "locked" in str(error) or "full" in str(error):
        return f"cannot open `{path}`, which keeps the tables: {error}; try again later"
    return (
        f"`{path}`, which keeps the tables, is damaged or not a file of tables ({error}); use another file with "
        f"`--keep`, or recover what is readable: sqlite3 {path} .recover | sqlite3 recovered.tables"
    )


def join_moves(writes: Sequence[Write]) -> Sequence[Write]:
    """Return the same, with successive moves as one statement: for each statement this thread lets the others run, and
    has to wait for its turn again."""
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
