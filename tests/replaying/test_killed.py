"""Killed at any moment, the program loses nothing that it told as written, and nothing half written is ever read."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulelang.loading import load
from rulelang.replaying.again import parting
from rulelang.replaying.reading import ReplayError, read
from tests.replaying.games import dice

#: How often each is killed; 500 take some minutes.
ROUNDS = int(os.environ.get("RULELANG_KILLS", "12"))

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL here")]

#: Saves the game again and again, after each move; tells how many moves the file has when it is there.
SAVING = """
import sys
from pathlib import Path
from rulelang.base.files import write_whole
from rulelang.loading import load
game, path = load(sys.argv[1]), Path(sys.argv[2])
for seed in range(10_000):
    state = game.new(2, seed)
    while not state.over:
        state.play(0)
        write_whole(path, state.save())
        print(seed, len(state.choices), flush=True)
"""
#: Records game upon game, and tells of each move that is written.
RECORDING = """
import sys
from pathlib import Path
from rulelang.loading import load
from rulelang.replaying.writing import ReplayWriter
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
from rulelang.modding.packing import pack
while True:
    pack(Path(sys.argv[1]), (), Path(sys.argv[2]))
    print("packed", flush=True)
"""


def killed(script: str, arguments: Sequence[Path], chance: random.Random, **environment: str) -> list[str]:
    """Run a script, kill it at some moment after its first line; the whole lines that it told."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE, text=True, env=os.environ | environment | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first, "it ended before it had begun"
    time.sleep(chance.random() * 0.05)
    process.send_signal(signal.SIGKILL)
    told = first + process.stdout.read()
    process.wait()
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
        assert all(parting(game, one) is None for one in found.games[-3:])


def test_the_cache(tmp_path: Path) -> None:
    """What was being kept is there whole, or made again."""
    folder, chance = dice(tmp_path / "tiny"), random.Random(3)
    check = "import sys\nprint('begun', flush=True)\nfrom rulelang.cli.main import main\nmain(['check', sys.argv[1]])"
    for number in range(ROUNDS):
        cache = {"RULELANG_CACHE": str(tmp_path / f"cache{number % 3}")}
        (folder / "game.rules").write_text((folder / "game.rules").read_text("utf-8") + f"# {number}\n", "utf-8")
        killed(check, (folder,), chance, **cache)
        done = subprocess.run([sys.executable, "-m", "rulelang", "check", str(folder)], capture_output=True, text=True,
                              env=os.environ | cache, check=False)  # fmt: skip
        assert (done.returncode, "no mistakes" in done.stdout) == (0, True), done.stdout + done.stderr


def test_packing(tmp_path: Path) -> None:
    folder, chance = dice(tmp_path / "tiny"), random.Random(4)
    target = tmp_path / "tiny.zip"
    for _ in range(ROUNDS):
        killed(PACKING, (folder, target), chance)
        assert load(target).id == "tiny"
        with zipfile.ZipFile(target) as archive:
            assert archive.testzip() is None
