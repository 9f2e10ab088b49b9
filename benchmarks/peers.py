"""Other engines on games like ours, on this machine: `make bench-peers`, or `python -m benchmarks.peers`.

Leduc poker (`benchmarks/leduc`) is the same game everywhere; of the large ones those are told that are nearest: cards,
hidden hands, many choices. Sides take turns in short rounds, and the median of the rounds' ratios is told. Seconds are
of the processor, of all threads. The other engines are installed into a virtual environment of theirs, `build/peers`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

import rulelang
from benchmarks.plain_c import FOLDER
from rulelang.apps.envs import VectorEnv

ROOT = FOLDER.parent
PEERS = ROOT / "build" / "peers"
WORKER = FOLDER / "peers_worker.py"
PACKAGES = ("open_spiel", "pgx")
ROUNDS, SECONDS = 21, 0.1
#: Games at once in arrays, as many as PGX plays.
BATCH = 1024
#: Plays for about so many seconds of the processor: moves a second.
Rate = Callable[[float], float]


def rated(play: Callable[[], int]) -> Rate:
    def rate(seconds: float) -> float:
        moves, begun = 0, time.process_time()
        while time.process_time() - begun < seconds:
            moves += play()
        return moves / (time.process_time() - begun)

    return rate


def one_by_one(game: Any, players: int, backend: str) -> Rate:
    """Move by move from Python."""
    chance = Random(1)

    def play() -> int:
        moves, state = 0, game.new(players=players, seed=chance.getrandbits(30), backend=backend, log=False)
        while not state.over:
            state.play(int(chance.random() * state.option_count))
            moves += 1
        return moves

    return rated(play)


def in_arrays(game: Any, players: int) -> Rate:
    """A batch of games at once, in numpy arrays; ids of moves, not moves, are counted as steps."""
    env = VectorEnv(game, BATCH, players=players, observations=False)
    env.reset(1)

    def play() -> int:
        env.step(env.sample())
        return BATCH

    return rated(play)


def inside(game: Any, players: int) -> Rate:
    """Random games in the library, thousands in a call."""
    program = game.table(players, None, "native").program
    seeds = Random(1)

    def play() -> int:
        return sum(row[0] for row in program.play_many(seeds.getrandbits(30), 0, 200, 1))

    return rated(play)


class Worker:
    """The process that has the other engines."""

    def __init__(self) -> None:
        python = PEERS / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        if not python.exists():
            venv.create(PEERS, with_pip=True)
        for package in PACKAGES:  # each by itself: where one does not install, the other is measured
            subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=False)
        self.process = subprocess.Popen([python, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def rate(self, name: str, seconds: float) -> float | str:
        """Moves a second, or why there is none."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{name} {seconds}\n")
        self.process.stdin.flush()
        told = json.loads(self.process.stdout.readline())
        return told.get("skipped") or float(told["moves"]) / float(told["seconds"])

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(title: str, ours: Rate, peer: str, worker: Worker, rounds: int, seconds: float) -> list[str]:
    """One line of the table."""
    ours(seconds)
    pairs = []
    for number in range(rounds):
        mine = ours(seconds) if number % 2 else 0.0
        theirs = worker.rate(peer, seconds)
        if isinstance(theirs, str):
            return [title, peer, "", "", theirs]
        pairs.append((mine or ours(seconds), theirs))
    ratio = median(mine / theirs for mine, theirs in pairs)
    rates = (f"{median(side):,.0f}" for side in zip(*pairs, strict=True))
    return [title, peer, *rates, f"{ratio:,.3g} x"]


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.partition("\n")[0])
    asked.add_argument("--rounds", type=int, default=ROUNDS)
    asked.add_argument("--seconds", type=float, default=SECONDS)
    given = asked.parse_args()
    leduc, origin, evolution = (rulelang.load(name) for name in (FOLDER / "leduc", "origin_of_species", "evolution"))
    worker = Worker()
    rows = [
        ("Leduc poker, move by move from Python, native", one_by_one(leduc, 2, "native"), "openspiel leduc"),
        ("Leduc poker, move by move, Python backend", one_by_one(leduc, 2, "python"), "openspiel leduc"),
        ("The Origin of Species, move by move, native", one_by_one(origin, 4, "native"), "openspiel gin_rummy"),
        ("Evolution, move by move, native", one_by_one(evolution, 4, "native"), "openspiel hearts"),
        (f"Leduc poker, {BATCH} games in arrays", in_arrays(leduc, 2), "pgx leduc"),
        ("Leduc poker, games in the library", inside(leduc, 2), "pgx leduc"),
        (f"Evolution, {BATCH} games in arrays", in_arrays(evolution, 4), "pgx sparrow_mahjong"),
        ("Evolution, games in the library", inside(evolution, 4), "pgx sparrow_mahjong"),
    ]
    print("| rulelang | beside | moves a second | theirs | ratio |\n|---|---|---:|---:|---:|")
    for title, ours, peer in rows:
        print("| " + " | ".join(compare(title, ours, peer, worker, given.rounds, given.seconds)) + " |", flush=True)
    worker.close()


if __name__ == "__main__":
    main()
