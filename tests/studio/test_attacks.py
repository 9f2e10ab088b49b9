"""What somebody with a key of his own, or a folder that was made for it, cannot do to others."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rulelang.apps.studio.tables import room as rooms
from rulelang.apps.studio.tables import routes
from rulelang.apps.studio.tables.setup import shown_name
from rulelang.apps.studio.tables.store import CannotKeep, Store, move_kept, room_kept
from rulelang.apps.studio.workshop import files
from rulelang.tools.scaffolding.files import CannotStart, write_files
from tests.studio.helpers import client, site
from tests.studio.test_rooms import PEBBLES, begin, enter, hub_of


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[TestClient]:
    with client(site(tmp_path, folder=Path(PEBBLES))) as opened:
        yield opened


# ---- what is said to a room

ODD: list[Any] = [
    {"t": "play", "id": "\ud800", "at": 0, "option": 0},
    {"t": "play", "id": 10**30, "at": 10**400, "option": -(10**30)},
    {"t": "play", "id": [[[[1]]]], "at": 0, "option": 0},
    {"t": "why", "part": "\ud800", "picked": ["x" * 60_000]},
    {"t": "arrange", "id": 1, "seat": 2, "kind": "bot", "agent": "\ud800"},
    {"t": "arrange", "id": 1, "seat": -1, "kind": "bot", "agent": "random"},
    {"t": "pace", "id": 1, "speed": float("nan"), "turn": float("inf")},
    {"t": "pace", "id": 1, "speed": 1e300, "turn": -1e300},
    {"t": "pace", "id": 1, "speed": 10**400},
    {"t": "hello", "lang": "\ud800" * 2_000},
    {"t": "hello", "lang": {}},
    {"t": "undo", "id": float("nan")},
    {"t": ["play"]},
    {"t": None, "id": None},
]


def test_nothing_that_is_said_ends_a_connection_or_breaks_a_room(asked: TestClient) -> None:
    made = begin(asked, "you", "you")
    with enter(asked, made["room"], made["token"]) as ana:
        for odd in ODD:
            ana.socket.send_text(json.dumps(odd))
        ana.socket.send_bytes(b"\x00\xff")
        ana.last = 100
        assert ana.say("play", at=-1, option=0)["t"] == "no"
        room = hub_of(asked).rooms[made["room"]]
        assert room.setup.speed == 0.0
        assert room.setup.turn == 0.0
        assert json.loads(json.dumps(room.record(room.setup), allow_nan=False))
    with enter(asked, made["room"], made["token"]) as again:
        assert again.table["question"]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("\u202eanA", "anA"), ("A\x1b[31mna", "A[31mna"), (" \ud800 ", ""), ("\u200b\u2060", ""), ("x" * 99, "x" * 24),
        ("Ann  Lee\n", "Ann Lee"), ("愛", "愛"),
    ],
)  # fmt: skip
def test_names_have_nothing_in_them_that_cannot_be_seen(given: str, name: str) -> None:
    assert shown_name(given) == name


def test_two_names_that_look_alike_by_what_cannot_be_seen_are_one(asked: TestClient) -> None:
    made = begin(asked, "you", "open")
    with enter(asked, made["room"], made["invite"]) as guest:
        assert guest.say("sit", seat=2, name="An\u200ba")["text"] == "another player here is already called Ana"
        assert guest.say("sit", seat=2, name="\u3164\u202e")["text"] == "enter your name"


def test_who_floods_a_room_waits_and_others_do_not(asked: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "BURST", 5.0)
    made = begin(asked, "you", "you")
    with enter(asked, made["room"], made["tokens"][0]) as ana, enter(asked, made["room"], made["tokens"][1]) as bob:
        for _ in range(40):
            ana.socket.send_json({"t": "why", "id": 7, "part": "game"})
        begun = time.monotonic()
        assert bob.say("play", at=-1, option=0)["t"] == "no"
        assert time.monotonic() - begun < 1
        for _ in range(40):
            while ana.hear().get("id") != 7:
                pass
        assert time.monotonic() - begun > 1.4  # 5 at once, then 20 in a second


def test_a_room_has_an_end(asked: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MOST", 1)
    made = begin(asked, "you", "first")
    with enter(asked, made["room"], made["watch"]), enter(asked, made["room"], made["token"]):
        said = ["rulelang", f"key.{made['watch']}"]
        with (
            asked.websocket_connect(f"ws://127.0.0.1:8640/rooms/{made['room']}", subprotocols=said) as third,
            pytest.raises(WebSocketDisconnect) as gone,
        ):
            third.receive_text()
        assert gone.value.code == 4429
    with enter(asked, made["room"], made["watch"]) as back:
        assert back.table


def test_another_site_does_not_reach_a_room_even_with_a_seats_key(asked: TestClient) -> None:
    made = begin(asked, "you", "first")
    for origin in ("https://evil.example", "null", "http://127.0.0.1:8641"):
        with (
            pytest.raises(WebSocketDisconnect) as gone,
            asked.websocket_connect(
                f"ws://127.0.0.1:8640/rooms/{made['room']}",
                subprotocols=["rulelang", f"key.{made['token']}"],
                headers={"Origin": origin},
            ),
        ):
            pass
        assert gone.value.code == 4403


def test_a_seats_key_opens_no_table_and_no_file(asked: TestClient) -> None:
    made = begin(asked, "you", "open")
    for key in (made["token"], made["invite"], made["watch"]):
        head = {"Authorization": f"Bearer {key}"}
        for method, path in (
            ("GET", "/api/rooms"), ("POST", "/api/rooms"), ("DELETE", f"/api/rooms/{made['room']}"),
            ("GET", "/api/workshop/file?path=game.rules"), ("PUT", "/api/workshop/file"), ("GET", "/api//rooms"),
        ):  # fmt: skip
            assert asked.request(method, path, headers=head).status_code == 401, path
        for path in ("//api/rooms", "/static/../api/rooms", "/%61pi/rooms", "/API/rooms"):
            answer = asked.get(path, headers=head)
            assert answer.status_code in (401, 404), path
            assert made["room"] not in answer.text


# ---- what is kept


def test_what_cannot_be_kept_does_not_take_others_with_it() -> None:
    """Decisions of several tables go into one transaction; one that cannot be kept is told, alone."""

    async def run() -> None:
        store = Store(None)
        writes = [[move_kept(room, 0, 1, 0, True)] for room in ("a", "b", "\ud800", "c")]
        done = await asyncio.gather(*(store.keep(one) for one in writes), return_exceptions=True)
        assert [type(one) for one in done] == [type(None), type(None), CannotKeep, type(None)]
        with pytest.raises(CannotKeep):
            await store.keep([room_kept("d", {}), move_kept("a", 0, 1, 0, True)])
        kept = store.thread.submit(lambda: store.db.execute("select room from moves order by room").fetchall())
        assert kept.result() == [("a",), ("b",), ("c",)]
        assert store.thread.submit(lambda: store.db.execute("select * from rooms").fetchall()).result() == []
        store.close()

    asyncio.run(run())


def test_a_move_that_cannot_be_kept_is_refused_and_not_made(asked: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = begin(asked, "you", "you")
    room = hub_of(asked).rooms[made["room"]]
    keys = dict(enumerate(made["tokens"], 1))
    assert room.play is not None
    with enter(asked, made["room"], keys[room.play.state.decider]) as one:
        options = one.until_asked()
        real = room.store._write

        def full(writes: Any) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(room.store, "_write", full)
        refused = one.say("play", at=one.moves, option=options[0]["index"])
        assert refused["text"] == "this could not be kept: database or disk is full"
        monkeypatch.setattr(room.store, "_write", real)
        assert one.say("play", at=one.moves, option=options[0]["index"])["t"] == "done"


def test_a_bot_goes_on_when_there_is_room_on_the_disk_again(asked: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "AGAIN", 0.02)
    made = begin(asked, "you", "first", options={"pebbles": 30})
    room = hub_of(asked).rooms[made["room"]]
    room.setup = replace(room.setup, away=0.05)  # the first seat is the bot's, too, as nobody sits there
    real, failed = room.store._write, []

    def full(writes: Any) -> None:
        failed.append(writes)
        if len(failed) < 4:
            raise sqlite3.OperationalError("database or disk is full")
        real(writes)

    monkeypatch.setattr(room.store, "_write", full)
    with enter(asked, made["room"], made["watch"]) as watcher:
        watcher.until(3)
    assert len(failed) > 4


# ---- folders that were made for it


def test_a_game_behind_a_link_is_not_the_folders(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "folder"
    elsewhere.mkdir()
    folder.mkdir()
    (elsewhere / "ruleset.yaml").write_text("ruleset: x\n", encoding="utf-8")
    (folder / "game").symlink_to(elsewhere)
    assert files.home_of(folder) is None
    (folder / "own").mkdir()
    (folder / "own" / "ruleset.yaml").write_text("ruleset: y\n", encoding="utf-8")
    assert files.home_of(folder) == folder / "own"
    assert files.list_files(folder) == ["own/ruleset.yaml"]


def test_new_files_are_not_written_through_a_link(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "folder"
    elsewhere.mkdir()
    folder.mkdir()
    (folder / "traits").symlink_to(elsewhere)
    (elsewhere / "old.yaml").write_text("old", encoding="utf-8")
    (folder / "there.yaml").symlink_to(elsewhere / "old.yaml")
    for made, changed in (({"traits/new.yaml": "x"}, None), ({}, {"there.yaml": "x"})):
        with pytest.raises(CannotStart, match="leads out of the folder"):
            write_files(folder, made, changed)
    assert [path.name for path in elsewhere.iterdir()] == ["old.yaml"]
    assert (elsewhere / "old.yaml").read_text("utf-8") == "old"


def test_what_is_no_plain_file_is_neither_read_nor_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    with open(tmp_path / "huge.yaml", "wb") as stream:
        stream.truncate(files.LARGEST * 5)
    for name in ("pipe.yaml", "folder.yaml", "huge.yaml"):
        with pytest.raises(files.Unreadable):
            files.read_file(tmp_path, name)
    for name in ("pipe.yaml", "folder.yaml"):
        with pytest.raises(files.Unreadable):
            files.save_file(tmp_path, name, "x", "")
