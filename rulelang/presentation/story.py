"""The log as a story to read: headings, causes by indentation, merged lines, and long turns that fold."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulelang.base.languages import Language
from rulelang.base.node import record
from rulelang.base.terminal import display_width
from rulelang.base.wording import capitalized, each_does
from rulelang.runtime.changes import Changes, owner_of, sees_zone
from rulelang.runtime.display_names import Names
from rulelang.runtime.event_log import EventOutline, Log, LogReader
from rulelang.runtime.recorder import Entry
from rulelang.runtime.state import State, packed_cells
from rulelang.runtime.table import Table
from rulelang.runtime.watched_cells import MOVE, PASS, SET

# ---- changes that no line reports


class CoveredEvents:
    """Keeps which events are told in words, as they come. `phases`: the names of all phases, whose titles tell of
    nothing that happens in them."""

    def __init__(self, phases: Container[str] = ()) -> None:
        self.phases = phases
        self.parents: list[int | None] = []
        self.flow: list[bool] = []  # by event, whether it is a phase
        self.hooks: list[bool] = []  # by event, whether it is a hook, which is part of what it hooks
        self.telling: set[int | None] = set()

    def take(self, events: Sequence[EventOutline]) -> None:
        """The next events; what changed with them is asked for before there are others."""
        for event in events:
            self._take(event)

    def _take(self, event: EventOutline) -> None:
        self.parents.append(event.parent)
        self.flow.append(event.what == "routine" and event.name in self.phases)
        self.hooks.append(event.what == "hook")
        if event.what == "tells":
            self.telling.add(event.parent)
            if event.parent is not None and self.hooks[event.parent]:
                self.telling.add(self.parents[event.parent])
        elif event.told and not event.wordless:
            self.telling.add(event.number)

    def told(self, number: int | None) -> bool:
        """Whether the event of this number, in whose course something changed, or what led to that, is told in words
        (the flow of the game is not asked)."""
        while number is not None and not self.flow[number]:
            if number in self.telling:
                return True
            number = self.parents[number]
        return False


def is_noteworthy(entry: Entry, table: Table) -> bool:
    """Whether a player would ask what became of a change: a thing comes or goes, a card moves in sight or to or from a
    player, something changes that points are made of."""
    layout = table.program.layout
    if entry.template == SET:
        return table.watched.attributes[entry.args[0]].base in layout.points
    if entry.template != MOVE:
        return True
    ends = entry.args[:2]
    if layout.zone_names[ends[0]] == "box":
        return False  # the game is being unpacked
    return any(layout.zone_owner[zone] or sees_zone(table, zone, 0) for zone in ends)


# ---- events in a story


@record
class StoryEvent:
    """How an event stands in the story. `depth`: how many told events caused it, -1 for a phase or the flow itself
    (of a phase that a told event opened: the depth of that).

    `carry`: of an event that is not told itself, the trait that is to be named where its consequences are told;
    `actor`: the player whose action it is, to be named there too.
    """

    shown: bool
    depth: int
    carry: str = ""
    actor: str = ""


@record
class StoryStep:
    """An event in its place. `heading`: of a phase that what comes next stands under, else "". Of one that is told:
    `source`, the title of the trait whose rule it is, "" where that is said already; the player whose doing it is
    (`actor`, "" where that is clear) and who chose it (`chooser`)."""

    event: EventOutline
    told: StoryEvent
    heading: str = ""
    source: str = ""
    actor: str = ""
    chooser: str = ""


class Course:
    """The events of one game that were told so far."""

    def __init__(self) -> None:
        self.told: list[StoryEvent] = []
        self.covered = CoveredEvents()

    def steps(self, state: State, log: Log) -> list[StoryStep]:
        """The events of a log that are new."""
        self.covered.phases = phases = log.table.program.layout.lists.get("phase", ())
        events = log.outlines(len(self.told))
        self.covered.take(events)
        names = labelled_names(state)
        found: list[StoryStep] = []
        for place, event in enumerate(events):
            if event.what == "routine" and event.name in phases:
                step = self._phase(event, names)
            else:
                step = self._step(event, events[place + 1 :] if event.wordless else (), state, names)
            self.told.append(step.told)
            found.append(step)
        return found

    def _phase(self, event: EventOutline, names: Names) -> StoryStep:
        # A window that something told has opened: what is done in it stands under that.
        inside = -1 if event.parent is None else self.told[event.parent].depth
        return StoryStep(
            event, StoryEvent(False, max(inside, -1)), capitalized(names.worded(event.name)) if inside < 0 else ""
        )

    def _step(self, event: EventOutline, later: Sequence[EventOutline], state: State, names: Names) -> StoryStep:
        above = _NOTHING if event.parent is None else self.told[event.parent]
        actor = above.actor if not above.shown else ""
        chooser = state.names.text("player", event.by) if event.by else ""
        if event.what == "action":
            actor = chooser
        elif event.what == "hook" and chooser != actor:
            actor = ""  # somebody else was asked in the midst of the action, and this may be what he wanted
        source = event.source or ("" if above.shown else above.carry)
        # What an action of no words of its own does is told by its consequences, if they are.
        if not event.told or (event.wordless and _leads_to_text(event, later)):
            return StoryStep(event, StoryEvent(False, above.depth, source, actor))
        return StoryStep(
            event, StoryEvent(True, above.depth + 1), "", names.source(source) if source else "", actor, chooser
        )  # fmt: skip


_NOTHING = StoryEvent(False, -1)


def labelled_names(state: State) -> Names:
    """Names as people read them: stories have the labels of the ruleset."""
    return state.names.spoken(state.names.language.labelled())


def _leads_to_text(event: EventOutline, later: Sequence[EventOutline]) -> bool:
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


# ---- merge lines

STEP = "  "
#: The kind of the lines of players who pass.
PASSES = "pass"
#: The kind of the lines of shuffled cards.
SHUFFLES = "shuffle"
#: A line that a consequence has joined is no longer than this.
LONGEST = 74


@record
class StoryLine:
    """One line. `by` names whose doing it is before the text, `source` the trait whose rule it is behind it.

    `start` and `last`: the text up to the thing that it names at its end, and that; "" if it ends otherwise. `who` and
    `does`: the players of whom it speaks, and what it says of each; "" if it speaks of none. Lines of one `kind` are
    said by the same words of the rules. `times`: so often it was said. `of`: what of the log it tells, the numbers of
    events, and of changes as `-1 - number`.
    """

    depth: int
    text: str
    by: str = ""
    source: str = ""
    kind: object = None
    start: str = ""
    last: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    does: str = ""
    times: int = 1
    heading: bool = False
    of: tuple[int, ...] = ()

    def written(self, language: Language) -> str:
        """As it stands in a story."""
        if self.heading:
            return self.text
        text = self.text
        if len(self.last) > 1:
            several = language.listed(self.last)
            if self.kind == PASSES:
                text = language.say("{players} pass", players=several)
            elif self.kind == SHUFFLES:
                text = language.say("{zones} are shuffled", zones=several)
            else:
                text = self.start + several
        if self.times > 1:
            text = language.say("{text} ({n} times)", text=text, n=self.times)
        if self.by:
            text = language.say("{player}: {text}", player=self.by, text=text)
        return f"{STEP * (self.depth + 2)}{text}{f'  [{self.source}]' if self.source else ''}"


def folded_lines(lines: Sequence[StoryLine], language: Language, players: int = 0) -> list[StoryLine]:
    """The same story in fewer lines. `players`: so many are all."""
    if len(lines) < 2:
        return [*lines]
    return _joined([_of_several(line, language, players) for line in _merged(lines)], language)


def _of_several(line: StoryLine, language: Language, players: int) -> StoryLine:
    """What is said of several players in the words that are said of one: `everybody draws 4 cards`."""
    if len(line.who) < 2:
        return line
    names = language.listed(line.who)
    if len(line.who) == players:
        text = f"{language.say('everybody')}{line.does}"
    else:
        english = each_does(names, line.does) if language.code == "en" else ""
        text = english or f"{language.say('each of {players}', players=names)}{line.does}"
    return replace(line, text=text, who=(), does="", start="", last=())


def _merged(lines: Sequence[StoryLine]) -> list[StoryLine]:
    """What the same words say of several things at the end of a sentence is said in one."""
    found: list[StoryLine] = []
    for place, line in enumerate(lines):
        before = found[-1] if found else None
        leads = place + 1 < len(lines) and not lines[place + 1].heading and lines[place + 1].depth > line.depth
        if before is None or leads or not _alike(before, line):
            found.append(line)
        elif before.text == line.text and len(before.last) < 2 and len(before.who) < 2:
            found[-1] = replace(before, times=before.times + 1, of=before.of + line.of)
        elif (same := _said_of_others(found, line)) is not None:
            found[same] = replace(found[same], who=(*found[same].who, *line.who), of=found[same].of + line.of)
        elif _continues(before, line):
            found[-1] = replace(before, last=(*before.last, *line.last), of=before.of + line.of)
        else:
            found.append(line)
    return found


def _said_of_others(lines: Sequence[StoryLine], line: StoryLine) -> int | None:
    """Which of the last lines, all said by the same words, says the same of other players."""
    for place in reversed(range(len(lines))):
        if not _alike(lines[place], line):
            break
        if _together(lines[place], line):
            return place
    return None


def _together(before: StoryLine, line: StoryLine) -> bool:
    """Whether the same is said of other players."""
    same = before.does == line.does and bool(before.who and line.who) and len(before.last) < 2
    return same and before.times == 1 and line.who[0] not in before.who


def _continues(before: StoryLine, line: StoryLine) -> bool:
    """Whether a sentence that is begun alike can name both. A number in it would seem to be that of both together."""
    counts = any(char.isdigit() for char in line.start)
    return (
        before.times == 1
        and len(before.who) < 2
        and bool(before.last and line.last)
        and before.start == line.start
        and not counts
    )


def _alike(one: StoryLine, other: StoryLine) -> bool:
    return (
        not one.heading
        and not other.heading
        and other.kind is not None
        and (one.kind, one.depth, one.by, one.source) == (other.kind, other.depth, other.by, other.source)
    )


def _joined(lines: list[StoryLine], language: Language) -> list[StoryLine]:
    """A line from which one other came, and nothing else, is one with it."""
    found: list[StoryLine] = []  # last line first
    for line in reversed(lines):
        child = found[-1] if found else None
        after = found[-2] if len(found) > 1 else None
        single = (
            child is not None
            and not line.heading
            and not child.heading
            and child.depth == line.depth + 1
            and (after is None or after.heading or after.depth <= line.depth)
        )
        if single and child is not None and not child.by and line.source in ("", child.source):
            text = language.say("{cause}; {then}", cause=_said(line, language), then=_said(child, language))
            both = StoryLine(line.depth, text, line.by, child.source, of=line.of + child.of)
            if display_width(both.written(language)) <= LONGEST:
                found[-1] = both
                continue
        found.append(line)
    found.reverse()
    return found


def _said(line: StoryLine, language: Language) -> str:
    """The words of a line alone."""
    return replace(line, by="", source="", depth=-2).written(language)


# ---- stories


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
        self.held: list[StoryLine] = []  # who passed last
        self.of: list[tuple[int, ...]] = []  # what each line of the last news tells: see `Line.of`
        self.course = Course()
        self.events = 0  # that have been looked at
        self.steps: Sequence[StoryStep] = ()  # the last of them
        self.named: set[tuple[str, int]] | None = None  # what these name, once it is asked for
        self.changes = 0  # that have been looked at
        self.waiting: list[int] = []  # of these, those of which an event that has not ended may still tell
        self.round = 0
        self.rounds = 0  # that have begun while it was told
        self.pending: list[str] = []  # headings under which nothing stands yet
        self.reading = LogReader()

    def copy(self) -> Story:
        """A story that goes on from here, about the same course of the game."""
        other = Story(self.viewer, full=self.full, waits=self.waits)
        other.held, other.pending = self.held.copy(), self.pending.copy()
        other.course, other.events = self.course, self.events
        other.changes, other.waiting = self.changes, self.waiting.copy()
        other.round, other.rounds = self.round, self.rounds
        return other

    def news(self, state: State, steps: Sequence[StoryStep] | None = None) -> list[str]:
        """The lines for what happened since the last time. `steps`: what is new in its course, if that was asked."""
        names = labelled_names(state)
        log = state.log_in(names, self.viewer, self.reading)
        lines = [*self.held, *self._tell(state, log, self.course.steps(state, log) if steps is None else steps)]
        self.held = []
        while self.waits and lines and lines[-1].kind == PASSES and not state.over and state.decider != self.viewer:
            self.held.insert(0, lines.pop())
        lines = lines if self.full else folded_lines(lines, names.language, len(state.players))
        self.of = [line.of for line in lines]
        return [line.written(names.language) for line in lines]

    def _tell(self, state: State, log: Log, steps: Sequence[StoryStep]) -> Iterator[StoryLine]:
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

    def _headings(self) -> list[StoryLine]:
        """The headings below which the next line is the first to stand."""
        found = [StoryLine(-2, text, heading=True) for text in self.pending]
        self.pending = []
        return found

    def _changed(self, state: State, log: Log, number: int) -> Iterator[StoryLine]:
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

    def _late(self, log: Log) -> Iterator[StoryLine]:
        """What waited to be told, and is not any more."""
        waiting, self.waiting = self.waiting, []
        for place in waiting:
            yield from self._change(log, place)

    def _change(self, log: Log, place: int) -> Iterator[StoryLine]:
        """A change, if there are no words for it, or all is told."""
        changes, course = log.changes, self.course
        entry = changes.entry(place)
        parent = None if entry.parent < 0 else entry.parent
        if not self.full:
            if course.covered.told(parent) or not is_noteworthy(entry, log.table) or not log.learned(place):
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
        yield StoryLine(above + 1, change.text, kind=("change", change.what), of=(-1 - place,))

    def _named(self, log: Log) -> set[tuple[str, int]]:
        """What the last events name, by kind and handle."""
        if self.named is None:
            spoken = [step.event.number for step in self.steps if step.event.told and not step.event.wordless]
            self.named = {thing for number in spoken for thing in log.named(number)}
        return self.named

    def _line(self, step: StoryStep, log: Log) -> StoryLine:
        """The line of an event that is told."""
        event, depth, actor, chooser = step.event, step.told.depth, step.actor, step.chooser
        said = log.said(event.number)
        if event.what == "pass":
            return StoryLine(depth, said.text, kind=PASSES, last=(chooser,), of=(event.number,))
        if event.what == "shuffle" and event.name == "shuffle":
            return StoryLine(depth, said.text, kind=SHUFFLES, last=(log.pile(event.number),), of=(event.number,))
        by = "" if _begins(said.text, actor) or _begins(said.text, chooser) else actor
        source = "" if step.source.casefold() in said.text.casefold() else step.source  # a sentence may name it
        return StoryLine(
            depth, said.text, by, source, (event.span, event.what), said.start,
            (said.last,) if said.last else (), (said.who,) if said.who else (), said.does, of=(event.number,),
        )  # fmt: skip


def _begins(text: str, name: str) -> bool:
    """Whether a text is about a player from its first word: `Ana draws`, `Ana's wolf dies`."""
    if not name or not text.startswith(name):
        return False
    after = text[len(name) : len(name) + 1]
    return not after.isalnum() or display_width(after) > 1  # East Asian words are not parted


# ---- stories for several viewers


class SharedStories:
    """Follows one game, in the language that its states speak. Each viewer (a seat, 0 a spectator) is told what a
    `Story` of his own that waits would tell him; those who learned the same have one together."""

    def __init__(self) -> None:
        self.reading = LogReader(everybody=True)
        self.course = Course()
        self.words: Sequence[int] | None = None  # of the state that was told last
        self.stories: dict[int, Story] = {}
        self.told: dict[int, list[str]] = {}
        self.of: dict[int, list[tuple[int, ...]]] = {}  # by viewer, what each of these lines tells: see `Line.of`

    def lines(self, state: State, viewer: int) -> Sequence[str]:
        """All lines for a viewer so far: those of earlier calls, then what happened since. To read only."""
        if self.words is not packed_cells(state):
            self.words = packed_cells(state)
            self._go_on(state)
        if viewer not in self.stories:
            story = self.stories[viewer] = self._begin(Story(viewer, waits=True), viewer)
            self.told[viewer] = story.news(state)
            self.of[viewer] = [*story.of]
            story.course = self.course
        return self.told[viewer]

    def _go_on(self, state: State) -> None:
        events, changes = len(self.reading.events), len(self.reading.changes)
        log = state.log_in(labelled_names(state), 0, self.reading)
        steps = self.course.steps(state, log)
        new = [entry for entry, _ in self.reading.changes[changes:]]
        apart = better_informed_seats(state.table, self.reading, range(events, len(self.reading.events)), new)
        passed = any(entry.template == PASS for entry in self.reading.events[events:])
        if passed or any(story.held for story in self.stories.values()):
            apart.add(state.decider)  # who is asked is told at once who passed
        groups: dict[tuple[int, int], list[int]] = {}
        for viewer, story in self.stories.items():
            groups.setdefault((id(story), viewer if viewer in apart else -1), []).append(viewer)
        left = [which for which, _ in groups]
        for (which, _), viewers in groups.items():
            left.remove(which)
            story = self.stories[viewers[0]]
            story = self._begin(story.copy() if which in left else story, viewers[0])
            lines = story.news(state, steps)
            for viewer in viewers:
                self.stories[viewer] = story
                self.told[viewer] += lines
                self.of[viewer] += story.of
        self._share()

    def _begin(self, story: Story, viewer: int) -> Story:
        """A story that goes on for this viewer, out of what was read for all."""
        story.viewer, story.reading = viewer, self.reading
        return story

    def _share(self) -> None:
        """Those who wait for the same to be told are at the same place again."""
        known: dict[tuple[object, ...], Story] = {}
        for viewer, story in self.stories.items():
            self.stories[viewer] = known.setdefault((*story.waiting, *story.pending, *story.held, story.round), story)


def better_informed_seats(
    table: Table, reading: LogReader, events: Iterable[int], changes: Iterable[Entry]
) -> set[int]:
    """The seats that learn something else of these events and changes than all others: what only an owner sees, and
    what lies, before or after, where everybody sees it, all learn alike."""
    layout, found = table.program.layout, set[int]()

    def look(*zone_ids: int) -> None:
        zones = [(zone_id, layout.zones.get(layout.zone_names[zone_id])) for zone_id in zone_ids]
        if not any(zone is not None and zone.seen_by == "everyone" and zone.name != "box" for _, zone in zones):
            found.update(layout.zone_player[at] for at, zone in zones if zone is not None and zone.seen_by == "owner")

    for number in events:
        entry = reading.events[number]
        for begin, end in zip(entry.snapshots, reading.ends.get(number, entry.snapshots), strict=True):
            look(begin.zone, end.zone)
    for entry in changes:
        if entry.template == MOVE:
            look(entry.args[0], entry.args[1])
        elif entry.template == SET:
            for snapshot in entry.snapshots:
                look(snapshot.zone)
            attribute = table.watched.attributes[entry.args[0]]
            if attribute.seen_by == "owner":
                found.add(
                    layout.zone_player[entry.snapshots[0].zone]
                    if entry.snapshots
                    else owner_of(layout, attribute, entry.args[1])
                )
    return found


# ---- turns that fold

#: So many lines below another are never folded by themselves.
FEW = 3
#: News of more lines than this are long.
LONG = 24
#: How deep headings stand: of rounds, and of phases.
ROUND, PHASE = 0, 1


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line that is seen. `place`: which of all lines it is. `below`: so many lines belong to it, `hidden`: so many of
    these are not seen. `fresh`: whether it, or what it hides, is of the last news."""

    place: int
    text: str
    depth: int
    below: int
    hidden: int
    fresh: bool


class FoldedTurns:
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

    def shown(self) -> list[ShownLine]:
        """What is seen, in its order."""
        ends = self._ends()
        closed = self._closed(ends)
        found: list[ShownLine] = []
        place = 0
        while place < len(self.lines):
            end = ends[place]
            below = end - place - 1
            hidden = below if place in closed else 0
            last = end - 1 if hidden else place
            text = self.lines[place].strip()
            found.append(ShownLine(place, text, self.depths[place], below, hidden, last >= self.fresh))
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
