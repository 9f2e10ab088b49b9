"""Who plays the pieces of a study: this process, or several of this machine. What comes out is the same."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Protocol

from rulelang.base.noting import Arranged
from rulelang.engine.seating import check_sendable
from rulelang.lab.playing import Games, Task, play_piece

#: The first game of a piece, how many, and how they are arranged.
Piece = tuple[int, int, Arranged | None]

#: Games of one piece: small enough for a lively bar, large enough to be worth sending.
SIZE = 100


class Workers(Protocol):
    def play(self, task: Task, pieces: Sequence[Piece]) -> Iterator[Games]:
        """The games of each piece, in the order of the pieces, each as soon as it is there."""
        ...


def pieces_of(first: int, games: int, arranged: Arranged | None = None) -> list[Piece]:
    """So many games from a number on, in pieces."""
    end = first + games
    return [(at, min(SIZE, end - at), arranged) for at in range(first, end, SIZE)]


class Here:
    """This process."""

    def play(self, task: Task, pieces: Sequence[Piece]) -> Iterator[Games]:
        return (play_piece(task, *piece) for piece in pieces)


class Processes:
    """So many processes of this machine. ValueError for agents that cannot be sent to them."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def play(self, task: Task, pieces: Sequence[Piece]) -> Iterator[Games]:
        check_sendable(task.agents)
        _ = task.table  # so that the others find it on the disk
        others = set(multiprocessing.active_children())
        with ProcessPoolExecutor(min(self.jobs, len(pieces)), initializer=_help, initargs=(task,)) as pool:
            try:
                yield from _in_turn(pool.map(_play, pieces))
            except BaseException:  # nobody waits for what is left
                for helper in set(multiprocessing.active_children()) - others:
                    helper.terminate()
                raise


def workers_for(jobs: int) -> Workers:
    return Processes(jobs) if jobs > 1 else Here()


#: In a process that helps: what it plays pieces of. It is sent once.
_given: list[Task] = []


def _help(task: Task) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it is told to stop, and stops it
    _given[:] = [task]


def _play(piece: Piece) -> Games:
    return play_piece(_given[0], *piece)


def _in_turn(found: Iterable[Games]) -> Iterator[Games]:
    yield from found
