"""Limits of memory and time: how much a ruleset may hold, and when Python collects garbage."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.base.disk_cache import say_once
from rulelang.base.node import record

# ---- size limits


@record
class Limit:
    """What a ruleset may hold, unless the environment variable gives another whole number."""

    variable: str
    usual: int
    what: str

    @property
    def most(self) -> int:
        said = os.environ.get(self.variable, "").strip()
        if said and not (said.isdecimal() and said.isascii() and 0 < int(said[:10]) < 10**9):
            say_once(f"{self.variable} is not a positive whole number; using {self.usual:,}")
            return self.usual
        return int(said) if said else self.usual

    @property
    def exceeded(self) -> str:
        """What is wrong, as the end of a sentence."""
        return f"more than {self.most:,} {self.what}"

    @property
    def hint(self) -> str:
        larger = self.most * 2
        return f"if you need all of it, raise the limit: set the environment variable {self.variable} to {larger}"


#: MiB that are read, and files that are there, in one ruleset or mod.
SIZE = Limit("RULELANG_MAX_MIB", 64, "MiB of files")
COUNT = Limit("RULELANG_MAX_FILES", 20_000, "files")
#: Of a ruleset with its mods, without scenarios. Aliases count as often as they are used.
VALUES = Limit("RULELANG_MAX_VALUES", 300_000, "keys and values in YAML files")
#: So a table of 100,000 rows has at most 5 columns.
CELLS = Limit("RULELANG_MAX_CELLS", 500_000, "cells in card files")
#: In all maps and columns of one grid.
SPACES = Limit("RULELANG_MAX_SPACES", 20_000, "spaces on its maps")
DECLARATIONS = Limit("RULELANG_MAX_DECLARATIONS", 15_000, "declarations in the rules")
LETTERS = Limit("RULELANG_MAX_LETTERS", 1_000_000, "characters in the rules")
ALL = (SIZE, COUNT, VALUES, CELLS, SPACES, DECLARATIONS, LETTERS)


def active_limits() -> tuple[int, ...]:
    """Return what is allowed in this process."""
    return tuple(limit.most for limit in ALL)


# ---- garbage collection


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Reading and checking make a million objects that stay, and hardly a cycle: to go through them again and again
    costs a quarter of a large check. What is left of cycles goes afterwards."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            # All that was made stays: it counts as old at once, and is not gone through first.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
