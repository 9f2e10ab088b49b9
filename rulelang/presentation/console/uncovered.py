"""Changes on the table that a player would want to know of, and whether what is told in words tells of them."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rulelang.runtime.changes import sees_zone
from rulelang.runtime.log import Outline
from rulelang.runtime.recorder import MOVE, SET, Entry
from rulelang.runtime.table import Table


class Covered:
    """Keeps which events are told in words, as they come. `phases`: the names of all phases, whose titles tell of
    nothing that happens in them."""

    def __init__(self, phases: Container[str] = ()) -> None:
        self.phases = phases
        self.parents: list[int | None] = []
        self.flow: list[bool] = []  # by event, whether it is a phase
        self.hooks: list[bool] = []  # by event, whether it is a hook, which is part of what it hooks
        self.telling: set[int | None] = set()

    def take(self, events: Sequence[Outline]) -> None:
        """The next events; what changed with them is asked for before there are others."""
        for event in events:
            self._take(event)

    def _take(self, event: Outline) -> None:
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


def matters(entry: Entry, table: Table) -> bool:
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
