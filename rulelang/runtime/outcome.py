"""What the words of a position come to: who wins with them, and their digest."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from hashlib import sha256

from rulelang.runtime.table import Table


def best_seats(table: Table, words: list[int]) -> list[int]:
    """The seats that win with these words: scores first, then tiebreaks, both summed over a team."""
    program = table.program
    teams = program.teams or tuple((seat,) for seat in range(1, table.players + 1))
    ranks = []
    for team in teams:
        scores = sum(program.score(words, seat) for seat in team)
        ties = zip(*(program.tiebreak(words, seat) for seat in team), strict=True)
        ranks.append((scores, tuple(sum(parts) for parts in ties)))
    best = max(ranks)
    return sorted(seat for team, rank in zip(teams, ranks, strict=True) if rank == best for seat in team)


def digest(table: Table, words: Sequence[int]) -> str:
    """SHA-256 over the ruleset's content, the table and all words but the policy's generator."""
    options = ",".join(f"{name}={value}" for name, value in sorted(table.options.items()))
    head = f"{table.info.content};{table.players};{options};"
    return sha256(head.encode() + _bytes(table, words)).hexdigest()


def position(table: Table, words: Sequence[int]) -> str:
    """A short digest of the words alone: another version of the ruleset may have the same where it lays them alike."""
    return sha256(_bytes(table, words)).hexdigest()[:16]


def _bytes(table: Table, words: Sequence[int]) -> bytes:
    cells = table.program.layout.cells
    packed = array("q", words)
    packed[cells.policy_x] = packed[cells.policy_c] = 0
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
