"""`sheet`: one or two pages to play by: the flow, the phases with their actions, and who hooks what."""

from __future__ import annotations

from rulelang.base.languages import ENGLISH, Language
from rulelang.compiler.compilation import Compilation
from rulelang.language.semantics import tree
from rulelang.tools.printing.document import Bearer, Hooked, Marks, Sheet
from rulelang.tools.printing.flow import Flow
from rulelang.tools.printing.hooks import (
    Brought,
    brought,
    core_hooks,
    event_label,
    event_name,
    in_short,
    rules_of,
    when_of,
)
from rulelang.tools.printing.names import Names, label
from rulelang.tools.printing.rulebook import face_copies, head_of, unmarked

#: Lines that say the same are put together; so are names up to this many.
_NAMED = 6
#: What a contribution to a value does, in a word.
_OPS = {"-": "−", "*": "×", "/": "÷"}


def sheet(compilation: Compilation, language: Language = ENGLISH) -> Sheet:
    """The reference sheet of a game, with its mods and mode. LoadError if it cannot be understood."""
    return sheet_of(Names(compilation, language))


def sheet_of(names: Names) -> Sheet:
    flow = Flow(names, brief=True)
    return Sheet(head_of(names), flow.game(), flow.in_order(), tuple(bearers(names)), tuple(hooked(names)))


def bearers(names: Names) -> list[Bearer]:
    """Who does what to the rules: traits, cards and rows with rules, and mods themselves; equal ones together."""
    copies = face_copies(names)
    found: list[Bearer] = []
    for (what, name, number), own in brought(names).items():
        if what == "trait":
            marks = names.node_marks(next((f.node for f in names.source.traits if f.id == name), None))
            found.append(_bearer(names, own, names.trait(name), copies[name], marks))
        else:
            room = names.model.sorts[name] if what == "card" else names.model.lists[name]
            row = room.rows[number - 1]
            marks = names.node_marks(names.row_node(name, row))
            found.append(_bearer(names, own, names.row_name(name, row), row.copies if what == "card" else 0, marks))
    for layer, hooks in core_hooks(names).items():
        marks = names.marks(layer)
        found.append(Bearer(rules_of(names, layer), 0, tuple(unmarked(hook, marks) for hook in hooks), (), marks))
    order = {trait.name: k for k, trait in enumerate(names.model.traits.values())}
    traits = {names.trait(name): place for name, place in order.items()}
    found.sort(key=lambda one: traits.get(one.name, len(traits)))
    return _together(found)


def _bearer(names: Names, own: Brought, name: str, copies: int, marks: Marks) -> Bearer:
    actions = tuple(_action(names, action) for action in own.actions)
    return Bearer(name, copies, tuple(unmarked(hook, marks) for hook in own.hooks), actions, marks)


def _action(names: Names, action: tree.Action) -> str:
    name = label(names.named(action.name))
    phases = names.language.listed([names.named(phase) for phase in action.during])
    return names.language.say("{action} ({phase})", action=name, phase=phases) if phases else name


def _together(found: list[Bearer]) -> list[Bearer]:
    """Those that do the same on one line."""
    lines: dict[object, list[Bearer]] = {}
    for one in found:
        if one.hooks or one.actions:
            lines.setdefault((one.hooks, one.actions, one.marks), []).append(one)
    return [
        Bearer(
            ", ".join(one.name for one in same[:_NAMED]) + (" …" if len(same) > _NAMED else ""),
            sum(one.copies for one in same),
            same[0].hooks,
            same[0].actions,
            same[0].marks,
        )
        for same in lines.values()
    ]


def hooked(names: Names) -> list[Hooked]:
    """Every event and value that something hooks, in declared order, with who does, and how in a word."""
    program = names.program
    found: dict[str, dict[tuple[str, str], None]] = {}
    flow = Flow(names)
    for hook in program.hooks:
        if not in_short(names, flow, [hook]):  # it only tells something
            continue
        who = names.owner(hook.origin) or (rules_of(names, hook.origin.layer))
        part = event_name(names, hook).partition(", ")[2]
        found.setdefault(hook.pattern.event, {})[who, " ".join(filter(None, (_how(names, hook), part)))] = None
    order = [*program.values, *program.routines, *program.actions]
    kinds = {**dict.fromkeys(program.values, "value"), **dict.fromkeys(program.actions, "action")}
    return [
        Hooked(event_label(names, event), kinds.get(event, "event"), tuple(found[event]))
        for event in order
        if event in found
    ]


def _how(names: Names, hook: tree.Hook) -> str:
    """What a hook does, in a word or sign."""
    match hook:
        case tree.Modify(op="="):
            return names.language.say("sets")
        case tree.Modify(op="and"):
            return names.language.say("narrows")
        case tree.Modify(op="or"):
            return names.language.say("widens")
        case tree.Modify(op="at least"):
            return "≥"
        case tree.Modify(op="at most"):
            return "≤"
        case tree.Modify():
            return _OPS.get(hook.op, hook.op)
        case tree.Trigger():
            return when_of(names, hook.kind)
        case tree.Forbid():
            return names.language.say("forbids")
    return names.language.say("ignores")
