"""A story whose long turns fold: of what is past, and of a long turn, one line stands for those below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulelang.presentation.console.folding import STEP

#: So many lines below another are never folded by themselves.
FEW = 3
#: News of more lines than this are long.
LONG = 24
#: How deep headings stand: of rounds, and of phases.
ROUND, PHASE = 0, 1


@dataclass(frozen=True, slots=True)
class Shown:
    """A line that is seen. `place`: which of all lines it is. `below`: so many lines belong to it, `hidden`: so many of
    these are not seen. `fresh`: whether it, or what it hides, is of the last news."""

    place: int
    text: str
    depth: int
    below: int
    hidden: int
    fresh: bool


class Turns:
    """The lines of a story, as they come, in sections: rounds, phases, what happened, and what came of it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depths: list[int] = []
        self.fresh = 0  # the first line of the last news
        self.turned: dict[int, bool] = {}  # by its line, whether a section was opened or closed by hand

    def add(self, news: Sequence[str]) -> None:
        """The next lines of a story. Where there are none, what was told last stays the last news."""
        lines = [line for line in news if line.strip()]
        if not lines:
            return
        self.fresh = len(self.lines)
        self.lines += lines
        self.depths += [(len(line) - len(line.lstrip())) // len(STEP) for line in lines]

    def turn(self, place: int) -> None:
        """Close the section that begins with this line if it is open, and open it otherwise."""
        ends = self._ends()
        if ends[place] > place + 1:
            self.turned[place] = place in self._closed(ends)

    def shown(self) -> list[Shown]:
        """What is seen, in its order."""
        ends = self._ends()
        closed = self._closed(ends)
        found: list[Shown] = []
        place = 0
        while place < len(self.lines):
            end = ends[place]
            below = end - place - 1
            hidden = below if place in closed else 0
            last = end - 1 if hidden else place
            text = self.lines[place].strip()
            found.append(Shown(place, text, self.depths[place], below, hidden, last >= self.fresh))
            place = end if hidden else place + 1
        return found

    def _ends(self) -> list[int]:
        """Behind which line each section ends."""
        ends = [len(self.lines)] * len(self.lines)
        above: list[int] = []
        for place, depth in enumerate(self.depths):
            while above and self.depths[above[-1]] >= depth:
                ends[above.pop()] = place
            above.append(place)
        return ends

    def _closed(self, ends: Sequence[int]) -> set[int]:
        """The lines whose sections are closed: past rounds and phases, and whatever much came of; of long news all that
        much came of, then phases from the first on, until the rest is no longer long. The last phase stays open."""
        headings = [place for place, depth in enumerate(self.depths) if depth <= PHASE]
        last = headings[-1] if headings else 0
        few = {place for place, end in enumerate(ends) if end - place - 1 <= FEW}
        past = {place for place, end in enumerate(ends) if end <= self.fresh}
        long = len(self.lines) - self.fresh > LONG
        closed = {
            place
            for place, depth in enumerate(self.depths)
            if (depth == ROUND and place in past and ends[place] > place + 1)
            or (place not in few and depth >= PHASE and (place in past or (long and depth > PHASE)))
        }
        if ends and ends[last] == len(self.lines):
            closed.discard(last)
        for place, open_ in self.turned.items():
            (closed.discard if open_ else closed.add)(place)
        for place in headings:
            if self._seen(ends, closed) <= LONG:
                break
            if self.depths[place] == PHASE and place not in few and place != last and place not in self.turned:
                closed.add(place)
        return closed

    def _seen(self, ends: Sequence[int], closed: set[int]) -> int:
        """How many lines of the last news are seen."""
        count, place = 0, 0
        while place < len(self.lines):
            count += place >= self.fresh
            place = ends[place] if place in closed else place + 1
        return count
