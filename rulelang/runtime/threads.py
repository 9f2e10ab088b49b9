"""Pieces of work spread over threads of this process: for work that is done inside of a library, which gives the
interpreter back meanwhile. What comes out does not depend on how many there are."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import TypeVar

Piece = TypeVar("Piece")
Made = TypeVar("Made")

#: Pieces for each thread that are begun before the first of them is asked for: so many may wait, done, at most.
AHEAD = 4

_of_thread = threading.local()


def is_interrupted() -> bool:
    """Whether nobody wants any more what this thread does. A signal only reaches the main thread, so long calls ask
    this in the others."""
    over: threading.Event | None = getattr(_of_thread, "over", None)
    return over is not None and over.is_set()


def map_in_threads(threads: int, work: Callable[[Piece], Made], pieces: Iterable[Piece]) -> Generator[Made]:
    """What `work` makes of each piece, in their order, each as soon as it is there. Broken off, or where a piece fails,
    all threads stop."""
    from concurrent.futures import ThreadPoolExecutor

    over = threading.Event()

    def begin() -> None:
        _of_thread.over = over

    pool = ThreadPoolExecutor(threads, initializer=begin)
    try:
        left = iter(pieces)
        begun = deque(pool.submit(work, piece) for piece in islice(left, AHEAD * threads))
        while begun:
            made = begun.popleft().result()
            begun.extend(pool.submit(work, piece) for piece in islice(left, 1))
            yield made
    finally:
        over.set()
        pool.shutdown(cancel_futures=True)
