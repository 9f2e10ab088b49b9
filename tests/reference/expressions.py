"""Expressions: values and conditions (expressions.md).

Numbers are ints, truth values bools, rows, spaces, players and traits their numbers, things and cards objects, orders
tuples; None is what is missing. `Missing` is raised by what reads *through* something missing.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from rulelang.semantics import tree
from rulelang.semantics.model import Column, Condition
from tests.reference.binders import Binders
from tests.reference.scope import Missing, Scope, checked, present, same
from tests.reference.world import Card, RuleFailure, Thing

COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod}


class Expressions(Binders):
    """Reads the table. Those who know values, events and options join by inheritance."""

    program: tree.Program

    # ---- conditions

    def cond(self, e: tree.Expr, s: Scope) -> bool:
        """True or false also where something is missing: an atomic condition that reads through it is false."""
        match e:
            case tree.Logic(op="and"):
                return self.cond(e.left, s) and self.cond(e.right, s)
            case tree.Logic():
                return self.cond(e.left, s) or self.cond(e.right, s)
            case tree.Not():
                return not self.cond(e.operand, s)
            case tree.IfElse():
                return self.cond(e.then if self.cond(e.test, s) else e.otherwise, s)
        try:
            return bool(self.value(e, s))
        except Missing:
            return False

    # ---- values

    def through(self, e: tree.Expr, s: Scope) -> Any:
        """What is read through: it has to be there."""
        value = self.value(e, s)
        if present(value):
            return value
        if isinstance(e, tree.SlotRead):
            raise RuleFailure("X609")
        raise Missing

    def args(self, args: Sequence[tree.Expr], maybe: Sequence[bool], s: Scope) -> list[Any]:
        """Arguments of a call: what may not be missing is there."""
        found = [self.value(arg, s) for arg in args]
        if not all(m or present(value) for value, m in zip(found, maybe, strict=True)):
            raise Missing
        return found

    def value(self, e: tree.Expr, s: Scope) -> Any:
        w = self.world
        match e:
            case tree.Const():
                if e.type.tag == "ref" and e.type.name in w.model.sorts and e.value:
                    return next(iter(w.by_row[e.type.name, e.value]), None)
                return w.plain(e.type, e.value)
            case tree.LocalRef():
                return s.names[e.local.name]
            case tree.NumberRef():
                number = w.number(e.name)
                if isinstance(number, int) or e.index is None:
                    return number
                index = self.through(e.index, s)
                return number[index - 1] if 1 <= index <= len(number) else 0
            case tree.OptionRef():
                return w.plain(e.type, w.options[e.name])
            case tree.BuiltinRef():
                return getattr(w, e.name)
            case tree.StateRef() | tree.AttributeRef():
                return w.read(self.place(e, s), e.attribute)
            case tree.TableRef():
                return w.tables.get(self.place(e, s), 0)
            case tree.ColumnRef():
                return self.printed(e, s)
            case tree.Property():
                return self.member(e, self.through(e.object, s))
            case tree.SlotRead():
                return next(iter(self.pile(e.zone, s).cards), None)
            case tree.ValueCall():
                maybe = [p.type.maybe for p in self.program.values[e.value].params]
                return self.call_value(e.value, self.args(e.args, maybe, s), s.roles)
            case tree.BuiltinCall():
                return self.built_in(e, s)
            case tree.Arith():
                return self.arithmetic(e.op, self.through(e.left, s), self.through(e.right, s))
            case tree.Negative():
                return checked(-self.through(e.operand, s))
            case tree.Compare():
                return self.compare(e, s)
            case tree.Logic() | tree.Not():
                return self.cond(e, s)
            case tree.IfElse():
                return self.value(e.then if self.cond(e.test, s) else e.otherwise, s)
            case tree.OrderOf():
                return tuple(n for part in e.parts for n in self.order_of(self.value(part, s)))
            case tree.Otherwise():
                try:
                    found = self.value(e.value, s)
                except Missing:
                    found = None
                return found if present(found) else self.value(e.default, s)
            case tree.Present():
                try:
                    return present(self.value(e.operand, s))
                except Missing:
                    return False
            case tree.Query():
                return self.query(e, s)
            case tree.Forms():
                return self.value(e.number, s)
            case _:
                return self.test(e, s)

    def arithmetic(self, op: str, left: int, right: int) -> int:
        if op in "/%" and right == 0:
            raise RuleFailure("X602")
        return checked(ARITHMETIC[op](left, right))

    def compare(self, e: tree.Compare, s: Scope) -> bool:
        for side, other in ((e.left, e.right), (e.right, e.left)):
            if isinstance(side, tree.Const) and self.value(side, s) is None:  # `x == none` asks whether x is missing
                return present(self.value(other, s)) == (e.op == "!=")
        left, right = self.value(e.left, s), self.value(e.right, s)
        if "order" in (e.left.type.tag, e.right.type.tag):
            a, b = self.order_of(left), self.order_of(right)
            longest = max(len(a), len(b))  # what an order lacks behind is 0
            a, b = (order + (0,) * (longest - len(order)) for order in (a, b))
            return bool(COMPARE[e.op](a, b))
        if e.op in ("==", "!="):
            return same(left, right) == (e.op == "==")
        return present(left) and present(right) and bool(COMPARE[e.op](left, right))

    def test(self, e: tree.Expr, s: Scope) -> bool:
        match e:
            case tree.Has():
                return self.bears(self.through(e.subject, s), self.value(e.trait, s))
            case tree.Working():
                card = self.through(e.card, s)
                return card.pile.zone.in_force and not card.silences
            case tree.MemberOfSet():
                item = self.through(e.item, s)
                if isinstance(e.group, tree.ZoneRef | tree.BoxRef):
                    return item.pile in self.piles(e.group, s)
                return any(item == member for member in self.members(e.group, s))
            case tree.Meets():
                subject, condition = self.through(e.subject, s), self.through(e.condition, s)
                counted = [
                    sum(self.call_value(e.counter, (subject, m), {}) for m in t.measures) for t in condition.terms
                ]
                return all(COMPARE[t.op](checked(n), t.number) for n, t in zip(counted, condition.terms, strict=True))
            case tree.ZoneEmpty():
                return not any(pile.cards for ref in e.zones for pile in self.piles(ref, s))
            case tree.Can():
                return self.may_happen(e, s)
            case tree.Affects():
                trait, args = self.value(e.trait, s), [self.through(arg, s) for arg in e.args]
                action = self.program.actions.get(e.event)
                if action is not None and action.bearer.self is not None:
                    args.append(s.roles.get("self"))
                return trait is not None and self.affected(trait, e.event, args)
        raise AssertionError(type(e).__name__)

    def may_happen(self, e: tree.Can, s: Scope) -> bool:
        args = self.args(e.args, self.maybes(e.event), s)
        action = self.program.actions.get(e.event)
        if action is None:
            return self.can(e.event, args, s.roles)
        return self.world.actor is not None and self.can_choose(action, args, s.roles)

    def maybes(self, event: str) -> list[bool]:
        """Which arguments of a routine, phase or action may be missing."""
        if event in self.program.actions:
            return [b.maybe for b in self.program.actions[event].binders]
        return [p.type.maybe for p in self.program.routines[event].params]

    # ---- what is kept, printed and built in

    def place(self, e: tree.Expr, s: Scope) -> Any:
        """Where something is kept: (kind or trait, of what, name with its indexes), or (table, indexes ...)."""
        match e:
            case tree.StateRef():
                return "", None, e.attribute.name
            case tree.AttributeRef():
                index = tuple(self.through(i, s) for i in e.index)
                name = (e.attribute.name, *index) if index else e.attribute.name
                return e.trait or e.kind, self.through(e.object, s), name
            case tree.TableRef():
                return (e.table.name, *(self.through(i, s) for i in e.index))
        raise AssertionError(type(e).__name__)

    def printed(self, e: tree.ColumnRef, s: Scope) -> Any:
        of = self.through(e.object, s)
        cell = self.cell(e.kind, of, e.column)
        if e.column.by is None or e.column.by == "copy":
            return cell
        assert e.index is not None
        first = e.column.by[0] if isinstance(e.column.by, tuple) else 1
        at = self.through(e.index, s) - first
        cells = cell if isinstance(cell, tuple) else ()
        return self.world.plain(e.column.type, cells[at]) if 0 <= at < len(cells) else self.nothing(e.column)

    def nothing(self, column: Column) -> Any:
        return None if column.type.maybe or column.type.tag == "ref" else (column.type.tag == "bool" and False) or 0

    def cell(self, kind: str, of: Any, column: Column) -> Any:
        """What is printed on a row, card or space."""
        model = self.world.model
        if kind in model.sorts:
            cell = of.info.columns.get(column.name)
        elif kind in model.grids:
            cell = self.world.map_of(model.grids[kind])[column.name][of - 1]
        else:
            rows = model.lists[kind].rows
            cell = rows[of - 1].columns.get(column.name) if of <= len(rows) else None
        if cell is None:
            cell = column.default
        if column.type.tag == "set":
            return cell or ()
        if column.type.tag == "condition":
            return cell or Condition(())
        if isinstance(cell, tuple):
            return cell
        return self.nothing(column) if cell is None else self.world.plain(column.type, cell)

    def member(self, e: tree.Property, of: Any) -> Any:
        match e.name:
            case "owner":
                return self.world.owner_of(of)
            case "number":
                return of.slot if isinstance(of, Thing) else of.number if isinstance(of, Card) else of
            case "place":
                return of.place
            case "face":
                return of.face
            case "faces":
                return of.info.faces
            case "on":
                on = self.world.lies_on(of)
                return on if on is not None and on.kind == e.type.name else None
            case "partner":
                return of.partner
        raise AssertionError(e.name)

    def built_in(self, e: tree.BuiltinCall, s: Scope) -> Any:
        if e.name == "count":
            return sum(self.cond(arg, s) for arg in e.args)
        if e.name in ("top", "bottom"):
            cards = self.pile(e.zones[0], s).cards
            return cards[-1 if e.name == "top" else 0] if cards else None
        if e.name in ("min", "max"):
            return (min if e.name == "min" else max)([self.through(arg, s) for arg in e.args])
        args = [self.through(arg, s) for arg in e.args]
        match e.name:
            case "left_of" | "right_of" | "position":
                line = self.world.line(args[0].kind, args[0].owner)
                at = line.index(args[0])
                if e.name == "position":
                    return at + 1
                at += -1 if e.name == "left_of" else 1
                return line[at] if 0 <= at < len(line) else None
            case "adjacent":
                return args[0] in self.beside(e.args[1].type.name, args[1])
            case "next":
                return self.world.following(args[0])
            case "step":
                to = args[0] + args[1]
                return to if 1 <= to <= self.world.rows(e.args[0].type.name) else None
            case "forbids":
                never = (("==", 0), ("<", 1), ("<=", 0))
                return any(args[1] in t.measures and (t.op, t.number) in never for t in args[0].terms)
        raise AssertionError(e.name)

    def beside(self, kind: str, of: Any) -> list[Any]:
        """Neighbours: left, then right; on a grid north first, then clockwise."""
        w = self.world
        if isinstance(of, Thing):
            line = w.line(of.kind, of.owner)
            at = line.index(of)
            return [*line[max(0, at - 1) : at], *line[at + 1 : at + 2]]
        if kind == "player":
            near = [(of - 2) % w.players + 1, of % w.players + 1]
            return [p for p in dict.fromkeys(near) if p != of and of <= w.players]
        grid = w.model.grids[kind]
        ways = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
        y, x = divmod(of - 1, grid.width)
        found: list[int] = []
        for dx, dy in ways if w.flag(grid.corners) else ways[::2]:
            u, v = x + dx, y + dy
            if w.flag(grid.east_west):
                u %= grid.width
            if 0 <= u < grid.width and 0 <= v < grid.height and (u, v) != (x, y):
                found.append(v * grid.width + u + 1)
        return list(dict.fromkeys(found))
