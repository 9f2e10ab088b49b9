"""Make loops cheaper: unswitch tests, prune rows, drop one-item lists, and recognise rows and slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from rulelang.base.layout import Layout
from rulelang.base.numbers import WORD, range_of
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import is_expensive, split_constant
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    all_exprs,
    all_statements,
    assigned_locals,
    child_exprs,
    conjunction_of,
    conjuncts,
    has_break,
    has_continue,
    locals_read,
    pure_functions,
    rewrite_expr,
    with_blocks,
    with_subexpressions,
)
from rulelang.compiler.passes.bit_tests import merge_bit_tests
from rulelang.compiler.passes.checked_arithmetic import CellRanges
from rulelang.compiler.passes.choice.shapes import PlacedBody
from rulelang.compiler.passes.fold import NO, YES, drop_redundant_tests, fold_expression

# ---- unswitching


def unswitch(module: ir.Module) -> None:
    """Rewrite the functions that only read: what a round does not change cannot change between rounds."""
    natural = frozenset(a.base for a in module.layout.attributes if a.holds[0] >= 0 and a.width == 1)
    for function in pure_functions(module):
        given = frozenset(function.params) - function.lists
        body = merge_bit_tests(drop_redundant_tests(_unswitch_block(function.body, given, natural)))
        module.functions[function.name] = replace(function, body=body)


def _unswitch_block(block: ir.Block, given: frozenset[str], natural: frozenset[int]) -> ir.Block:
    return tuple(_unswitch_statement(s, given, natural) for s in block)


def _unswitch_statement(stmt: ir.Stmt, given: frozenset[str], natural: frozenset[int]) -> ir.Stmt:
    inner: Any = with_blocks(stmt, lambda block: _unswitch_block(block, given, natural))
    if isinstance(inner, ir.Branch):
        return replace(inner, test=_bare_condition(inner.test, natural))
    if not isinstance(inner, FOR_LOOPS) or len(inner.body) != 1:
        return inner
    branch = inner.body[0]
    if not isinstance(branch, ir.Branch) or branch.otherwise:
        return inner
    made = {name for s in all_statements((inner,)) for name in assigned_locals(s)}
    parts = conjuncts(branch.test)
    fixed = tuple(p for p in parts if _is_safe_outside(p, given) and not locals_read(p) & made)
    if not fixed:
        return inner
    rest = tuple(p for p in parts if p not in fixed)
    body = (ir.Branch(conjunction_of(rest), branch.then),) if rest else branch.then
    return ir.Branch(conjunction_of(fixed), (replace(inner, body=body),))


def _bare_condition(test: ir.Expr, natural: frozenset[int]) -> ir.Expr:
    """A condition without what only makes it 0 or 1, its parts in one row. Words of `natural` columns are never less
    than 0: less than a number that is 0 unless something holds they are only if that holds."""
    while isinstance(test, ir.If) and (test.then, test.otherwise) == (ir.Const(1), ir.Const(0)):
        test = test.test
    match test:
        case ir.Logic("and", parts):
            return conjunction_of(tuple(inner for part in parts for inner in conjuncts(_bare_condition(part, natural))))
        case ir.Compare("<", ir.Cell(base) as word, ir.If(needed, number, ir.Const(0))) if base in natural:
            return conjunction_of((*conjuncts(_bare_condition(needed, natural)), ir.Compare("<", word, number)))
        case _:
            return test


def _is_safe_outside(test: ir.Expr, given: frozenset[str]) -> bool:
    """Whether it may be asked where no round would have asked it: words that arguments lead to are always there."""
    match test:
        case ir.Compare(_, left, right):
            return _is_safe_outside(left, given) and _is_safe_outside(right, given)
        case ir.Not(operand):
            return _is_safe_outside(operand, given)
        case ir.Cell(_, index):
            return index is None or all(
                isinstance(e, ir.Const)
                or (isinstance(e, ir.Local) and e.name in given)
                or (isinstance(e, ir.Arith) and e.op in ("+", "*"))
                for e in with_subexpressions(index)
            )
        case _:
            return isinstance(test, (ir.Const, ir.Local))


# ---- pruned rows

_KNOWN_NODES = (ir.Const, ir.Local, ir.Table, ir.Arith, ir.MinMax, ir.Compare, ir.Logic, ir.Not, ir.If)


def prune_rows(module: ir.Module) -> None:
    """Rewrite the module's functions; rows of the module that came to be are named after the one they come from."""
    work = _RowPruner(module)
    for name, function in module.functions.items():
        module.functions[name] = replace(function, body=work.block(function.body))
    empty = {f.name for f in module.functions.values() if f.kind == "enumerator" and not f.body}
    for name, function in module.functions.items():
        if empty and any(isinstance(s, ir.Pick) for s in all_statements(function.body)):
            module.functions[name] = replace(function, body=_prune_picks(function.body, empty))


def _prune_picks(block: ir.Block, empty: set[str]) -> ir.Block:
    return tuple(
        with_blocks(_without_empty_sources(stmt, empty), lambda inner: _prune_picks(inner, empty)) for stmt in block
    )


def _without_empty_sources(stmt: ir.Stmt, empty: set[str]) -> ir.Stmt:
    """A decision without sources that have no option; if none has any, it stays."""
    if not isinstance(stmt, ir.Pick):
        return stmt
    sources = tuple(source for source in stmt.sources if source.enumerator not in empty)
    return replace(stmt, sources=sources) if 0 < len(sources) < len(stmt.sources) else stmt


class _RowPruner:
    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.made: dict[tuple[tuple[int, ...], ...], str] = {}

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(found for stmt in block if (found := self.statement(stmt)) is not None)

    def statement(self, stmt: ir.Stmt) -> ir.Stmt | None:
        if not isinstance(stmt, (ir.Branch, *LOOPS)):
            return stmt
        inner = with_blocks(stmt, self.block)
        if isinstance(inner, ir.ForTable):
            inner = self.loop(inner)
        return None if self.idle(inner) else inner

    def idle(self, stmt: ir.Stmt) -> bool:
        """Whether a statement does nothing but ask, and what it asks cannot fail and calls nothing."""
        if isinstance(stmt, ir.Branch):
            busy = bool(stmt.then or stmt.otherwise)
        elif isinstance(stmt, ir.ForTable):
            busy = bool(stmt.body) and any(self.module.rows[stmt.row])
        else:
            busy = not isinstance(stmt, FOR_LOOPS) or bool(stmt.body)
        return not busy and all(isinstance(e, (*_KNOWN_NODES, ir.Cell)) and not _may_divide(e) for e in all_exprs(stmt))

    def loop(self, loop: ir.ForTable) -> ir.ForTable:
        known: list[ir.Expr] = []
        body = loop.body
        while len(body) == 1 and isinstance(branch := body[0], ir.Branch) and not branch.otherwise:
            parts = conjuncts(branch.test)
            first = tuple(takewhile(lambda p: _tests_item_only(p, loop.name), parts))
            rest = parts[len(first) :]
            known += first
            if rest:
                body = (ir.Branch(conjunction_of(rest), branch.then),)
                break
            body = branch.then
        if not known:
            return loop
        rows = tuple(
            tuple(item for item in row if all(self.holds(test, loop.name, item) for test in known))
            for row in self.module.rows[loop.row]
        )
        return ir.ForTable(loop.name, self.row(loop.row, rows), loop.index, body)

    def row(self, old: str, rows: tuple[tuple[int, ...], ...]) -> str:
        if rows == self.module.rows[old]:
            return old
        if rows not in self.made:
            self.made[rows] = name = f"{old}~{len(self.made) + 1}"
            self.module.rows[name] = rows
        return self.made[rows]

    def holds(self, test: ir.Expr, name: str, item: int) -> bool:
        def known(expr: ir.Expr) -> ir.Expr:
            match expr:
                case ir.Local() if expr.name == name:
                    return ir.Const(item)
                case ir.Table(table, ir.Const(index)):
                    return ir.Const(self.module.tables[table][index])
                case _:
                    return fold_expression(expr)

        found = rewrite_expr(test, known)
        assert isinstance(found, ir.Const), "a test of constants is a constant"
        return bool(found.value)


def _may_divide(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Arith) and expr.op in ("//", "%", "<<", ">>")


def _tests_item_only(test: ir.Expr, name: str) -> bool:
    """Whether a test asks of the loop's item alone what is constant; a division may have no value."""
    inside = list(with_subexpressions(test))
    return (
        all(isinstance(e, _KNOWN_NODES) for e in inside)
        and not any(_may_divide(e) for e in inside)
        and {e.name for e in inside if isinstance(e, ir.Local)} == {name}
    )


# ---- lists of one item


def scalarise_lists(module: ir.Module) -> None:
    for name, function in module.functions.items():
        if any(isinstance(s, ir.NewList) for s in all_statements(function.body)):
            uses = Counter(use for stmt in all_statements(function.body) for use in _list_names(stmt))
            module.functions[name] = replace(function, body=_scalarise_block(function.body, uses))


def _list_names(stmt: Any) -> Iterator[str]:
    """The names that may be a list's, in a statement without what stands in it; once for each place."""
    for field in ("name", "list"):
        if isinstance(found := getattr(stmt, field, None), str):
            yield found
    for expr in child_exprs(stmt):
        for part in with_subexpressions(expr):
            if isinstance(part, (ir.Length, ir.Item)):
                yield part.list
            elif isinstance(part, ir.Local):
                yield part.name


def _scalarise_block(block: ir.Block, uses: Counter[str]) -> ir.Block:
    found: list[Any] = []
    for stmt in block:
        inner: Any = with_blocks(stmt, lambda b: _scalarise_block(b, uses))
        match [*found[-2:], inner]:
            case [
                ir.NewList(name),
                ir.Branch(_, (ir.Append(into),), ()),
                ir.Branch(ir.Compare(">", ir.Length(asked), ir.Const(1)), _, ()),
            ] if name == into == asked:
                for gone in all_statements((inner,)):
                    uses.subtract(_list_names(gone))
            case [
                ir.NewList(name),
                ir.Branch(test, (ir.Append(_, value),), ()),
                ir.ForList(item, again, body),
            ] if name == again and uses[name] == 3 and not has_break(body) and not has_continue(body):
                found[-2:] = [ir.Branch(test, (ir.Set(item, value), *body))]
            case _:
                found.append(inner)
    return tuple(found)


# ---- rows of cells

#: Statements that change nothing that rules can read: locals, and what counts decisions.
_HARMLESS_STATEMENTS = (
    ir.Set, ir.Branch, *LOOPS, ir.Given, ir.Break, ir.Continue, ir.Return, ir.ReturnMany, ir.Divide, ir.CallPure,
    ir.NewList, ir.Append, ir.ArrayToList, ir.ArrayView, ir.TakeAt, ir.Sort, ir.KeepBest, ir.DistinctList,
    ir.NewTuples, ir.AppendTuple, ir.ReadTuple, ir.Decided, ir.Forced, ir.Fail, ir.Unreachable, ir.Ensure, ir.Ask,
)  # fmt: skip
#: Words of a row that are asked at once: those of less are as quickly asked one by one, and a word has bits for 64.
FEWEST_CELLS, MOST_CELLS = 8, 64
#: Rows of one loop that are asked so.
ROWS_AT_ONCE = 2

MayFail = Callable[[ir.Expr], bool]


@dataclass(frozen=True, slots=True)
class CellRow:
    """Words that lie behind each other, from that for a loop's first turn on. A loop does nothing where the word is 0;
    or, if `above` is given, not above that. `each`: the loops and tests, outer first, within which there is such a row
    for each of some things; what has such a word in one of them counts."""

    first: ir.Cell
    above: ir.Expr | None = None
    each: tuple[Any, ...] = ()

    def gathered(self, stmt: ir.Stmt) -> ir.Block:
        """A statement, done for each of the things."""
        block: ir.Block = (stmt,)
        for step in reversed(self.each):
            block = (replace(step, then=block) if isinstance(step, ir.Branch) else replace(step, body=block),)
        return block


@dataclass(frozen=True, slots=True)
class LoopRows:
    """Of a loop that does nothing where one of some words is of no use: their rows, of `count` words each."""

    rows: tuple[CellRow, ...]
    count: int


def row_total(loop: ir.ForRange, words: CellRanges) -> tuple[str, ir.Cell, int] | None:
    """Of a loop that only adds up the words of a row, whose sum is a word: to which local, from where on, how many."""
    count = _fixed_rounds(loop)
    match loop.body:
        case (ir.Set(name, ir.Arith("+", ir.Local(same), ir.Cell(base, ir.Arith() as index))),) if (
            name == same and name != loop.name and count >= FEWEST_CELLS
        ):
            beside = _sum_without(index, loop.name)
            low, high = words.of(base, index)
            if beside is not None and name not in locals_read(index) and max(-low, high) * count <= WORD[1]:
                return name, ir.Cell(base, fold_expression(ir.Arith("+", beside, loop.low))), count
    return None


def rows_of(loop: ir.ForRange, fails: MayFail, module: ir.Module, few: int = FEWEST_CELLS) -> LoopRows | None:
    """None where a loop does something for every number, or may change the words, or goes over less than `few`.
    `fails`: whether to work something out may fail."""
    count, found = _fixed_rounds(loop), list[CellRow]()
    match loop.body:
        case (ir.Branch(test, then, ()),) if few <= count <= MOST_CELLS and not fails(loop.low):
            if not all(map(is_quiet, all_statements(then))):
                return None
            made = {name for stmt in all_statements(then) for name in assigned_locals(stmt)}
            if made & {loop.name, *locals_read(loop.low)}:
                return None
            for part in conjuncts(test):
                if not made & locals_read(part):
                    if isinstance(part, ir.Call):
                        row = _row_of_each(part, loop, module)
                    else:
                        row = _row(part, loop, module)
                    if row is not None and not fails(part):
                        found.append(row)
                if fails(part):
                    break
    return LoopRows(tuple(dict.fromkeys(found))[:ROWS_AT_ONCE], count) if found else None


def _row(part: ir.Expr, loop: ir.ForRange, module: ir.Module) -> CellRow | None:
    """The words without which a part of a condition does not hold."""
    cell, above = _needed_cell(part), None
    match part:
        case ir.Compare(">", ir.Cell() as word, other) | ir.Compare("<", other, ir.Cell() as word):
            if loop.name not in locals_read(other) and _is_word(other, module):
                cell, above = word, other
    beside = None if cell is None or cell.index is None else _sum_without(cell.index, loop.name)
    if cell is None or beside is None:
        return None
    return CellRow(ir.Cell(cell.base, fold_expression(ir.Arith("+", beside, loop.low))), above)


def _is_word(expr: ir.Expr, module: ir.Module) -> bool:
    """Whether it is a word of the state or of a table, found by what is at hand."""
    match expr:
        case ir.Table(name, index):
            low, high = range_of(module.tables[name])
            return WORD[0] <= low and high <= WORD[1] and (isinstance(index, ir.Local) or _is_word(index, module))
        case ir.Cell(_, index):
            return index is None or isinstance(index, ir.Local | ir.Const)
    return False


def _row_of_each(call: ir.Call, loop: ir.ForRange, module: ir.Module) -> CellRow | None:
    """The same of a function that asks whether there is a thing for which something holds."""
    function, item = module.functions[call.function], ir.Local(loop.name)
    if function.lists or any(loop.name in locals_read(arg) for arg in call.args if arg != item):
        return None
    place = PlacedBody(function, call.args, lambda name: f"{name} of {call.function}")
    path = list[Any]()
    for step in map(place.own, _path_to_true(function.body)):
        if not isinstance(step, ir.Branch):
            if loop.name in locals_read(step):
                return None
            path.append(step)
            continue
        parts = conjuncts(step.test)
        beside = tuple(part for part in parts if loop.name not in locals_read(part) and not is_expensive(part))
        path += [ir.Branch(conjunction_of(beside), ())] if beside else []
        rows = [row for part in parts if (row := _row(part, loop, module)) is not None]
        if rows:
            return replace(rows[0], each=tuple(path))
    return None


def _path_to_true(block: ir.Block) -> list[ir.Stmt]:
    """The loops and tests within which alone a function answers 1, each for itself; none if it has another shape."""
    found = list[ir.Stmt]()
    match block:
        case (first, ir.Return(nothing)) if nothing == NO:
            block = (first,)
    while block != (ir.Return(YES),):
        match block:
            case (ir.ForRange() | ir.ForTable() | ir.ForChain() as loop,):
                found.append(replace(loop, body=()))
                block = loop.body
            case (ir.Branch(test, then, ()),):
                found.append(ir.Branch(test, ()))
                block = then
            case _:
                return []
    return found


def _fixed_rounds(loop: ir.ForRange) -> int:
    """How many turns it has, or -1 where that is not always the same."""
    (low, first), (end, last) = split_constant(loop.low), split_constant(loop.end)
    return last - first if low == end else -1


def _needed_cell(test: ir.Expr) -> ir.Cell | None:
    """The word without which a test does not hold."""
    match test:
        case ir.Cell():
            return test
        case ir.Compare(op, ir.Cell() as cell, ir.Const() as other) if fold_expression(ir.Compare(op, NO, other)) == NO:
            return cell
    return None


def _sum_without(sum_: ir.Expr, name: str) -> ir.Expr | None:
    """What a sum comes to where a local that is added in it once is 0; None where that is not so."""
    match sum_:
        case ir.Local(same) if same == name:
            return ir.Const(0)
        case ir.Arith("+", left, right):
            for part, other in ((left, right), (right, left)):
                rest = _sum_without(part, name)
                if rest is not None and name not in locals_read(other):
                    return fold_expression(ir.Arith("+", rest, other))
    return None


def is_harmless(stmt: ir.Stmt) -> bool:
    """Whether a statement changes nothing that rules can read; those inside aside."""
    return isinstance(stmt, _HARMLESS_STATEMENTS) or (isinstance(stmt, ir.Random) and stmt.policy)


def is_quiet(stmt: ir.Stmt) -> bool:
    """The same, or it counts steps."""
    return is_harmless(stmt) or isinstance(stmt, ir.Tick)


# ---- slots

#: What makes things, or loses them.
_CALLS = (ir.CallRoutine, ir.EnterRoutine, ir.Fill, ir.Point)


@dataclass(frozen=True, slots=True)
class Slots:
    """`count`: how many the owner has; `alive`: whether one lies in the slot; `body`: what is done with it; `most`: the
    last slot of all owners."""

    count: ir.Expr
    alive: ir.Expr
    body: ir.Block
    most: int


def count_columns(layout: Layout) -> dict[tuple[int, int], int]:
    """By the columns of what comes first and next, the column of how many there are."""
    lines = {(kind.first, kind.next): kind.count for kind in layout.kinds.values() if kind.next}
    zones = (zone for zone in layout.zones.values() if not zone.array)
    return {**lines, **{(zone.first, layout.card_next): zone.count for zone in zones}}


def chain_length(loop: ir.ForChain, counts: Mapping[tuple[int, int], int]) -> ir.Expr | None:
    """How many a loop along a chain goes over; None where that is not known, or where it might change."""
    if not isinstance(loop.first, ir.Cell):
        return None
    if not all(map(is_quiet, all_statements(loop.body))):
        return None
    count = counts.get((loop.first.base, loop.next))
    return None if count is None else ir.Cell(count, loop.first.index)


def slots_of(loop: ir.ForRange, layout: Layout) -> Slots | None:
    """None where a loop goes over something else, or might change what there is."""
    if len(loop.body) != 1 or not isinstance(branch := loop.body[0], ir.Branch) or branch.otherwise:
        return None
    alive, *tests = conjuncts(branch.test)
    if not isinstance(alive, ir.Cell) or alive.index != ir.Local(loop.name):
        return None
    kind = next((kind for kind in layout.kinds.values() if kind.alive == alive.base and not kind.next), None)
    if kind is None:
        return None
    match loop.low, loop.end:
        case ir.Const(low), ir.Const(end) if (low - 1) % kind.per_owner == 0 and end - low == kind.per_owner:
            owner: ir.Expr = ir.Const(low // kind.per_owner + 1)
        case ir.Arith("+", ir.Arith("*", owner, ir.Const(per)), ir.Const(first)), ir.Arith(
            "+", same, ir.Const(more)
        ) if same == loop.low and per == more == kind.per_owner == 1 - first:
            pass
        case _:
            return None
    kept = {kind.alive, kind.count}
    for stmt in all_statements(branch.then):
        if isinstance(stmt, _CALLS) or loop.name in assigned_locals(stmt):
            return None
        if isinstance(stmt, ir.Store | ir.Add) and stmt.base in kept:
            return None
    body = (ir.Branch(conjunction_of(tuple(tests)), branch.then),) if tests else branch.then
    return Slots(ir.Cell(kind.count, owner), alive, body, kind.owners * kind.per_owner)
