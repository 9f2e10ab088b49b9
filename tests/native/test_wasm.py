"""The same C, built for WebAssembly and run by Node, plays the games of the Python backend with 32-bit addresses."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from rulelang.backends.native.emit import emit
from rulelang.backends.python.link import PythonProgram
from rulelang.compile import Compilation
from rulelang.engine.options import choose_options
from rulelang.engine.rng import game_seed
from tests.native.test_same_games import RULESETS, fresh

NODE = shutil.which("node")
GAMES, BY_DECISIONS = 200, 5
QUICK = ("evolution", "origin_of_species")  # the others take half a minute to a minute each
#: As decision 23 gives it. The stack is that of a native program.
BUILD = (
    *("-target", "wasm32-freestanding", "-std=c99", "-w", "-O2", "-fwrapv", "-fvisibility=hidden", "-nostdlib"),
    *("-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,-z,stack-size=8388608"),
)


def packed(words: list[int]) -> bytes:
    return struct.pack(f"<{len(words)}i", *words)


@pytest.mark.skipif(
    find_spec("ziglang") is None, reason="the package ziglang, which builds for WebAssembly, is not here"
)
@pytest.mark.skipif(NODE is None, reason="node, which runs WebAssembly, is not here")
@pytest.mark.parametrize(
    "ruleset", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in RULESETS]
)
def test_the_same_games_in_webassembly(ruleset: str, tmp_path: Path) -> None:
    compilation = Compilation(ruleset)
    players = min(4, compilation.summary.players[1])
    options = choose_options(compilation.summary.options, players, None)
    module, python = compilation.ready(players, options), compilation.link(players, options, "python")
    assert isinstance(python, PythonProgram)
    source, library = tmp_path / "rules.c", tmp_path / "rules.wasm"
    source.write_text(emit(module).source, encoding="ascii")
    subprocess.run([sys.executable, "-m", "ziglang", "cc", *BUILD, "-o", library, source], check=True)
    c = python.layout.cells
    cells = (c.rng_x, c.rng_c, c.policy_x, c.policy_c)
    starts = [fresh(python, game_seed(6, index)) for index in range(GAMES)]
    seeds = [[S[cell] for cell in cells] for S in starts]
    job = {"initial": python.initial, "cells": cells, "playouts": seeds, "decisions": seeds[:BY_DECISIONS]}
    done = subprocess.run(
        [str(NODE), Path(__file__).with_name("wasm_games.mjs"), library],
        input=json.dumps(job), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    playouts, samples, decided = json.loads(done.stdout)
    for index, start in enumerate(starts):
        for play, hashes in ((python.playout, playouts), (python.sample, samples)):
            S = start.copy()
            play(S)
            assert hashes[index] == hashlib.sha256(packed(S)).hexdigest(), (play, index)
    for start, found in zip(starts, decided, strict=False):
        S, hashed, number = start.copy(), hashlib.sha256(), 0
        listed = python.begin(S, None)
        hashed.update(packed(S))
        while listed is not None:
            listed = python.resume(S, None, listed[(number * 7919 + 13) % len(listed)])
            hashed.update(packed(S))
            number += 1
        assert found == hashed.hexdigest()
