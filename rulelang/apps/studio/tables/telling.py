"""Who is told first, where a server has more to tell than it can.

Moves and their acknowledgements wait for nobody: between two handfuls of guests who are told, all that has come in is
heard. Guests are told in the order in which there was something new to them, all of one table together, since much of
what they are told is the same. But where those who are asked, and who have just moved, would wait for long, they come
first, and the others are told less often, of the newest position each time.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.apps.studio.tables.guest import Guest

#: How many are told before what has come in is heard: a millisecond or two.
HANDFUL = 4
#: Seconds that somebody waits who is told soon before the others are passed over.
HURRY = 0.02
#: Seconds after which one of the others is not passed over by more than so many at a time.
PATIENCE, PASSED = 1.0, 8
#: What a guest waits for (`Guest.waits`): nothing, to be told some time, or soon.
NOTHING, SOME_TIME, SOON = range(3)


class Telling:
    """The guests of all rooms of a server who have something new to hear. It wakes them one after the other."""

    def __init__(self) -> None:
        self.soon: deque[tuple[float, Guest]] = deque()  # and since when they wait
        self.some_time: deque[tuple[float, Guest]] = deque()
        self.passed = 0  # how many were told soon since one of the others was told
        self.waking: asyncio.Task[None] | None = None

    def due(self, guest: Guest, *, soon: bool) -> None:
        """There is something new to a guest. Whoever waits already keeps his place, or gets a better one."""
        if soon and guest.waits != SOON:
            guest.waits = SOON
            self.soon.append((time.monotonic(), guest))
        elif guest.waits == NOTHING:
            guest.waits = SOME_TIME
            self.some_time.append((time.monotonic(), guest))
        if self.waking is None:
            self.waking = asyncio.create_task(self.wake())

    async def wake(self) -> None:
        """Goes on until all are told."""
        try:
            while True:
                for _ in range(HANDFUL):
                    guest = self.next(time.monotonic())
                    if guest is None:
                        return
                    guest.wake.set()
                await asyncio.sleep(0)  # they are told now, and who has said something is heard
        finally:
            self.waking = None

    def next(self, now: float) -> Guest | None:
        """Who is told next; he waits no more."""
        while self.soon or self.some_time:
            soon = self.comes_first(now)
            _, guest = (self.soon if soon else self.some_time).popleft()
            if guest.waits == (SOON if soon else SOME_TIME):  # else he was told when he had a better place
                self.passed = self.passed + 1 if soon else 0
                guest.waits = NOTHING
                return guest
        return None

    def comes_first(self, now: float) -> bool:
        """Whether the next is one of those who are told soon."""
        if not self.soon or not self.some_time:
            return bool(self.soon)
        since, others = self.soon[0][0], self.some_time[0][0]
        if since < now - HURRY:
            return self.passed < PASSED or others > now - PATIENCE
        return since <= others
