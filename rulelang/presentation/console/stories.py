"""The log of one game as all who look on are told it: worked out once for those who learned the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulelang.presentation.console.course import Course, labelled
from rulelang.presentation.console.render_log import Story
from rulelang.runtime.changes import owner_of
from rulelang.runtime.log_reading import Reading
from rulelang.runtime.packed import words_of
from rulelang.runtime.recorder import MOVE, PASS, SET, Entry
from rulelang.runtime.state import State
from rulelang.runtime.table import Table


class Stories:
    """Follows one game, in the language that its states speak. Each viewer (a seat, 0 a spectator) is told what a
    `Story` of his own that waits would tell him; those who learned the same have one together."""

    def __init__(self) -> None:
        self.reading = Reading(everybody=True)
        self.course = Course()
        self.words: Sequence[int] | None = None  # of the state that was told last
        self.stories: dict[int, Story] = {}
        self.told: dict[int, list[str]] = {}
        self.of: dict[int, list[tuple[int, ...]]] = {}  # by viewer, what each of these lines tells: see `Line.of`

    def lines(self, state: State, viewer: int) -> Sequence[str]:
        """All lines for a viewer so far: those of earlier calls, then what happened since. To read only."""
        if self.words is not words_of(state):
            self.words = words_of(state)
            self._go_on(state)
        if viewer not in self.stories:
            story = self.stories[viewer] = self._begin(Story(viewer, waits=True), viewer)
            self.told[viewer] = story.news(state)
            self.of[viewer] = [*story.of]
            story.course = self.course
        return self.told[viewer]

    def _go_on(self, state: State) -> None:
        events, changes = len(self.reading.events), len(self.reading.changes)
        log = state.log_in(labelled(state), 0, self.reading)
        steps = self.course.steps(state, log)
        new = [entry for entry, _ in self.reading.changes[changes:]]
        apart = concerned(state.table, self.reading, range(events, len(self.reading.events)), new)
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


def concerned(table: Table, reading: Reading, events: Iterable[int], changes: Iterable[Entry]) -> set[int]:
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
