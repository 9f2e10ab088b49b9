"""What declarations call their parameters, and what hooks and calls have in their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.language.semantics import tree


def parameters(declared: tree.Declared) -> Sequence[tree.Local]:
    """Return the parameters of a routine or value, or the variables of an action."""
    if isinstance(declared, tree.Action):
        return [binder.local for binder in declared.binders]
    assert isinstance(declared, tree.Routine | tree.Value)
    return declared.params


def local_name(e: tree.Expr) -> str:
    """Return the name of a variable; "" for any other expression."""
    return e.local.name if isinstance(e, tree.LocalRef) else ""


def names_in_hook(hook: tree.Trigger, event: tree.Declared) -> Iterator[tuple[str, tree.Local]]:
    """Yield the name of each parameter of an event that the hook has a variable for, with that variable."""
    for param, slot in zip(parameters(event), hook.pattern.slots, strict=False):
        match slot:
            case tree.BindSlot(local=local) | tree.EqualSlot(expr=tree.LocalRef(local=local)):
                yield param.name, local
            case _:
                pass


def on_the_way(calls: Sequence[str]) -> str:
    """Return the end of a sentence about an event, for the calls by which it does something; "" for none."""
    return f", which calls `{'`, and that `'.join(calls)}`" if calls else ""
