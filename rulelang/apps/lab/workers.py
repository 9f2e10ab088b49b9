"""Who plays the pieces of a study or a tournament: this process, threads of it, or several processes of this machine.
What comes out is the same."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from rulelang.base.trace_plan import HandArrangement
from rulelang.runtime.seating import Agent, check_sendable
from rulelang.runtime.simulate import inside
from rulelang.runtime.table import Table
from rulelang.runtime.threads import in_threads

if TYPE_CHECKING:
    from rulelang.apps.lab.playing import Games, Task

#: The first game of a piece, how many, and how they are arranged.
Piece = tuple[int, int, HandArrangement | None]

#: Games of one piece: small enough for a lively bar, large enough to be worth sending.
SIZE = 100


class Sent(Protocol):
    """What is played, as it is sent to whoever plays it: a task, or a tournament."""

    @property
    def agents(self) -> Sequence[Agent]: ...
    @property
    def table(self) -> Table: ...


def play(task: Task, piece: Piece) -> Games:
    """The games of a piece as arrays."""
    from rulelang.apps.lab.playing import play_piece  # it wants numpy, which a tournament does without

    return play_piece(task, *piece)


class Workers(Protocol):
    def play(self, task: Sent, pieces: Sequence[Any], work: Callable[[Any, Any], Any] = ...) -> Iterator[Any]:
        """What `work` (a function at the top of a module) makes of the task and each piece, by default `play`: in the
        order of the pieces, each as soon as it is there."""
        ...


def pieces_of(first: int, games: int, arranged: HandArrangement | None = None, size: int = 0) -> list[Piece]:
    """So many games from a number on, in pieces; `size`: other than the usual one."""
    end, size = first + games, size or SIZE
    return [(at, min(size, end - at), arranged) for at in range(first, end, size)]


class Here:
    """Work in the process that asks."""

    def play(self, task: Sent, pieces: Sequence[Any], work: Callable[[Any, Any], Any] = play) -> Iterator[Any]:
        return (work(task, piece) for piece in pieces)


class Several:
    """So many threads of this process where the library plays by itself, else so many processes of this machine.
    ValueError for agents that cannot be sent to them."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def play(self, task: Sent, pieces: Sequence[Any], work: Callable[[Any, Any], Any] = play) -> Iterator[Any]:
        check_sendable(task.agents)
        table = task.table  # so that the others find it
        if inside(table, task.agents) is not None:
            yield from in_threads(min(self.jobs, len(pieces)), partial(work, task), pieces)
            return
        others = set(multiprocessing.active_children())
        with ProcessPoolExecutor(min(self.jobs, len(pieces)), initializer=_help, initargs=(task,)) as pool:
            try:
                yield from pool.map(_work, pieces, [work] * len(pieces))
            except BaseException:  # nobody waits for what is left, or for a game that takes long
                pool.shutdown(wait=False, cancel_futures=True)
                for helper in set(multiprocessing.active_children()) - others:
                    helper.terminate()
                raise


def workers_for(jobs: int) -> Workers:
    return Several(jobs) if jobs > 1 else Here()


#: In a process that helps: what it plays pieces of. It is sent once.
_given: list[Sent] = []


def _help(task: Sent) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it is told to stop, and stops it
    _given[:] = [task]


def _work(piece: Any, work: Callable[[Any, Any], Any]) -> Any:
    return work(_given[0], piece)
