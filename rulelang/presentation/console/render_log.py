"""The log of a game as a text to read: headings for rounds and phases, causes by indentation, traits in brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.base.terminal import display_width
from rulelang.presentation.console.course import Course, Step, labelled
from rulelang.presentation.console.folding import PASSES, SHUFFLES, STEP, Line, folded
from rulelang.presentation.console.uncovered import matters
from rulelang.runtime.changes import Changes
from rulelang.runtime.log import Log
from rulelang.runtime.log_reading import Reading
from rulelang.runtime.state import State


class Story:
    """Tells what is new in a state's log each time it is asked. A `viewer` (a seat, 0 a spectator) is told what he
    saw, None all.

    What no rule has words for is told as a change of the table, if it matters to players. `full`: every change is, and
    each line stands by itself; otherwise long stories are folded. `waits`: who passed last is told with what comes
    next, so that it is one line with others who pass; or when the viewer is asked.
    """

    def __init__(self, viewer: int | None = None, *, full: bool = False, waits: bool = False) -> None:
        self.viewer = viewer
        self.full = full
        self.waits = waits and not full
        self.held: list[Line] = []  # who passed last
        self.of: list[tuple[int, ...]] = []  # what each line of the last news tells: see `Line.of`
        self.course = Course()
        self.events = 0  # that have been looked at
        self.steps: Sequence[Step] = ()  # the last of them
        self.named: set[tuple[str, int]] | None = None  # what these name, once it is asked for
        self.changes = 0  # that have been looked at
        self.waiting: list[int] = []  # of these, those of which an event that has not ended may still tell
        self.round = 0
        self.rounds = 0  # that have begun while it was told
        self.pending: list[str] = []  # headings under which nothing stands yet
        self.reading = Reading()

    def copy(self) -> Story:
        """A story that goes on from here, about the same course of the game."""
        other = Story(self.viewer, full=self.full, waits=self.waits)
        other.held, other.pending = self.held.copy(), self.pending.copy()
        other.course, other.events = self.course, self.events
        other.changes, other.waiting = self.changes, self.waiting.copy()
        other.round, other.rounds = self.round, self.rounds
        return other

    def news(self, state: State, steps: Sequence[Step] | None = None) -> list[str]:
        """The lines for what happened since the last time. `steps`: what is new in its course, if that was asked."""
        names = labelled(state)
        log = state.log_in(names, self.viewer, self.reading)
        lines = [*self.held, *self._tell(state, log, self.course.steps(state, log) if steps is None else steps)]
        self.held = []
        while self.waits and lines and lines[-1].kind == PASSES and not state.over and state.decider != self.viewer:
            self.held.insert(0, lines.pop())
        lines = lines if self.full else folded(lines, names.language, len(state.players))
        self.of = [line.of for line in lines]
        return [line.written(names.language) for line in lines]

    def _tell(self, state: State, log: Log, steps: Sequence[Step]) -> Iterator[Line]:
        self.steps, self.named = steps, None
        changes, rounds = log.changes, log.rounds
        if not self.events and not self.round:
            # The round that it began in, where it did not begin at the start of a game.
            self._begin(state, rounds[0][0] - 1 if rounds else state.round)
        first, self.events = self.events, self.events + len(steps)
        yield from self._late(log)
        if self._happened(changes, rounds, first - 1):
            yield from self._changed(state, log, first - 1)
        for step in steps:
            if step.heading:
                self.pending = [line for line in self.pending if not line.startswith(STEP)]
                self.pending.append(STEP + step.heading)
            elif step.told.shown:
                if self.pending:
                    yield from self._headings()
                yield self._line(step, log)
            if self._happened(changes, rounds, step.event.number):
                yield from self._changed(state, log, step.event.number)

    def _happened(self, changes: Changes, rounds: Sequence[tuple[int, int, int]], number: int) -> bool:
        """Whether something changed or a round began after this event, before the next."""
        return (self.changes < len(changes) and changes.after(self.changes) == number) or (
            self.rounds < len(rounds) and rounds[self.rounds][1] <= number
        )

    def _headings(self) -> list[Line]:
        """The headings below which the next line is the first to stand."""
        found = [Line(-2, text, heading=True) for text in self.pending]
        self.pending = []
        return found

    def _changed(self, state: State, log: Log, number: int) -> Iterator[Line]:
        """What changed on the table after this event, before the next, and the rounds that began there."""
        begin, changes, rounds = self.changes, log.changes, log.rounds
        while self.changes < len(changes) and changes.after(self.changes) == number:
            self.changes += 1
        for place in range(begin, self.changes + 1):
            while self.rounds < len(rounds) and rounds[self.rounds][1] <= number and rounds[self.rounds][2] <= place:
                yield from self._late(log)
                self._begin(state, rounds[self.rounds][0])
                self.rounds += 1
            if place < self.changes:
                yield from self._change(log, place)

    def _begin(self, state: State, number: int) -> None:
        """A round begins: what comes next stands under its heading."""
        self.round = number
        if number:
            self.pending = ["", state.names.language.say("Round {number}", number=number)]

    def _late(self, log: Log) -> Iterator[Line]:
        """What waited to be told, and is not any more."""
        waiting, self.waiting = self.waiting, []
        for place in waiting:
            yield from self._change(log, place)

    def _change(self, log: Log, place: int) -> Iterator[Line]:
        """A change, if there are no words for it, or all is told."""
        changes, course = log.changes, self.course
        entry = changes.entry(place)
        parent = None if entry.parent < 0 else entry.parent
        if not self.full:
            if course.covered.told(parent) or not matters(entry, log.table) or not log.learned(place):
                return
            things = changes.things(place)
            if things and things <= self._named(log):
                return
            if parent in log.running and not course.covered.flow[parent]:
                self.waiting.append(place)
                return
        elif not log.learned(place):
            return
        above = -1 if parent is None else course.told[parent].depth
        change = changes[place]
        yield from self._headings()
        yield Line(above + 1, change.text, kind=("change", change.what), of=(-1 - place,))

    def _named(self, log: Log) -> set[tuple[str, int]]:
        """What the last events name, by kind and handle."""
        if self.named is None:
            spoken = [step.event.number for step in self.steps if step.event.told and not step.event.wordless]
            self.named = {thing for number in spoken for thing in log.named(number)}
        return self.named

    def _line(self, step: Step, log: Log) -> Line:
        """The line of an event that is told."""
        event, depth, actor, chooser = step.event, step.told.depth, step.actor, step.chooser
        said = log.said(event.number)
        if event.what == "pass":
            return Line(depth, said.text, kind=PASSES, last=(chooser,), of=(event.number,))
        if event.what == "shuffle" and event.name == "shuffle":
            return Line(depth, said.text, kind=SHUFFLES, last=(log.pile(event.number),), of=(event.number,))
        by = "" if _begins(said.text, actor) or _begins(said.text, chooser) else actor
        source = "" if step.source.casefold() in said.text.casefold() else step.source  # a sentence may name it
        return Line(
            depth, said.text, by, source, (event.span, event.what), said.start,
            (said.last,) if said.last else (), (said.who,) if said.who else (), said.does, of=(event.number,),
        )  # fmt: skip


def _begins(text: str, name: str) -> bool:
    """Whether a text is about a player from its first word: `Ana draws`, `Ana's wolf dies`."""
    if not name or not text.startswith(name):
        return False
    after = text[len(name) : len(name) + 1]
    return not after.isalnum() or display_width(after) > 1  # East Asian words are not parted
