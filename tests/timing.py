"""How long something takes in the process, whatever tests before it have left there."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What it answers, and the processor's seconds that it took; what other tests made is not collected in them."""
    gc.freeze()
    try:
        start = time.process_time()
        found = work()
        return found, time.process_time() - start
    finally:
        gc.unfreeze()
