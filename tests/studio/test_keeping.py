"""What was said `done` to is on the disk: the server may be killed at any moment."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.studio.helpers import KEY, client, site
from tests.studio.test_rooms import PEBBLES, Seated, begin, enter, hub_of

SERVER = """
import sys, uvicorn
from pathlib import Path
from rulelang.apps.studio.app import make_app
from rulelang.apps.studio.app import listening_socket, server_config, server_url
from rulelang.apps.studio.guard import Site
sock = listening_socket("127.0.0.1", 0)
app = make_app(Site("{key}", folder=Path({folder!r}), kept=Path(sys.argv[1])))
print(server_url(sock), flush=True)
uvicorn.Server(server_config(app)).run(sockets=[sock])
"""


def test_rooms_are_there_again(tmp_path: Path) -> None:
    """A copy of the file, made while the server runs, is what a crash would leave."""
    kept = tmp_path / "rooms.db"
    given = site(tmp_path, folder=Path(PEBBLES), kept=kept)
    with client(given) as asked:
        assert kept.stat().st_mode & 0o077 == 0
        made = begin(asked, "you", "open")
        with enter(asked, made["room"], made["invite"]) as guest:
            token = guest.say("sit", seat=2, name="Bea")["token"]
        with enter(asked, made["room"], made["token"]) as ana, enter(asked, made["room"], token) as bea:
            for _ in range(4):
                one = ana if ana.table["question"].get("options") else bea
                at = one.moves
                assert one.say("play", at=at, option=0)["t"] == "done"
                ana.until(at + 1)
                bea.until(at + 1)
            assert bea.say("undo")["t"] == "done" or ana.say("undo")["t"] == "done"
            ana.until_told_again()
            before = (ana.table, ana.log)
        (tmp_path / "crash").mkdir()
        for path in tmp_path.glob("rooms.db*"):
            shutil.copy(path, tmp_path / "crash")
    with client(site(tmp_path, folder=Path(PEBBLES), kept=tmp_path / "crash" / "rooms.db")) as asked:
        assert hub_of(asked).troubles == []
        with enter(asked, made["room"], made["token"]) as ana:
            assert (ana.table, ana.log, ana.moves) == (*before, 3)


def test_a_room_of_other_rules_is_not_opened(tmp_path: Path) -> None:
    folder = tmp_path / "pebbles"
    shutil.copytree(PEBBLES, folder)
    given = site(tmp_path, folder=folder, kept=tmp_path / "rooms.db")
    with client(given) as asked:
        made = begin(asked, "you", "first")
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("only {pile} are left", "there are {pile}"), "utf-8")
    with client(given) as asked:
        assert hub_of(asked).rooms == {}
        assert hub_of(asked).troubles == [f"room {made['room']}: its game was started with other rules"]


@pytest.mark.parametrize("record", ["{}", "[]", "7", '{"spec": 3}', '{"spec": {"game": "x"}}'])
def test_a_room_whose_record_is_damaged_is_not_opened(record: str, tmp_path: Path) -> None:
    """It is told in our words, and not in those of Python."""
    given = site(tmp_path, folder=Path(PEBBLES), kept=tmp_path / "rooms.db")
    with client(given) as asked:
        made = begin(asked, "you", "first")
    with closing(sqlite3.connect(tmp_path / "rooms.db")) as kept:
        kept.execute("update rooms set record = ?", (record,))
        kept.commit()
    with client(given) as asked:
        assert hub_of(asked).rooms == {}
        told = f"room {made['room']}: its saved data is not valid"
        assert hub_of(asked).troubles == [told]


class Wire:
    """A real connection, as `Seated` takes it."""

    def __init__(self, where: str, room: str, key: str) -> None:
        address = f"{where.replace('http', 'ws')}/rooms/{room}"
        self.socket = connect(address, subprotocols=["rulelang", f"key.{key}"])  # type: ignore[list-item]

    def send_json(self, said: object) -> None:
        self.socket.send(json.dumps(said))

    def receive_text(self) -> str:
        return str(self.socket.recv(timeout=20))


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(4))
def test_no_move_that_was_acknowledged_is_lost(tmp_path: Path, round_: int) -> None:
    """Killed with SIGKILL, between two moves or in one."""
    kept, chance = tmp_path / "rooms.db", Random(round_)

    def start() -> tuple[subprocess.Popen[str], str]:
        text = SERVER.format(key=KEY, folder=PEBBLES)
        run = subprocess.Popen([sys.executable, "-c", text, str(kept)], stdout=subprocess.PIPE, text=True)
        assert run.stdout is not None
        return run, run.stdout.readline().strip()

    run, where = start()
    body = {"game": "pebbles", "seats": ["you", "first"], "seed": 4, "speed": 0, "options": {"pebbles": 30}}
    head = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{where}/api/rooms", json.dumps(body).encode(), head)
    ) as answer:
        made = json.load(answer)
    done: list[int] = []
    seated = Seated(Wire(where, made["room"], made["token"]))  # type: ignore[arg-type]
    threading.Timer(chance.uniform(0.02, 0.3), lambda: os.kill(run.pid, signal.SIGKILL)).start()

    def answer_on() -> None:
        while True:
            seated.until_asked(after=done[-1] if done else -1)
            at = seated.moves
            if seated.say("play", at=at, option=0)["t"] == "done":
                done.append(at)
            time.sleep(chance.uniform(0, 0.02))

    with pytest.raises(ConnectionClosed):
        answer_on()
    run.wait(10)
    run, where = start()
    try:
        again = Seated(Wire(where, made["room"], made["token"]))  # type: ignore[arg-type]
        assert done
        assert again.moves > done[-1]
        assert sum("Ana takes" in line for line in again.log) >= len(done)
    finally:
        run.kill()
        run.wait(10)
