"""A change is made once it is on the disk, and a damaged table, or a second host, does no harm to the others."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulelang.apps.studio.tables.hub import DAMAGED
from rulelang.apps.studio.tables.room import Room
from rulelang.apps.studio.tables.store import Store, Unusable
from tests.studio.helpers import client, site
from tests.studio.test_rooms import PEBBLES, begin, enter, hub_of


@contextmanager
def full_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def full(writes: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store, "_write", full)
        yield


def remembered(room: Room) -> tuple[object, ...]:
    """All of a room that is kept, as it is in memory."""
    play = room.play
    return room.setup, play and (play.moves, play.state.hash()), dict(room.ahead.answers), room.epoch


CHANGES: dict[str, dict[str, Any]] = {
    "sit": {"seat": 2, "name": "Bea"},
    "arrange": {"seat": 2, "kind": "bot", "agent": "first"},
    "open": {"t": "arrange", "seat": 1, "kind": "open"},
    "pace": {"speed": 5.0, "turn": 60.0},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_cannot_be_kept_is_not_made(tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seat, the key and the game that begins with it used to be in memory, and not in the file."""
    given = site(tmp_path, folder=Path(PEBBLES), kept=tmp_path / "t.tables")
    said = {"t": change, **CHANGES[change]}
    with client(given) as asked:
        made = begin(asked, "you", "open")
        room = hub_of(asked).rooms[made["room"]]
        key = made["invite"] if change == "sit" else made["token"]
        with enter(asked, made["room"], key) as guest:
            before = remembered(room)
            with full_disk(room.store, monkeypatch):
                assert guest.say(**said)["text"] == "this could not be kept: database or disk is full"
                assert remembered(room) == before
            assert guest.say(**said)["t"] == "done"
            assert remembered(room) != before
            after = remembered(room)
    with client(given) as asked:
        assert remembered(hub_of(asked).rooms[made["room"]])[:3] == after[:3]


def test_a_move_and_an_undo_that_cannot_be_kept_are_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(site(tmp_path, folder=Path(PEBBLES))) as asked:
        made = begin(asked, "you", "you")
        room = hub_of(asked).rooms[made["room"]]
        assert room.play is not None
        with enter(asked, made["room"], made["tokens"][room.play.state.decider - 1]) as one:
            for said in ({"t": "play", "at": 0, "option": 0}, {"t": "undo"}):
                before = remembered(room)
                with full_disk(room.store, monkeypatch):
                    assert one.say(**said)["t"] == "no"
                    assert remembered(room) == before
                assert one.say(**said)["t"] == "done"


def test_a_table_that_cannot_be_kept_is_not_opened_and_not_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client(site(tmp_path, folder=Path(PEBBLES))) as asked:
        hub = hub_of(asked)
        made = begin(asked, "you", "open")
        with full_disk(hub.store, monkeypatch):
            assert asked.post("/api/rooms", json={"game": "pebbles", "seats": ["you", "first"]}).status_code == 507
            assert asked.delete(f"/api/rooms/{made['room']}").status_code == 507
        assert [*hub.rooms] == [made["room"]]
        with enter(asked, made["room"], made["token"]) as host:
            assert host.say("pace", speed=1)["t"] == "done"
        assert asked.delete(f"/api/rooms/{made['room']}").status_code == 200
        assert hub.rooms == {}


# ---- one host for a file


def test_a_file_is_open_in_one_host(tmp_path: Path) -> None:
    kept = tmp_path / "t.tables"
    first = Store(kept)
    with pytest.raises(Unusable) as refused:
        Store(kept)
    assert str(refused.value) == (
        f"another host (process {os.getpid()}) has the tables of `{kept}` open; end it first, or name another file "
        "with `--keep`"
    )
    (tmp_path / "link").symlink_to(kept)
    with pytest.raises(Unusable):
        Store(tmp_path / "link")
    first.close()
    Store(kept).close()


def test_a_killed_host_leaves_the_file_to_the_next(tmp_path: Path) -> None:
    kept = tmp_path / "t.tables"
    imports = "import os\nfrom pathlib import Path\nfrom rulelang.apps.studio.tables.store import Store\n"
    text = f"{imports}Store(Path({str(kept)!r}))\nos._exit(9)"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 9
    Store(kept).close()


def test_a_file_that_is_damaged_is_named(tmp_path: Path) -> None:
    kept = tmp_path / "t.tables"
    kept.write_bytes(b"this is not a database, but a text" * 40)
    with pytest.raises(Unusable, match=r"t\.tables`, which keeps the tables, is damaged .*\.recover"):
        Store(kept)
    kept.unlink()
    with closing(sqlite3.connect(kept)) as other:
        other.execute("create table moves (title text)")
        other.commit()
    with pytest.raises(Unusable, match="its table `moves` belongs to another program"):
        Store(kept)


def test_a_page_of_the_file_that_was_overwritten_is_found_at_the_start(tmp_path: Path) -> None:
    kept = tmp_path / "t.tables"
    with client(site(tmp_path, folder=Path(PEBBLES), kept=kept)) as asked:
        for _ in range(8):
            begin(asked, "you", "open")
    data = bytearray(kept.read_bytes())
    data[4096 : 4096 + 512] = bytes([0xA5]) * 512
    kept.write_bytes(data)
    with pytest.raises(Unusable, match="damaged"):
        Store(kept)


# ---- rows that somebody has changed


def gap(db: sqlite3.Connection, room: str) -> None:
    db.execute("delete from moves where room = ? and number = 1", (room,))


def stray_choice(db: sqlite3.Connection, room: str) -> None:
    db.execute("update moves set choice = 99999 where room = ? and number = 1", (room,))


def other_seat(db: sqlite3.Connection, room: str) -> None:
    db.execute("update moves set seat = 3 - seat where room = ? and number = 0", (room,))


def text_for_a_number(db: sqlite3.Connection, room: str) -> None:
    db.execute("update moves set seat = 'x' where room = ?", (room,))


def not_begun(db: sqlite3.Connection, room: str) -> None:
    changed(db, room, begun=False)


def no_seats(db: sqlite3.Connection, room: str) -> None:
    changed(db, room, seats=[])


def deep(db: sqlite3.Connection, room: str) -> None:
    db.execute("update rooms set record = ? where room = ?", ("[" * 100_000, room))


def endless(db: sqlite3.Connection, room: str) -> None:
    changed(db, room, speed=float("inf"))


def stray_answer(db: sqlite3.Connection, room: str) -> None:
    db.execute("insert into early values (?, 1, ?)", (room, '["x", [[1]]]'))


def changed(db: sqlite3.Connection, room: str, **values: Any) -> None:
    (record,) = db.execute("select record from rooms where room = ?", (room,)).fetchone()
    db.execute("update rooms set record = ? where room = ?", (json.dumps({**json.loads(record), **values}), room))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (gap, "the file has later moves of this table, but not move 1"),
        (stray_choice, "move 1 in the file is not possible in this game"),
        (other_seat, "move 0 in the file is not possible in this game"),
        (not_begun, "the file has moves of a game that has not started in it"),
        (text_for_a_number, DAMAGED), (no_seats, DAMAGED), (deep, DAMAGED), (endless, DAMAGED), (stray_answer, DAMAGED),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)  # fmt: skip
def test_a_damaged_table_is_left_alone_and_the_others_go_on(
    tmp_path: Path, damage: Callable[[sqlite3.Connection, str], None], why: str
) -> None:
    given = site(tmp_path, folder=Path(PEBBLES), kept=tmp_path / "t.tables")
    with client(given) as asked:
        rooms = [begin(asked, "you", "you", options={"pebbles": 30})["room"] for _ in range(2)]
        for room in (hub_of(asked).rooms[number] for number in rooms):
            moved(asked, room, 3)
    with closing(sqlite3.connect(tmp_path / "t.tables")) as db:
        damage(db, rooms[0])
        db.commit()
    with client(given) as asked:
        assert hub_of(asked).troubles == [f"room {rooms[0]}: {why}"]
        assert [*hub_of(asked).rooms] == [rooms[1]]
        moved(asked, hub_of(asked).rooms[rooms[1]], 1)


def moved(asked: TestClient, room: Room, moves: int) -> None:
    """Make some moves, whoever is asked."""

    async def answer() -> None:
        for _ in range(moves):
            play = room.play
            assert play is not None
            async with room.lock:
                await room.answer(play.state.decider, play.moves, 0)

    assert asked.portal is not None
    asked.portal.call(answer)
