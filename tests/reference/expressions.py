"""Expressions and binders: values and conditions (expressions.md), what variables run over (binders-and-queries.md).

Numbers are ints, truth values bools, rows, spaces, players and traits their numbers, things and cards objects, orders
tuples; None is what is missing. `Missing` is raised by what reads *through* something missing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import zip_longest
from typing import Any

from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT, Condition
from tests.reference.world import BOX, Card, Missing, Pile, RuleFailure, Scope, Thing, World, checked, key, present

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip
COMPASS = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


class Expressions(World):
    """Reads the table. Those who know values, events and options join by inheritance."""

    program: tree.Program
    events: dict[str, Any]  # all routines, phases and actions

    def value(self, e: tree.Expr, s: Scope) -> Any:
        """By the class of the node: a row of VALUES, or a method of its name."""
        found = VALUES.get(type(e)) or getattr(type(self), f"value_{type(e).__name__}")
        return found(self, e, s)

    def cond(self, e: tree.Expr, s: Scope, wanted: bool = True) -> bool:
        """Whether a condition is as wanted, and everything that it reads through is there.

        What reads through something missing is neither true nor false. So `not` of it is not true either.
        """
        match e:
            case tree.Not():
                return self.cond(e.operand, s, not wanted)
            case tree.Logic():
                joined = all if (e.op == "and") == wanted else any
                return joined(self.cond(side, s, wanted) for side in (e.left, e.right))
            case tree.IfElse():
                return self.cond(e.then if self.cond(e.test, s) else e.otherwise, s, wanted)
            case tree.Query() | tree.Can():  # nothing is found, nothing can happen: that is an answer
                return bool(self.maybe(e, s)) == wanted
        try:
            return bool(self.value(e, s)) == wanted
        except Missing:
            return False

    def maybe(self, e: tree.Expr, s: Scope) -> Any:
        """None also for what reads through something missing."""
        try:
            return self.value(e, s)
        except Missing:
            return None

    def through(self, e: tree.Expr, s: Scope) -> Any:
        """What is read through: it has to be there."""
        value = self.value(e, s)
        if present(value):
            return value
        if isinstance(e, tree.SlotRead):
            raise RuleFailure("X609")
        raise Missing

    def all_through(self, es: Sequence[tree.Expr], s: Scope) -> tuple[Any, ...]:
        return tuple([self.through(e, s) for e in es])

    def args(self, called: Any, args: Sequence[tree.Expr], s: Scope) -> list[Any]:
        """Arguments of a call: what may not be missing is there."""
        found = [self.value(arg, s) for arg in args]
        takes = called.binders if isinstance(called, tree.Action) else [p.type for p in called.params]
        if not all(of.maybe or present(value) for value, of in zip(found, takes, strict=True)):
            raise Missing
        return found

    # ---- numbers and comparisons

    def arithmetic(self, op: str, left: int, right: int) -> int:
        if op in "/%" and right == 0:
            raise RuleFailure("X602")
        return checked(OPERATORS[op](left, right))

    @staticmethod
    def order_of(value: Any) -> tuple[int, ...]:
        """Return the numbers that an order is compared by, one after the other. A missing value precedes all others."""
        return value if isinstance(value, tuple) else (int(value) if present(value) else MISSING_INT,)

    def padded(self, e: tree.Expr, value: Any) -> tuple[int, ...]:
        """Return the numbers of an order, continued with zeros to the length of the longest order that `e` can be."""
        found = self.order_of(value)
        return found + (0,) * (self.width(e) - len(found))

    def width(self, e: tree.Expr) -> int:
        """Return the length of the longest order that `e` can be."""
        if isinstance(e, tree.OrderOf):
            return sum(map(self.width, e.parts))
        if isinstance(e, tree.ValueCall) and e.type.tag == "order":
            put = [hook.value for hook in self.program.modifies if hook.pattern.event == e.value]
            return max(map(self.width, (self.program.values[e.value].body, *put)))
        sides = {tree.IfElse: ("then", "otherwise"), tree.Otherwise: ("value", "default")}.get(type(e), ())
        return max((self.width(getattr(e, side)) for side in sides), default=1)

    def value_Compare(self, e: tree.Compare, s: Scope) -> bool:
        for side, other in ((e.left, e.right), (e.right, e.left)):
            if isinstance(side, tree.Const) and self.value(side, s) is None:  # `x == none` asks whether x is missing
                return present(self.value(other, s)) == (e.op == "!=")
        left, right = self.value(e.left, s), self.value(e.right, s)
        if "order" in (e.left.type.tag, e.right.type.tag):  # what an order lacks behind is 0
            both = zip_longest(self.order_of(left), self.order_of(right), fillvalue=0)
            return bool(OPERATORS[e.op](*zip(*both, strict=True)))
        if not (present(left) and present(right)):
            if e.op in ("==", "!="):
                return e.op == "!="
            raise Missing
        return bool(OPERATORS[e.op](left, right))

    def value_Meets(self, e: tree.Meets, s: Scope) -> bool:
        subject, condition = self.through(e.subject, s), self.through(e.condition, s)
        counted = [sum(self.call_value(e.counter, (subject, m), {}) for m in t.measures) for t in condition.terms]
        return all(OPERATORS[t.op](checked(n), t.number) for n, t in zip(counted, condition.terms, strict=True))

    # ---- what is kept, printed and built in

    def value_Const(self, e: tree.Const, s: Scope) -> Any:
        if e.type.tag == "ref" and e.type.name in self.model.sorts and e.value:
            return next(iter(self.by_row[e.type.name, e.value]), None)
        return self.plain(e.type, e.value)

    def value_NumberRef(self, e: tree.NumberRef, s: Scope) -> int:
        number = self.number(e.name)
        if isinstance(number, int) or e.index is None:
            return number
        index = self.through(e.index, s)
        return number[index - 1] if 1 <= index <= len(number) else 0

    def place(self, e: tree.StateRef | tree.AttributeRef | tree.TableRef, s: Scope) -> Any:
        """The key of what is kept."""
        if isinstance(e, tree.StateRef):
            return key("", e.attribute)
        index = self.all_through(e.index, s)
        if isinstance(e, tree.TableRef):
            return key(None, e.table, *index)
        return key(e.trait or e.kind, e.attribute, self.through(e.object, s), *index)

    def value_ColumnRef(self, e: tree.ColumnRef, s: Scope) -> Any:
        """What is printed on a row, card or space."""
        of, column = self.through(e.object, s), e.column
        if e.kind in self.model.sorts:
            cell = of.info.columns.get(column.name)
        elif e.kind in self.model.grids:
            cell = self.map_of(self.model.grids[e.kind])[column.name][of - 1]
        else:
            rows = self.model.lists[e.kind].rows
            cell = rows[of - 1].columns.get(column.name) if of <= len(rows) else None
        cell = column.default if cell is None else cell
        if e.index is not None:
            at = self.through(e.index, s) - (column.by[0] if isinstance(column.by, tuple) else 1)
            cell = cell[at] if isinstance(cell, tuple) and 0 <= at < len(cell) else None
        if column.type.tag == "condition":
            return cell or Condition(())
        return cell or () if column.type.tag == "set" else self.plain(column.type, cell)

    def value_BuiltinCall(self, e: tree.BuiltinCall, s: Scope) -> Any:
        if e.name == "count":
            return sum(self.cond(arg, s) for arg in e.args)
        if e.zones:
            cards = self.pile_of(e.zones[0], s).cards
            return cards[-1 if e.name == "top" else 0] if cards else None
        return BUILT_IN[e.name](self, e, *self.all_through(e.args, s))

    def in_line(self, thing: Thing, step: int) -> Thing | None:
        line = self.line(thing.kind, thing.owner)
        at = line.index(thing) + step
        return line[at] if 0 <= at < len(line) else None

    def beside(self, kind: str, of: Any) -> list[Any]:
        """Neighbours: left, then right; on a grid north first, then clockwise."""
        if isinstance(of, Thing):
            return [thing for step in (-1, 1) if (thing := self.in_line(of, step)) is not None]
        if kind == "player":
            near = [(of - 2) % self.players + 1, of % self.players + 1]
            return [p for p in dict.fromkeys(near) if p != of and of <= self.players]
        grid = self.model.grids[kind]
        y, x = divmod(of - 1, grid.width)
        found: list[int] = []
        for dx, dy in COMPASS if self.flag(grid.corners) else COMPASS[::2]:
            u, v = (x + dx) % grid.width if self.flag(grid.east_west) else x + dx, y + dy
            if 0 <= u < grid.width and 0 <= v < grid.height and (u, v) != (x, y):
                found.append(v * grid.width + u + 1)
        return list(dict.fromkeys(found))

    def value_Can(self, e: tree.Can, s: Scope) -> bool:
        args = self.args(self.events[e.event], e.args, s)
        if e.event in self.program.routines:
            return self.can(e.event, args, s.roles)
        return self.actor is not None and self.can_choose(self.program.actions[e.event], args, s.roles)

    def value_Affects(self, e: tree.Affects, s: Scope) -> bool:
        trait, args = self.value(e.trait, s), self.all_through(e.args, s)
        return trait is not None and self.affected(trait, e.event, self.seen(e.event, args, s.roles))

    def value_MemberOfSet(self, e: tree.MemberOfSet, s: Scope) -> bool:
        item = self.through(e.item, s)
        if isinstance(e.group, tree.ZoneRef | tree.BoxRef):
            return item.pile in self.piles_of(e.group, s)
        return item in self.value(e.group, s)

    # ---- zones

    def pile_of(self, ref: tree.AnyZone, s: Scope) -> Pile:
        """The one zone that is meant."""
        if isinstance(ref, tree.BoxRef):
            return self.pile(BOX, None)
        return self.pile(ref.zone, None if ref.owner is None else self.through(ref.owner, s))

    def piles_of(self, ref: tree.AnyZone, s: Scope) -> list[Pile]:
        """The zone that is meant, or all of that name in the order of their owners."""
        if isinstance(ref, tree.BoxRef) or ref.owner is not None or ref.zone.of is None:
            return [self.pile_of(ref, s)]
        owners = self.owners() if ref.zone.of == "player" else self.all_of(ref.zone.of)
        return [self.pile(ref.zone, owner) for owner in owners]

    def lying(self, zones: Sequence[tree.AnyZone], s: Scope) -> list[Card]:
        """The cards in zones, zone after zone."""
        return [card for ref in zones for pile in self.piles_of(ref, s) for card in pile.cards]

    # ---- binders

    def things_of(self, d: tree.Things, s: Scope) -> list[Thing]:
        place = None if d.place is None else self.through(d.place, s)
        found = self.all_of(d.kind) if d.owner is None else self.line(d.kind, self.through(d.owner, s))
        return [thing for thing in found if place is None or thing.place == place]

    def bound_by(self, b: tree.Binder, s: Scope, *, distinct: bool = False) -> list[Any]:
        """The values of a binder: `where`, then those with most or least, then sorted; at last none."""
        try:
            found = list(DOMAINS[type(b.domain)](self, b.domain, s))
        except Missing:
            found = []
        if isinstance(b.domain, tree.InZones | tree.OnBearer):
            found = [card for card in found if card.info.sort == b.domain.sort]
        if distinct and isinstance(b.domain, tree.InZones):
            found = self.unlike(found)
        inner = s.inner()

        def at(item: Any) -> Scope:
            inner.names[b.local.name] = item
            return inner

        def ranked(e: tree.Expr) -> Callable[[Any], Any]:
            return lambda item: self.padded(e, self.maybe(e, at(item)))

        if b.where is not None:
            found = [item for item in found if self.cond(b.where, at(item))]
        if b.extreme is not None and len(found) > 1:
            ranks = [*map(ranked(b.extreme.key), found)]
            best = max(ranks) if b.extreme.way == "most" else min(ranks)
            found = [item for item, rank in zip(found, ranks, strict=True) if rank == best]
        for by in reversed(b.sorted_by if len(found) > 1 else ()):
            found.sort(key=ranked(by.key), reverse=by.way == "most")
        return [*found, None] if b.maybe else found

    def unlike(self, cards: Sequence[Card]) -> list[Card]:
        """Of equal cards in one zone of the game or of a player the first."""
        found: dict[Any, Card] = {}
        for card in cards:
            of_thing = isinstance(card.pile.owner, Thing) and not card.pile.zone.slot
            found.setdefault(card if of_thing else (card.pile, self.look(card)), card)
        return [*found.values()]

    def look(self, card: Card) -> Any:
        """What equal cards share: none that keeps something for itself is equal to another."""
        return card if self.model.sorts[card.info.sort].attributes else card.info.look

    def combinations(self, binders: Sequence[tree.Binder], s: Scope, *, distinct: bool = False) -> Iterator[Scope]:
        """A scope for each combination, the leftmost binder outermost."""
        if not binders:
            yield s
            return
        for item in self.bound_by(binders[0], s, distinct=distinct):
            yield from self.combinations(binders[1:], s.inner([binders[0].local], [item]), distinct=distinct)

    def value_Query(self, e: tree.Query, s: Scope) -> Any:
        if e.kind == "first":
            return next(iter(self.bound_by(e.binders[0], s)), None)
        scopes = self.combinations(e.binders, s)
        if e.kind in ("any", "no"):
            return any(True for _ in scopes) == (e.kind == "any")
        if e.kind == "count":
            return sum(1 for _ in scopes)
        assert e.body is not None
        if e.kind == "all":
            return all(self.cond(e.body, inner) for inner in scopes)
        found = [value for inner in scopes if present(value := self.maybe(e.body, inner))]
        if e.kind == "sum":
            return reduce(lambda total, value: checked(total + value), found, 0)
        if not found:
            raise Missing
        return (min if e.kind == "min" else max)(found)


VALUES: dict[type, Callable[..., Any]] = {
    tree.LocalRef: lambda i, e, s: s.names[e.local.name],
    tree.OptionRef: lambda i, e, s: i.plain(e.type, i.options[e.name]),
    tree.BuiltinRef: lambda i, e, s: getattr(i, e.name),
    tree.StateRef: lambda i, e, s: i.read(i.place(e, s), e.attribute),
    tree.AttributeRef: lambda i, e, s: i.read(i.place(e, s), e.attribute),
    tree.TableRef: lambda i, e, s: i.read(i.place(e, s), e.table),
    tree.Property: lambda i, e, s: MEMBERS[e.name](i, e, i.through(e.object, s)),
    tree.SlotRead: lambda i, e, s: next(iter(i.pile_of(e.zone, s).cards), None),
    tree.ZoneEmpty: lambda i, e, s: not i.lying(e.zones, s),
    tree.ValueCall: lambda i, e, s: i.call_value(e.value, i.args(i.program.values[e.value], e.args, s), s.roles),
    tree.Arith: lambda i, e, s: i.arithmetic(e.op, i.through(e.left, s), i.through(e.right, s)),
    tree.Negative: lambda i, e, s: checked(-i.through(e.operand, s)),
    tree.Logic: lambda i, e, s: (all if e.op == "and" else any)(i.cond(side, s) for side in (e.left, e.right)),
    tree.Not: lambda i, e, s: i.cond(e.operand, s, False),
    tree.IfElse: lambda i, e, s: i.value(e.then if i.cond(e.test, s) else e.otherwise, s),
    tree.OrderOf: lambda i, e, s: tuple([n for part in e.parts for n in i.padded(part, i.value(part, s))]),
    tree.Present: lambda i, e, s: present(i.maybe(e.operand, s)),
    tree.Working: lambda i, e, s: i.works(i.through(e.card, s)),
    tree.Has: lambda i, e, s: i.bears(i.through(e.subject, s), i.value(e.trait, s)),
    tree.Otherwise: lambda i, e, s: found if present(found := i.maybe(e.value, s)) else i.value(e.default, s),
    tree.Forms: lambda i, e, s: i.value(e.number, s),
}

MEMBERS: dict[str, Callable[..., Any]] = {
    "owner": lambda i, e, of: i.owner_of(of),
    "number": lambda i, e, of: of.slot if isinstance(of, Thing) else of.number if isinstance(of, Card) else of,
    "place": lambda i, e, of: of.place,
    "face": lambda i, e, of: of.face,
    "faces": lambda i, e, of: of.info.faces,
    "on": lambda i, e, of: on if (on := i.lies_on(of)) is not None and on.kind == e.type.name else None,
    "partner": lambda i, e, of: of.partner,
}

BUILT_IN: dict[str, Callable[..., Any]] = {
    "min": lambda i, e, *numbers: min(numbers),
    "max": lambda i, e, *numbers: max(numbers),
    "left_of": lambda i, e, thing: i.in_line(thing, -1),
    "right_of": lambda i, e, thing: i.in_line(thing, 1),
    "position": lambda i, e, thing: i.line(thing.kind, thing.owner).index(thing) + 1,
    "neighbours": lambda i, e, of: i.beside(e.args[0].type.name, of),
    "adjacent": lambda i, e, item, of: item in i.beside(e.args[1].type.name, of),
    "next": lambda i, e, player: i.following(player),
    "step": lambda i, e, row, by: to if (to := row + by) in i.all_of(e.args[0].type.name) else None,
    "forbids": lambda i, e, condition, measure: any(
        measure in t.measures and (t.op, t.number) in (("==", 0), ("<", 1), ("<=", 0)) for t in condition.terms),
}  # fmt: skip

DOMAINS: dict[type, Callable[..., Sequence[Any]]] = {
    tree.Rows: lambda i, d, s: i.all_of(d.listing),
    tree.AllCards: lambda i, d, s: i.all_of(d.sort),
    tree.InZones: lambda i, d, s: i.lying(d.zones, s),
    tree.OnBearer: lambda i, d, s: i.laid_on(i.through(d.bearer, s)),
    tree.Things: lambda i, d, s: i.things_of(d, s),
    tree.Players: lambda i, d, s: i.order(None if d.start is None else i.through(d.start, s)),
    tree.Range: lambda i, d, s: range(i.through(d.low, s), i.through(d.high, s) + 1),
    tree.Members: lambda i, d, s: i.value(d.group, s),
}
