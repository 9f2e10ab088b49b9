"""How a scenario begins (scenarios.md, "given"): play begins on entry of a phase, whatever runs it, and perhaps with a
player's turn in its first turn loop. What leads there is gone through; what else comes before it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk
from tests.reference.game import Reference
from tests.reference.options import Run
from tests.reference.world import Scope

TURN = -1


class NotInThisTurn(Exception):
    """A turn has not come to what is sought."""


class Seeking(Reference):
    """`sought` is the number of the phase while it is sought, or TURN inside it; `sought_turn` the player."""

    sought: int | None = None
    sought_turn: int | None = None
    inside: dict[str, set[int]]  # the phases, and turn loops of the phase that it stands in, that a routine comes to

    def ready(self, program: tree.Program) -> None:
        super().ready(program)
        self.inside = {event: set() for event in program.routines}
        growing = True
        while growing:
            found = {event: self.comes_to(routine.body) for event, routine in program.routines.items()}
            for hook in program.triggers:
                if hook.pattern.event in found:
                    found[hook.pattern.event] |= self.hook_comes_to(hook)
            growing, self.inside = found != self.inside, found

    def hook_comes_to(self, hook: tree.Trigger) -> set[int]:
        """The turn loops of a phase are not those of the hooks before and after it."""
        if hook.kind == "react to":
            return set()
        routine = self.program.routines.get(hook.pattern.event)
        around = routine is not None and routine.phase and hook.kind != "instead of"
        return self.comes_to(hook.body) - ({TURN} if around else set())

    def comes_to(self, node: Any, around: str = "") -> set[int]:
        """`around`: the event that `proceed` goes on with."""
        found: set[int] = set()
        for n in walk(node):
            if isinstance(n, tree.CallRoutine):
                routine, inside = self.program.routines[n.routine], self.inside[n.routine]
                found |= inside - {TURN} | {routine.number} if routine.phase else inside
            elif isinstance(n, tree.Turns):
                found.add(TURN)
            elif isinstance(n, tree.Proceed):
                found |= self.inside.get(around, set())
        return found

    # ---- statements on the way

    def do(self, st: tree.Stmt, s: Scope) -> Run | None:
        if self.sought is None or isinstance(st, tree.Let):
            return super().do(st, s)
        if self.sought in self.comes_to(st, s.around):
            return self.go_through(st, s)
        local = getattr(st, "local", None) or getattr(st, "target", None)
        if isinstance(local, tree.Local):  # what is left out would have given it
            s.names[local.name] = None
        return None

    def go_through(self, st: tree.Stmt, s: Scope) -> Run:
        match st:
            case tree.CallRoutine():
                routine = self.program.routines[st.routine]
                yield from self.happen(st.routine, self.args(routine, st.args, s), s.roles)
                if routine.phase:
                    yield from self.stop_at("phase")
            case tree.If():
                ways = [side for side in (st.then, st.otherwise) if self.sought in self.comes_to(side, s.around)]
                if self.sought != TURN and len(ways) == 1:
                    yield from self.block(ways[0], s)
                else:
                    yield from super().do(st, s) or ()
            case tree.RepeatTimes():
                for _ in range(max(1, self.through(st.times, s))):
                    yield from self.block(st.body, s)
            case tree.RepeatUntil():
                yield from self.block(st.body, s)
                if self.sought is None:
                    yield from super().do(st, s) or ()
            case tree.Rounds():
                yield from self.block(st.body, s)
                if self.sought is None and not (yield from self.round_over(st, s)):
                    yield from super().do(st, s) or ()
            case tree.Choose():
                yield from self.chosen(st, self.lot(self.choices(st.binders, s, st.at_random)), s)
            case tree.Turns():
                actor, active = self.actor, self.active
                try:
                    yield from super().do(st, s) or ()
                except NotInThisTurn:
                    self.actor, self.active = actor, active
            case _:
                yield from super().do(st, s) or ()

    def starting(self, st: tree.Turns, s: Scope) -> int:
        """With whom a loop begins: with whom the scenario says, if it is the one that it means."""
        player: int | None = None
        sought = self.sought
        flat = sought in self.comes_to(st.body, s.around) and not any(
            TURN in self.inside[r.id] for r in self.program.routines.values() if r.phase and r.number == sought
        )
        if sought == TURN or flat:
            player, self.sought_turn = self.sought_turn, None
        if sought == TURN:
            self.sought = None
        return player or super().starting(st, s)

    def turn(self, st: tree.Turns, s: Scope, player: int, active: int | None) -> Run:
        passed = yield from super().turn(st, s, player, active)
        if self.sought is not None:
            raise NotInThisTurn
        return passed

    # ---- events on the way

    def happen(self, event: str, args: Sequence[Any], roles: dict[str, Any]) -> Run:
        """A phase that begins is what was sought, or its first turn loop is."""
        routine = self.program.routines.get(event)
        if routine is not None and routine.phase and self.sought == routine.number:
            self.sought = TURN if self.sought_turn and TURN in self.inside[event] else None
            self.sought_turn = self.sought_turn if self.sought else None
        return super().happen(event, args, roles)

    def willing(self, due: Scope) -> Run:
        if self.sought is None:
            return (yield from super().willing(due))
        if due.hook.kind != "instead of":
            return self.sought in self.hook_comes_to(due.hook)
        if self.sought in self.comes_to(due.hook.body):
            return True
        leads = self.sought in self.comes_to(due.hook.body, due.hook.pattern.event)
        return leads and (yield from super().willing(due))

    def in_turn(self, due: Sequence[Scope], spent: set[Any], kind: str, run: Callable[[Scope], Run]) -> Run:
        if self.sought is None:
            yield from super().in_turn(due, spent, kind, run)
        elif kind == "order":
            yield from self.one_by_one(due)

    def end_of(self, scope: str) -> None:
        if self.sought in (None, TURN):
            super().end_of(scope)

    def stop_at(self, what: str) -> Run:
        if self.sought is None:
            yield from super().stop_at(what)
