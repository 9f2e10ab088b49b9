"""What is in a log, as far as it was read: read on from there, so that whoever follows a game reads each entry once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.runtime.recorder import CLOSE, CURTAIN, ROUND, CardSnapshot, Chain, Entry, Recorder

if TYPE_CHECKING:
    from rulelang.runtime.changes import Teller
    from rulelang.runtime.log import Said


class Reading:
    """For one viewer. `events`; by event how its cards lay when it ended; the changes that he learned of, each with the
    number of the event before it; the rounds that began: their numbers, the event and how many changes came before. For
    `everybody`: the changes that nobody may learn of are among them."""

    def __init__(self, *, everybody: bool = False) -> None:
        self.everybody = everybody
        self.begin()

    def begin(self) -> None:
        self.last: Chain = None
        self.said: dict[tuple[int, ...], Said] = {}  # of what was read last, by number and faces
        self.events: list[Entry] = []
        self.ends: dict[int, tuple[CardSnapshot, ...]] = {}
        self.changes: list[tuple[Entry, int]] = []
        self.rounds: list[tuple[int, int, int]] = []

    def read_on(self, recorder: Recorder, teller: Teller) -> None:
        """Read what is new, or all of a log that does not go on from what was read. A viewer reads up to the curtain,
        as long as there is one."""
        new: list[Chain] = []
        chain = recorder.chain
        while chain is not None and chain is not self.last:
            new.append(chain)
            chain = chain[1]
        if chain is not self.last:
            self.begin()
        new.reverse()
        if teller.viewer is not None and recorder.curtain_words is not None:
            fallen = [place for place, link in enumerate(new) if link is not None and link[0].template == CURTAIN]
            del new[fallen[-1] if fallen else len(new) :]
        if new:
            self.said = {}
        for link in new:
            assert link is not None
            self._take(link[0], teller)
        self.last = new[-1] if new else self.last

    def _take(self, entry: Entry, teller: Teller) -> None:
        if entry.numbered:
            self.events.append(entry)
        elif entry.template == CLOSE:
            self.ends[entry.parent] = entry.snapshots
        elif entry.template == ROUND:
            self.rounds.append((entry.args[0], len(self.events) - 1, len(self.changes)))
        elif entry.template != CURTAIN and (self.everybody or teller.sees(entry)):
            self.changes.append((entry, len(self.events) - 1))
