"""Routines that call themselves from row to row, or from space to space, of more than the call limit allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.numbers import DEEPEST
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.endless import sure_calls
from rulelang.language.semantics.check.symbols import Symbols
from rulelang.language.semantics.model import Bound, Model
from rulelang.language.semantics.walk import walk


@dataclass(slots=True)
class _Step:
    """A call that goes on to other rows. `kinds`: of what; `most`: how many there are."""

    routine: tree.Routine
    call: tree.CallRoutine
    kinds: list[str]
    most: int


def deep(model: Model, program: tree.Program, symbols: Symbols, out: Diagnostics) -> None:
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
