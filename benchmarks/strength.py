"""How strong `ismcts` is: games for two against other agents, each deal in both seats, with the same time of a core.

    python -m benchmarks.strength --time 100ms --deals 100 [--into FILE] [GAME ...] [--against mc ...]

Times are of a core, so a busy machine makes it take longer and changes nothing else. Each deal is a line of the file,
written when it has been played; all opponents and games take turns, and what the file has already is not played again:
so it can be stopped at any time, and goes on later. At the end, and with `--deals 0` at once, it tells how often
`ismcts` won against each opponent (a tie counts half), with intervals that hold 95 of 100 times.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import rulelang
from rulelang.apps.lab.statistics import wilson_interval
from rulelang.apps.lab.tournament import tournament
from rulelang.runtime.agents import with_budget
from rulelang.runtime.game import Game

GAMES = ("evolution", "origin_of_species", "darwins_choice", "darwins_choice_colossal", "evolved")
AGAINST = ("greedy", "mc", "random")
AGENT = "ismcts"

#: A pairing: the game, the opponent, and the time of both.
Pairing = tuple[str, str, str]


def known(path: Path) -> dict[Pairing, dict[int, list[float]]]:
    """By pairing and deal, what each of its games came to for `AGENT`: 1, 0, or 0.5 for a tie."""
    found: dict[Pairing, dict[int, list[float]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        row = json.loads(line)
        found.setdefault((row["game"], row["against"], row["time"]), {})[row["deal"]] = row["won"]
    return found


def played(game: Game, other: str, time: str, deal: int) -> list[float]:
    """What both games of a deal came to for `AGENT`, which has the first seat in the first."""
    mine, theirs = with_budget(AGENT, time), with_budget(other, time)
    done = tournament(game, [mine, theirs], 2, 2, deal)
    mine_of = [game.wins[game.seats.index(0)] for game in done.games]
    return [1.0 if won == 1 else 0.5 if won else 0.0 for won in mine_of]


def told(path: Path) -> Iterator[str]:
    for (game, other, time), deals in known(path).items():
        results = [won for both in deals.values() for won in both]
        share, n = wilson_interval(sum(results), len(results)), len(results)
        numbers = f"{100 * share.value:5.1f} % ({100 * share.low:.1f}..{100 * share.high:.1f}) of {n}"
        yield f"{game:24} {time:>6} against {other:8} {numbers}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--against", nargs="+", default=AGAINST)
    parser.add_argument("--time", default="100ms")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--into", type=Path, default=Path("build/strength.jsonl"))
    given = parser.parse_args()
    loaded = {name: rulelang.load(name) for name in given.games} if given.deals else {}
    given.into.parent.mkdir(parents=True, exist_ok=True)
    done = known(given.into)
    for deal, (name, other) in product(range(given.deals), product(loaded, given.against)):
        if deal in done.get((name, other, given.time), {}):
            continue
        row = {"game": name, "against": other, "time": given.time, "deal": deal}
        row["won"] = played(loaded[name], other, given.time, deal)
        with given.into.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    for line in told(given.into):
        print(line)


if __name__ == "__main__":
    main()
