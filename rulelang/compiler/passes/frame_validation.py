"""Whether the words and frames of a state are such as the program leaves behind: for states that come from outside
(saved games).

Of frames it is told where they lie, which point each waits at and for whom, and how long its lists are
(`frames_wrong`); of each word and of each local in a frame, whether the program can ever put that number there
(`words_wrong`). What one word alone does not show, such as another item of the same list, is not told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from rulelang.base.layout import DecisionPoint, Layout
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_statements, child_blocks
from rulelang.compiler.passes.possible_values import PossibleValues
from rulelang.compiler.passes.suspension import RETURN, RETURN_SIZE, Frame

#: A point by plain values: the size of its frame, its routine, the routine that it calls ("": it asks someone), the
#: decision site that it asks at (of a stop, where nobody is asked, its negative number), its lists as (offset,
#: capacity), whether it lies inside an action that was taken, the names of its locals, and what the words of the
#: question speak of, as (offset, 0) or (0, constant). Points go by pc; 0 is none, 1 a host's call.
FrameDescriptor = tuple[int, str, str, int, tuple[tuple[int, int], ...], bool, str, tuple[tuple[int, int], ...]]
_NONE: FrameDescriptor = (0, "", "", 0, (), False, "", ())


def frame_descriptors(frames: Mapping[str, Frame], sites: Sequence[DecisionPoint]) -> tuple[FrameDescriptor, ...]:
    """All points, by pc."""
    found: dict[int, FrameDescriptor] = {0: _NONE, RETURN: (RETURN_SIZE, "", "", 0, (), True, "", ())}
    for name, frame in frames.items():
        acting = _statements_in_action(frame.function.body, sites)
        for stmt in all_statements(frame.function.body):
            point = frame.points.get(id(stmt))
            if point is None:
                continue
            lists = tuple((slot.offset, slot.capacity) for slot in point.slots if slot.capacity is not None)
            called = stmt.function if isinstance(stmt, ir.CallRoutine) else ""
            site = stmt.site if isinstance(stmt, ir.Pick) else -stmt.site if isinstance(stmt, ir.Stop) else 0
            names = " ".join(slot.name for slot in point.slots)
            places = {slot.name: slot.offset for slot in point.slots}
            exprs = stmt.told if isinstance(stmt, ir.Pick) else ()
            told = tuple((places[e.name], 0) if isinstance(e, ir.Local) else (0, _constant(e)) for e in exprs)
            found[point.pc] = (frame.size, name, called, site, lists, id(stmt) in acting, names, told)
    return tuple(found.get(pc, found[0]) for pc in range(max(found) + 1))


def _constant(expr: ir.Expr) -> int:
    assert isinstance(expr, ir.Const), f"the words of a question speak of {expr}"
    return expr.value


def question_cells(S: Sequence[int], layout: Layout, points: Sequence[FrameDescriptor]) -> tuple[int, ...]:
    """What the words of the pending question speak of."""
    frame = S[layout.cells.frame]
    return tuple(S[frame + offset] if offset else value for offset, value in points[S[frame]][7])


def _statements_in_action(block: ir.Block, sites: Sequence[DecisionPoint]) -> set[int]:
    """By identity, the statements with which an offer does what was chosen: those from its decision to its stop."""
    found: set[int] = set()
    for at, stmt in enumerate(block):
        if isinstance(stmt, ir.Stop) and sites[stmt.site - 1].prompt == "action":
            found |= {id(s) for s in all_statements(block[:at])} - {id(s) for s in block[:at] if isinstance(s, ir.Pick)}
        for inner in child_blocks(stmt):
            found |= _statements_in_action(inner, sites)
    return found


def is_in_action(S: Sequence[int], layout: Layout, points: Sequence[FrameDescriptor]) -> bool:
    """Whether what is paused lies inside an action that was taken, or inside a host's call."""
    frame = S[layout.cells.frame]
    while frame:
        if points[S[frame]][5]:
            return True
        frame = S[frame + 1]
    return False


def wrong_cells(S: Sequence[int], layout: Layout, known: PossibleValues) -> str:
    """What is wrong with the words of a state, and with the locals in its frames, which `frames_wrong` passed."""
    for start, end, what in known.words:
        for at in range(start, end):
            if not what.holds(S[at]):
                return f"{_cell_name(layout, at)} is {S[at]}; it may be {what}"
    frame = S[layout.cells.frame]
    while frame:
        title, slots = known.points.get(S[frame], ("", ()))
        for offset, capacity, name, what in slots:
            at = frame + offset
            items = range(at, at + 1) if capacity is None else range(at + 1, at + 1 + S[at])
            for place in items:
                if not what.holds(S[place]):
                    local = name.partition("@")[0].rstrip("0123456789").rstrip("_") or "depth"
                    return f"word {place}, `{local}` of `{title}` that waits, is {S[place]}; it may be {what}"
        frame = S[frame + (4 if S[frame] == RETURN else 1)]
    return ""


def _cell_name(layout: Layout, at: int) -> str:
    """A word of the state by its address, and by its name if the rules have given it one."""
    for attribute in layout.attributes:
        if attribute.base <= at < attribute.base + (attribute.count + 1) * attribute.width:
            of = attribute.trait or attribute.kind
            return f"word {at}, `{of}.{attribute.name}`," if of else f"word {at}, `{attribute.name}`,"
    for table in layout.tables.values():
        if table.base <= at < table.base + prod(table.dims):
            return f"word {at}, in the table `{table.name}`,"
    return f"word {at}"


def wrong_frames(S: Sequence[int], layout: Layout, main: str, points: Sequence[FrameDescriptor]) -> str:
    """What is wrong with the frames of a state that waits for a decision, in words; "" if nothing is."""
    cells, stack, size = layout.cells, layout.stack, layout.size
    frame, site, decider = S[cells.frame], S[cells.site], S[cells.decider]
    called, end = "", 0  # the routine of the frame above, and where that frame begins
    while True:
        if not stack <= frame <= size - 2:
            return f"a frame lies at {frame}, outside of the control stack"
        pc = S[frame]
        if not 1 <= pc < len(points) or not points[pc][0]:
            return f"the frame at {frame} waits at the unknown point {pc}"
        room, routine, calls, asks, lists = points[pc][:5]
        if frame + room > size or (end and frame + room != end):
            return f"the frame at {frame} does not end where the next begins"
        if pc != RETURN and (calls != called or (not called and abs(asks) != site)):
            return f"the frame at {frame} waits for something else than what is asked"
        asked = range(1, layout.players + 1) if asks > 0 else (0,)
        if pc != RETURN and not called and decider not in asked:
            return f"player {decider} is asked"
        for offset, most in lists:
            if not 0 <= S[frame + offset] <= most:
                return f"a list in the frame at {frame} has {S[frame + offset]} items; {most} is the most"
        if pc == RETURN:
            if not end:
                return f"the frame at {frame} waits for nothing"
            site, decider, below = S[frame + 2 : frame + RETURN_SIZE]
            called, end = "", frame
            if not below:
                return "" if frame == stack and not site and not decider else "a host's call lies on nothing"
        else:
            below = S[frame + 1]
            called, end = routine, frame
            if not below:
                return "" if frame == stack and routine == main else f"the frame at {frame} belongs to no routine"
        if below >= frame:
            return f"the frame at {frame} lies on one at {below}"
        frame = below
