"""Check what follows a dot or stands in brackets: attributes, columns, slots, tables and zones."""

from __future__ import annotations

from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.base.wording import a_quoted, did_you_mean
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins import definitions
from rulelang.language.semantics.check import expressions
from rulelang.language.semantics.check.checker import (
    Checker,
    a_type,
    all_known,
    as_read_through,
    error_expr,
    fit_type,
    may_be_missing,
    zone_as_value,
)
from rulelang.language.semantics.check.names import names_of_values
from rulelang.language.semantics.check.symbol_table import APART
from rulelang.language.semantics.model import INT, Attribute, Column, Type, Zone, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.printer import print_expression

# ---- members


def check_attribute(checker: Checker, node: nodes.Attribute) -> tree.Expr:
    """`object.name`"""
    if isinstance(node.object, nodes.Name) and node.object.id == "option" and checker.scope.find("option") is None:
        return _option(checker, node)
    if (row := _dotted_row(checker, node)) is not None:
        return row
    thing = expressions.check_expr(checker, node.object, None)
    return read_member(checker, thing, node.name, node.span, node.name_span, None, print_expression(node))


def _dotted_row(checker: Checker, node: nodes.Attribute) -> tree.Expr | None:
    """N350 for the name of a row that has a dot in it and does not stand in quotes; None for anything else."""
    parts, first = [node.name], node.object
    while isinstance(first, nodes.Attribute):
        parts.append(first.name)
        first = first.object
    if not isinstance(first, nodes.Name) or first.quoted:
        return None
    name = ".".join((first.id, *reversed(parts)))
    if not checker.symbols.rows_named(name) or checker.scope.find(first.id):
        return None
    rows, sorts = checker.symbols.rows_named(first.id), checker.symbols.model.sorts
    read = any(kind in sorts and parts[-1] in sorts[kind].columns for kind, _ in rows)
    if read or (not rows and first.id in names_of_values(checker)):
        return None
    because = "the part before a dot must be a thing"
    return checker.error(
        "N350", node.span, f"nothing is called `{first.id}`", because=because, hint=f'write `"{name}"`'
    )


def check_index(checker: Checker, node: nodes.Index) -> tree.Expr:
    """`population[s, x]`, `replaced[era]`, `k.shows[run]`, `this.outwitted[t]`"""
    target, model = node.object, checker.symbols.model
    if isinstance(target, nodes.Attribute):
        thing = expressions.check_expr(checker, target.object, None)
        return read_member(checker, thing, target.name, node.span, target.name_span, node.args)
    if isinstance(target, nodes.Name) and checker.scope.find(target.id) is None:
        if target.id in model.tables:
            table = model.tables[target.id]
            of = [ref(kind) for kind in table.of]
            related = (Related(table.span, f"the table `{table.name}` is declared here"),)
            args = index_arguments(checker, node.args, of, f"`{table.name}`", node.span, related)
            type_ = INT.optional() if may_be_missing(*args) else INT
            return tree.TableRef(type_, node.span, table, args) if args else error_expr(node.span)
        if target.id in model.numbers:
            return _number_row(checker, target.id, node)
    whole = expressions.check_expr(checker, target, None)
    for arg in node.args:
        expressions.check_expr(checker, arg, None)
    if not all_known(whole.type):
        return error_expr(node.span)
    because = "only tables, rows of numbers, and columns or state kept for each row of a list have indexes"
    hint = did_you_mean(target.id, [*model.tables, *model.numbers]) if isinstance(target, nodes.Name) else ""
    return checker.error("T420", node.span, "this cannot have indexes in brackets", because=because, hint=hint)


def index_arguments(
    checker: Checker,
    args: tuple[nodes.Expr, ...],
    types: list[Type],
    what: str,
    span: Span,
    related: tuple[Related, ...],
) -> tuple[tree.Expr, ...]:
    """Indices of the given types; empty after T420 for a wrong number of them."""
    if len(args) != len(types):
        for arg in args:
            expressions.check_expr(checker, arg, None)
        expected = ", ".join(str(t) for t in types)
        found = f"{len(args)} {'index' if len(args) == 1 else 'indexes'}"
        checker.error("T420", span, f"{what} needs the indexes `[{expected}]`, found {found}", related=related)
        return ()
    found_args = []
    for arg, type_ in zip(args, types, strict=True):
        value = expressions.check_expr(checker, arg, type_)
        found_args.append(fit_type(checker, value, type_, f"the index of {what} is {a_type(type_)}", related=related))
    return tuple(found_args)


def read_member(
    checker: Checker,
    thing: tree.Expr,
    name: str,
    span: Span,
    name_span: Span,
    args: tuple[nodes.Expr, ...] | None,
    text: str = "",
) -> tree.Expr:
    """Return the member of this name of a thing, card, row or player.

    `args`: the indexes in brackets after it. `text`: the whole expression, for hints.
    """
    if not all_known(thing.type):
        for arg in args or ():
            expressions.check_expr(checker, arg, None)
        return error_expr(span)
    if thing.type.tag != "ref":
        return checker.error(
            "N355", name_span, f"{a_type(thing.type)} has no `{name}`", because="only things have members"
        )
    kind = thing.type.name
    member = checker.symbols.members(kind, checker.scope.origin).get(name)
    if member is None:
        return _unknown_member(checker, thing, kind, name, name_span, text)
    match member.declared:
        case Attribute() as found:
            where: tuple[tree.Expr, ...] = ()
            if args is not None or member.index:
                related = (Related(found.span, f"`{name}` is declared here"),)
                where = index_arguments(checker, args or (), list(member.index), f"`{name}`", span, related)
                if not where:
                    return error_expr(span)
            type_ = as_read_through(found.type, thing)
            return tree.AttributeRef(type_, span, thing, kind, found, member.trait or None, where)
        case Column() as column:
            return _column(checker, thing, kind, column, span, args)
        case Zone(slot=True) as zone:
            type_ = as_read_through(ref(zone.holds), thing)
            return _plain(checker, tree.SlotRead(type_, span, tree.ZoneRef(span, zone, thing)), name, args)
        case Zone() as zone:
            return zone_as_value(checker, name, name_span, zone.holds, text or f"... .{name}")
        case definitions.Member() as built_in:
            assert member.type is not None
            type_ = as_read_through(member.type, thing)
            return _plain(checker, tree.Property(type_, span, thing, kind, built_in.name), name, args)


def _plain(checker: Checker, expr: tree.Expr, name: str, args: tuple[nodes.Expr, ...] | None) -> tree.Expr:
    if args is None:
        return expr
    for arg in args:
        expressions.check_expr(checker, arg, None)
    return checker.error("T420", expr.span, f"`{name}` is one value, without indexes")


def _column(
    checker: Checker, thing: tree.Expr, kind: str, column: Column, span: Span, args: tuple[nodes.Expr, ...] | None
) -> tree.Expr:
    type_ = as_read_through(column.type, thing)
    related = (Related(column.span, f"the column `{column.name}` is declared here"),)
    if column.by is None or column.by == "copy":
        return _plain(checker, tree.ColumnRef(type_, span, thing, kind, column), column.name, args)
    by = ref(column.by) if isinstance(column.by, str) else INT
    where = index_arguments(checker, args or (), [by], f"`{column.name}`", span, related)
    if not where:
        return error_expr(span)
    return tree.ColumnRef(as_read_through(type_, where[0]), span, thing, kind, column, where[0])


def _unknown_member(checker: Checker, thing: tree.Expr, kind: str, name: str, span: Span, text: str) -> tree.Expr:
    symbols, origin = checker.symbols, checker.scope.origin
    others = [other for other in symbols.kinds() if name in symbols.members(other, origin)]
    because = f"`{name}` belongs to {' and '.join(f'`{k}`' for k in others)}" if others else ""
    value = symbols.find(name, origin)
    hint = did_you_mean(name, symbols.members(kind, origin))
    if not others and value is not None and value.what == "value" and len(value.params) == 1:
        because, hint = (
            f"`{name}` is a value of the ruleset",
            f"write `{name}({text.rpartition('.')[0] or '...'})` to read it",
        )
    message = f"{a_type(thing.type.sure())} has no `{name}`"
    column = checker.symbols.printed(kind).get(name)
    if column is not None:
        message = f"no rule can read `{name}` of {a_type(thing.type.sure())}"
        related = (Related(column.span, f"the column `{name}` is declared here"),)
        return checker.error("N355", span, message, because=APART, related=related)
    return checker.error("N355", span, message, because=because, hint=hint)


def _option(checker: Checker, node: nodes.Attribute) -> tree.Expr:
    option = checker.symbols.model.options.get(node.name)
    if option is None:
        hint = did_you_mean(node.name, checker.symbols.model.options)
        because = "`options:` in the manifest does not declare this option"
        return checker.error("N361", node.name_span, f"there is no option `{node.name}`", because=because, hint=hint)
    return tree.OptionRef(option.type, node.span, node.name)


def _number_row(checker: Checker, name: str, node: nodes.Index) -> tree.Expr:
    related = (Related(checker.symbols.model.numbers[name].span, f"`{name}` is declared here"),)
    if not checker.symbols.is_row(name):
        for arg in node.args:
            expressions.check_expr(checker, arg, None)
        return checker.error("T420", node.span, f"`{name}` is one number, not a row of them", related=related)
    if len(node.args) != 1:
        index_arguments(checker, node.args, [INT], f"`{name}`", node.span, related)
        return error_expr(node.span)
    where = expressions.check_expr(checker, node.args[0], None)
    if where.type.name not in checker.symbols.model.lists:  # rows are numbered from 1, as the numbers are
        because = f"the index of `{name}` is a number or a row of a list"
        where = fit_type(checker, where, INT, because, related=related)
    return tree.NumberRef(as_read_through(INT, where), node.span, name, where)


# ---- zones


def looks_like_zone(checker: Checker, node: nodes.Expr) -> bool:
    """True if the expression is written as a zone, so that its mistakes are those of a zone."""
    if isinstance(node, nodes.ZoneOf):
        return True
    if isinstance(node, nodes.Name):
        return checker.scope.find(node.id) is None and (node.id == "box" or bool(checker.symbols.zones_named(node.id)))
    if isinstance(node, nodes.Attribute):
        return any(not zone.slot and zone.of is not None for zone in checker.symbols.zones_named(node.name))
    return isinstance(node, nodes.Arith) and node.op == "+" and looks_like_zone(checker, node.left)


def check_zones(checker: Checker, node: nodes.Expr) -> tuple[tree.AnyZone, ...]:
    """All zones that an expression joins; empty after a diagnostic."""
    if isinstance(node, nodes.Arith) and node.op == "+":
        return check_zones(checker, node.left) + check_zones(checker, node.right)
    if isinstance(node, nodes.Name) and checker.scope.find(node.id) is None:
        if node.id == "box":
            return (tree.BoxRef(node.span),)
        found = checker.symbols.zones_named(node.id)
        if found:
            return (tree.ZoneRef(node.span, found[0], None),)
        _no_zone(checker, node.id, node.span, checker.symbols.zone_names())
        return ()
    if isinstance(node, nodes.ZoneOf):
        return _zone_of(checker, node)
    if isinstance(node, nodes.Attribute):
        return _zone_attribute(checker, node)
    expr = expressions.check_expr(checker, node, None)
    if all_known(expr.type):
        _not_a_zone(checker, expr)
    return ()


def one_zone(checker: Checker, node: nodes.Expr, why: str) -> tree.AnyZone | None:
    """A single zone; T407 if it is not said whose, or several are joined."""
    found = check_zones(checker, node)
    if len(found) > 1:
        checker.error("T407", node.span, "expected one zone, found several", because=why)
        return None
    if not found:
        return None
    zone = found[0]
    if isinstance(zone, tree.ZoneRef) and zone.owner is None and zone.zone.of is not None:
        name, of = zone.zone.short_name, zone.zone.of
        because = f"each `{of}` has a zone of this name"
        checker.error(
            "T407", node.span, f"the owner of `{name}` is missing", because=because, hint=f"write `{of.upper()}.{name}`"
        )
        return None
    return zone


def card_type_in_zone(zone: tree.AnyZone) -> str | None:
    """The sort that lies there; None for the box, which takes all."""
    return zone.zone.holds if isinstance(zone, tree.ZoneRef) else None


def _zone_of(checker: Checker, node: nodes.ZoneOf) -> tuple[tree.AnyZone, ...]:
    found = checker.symbols.zones_named(node.name)
    if not found:
        _no_zone(checker, node.name, node.name_span, checker.symbols.zone_names())
        return ()
    zone = found[0]
    if zone.of is None:
        expressions.check_expr(checker, node.owner, None)
        because = "the zone belongs to the game"
        checker.error("T407", node.span, f"`{node.name}` has no owner", because=because, hint=f"write `{node.name}`")
        return ()
    owner = expressions.check_expr(checker, node.owner, ref(zone.of))
    return (
        tree.ZoneRef(
            node.span, zone, fit_type(checker, owner, ref(zone.of), f"`{node.name}` is a zone of {a_quoted(zone.of)}")
        ),
    )


def _zone_attribute(checker: Checker, node: nodes.Attribute) -> tuple[tree.AnyZone, ...]:
    owner = expressions.check_expr(checker, node.object, None)
    if not all_known(owner.type):
        return ()
    of = owner.type.name if owner.type.tag == "ref" else ""
    zone = checker.symbols.zones_of(of).get(node.name)
    if zone is not None:
        return (tree.ZoneRef(node.span, zone, owner),)
    others = checker.symbols.zones_named(node.name)
    because = f"`{node.name}` is a zone of {_whose(others[0])}" if others else ""
    _no_zone(checker, node.name, node.name_span, list(checker.symbols.zones_of(of)), f"{owner.type}", because)
    return ()


def _whose(zone: Zone) -> str:
    return f"{a_quoted(zone.of)}" if zone.of is not None else "the game"


def _no_zone(checker: Checker, name: str, span: Span, names: list[str], of: str = "", because: str = "") -> None:
    message = f"{a_quoted(of)} has no zone `{name}`" if of else f"there is no zone `{name}`"
    because = because or "expected a zone"
    checker.error("T407", span, message, because=because, hint=did_you_mean(name, names))


def _not_a_zone(checker: Checker, expr: tree.Expr) -> None:
    checker.error("T407", expr.span, f"expected a zone, found {a_type(expr.type)}")
