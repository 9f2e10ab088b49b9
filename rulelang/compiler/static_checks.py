"""Evaluate constant invariants on the typed tree, and report the rows that violate them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.errors import RuleError
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.compiler.lower.constant_invariants import Reads, table_text, tables_to_check
from rulelang.language.semantics import tree
from rulelang.language.semantics.cards import printed_value
from rulelang.language.semantics.denial import inward
from rulelang.language.semantics.model import MISSING_INT, Column, Model, Row, Type
from rulelang.language.semantics.state_layout import Config
from rulelang.language.semantics.tree import walk

# ---- evaluation on the typed tree

#: So many combinations are gone through here; compiled code is quicker, once there is some.
MOST_EVALUATED = 20_000
#: Numbers up to here are certainly not too large.
_LARGEST = 2**30

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
BINARY_OPS: Mapping[str, Callable[[Any, Any], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}

#: By the names of variables: a number, also of a row of a list, or the row that cards are made of.
Bindings = dict[str, Any]
#: What an expression is worth for such variables.
Thunk = Callable[[Bindings], Any]


class _Unknown(Exception):
    """Raised where the value is not known while checking."""


def surely_holds(invariant: tree.Invariant, program: tree.Program, model: Model, config: Config) -> bool:
    """Whether it holds at a table; False also where that is not known."""
    try:
        return _Evaluation(program, model, config).truth(invariant)
    except _Unknown:
        return False


class _Evaluation:
    """Expressions become functions of their variables, each once."""

    def __init__(self, program: tree.Program, model: Model, config: Config) -> None:
        self.program, self.model, self.config = program, model, config
        self.values: dict[str, tuple[Sequence[str], Thunk]] = {}

    def truth(self, invariant: tree.Invariant) -> bool:
        if invariant.origin.what != "core" or self.modifies(invariant):
            raise _Unknown
        return bool(self.of(invariant.body)({}))

    def modifies(self, declared: tree.Declared) -> list[tree.Modify]:
        return [modify for modify in self.program.modifies if modify.pattern.event == declared.id]

    def of(self, e: tree.Expr | None) -> Thunk:
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
                cell, nothing = self.cell(local, read.kind, read.column), _missing_value(read.column)
                return lambda names: cell(names) != nothing
            case tree.ValueCall():
                return self.call(e)
            case tree.Arith(op="+" | "-" | "*" as op):
                return self.reckoned(BINARY_OPS[op], self.of(e.left), self.of(e.right))
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

    def variable(self, local: tree.Local) -> Thunk:
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

    def cell(self, local: tree.Local, kind: str, column: Column) -> Thunk:
        if local.type != Type("ref", kind) or column.by is not None or column.type.tag not in ("int", "bool", "ref"):
            raise _Unknown
        rows, name = self.rows(kind), local.name
        if kind in self.model.lists:
            return lambda names: printed_value(column, rows[names[name] - 1], 0)
        return lambda names: printed_value(column, names[name], 0)

    def there(self, cell: Thunk, column: Column) -> Thunk:
        """What is printed there, as something must be."""
        if not column.type.maybe:
            return cell
        nothing = _missing_value(column)

        def worth(names: Bindings) -> Any:
            found = cell(names)
            if found == nothing:
                raise _Unknown
            return found

        return worth

    def call(self, e: tree.ValueCall) -> Thunk:
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

    def changed(self, body: Thunk, modify: tree.Modify, declared: tree.Value) -> Thunk:
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

        def worth(names: Bindings) -> bool:
            own = {name: names[param] for name, param in called}
            if more:
                return bool(body(names)) or bool(guard(own) and value(own))
            return bool(body(names)) and bool(not guard(own) or value(own))

        return worth

    def argument(self, e: tree.Expr) -> Thunk:
        if isinstance(e, tree.LocalRef) and self.sure(e.type):
            name = e.local.name
            return lambda names: names[name]
        return self.of(e)

    def reckoned(self, reckon: Callable[[Any, Any], int], left: Thunk, right: Thunk) -> Thunk:
        def worth(names: Bindings) -> int:
            found = reckon(left(names), right(names))
            if not -_LARGEST < found < _LARGEST:
                raise _Unknown
            return found

        return worth

    def compared(self, e: tree.Compare) -> Thunk:
        """What is missing equals nothing, and is neither more nor less than anything."""
        compare, differs = COMPARISONS[e.op], e.op == "!="
        left, right = self.side(e.left), self.side(e.right)

        def worth(names: Bindings) -> bool:
            one, other = left(names), right(names)
            return differs if one is None or other is None else compare(one, other)

        return worth

    def side(self, e: tree.Expr) -> Thunk:
        """A side of a comparison; None where it is missing."""
        match e:
            case tree.ColumnRef(object=tree.LocalRef(local=local), index=None):
                cell, nothing = self.cell(local, e.kind, e.column), _missing_value(e.column)
                return lambda names: found if (found := cell(names)) != nothing else None
            case _:
                return self.of(e)

    def query(self, kind: str, binder: tree.Binder, body: tree.Expr | None) -> Thunk:
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

        def met(names: Bindings) -> bool:
            for row in rows:
                names[name] = row.number if of in self.model.lists else row
                if (where is None or where(names)) and (asked is None or not asked(names)):
                    return True
            return False

        return met if kind == "any" else lambda names: not met(names)


def _missing_value(column: Column) -> int | None:
    """What stands for nothing in a column; a truth value is always there."""
    return {"int": MISSING_INT, "ref": 0}.get(column.type.tag)


# ---- violations

#: So many rows are named in one message.
SHOWN = 5


class Places(Protocol):
    """Where what is printed stands; see `semantics.cell_spans`."""

    def cell(self, kind: str, row: Row, column: str) -> Span: ...

    def number(self, name: str) -> Span: ...


@record
class Example:
    """Something for which an invariant does not hold: in words, with the variables' handles and the conditions."""

    text: str
    found: tuple[tuple[tree.Local, int], ...]
    conditions: tuple[tree.Expr, ...]


#: By the name of each invariant that does not hold at a table: what for, or why it cannot be worked out. And the row of
#: each card of that table, by its handle.
Broken = tuple[Mapping[str, tuple[Example, ...] | RuleError], Sequence[Row | None]]


def violations_of(
    model: Model,
    program: tree.Program,
    asked: Mapping[str, Reads],
    ask: Callable[[Config, Sequence[str]], Broken | None],
    places: Places,
) -> Iterator[Diagnostic]:
    """A diagnostic for each of these invariants (by id) that does not hold at some table.

    `ask` tests several at one table; None where that is too large to be played at all.
    """
    configs = {name: tables_to_check(model, reads) for name, reads in asked.items()}
    at: dict[str, tuple[Config, list[str]]] = {}
    for name, wanted in configs.items():
        for config in wanted:
            at.setdefault(repr(config), (config, []))[1].append(name)
    found: dict[str, list[tuple[Config, tuple[Example, ...] | RuleError, Sequence[Row | None]]]] = {}
    for config, names in at.values():
        answer = ask(config, names)
        for name, what in answer[0].items() if answer is not None else ():
            found.setdefault(name, []).append((config, what, answer[1] if answer is not None else ()))
    for invariant in (program.invariants[name] for name in asked):
        broken = found.get(invariant.name)
        if not broken:
            continue
        config, first, cards = broken[0]
        if isinstance(first, RuleError):
            yield first.diagnostic
            continue
        everywhere = len(broken) == len(configs[invariant.id]) and all(what == first for _, what, _ in broken)
        where = "" if everywhere else table_text(config, asked[invariant.id], model)
        yield _violation(invariant, first, where, [*_related_cells(first, cards, model, places)])


def _violation(
    invariant: tree.Invariant, examples: Sequence[Example], where: str, related: Sequence[Related]
) -> Diagnostic:
    texts = list(dict.fromkeys(example.text for example in examples if example.text))
    because = "; ".join(texts[:SHOWN])
    if len(texts) > SHOWN:
        because += f"; and {len(texts) - SHOWN} more"
    because = ": ".join(part for part in (where, because) if part)
    message = f"printed data breaks the invariant `{invariant.name}`"
    return Diagnostic("X613", invariant.span, message, because, related=tuple(related))


def _related_cells(
    examples: Sequence[Example], cards: Sequence[Row | None], model: Model, places: Places
) -> Iterator[Related]:
    yield from _without_duplicates(
        [place for example in examples for place in _related_rows(example, cards, model, places)]
    )[:SHOWN]
    yield from _without_duplicates([place for example in examples for place in _related_numbers(example, places)])


def _without_duplicates(found: Sequence[Related]) -> list[Related]:
    return [place for place in dict.fromkeys(found) if place.span.path]


def _related_rows(example: Example, cards: Sequence[Row | None], model: Model, places: Places) -> Iterator[Related]:
    read = [node for node in walk(list(example.conditions)) if isinstance(node, tree.ColumnRef)]
    for local, handle in example.found:
        row = _row_of(local, handle, cards, model)
        if row is None:
            continue
        columns = [n.column.name for n in read if isinstance(n.object, tree.LocalRef) and n.object.local == local]
        spans = [places.cell(local.type.name, row, name) for name in dict.fromkeys(columns)] or [row.span]
        called = f"`{row.name}`" if row.name else "this row"
        yield from (Related(span, f"{called} breaks it") for span in spans)


def _related_numbers(example: Example, places: Places) -> Iterator[Related]:
    for node in walk(list(example.conditions)):
        if isinstance(node, tree.NumberRef):
            yield Related(places.number(node.name), f"`{node.name}` is given here")


def _row_of(local: tree.Local, handle: int, cards: Sequence[Row | None], model: Model) -> Row | None:
    kind = local.type.name
    if local.type.tag != "ref" or handle <= 0:
        return None
    if kind in model.sorts:
        return cards[handle] if handle < len(cards) else None
    rows = model.lists[kind].rows if kind in model.lists else ()
    return rows[handle - 1] if handle <= len(rows) else None
