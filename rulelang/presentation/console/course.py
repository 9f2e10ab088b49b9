"""How events stand in a story: the same for all who are told it, whatever each of them saw of the cards."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.node import record
from rulelang.presentation.console.uncovered import Covered
from rulelang.runtime.log import Log, Outline
from rulelang.runtime.names import Names
from rulelang.runtime.state import State


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


@record
class Step:
    """An event in its place. `heading`: of a phase that what comes next stands under, else "". Of one that is told:
    `source`, the title of the trait whose rule it is, "" where that is said already; the player whose doing it is
    (`actor`, "" where that is clear) and who chose it (`chooser`)."""

    event: Outline
    told: Told
    heading: str = ""
    source: str = ""
    actor: str = ""
    chooser: str = ""


class Course:
    """The events of one game that were told so far."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.covered = Covered()

    def steps(self, state: State, log: Log) -> list[Step]:
        """The events of a log that are new."""
        self.covered.phases = phases = log.table.program.layout.lists.get("phase", ())
        events = log.outlines(len(self.told))
        self.covered.take(events)
        names = labelled(state)
        found: list[Step] = []
        for place, event in enumerate(events):
            if event.what == "routine" and event.name in phases:
                step = self._phase(event, names)
            else:
                step = self._step(event, events[place + 1 :] if event.wordless else (), state, names)
            self.told.append(step.told)
            found.append(step)
        return found

    def _phase(self, event: Outline, names: Names) -> Step:
        # A window that something told has opened: what is done in it stands under that.
        inside = -1 if event.parent is None else self.told[event.parent].depth
        return Step(event, Told(False, max(inside, -1)), heading(names.worded(event.name)) if inside < 0 else "")

    def _step(self, event: Outline, later: Sequence[Outline], state: State, names: Names) -> Step:
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
            return Step(event, Told(False, above.depth, source, actor))
        return Step(
            event, Told(True, above.depth + 1), "", names.source(source) if source else "", actor, chooser
        )  # fmt: skip


_NOTHING = Told(False, -1)


def heading(name: str) -> str:
    """The name of a phase as a heading: `Play cards`."""
    return name[:1].upper() + name[1:]


def labelled(state: State) -> Names:
    """Names as people read them: stories have the labels of the ruleset."""
    return state.names.spoken(state.names.language.labelled())


def _leads_to_text(event: Outline, later: Sequence[Outline]) -> bool:
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
