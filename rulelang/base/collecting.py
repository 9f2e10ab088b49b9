"""When Python looks for dead objects that refer to each other."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
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
