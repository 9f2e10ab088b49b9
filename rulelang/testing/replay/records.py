"""What a replay holds: whole games as what was decided in them, and digests of positions to compare with.

The file has a JSON map in each line (schemas/replay_lines.schema.json), in this order:

- the head: `rulelang: replay`, the format, the identity of the ruleset with its mods and mode, the hash of its content;
- for each game a line with `game`, its number from 1: players, options, seed, and how the state is laid out; `saved`
  instead of a seed is the saved game that it went on from;
- for each decision of it a line with `move`, its number from 1: who was asked, of how many options which was taken, by
  index and in words; every so many of them `at`, the digest of the position before it;
- `back`: so many moves of the game stand, those behind them were taken back;
- `end`: what the game came to.

A line that does not end was not written whole, and is not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FORMAT = 2
WHAT = "replay"
#: Between how many moves a digest of the position is written.
EVERY = 10


@dataclass(frozen=True, slots=True)
class Move:
    """`by`: the seat that was asked, from 1. `of` so many options `choice` was taken, from 0, which read `said` (in
    English). `at`: the digest of the position in which it was asked, "" where none was written."""

    by: int
    of: int
    choice: int
    said: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """What a game came to, by seat; `at`: the digest of its last position."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    at: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """One game. It began from its seed, or went on from a `saved` game. Without an `end` it was broken off."""

    players: int
    names: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int | None
    saved: Mapping[str, Any] | None
    layout: str
    moves: tuple[Move, ...]
    end: End | None


@dataclass(frozen=True, slots=True)
class Replay:
    """A file of games. `identity` and `content` as of `GameInfo`; `torn`: its last line is not whole."""

    identity: Mapping[str, Any]
    content: str
    games: tuple[Recorded, ...]
    torn: bool

    @property
    def moves(self) -> int:
        return sum(len(game.moves) for game in self.games)
