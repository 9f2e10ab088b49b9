"""The log of a game as a text to read: headings for rounds and phases, causes by indentation, traits in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulelang.engine.log import Event, Log
from rulelang.engine.state import State

STEP = "  "


@dataclass(frozen=True, slots=True)
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
    """

    def __init__(self, viewer: int | None = None) -> None:
        self.viewer = viewer
        self.told: list[Told] = []
        self.round = 0
        self.round_phase = ""  # the phase with which a round begins
        self.pending: list[str] = []  # headings under which nothing stands yet

    def copy(self) -> Story:
        """A story that goes on from here on its own."""
        other = Story(self.viewer)
        other.told, other.pending = self.told.copy(), self.pending.copy()
        other.round, other.round_phase = self.round, self.round_phase
        return other

    def news(self, state: State) -> list[str]:
        """The lines for what happened since the last time."""
        log = state.log if self.viewer is None else state.log_for(self.viewer or None)
        return list(self._tell(state, log, log[len(self.told) :]))

    def _tell(self, state: State, log: Log, events: list[Event]) -> Iterator[str]:
        phases = {event.number for event in events if self._is_phase(state, event)}
        starts = self._rounds(state, [event for event in events if event.number in phases])
        for place, event in enumerate(events):
            if event.number in starts:
                self.round += 1
                self.pending = ["", f"Round {self.round}"]
            if event.number in phases and (inside := self._inside(event)) >= 0:
                # A window that something told has opened: what is done in it stands under that.
                self.told.append(Told(False, inside))
                continue
            if event.number in phases:
                self.pending = [line for line in self.pending if not line.startswith(STEP)]
                self.pending.append(STEP + heading(event.name))
                self.told.append(Told(False, -1))
                continue
            line = self._line(state, event, events[place + 1 :])
            if line is not None:
                yield from self.pending
                self.pending = []
                yield line

    def _line(self, state: State, event: Event, later: list[Event]) -> str | None:
        above = Told(False, -1) if event.parent is None else self.told[event.parent]
        actor = above.actor if not above.shown else ""
        chooser = state.names.text("player", event.by) if event.by else ""
        if event.what == "action":
            actor = chooser
        elif event.what == "hook" and chooser != actor:
            actor = ""  # somebody else was asked in the midst of the action, and this may be what he wanted
        source = event.source or ("" if above.shown else above.carry)
        # What an action of no words of its own does is told by its consequences, if they are.
        wordless = event.what == "action" and event.text.split(" ")[0] == _bare(event.name)
        if not event.told or (wordless and _leads_to_text(event, later)):
            self.told.append(Told(False, above.depth, source, actor))
            return None
        depth = above.depth + 1
        self.told.append(Told(True, depth))
        named = any(_begins(event.text, name) for name in (actor, chooser))
        by = f"{actor}: " if actor and not named else ""
        bracket = f"  [{title_of(state, source)}]" if source else ""
        return f"{STEP * (depth + 2)}{by}{event.text}{bracket}"

    def _is_phase(self, state: State, event: Event) -> bool:
        return event.what == "routine" and event.name in state.table.program.layout.lists.get("phase", ())

    def _inside(self, event: Event) -> int:
        """The depth of the told event in whose course this one happens, -1 if there is none."""
        return -1 if event.parent is None else self.told[event.parent].depth

    def _rounds(self, state: State, phases: list[Event]) -> set[int]:
        """The events with which new rounds begin: the game tells only which round it is now."""
        new = state.round - self.round
        if new <= 0 or not phases:
            return set()
        self.round_phase = self.round_phase or phases[0].name
        starts = [event.number for event in phases if event.name == self.round_phase] or [phases[0].number]
        self.round += max(0, new - len(starts))
        return set(starts[-new:])


def _begins(text: str, name: str) -> bool:
    """Whether a text is about a player from its first word: `Ana draws`, `Ana's wolf dies`."""
    return bool(name) and text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()


def heading(name: str) -> str:
    """`play_cards` as a heading: `Play cards`."""
    return name.replace("_", " ").capitalize()


def title_of(state: State, source: str) -> str:
    """The title of a trait, in English if it has one; the name of anything else."""
    titles = state.table.program.layout.trait_titles.get(source, {})
    return titles.get("en") or next(iter(titles.values()), source)


def _bare(name: str) -> str:
    """The name of an action without the trait or row that it belongs to."""
    return name.rpartition(".")[2]


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
