"""Looks at as many positions as are wanted: `python -m tests.secrecy.many RULESET LOOKS FILE`; a look is that of one
seat at one position.

FILE tells game by game what was looked at, so that the same command goes on where it was broken off. It ends with 1 at
the first position in which a seat is told what it may not see.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tests.properties.games import COLOSSAL, RULESETS
from tests.secrecy.test_secrets import looked_at

#: Of so many moves of its own a seat is shown what they do, and at one look in so many it is told why eight moves are
#: none of its options.
MOVES, ASKING = 1, 16


def main(name: str, wanted: int, path: Path) -> int:
    ruleset = next(one for one in (*RULESETS, COLOSSAL) if str(one) == name)
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    known = [[int(word) for word in line.split()[:2]] for line in lines]
    done, seed = sum(count for _, count in known), max((seed for seed, _ in known), default=-1) + 1
    while done < wanted:
        began = time.process_time()
        try:
            count = looked_at(ruleset, (seed,), 1, MOVES, ASKING)
        except AssertionError as told:
            print(told)
            return 1
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{seed} {count} {time.process_time() - began:.1f}\n")
        done, seed = done + count, seed + 1
    print(f"{ruleset}: {done:,} looks in {seed:,} games, nothing told")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2].replace("_", "")), Path(sys.argv[3])))
