"""Measure how fast a game's WebAssembly plays random games in Node, against the native backend.

`python -m benchmarks.wasm [GAME ...]`. Both play in turn, each round for about as much processor time.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks.rates import PLAYERS, RULESETS

ROUNDS, SECONDS = 7, 0.8
#: Each line of input is a seed: plays games from it on until the time is up, and answers games per processor second.
PLAYER = """
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
const { load } = await import(pathToFileURL(process.argv[2])), seconds = Number(process.argv[3]);
const table = await load(), { rules, at, data } = table;
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const initial = Int32Array.from(data.initial), { rng_x, policy_x } = data.cells;
for await (const line of createInterface({ input: process.stdin })) {
    const start = spent();
    let games = 0;
    while (spent() - start < seconds) {
        for (let i = 0; i < 20; i++) {
            initial[rng_x] = initial[policy_x] = (Number(line) + games++) & 0x3fffffff;
            new Int32Array(rules.memory.buffer, at.words, data.size).set(initial);
            rules.rl_playout(at.context, at.words, 1n);
        }
    }
    console.log(games / (spent() - start));
}
"""


def main(wanted: list[str]) -> int:
    node = shutil.which("node")
    if node is None:
        print("skipped: node is not installed")
        return 1
    for ruleset in RULESETS:
        if ruleset.there and not ruleset.under and (not wanted or ruleset.id in wanted):
            ours, theirs = rounds(node, ruleset.id)
            pairs = [a / b for a, b in zip(ours, theirs, strict=True)]
            print(
                f"{ruleset.id}: WebAssembly {median(ours):,.0f} games/s, native {median(theirs):,.0f}; "
                f"{median(pairs):.2f}x, {len(pairs)} rounds from {min(pairs):.2f} to {max(pairs):.2f}"
            )
    return 0


def rounds(node: str, game: str) -> tuple[list[float], list[float]]:
    """Return games per second of WebAssembly and of native code, by round."""
    from rulelang.compiler.backends.wasm.export import export
    from rulelang.compiler.compilation import Compilation
    from rulelang.runtime.table import choose_options

    compilation = Compilation(game)
    options = choose_options(compilation.summary.options, PLAYERS, None)
    native: Any = compilation.link(PLAYERS, options, "native")
    with tempfile.TemporaryDirectory() as folder:
        export(compilation.ready(PLAYERS, options, target="native"), {"players": PLAYERS}, Path(folder))
        player = Path(folder, "player.mjs")
        player.write_text(PLAYER, encoding="ascii")
        with subprocess.Popen(
            [node, player, Path(folder, "rulelang.mjs"), str(SECONDS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdin is not None
            assert process.stdout is not None
            ours, theirs = [], []
            for round_ in range(ROUNDS + 1):
                process.stdin.write(f"{round_}\n")
                process.stdin.flush()
                ours.append(float(process.stdout.readline()))
                start, games = process_time(), 0
                while process_time() - start < SECONDS:
                    native.play_many(round_, games, 20)
                    games += 20
                theirs.append(games / (process_time() - start))
            process.stdin.close()
    return ours[1:], theirs[1:]  # the first round warms up


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
