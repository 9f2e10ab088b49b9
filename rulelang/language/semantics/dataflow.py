"""Follow values through a program: which things an event removes, and where rolled numbers are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk

# ---- removed things


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
        for block in inner_blocks(line):
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


def inner_blocks(part: object) -> Iterator[tree.Block]:
    """Yield the blocks that a node has itself."""
    for name in ("body", "then", "otherwise", "block"):
        held = getattr(part, name, None)
        if isinstance(held, tuple) and held and isinstance(held[0], tree.Statement):
            yield held


# ---- rolled numbers

Target = tree.StateRef | tree.AttributeRef


class Flow(NamedTuple):
    """A place that a number flows into. `here`: it is written in the declaration that rolls, where its names count."""

    target: Target
    here: bool


class Flows:
    """Where the numbers of a program's dice go.

    `card_sorts`: the attributes of cards of these sorts count as hidden too, since where a card is decides who sees
    them.
    """

    def __init__(self, program: tree.Program, card_sorts: Iterable[str]) -> None:
        self.program, self.card_sorts = program, frozenset(card_sorts)
        self._reads: Callable[[object, set[str]], bool] = mentions
        self._done: set[tuple[str, frozenset[str], bool]] = set()
        self._triggers: dict[str, list[tree.Trigger]] = {}
        for trigger in program.triggers:
            self._triggers.setdefault(trigger.pattern.event, []).append(trigger)

    def of_argument(self, action: tree.Action, param: str) -> tuple[Flow, ...]:
        """Return the hidden attributes and state values that an argument of an action is written into as it is."""
        if not any(isinstance(node, tree.Assign | tree.CallRoutine | tree.Redirect) for node in walk(action.body)):
            return ()
        self._done, self._reads = set(), carries
        found = tuple(self._into(action.body, {param}, False, True))
        self._reads = mentions
        return found

    def of(self, roll: tree.Roll) -> tuple[Flow, ...]:
        """Return the attributes and state values that not everyone sees and that a roll flows into.

        The result is empty for a roll whose block names it in a `tells`: the rules show such a die to everyone.
        """
        if isinstance(roll.target, tree.Local):
            return self._found.get(roll.span, ())
        if isinstance(roll.target, tree.TableRef) or not self._hidden(roll.target):
            return ()
        return (Flow(roll.target, True),)

    @cached_property
    def _found(self) -> dict[Span, tuple[Flow, ...]]:
        program = self.program
        whole = (program.game, *program.actions.values(), *program.routines.values(), *program.triggers)
        found: dict[Span, tuple[Flow, ...]] = {}
        for declared in whole:
            if declared is None or not any(isinstance(node, tree.Roll) for node in walk(declared.body)):
                continue
            for block in _blocks(declared.body):
                for place, s in enumerate(block):
                    if isinstance(s, tree.Roll) and isinstance(s.target, tree.Local):
                        after = block[place + 1 :]
                        self._done = set()
                        shown = any(isinstance(t, tree.Tells) and _names(t, s.target.name) for t in after)
                        into = () if shown else self._into(after, {s.target.name}, False, True)
                        found[s.span] = (*found.get(s.span, ()), *into)
        return found

    def _hidden(self, target: Target) -> bool:
        of_card = isinstance(target, tree.AttributeRef) and target.kind in self.card_sorts
        return target.attribute.seen_by != "everyone" or of_card

    def _into(self, block: Sequence[tree.Stmt], names: set[str], why: bool, here: bool) -> Iterator[Flow]:
        """Yield what a block writes that depends on these names; `why`: all that it does depends on them."""
        for s in block:
            match s:
                case tree.Let():
                    if self._reads(s.value, names):
                        names.add(s.local.name)
                case tree.Assign(target=tree.StateRef() | tree.AttributeRef() as target):
                    if self._hidden(target) and (why or self._reads(s.value, names) or self._reads(target, names)):
                        yield Flow(target, here)
                case tree.Roll():
                    depends = self._reads(s.count, names) or self._reads(s.target, names)
                    if isinstance(s.target, tree.Local):
                        names.update([s.target.name] if depends else [])
                    elif not isinstance(s.target, tree.TableRef) and self._hidden(s.target) and (why or depends):
                        yield Flow(s.target, here)
                case tree.CallRoutine() | tree.Redirect():
                    yield from self._called(s.routine, [self._reads(arg, names) for arg in s.args], why)
                case _:
                    inner = why or any(self._reads(part, names) for part in _decided_by(s))
                    for body in _inner(s):
                        # In `turns` somebody else is the actor.
                        yield from self._into(body, set(names), inner, here and not isinstance(s, tree.Turns))

    def _called(self, event: str, given: Sequence[bool], why: bool) -> Iterator[Flow]:
        """Yield what a routine and its hooks write that depends on these of its arguments."""
        routine = self.program.routines.get(event)
        if routine is None or not (why or any(given)):
            return
        names = {p.name for p, depends in zip(routine.params, given, strict=False) if depends}
        key = event, frozenset(names), why
        if key in self._done:
            return
        self._done.add(key)
        why = why or any(self._reads(require.condition, names) for require in routine.requires)
        yield from self._into(routine.body, set(names), why, False)
        for hook in self._triggers.get(event, ()):
            bound = {
                slot.local.name
                for slot, depends in zip(hook.pattern.slots, given, strict=False)
                if depends and isinstance(slot, tree.BindSlot)
            }
            guarded = why or (hook.guard is not None and self._reads(hook.guard, bound))
            if guarded or bound:
                yield from self._into(hook.body, bound, guarded, False)


def mentions(part: object, names: set[str]) -> bool:
    """Whether any of the variables is read there."""
    return any(isinstance(node, tree.LocalRef) and node.local.name in names for node in walk(part))


def carries(part: object, names: set[str]) -> bool:
    """Whether one of the variables is the value, or is added, multiplied or picked there to make it."""
    match part:
        case tree.LocalRef():
            return part.local.name in names
        case tree.Arith():
            return carries(part.left, names) or carries(part.right, names)
        case tree.Negative() | tree.Not():
            return carries(part.operand, names)
        case tree.IfElse():
            return carries(part.then, names) or carries(part.otherwise, names)
        case tree.Otherwise():
            return carries(part.value, names) or carries(part.default, names)
        case tree.BuiltinCall(type=type_) if type_.tag == "int":
            return any(arg.type.tag == "int" and carries(arg, names) for arg in part.args)
        case _:
            return False


def _names(s: tree.Tells, name: str) -> bool:
    return any(isinstance(part, tree.LocalRef) and part.local.name == name for part in s.parts)


def _decided_by(s: tree.Stmt) -> tuple[object, ...]:
    """What decides whether, or for what, the blocks of a statement run. A choice is free, whatever it is made from."""
    match s:
        case tree.If():
            return (s.test,)
        case tree.For():
            return s.binders
        case tree.RepeatTimes():
            return (s.times,)
        case tree.RepeatUntil() | tree.Rounds():
            return (s.until,)
        case _:
            return ()


def _inner(s: tree.Stmt) -> tuple[tree.Block, ...]:
    match s:
        case tree.If() | tree.Choose():
            return (s.then if isinstance(s, tree.If) else s.body, s.otherwise)
        case tree.For() | tree.RepeatTimes() | tree.RepeatUntil() | tree.Rounds() | tree.Turns():
            return (s.body,)
        case _:
            return ()


def _blocks(block: tree.Block) -> Iterator[tree.Block]:
    yield block
    for s in block:
        for body in _inner(s):
            yield from _blocks(body)
