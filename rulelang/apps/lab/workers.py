"""Workers that play pieces of a study: this process, its threads, other processes, or a Ray cluster."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from rulelang.base.trace_plan import HandArrangement
from rulelang.runtime.seating import Agent, check_sendable
from rulelang.runtime.simulate import native_series
from rulelang.runtime.table import Table
from rulelang.runtime.threads import map_in_threads

if TYPE_CHECKING:
    from rulelang.apps.lab.playing import Games, Task


# ---- workers

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


class ThisProcess:
    """Work in the process that asks."""

    def play(self, task: Sent, pieces: Sequence[Any], work: Callable[[Any, Any], Any] = play) -> Iterator[Any]:
        return (work(task, piece) for piece in pieces)


class LocalWorkers:
    """So many threads of this process where the library plays by itself, else so many processes of this machine.
    ValueError for agents that cannot be sent to them."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def play(self, task: Sent, pieces: Sequence[Any], work: Callable[[Any, Any], Any] = play) -> Iterator[Any]:
        check_sendable(task.agents)
        table = task.table  # so that the others find it
        if native_series(table, task.agents) is not None:
            yield from map_in_threads(min(self.jobs, len(pieces)), partial(work, task), pieces)
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
    return LocalWorkers(jobs) if jobs > 1 else ThisProcess()


#: In a process that helps: what it plays pieces of. It is sent once.
_given: list[Sent] = []


def _help(task: Sent) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it is told to stop, and stops it
    _given[:] = [task]


def _work(piece: Any, work: Callable[[Any, Any], Any]) -> Any:
    return work(_given[0], piece)


# ---- a Ray cluster

#: Pieces that are under way for each core of the cluster.
AHEAD = 2


class Ray:
    """A cluster: that of this machine, which is begun if there is none, or the one at an address.

    rulelang and the files of the ruleset have to be there on every machine, at the same places. ModuleNotFoundError
    without ray; ConnectionError where no cluster answers.
    """

    def __init__(self, address: str | None = None) -> None:
        import ray

        self.ray = ray
        if not ray.is_initialized():
            ray.init(address=address, log_to_driver=False, configure_logging=False, include_dashboard=False)

    def play(self, task: Sent, pieces: Sequence[Any], work: Callable[[Any, Any], Any] = play) -> Iterator[Any]:
        check_sendable(task.agents)
        ray = self.ray
        # Workers die for reasons of their own, so a piece is tried for ever; mistakes in rules are told at once.
        remote = ray.remote(max_retries=-1, retry_exceptions=False)(work)
        shared = ray.put(task)
        room = max(2, AHEAD * int(ray.cluster_resources().get("CPU", 1)))
        waiting = deque(pieces)
        under_way: deque[Any] = deque()
        try:
            while waiting or under_way:
                while waiting and len(under_way) < room:
                    under_way.append(remote.remote(shared, waiting.popleft()))
                yield ray.get(under_way[0])
                under_way.popleft()
        finally:
            for piece in under_way:  # somebody stopped it
                ray.cancel(piece, force=True)
