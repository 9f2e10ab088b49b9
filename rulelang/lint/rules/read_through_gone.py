"""What is read through a thing that has been removed, or a card's bearer after the card went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject
from rulelang.lint.uses import declarations
from rulelang.semantics import tree
from rulelang.semantics.walk import walk

#: What only a card has that lies on something.
_LYING = ("on", "partner")
_BECAUSE = "what is read through something missing is missing: a condition on it is false, a change of it does nothing"


def find(subject: Subject) -> Iterator[Found]:
    events = {**subject.program.routines, **subject.program.actions}
    for declared in declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        for part in walk(declared):
            for block in _blocks(part):
                yield from _in_order(block)
        if isinstance(declared, tree.Trigger) and declared.kind == "after":
            event = events.get(declared.pattern.event)
            if isinstance(event, tree.Routine):
                yield from _after(declared, event)


def _after(hook: tree.Trigger, event: tree.Routine) -> Iterator[Found]:
    taken = {local.name: removed for line in event.body for local, removed in _takes(line)}
    for param, slot in zip(event.params, hook.pattern.slots, strict=False):
        if param.name not in taken:
            continue
        match slot:
            case tree.BindSlot(local=local) | tree.EqualSlot(expr=tree.LocalRef(local=local)):
                hint = f"hook `before {event.name}`, while it is there"
                yield from _reads((hook.guard, hook.body), local, taken[param.name], f"`{event.name}`", hint)
            case _:
                pass


def _in_order(block: tree.Block) -> Iterator[Found]:
    for at, line in enumerate(block):
        for local, removed in _takes(line):
            hint = "do it before, or keep what is wanted of it with a `let` before"
            yield from _reads(block[at + 1 :], local, removed, "the line above", hint)


def _takes(line: tree.Statement) -> Iterator[tuple[tree.Local, bool]]:
    """What a statement is certain to take: with True a thing, which leaves play, with False a card, which then lies on
    nothing."""
    match line:
        case tree.Remove(thing=tree.LocalRef(local=local)):
            yield local, True
        case tree.Move(card=tree.LocalRef(local=local), to=tree.BoxRef()):
            yield local, False
        case tree.Move(card=tree.LocalRef(local=local), to=tree.ZoneRef(zone=zone)) if zone.of in (None, "player"):
            yield local, False
        case _:
            pass


def _reads(where: object, local: tree.Local, removed: bool, by: str, hint: str) -> Iterator[Found]:
    for node in walk(where):
        match node:
            case tree.AttributeRef(object=tree.LocalRef(local=read)) if removed and read.name == local.name:
                name = node.attribute.name
            case tree.Property(object=tree.LocalRef(local=read)) if read.name == local.name and (
                removed or node.name in _LYING
            ):
                name = node.name
            case _:
                continue
        said = f"`{local.text}` has left play" if removed else f"`{local.text}` lies on nothing any more"
        yield Found(node.span, f"`{local.text}.{name}` is always missing here: {said} by {by}", _BECAUSE, hint)


def _blocks(part: object) -> Iterable[tree.Block]:
    """The blocks that a node holds itself."""
    names = ("body", "then", "otherwise", "block")
    held = (getattr(part, name, None) for name in names)
    return [block for block in held if isinstance(block, tuple) and block and isinstance(block[0], tree.Statement)]


RULE = Rule(
    "read-through-gone",
    Page(
        "L836",
        "what is read through something that is gone",
        "A thing that was removed is missing at once, and so is all that is read through it; a card that was moved "
        "away lies `on` nothing. So a hook `after` an event that takes its thing can ask nothing of it.",
        "routine wither(snail s): remove s\nafter wither(s): s.owner.points += 1\n",
        "routine wither(snail s): remove s\nbefore wither(s): s.owner.points += 1\n",
    ),
    find,
)
