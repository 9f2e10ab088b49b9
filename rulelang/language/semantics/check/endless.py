"""Routines that call each other whatever happens: once one of them has begun, none of them ends."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.symbols import Symbols


def endless(program: tree.Program, symbols: Symbols, out: Diagnostics) -> None:
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
