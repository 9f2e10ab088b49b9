"""What never comes about, seen from `game`: actions that no phase offers, hooks whose phase is never the one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.english import either, together
from rulelang.language.semantics import tree
from rulelang.language.semantics.walk import conjuncts, walk

#: Stands for "outside of all phases" among the numbers of phases.
_NO_PHASE = 0

Going = Mapping[str, Collection[int]]


def never(program: tree.Program, out: Diagnostics) -> None:
    """W517 for what is done in phases that offer nothing, W518 for hooks that wait for a phase in vain.

    What some condition may keep from happening counts as happening: only what is certain is told. Where a layer changes
    rules below it, nothing is said of those: it may be what the change is for.
    """
    if program.game is None:
        return
    offers = {node.phase for declared in _bodies(program) for node in walk(declared) if isinstance(node, tree.Offer)}
    going = _going(program)
    changed = max((change.layer for change in program.changes), default=0)
    silent: dict[tuple[str, bool], list[tree.Action]] = {}
    for action in program.actions.values():
        if action.origin.layer < changed:
            continue
        asking = [phase for phase in action.during if phase in offers and going[phase]]
        for phase in action.during:
            if phase not in asking:
                silent.setdefault((phase, bool(asking)), []).append(action)
    for (phase, elsewhere), actions in silent.items():
        _never_offered(program, actions, phase, offers, going, elsewhere, out)
    for hook in program.triggers:
        phases = going.get(hook.pattern.event, ())
        if phases and hook.origin.layer >= changed and any(_never(part, phases) for part in conjuncts(hook.guard)):
            _in_vain(program, hook, phases, out)


def _never_offered(
    program: tree.Program, actions: Sequence[tree.Action], phase: str, offers: Collection[str], going: Going,
    elsewhere: bool, out: Diagnostics,
) -> None:  # fmt: skip
    """One message for all actions of a phase, at the first: what is missing is missing in the phase."""
    name = program.routines[phase].name if phase in program.routines else phase
    others = [
        f"`{r.name}`" for r in program.routines.values()
        if r.id in offers and going[r.id] and all(r.id not in action.during for action in actions)
    ]  # fmt: skip
    known = f"; actions are offered in {together(others)}" if others else ""
    if phase in offers:
        because = f"no rule that the game can reach runs the phase `{name}`{known}"
        hint = f"run `{name}` where it should happen"
    else:
        because = f"the phase `{name}` has no `offer`{known}"
        hint = f"write `turns p from PLAYER once each: offer one action to p or pass` in `{name}`"
    when = f" during `{name}`" if elsewhere else ""
    first, *more = actions
    said = f"{together([f'`{action.name}`' for action in actions])} {'are' if more else 'is'} never offered{when}"
    related = [Related(action.span.head(), "this is never offered either") for action in more]
    out.warning("W517", first.span.head(), said, because=because, hint=hint, related=related)


def _in_vain(program: tree.Program, hook: tree.Trigger, phases: Collection[int], out: Diagnostics) -> None:
    declared = program.routines.get(hook.pattern.event) or program.actions[hook.pattern.event]
    names = {r.number: f"`{r.name}`" for r in program.routines.values() if r.phase}
    shown = [f"during {names[number]}" if number else "outside phases" for number in sorted(phases)]
    because = f"`{declared.name}` happens only {either(shown)}"
    inside = [names[number] for number in sorted(phases) if number]
    hint = f"compare `phase` with {either(inside)}" if inside else ""
    out.warning("W518", hook.span.head(), "this hook never runs", because=because, hint=hint)


def _going(program: tree.Program) -> dict[str, set[int]]:
    """For each routine, phase and action the phases that may be going on when it happens; none: it never does."""
    events: dict[str, tree.Routine | tree.Action] = {**program.routines, **program.actions}
    going: dict[str, set[int]] = {event: set() for event in events}
    offered: dict[str, list[str]] = {}
    for action in program.actions.values():
        for window in action.during:
            offered.setdefault(window, []).append(action.id)
    inside = {event: _caused(declared.body, offered) for event, declared in events.items()}
    beside: dict[str, set[str]] = {}
    for hook in program.triggers:
        beside.setdefault(hook.pattern.event, set()).update(_caused(hook.body, offered))
    assert program.game is not None
    waiting = [(event, _NO_PHASE) for event in _caused(program.game.body, offered)]
    while waiting:
        event, phase = waiting.pop()
        if event not in going or phase in going[event]:
            continue
        going[event].add(phase)
        declared = events[event]
        own = declared.number if isinstance(declared, tree.Routine) and declared.phase else phase
        waiting += ((other, own) for other in inside[event])
        # Whether a hook on a phase counts as inside of it need not be known: it may be either.
        waiting += ((other, when) for other in beside.get(event, ()) for when in {phase, own})
    for routine in program.routines.values():
        if routine.phase and going[routine.id]:
            going[routine.id].add(routine.number)
    return going


def _caused(body: tree.Block, offered: Mapping[str, Sequence[str]]) -> set[str]:
    found: set[str] = set()
    for node in walk(body):
        if isinstance(node, tree.CallRoutine | tree.Redirect):
            found.add(node.routine)
        elif isinstance(node, tree.Offer):
            found.update(offered.get(node.phase, ()))
    return found


def _bodies(program: tree.Program) -> Iterable[object]:
    yield program.game
    yield from program.routines.values()
    yield from program.actions.values()
    yield from program.triggers


def _never(test: tree.Expr, phases: Collection[int]) -> bool:
    return all(_known(test, phase) is False for phase in phases)


def _known(test: tree.Expr, phase: int) -> bool | None:
    """What a condition comes to while a phase is going on, as far as that alone decides it."""
    match test:
        case tree.Logic(op=op, left=left, right=right):
            sides = (_known(left, phase), _known(right, phase))
            decides = op == "or"
            if decides in sides:
                return decides
            return None if None in sides else not decides
        case tree.Not(operand=operand):
            known = _known(operand, phase)
            return None if known is None else not known
        case tree.Compare(op="==" | "!=" as op, left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, tree.BuiltinRef) and one.name == "phase" and isinstance(other, tree.Const):
                    return (other.value == phase) == (op == "==")
    return None
