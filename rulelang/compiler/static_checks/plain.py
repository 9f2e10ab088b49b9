"""Whether an invariant over what is printed holds, worked out on the typed tree, row by row.

A ruleset that is sound needs no code for it then. Only plain forms are known here, where nothing can be missing or too
large. Whatever else there is, and whatever does not hold, is left to those who compile it and say what breaks it
(`counterexamples.py`): their answer is the one that counts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulelang.language.semantics import tree
from rulelang.language.semantics.cards import printed_value
from rulelang.language.semantics.denial import inward
from rulelang.language.semantics.model import MISSING_INT, Column, Model, Row, Type
from rulelang.language.semantics.state_layout import Config

#: So many combinations are gone through here; compiled code is quicker, once there is some.
MOST = 20_000
#: Numbers up to here are certainly not too large.
_LARGEST = 2**30

_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_RECKONED: Mapping[str, Callable[[Any, Any], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}

#: By the names of variables: a number, also of a row of a list, or the row that cards are made of.
Names = dict[str, Any]
#: What an expression is worth for such variables.
Worth = Callable[[Names], Any]


class _Unknown(Exception):
    """Raised where the value is not known while checking."""


def surely_holds(invariant: tree.Invariant, program: tree.Program, model: Model, config: Config) -> bool:
    """Whether it holds at a table; False also where that is not known."""
    try:
        return _Plain(program, model, config).truth(invariant)
    except _Unknown:
        return False


class _Plain:
    """Expressions become functions of their variables, each once."""

    def __init__(self, program: tree.Program, model: Model, config: Config) -> None:
        self.program, self.model, self.config = program, model, config
        self.values: dict[str, tuple[Sequence[str], Worth]] = {}

    def truth(self, invariant: tree.Invariant) -> bool:
        if invariant.origin.what != "core" or self.modifies(invariant):
            raise _Unknown
        return bool(self.of(invariant.body)({}))

    def modifies(self, declared: tree.Declared) -> list[tree.Modify]:
        return [modify for modify in self.program.modifies if modify.pattern.event == declared.id]

    def of(self, e: tree.Expr | None) -> Worth:
        match e:
            case tree.Const(type=type_, value=value) if self.sure(type_) and type_.name not in self.model.sorts:
                return lambda names: value
            case tree.LocalRef(type=type_, local=local) if self.sure(type_):
                return self.variable(local)
            case tree.NumberRef(name=name, index=None):
                number = self.model.numbers[name].by_players[self.config.players]
                return lambda names: number
            case tree.OptionRef(name=name):
                chosen = self.config.options[name]
                return lambda names: chosen
            case tree.ColumnRef(object=tree.LocalRef(local=local), index=None) if self.sure(e.type):
                return self.there(self.cell(local, e.kind, e.column), e.column)
            case tree.Present(operand=tree.ColumnRef(object=tree.LocalRef(local=local), index=None) as read):
                cell, nothing = self.cell(local, read.kind, read.column), _nothing(read.column)
                return lambda names: cell(names) != nothing
            case tree.ValueCall():
                return self.call(e)
            case tree.Arith(op="+" | "-" | "*" as op):
                return self.reckoned(_RECKONED[op], self.of(e.left), self.of(e.right))
            case tree.Compare() if e.left.type.tag == e.right.type.tag and e.left.type.tag in ("int", "bool", "ref"):
                return self.compared(e)
            case tree.Logic(op=op):
                left, right = self.of(e.left), self.of(e.right)
                if op == "and":
                    return lambda names: bool(left(names)) and bool(right(names))
                return lambda names: bool(left(names)) or bool(right(names))
            case tree.Not():
                denied = inward(e)
                if not isinstance(denied, tree.Not):
                    return self.of(denied)
                inner = self.of(denied.operand)
                return lambda names: not inner(names)
            case tree.IfElse() if self.sure(e.type):
                test, then, otherwise = self.of(e.test), self.of(e.then), self.of(e.otherwise)
                return lambda names: then(names) if test(names) else otherwise(names)
            case tree.Query(kind="all" | "any" | "no" as kind, binders=(binder,)):
                return self.query(kind, binder, e.body)
        raise _Unknown

    def sure(self, type_: Type) -> bool:
        """Whether something of this type is always there, and is a single number."""
        return not type_.maybe and type_.tag in ("int", "bool", "ref")

    def variable(self, local: tree.Local) -> Worth:
        if local.type.tag == "ref" and local.type.name not in self.model.lists:
            raise _Unknown  # of a row there may be several cards
        name = local.name
        return lambda names: names[name]

    def rows(self, kind: str) -> Sequence[Row]:
        """The rows whose columns are read: of cards one for all that are made of it."""
        if kind in self.model.sorts and not self.model.sorts[kind].ends:
            return [row for row in self.model.sorts[kind].rows if row.copies]
        if kind in self.model.lists and kind != "trait" and self.model.lists[kind].count is None:
            return self.model.lists[kind].rows
        raise _Unknown

    def cell(self, local: tree.Local, kind: str, column: Column) -> Worth:
        if local.type != Type("ref", kind) or column.by is not None or column.type.tag not in ("int", "bool", "ref"):
            raise _Unknown
        rows, name = self.rows(kind), local.name
        if kind in self.model.lists:
            return lambda names: printed_value(column, rows[names[name] - 1], 0)
        return lambda names: printed_value(column, names[name], 0)

    def there(self, cell: Worth, column: Column) -> Worth:
        """What is printed there, as something must be."""
        if not column.type.maybe:
            return cell
        nothing = _nothing(column)

        def worth(names: Names) -> Any:
            found = cell(names)
            if found == nothing:
                raise _Unknown
            return found

        return worth

    def call(self, e: tree.ValueCall) -> Worth:
        declared = self.program.values[e.value]
        sure = all(self.sure(type_) for type_ in (declared.type, *(param.type for param in declared.params)))
        if not sure or declared.origin.what != "core":
            raise _Unknown
        if e.value not in self.values:
            body = self.of(declared.body)
            for op in ("or", "and"):  # in which order rules change a value
                changing = [modify for modify in self.modifies(declared) if modify.op == op]
                for modify in sorted(changing, key=lambda modify: modify.origin.layer):
                    body = self.changed(body, modify, declared)
            if any(modify.op not in ("or", "and") for modify in self.modifies(declared)):
                raise _Unknown
            self.values[e.value] = [param.name for param in declared.params], body
        params, body = self.values[e.value]
        given = [self.argument(arg) for arg in e.args]
        return lambda names: body({name: arg(names) for name, arg in zip(params, given, strict=True)})

    def changed(self, body: Worth, modify: tree.Modify, declared: tree.Value) -> Worth:
        """A condition with what a rule of the core adds to it, or asks besides."""
        if modify.origin.what != "core":
            raise _Unknown
        called: list[tuple[str, str]] = []  # what the rule calls the parameters
        for slot, param in zip(modify.pattern.slots, declared.params, strict=True):
            match slot:
                case tree.BindSlot(local=local) if local.type == param.type:
                    called.append((local.name, param.name))
                case tree.AnySlot():
                    pass
                case _:
                    raise _Unknown
        guard = self.of(modify.guard) if modify.guard is not None else lambda names: True
        value, more = self.of(modify.value), modify.op == "or"

        def worth(names: Names) -> bool:
            own = {name: names[param] for name, param in called}
            if more:
                return bool(body(names)) or bool(guard(own) and value(own))
            return bool(body(names)) and bool(not guard(own) or value(own))

        return worth

    def argument(self, e: tree.Expr) -> Worth:
        if isinstance(e, tree.LocalRef) and self.sure(e.type):
            name = e.local.name
            return lambda names: names[name]
        return self.of(e)

    def reckoned(self, reckon: Callable[[Any, Any], int], left: Worth, right: Worth) -> Worth:
        def worth(names: Names) -> int:
            found = reckon(left(names), right(names))
            if not -_LARGEST < found < _LARGEST:
                raise _Unknown
            return found

        return worth

    def compared(self, e: tree.Compare) -> Worth:
        """What is missing equals nothing, and is neither more nor less than anything."""
        compare, differs = _COMPARED[e.op], e.op == "!="
        left, right = self.side(e.left), self.side(e.right)

        def worth(names: Names) -> bool:
            one, other = left(names), right(names)
            return differs if one is None or other is None else compare(one, other)

        return worth

    def side(self, e: tree.Expr) -> Worth:
        """A side of a comparison; None where it is missing."""
        match e:
            case tree.ColumnRef(object=tree.LocalRef(local=local), index=None):
                cell, nothing = self.cell(local, e.kind, e.column), _nothing(e.column)
                return lambda names: found if (found := cell(names)) != nothing else None
            case _:
                return self.of(e)

    def query(self, kind: str, binder: tree.Binder, body: tree.Expr | None) -> Worth:
        match binder:
            case tree.Binder(maybe=False, domain=tree.Rows(listing=of) | tree.AllCards(sort=of), extreme=None):
                rows = self.rows(of)
            case _:
                raise _Unknown
        name = binder.local.name
        where = self.of(binder.where) if binder.where is not None else None
        asked = self.of(body) if body is not None else None
        if (kind == "all") is (asked is None):
            raise _Unknown

        def met(names: Names) -> bool:
            for row in rows:
                names[name] = row.number if of in self.model.lists else row
                if (where is None or where(names)) and (asked is None or not asked(names)):
                    return True
            return False

        return met if kind == "any" else lambda names: not met(names)


def _nothing(column: Column) -> int | None:
    """What stands for nothing in a column; a truth value is always there."""
    return {"int": MISSING_INT, "ref": 0}.get(column.type.tag)
