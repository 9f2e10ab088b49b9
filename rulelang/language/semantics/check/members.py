"""Check members after a dot, and indexes in brackets."""

from __future__ import annotations

from rulelang.base.diagnostics import Related
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins import row
from rulelang.language.semantics.check import expressions
from rulelang.language.semantics.check.checker import (
    Checker,
    article,
    as_read_through,
    fit,
    known,
    missable,
    wrong,
    zone_as_value,
)
from rulelang.language.semantics.check.meant import names_of_values
from rulelang.language.semantics.check.symbols import APART
from rulelang.language.semantics.model import Attribute, Column, Zone
from rulelang.language.semantics.types import INT, Type, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.print_expr import expression


def attribute(checker: Checker, node: nodes.Attribute) -> tree.Expr:
    """`object.name`"""
    if isinstance(node.object, nodes.Name) and node.object.id == "option" and checker.scope.find("option") is None:
        return _option(checker, node)
    if (row := _dotted_row(checker, node)) is not None:
        return row
    thing = expressions.expr(checker, node.object, None)
    return read(checker, thing, node.name, node.span, node.name_span, None, expression(node))


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


def index(checker: Checker, node: nodes.Index) -> tree.Expr:
    """`population[s, x]`, `replaced[era]`, `k.shows[run]`, `this.outwitted[t]`"""
    target, model = node.object, checker.symbols.model
    if isinstance(target, nodes.Attribute):
        thing = expressions.expr(checker, target.object, None)
        return read(checker, thing, target.name, node.span, target.name_span, node.args)
    if isinstance(target, nodes.Name) and checker.scope.find(target.id) is None:
        if target.id in model.tables:
            table = model.tables[target.id]
            of = [ref(kind) for kind in table.of]
            related = (Related(table.span, f"the table `{table.name}` is declared here"),)
            args = arguments(checker, node.args, of, f"`{table.name}`", node.span, related)
            type_ = INT.optional() if missable(*args) else INT
            return tree.TableRef(type_, node.span, table, args) if args else wrong(node.span)
        if target.id in model.numbers:
            return _number_row(checker, target.id, node)
    whole = expressions.expr(checker, target, None)
    for arg in node.args:
        expressions.expr(checker, arg, None)
    if not known(whole.type):
        return wrong(node.span)
    because = "only tables, rows of numbers, and columns or state kept for each row of a list have indexes"
    hint = did_you_mean(target.id, [*model.tables, *model.numbers]) if isinstance(target, nodes.Name) else ""
    return checker.error("T420", node.span, "this cannot have indexes in brackets", because=because, hint=hint)


def arguments(
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
            expressions.expr(checker, arg, None)
        expected = ", ".join(str(t) for t in types)
        found = f"{len(args)} {'index' if len(args) == 1 else 'indexes'}"
        checker.error("T420", span, f"{what} needs the indexes `[{expected}]`, found {found}", related=related)
        return ()
    found_args = []
    for arg, type_ in zip(args, types, strict=True):
        value = expressions.expr(checker, arg, type_)
        found_args.append(fit(checker, value, type_, f"the index of {what} is {article(type_)}", related=related))
    return tuple(found_args)


def read(
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
    if not known(thing.type):
        for arg in args or ():
            expressions.expr(checker, arg, None)
        return wrong(span)
    if thing.type.tag != "ref":
        return checker.error(
            "N355", name_span, f"{article(thing.type)} has no `{name}`", because="only things have members"
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
                where = arguments(checker, args or (), list(member.index), f"`{name}`", span, related)
                if not where:
                    return wrong(span)
            type_ = as_read_through(found.type, thing)
            return tree.AttributeRef(type_, span, thing, kind, found, member.trait or None, where)
        case Column() as column:
            return _column(checker, thing, kind, column, span, args)
        case Zone(slot=True) as zone:
            type_ = as_read_through(ref(zone.holds), thing)
            return _plain(checker, tree.SlotRead(type_, span, tree.ZoneRef(span, zone, thing)), name, args)
        case Zone() as zone:
            return zone_as_value(checker, name, name_span, zone.holds, text or f"... .{name}")
        case row.Member() as built_in:
            assert member.type is not None
            type_ = as_read_through(member.type, thing)
            return _plain(checker, tree.Property(type_, span, thing, kind, built_in.name), name, args)


def _plain(checker: Checker, expr: tree.Expr, name: str, args: tuple[nodes.Expr, ...] | None) -> tree.Expr:
    if args is None:
        return expr
    for arg in args:
        expressions.expr(checker, arg, None)
    return checker.error("T420", expr.span, f"`{name}` is one value, without indexes")


def _column(
    checker: Checker, thing: tree.Expr, kind: str, column: Column, span: Span, args: tuple[nodes.Expr, ...] | None
) -> tree.Expr:
    type_ = as_read_through(column.type, thing)
    related = (Related(column.span, f"the column `{column.name}` is declared here"),)
    if column.by is None or column.by == "copy":
        return _plain(checker, tree.ColumnRef(type_, span, thing, kind, column), column.name, args)
    by = ref(column.by) if isinstance(column.by, str) else INT
    where = arguments(checker, args or (), [by], f"`{column.name}`", span, related)
    if not where:
        return wrong(span)
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
    message = f"{article(thing.type.sure())} has no `{name}`"
    column = checker.symbols.printed(kind).get(name)
    if column is not None:
        message = f"no rule can read `{name}` of {article(thing.type.sure())}"
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
            expressions.expr(checker, arg, None)
        return checker.error("T420", node.span, f"`{name}` is one number, not a row of them", related=related)
    if len(node.args) != 1:
        arguments(checker, node.args, [INT], f"`{name}`", node.span, related)
        return wrong(node.span)
    where = expressions.expr(checker, node.args[0], None)
    if where.type.name not in checker.symbols.model.lists:  # rows are numbered from 1, as the numbers are
        because = f"the index of `{name}` is a number or a row of a list"
        where = fit(checker, where, INT, because, related=related)
    return tree.NumberRef(as_read_through(INT, where), node.span, name, where)


__all__ = ["attribute", "index", "read"]
