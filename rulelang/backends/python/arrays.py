"""Array zones `[count, items...]` as slices of the state.

What lies beyond the count after an operation is fixed too (states are compared word by word): a drop shifts the items
above it down and leaves the last word as it was; a draw and an append leave the source's words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.ir import nodes as ir

if TYPE_CHECKING:
    from rulelang.backends.python.stmts import Body


def push(body: Body, stmt: ir.ArrayPush) -> None:
    zone, out, count = body.zone(stmt.zone), body.out, body.names.temporary("n")
    here = body.ex.address(0, zone)
    value = body.temporary(stmt.value, "v") if stmt.bottom else body.ex.value(stmt.value)
    out(f"{count} = S[{here}] + 1; S[{here}] = {count}")
    if stmt.bottom:
        first = body.ex.address(1, zone)
        out(f"S[{body.ex.address(2, zone)}:{first} + {count}] = S[{first}:{here} + {count}]")
        out(f"S[{first}] = {value}")
    else:
        out(f"S[{here} + {count}] = {value}")


def drop(body: Body, stmt: ir.ArrayDrop) -> None:
    zone, out = body.zone(stmt.zone), body.out
    count, end, place = (body.names.temporary(h) for h in "nei")
    here, first = body.ex.address(0, zone), body.ex.address(1, zone)
    out(f"{count} = S[{here}]; {end} = {here} + {count}; {place} = S.index({body.ex.num(stmt.value)}, {first})")
    out(f"if {place} < {end}: S[{place}:{end}] = S[{place} + 1:{end} + 1]")
    out(f"S[{here}] = {count} - 1")


def draw(body: Body, stmt: ir.ArrayDraw) -> None:
    source, target, out = body.zone(stmt.source), body.zone(stmt.target), body.out
    top, end, card = (body.names.temporary(h) for h in "aec")
    here, there = body.ex.address(0, source), body.ex.address(0, target)
    if stmt.count == ir.Const(1):
        out(f"{top} = S[{here}]; S[{here}] = {top} - 1; {card} = S[{here} + {top}]")
        out(f"{end} = S[{there}] + 1; S[{there}] = {end}; S[{there} + {end}] = {card}")
        out(f"S[{body.ex.place(stmt.where, card)}] = {body.ex.value(stmt.zone_id)}")
        return
    zone_id, count = body.temporary(stmt.zone_id, "w"), body.temporary(stmt.count, "n")
    out(f"{top} = {here} + S[{here}]; {end} = {body.ex.address(1, target)} + S[{there}]")
    # in a list of one's own: the slice of the source may not run past the start of the state
    part = body.names.temporary("p")
    out(f"{part} = S[{top}:{top} - {count}:-1]; S[{end}:{end} + {count}] = {part}")
    out(f"S[{here}] -= {count}; S[{there}] += {count}")
    out(f"for {card} in {part}: S[{body.ex.place(stmt.where, card)}] = {zone_id}")


def append_all(body: Body, stmt: ir.ArrayAppendAll) -> None:
    source, target, out = body.zone(stmt.source), body.zone(stmt.target), body.out
    zone_id = body.temporary(stmt.zone_id, "w")
    part, card, start = (body.names.temporary(h) for h in "pcb")
    here, there = body.ex.address(0, source), body.ex.address(0, target)
    first = body.ex.address(1, target)
    out(f"{part} = {body.ex.items(source)}")
    if stmt.bottom:
        old = body.names.temporary("o")
        out(f"{old} = {part} + {body.ex.items(target)}; S[{first}:{first} + len({old})] = {old}")
    else:
        out(f"{start} = {first} + S[{there}]; S[{start}:{start} + len({part})] = {part}")
    out(f"S[{here}] = 0; S[{there}] += len({part})")
    out(f"for {card} in {part}: S[{body.ex.place(stmt.where, card)}] = {zone_id}")


def shuffle(body: Body, stmt: ir.ArrayShuffle) -> None:
    zone, out, cells = body.zone(stmt.zone), body.out, body.cells
    here, first = body.ex.address(0, zone), body.ex.address(1, zone)
    out(f"x_ = S[{cells.rng_x}]; c_ = S[{cells.rng_c}]")
    items, end = body.names.temporary("l"), body.names.temporary("e")
    out(f"{end} = {first} + S[{here}]; {items} = S[{first}:{end}]")
    with out.inside(f"for i_ in range(len({items}) - 1, 0, -1):"):
        out("k_ = (x_ ^ c_) * (i_ + 1) >> 30; t_ = x_ * 998578647 + c_; x_ = t_ & 1073741823; c_ = t_ >> 30")
        out(f"v_ = {items}[k_]; {items}[k_] = {items}[i_]; {items}[i_] = v_")
    out(f"S[{first}:{end}] = {items}")
    out(f"S[{cells.rng_x}] = x_; S[{cells.rng_c}] = c_")
