"""What is read through a thing that has been removed, or a card's bearer after the card went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import Fate, Fates, inner_blocks
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.parameters import names_in_hook, on_the_way
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import declarations

#: What only a card has that lies on something.
_LYING = ("on", "partner")
_Declared: TypeAlias = Mapping[str, tree.Routine | tree.Action | tree.Value]
_BECAUSE = (
    "reading through a missing thing gives a missing value, so conditions on it are false, and changes do nothing"
)


def find(subject: Subject) -> Iterable[Found]:
    """Find what is read through things that are gone: in one block, and by hooks after an event."""
    return sorted(_find(subject), key=lambda found: found.span)


def _find(subject: Subject) -> Iterator[Found]:
    program = subject.program
    events: _Declared = {**program.values, **program.routines, **program.actions}
    fates = Fates(subject.program)
    for declared in declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        for part in walk(declared):
            for block in inner_blocks(part):
                yield from _in_order(block, fates, events)
        if isinstance(declared, tree.Trigger) and declared.kind == "after":
            event = events.get(declared.pattern.event)
            if isinstance(event, tree.Routine | tree.Action):
                yield from _after(declared, event, fates, events)


def _after(hook: tree.Trigger, event: tree.Routine | tree.Action, fates: Fates, events: _Declared) -> Iterator[Found]:
    taken = fates.of(event.name)
    hint, where = f"use a hook `before {event.name}`", (hook.guard, hook.body)
    for param, local in names_in_hook(hook, event):
        fate = taken.get(param)
        if fate is not None and fate.always:
            yield from _reads(where, local, fate, f"`{event.name}`{on_the_way(fate.by)}", hint, events)
        elif fate is not None and not _tests(where, local):
            yield from _perhaps(where, local, fate, event.name, events)


def _in_order(block: tree.Block, fates: Fates, events: _Declared) -> Iterator[Found]:
    for at, line in enumerate(block):
        if isinstance(line, tree.If):
            continue
        for name, fate in fates.in_line(line).items():
            local = next(one.local for one in walk(line) if isinstance(one, tree.LocalRef) and one.local.name == name)
            rest = block[at + 1 :]
            if fate.always and not _tests(rest, local):
                hint = "do this before that line, or read the value there with a `let`"
                yield from _reads(rest, local, fate, f"the line above{on_the_way(fate.by)}", hint, events)


def _reads(where: object, local: tree.Local, fate: Fate, by: str, hint: str, events: _Declared) -> Iterator[Found]:
    """Yield what is read through something that is always gone, and calls that it keeps from happening."""
    gone = f"`{local.text}` has been removed" if fate.removed else f"`{local.text}` is no longer on anything"
    unless = "" if fate.certain else ", unless another rule prevents that"
    for node in walk(where):
        if name := _read_of(node, local, fate, events):
            message = f"`{name}` is always missing here: {gone} by {by}{unless}"
            yield Found(node.span, message, _BECAUSE, hint, cause=(local, by))
        elif isinstance(node, tree.CallRoutine) and fate.removed and _needs(node.routine, node.args, local, events):
            message = f"`{node.routine}` never happens here: {gone} by {by}{unless}"
            yield Found(node.span, message, _BECAUSE, hint, cause=(local, by))


def _needs(called: str, args: Sequence[tree.Expr], local: tree.Local, declared: _Declared) -> bool:
    """Whether a call of a routine or value cannot happen without a local thing."""
    it = declared.get(called)
    params = it.params if isinstance(it, tree.Routine | tree.Value) else ()
    return any(_is(arg, local) and not param.type.maybe for param, arg in zip(params, args, strict=False))


def _perhaps(where: object, local: tree.Local, fate: Fate, event: str, events: _Declared) -> Iterator[Found]:
    """Yield what is read through something that is sometimes gone, to find something else."""
    if not fate.removed:
        return
    targets = {id(node.target) for node in walk(where) if isinstance(node, tree.Assign)}
    for node in walk(where):
        if id(node) in targets:
            continue
        if name := _read_of(node, local, fate, events):
            by = f"`{event}`{on_the_way(fate.by)}{',' if fate.by else ''} may remove `{local.text}`"
            message = f"`{name}` is sometimes missing here: {by}"
            hint = f"use a hook `before {event}`, or add `when {local.text} is present`"
            yield Found(node.span, message, _BECAUSE, hint, cause=(local, event))


def _read_of(node: object, local: tree.Local, fate: Fate, declared: _Declared) -> str:
    """Return what a node reads of a local thing that is gone, as rules write it; empty if it reads nothing of it."""
    match node:
        case tree.AttributeRef() if fate.removed and _is(node.object, local):
            return f"{local.text}.{node.attribute.name}"
        case tree.Property() if (fate.removed or node.name in _LYING) and _is(node.object, local):
            return f"{local.text}.{node.name}"
        case tree.ZoneRef() if fate.removed and node.owner is not None and _is(node.owner, local):
            return f"{local.text}.{node.zone.short_name}"
        case tree.Has() if fate.removed and _is(node.subject, local):
            return f"{local.text} has ..."
        case tree.ValueCall() if fate.removed and _needs(node.value, node.args, local, declared):
            args = (arg.local.text if isinstance(arg, tree.LocalRef) else "..." for arg in node.args)
            return f"{node.value}({', '.join(args)})"
    return ""


def _is(e: tree.Expr, local: tree.Local) -> bool:
    return isinstance(e, tree.LocalRef) and e.local.name == local.name


def _tests(where: object, local: tree.Local) -> bool:
    """Whether it is asked if something is there."""
    return any(
        isinstance(node, tree.Present) and isinstance(node.operand, tree.LocalRef)
        and node.operand.local.name == local.name
        for node in walk(where)
    )  # fmt: skip


RULE = Rule(
    "read-through-gone",
    Page(
        "L836",
        "read from something that was removed",
        "A removed thing and its attributes are missing immediately. For a card that has moved away, `on` is "
        "missing. So a hook `after` an event that removes a thing cannot read anything from that thing. This is "
        "also true if the event only calls a routine that removes the thing. Use a hook `before` the event. If the "
        "event removes the thing only sometimes, test `when x is present`.",
        "routine wither(snail s): remove s\nafter wither(s): s.owner.points += 1\n",
        "routine wither(snail s): remove s\nbefore wither(s): s.owner.points += 1\n",
    ),
    find,
)
