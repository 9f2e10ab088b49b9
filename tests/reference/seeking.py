"""How a scenario begins (scenarios.md, "given"): play begins on entry of a phase, whatever runs it, and perhaps with a
player's turn in its first turn loop. What leads there is gone through; what else comes before it is left out.

`World.sought` is the number of the phase while it is sought, or TURN inside it; `World.sought_turn` the player.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulelang.semantics import tree
from rulelang.semantics.walk import walk

TURN = -1


class Leads:
    """Which phases, and turn loops of the phase that they stand in, a piece of the rules comes to by itself."""

    def __init__(self, program: tree.Program) -> None:
        self.program = program
        self.inside: dict[str, set[int]] = {event: set() for event in program.routines}
        growing = True
        while growing:
            found = {event: self.event(event) for event in self.inside}
            growing, self.inside = found != self.inside, found

    def event(self, event: str) -> set[int]:
        found = self.of(self.program.routines[event].body)
        for hook in self.program.triggers:
            if hook.pattern.event == event:
                found |= self.hook(hook)
        return found

    def hook(self, hook: Any) -> set[int]:
        """The turn loops of a phase are not those of the hooks before and after it."""
        if hook.kind == "react to":
            return set()
        routine = self.program.routines.get(hook.pattern.event)
        around = routine is not None and routine.phase and hook.kind != "instead of"
        return self.of(hook.body) - ({TURN} if around else set())

    def of(self, node: Any, proceed: frozenset[int] = frozenset()) -> set[int]:
        found: set[int] = set()
        for n in walk(node):
            if isinstance(n, tree.CallRoutine):
                routine = self.program.routines[n.routine]
                found |= self.inside[n.routine] - {TURN} | {routine.number} if routine.phase else self.inside[n.routine]
            elif isinstance(n, tree.Turns):
                found.add(TURN)
            elif isinstance(n, tree.Proceed):
                found |= proceed
        return found


class Seeking:
    """What running statements asks while something is sought."""

    world: Any
    leads: Leads

    def leads_on(self, node: Any, proceed: str = "") -> bool:
        """Whether a piece of the rules leads to what is sought."""
        inside = frozenset(self.leads.inside.get(proceed, ()))
        return self.world.sought in self.leads.of(node, inside)

    def left_out(self, st: tree.Stmt, proceed: str) -> bool:
        """Whether a statement is none of those on the way."""
        return self.world.sought is not None and not isinstance(st, tree.Let) and not self.leads_on(st, proceed)

    def entered(self, declared: tree.Routine) -> None:
        """A phase begins: it is what was sought, or its first turn loop is."""
        w = self.world
        if w.sought == declared.number:
            w.sought = TURN if w.sought_turn and TURN in self.leads.inside[declared.id] else None
            w.sought_turn = w.sought_turn if w.sought else None

    def first_turn(self, st: tree.Turns, proceed: str) -> int | None:
        """Whose turn a loop begins with, if it is the one that a scenario means."""
        w = self.world
        if w.sought is None:
            return None
        player: int | None = None
        phases = {r.number: r for r in self.leads.program.routines.values() if r.phase}
        inside = self.leads.of(st.body, frozenset(self.leads.inside.get(proceed, ())))
        flat = w.sought in inside and w.sought in phases and TURN not in self.leads.inside[phases[w.sought].id]
        if w.sought == TURN or flat:
            player, w.sought_turn = w.sought_turn, None
        if w.sought == TURN:
            w.sought = None
        return player

    def branch(self, st: tree.If, proceed: str) -> tree.Block | None:
        """The side of an `if` that alone leads to the phase that is sought; None if its condition is asked."""
        if self.world.sought in (None, TURN):
            return None
        sides = [side for side in (st.then, st.otherwise) if self.leads_on(side, proceed)]
        return sides[0] if len(sides) == 1 else None

    def made(self, st: tree.Stmt) -> Iterator[tree.Local]:
        """Variables that a statement which is left out would have given."""
        local = st.local if isinstance(st, tree.Create) else st.target if isinstance(st, tree.Roll) else None
        if isinstance(local, tree.Local):
            yield local
