"""Access the state: cells by handle, seats, constant columns, zones, attributes and members."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulelang.base.layout import ZoneLayout
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    TRUE,
    Guards,
    Lowered,
    Lowering,
    Scope,
    add,
    conjunction,
    equal,
    join_guards,
    lower_through,
    once_per_table,
    times,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT, Column, ColumnValue, Condition

# ---- cells by handle


def cell(base: int, index: ir.Expr) -> ir.Expr:
    return ir.Cell(base + index.value) if isinstance(index, ir.Const) else ir.Cell(base, index)


def face_of(card: ir.Expr, low: Lowering) -> ir.Expr:
    plan = low.plan
    if plan.card_face:
        return cell(plan.card_face, card)
    return ir.Table(low.table("face", [c.faces[0] if len(c.faces) == 1 else 0 for c in plan.cards]), card)


def is_unsilenced(card: ir.Expr, low: Lowering) -> ir.Expr:
    """The condition that a card is not silenced."""
    return ir.Not(cell(low.plan.silent, card)) if low.plan.silent else TRUE


def partner_of(card: ir.Expr, low: Lowering) -> ir.Expr:
    return cell(low.plan.card_partner, card) if low.plan.card_partner else ir.Const(0)


def thing_under(kind: str, card: ir.Expr, low: Lowering) -> ir.Expr:
    """The thing of a kind that a card lies on, 0 if it lies elsewhere: a card in a player's hand lies on nothing."""
    return ir.Table(_zone_thing_table(kind, low), cell(low.plan.where, card))


@once_per_table
def _zone_thing_table(kind: str, low: Lowering) -> str:
    """The table of the things of a kind that zones belong to."""
    plan = low.plan
    kinds = {z.name: z.of for z in plan.zones.values()}
    on = [o if kinds.get(name) == kind else 0 for o, name in zip(plan.zone_owner, plan.zone_names, strict=True)]
    return low.table(f"on_{kind}", on)


def owner_of(kind: str, obj: ir.Expr, low: Lowering) -> ir.Expr:
    """The player whose a thing or card is."""
    plan = low.plan
    if kind == "player":
        return obj
    if plan.is_made(kind):
        return ir.Table(_owner_table(kind, low), obj)
    return ir.Table(low.table("zone_player", plan.zone_player), cell(plan.where, obj))


@once_per_table
def _owner_table(kind: str, low: Lowering) -> str:
    """The table of the players whose things of a kind are."""
    per = low.plan.kinds[kind].per_owner
    return low.table(f"owner_{kind}", [0, *((h - 1) // per + 1 for h in range(1, low.plan.rows_of(kind) + 1))])


def link_into_chain(toward: int, back: int, item: ir.Expr, end: ir.Expr, alone: ir.Stmt | None) -> list[ir.Stmt]:
    """Link an item that is in no chain to what was the `end` of one, in such columns; `alone` if there was nothing."""
    links = (ir.Store(toward, item, end), ir.Store(back, end, item))
    return [ir.Branch(end, links, () if alone is None else (alone,))]


def unlink_from_chain(next_: int, prev: int, item: ir.Expr, first: ir.Stmt, last: ir.Stmt | None, *,
            foremost: bool = False) -> list[ir.Stmt]:  # fmt: skip
    """Take an item out of a chain with such columns. `first` stores the local `n`, which comes behind it, as the
    chain's first; `last` the local `p`, which comes before it, as its last. `foremost`: nothing comes before it."""
    p, n, none = ir.Local("p"), ir.Local("n"), ir.Const(0)
    joined: ir.Stmt = ir.Branch(p, (ir.Store(next_, p, n), ir.Store(prev, item, none)), (first,))
    return [
        ir.Set("p", none if foremost else ir.Cell(prev, item)),
        ir.Set("n", ir.Cell(next_, item)),
        first if foremost else joined,
        ir.Branch(n, (ir.Store(prev, n, p), ir.Store(next_, item, none)), () if last is None else (last,)),
    ]


# ---- seats


def first_player(low: Lowering) -> ir.Expr:
    """Where natural order starts: the active player, outside turns the one the manifest names, else seat 1."""
    active = ir.Cell(low.cells.active)
    if low.model.first is None:
        return active
    return ir.If(active, active, ir.Cell(low.plan.state[low.model.first]))


def play_order(low: Lowering) -> str:
    """Row table: by player, all players from him on in play order; [0] starts at seat 1."""
    n = low.plan.players
    step = 1 if low.model.clockwise else -1
    rows = [tuple((p - 1 + step * k) % n + 1 for k in range(n)) for p in range(1, n + 1)]
    return low.row_table("order", [rows[0], *rows, *([rows[0]] if low.plan.features.nobody else [])])


def next_player(low: Lowering) -> str:
    """Table: by player, who comes after him in play order."""
    play_order(low)
    n = low.plan.players
    step = 1 if low.model.clockwise else -1
    return low.table("next_player", [0, *((p - 1 + step) % n + 1 for p in range(1, n + 1)), 0])


# ---- constant columns


def default_of(column: Column) -> ColumnValue:
    if column.default is not None:
        return column.default
    if column.type.tag == "set":
        return ()
    if column.type.tag == "condition":
        return Condition(())
    return MISSING_INT if column.type.tag == "int" and column.type.maybe else 0


def column_values(low: Lowering, kind: str, column: Column) -> list[ColumnValue]:
    """The column's value for every handle of the kind; [0] is what nothing has."""
    model, plan = low.model, low.plan
    default = default_of(column)
    if kind in model.sorts:
        printed = [c.columns.get(column.name, default) if c.sort == kind else default for c in plan.cards]
        return [c for c in printed if isinstance(c, int | tuple | Condition)]
    if kind in model.grids:
        grid = plan.grid_map(model.grids[kind])
        return [default, *grid[column.name]]
    rows = model.lists[kind].rows[: plan.rows_of(kind)]
    values: list[ColumnValue] = [default, *(row.columns.get(column.name, default) for row in rows)]
    return values + [default] * (plan.rows_of(kind) + 1 - len(values))


def by_rows(low: Lowering, column: Column) -> tuple[int, int]:
    """First index and number of indexes of a column that is kept `by` something."""
    if isinstance(column.by, tuple):
        return column.by[0], column.by[1] - column.by[0] + 1
    assert column.by is not None
    return 1, low.plan.rows_of(column.by)


def constant_column(e: tree.ColumnRef, scope: Scope) -> Lowered:
    """A printed integer. Sets and conditions have tables of their own (`members_table`, `tests.meets`)."""
    low = scope.low
    obj, guards = lower_through(e.object, scope)
    cells = column_values(low, e.kind, e.column)
    if e.column.by is None or e.column.by == "copy":
        ints = [c if isinstance(c, int) else 0 for c in cells]
        table = low.table(f"{e.kind}_{e.column.name}", ints)
        if isinstance(obj, ir.Const):
            return ir.Const(ints[obj.value]), guards
        return ir.Table(table, obj), guards
    assert e.index is not None
    first, count = by_rows(low, e.column)
    missing = MISSING_INT if e.column.type.maybe else 0
    flat: list[int] = []
    for c in cells:
        row = c if isinstance(c, tuple) else (missing,) * count
        flat += [*row, *((missing,) * (count - len(row)))]
    table = low.table(f"{e.kind}_{e.column.name}", flat)
    index, more = lower_through(e.index, scope)
    position = add(times(obj, ir.Const(count)), add(index, ir.Const(-first)))
    return ir.Table(table, position), join_guards(guards, more)


def constant_set(e: tree.Expr, scope: Scope) -> tuple[str, list[ColumnValue], ir.Expr, tuple[ir.Expr, ...]]:
    """A set-valued expression: a stem for table names, the sets by handle, the handle, guards."""
    low = scope.low
    if isinstance(e, tree.Property):  # `.faces`, the only one that is a set
        obj, guards = lower_through(e.object, scope)
        return "faces", [c.faces for c in low.plan.cards], obj, guards
    assert isinstance(e, tree.ColumnRef)
    obj, guards = lower_through(e.object, scope)
    return f"{e.kind}_{e.column.name}", column_values(low, e.kind, e.column), obj, guards


def is_member(item: ir.Expr, rows: int, group: tuple[str, list[ColumnValue], ir.Expr], low: Lowering) -> ir.Expr:
    """1 if the row is in the set of that handle."""
    stem, sets, obj = group
    flat: list[int] = []
    for members in sets:
        assert isinstance(members, tuple)
        flat += [int(r in members) for r in range(rows + 1)]
    return ir.Table(low.table(f"in_{stem}", flat), add(times(obj, ir.Const(rows + 1)), item))


def members_row(group: tuple[str, Sequence[ColumnValue]], low: Lowering) -> str:
    stem, sets = group
    return low.row_table(stem, [s if isinstance(s, tuple) else () for s in sets])


# ---- zones


def zone_layout(ref: tree.AnyZone, low: Lowering) -> ZoneLayout:
    return low.plan.zones["box" if isinstance(ref, tree.BoxRef) else ref.zone.name]


def zone_owner(ref: tree.AnyZone, scope: Scope) -> tuple[ir.Expr | None, Guards]:
    """The owner's handle, or None for the zone of the game or all zones of that name."""
    if isinstance(ref, tree.BoxRef) or ref.owner is None:
        return None, ()
    return lower_through(ref.owner, scope)


def zone_address(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    """Address of an array zone's count word."""
    if who is None:
        return ir.Const(zone.base)
    return add(times(who, ir.Const(zone.stride)), ir.Const(zone.base))


def zone_id(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    return ir.Const(zone.first_id) if who is None else add(who, ir.Const(zone.first_id))


def cell_at(where: ir.Expr) -> ir.Expr:
    """The word at a computed address."""
    if isinstance(where, ir.Const):
        return ir.Cell(where.value)
    if isinstance(where, ir.Arith) and where.op == "+" and isinstance(where.right, ir.Const):
        return ir.Cell(where.right.value, where.left)
    return ir.Cell(0, where)


def zone_count(ref: tree.AnyZone, scope: Scope) -> tuple[ir.Expr, Guards]:
    """How many cards lie in a zone (or in all zones of that name)."""
    zone = zone_layout(ref, scope.low)
    who, guards = zone_owner(ref, scope)
    if who is None and zone.of:
        total: ir.Expr = ir.Const(0)
        for o in range(1, zone.owners + 1):
            total = add(total, cards_in_zone(zone, ir.Const(o)))
        return total, guards
    return cards_in_zone(zone, who), guards


def cards_in_zone(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    """How many cards lie in one zone."""
    if zone.array:
        return cell_at(zone_address(zone, who))
    assert who is not None
    return cell(zone.count, who)


def slot_read(ref: tree.ZoneRef, scope: Scope) -> tuple[ir.Expr, Guards]:
    """The card in a slot; an empty one is a run-time diagnostic (ask `is present`, or say `otherwise`)."""
    low = scope.low
    card, guards = slot_card(ref, scope)
    key = ("filled slot", ref.span)
    if key not in low.names:
        low.names[key] = name = low.unique(f"filled_{ref.zone.name}")
        fail = ir.Fail("X609", ref.span, f"the {ref.zone.name} slot is empty")
        body = (ir.Branch(ir.Not(ir.Local("c")), (fail,)), ir.Return(ir.Local("c")))
        low.function(name, "pure", ("c",), body, f"read the {ref.zone.name} slot", ref.span)
    return ir.Call(low.names[key], (card,)), guards


def slot_card(ref: tree.ZoneRef, scope: Scope) -> tuple[ir.Expr, Guards]:
    """The card in a slot, 0 if it is empty."""
    who, guards = zone_owner(ref, scope)
    return _bottom_card(zone_layout(ref, scope.low), who), guards


def end_card(ref: tree.ZoneRef, scope: Scope, *, top: bool) -> tuple[ir.Expr, Guards]:
    """The card on top of a zone or at its bottom, 0 if it is empty."""
    zone = zone_layout(ref, scope.low)
    who, guards = zone_owner(ref, scope)
    if not zone.array:
        assert who is not None
        return cell(zone.last if top else zone.first, who), guards
    if not top:
        return _bottom_card(zone, who), guards
    # The word that is so many behind the number of cards: of none that number itself, 0.
    cards = cards_in_zone(zone, who)
    return ir.Cell(zone.base, cards if who is None else add(_owner_offset(zone, who), cards)), guards


def _bottom_card(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    where = zone_address(zone, who)
    filled = cell_at(where)
    card = (
        cell_at(add(where, ir.Const(1)))
        if isinstance(where, ir.Const)
        else ir.Cell(zone.base + 1, _owner_offset(zone, who))
    )
    return ir.If(filled, card, ir.Const(0))


def _owner_offset(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    assert who is not None
    return times(who, ir.Const(zone.stride))


def lies_in(card: ir.Expr, ref: tree.AnyZone, scope: Scope) -> tuple[ir.Expr, Guards]:
    """The condition that a card lies in a zone (or in any zone of that name)."""
    low = scope.low
    zone = zone_layout(ref, low)
    who, guards = zone_owner(ref, scope)
    where = cell(low.plan.where, card)
    if who is None and zone.of:
        return conjunction(
            ir.Compare(">", where, ir.Const(zone.first_id)),
            ir.Compare("<=", where, ir.Const(zone.first_id + zone.owners)),
        ), guards
    return equal(where, zone_id(zone, who)), guards


# ---- attributes and tables


def attribute_place(e: tree.AttributeRef, scope: Scope) -> tuple[int, ir.Expr, Guards]:
    """Base and index of an attribute's word."""
    low = scope.low
    obj, guards = lower_through(e.object, scope)
    if e.trait is not None:
        laid = low.plan.trait_state[e.trait, e.attribute.name]
        rows = laid.rows or {}
        name = low.table(f"row_{e.trait}", [rows.get(c, 0) for c in range(len(low.plan.cards))])
        index: ir.Expr = ir.Table(name, obj)
        base, dims, width = laid.base, laid.dims, laid.width
    else:
        base = low.plan.columns[e.kind, e.attribute.name]
        dims = tuple(low.plan.rows_of(k) + 1 for k in e.attribute.index)
        width = 1
        for d in dims:
            width *= d
        index = obj
    index = times(index, ir.Const(width)) if dims else index
    stride = width
    for sub, size in zip(e.index, dims, strict=False):
        stride //= size
        part, more = lower_through(sub, scope)
        index = add(index, times(part, ir.Const(stride)))
        guards = join_guards(guards, more)
    return base, index, guards


def attribute_cell(e: tree.AttributeRef, scope: Scope) -> Lowered:
    base, index, guards = attribute_place(e, scope)
    return cell(base, index), guards


def table_place(e: tree.TableRef, scope: Scope) -> tuple[int, ir.Expr, Guards]:
    laid = scope.low.plan.tables[e.table.name]
    index: ir.Expr = ir.Const(0)
    guards: Guards = ()
    for sub, size in zip(e.index, laid.dims, strict=True):
        part, more = lower_through(sub, scope)
        index = add(times(index, ir.Const(size)), part)
        guards = join_guards(guards, more)
    return laid.base, index, guards


def table_cell(e: tree.TableRef, scope: Scope) -> Lowered:
    base, index, guards = table_place(e, scope)
    return cell(base, index), guards


# ---- built-in members


def _reading(read: Callable[[tree.Property, ir.Expr, Scope], ir.Expr]) -> Callable[[tree.Property, Scope], Lowered]:
    """A member that is there wherever the thing is that it is read of."""

    def lowered(e: tree.Property, scope: Scope) -> Lowered:
        thing, guards = lower_through(e.object, scope)
        return read(e, thing, scope), guards

    return lowered


def _card_number(e: tree.Property, thing: ir.Expr, scope: Scope) -> ir.Expr:
    low, plan = scope.low, scope.low.plan
    if plan.is_made(e.kind):
        per = plan.kinds[e.kind].per_owner
        numbers = [0, *((h - 1) % per + 1 for h in range(1, plan.rows_of(e.kind) + 1))]
        return ir.Table(low.table(f"number_{e.kind}", numbers), thing)
    if e.kind in plan.sorts:
        return add(thing, ir.Const(1 - plan.sorts[e.kind][0]))
    return thing


def _face_value(e: tree.Property, scope: Scope) -> Lowered:
    if isinstance(e.object, tree.LocalRef) and e.object.local.name in scope.faces:
        return ir.Const(scope.faces[e.object.local.name]), ()
    card, guards = lower_through(e.object, scope)
    return face_of(card, scope.low), guards


#: By name, what becomes of each that gives one value; what is printed in a column is lowered as that column, and sets
#: by `state/access.py`.
MEMBERS: Mapping[str, Callable[[tree.Property, Scope], Lowered]] = {
    "owner": _reading(lambda e, thing, scope: owner_of(e.kind, thing, scope.low)),
    "number": _reading(_card_number),
    "place": _reading(lambda e, thing, scope: cell(scope.low.plan.kinds[e.kind].place, thing)),
    "face": _face_value,
    "on": _reading(lambda e, card, scope: thing_under(e.type.name, card, scope.low)),
    "partner": _reading(lambda e, card, scope: partner_of(card, scope.low)),
}
