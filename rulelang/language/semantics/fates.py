"""What becomes of the things and cards that an event is about: which of them are gone when it has happened.

The answer follows calls: `kill` calls `die`, which removes its animal, so the prey of `kill` is gone after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rulelang.language.semantics import tree


@dataclass(frozen=True, slots=True)
class Fate:
    """How something is lost.

    `removed`: a thing leaves play; else a card lies on nothing any more. `certain`: nothing in the rules keeps it from
    happening. `always`: it happens whenever all calls on the way to it happen. `by`: the routines called on the way.
    """

    removed: bool
    certain: bool = True
    always: bool = True
    by: tuple[str, ...] = ()

    def worse(self, other: Fate | None) -> Fate:
        """Choose the more certain of two."""
        return self if other is None or (self.certain, self.always) >= (other.certain, other.always) else other


class Fates:
    """The fates of the parameters of all events of a program."""

    def __init__(self, program: tree.Program) -> None:
        self._events: Mapping[str, tree.Routine | tree.Action] = {**program.routines, **program.actions}
        kept = {hook.pattern.event for hook in program.forbids}
        kept |= {hook.pattern.event for hook in program.triggers if hook.kind in ("instead of", "react to")}
        self._stoppable = kept | {name for name, event in self._events.items() if event.requires}
        self._known: dict[str, dict[str, Fate]] = {}

    def of(self, event: str) -> Mapping[str, Fate]:
        """Return the fates of an event's parameters, by their names."""
        if event not in self._known:
            self._known[event] = {}  # what calls itself adds nothing to its first call
            declared = self._events.get(event)
            if declared is not None:
                fates = self.in_block(declared.body)
                params = declared.params if isinstance(declared, tree.Routine) else [b.local for b in declared.binders]
                self._known[event] = {one.name: fates[one.name] for one in params if one.name in fates}
        return self._known[event]

    def in_block(self, block: tree.Block) -> dict[str, Fate]:
        """Return the fates of local names after a block."""
        found: dict[str, Fate] = {}
        for line in block:
            for name, fate in self.in_line(line).items():
                found[name] = fate.worse(found.get(name))
        return found

    def in_line(self, line: tree.Statement) -> dict[str, Fate]:
        """Return the fates of local names after a statement."""
        match line:
            case tree.Remove(thing=tree.LocalRef(local=local)):
                return {local.name: Fate(removed=True)}
            case tree.Move(card=tree.LocalRef(local=local), to=tree.BoxRef()):
                return {local.name: Fate(removed=False)}
            case tree.Move(card=tree.LocalRef(local=local), to=tree.ZoneRef(zone=zone)) if zone.of in (None, "player"):
                return {local.name: Fate(removed=False)}
            case tree.CallRoutine():
                return self._called(line)
            case tree.If():
                then, otherwise = self.in_block(line.then), self.in_block(line.otherwise)
                both = {name: replace(fate, certain=fate.certain and otherwise[name].certain,
                                      always=fate.always and otherwise[name].always)
                        for name, fate in then.items() if name in otherwise}  # fmt: skip
                return {**_perhaps(otherwise), **_perhaps(then), **both}
        found: dict[str, Fate] = {}
        for block in blocks(line):
            found |= _perhaps(self.in_block(block))
        return found

    def _called(self, call: tree.CallRoutine) -> dict[str, Fate]:
        event = self._events.get(call.routine)
        if not isinstance(event, tree.Routine):
            return {}
        fates, found = self.of(call.routine), {}
        certain = call.routine not in self._stoppable
        for param, arg in zip(event.params, call.args, strict=False):
            fate = fates.get(param.name)
            if fate is not None and isinstance(arg, tree.LocalRef):
                by = (call.routine, *fate.by)
                found[arg.local.name] = replace(fate, certain=fate.certain and certain, by=by)
        return found


def _perhaps(fates: Mapping[str, Fate]) -> dict[str, Fate]:
    return {name: replace(fate, certain=False, always=False) for name, fate in fates.items()}


def blocks(part: object) -> Iterator[tree.Block]:
    """Yield the blocks that a node has itself."""
    for name in ("body", "then", "otherwise", "block"):
        held = getattr(part, name, None)
        if isinstance(held, tuple) and held and isinstance(held[0], tree.Statement):
            yield held
