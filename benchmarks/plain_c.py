"""Builds the yardsticks written by hand in C, `plain_GAME.c`, and plays them."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from benchmarks.figures import Skipped, Unmeasured
from rulelang.compiler.backends.native.build import Compiler, available_compilers

FOLDER = Path(__file__).resolve().parent
PLAYERS = 4
#: Flags beside those of the native backend. Which make the faster code depends on compiler and machine.
FLAGS = ((), ("-march=native",), ("-O3",), ("-O3", "-march=native"))
#: Games of one trial of the flags, and trials of each.
TRIAL, TRIALS = 5000, 3


@dataclass(frozen=True, slots=True)
class Totals:
    """Of a number of games: choices between several options, choices of one, rounds, and points by seat."""

    decisions: int
    forced: int
    rounds: int
    points: tuple[int, ...]


class PlainC:
    """The yardstick, built with one compiler and some flags. Unmeasured if the compiler makes nothing of them."""

    def __init__(self, game: str, compiler: Compiler, flags: tuple[str, ...] = ()) -> None:
        levels = [flag for flag in (*compiler.command, *flags) if flag.startswith("-O")]
        self.title = " ".join((compiler.title, levels[-1], *[flag for flag in flags if flag not in levels]))
        source = FOLDER / f"plain_{game}.c"
        # Windows keeps a loaded library from being deleted.
        with tempfile.TemporaryDirectory(prefix="rulelang-bench-", ignore_cleanup_errors=True) as folder:
            made = Path(folder, "plain.so")
            command = [*compiler.command, *flags, "-o", str(made), str(source)]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            if done.returncode or not made.is_file():
                said = (done.stderr.strip() or "nothing").splitlines()
                raise Unmeasured(f"{self.title} could not build {source.name}, saying: {said[0]}")
            self._play = ctypes.CDLL(str(made)).plain_play
        self._play.restype = ctypes.c_longlong

    def play(self, seed: int, games: int) -> Totals:
        found = (ctypes.c_longlong * (3 + PLAYERS))()
        self._play(ctypes.c_ulonglong(seed), ctypes.c_longlong(games), found)
        decisions, forced, rounds, *points = found
        return Totals(decisions, forced, rounds, tuple(points))


def quickest(game: str) -> PlainC:
    """The yardstick of a game, built with the compiler that the native backend uses, with those of the FLAGS that make
    it fastest. Skipped where there is no compiler, Unmeasured where it fails."""
    found = available_compilers()
    if not found:
        raise Skipped("no C compiler was found")
    built = [PlainC(game, found[0])]
    for flags in FLAGS[1:]:
        try:
            built.append(PlainC(game, found[0], flags))
        except (Unmeasured, OSError):  # it does not know the flag, or made code that does not load here
            continue
    times: list[list[float]] = [[] for _ in built]
    for trial in range(TRIALS):
        for plain, taken in zip(built, times, strict=True):
            begin = process_time()
            plain.play(trial, TRIAL)
            taken.append(process_time() - begin)
    return min(zip(built, times, strict=True), key=lambda pair: min(pair[1]))[0]
