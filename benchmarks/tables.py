"""How many tables one server on one core holds: `python -m benchmarks.tables [--tables N] [--seconds S]`.

Each table has four seats with a connection each, and makes one move a second. Told are how long it takes from an answer
to its acknowledgement (`kept`: it is on the disk then), until the one who is asked next has the table before him
(`next`), and until those have it who neither moved nor are asked (`others`), with how many of a hundred positions the
others were not told because there was a newer one when it was their turn. Clients run beside the server, on the other
cores if there are any; `client %` is what they take of theirs, and where that is near 100 the times are theirs. What
the server computes for a move is told too (all of it: four seats are told of each): where other programs are busy, it
says more than the times.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import orjson
import uvloop
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from rulelang.presentation.view import patched

#: Seconds in which all should have come in and been sent whole tables, after which it goes on for a while before it is
#: measured.
COMING, WARMING = 300.0, 10.0
KEY, SEATS = "the-benchmark", 4
SERVER = """
import os, sys, uvicorn
from pathlib import Path
from rulelang.apps.studio.app import make_app
from rulelang.apps.studio.app import listening_socket, server_config, server_url
from rulelang.apps.studio.guard import Site
os.sched_setaffinity(0, {int(sys.argv[5])})
sock = listening_socket("127.0.0.1", 0)
app = make_app(Site(sys.argv[1], kept=Path(sys.argv[2]), game=sys.argv[3], backend=sys.argv[4]))
print(server_url(sock), flush=True)
uvicorn.Server(server_config(app)).run(sockets=[sock])
"""


@dataclass(slots=True)
class Measured:
    """Seconds: from an answer to its acknowledgement, and to the table it led to before who is asked next, and before
    the others. `skipped`: positions that these were not told; `here`: how many have come in; `over`: that nobody
    answers any more."""

    kept: list[float] = field(default_factory=list)
    next: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    skipped: int = 0
    here: int = 0
    over: bool = False

    def clear(self) -> None:
        self.skipped = 0
        for times in (self.kept, self.next, self.others):
            times.clear()


class Table:
    """Four connections to one room, which answer at random, a second after the table moved on, from `begin` on."""

    def __init__(self, where: str, made: dict[str, Any], found: Measured) -> None:
        self.address = f"{where.replace('http', 'ws')}/rooms/{made['room']}"
        self.found = found
        self.number = -1  # of the position that is answered
        self.sent: dict[int, float] = {}  # when the answer was sent that led there, of the last positions
        self.turn: tuple[Seat, int, int] | None = None  # who is asked, at which position, and how many options
        self.chance = random.Random(made["room"])

    def asked(self, seat: Seat, number: int, options: int) -> None:
        """A seat has a question before it."""
        if number <= self.number:
            return
        self.number = number
        self.turn = seat, number, options
        if number in self.sent:
            self.answer_in(1.0 - (time.monotonic() - self.sent[number]))

    def begin(self) -> None:
        if self.turn is not None:
            self.answer_in(self.chance.random())

    def answer_in(self, seconds: float) -> None:
        assert self.turn is not None
        asyncio.get_running_loop().call_later(max(seconds, 0.0), self.answer, *self.turn)

    def answer(self, seat: Seat, at: int, options: int) -> None:
        if self.found.over:
            return
        self.sent[at + 1] = time.monotonic()
        self.sent.pop(at - 50, None)
        seat.say({"t": "play", "id": at + 1, "at": at, "option": self.chance.randrange(options)})


class Seat(asyncio.Protocol):
    """One connection, which costs as little as can be: thousands of them share a process."""

    def __init__(self, table: Table, key: str) -> None:
        said = [Subprotocol("rulelang"), Subprotocol(f"key.{key}")]
        self.wire = ClientProtocol(parse_uri(table.address), subprotocols=said, max_size=None)
        self.table = table
        self.known: dict[str, Any] = {"question": None, "over": False}
        self.told, self.moved = -1, -1  # the last position that it was told of, and that it made
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.wire.send_request(self.wire.connect())
        self.flush()

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        self.wire.receive_data(data)
        for event in self.wire.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self.hear(bytes(event.data), now)
            elif self.wire.handshake_exc is None:
                self.say({"t": "hello", "lang": "en"})
            else:
                raise self.wire.handshake_exc
        self.flush()

    def flush(self) -> None:
        data = b"".join(self.wire.data_to_send())
        if data:
            self.transport.write(data)

    def say(self, message: dict[str, Any]) -> None:
        self.wire.send_text(orjson.dumps(message))
        self.flush()

    def hear(self, text: bytes, now: float) -> None:
        table, found = self.table, self.table.found
        news = orjson.loads(text)
        if news["t"] != "room":
            assert news["t"] == "done", news
            self.moved = news["id"]
            found.kept.append(now - table.sent[self.moved])
            return
        read(self.known, news)
        found.here += "table" in news
        if "moves" not in news:
            return
        number, before, self.told = news["moves"], self.told, news["moves"]
        options = (self.known["question"] or {}).get("options")
        if number in table.sent:
            if options:
                found.next.append(now - table.sent[number])
            elif self.moved != number:
                found.others.append(now - table.sent[number])
                found.skipped += max(number - before - 1, 0) if before >= 0 else 0
        if options and not self.known["over"]:
            table.asked(self, number, len(options))


def read(table: dict[str, Any], news: dict[str, Any]) -> None:
    """Keep of a table what is asked, and whether it is over: 4,000 whole ones would take gigabytes."""
    change = news.get("patch") or {}
    for name in table:
        if "table" in news:
            table[name] = news["table"][name]
        elif name in change.get("in", {}):
            table[name] = patched(table[name], change["in"][name])


def opened(where: str, game: str) -> tuple[dict[str, Any], list[str]]:
    """A room whose four seats are taken, with the keys of them."""
    body = json.dumps({"game": game, "seats": ["you"] * SEATS, "speed": 0}).encode()
    head = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{where}/api/rooms", body, head)) as answer:
        made = json.load(answer)
    return made, made["tokens"]


def measure(game: str, tables: int, seconds: float, backend: str) -> dict[str, float]:
    """The figures of one run."""
    cores = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder:
        kept = str(Path(folder) / "tables.db")
        run = subprocess.Popen(
            [sys.executable, "-c", SERVER, KEY, kept, game, backend, str(min(cores))], stdout=subprocess.PIPE, text=True
        )
        os.sched_setaffinity(0, cores - {min(cores)} or cores)
        try:
            assert run.stdout is not None
            where = run.stdout.readline().strip()
            found = Measured()
            lasted, busy, own = uvloop.run(all_tables(where, game, tables, found, seconds, run.pid))
            told = len(found.others)
            return {
                "tables": tables,
                "moves/s": len(found.kept) / lasted,
                "core %": 100 * busy / lasted,
                "ms a move": 1e3 * busy / max(len(found.kept), 1),
                **quantiles("kept", found.kept),
                **quantiles("next", found.next),
                **quantiles("others", found.others),
                "skipped %": 100 * found.skipped / max(told + found.skipped, 1),
                "client %": 100 * own / lasted,
                "MiB": memory(run.pid),
            }
        finally:
            run.kill()
            run.wait()
            os.sched_setaffinity(0, cores)


async def all_tables(
    where: str, game: str, tables: int, found: Measured, seconds: float, pid: int
) -> tuple[float, float, float]:
    """Play for so long, and a while before that is not measured: until all have come in. How long it lasted, and what
    the server and this process computed in it, seconds."""
    loop = asyncio.get_running_loop()
    host, port = urlsplit(where).hostname or "", urlsplit(where).port or 0
    rooms = []
    for _ in range(tables):
        made, keys = await asyncio.to_thread(opened, where, game)
        rooms.append(table := Table(where, made, found))
        await asyncio.gather(*(loop.create_connection(partial(Seat, table, key), host, port) for key in keys))
    async with asyncio.timeout(COMING):
        while found.here < tables * SEATS:
            await asyncio.sleep(0.1)
    for table in rooms:
        table.begin()
    await asyncio.sleep(WARMING)
    found.clear()
    before = time.monotonic(), computed(pid), time.process_time()
    await asyncio.sleep(seconds)
    lasted = time.monotonic() - before[0], computed(pid) - before[1], time.process_time() - before[2]
    found.over = True
    return lasted


def quantiles(name: str, times: Sequence[float]) -> dict[str, float]:
    """Within how many milliseconds 50 and 99 of 100 were."""
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else [float("nan")] * 99
    return {f"{name} p50": 1e3 * cuts[49], f"p99 {name}": 1e3 * cuts[98]}


def cpu(pid: int, *, children: bool = False) -> float:
    """Seconds that a process has computed, and its `children` that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11 : 15 if children else 13]) / os.sysconf("SC_CLK_TCK")


def computed(pid: int) -> float:
    """Seconds that the threads of a process have computed that are there now: `cpu` counts hundredths."""
    times = [path.read_text().split()[0] for path in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    return sum(int(time) for time in times) / 1e9


def memory(pid: int) -> float:
    """Resident memory of a process, MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--game", default="evolution")
    asked.add_argument("--tables", type=int, nargs="+", default=[10, 25, 50, 100])
    asked.add_argument("--seconds", type=float, default=15)
    asked.add_argument("--backend", default="native")
    given = asked.parse_args()
    for count in given.tables:
        figures = measure(given.game, count, given.seconds, given.backend)
        print("  ".join(f"{name} {value:.1f}" for name, value in figures.items()), flush=True)


if __name__ == "__main__":
    main()
