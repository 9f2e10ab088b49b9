"""Writing replays, a line at a time, so that nothing that was told as written is lost with the program."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rulelang.base.languages import ENGLISH
from rulelang.runtime.info import GameInfo
from rulelang.runtime.outcome import position
from rulelang.runtime.state import State
from rulelang.testing.replay.records import EVERY, FORMAT, WHAT


class ReplayWriter:
    """Writes games into a file, which is begun anew. OSError where it cannot be written."""

    def __init__(self, path: Path, info: GameInfo, every: int = EVERY) -> None:
        self.every = every
        self.games = self.moves = 0
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666)
        self.line({"rulelang": WHAT, "format": FORMAT, **info.identity, "content_hash": info.content})

    def begin(self, state: State) -> None:
        """Another game, that stands here now."""
        self.games += 1
        self.moves = 0
        self.before = len(state.choices)
        table = state.table
        fresh = state.seed is not None and not self.before and not state.asks_forced
        self.line(
            {
                "game": self.games,
                "players": table.players,
                "names": list(state.players),
                "options": dict(table.options),
                "layout": table.fingerprint,
                **({"seed": state.seed} if fresh else {"saved": json.loads(state.save())}),
            }
        )

    def move(self, state: State, index: int) -> None:
        """What will be taken in a position. Call it before the move is made."""
        self.moves += 1
        decision = (state if state.names.language is ENGLISH else state.spoken(ENGLISH)).decision
        told = {
            "move": self.moves,
            "by": decision.player,
            "of": len(decision.options),
            "choice": index,
            "said": decision.options[index].text,
        }
        if self.moves % self.every == 1 or self.every == 1:
            told["at"] = position(state.table, state.words)
        self.line(told)

    def back(self, state: State) -> None:
        """Moves were taken back, and the game stands here again."""
        self.moves = len(state.choices) - self.before
        self.line({"back": self.moves})

    def end(self, state: State) -> None:
        """The game is over."""
        self.line({"end": 1, "scores": state.scores, "winners": state.winners,
                   "at": position(state.table, state.words)})  # fmt: skip
        os.fsync(self.file)

    def line(self, record: dict[str, Any]) -> None:
        data = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        while data:  # a disk that is full takes a part of it, and says so the next time
            data = data[os.write(self.file, data) :]

    def close(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
