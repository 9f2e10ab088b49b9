"""How fast the JavaScript of a ruleset plays random games, against the native backend: `python -m benchmarks.javascript
[GAME ...]`. Both play in turn, each round for about as much processor time, in a Node process of its own; Node first
plays a few rounds that do not count, until V8 has compiled what is run often.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks.rates import PLAYERS, RULESETS

ROUNDS, WARM, SECONDS = 9, 4, 0.8
#: One line of input, a seed: games from it on until the time is up; answers games per second of its processor time.
PLAYER = """
import { createInterface } from "node:readline";
const rules = await import(process.argv[2]), seconds = Number(process.argv[3]);
const words = new Int32Array(rules.table.layout.size);
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
for await (const line of createInterface({ input: process.stdin })) {
    const start = spent();
    let games = 0;
    while (spent() - start < seconds) {
        for (let i = 0; i < 5; i++) rules.sample(rules.fresh(Number(line) + games++, true, words));
    }
    console.log(games / (spent() - start));
}
"""


def main(wanted: list[str]) -> int:
    node = shutil.which("node")
    if node is None:
        print("skipped: node is not here")
        return 1
    for ruleset in RULESETS:
        if ruleset.there and not ruleset.under and (not wanted or ruleset.id in wanted):
            ours, theirs = rounds(node, ruleset.id)
            pairs = [a / b for a, b in zip(ours, theirs, strict=True)]
            print(
                f"{ruleset.id}: JavaScript {median(ours):,.0f} games/s, native {median(theirs):,.0f}; "
                f"{median(pairs):.2f}x, {len(pairs)} rounds from {min(pairs):.2f} to {max(pairs):.2f}"
            )
    return 0


def rounds(node: str, game: str) -> tuple[list[float], list[float]]:
    """Games per second of JavaScript and of native, by round."""
    from rulelang.backends.javascript.emit import EXACT, emit
    from rulelang.compile import Compilation
    from rulelang.engine.options import choose_options

    compilation = Compilation(game)
    options = choose_options(compilation.summary.options, PLAYERS, None)
    native: Any = compilation.link(PLAYERS, options, "native")
    with tempfile.TemporaryDirectory() as folder:
        rules, player = Path(folder, "rules.mjs"), Path(folder, "player.mjs")
        rules.write_text(
            emit(compilation.ready(PLAYERS, options, target="javascript", largest=EXACT)).source, encoding="ascii"
        )
        player.write_text(PLAYER, encoding="ascii")
        with subprocess.Popen(
            [node, player, rules, str(SECONDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            ours, theirs = [], []
            for number in range(WARM + ROUNDS):
                process.stdin.write(f"{1000 * number}\n")
                process.stdin.flush()
                ours.append(float(json.loads(process.stdout.readline())))
                theirs.append(_native(native, 1000 * number))
            process.stdin.close()
    return ours[WARM:], theirs[WARM:]


def _native(program: Any, seed: int) -> float:
    start, games = process_time(), 0
    while process_time() - start < SECONDS:
        program.play_many(seed + games, 0, 25, 1)
        games += 25
    return games / (process_time() - start)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
