"""What can only be seen from the whole: values that call themselves, hooks in two files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.memo import Same
from rulelang.data.order import ORDER_MODS
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.checker import Checker
from rulelang.language.semantics.check.symbols import Symbols
from rulelang.language.semantics.tree import Program
from rulelang.language.semantics.walk import conjuncts, walk

# ---- values that call themselves


def recursion(program: Program, symbols: Symbols, out: Diagnostics) -> None:
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
                room.extend([target for target in _asked(Same(piece)) if target not in room])

    for value in program.values.values():
        add(value.id, value.body)
    for invariant in program.invariants.values():
        add(invariant.id, invariant.body)
    for routine in program.routines.values():
        add(f"can {routine.id}", tuple(r.condition for r in routine.requires))
    asked_for = {target for piece in _everything(program) for target in _asked(Same(piece))}
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
def _asked(part: Same[object]) -> tuple[str, ...]:
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


def two_files(program: Program, out: Diagnostics) -> None:
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


def two_mods(program: Program, ordered: Mapping[int, frozenset[int]], out: Diagnostics) -> None:
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


def bearers_at_calls(checker: Checker) -> None:
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
