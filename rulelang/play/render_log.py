"""The log of a game as a text to read: headings for rounds and phases, causes by indentation, traits in brackets."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.frame import width
from rulelang.base.node import record
from rulelang.engine.log import Event, Log
from rulelang.engine.log_reading import Reading
from rulelang.engine.names import Names
from rulelang.engine.state import State
from rulelang.play.folding import PASSES, STEP, Line, folded
from rulelang.play.uncovered import Covered, matters


@record
class Told:
    """How an event stands in the story. `depth`: how many told events caused it, -1 for a phase or the flow itself
    (of a phase that a told event opened: the depth of that).

    `carry`: of an event that is not told itself, the trait that is to be named where its consequences are told;
    `actor`: the player whose action it is, to be named there too.
    """

    shown: bool
    depth: int
    carry: str = ""
    actor: str = ""


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
        self.told: list[Told] = []
        self.covered = Covered()
        self.changes = 0  # that have been looked at
        self.waiting: list[int] = []  # of these, those of which an event that has not ended may still tell
        self.round = 0
        self.rounds = 0  # that have begun while it was told
        self.pending: list[str] = []  # headings under which nothing stands yet
        self.reading = Reading()

    def copy(self) -> Story:
        """A story that goes on from here on its own."""
        other = Story(self.viewer, full=self.full, waits=self.waits)
        other.held = self.held.copy()
        other.told, other.pending = self.told.copy(), self.pending.copy()
        other.covered = self.covered.copy()
        other.changes, other.waiting = self.changes, self.waiting.copy()
        other.round, other.rounds = self.round, self.rounds
        return other

    def news(self, state: State) -> list[str]:
        """The lines for what happened since the last time."""
        names = labelled(state)
        log = state.log_in(names, self.viewer, self.reading)
        lines = [*self.held, *self._tell(state, log)]
        self.held = []
        while self.waits and lines and lines[-1].kind == PASSES and not state.over and state.decider != self.viewer:
            self.held.insert(0, lines.pop())
        lines = lines if self.full else folded(lines, names.language, len(state.players))
        self.of = [line.of for line in lines]
        return [line.written(names.language) for line in lines]

    def _tell(self, state: State, log: Log) -> Iterator[Line]:
        events = log[len(self.told) :]
        self.covered.phases = log.table.program.layout.lists.get("phase", ())
        self.covered.take(events)
        phases = {event.number for event in events if self._is_phase(state, event)}
        if not self.told and not self.round:
            # The round that it began in, where it did not begin at the start of a game.
            self._begin(state, log.rounds[0][0] - 1 if log.rounds else state.round)
        yield from self._late(log)
        changes, rounds = log.changes, log.rounds
        yield from self._changed(state, log, len(self.told) - 1)
        for place, event in enumerate(events):
            line = self._event(state, event, place, events, phases)
            if line is not None:
                yield from self._headed(line)
            number = event.number
            if (self.changes < len(changes) and changes.after(self.changes) == number) or (
                self.rounds < len(rounds) and rounds[self.rounds][1] <= number
            ):
                yield from self._changed(state, log, number)

    def _headed(self, line: Line) -> Iterator[Line]:
        """A line, below the headings that it is the first to stand under."""
        yield from (Line(-2, text, heading=True) for text in self.pending)
        self.pending = []
        yield line

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
        changes = log.changes
        entry = changes.entry(place)
        if not log.learned(place) or not (self.full or matters(entry, log.table)):
            return
        parent = None if entry.parent < 0 else entry.parent
        if not self.full:
            if self.covered.covers(parent, changes.things(place)):
                return
            if parent in log.running and not self.covered.flow[parent]:
                self.waiting.append(place)
                return
        above = -1 if parent is None else self.told[parent].depth
        change = changes[place]
        yield from self._headed(Line(above + 1, change.text, kind=("change", change.what), of=(-1 - place,)))

    def _event(self, state: State, event: Event, place: int, events: list[Event], phases: set[int]) -> Line | None:
        """The line of one of these `events`, if there is one."""
        if event.number in phases:
            inside = self._inside(event)
            # A window that something told has opened: what is done in it stands under that.
            if inside < 0:
                self.pending = [line for line in self.pending if not line.startswith(STEP)]
                self.pending.append(STEP + heading(labelled(state).worded(event.name)))
            self.told.append(Told(False, max(inside, -1)))
            return None
        return self._line(state, event, place, events)

    def _line(self, state: State, event: Event, place: int, events: list[Event]) -> Line | None:
        above = Told(False, -1) if event.parent is None else self.told[event.parent]
        actor = above.actor if not above.shown else ""
        chooser = state.names.text("player", event.by) if event.by else ""
        if event.what == "action":
            actor = chooser
        elif event.what == "hook" and chooser != actor:
            actor = ""  # somebody else was asked in the midst of the action, and this may be what he wanted
        source = event.source or ("" if above.shown else above.carry)
        # What an action of no words of its own does is told by its consequences, if they are.
        if not event.told or (event.wordless and _leads_to_text(event, events[place + 1 :])):
            self.told.append(Told(False, above.depth, source, actor))
            return None
        depth = above.depth + 1
        self.told.append(Told(True, depth))
        named = _begins(event.text, actor) or _begins(event.text, chooser)
        by = actor if actor and not named else ""
        if event.what == "pass":
            return Line(depth, event.text, kind=PASSES, last=(chooser,), of=(event.number,))
        (start, last), (who, does) = event.ending, event.opening
        return Line(
            depth, event.text, by, title_of(state, source) if source else "", (event.span, event.what), start,
            (last,) if last else (), (who,) if who else (), does, of=(event.number,),
        )  # fmt: skip

    def _is_phase(self, state: State, event: Event) -> bool:
        return event.what == "routine" and event.name in state.table.program.layout.lists.get("phase", ())

    def _inside(self, event: Event) -> int:
        """The depth of the told event in whose course this one happens, -1 if there is none."""
        return -1 if event.parent is None else self.told[event.parent].depth


def _begins(text: str, name: str) -> bool:
    """Whether a text is about a player from its first word: `Ana draws`, `Ana's wolf dies`."""
    if not name or not text.startswith(name):
        return False
    after = text[len(name) : len(name) + 1]
    return not after.isalnum() or width(after) > 1  # East Asian words are not parted


def heading(name: str) -> str:
    """The name of a phase as a heading: `Play cards`."""
    return name[:1].upper() + name[1:]


def title_of(state: State, source: str) -> str:
    """The title of a trait; what a row or card is called."""
    return labelled(state).source(source)


def labelled(state: State) -> Names:
    """Names as people read them: stories have the labels of the ruleset."""
    return state.names.spoken(state.names.language.labelled())


def _leads_to_text(event: Event, later: list[Event]) -> bool:
    """Whether anything that it caused is told in words."""
    family = {event.number}
    for other in later:
        if other.parent in family:
            if other.told:
                return True
            family.add(other.number)
        elif other.depth <= event.depth:
            return False
    return False
