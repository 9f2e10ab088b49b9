"""What traits, rows and cards do to the rules of the core, in short: the events and values that they hook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulelang.language.semantics import tree
from rulelang.tools.printing.document import Hook, Step
from rulelang.tools.printing.flow import Flow
from rulelang.tools.printing.names import Names, label
from rulelang.tools.printing.phrases import Phrases

_OPS = {"-": "−", "*": "×", "/": "÷"}
#: How many statements of a hook are told.
_TOLD = 3
Key = tuple[str, str, int]


@dataclass(slots=True)
class Brought:
    """What one trait, row or card brings: its hooks, in short, and its declarations."""

    hooks: list[Hook] = field(default_factory=list)
    actions: list[tree.Action] = field(default_factory=list)
    declared: list[tree.Declared] = field(default_factory=list)

    @property
    def cites(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(cite for item in self.declared for cite in item.cites))


def declared_in(program: tree.Program) -> Iterator[tree.Declared]:
    """All that is declared, and all hooks."""
    if program.game is not None:
        yield program.game
    for group in (program.routines, program.actions, program.values, program.invariants):
        yield from group.values()
    yield from program.hooks
    yield from program.copies


def key_of(origin: tree.Origin) -> Key:
    return (origin.what, origin.name, origin.row)


def brought(names: Names) -> dict[Key, Brought]:
    """By who brings them, all rules that are not the core's; hooks in the order in which they were written."""
    found: dict[Key, Brought] = {}
    flow = Flow(names)
    for item in declared_in(names.program):
        if item.origin.what != "core":
            found.setdefault(key_of(item.origin), Brought()).declared.append(item)
    for one in found.values():
        hooks = [item for item in one.declared if isinstance(item, tree.Hook)]
        one.hooks = in_short(names, flow, sorted(hooks, key=lambda hook: (hook.origin.layer, hook.order)))
        one.actions = [item for item in one.declared if isinstance(item, tree.Action)]
        one.hooks += [_copying(names, item) for item in one.declared if isinstance(item, tree.CopyCards)]
    return found


def core_hooks(names: Names) -> dict[int, list[Hook]]:
    """What the rules of the game and of mods themselves hook, such as house rules, by their layers."""
    flow = Flow(names)
    found: dict[int, list[tree.Hook]] = {}
    for hook in sorted(names.program.hooks, key=lambda hook: (hook.origin.layer, hook.order)):
        if hook.origin.what == "core":
            found.setdefault(hook.origin.layer, []).append(hook)
    return {layer: in_short(names, flow, hooks) for layer, hooks in found.items()}


def rules_of(names: Names, layer: int) -> str:
    """How hooks of the rules of a layer are headed."""
    return (
        names.language.say("The rules of {mod}", mod=names.layer(layer))
        if layer
        else names.language.say("The rules of the game")
    )


def in_short(names: Names, flow: Flow, hooks: Sequence[tree.Hook]) -> list[Hook]:
    """Each hook that does something, in a few words; those of one statement that say the same of several events stand
    together."""
    found: list[Hook] = []
    for hook in hooks:
        words = Phrases(names)
        when = words.condition(hook.guard) if hook.guard is not None else ""
        says = _says(words, flow, hook)
        if not says:
            continue
        if isinstance(hook, tree.Forbid) and hook.because:
            when = words.told(hook.because)
        marks = names.marks(hook.origin.layer)
        event = event_name(names, hook)
        last = found[-1] if found else None
        if last is not None and (last.says, last.when, last.marks) == (says, when, marks):
            found[-1] = Hook(f"{last.event}, {event[:1].lower()}{event[1:]}", says, when, marks)
        else:
            found.append(Hook(event, says, when, marks))
    return found


def event_name(names: Names, hook: tree.Hook) -> str:
    """The event of a hook, with the part that the bearer plays in it where it could play several: `Strike, as prey`."""
    event = hook.pattern.event
    params = _params(names.program, event)
    kinds = [param.type.name for param in params]
    for slot, param in zip(hook.pattern.slots, params, strict=False):
        own = isinstance(slot, tree.EqualSlot) and _is_bearer(slot.expr)
        if own and kinds.count(param.type.name) > 1 and len(param.text) > 1:
            return names.language.say(
                "{event}, as {part}", event=event_label(names, event), part=names.word(param.text)
            )
    return event_label(names, event)


def event_label(names: Names, event: str) -> str:
    """What an event or value is called, by its id."""
    return label(names.named(event.rpartition(".")[2]))


def _params(program: tree.Program, event: str) -> tuple[tree.Local, ...]:
    declared = program.routines.get(event) or program.values.get(event)
    if declared is not None:
        return declared.params
    action = program.actions.get(event)
    return tuple(binder.local for binder in action.binders) if action is not None else ()


def _is_bearer(e: tree.Expr) -> bool:
    return isinstance(e, tree.LocalRef) and e.local.text in ("self", "this", "owner")


def _says(words: Phrases, flow: Flow, hook: tree.Hook) -> str:
    """What a hook does; "" if it does nothing but tell something."""
    match hook:
        case tree.Modify():
            return _modified(words, hook)
        case tree.Forbid():
            return words.names.language.say("forbidden")
        case tree.Ignore(trait=None):
            return words.names.language.say("ignores other cards")
        case tree.Ignore():
            return words.names.language.say("ignores {trait}", trait=words.names.trait(hook.trait or ""))
        case tree.Trigger():
            told = _flat(flow.steps_of(words, hook.body), _TOLD)
            kind = when_of(words.names, hook.kind)
            head = words.names.language.say("{when} (if its owner wants)", when=kind) if hook.may else kind
            return f"{head}: {told}" if told else "" if hook.kind != "instead of" else head
    return ""


def when_of(names: Names, kind: str) -> str:
    """When a hook of a kind has its say."""
    match kind:
        case "before":
            return names.language.say("before")
        case "after":
            return names.language.say("after")
        case "instead of":
            return names.language.say("instead of")
    return names.language.say("react to")


def _flat(steps: Sequence[Step], most: int) -> str:
    """Steps on one line, `most` of them and those in each."""
    said = []
    for step in steps[:most]:
        inner = _flat(step.steps, 2)
        said.append(f"{step.text[:1].lower()}{step.text[1:]}{f': {inner}' if inner else ''}")
    return "; ".join(said) + (" …" if len(steps) > most else "")


def _modified(words: Phrases, hook: tree.Modify) -> str:
    say = words.names.language.say
    if hook.value.type.tag == "bool":
        if isinstance(hook.value, tree.Const):
            return say("yes") if hook.value.value else say("no")
        clause = words.condition(hook.value)
        match hook.op:
            case "=":
                return say("if {condition}", condition=clause)
            case "or":
                return say("or if {condition}", condition=clause)
        return say("and only if {condition}", condition=clause)
    value = words.thing(hook.value)
    match hook.op:
        case "=":
            return say("is {value}", value=value)
        case "at least":
            return say("at least {value}", value=value)
        case "at most":
            return say("at most {value}", value=value)
    return f"{_OPS.get(hook.op, hook.op)} {value}"


def _copying(names: Names, item: tree.CopyCards) -> Hook:
    words = Phrases(names)
    when = words.condition(item.guard) if item.guard is not None else ""
    says = names.language.say("has the same effects as the cards on {thing}", thing=words.thing(item.on))
    return Hook(names.language.say("Cards"), says, when, names.marks(item.origin.layer))
