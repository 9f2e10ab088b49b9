"""Check the program as a whole: recursion, endless calls, conflicting hooks, rules that never apply."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.memo import IdentityKey
from rulelang.base.numbers import DEEPEST
from rulelang.base.wording import list_with_and, list_with_or
from rulelang.data.mods import ORDER_MODS
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.checker import Checker
from rulelang.language.semantics.check.symbol_table import Symbols
from rulelang.language.semantics.model import Bound, Model
from rulelang.language.semantics.tree import Program, conjuncts, walk

# ---- recursion and conflicts

# ---- values that call themselves


def report_recursion(program: Program, symbols: Symbols, out: Diagnostics) -> None:
    """W507 once for every circle of values, requirements and modifications."""
    edges = _edges(program)
    done: set[str] = set()
    for start in edges:
        if start in done:
            continue
        path: list[str] = []
        on_path: set[str] = set()
        stack: list[tuple[str, Iterator[str]]] = [(start, iter(edges[start]))]
        path.append(start)
        on_path.add(start)
        while stack:
            name, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                stack.pop()
                path.pop()
                on_path.discard(name)
                done.add(name)
            elif target in on_path:
                _circle(path[path.index(target) :], symbols, out)
            elif target not in done and target in edges:
                path.append(target)
                on_path.add(target)
                stack.append((target, iter(edges[target])))


def _circle(circle: list[str], symbols: Symbols, out: Diagnostics) -> None:
    values = [name for name in circle if " " not in name]
    first = values[0] if values else circle[0]
    at = circle.index(first)
    turned = [*circle[at:], *circle[:at], first]
    signature = symbols.signatures.get(first.removeprefix("can ").removeprefix("affects "))
    if signature is None:
        return
    shown = " -> ".join(f"`{name}`" for name in turned)
    because = f"the cycle is {shown}"
    if len(circle) > 1:
        hint = "in one of these, read an attribute instead"
    else:
        hint = "read an attribute instead"
    others = [symbols.signatures[name] for name in values[1:] if name in symbols.signatures]
    related = tuple(Related(other.span, f"`{other.name}` is declared here") for other in others)
    text = "calls itself" if " " not in first else "depends on itself"
    what = f"the value `{signature.name}`" if " " not in first else f"`{first}`"
    out.error("W507", signature.span, f"{what} {text}", because=because, hint=hint, related=related)


def _edges(program: Program) -> dict[str, list[str]]:
    """Whom each value (`v`), question (`can R`) and influence (`affects R`) asks."""
    edges: dict[str, list[str]] = {}

    def add(name: str, *parts: object) -> None:
        room = edges.setdefault(name, [])
        for part in parts:
            for piece in part if isinstance(part, tuple) else (part,):
                room.extend([target for target in _asked(IdentityKey(piece)) if target not in room])

    for value in program.values.values():
        add(value.id, value.body)
    for invariant in program.invariants.values():
        add(invariant.id, invariant.body)
    for routine in program.routines.values():
        add(f"can {routine.id}", tuple(r.condition for r in routine.requires))
    asked_for = {target for piece in _everything(program) for target in _asked(IdentityKey(piece))}
    asked = {action for action in program.actions if f"can {action}" in asked_for}
    for action in program.actions.values():
        name = f"can {action.id}"
        add(name, action.binders, tuple(r.condition for r in action.requires))
        if action.id in asked:
            for other in _asked_by_action(action, program):
                if isinstance(other, str):
                    edges[name].append(other)
                else:
                    add(name, other)
    for modify in program.modifies:
        add(modify.pattern.event, modify.guard, modify.value)
        add(f"affects {modify.pattern.event}", modify.guard)
    for forbid in program.forbids:
        add(f"can {forbid.pattern.event}", forbid.guard)
        add(f"affects {forbid.pattern.event}", forbid.guard)
    for ignore in program.ignores:
        event = ignore.pattern.event
        asks = event if event in program.values or event in program.invariants else f"can {event}"
        add(asks, ignore.guard)
        add(f"affects {event}", ignore.guard)
    return edges


def _everything(program: Program) -> Iterator[object]:
    for part in fields(program):
        room = getattr(program, part.name)
        yield from room.values() if isinstance(room, dict) else room if isinstance(room, tuple) else [room]


def _asked_by_action(action: tree.Action, program: Program) -> Iterator[object]:
    """What `can ACTION(..)` asks beside its binders and requirements: questions by name, and pieces of tree.

    It is tried where it may come to an `ensure`; and one that is nothing but a call asks for that.
    """
    reached = {action.id: _happens(action, program)}
    for name in (waiting := [action.id]):
        called = [n.routine for n in walk(reached[name]) if isinstance(n, tree.CallRoutine | tree.Redirect)]
        for routine in called:
            if routine not in reached:
                reached[routine] = _happens(program.routines[routine], program)
                waiting.append(routine)
    if any(isinstance(n, tree.Ensure) for n in walk(tuple(reached.values()))):
        yield from reached.values()
        yield from (f"can {routine}" for routine in waiting[1:])
    elif len(action.body) == 1 and isinstance(action.body[0], tree.CallRoutine) and not action.requires:
        yield f"can {action.body[0].routine}"


def _happens(event: tree.Routine | tree.Action, program: Program) -> object:
    hooks = [hook for hook in program.triggers if hook.pattern.event == event.id]
    return event.body, tuple((hook.guard, hook.body) for hook in hooks)


@lru_cache(8192)
def _asked(part: IdentityKey[object]) -> tuple[str, ...]:
    """Kept: the declarations of a ruleset are mostly the same in all of its modes."""
    found: list[str] = []
    for node in walk(part.item):
        kind = type(node)
        if kind is tree.ValueCall:
            found.append(node.value)
        elif kind is tree.Meets:
            found.append(node.counter)
        elif kind is tree.Can:
            found.append(f"can {node.event}")
        elif kind is tree.Affects:
            found.append(f"affects {node.event}")
    return tuple(dict.fromkeys(found))


# ---- order and bearers


def report_two_files(program: Program, out: Diagnostics) -> None:
    """W512: rules of one layer, in two files, hook one event alike, so that their order would hang on file names."""
    first: dict[tuple[int, str, str], tree.Hook] = {}
    setting = [m for m in program.modifies if m.op == "="]
    for hook in (*program.triggers, *setting):
        if hook.origin.what != "core":
            continue
        kind = hook.kind if isinstance(hook, tree.Trigger) else "modify ="
        earlier = first.setdefault((hook.origin.layer, hook.pattern.event, kind), hook)
        if earlier.span.path != hook.span.path:
            because = "the order of files is not significant"
            hint = "put both hooks in one file, or move one hook to a mod with `after:`"
            related = (Related(earlier.pattern.span, "the other hook is here"),)
            message = f"two files hook `{hook.pattern.event}`, and the order of the hooks is undefined"
            out.error("W512", hook.pattern.span, message, because=because, hint=hint, related=related)


def report_two_mods(program: Program, ordered: Mapping[int, frozenset[int]], out: Diagnostics) -> None:
    """W515: `modify VALUE: =` of two mods of which neither follows the other, where nothing keeps them apart.

    Of rules that need a bearer it cannot be known whether there will be one for both; those are left alone. A third mod
    that follows both and sets the value again, wherever one of them does, settles it.
    """
    setting: dict[str, list[tree.Modify]] = {}
    for hook in sorted(program.modifies, key=lambda m: m.origin.layer):
        if hook.op == "=" and (hook.always or hook.origin.what == "core"):
            setting.setdefault(hook.pattern.event, []).append(hook)
    for hooks in setting.values():
        for at, hook in enumerate(hooks):
            layer = hook.origin.layer
            free = frozenset(range(1, layer)) - ordered.get(layer, frozenset(range(layer)))
            rivals = (other for other in hooks[:at] if other.origin.layer in free and _both_apply(hook, other))
            rival = next((other for other in rivals if not _settled(hook, other, hooks[at + 1 :], ordered)), None)
            if rival is not None:
                because = "neither mod comes after the other, so the result would be arbitrary"
                related = (Related(rival.pattern.span, "it is set here too"),)
                message = f"`{hook.pattern.event}` is set by two mods"
                out.error("W515", hook.pattern.span, message, because=because, hint=ORDER_MODS, related=related)


def _settled(
    one: tree.Modify, other: tree.Modify, later: Sequence[tree.Modify], ordered: Mapping[int, frozenset[int]]
) -> bool:
    """Whether a mod that follows both has the last word wherever one of the two has its own."""
    both = {one.origin.layer, other.origin.layer}
    return any(
        both <= ordered.get(last.origin.layer, frozenset(range(last.origin.layer)))
        and (_covers(last, one) or _covers(last, other))
        for last in later
    )


def _covers(last: tree.Modify, one: tree.Modify) -> bool:
    """Whether a rule evidently applies wherever another one does."""
    if last.guard is not None and not _same(last.guard, one.guard):
        return False
    pairs = zip(last.pattern.slots, one.pattern.slots, strict=True)
    return all(not isinstance(a, tree.EqualSlot) or _same(a, b) for a, b in pairs)


def _both_apply(one: tree.Modify, other: tree.Modify) -> bool:
    """Whether nothing shows that two such rules never count for the same, or say the same."""
    for a, b in zip(one.pattern.slots, other.pattern.slots, strict=True):
        if isinstance(a, tree.EqualSlot) and isinstance(b, tree.EqualSlot) and _differ(a.expr, b.expr):
            return False
    if isinstance(one.value, tree.Const) and _same(one.value, other.value):
        return False
    return not any(_exclude(a, b) for a in conjuncts(one.guard) for b in conjuncts(other.guard))


def _exclude(a: tree.Expr, b: tree.Expr) -> bool:
    """Whether two conditions evidently never hold together: `C` and `not C`, `x == 1` and `x == 2`."""
    if (isinstance(a, tree.Not) and _same(a.operand, b)) or (isinstance(b, tree.Not) and _same(a, b.operand)):
        return True
    return (
        isinstance(a, tree.Compare) and isinstance(b, tree.Compare) and a.op == b.op == "=="
        and _same(a.left, b.left) and _differ(a.right, b.right)
    )  # fmt: skip


def _differ(a: tree.Expr, b: tree.Expr) -> bool:
    return isinstance(a, tree.Const) and isinstance(b, tree.Const) and a.value != b.value


def _same(a: object, b: object) -> bool:
    """Whether two pieces of tree say the same, wherever they stand. What a pattern binds is never the same."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if type(a) is not type(b) or isinstance(a, tree.Local):
        return False
    if type(a).__module__ != tree.__name__:
        return a == b
    names = [part.name for part in fields(a) if part.name != "span"]  # type: ignore[arg-type]
    return all(_same(getattr(a, name), getattr(b, name)) for name in names)


def report_missing_bearers(checker: Checker) -> None:
    """W509: a routine or value that uses its bearer is called where there is none."""
    users = set(checker.bearer_uses)
    growing = True
    while growing:
        found = {caller for caller, callee, _, here in checker.bearer_calls if here and callee in users}
        growing = not found <= users
        users |= found
    for _, callee, span, here in checker.bearer_calls:
        signature = checker.symbols.signatures.get(callee)
        if here or callee not in users or signature is None or signature.always:
            continue
        because = "it uses `self`, `this`, `owner` or `partner`, and the rule that calls it has no bearer"
        hint = "pass the things that it needs as arguments, or, in a rule of the same card, remove `always`"
        related = (Related(signature.span, f"`{signature.name}` is declared here"),)
        message = f"`{signature.name}` needs a bearer, but this rule has none"
        checker.out.error("W509", span, message, because=because, hint=hint, related=related)


# ---- endless calls


def report_endless(program: tree.Program, symbols: Symbols, out: Diagnostics) -> None:
    """W521 for each circle of routines and phases, each of which calls the next one without any condition.

    What opens with a `require`, what hooks can forbid, stop or replace, and a call with an argument that may be missing
    are conditions.
    """
    held = {hook.pattern.event for hook in (*program.forbids, *program.ignores)}
    held |= {hook.pattern.event for hook in program.triggers if hook.kind in ("instead of", "react to")}
    free = {name: routine for name, routine in program.routines.items() if not routine.requires and name not in held}
    calls = {name: [call for call in sure_calls(routine) if call.routine in free] for name, routine in free.items()}
    done: set[str] = set()
    for start in calls:
        way: list[str] = []
        open_: list[Iterator[tree.CallRoutine]] = []
        name: str | None = start
        while name is not None or open_:
            if name in way:
                _tell(way[way.index(name) :], calls, symbols, out)
                done.update(way)
                break
            if name is not None and name not in done:
                way.append(name)
                open_.append(iter(calls[name]))
            call = next(open_[-1], None) if open_ else None
            if call is None and open_:
                done.add(way.pop())
                open_.pop()
            name = call.routine if call is not None else None


def sure_calls(routine: tree.Routine) -> Iterator[tree.CallRoutine]:
    """Yield the calls that happen regardless of any condition, up to what may refuse an action."""
    for statement in routine.body:
        if isinstance(statement, tree.Ensure | tree.Require | tree.Stop):
            return
        if isinstance(statement, tree.CallRoutine) and not any(argument.type.maybe for argument in statement.args):
            yield statement


def _tell(circle: list[str], calls: dict[str, list[tree.CallRoutine]], symbols: Symbols, out: Diagnostics) -> None:
    first = symbols.signatures[circle[0]]
    shown = " -> ".join(f"`{name}`" for name in [*circle, circle[0]])
    message = f"`{first.name}` never ends" if len(circle) == 1 else f"endless recursion: {shown}"
    because = "it always calls itself" if len(circle) == 1 else "each of these routines always calls the next"
    pairs = zip(circle, [*circle[1:], circle[0]], strict=True)
    found = [(name, next(call for call in calls[name] if call.routine == to)) for name, to in pairs]
    related = tuple(Related(call.span, f"`{name}` calls `{call.routine}` here") for name, call in found)
    hint = "put one of the calls inside an `if`, or begin a routine with a `require`"
    out.warning("W521", first.span, message, because=because, hint=hint, related=related)


# ---- deep recursion


@dataclass(slots=True)
class _Step:
    """A call that goes on to other rows. `kinds`: of what; `most`: how many there are."""

    routine: tree.Routine
    call: tree.CallRoutine
    kinds: list[str]
    most: int


def report_deep_recursion(model: Model, program: tree.Program, symbols: Symbols, out: Diagnostics) -> None:
    """Report W522 once for each routine that comes back to itself with another row, where there are too many rows.

    Such a routine is as deep as there are rows, if it marks those where it has been. Calls that happen regardless of
    any condition are W521.
    """
    large = {kind: many for kind in (*model.lists, *model.grids) if (many := _size(model, kind)) > 1}
    if not any(many > DEEPEST + 1 for many in large.values()):
        return
    calls = {
        name: [node for node in walk(routine) if isinstance(node, tree.CallRoutine)]
        for name, routine in program.routines.items()
    }
    done: set[str] = set()
    for name, routine in program.routines.items():
        steps = [step for call in calls[name] if (step := _step(routine, call, program, large)) is not None]
        step = max(steps, key=lambda step: step.most, default=None)
        if step is None or name in done or step.most <= DEEPEST + 1:
            continue
        circle = _way(step.call.routine, name, calls)
        if circle is not None and not done & {*circle}:
            done |= {*circle}
            _report(step, symbols, out)


def _step(
    routine: tree.Routine, call: tree.CallRoutine, program: tree.Program, large: Mapping[str, int]
) -> _Step | None:
    """Return the call with what it moves over; None if it stays where it is, or if a number says how far it goes."""
    if call.routine not in program.routines or (
        not routine.requires and any(call is one for one in sure_calls(routine))
    ):
        return None
    found, most = [], 1
    for arg in call.args:
        kind = arg.type.name
        if arg.type.tag == "int" and _counts_down(arg, routine):
            return None
        if arg.type.tag == "ref" and kind in large and any(not _along(source) for source in _sources(arg, routine)):
            found.append(kind)
            most *= large[kind]
    return _Step(routine, call, found, most) if found else None


def _sources(arg: tree.Expr, routine: tree.Routine) -> Iterator[object]:
    """Yield what says which other row an argument is: the binder of a loop, the value of a `let`, or itself.

    There is none for a parameter of the routine, or for what somebody chooses.
    """
    if not isinstance(arg, tree.LocalRef):
        if not isinstance(arg, tree.Const):
            yield arg
        return
    for node in walk(routine):
        if isinstance(node, tree.For):
            yield from (binder for binder in node.binders if binder.local.name == arg.local.name)
        elif isinstance(node, tree.Let) and node.local.name == arg.local.name:
            yield node.value


def _along(source: object) -> bool:
    """Return True if it goes along a line: numbers that are printed on two rows are compared."""
    return any(isinstance(node, tree.Compare) and _printed(node.left) and _printed(node.right) for node in walk(source))


def _printed(e: tree.Expr) -> bool:
    return e.type.tag == "int" and any(isinstance(node, tree.ColumnRef) for node in walk(e))


def _counts_down(arg: tree.Expr, routine: tree.Routine) -> bool:
    """Return True if the argument is worked out from a parameter that the routine compares with something."""
    names = {param.name for param in routine.params}
    counted = {n.local.name for n in walk(arg) if isinstance(n, tree.LocalRef) and n.local.name in names}
    if isinstance(arg, tree.LocalRef) or not counted:
        return False
    return any(
        isinstance(node, tree.Compare)
        and any(isinstance(n, tree.LocalRef) and n.local.name in counted for n in walk(node))
        for node in walk(routine)
    )


def _way(start: str, end: str, calls: Mapping[str, list[tree.CallRoutine]]) -> list[str] | None:
    """Return the routines on a way from one to another; None if there is no way."""
    before: dict[str, str] = {start: ""}
    waiting = [start]
    for name in waiting:
        if name == end:
            way = [name]
            while before[way[-1]]:
                way.append(before[way[-1]])
            return way
        for call in calls.get(name, ()):
            if call.routine not in before:
                before[call.routine] = name
                waiting.append(call.routine)
    return None


def _report(step: _Step, symbols: Symbols, out: Diagnostics) -> None:
    name, called = step.routine.name, step.call.routine
    signature = symbols.signatures[step.routine.id]
    message = f"`{name}` may call itself more than {DEEPEST} levels deep"
    over = " and ".join(f"`{kind}`" for kind in step.kinds)
    because = (
        f"each call can lead to a call for another {over} (there are {step.most:,}), "
        f"and the limit is {DEEPEST} levels (X606)"
    )
    hint = "write a loop that repeats until nothing changes: `repeat until no(...): for ...`"
    related = (Related(step.call.span, f"`{name}` calls `{called}` here"),)
    out.warning("W522", signature.span, message, because=because, hint=hint, related=related)


def _size(model: Model, kind: str) -> int:
    """Return the largest number of rows or spaces at any table."""
    grid = model.grids.get(kind)
    if grid is not None:
        return grid.width * grid.height
    listing = model.lists[kind]
    return len(listing.rows) if listing.count is None else _most(listing.count, model)


def _most(bound: Bound, model: Model) -> int:
    if isinstance(bound, int):
        return bound
    if bound in model.numbers:
        values = model.numbers[bound].by_players.values()
        return max((value for value in values if isinstance(value, int)), default=0)
    option = model.options.get(bound.removeprefix("option."))
    return option.high if option is not None else 0


# ---- rules that never apply

#: Stands for "outside of all phases" among the numbers of phases.
_NO_PHASE = 0

Going = Mapping[str, Collection[int]]


def report_never_reached(program: tree.Program, out: Diagnostics) -> None:
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
    known = f"; actions are offered in {list_with_and(others)}" if others else ""
    if phase in offers:
        because = f"no rule that the game can reach runs the phase `{name}`{known}"
        hint = f"run `{name}` where it should happen"
    else:
        because = f"the phase `{name}` has no `offer`{known}"
        hint = f"write `turns p from PLAYER once each: offer one action to p or pass` in `{name}`"
    when = f" during `{name}`" if elsewhere else ""
    first, *more = actions
    said = f"{list_with_and([f'`{action.name}`' for action in actions])} {'are' if more else 'is'} never offered{when}"
    related = [Related(action.span.head(), "this is never offered either") for action in more]
    out.warning("W517", first.span.head(), said, because=because, hint=hint, related=related)


def _in_vain(program: tree.Program, hook: tree.Trigger, phases: Collection[int], out: Diagnostics) -> None:
    declared = program.routines.get(hook.pattern.event) or program.actions[hook.pattern.event]
    names = {r.number: f"`{r.name}`" for r in program.routines.values() if r.phase}
    shown = [f"during {names[number]}" if number else "outside phases" for number in sorted(phases)]
    because = f"`{declared.name}` happens only {list_with_or(shown)}"
    inside = [names[number] for number in sorted(phases) if number]
    hint = f"compare `phase` with {list_with_or(inside)}" if inside else ""
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
