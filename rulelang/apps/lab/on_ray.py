"""Pieces of a study, or games of a tournament, played on a Ray cluster. What comes out is the same as anywhere else: a
piece depends on its games alone, so one that is lost with its worker is simply played again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulelang.apps.lab.workers import Sent, play
from rulelang.runtime.seating import check_sendable

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
