"""What the words of a state and the locals in frames can be: spans of numbers, worked out over the whole program.

An abstract interpretation: every function is run with spans in the place of numbers, until nothing changes. A span that
keeps growing is widened to all numbers; last rounds over everything then narrow what tests bound. So what is found
holds in every state that the program can lead to, from its start or from a host's call.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.abstract.interpreter import Interpreter
from rulelang.compiler.passes.abstract.intervals import ANY, TRUTH, Interval, span
from rulelang.compiler.passes.abstract.regions import of_module, span_of
from rulelang.compiler.passes.suspend.frames import DEPTH, RETURN, Frame, frames

#: Rounds in which spans may grow by and by, before they are widened.
PATIENCE = 3
#: What is called once a position was laid by hand: a game that began there can be saved like any other.
TOUCH = "h_touch"
#: Rounds that narrow.
NARROW = 2

#: A local in a frame: its offset, its room if it is a list, its name, and what it (or each item) may be.
Kept = tuple[int, int | None, str, Interval]


@record
class Possible:
    """`words`: (start, end, span) of stretches of the state. `points`: by pc, the title of the routine that waits
    there, and its locals."""

    words: tuple[tuple[int, int, Interval], ...]
    points: Mapping[int, tuple[str, tuple[Kept, ...]]]


def possible(module: ir.Module) -> Possible:
    """Of a module as backends take it. `suspend.suspension` ran before."""
    laid = frames(module)
    found = _settled(module, laid)
    points: dict[int, tuple[str, tuple[Kept, ...]]] = {RETURN: ("", ())}
    for frame in laid.values():
        for place, point in frame.points.items():
            env = found.seen.get(place)
            kept = []
            for slot in point.slots:
                what = span(0, module.limits["depth"] + 1) if slot.name == DEPTH else (env or {}).get(slot.name, ANY)
                kept.append((slot.offset, slot.capacity, slot.name, what))
            points[point.pc] = frame.function.title, tuple(kept)
    return Possible(tuple(found.regions.told()), points)


def _settled(module: ir.Module, laid: Mapping[str, Frame]) -> Interpreter:
    functions = {name: laid[name].function if name in laid else f for name, f in module.functions.items()}
    waits = {
        name: {place: frozenset(slot.name for slot in point.slots) for place, point in frame.points.items()}
        for name, frame in laid.items()
    }
    run = Interpreter(module, functions, waits, of_module(module, functions.values()))
    for number in count():  # what is widened changes a few times only, so it ends
        run.start(widen=number >= PATIENCE)
        _roots(run, module)
        if not run.changed:
            break
    for _ in range(NARROW):
        run.narrow(module.initial)
        _roots(run, module)
        run.take_narrowed()
    return run


def _roots(run: Interpreter, module: ir.Module) -> None:
    """Everything that is called from outside, then every function that was reached."""
    seat = span(1, module.layout.players)
    run.enter(module.main, ())
    for name in (module.score, *module.tiebreak):
        if name in module.functions:
            run.enter(name, (seat,))
    for _, name, _ in module.invariants:
        run.enter(name, ())
    for name, kinds in module.callable.values():
        run.enter(name, tuple(_argument(module, kind) for kind in kinds))
    if TOUCH in module.functions:
        run.enter(TOUCH, ())
    run.all()


def _argument(module: ir.Module, kind: str) -> Interval:
    if kind == "bool":
        return TRUTH
    return span_of(module.layout, kind) or ANY
