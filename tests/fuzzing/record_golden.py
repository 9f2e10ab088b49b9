"""Records the golden games in which traits meet: `python -m tests.fuzzing.record_golden [GAME ...]`."""

from __future__ import annotations

import sys
from pathlib import Path

from rulelang.api import load
from rulelang.apps.fuzzing.meetings import can_meet, counting_traits
from rulelang.apps.fuzzing.pairs import find_games, write_games
from rulelang.compiler.compilation import Compilation

GAMES = ("evolution", "origin_of_species")
#: All at one table, so that only one is compiled to play them again.
PLAYERS = 4


def file_of(name: str) -> Path:
    return Path(__file__).parent / "golden" / f"{name}.jsonl"


def main() -> None:
    for name in sys.argv[1:] or GAMES:
        folder = Path(__file__).parents[2] / "rulesets" / name
        counts, game = counting_traits(Compilation(folder).graph), load(folder)
        left = {*can_meet(counts)}
        golden = []
        for one in find_games(game, counts, left, PLAYERS, "native"):
            golden.append(one)
            left -= one.met
            print(f"{name}: {len(golden)} games, {len(left)} pairs left", flush=True)
        file_of(name).parent.mkdir(exist_ok=True)
        write_games(game, file_of(name), golden)


if __name__ == "__main__":
    main()
