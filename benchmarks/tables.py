"""How many tables one server on one core holds: `python -m benchmarks.tables [--tables N] [--seconds S]`.

Each table has four seats with a connection each, and makes one move a second. Told are, for moves, how long it takes
from the answer to its acknowledgement (it is on the disk then), and until the one who is asked next has the table
before him. Clients run beside the server, on another core if there is one. What the server computes for a move is told
too (all of it: four seats are told of each): where other programs are busy, it says more than the times.
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
from pathlib import Path
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from rulelang.present import patched

#: Seconds in which all should have come in and been sent whole tables, after which it goes on for a while before it is
#: measured.
COMING, WARMING = 300.0, 3.0
KEY, SEATS = "the-benchmark", 4
SERVER = """
import os, sys, uvicorn
from pathlib import Path
from rulelang.studio.app import make_app
from rulelang.studio.serving import listening, settings, url
from rulelang.studio.site import Site
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
sock = listening("127.0.0.1", 0)
app = make_app(Site(sys.argv[1], kept=Path(sys.argv[2]), game=sys.argv[3], backend=sys.argv[4]))
print(url(sock), flush=True)
uvicorn.Server(settings(app)).run(sockets=[sock])
"""


@dataclass(slots=True)
class Measured:
    """Seconds: from an answer to its acknowledgement, and to the next question on somebody's screen. `here`: how many
    have come in; `until`: when they go."""

    kept: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    here: int = 0
    until: float = float("inf")


class Table:
    """Four connections to one room, which answer at random, a second after the table moved on."""

    def __init__(self, where: str, made: dict[str, Any], keys: Sequence[str], found: Measured) -> None:
        self.address = f"{where.replace('http', 'ws')}/rooms/{made['room']}"
        self.keys, self.found = keys, found
        self.sent = 0.0
        self.number = -1
        self.chance = random.Random(made["room"])

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for key in self.keys:
                group.create_task(self.seat(key))

    async def seat(self, key: str) -> None:
        said = [Subprotocol("rulelang"), Subprotocol(f"key.{key}")]
        async with connect(
            self.address, subprotocols=said, compression=None, max_size=None, open_timeout=COMING, ping_interval=None
        ) as socket:
            await socket.send(json.dumps({"t": "hello", "lang": "en"}))
            answering: asyncio.Task[None] | None = None
            table: dict[str, Any] = {"question": None, "over": False}
            while time.monotonic() < self.found.until:
                try:
                    text = await asyncio.wait_for(socket.recv(), 2)
                except TimeoutError:
                    continue
                if '"done"' in text[:40]:
                    self.found.kept.append(time.monotonic() - self.sent)
                    continue
                news = orjson.loads(text)
                read(table, news)
                self.found.here += "table" in news
                options = (table["question"] or {}).get("options") if "moves" in news else None
                if options and not table["over"] and news["moves"] > self.number:
                    if self.sent:
                        self.found.shown.append(time.monotonic() - self.sent)
                    self.number = news["moves"]
                    answering = asyncio.create_task(self.answer(socket, self.number, len(options)))
            if answering is not None:
                answering.cancel()

    async def answer(self, socket: ClientConnection, at: int, options: int) -> None:
        late = time.monotonic() - self.sent if self.sent else self.chance.random()
        await asyncio.sleep(max(1.0 - late, 0.0))
        self.sent = time.monotonic()
        await socket.send(json.dumps({"t": "play", "id": at + 1, "at": at, "option": self.chance.randrange(options)}))


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
    with tempfile.TemporaryDirectory() as folder:
        kept = str(Path(folder) / "tables.db")
        run = subprocess.Popen(
            [sys.executable, "-c", SERVER, KEY, kept, game, backend], stdout=subprocess.PIPE, text=True
        )
        try:
            assert run.stdout is not None
            where = run.stdout.readline().strip()
            rooms = [opened(where, game) for _ in range(tables)]
            found = Measured()
            busy = asyncio.run(all_tables(where, rooms, found, seconds, run.pid))
            lasted = seconds
            return {
                "tables": tables,
                "moves a second": len(found.kept) / lasted,
                "kept p50 ms": quantile(found.kept, 50),
                "kept p99 ms": quantile(found.kept, 99),
                "shown p50 ms": quantile(found.shown, 50),
                "shown p99 ms": quantile(found.shown, 99),
                "of its core %": 100 * (cpu(run.pid) - busy) / lasted,
                "ms a move": 1e3 * (cpu(run.pid) - busy) / max(len(found.kept), 1),
                "MiB": memory(run.pid),
            }
        finally:
            run.kill()
            run.wait()


async def all_tables(
    where: str, rooms: Sequence[tuple[dict[str, Any], list[str]]], found: Measured, seconds: float, pid: int
) -> float:
    """Play for so long, and a while before that is not measured: until all have come in. What the server had computed
    until then, seconds."""
    latest = time.monotonic() + COMING
    async with asyncio.TaskGroup() as group:
        for made, keys in rooms:
            group.create_task(Table(where, made, keys, found).run())
        while found.here < sum(len(keys) for _, keys in rooms) and time.monotonic() < latest:
            await asyncio.sleep(0.1)
        await asyncio.sleep(WARMING)
        found.kept.clear()
        found.shown.clear()
        found.until = time.monotonic() + seconds
        return cpu(pid)


def quantile(values: Sequence[float], of: int) -> float:
    return 1e3 * statistics.quantiles(values, n=100)[of - 1] if len(values) > 1 else float("nan")


def cpu(pid: int, *, children: bool = False) -> float:
    """Seconds that a process has computed, and its `children` that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11 : 15 if children else 13]) / os.sysconf("SC_CLK_TCK")


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
