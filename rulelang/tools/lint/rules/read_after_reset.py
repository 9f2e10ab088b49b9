"""A hook after an event reads what the event has just set to one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.parameters import names_in_hook, on_the_way
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.resets import ALL, Place, Reset, Resets
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    """Find reads of attributes whose value is known when the hook runs."""
    events: dict[str, tree.Routine | tree.Action] = {**subject.program.routines, **subject.program.actions}
    resets = Resets(subject.program)
    for hook in subject.program.triggers:
        event = events.get(hook.pattern.event)
        if hook.kind == "after" and event is not None and subject.owns(hook.span):
            yield from _after(hook, event, _here(hook, event, resets.of(event.id)), resets)


def _here(hook: tree.Trigger, event: tree.Routine | tree.Action, known: Mapping[Place, Reset]) -> dict[Place, Reset]:
    """Return what an event sets, by the hook's names for its parameters."""
    found = {place: reset for place, reset in known.items() if place[0] == ALL}
    for param, local in names_in_hook(hook, event):
        found |= {(local.name, key): reset for (name, key), reset in known.items() if name == param}
    return found


def _after(
    hook: tree.Trigger, event: tree.Routine | tree.Action, known: Mapping[Place, Reset], resets: Resets
) -> Iterator[Found]:
    written = resets.written(hook.body) if known else set()
    targets = {id(node.target) for node in walk(hook.body) if isinstance(node, tree.Assign)}
    for where, changed in ((hook.guard, set()), (hook.body, written)):
        for node in walk(where) if where is not None else ():
            if id(node) in targets:
                continue
            for name, key in sorted(resets.read_by(node)):
                reset = known.get((name, key)) or known.get((ALL, key))
                if reset is not None and key not in changed:
                    yield _found(node, key[1], reset, event)
                    break


def _found(node: tree.AttributeRef | tree.ValueCall, attribute: str, reset: Reset, event: tree.Declared) -> Found:
    value = reset.text
    by = f"{on_the_way(reset.by)}," if reset.by else ""
    earlier = reset.by[0] if reset.by else event.name
    read = f"`{attribute}`" if isinstance(node, tree.AttributeRef) else f"`{node.value}` reads `{attribute}`, which"
    return Found(
        node.span,
        f"{read} is always {value} here: `{event.name}`{by} has set it, unless another rule changes it",
        "a hook `after` an event reads the values that the event has set",
        f"hook `before {earlier}`, while `{attribute}` has its value",
        (Related(event.span.head(), f"`{event.name}` is declared here"),),
        cause=(event.id, attribute),
    )


RULE = Rule(
    "read-after-reset",
    Page(
        "L837",
        "read of a value that the event has just reset",
        "A hook `after` an event reads values as the event leaves them. If the event sets an attribute to one value "
        "for all things of a kind, or for the thing that it is about, then the hook always reads that value, and "
        "its condition decides nothing. Use a hook `before` the routine that sets the attribute. The linter follows "
        "calls, but not hooks that change the attribute.",
        "routine digest(snail s): s.eaten = 0\nafter digest(s) when s.eaten > 1: s.owner.points += 1\n",
        "routine digest(snail s): s.eaten = 0\nbefore digest(s) when s.eaten > 1: s.owner.points += 1\n",
    ),
    find,
)
