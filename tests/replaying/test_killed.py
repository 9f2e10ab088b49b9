"""Killed at any moment, the program loses nothing that it told as written, and nothing half written is ever read."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.testing.replay import ReplayError, find_divergence, read
from tests.replaying.games import dice

#: How often each of the four is killed: 500 times in all.
ROUNDS = int(os.environ.get("RULELANG_KILLS", "125"))

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL here")]

#: Saves the game again and again, after each move; tells how many moves the file has when it is there.
SAVING = """
import sys
from pathlib import Path
from rulelang.base.files import write_atomically
from rulelang.api import load
game, path = load(sys.argv[1]), Path(sys.argv[2])
for seed in range(10_000):
    state = game.new(2, seed)
    while not state.over:
        state.play(0)
        write_atomically(path, state.save())
        print(seed, len(state.choices), flush=True)
"""
#: Records game upon game, and tells of each move that is written.
RECORDING = """
import sys
from pathlib import Path
from rulelang.api import load
from rulelang.testing.replay_writer import ReplayWriter
game = load(sys.argv[1])
writer = ReplayWriter(Path(sys.argv[2]), game.info)
moves = 0
for seed in range(10_000):
    state = game.new(2, seed)
    writer.begin(state)
    while not state.over:
        writer.move(state, 0)
        state.play(0)
        moves += 1
        print(moves, flush=True)
    writer.end(state)
"""
#: Packs a folder again and again.
PACKING = """
import sys
from pathlib import Path
from rulelang.tools.modding.listing import pack
while True:
    pack(Path(sys.argv[1]), (), Path(sys.argv[2]))
    print("packed", flush=True)
"""


def begun(script: str, arguments: Sequence[Path], **environment: str) -> tuple[int, int]:
    """Run a script in a process that is forked from this one, which has read the program already: its number, and what
    its output is read from."""
    reading, writing = os.pipe()
    number = os.fork()
    if number:
        os.close(writing)
        return number, reading
    code = 1
    try:
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        sys.stdout = sys.stderr = os.fdopen(1, "w")
        sys.argv = ["-c", *map(str, arguments)]
        os.environ.update(environment)
        try:
            exec(compile(script, "script", "exec"), {"__name__": "__main__"})
            code = 0
        except SystemExit as done:
            code = int(done.code or 0)
        sys.stdout.flush()
    finally:
        os._exit(code)  # nothing of the tests' own is to be done here


def read_all(reading: int) -> str:
    with open(reading, encoding="utf-8") as stream:
        return stream.read()


def killed(script: str, arguments: Sequence[Path], chance: random.Random, **environment: str) -> list[str]:
    """Run a script, kill it at some moment after its first line; the whole lines that it told."""
    number, reading = begun(script, arguments, **environment)
    first = b""
    while not first.endswith(b"\n"):
        part = os.read(reading, 1)
        assert part, f"it ended before it had begun: {first.decode()}"
        first += part
    time.sleep(chance.random() * 0.05)
    os.kill(number, signal.SIGKILL)
    told = first.decode() + read_all(reading)
    os.waitpid(number, 0)
    return told.split("\n")[:-1]


def test_saves(tmp_path: Path) -> None:
    folder, chance = dice(tmp_path / "tiny"), random.Random(1)
    game, path = load(folder), tmp_path / "game.json"
    for _ in range(ROUNDS):
        told = killed(SAVING, (folder, path), chance)
        seed, moves = map(int, told[-1].split())
        state = game.restore(path.read_bytes())
        assert state.seed is not None
        assert (state.seed, len(state.choices)) >= (seed, moves), "what was told as written is lost"


def test_records(tmp_path: Path) -> None:
    folder, chance = dice(tmp_path / "tiny"), random.Random(2)
    game, path = load(folder), tmp_path / "games.jsonl"
    for _ in range(ROUNDS):
        told = killed(RECORDING, (folder, path), chance)
        try:
            found = read(path)
        except ReplayError:
            pytest.fail("a replay that was killed cannot be read")
        assert found.moves >= int(told[-1])
        assert all(find_divergence(game, one) is None for one in found.games[-3:])


def test_the_cache(tmp_path: Path) -> None:
    """What was being kept is there whole, or made again."""
    folder, chance = dice(tmp_path / "tiny"), random.Random(3)
    check = (
        "import sys\nfrom rulelang.apps.cli.main import main\nprint('begun', flush=True)\nmain(['check', sys.argv[1]])"
    )
    for number in range(ROUNDS):
        cache = {"RULELANG_CACHE": str(tmp_path / f"cache{number % 3}")}
        (folder / "game.rules").write_text((folder / "game.rules").read_text("utf-8") + f"# {number}\n", "utf-8")
        killed(check, (folder,), chance, **cache)
        number_of, reading = begun(check, (folder,), **cache)
        said = read_all(reading)
        code = os.waitstatus_to_exitcode(os.waitpid(number_of, 0)[1])
        assert (code, "no mistakes" in said) == (0, True), said


def test_packing(tmp_path: Path) -> None:
    folder, chance = dice(tmp_path / "tiny"), random.Random(4)
    target = tmp_path / "tiny.zip"
    for _ in range(ROUNDS):
        killed(PACKING, (folder, target), chance)
        assert load(target).id == "tiny"
        with zipfile.ZipFile(target) as archive:
            assert archive.testzip() is None
