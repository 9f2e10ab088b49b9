"""Which kinds of things may come after others of theirs have gone, before the places of those are free again.

Each piece of the rules is summed up: what comes in it before a place can be freed, what goes in it and is still in the
way at its end, whether its end can be reached without freeing any, and for which kinds both meet within it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, assert_never

from rulelang.base.node import record
from rulelang.language.semantics import tree

if TYPE_CHECKING:
    from rulelang.compiler.lower.program_graph import ProgramGraph

Kinds = frozenset[str]
NONE: Kinds = frozenset()


@record
class Sum:
    comes: Kinds = NONE
    goes: Kinds = NONE
    through: bool = True
    meets: Kinds = NONE

    def then(self, other: Sum) -> Sum:
        """One after the other."""
        if other is NOTHING or self is NOTHING:  # as most pieces are
            return self if other is NOTHING else other
        return Sum(
            self.comes | (other.comes if self.through else NONE),
            other.goes | (self.goes if other.through else NONE),
            self.through and other.through,
            self.meets | other.meets | (self.goes & other.comes),
        )

    def either(self, other: Sum) -> Sum:
        if other is self:
            return self
        return Sum(
            self.comes | other.comes,
            self.goes | other.goes,
            self.through or other.through,
            self.meets | other.meets,
        )

    def again(self) -> Sum:
        """As often as one likes, or not at all."""
        return NOTHING.either(self).either(self.then(self))


NOTHING = Sum()
FREED = Sum(through=False)
#: Nothing of this goes on: what a fixed point begins with.
NEVER = Sum(through=False)


@record
class At:
    """Where a piece of the rules stands.

    `outermost`: no turns are around; those in it are such at whose beginning places become free. `plain`: no variable
    around it speaks of things. `game`: it is the block of the game, whose calls free places too, if it is plain.
    `turn`: the player of an outermost turn, between whose own actions places become free.
    """

    outermost: bool
    plain: bool = False
    game: bool = False
    turn: tree.Local | None = None
    proceed: Sum = NOTHING


def spare(graph: ProgramGraph) -> Kinds:
    """The kinds that need room for what has gone beside what lives."""
    program = graph.program
    if program.game is None or not any(graph.removes.values()):
        return NONE
    return _Sums(graph).of(program.game.body, At(True, graph.frees, graph.frees)).meets


class _Sums:
    def __init__(self, graph: ProgramGraph) -> None:
        self.graph = graph
        self.known: dict[tuple[str, bool], Sum] = {}
        for group in graph.groups:
            for outermost in (False, True):
                if outermost and not graph.turning.intersection(group):  # nothing else asks what is around it
                    self.known.update({(event, True): self.known[event, False] for event in group})
                    break
                self.known.update(dict.fromkeys(((event, outermost) for event in group), NEVER))
                growing = True
                while growing:
                    growing = len(group) > 1 or group[0] in graph.causes[group[0]]  # else none asks for itself
                    found = {(event, outermost): self.event(event, outermost) for event in group}
                    growing = growing and any(self.known[key] != found[key] for key in found)
                    self.known.update(found)

    def event(self, event: str, outermost: bool) -> Sum:
        hooks = self.graph.hooks_on.get(event, [])
        before, react, after = (
            self.hooks((h for h in hooks if h.kind == kind), outermost) for kind in ("before", "react to", "after")
        )
        result = before.then(react).again().then(self.body(event, outermost)).then(after)
        for hook in reversed(tree.outermost_first(hooks)):
            result = result.either(self.of(hook.body, At(outermost, proceed=result)))
        return result

    def body(self, event: str, outermost: bool) -> Sum:
        routine = self.graph.program.routines.get(event)
        if routine is None:
            return self.of(self.graph.program.actions[event].body, At(outermost))
        params = any(p.type.name in self.graph.model.made for p in routine.params)
        plain = routine.origin.what == "core" and not params and not self.graph.speaks_of_things(routine.body)
        return self.of(routine.body, At(outermost, plain))

    def hooks(self, hooks: Iterable[tree.Trigger], outermost: bool) -> Sum:
        """In any order, some of them."""
        found = NOTHING
        for hook in hooks:
            found = found.either(self.of(hook.body, At(outermost)))
        return found.again()

    def of(self, block: tree.Block, at: At) -> Sum:
        found = NOTHING
        for s in block:
            found = found.then(self.statement(s, at))
        return found

    def statement(self, s: tree.Stmt, at: At) -> Sum:
        match s:
            case tree.Create():
                return Sum(comes=frozenset((s.kind,)))
            case tree.Remove():
                return Sum(goes=frozenset((s.kind,)))
            case tree.CallRoutine() | tree.Redirect():
                called = self.known.get((s.routine, at.outermost), NOTHING)
                return FREED.then(called) if at.game else called
            case tree.Proceed():
                return at.proceed
            case tree.Offer():
                own = isinstance(s.to, tree.LocalRef) and s.to.local == at.turn
                return self.offer(s.phase, FREED if own else NOTHING)
            case tree.If(then=first) | tree.Choose(body=first):
                return self.of(first, at).either(self.of(s.otherwise, at))
            case tree.For() | tree.RepeatTimes() | tree.RepeatUntil() | tree.Rounds():
                return self.of(s.body, at).again()
            case tree.Turns() if at.outermost:
                turn = FREED.then(self.of(s.body, At(False, turn=s.local if at.plain else None, proceed=at.proceed)))
                turns = turn.then(turn.again())
                return turns.either(NOTHING) if s.start.type.maybe else turns
            case tree.Turns():
                return self.of(s.body, At(False, proceed=at.proceed)).again()
            case tree.Let() | tree.Assign() | tree.Clear() | tree.Roll() | tree.Silence() | tree.Restore():
                return NOTHING
            case tree.Move() | tree.MoveAll() | tree.Draw() | tree.Shuffle():
                return NOTHING
            case tree.Tells() | tree.Require() | tree.Ensure() | tree.Compulsory() | tree.Stop() | tree.Nothing():
                return NOTHING
            case _:
                assert_never(s)

    def offer(self, phase: str, between: Sum) -> Sum:
        """What is offered is done once or more, in any order."""
        found = NOTHING
        for action in self.graph.program.actions.values():
            if phase in action.during:
                found = found.either(self.known[action.id, False].then(between))
        return found.again()


__all__ = ["spare"]
