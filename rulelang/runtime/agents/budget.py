"""How much an agent may search for each decision, as text: `500`, `100ms`, `2s`, `500x4`, `100msxall`."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from rulelang.base.errors import BadArgument

#: Games for a decision, milliseconds, and threads, at most.
MOST, LONGEST, WIDEST = 1_000_000, 3_600_000, 256

_TEXT = re.compile(r"(?:([0-9]{1,9})(ms|s)?)?(?:x([0-9]{1,4}|all))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Budget:
    """For each decision, and in each of `threads` threads: so many `games` that are imagined, or `milliseconds` (one of
    the two is 0) that the thread has a core. So it is as much on a busy machine as on an idle one; but how much it is
    depends on the machine, so what is chosen within a time cannot be played again. With a number of games it can."""

    games: int = 0
    milliseconds: int = 0
    threads: int = 1

    @property
    def repeatable(self) -> bool:
        return not self.milliseconds

    def __str__(self) -> str:
        many = f"x{self.threads}" if self.threads > 1 else ""
        return f"{self.milliseconds}ms{many}" if self.milliseconds else f"{self.games}{many}"


def read_budget(text: str, usual: int) -> Budget:
    """What a text says; `usual`: how many games if it says only how many threads. ValueError, in plain words."""
    found = _TEXT.fullmatch(text)
    number, unit, threads = found.groups() if found and text else (None, None, None)
    if found is None or not text:
        raise BadArgument(f"`{text}` is not a budget: {HOW}")
    wide = (os.cpu_count() or 1) if threads == "all" else int(threads or 1)
    if not 0 < wide <= WIDEST:
        raise BadArgument(f"`{text}` is not a budget: threads must be 1 to {WIDEST}")
    many = int(number) if number else usual
    if unit:
        many *= 1000 if unit == "s" else 1
        if not 0 < many <= LONGEST:
            raise BadArgument(f"`{text}` is not a budget: a time must be 1ms to {LONGEST // 1000}s")
        return Budget(milliseconds=many, threads=wide)
    if not 0 < many <= MOST:
        raise BadArgument(f"`{text}` is not a budget: the number of games must be 1 to {MOST}")
    return Budget(games=many, threads=wide)


HOW = "write a number of games, such as `500`, or a time, such as `100ms` or `2s`; for threads, add `x4` or `xall`"
