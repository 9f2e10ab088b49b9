"""Where a position may begin: which phases and turn loops each piece of the rules leads to."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rulelang.base.memo import IdentityKey
from rulelang.compiler.lower.program_graph import ProgramGraph
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk

Targets = frozenset[int]
NONE: Targets = frozenset()


@lru_cache(4096)
def _leading(node: IdentityKey[Any]) -> list[tree.CallRoutine | tree.Turns | tree.Proceed]:
    """What leads anywhere in a piece of tree. Kept, as it is asked for until nothing grows, and for each mode anew."""
    return [n for n in walk(node.item) if isinstance(n, tree.CallRoutine | tree.Turns | tree.Proceed)]


class Leads:
    """Which phases (by number) and turn loops (`turn`) each piece of the rules leads to, without anybody's choice.

    A turn loop belongs to the phase that runs it, itself or through routines, and not to the phases around that.
    """

    def __init__(self, graph: ProgramGraph) -> None:
        self.graph = graph
        self.program = graph.program
        phases = [routine for routine in self.program.routines.values() if routine.phase]
        self.turn = 1 + max((phase.number for phase in phases), default=0)
        self.inside: dict[str, Targets] = dict.fromkeys(self.program.routines, NONE)
        growing = True
        while growing:
            found = {event: self._inside(event) for event in self.inside}
            growing = found != self.inside
            self.inside = found
        self.from_start = self.of(self.program.game.body) if self.program.game is not None else NONE
        self.walked = self._walked()
        self.in_turns = self._in_turns()

    def of(self, node: Any, proceed: Targets = NONE) -> Targets:
        """Where a piece of tree leads. `proceed`: where the statement of that name does."""
        found = NONE
        for n in _leading(IdentityKey(node)):
            if isinstance(n, tree.CallRoutine):
                found |= self.called(n.routine)
            elif isinstance(n, tree.Turns):
                found |= {self.turn}
            elif isinstance(n, tree.Proceed):
                found |= proceed
        return found

    def called(self, event: str) -> Targets:
        """Where a call of a routine or phase leads."""
        routine = self.program.routines[event]
        inside = self.inside.get(event, NONE)
        return inside - {self.turn} | {routine.number} if routine.phase else inside

    def hook(self, hook: tree.Trigger) -> Targets:
        """Where a hook leads. The turn loops of a phase are not those of the hooks before and after it."""
        if hook.kind == "react to":
            return NONE
        found = self.of(hook.body)
        routine = self.program.routines.get(hook.pattern.event)
        phase = routine is not None and routine.phase
        return found - {self.turn} if phase and hook.kind != "instead of" else found

    def loops(self, phase: str) -> bool:
        """Whether a phase has a turn loop of its own."""
        return self.turn in self.inside[phase]

    def reached(self, phase: str) -> bool:
        """Whether anything but what players choose leads to a phase."""
        return self.program.routines[phase].number in self.from_start

    def called_at_all(self, phase: str) -> bool:
        """Whether any rule runs a phase."""
        whole = [self.program.game, *self.program.routines.values(), *self.program.actions.values()]
        return any(isinstance(n, tree.CallRoutine | tree.Redirect) and n.routine == phase
                   for n in walk([*whole, *self.program.triggers]))  # fmt: skip

    def _inside(self, event: str) -> Targets:
        hooks = [hook for hook in self.graph.hooks_on.get(event, ()) if hook.kind != "react to"]
        return self.of(self.program.routines[event].body).union(*(self.hook(hook) for hook in hooks))

    def _walked(self) -> set[str]:
        """The routines and phases on the way to any of them: only these have to know what is sought."""
        waiting: list[Any] = [self.program.game.body] if self.program.game is not None else []
        found: set[str] = set()
        while waiting:
            for n in walk(waiting.pop()):
                if isinstance(n, tree.CallRoutine) and n.routine not in found:
                    found.add(n.routine)
                    waiting.append(self.program.routines[n.routine].body)
                    waiting += [h.body for h in self.graph.hooks_on.get(n.routine, ()) if h.kind != "react to"]
        return {event for event in found if self.inside[event]}

    def _in_turns(self) -> Targets:
        """The phases that are entered in turns of players."""
        whole = [self.program.game, *self.program.routines.values(), *self.program.triggers]
        return NONE.union(*(self.of(n.body) for n in walk(whole) if isinstance(n, tree.Turns)))
