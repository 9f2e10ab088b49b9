"""List locals (an array and its length `name_n`) and array zones (`[count, items...]` in the state)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.compiler.backends.native import prelude
from rulelang.compiler.ir import nodes as ir

if TYPE_CHECKING:
    from rulelang.compiler.backends.native.stmts import Body


def write(body: Body, stmt: Any) -> None:
    """One statement about lists or zones."""
    out, ex, names = body.out, body.ex, body.names
    if isinstance(stmt, (ir.NewList, ir.ArrayToList)):  # also those of enumerators that are counted in place
        body.room[stmt.name] = max(stmt.capacity, body.room.get(stmt.name, 0))
    match stmt:
        case ir.NewList(name):
            out(f"{names[name]}_n = 0;")
        case ir.Append(items, value):
            room = body.room[items]
            body.error(prelude.INTERNAL, 1, test=f"{names[items]}_n >= {room}")
            out(f"{names[items]}[{names[items]}_n++] = {ex(value)};")
            body.checked(value)
        case ir.ArrayToList(name, zone):
            at, place, items, own = names.temporary("i"), names.temporary("z"), names[name], names[name]
            if name in body.function.lists:  # a caller's list that comes from a frame needs a place here
                own = names.once(f"own_{items}")
                body.arrays[own] = body.room[name]
            out(f"{place} = {ex(zone)}; {items}_n = S[I({place})];")
            body.error(prelude.INTERNAL, prelude.BROKEN, test=f"{items}_n < 0 || {items}_n > {body.room[name]}")
            out(f"for ({at} = 0; {at} < {items}_n; {at}++) {own}[{at}] = S[I({place} + 1 + {at})];")
            if own != items:
                out(f"{items} = {own};")
        case ir.ListToArray(zone, items):
            at, place, text = names.temporary("i"), names.temporary("z"), names[items]
            out(f"{place} = {ex(zone)};")
            body.changes_run(f"S[{place}]", f"{text}_n + 1")
            out(f"S[I({place})] = (i32){text}_n;")
            out(f"for ({at} = 0; {at} < {text}_n; {at}++) S[I({place} + 1 + {at})] = (i32){text}[{at}];")
        case ir.TakeAt(items, index):
            at, text = names.temporary("i"), names[items]
            out(f"for ({at} = {ex(index)}; {at} + 1 < {text}_n; {at}++) {text}[{at}] = {text}[{at} + 1];")
            out(f"if ({text}_n > 0) {text}_n--;")
            body.checked(index)
        case ir.DistinctList(name, zone, table):
            body.room[name] = max(body.unit.kinds(table) + 1, body.room.get(name, 0))  # each is written, then counted
            out(f"{names[name]}_n = distinct{body.unit.table(table)}(C, S, {ex(zone)}, {names[name]});")
            body.checked(zone)
        case ir.ArrayView(name, zone):
            body.views.add(name)
            place, items = body.hold(zone, "z"), names[name]
            body.checked(zone)
            out(f"{items}_n = S[I({place})]; {items} = &S[J({place} + 1, {items}_n)];")
        case ir.NewTuples(name, width, capacity):
            body.room[name] = width * capacity
            body.widths[name] = width, capacity
            out(f"{names[name]}_n = 0;")
        case ir.AppendTuple():
            append_tuple(body, stmt)
        case ir.ReadTuple(items, index, targets):
            at, width = body.hold(index, "i"), body.widths[items][0]
            body.checked(index)
            out(" ".join(f"{names[t]} = {names[items]}[{at} * {width} + {i}];" for i, t in enumerate(targets)))
        case ir.Sort():
            _in_order(body, stmt, "order")
        case ir.KeepBest():
            _in_order(body, stmt, f"{names[stmt.list]}_n = best")
        case ir.ArrayPush(zone, value, bottom):
            if bottom:
                out(f"{body.zone_change('bury', ex(zone), ex(value))};")
            else:
                out(f"{body.zone_change('push', ex(zone), ex(value))};")
            body.checked(zone, value)
        case ir.ArrayDrop(zone, value):
            body.error(prelude.INTERNAL, 3, test=f"!{body.zone_change('drop', ex(zone), ex(value))}")
            body.checked(zone, value)
        case ir.ArrayDraw(source, target, count, where, zone_id):
            out(f"{body.zone_change('deal', ex(source), ex(target), ex(count), str(where), ex(zone_id))};")
            body.checked(source, target, count, zone_id)
        case ir.ArrayAppendAll(source, target, where, zone_id, bottom):
            args = (ex(source), ex(target), str(where), ex(zone_id), str(int(bottom)))
            out(f"{body.zone_change('pour', *args)};")
            body.checked(source, target, zone_id)
        case ir.ArrayShuffle(zone):
            cells = body.cells
            out(f"{body.zone_change('mix', ex(zone), f'&S[{cells.rng_x}]', f'&S[{cells.rng_c}]')};")
            body.checked(zone)


def append_tuple(body: Body, stmt: ir.AppendTuple, test: str = "") -> None:
    """`test`: a local with 0 if there is nothing to append."""
    items, (width, capacity) = body.names[stmt.list], body.widths[stmt.list]
    kept = " ".join(f"{items}[{items}_n * {width} + {i}] = {body.ex(v)};" for i, v in enumerate(stmt.values))
    body.out(f"if ({items}_n < {capacity}) {{ {kept} }}")
    body.checked(*stmt.values)
    body.out(f"{items}_n += {test or '1'};")


def _in_order(body: Body, stmt: ir.Sort | ir.KeepBest, how: str) -> None:
    """Arrays of the keys of all items, and the call of what goes by them (`runtime/lists.h`). Descending ones are
    turned round bit by bit: the least word has no negative."""
    out, items, at = body.out, body.names[stmt.list], body.names.temporary("i")
    found = [body.names.temporary("k") for _ in stmt.keys]
    body.arrays |= dict.fromkeys(found, body.room[stmt.list])
    with out.inside(f"if ({items}_n > 1)" if isinstance(stmt, ir.KeepBest) else ""):
        with out.inside(f"for ({at} = 0; {at} < {items}_n; {at}++)"):
            out(f"{body.names[stmt.name]} = {items}[{at}];")
            for name, key in zip(found, stmt.keys, strict=True):
                out(f"{name}[{at}] = {'~' if key.descending else ''}({body.ex(key.value)});")
            body.checked(*(key.value for key in stmt.keys))
        out(f"i64 *keys_[] = {{{', '.join(found)}}};")
        out(f"{how}({items}, {items}_n, keys_, {len(found)});")
