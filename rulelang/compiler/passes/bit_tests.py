"""Test several bits of a cell at once, look bits up in tables, and test membership by masks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    all_statements,
    assigned_locals,
    child_exprs,
    conjuncts,
    locals_read,
    rewrite_expr,
    substitute,
    with_blocks,
)
from rulelang.compiler.passes.fold import fold_expression

# ---- merged bit tests


def flag_group_of(test: ir.Expr) -> tuple[ir.Cell, int] | None:
    """If a condition asks for marks: their word, and their bits."""
    match test:
        case ir.Arith("&", ir.Cell() as word, ir.Const(bits)):
            return word, bits
        case _:
            return None


def under_one_test(word: ir.Cell, bits: int, members: list[Any]) -> list[Any]:
    """Statements that do nothing without one of the marks, under one question if there are several."""
    return members if len(members) == 1 else [ir.Branch(ir.Arith("&", word, ir.Const(bits)), tuple(members))]


def merge_bit_tests(block: ir.Block) -> ir.Block:
    """The block of a function that only reads."""
    found: list[ir.Stmt] = []
    run: list[Any] = []
    known: tuple[ir.Cell, int] | None = None
    for inner in _group_by_cell([with_blocks(stmt, merge_bit_tests) for stmt in block]):
        mark = _first_flag_test(inner)
        if known is not None and (mark is None or mark[0] != known[0]):
            found += under_one_test(*known, run)
            run, known = [], None
        if mark is None:
            found.append(inner)
        else:
            run.append(inner)
            known = mark if known is None else (known[0], known[1] | mark[1])
    return tuple(found) if known is None else (*found, *under_one_test(*known, run))


def _group_by_cell(block: list[Any]) -> list[Any]:
    """The block with questions for the same word together, where any of several may come first: where all that they
    can do is to end the function with the same answer."""
    found: list[Any] = []
    alike: list[tuple[ir.Cell, Any]] = []
    answers: set[ir.Expr | None] = set()

    def close() -> None:
        words = [word for word, _ in alike]
        found.extend(stmt for _, stmt in sorted(alike, key=lambda pair: words.index(pair[0])))
        alike.clear()
        answers.clear()

    for stmt in block:
        mark = _first_flag_test(stmt)
        more = None if mark is None else _constants_returned(stmt)
        if more is None or len(answers | more) > 1:
            close()
        if mark is None or more is None:
            found.append(stmt)
        else:
            alike.append((mark[0], stmt))
            answers |= more
    close()
    return found


def _constants_returned(stmt: ir.Branch) -> set[ir.Expr | None] | None:
    """The constants that a statement may return, if that is all it does."""
    inside = [s for s in all_statements((stmt,)) if not isinstance(s, ir.Branch)]
    if not all(isinstance(s, ir.Return) and isinstance(s.value, ir.Const) for s in inside):
        return None
    return {s.value for s in inside if isinstance(s, ir.Return)}


def _first_flag_test(stmt: Any) -> tuple[ir.Cell, int] | None:
    """The marks that a statement asks for before all else, if it leaves the place of their word alone."""
    if not isinstance(stmt, ir.Branch) or stmt.otherwise:
        return None
    found = flag_group_of(conjuncts(stmt.test)[0])
    if found is None or locals_read(found[0]) & {name for s in all_statements((stmt,)) for name in assigned_locals(s)}:
        return None
    return found


# ---- bit tables

#: Entries of a table at most.
MOST_ENTRIES = 4096

Group = tuple[ir.Expr, int]


def as_bit_table(expr: ir.Expr) -> tuple[ir.Expr, int, tuple[int, ...]] | None:
    """The word, the bits of it that count, and by these the value of an expression; None if it asks for fewer than two
    groups of bits, or for anything else."""
    groups = list(_bit_groups(expr))
    known = [group for group in groups if group is not None]
    words = {word for word, _ in known}
    if len(known) < max(len(groups), 2) or len(words) != 1:
        return None
    mask = 0
    for _, bits in known:
        mask |= bits
    if not 0 < mask < MOST_ENTRIES:
        return None
    values = [_value_for_cell(expr, number) if number & mask == number else 0 for number in range(mask + 1)]
    numbers = tuple(value for value in values if value is not None)
    return (words.pop(), mask, numbers) if len(numbers) == len(values) else None


def _bit_group(expr: ir.Expr) -> Group | None:
    match expr:
        case ir.Arith("&", (ir.Local() | ir.Cell()) as word, ir.Const(bits)):
            return word, bits
        case _:
            return None


def _bit_groups(expr: ir.Expr) -> Iterator[Group | None]:
    """What an expression is worked out from: groups of bits, and None for all else but constants."""
    group = _bit_group(expr)
    if group is not None or not isinstance(expr, (ir.Arith, ir.Const)):
        yield group
        return
    for part in child_exprs(expr):
        yield from _bit_groups(part)


def _value_for_cell(expr: ir.Expr, word: int) -> int | None:
    """What an expression comes to for a word; None if it asks for more."""

    def told(part: ir.Expr) -> ir.Expr:
        group = _bit_group(part)
        return fold_expression(part) if group is None else ir.Const(word & group[1])

    value = rewrite_expr(expr, told)
    return value.value if isinstance(value, ir.Const) else None


# ---- membership masks

_T = TypeVar("_T")

#: Values from which on a property has too many for the bits of a word.
MOST_VALUES = 63


@record
class _MembershipTest:
    """A pure function that tells whether something in a chain has the same entry in a table as the argument `item`."""

    function: ir.Function
    loop: ir.ForChain
    table: str
    item: int

    def others(self, args: tuple[_T, ...]) -> tuple[_T, ...]:
        """Of parameters or arguments all but the item."""
        return args[: self.item] + args[self.item + 1 :]


def use_membership_masks(functions: dict[str, ir.Function], tables: dict[str, tuple[int, ...]]) -> None:
    """Rewrite the enumerators. Masks are made by functions that are added, of tables that are added."""
    known = {name: found for name, f in functions.items() if (found := _membership_test(f, tables)) is not None}
    if not known:
        return
    work = _MaskRewriter(known, functions, tables)
    for name, function in list(functions.items()):
        if function.kind == "enumerator":
            work.serial = 0
            functions[name] = replace(function, body=work.block(function.body, frozenset(function.params)))


def _membership_test(function: ir.Function, tables: Mapping[str, tuple[int, ...]]) -> _MembershipTest | None:
    match function:
        case ir.Function(
            kind="pure",
            body=(
                ir.ForChain(
                    name,
                    body=(
                        ir.Branch(
                            ir.Compare("==", ir.Table(one, ir.Local(left)), ir.Table(other, ir.Local(right))),
                            (ir.Return(ir.Const(1)),),
                            (),
                        ),
                    ),
                ) as loop,
                ir.Return(ir.Const(0)),
            ),
        ) if one == other and name in (left, right) and all(0 <= v < MOST_VALUES for v in tables[one]):
            item = right if name == left else left
            if item in function.params and item not in locals_read(loop):
                return _MembershipTest(function, loop, one, function.params.index(item))
    return None


class _MaskRewriter:
    def __init__(
        self,
        known: Mapping[str, _MembershipTest],
        functions: dict[str, ir.Function],
        tables: dict[str, tuple[int, ...]],
    ) -> None:
        self.known, self.functions, self.tables = known, functions, tables
        self.serial = 0

    def block(self, block: ir.Block, bound: frozenset[str]) -> ir.Block:
        """`bound`: locals that name what is there: parameters, and items of the loops around."""
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, FOR_LOOPS):
                found += self.loop(stmt, bound)
            elif isinstance(stmt, (ir.Branch, *LOOPS)):
                found.append(with_blocks(stmt, lambda inner: self.block(inner, bound)))
            else:
                found.append(stmt)
        return tuple(found)

    def loop(self, loop: Any, bound: frozenset[str]) -> list[ir.Stmt]:
        made = {name for stmt in all_statements((loop,)) for name in assigned_locals(stmt)}
        tests = _LoopTests(self, loop.name, bound - made)
        body = self.block(tests.block(loop.body), bound | {loop.name})
        return [*tests.masks, replace(loop, body=body)]

    def mask(self, asked: _MembershipTest, bits: str) -> str:
        """The pure function that makes a mask of a chain."""
        name = f"{asked.function.name}&"
        if name not in self.functions:
            here, seen = ir.Table(bits, ir.Local(asked.loop.name)), ir.Local("seen")
            chain = replace(asked.loop, body=(ir.Set("seen", ir.Arith("|", seen, here)),))
            self.functions[name] = replace(
                asked.function,
                name=name,
                params=asked.others(asked.function.params),
                body=(ir.Set("seen", ir.Const(0)), chain, ir.Return(seen)),
            )
        return name

    def bits(self, table: str) -> str:
        """The table of one bit for each entry of a table, preferably one that is there already."""
        values = self.tables[table]
        if all(values[1:]):  # 0 names nothing; so nothing but that may lack a bit
            for name, bits in self.tables.items():
                if len(bits) == len(values) and all(b == (1 << v) >> 1 for v, b in zip(values, bits, strict=True)):
                    return name
        name = f"{table}@bits"
        self.tables[name] = tuple(1 << v for v in values)
        return name


class _LoopTests:
    """The tests of one loop. `masks`: what stands before the loop then."""

    def __init__(self, work: _MaskRewriter, item: str, bound: frozenset[str]) -> None:
        self.work, self.item, self.bound = work, item, bound
        self.masks: list[ir.Set] = []

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(
            ir.Branch(self.test(s.test), self.block(s.then), self.block(s.otherwise)) if isinstance(s, ir.Branch) else s
            for s in block
        )

    def test(self, test: ir.Expr) -> ir.Expr:
        """A condition: only whether it is 0 counts."""
        match test:
            case ir.Not(operand):
                return ir.Not(self.test(operand))
            case ir.Logic("or", parts):
                return self.any_of(parts)
            case ir.Logic("and", parts):
                return self.any_of((test,)) if self.mask_of(test) else ir.Logic("and", tuple(map(self.test, parts)))
            case _:
                return self.any_of((test,))

    def any_of(self, parts: tuple[ir.Expr, ...]) -> ir.Expr:
        """Several conditions one of which must hold; those that ask of bits of the same table become one."""
        asked = {i: found for i, part in enumerate(parts) if (found := self.mask_of(part)) is not None}
        if not asked:
            return parts[0] if len(parts) == 1 else ir.Logic("or", tuple(map(self.test, parts)))
        bits, rest = next(iter(asked.values()))[0], []
        whole: ir.Expr | None = None
        for i, part in enumerate(parts):
            table, mask = asked.get(i) or self.word(part)
            if table == bits and mask is not None:
                whole = mask if whole is None else ir.Arith("|", whole, mask)
            else:
                rest.append(self.test(part))
        assert whole is not None
        self.work.serial += 1
        name = f"alike {self.work.serial}"
        self.masks.append(ir.Set(name, whole))
        test = ir.Arith("&", ir.Local(name), ir.Table(bits, ir.Local(self.item)))
        return ir.Logic("or", (test, *rest)) if rest else test

    def mask_of(self, part: ir.Expr) -> tuple[str, ir.Expr] | None:
        """If a condition asks a chain for what is like the item: the table of bits, and the chain's mask."""
        *before, call = conjuncts(part)
        if not isinstance(call, ir.Call) or call.function not in self.work.known:
            return None
        asked = self.work.known[call.function]
        given = asked.others(call.args)
        if call.args[asked.item] != ir.Local(self.item) or not all(map(self.fixed, given)):
            return None
        params = asked.others(asked.function.params)
        length = substitute(asked.loop.length, params, given) if asked.loop.length is not None else None
        if any(test != length for test in before):  # of an empty chain no question needs to be asked
            return None
        bits = self.work.bits(asked.table)
        mask: ir.Expr = ir.Call(self.work.mask(asked, bits), given)
        return bits, mask if length is None else ir.If(length, mask, ir.Const(0))

    def word(self, part: ir.Expr) -> tuple[str, ir.Expr | None]:
        """If a condition is a bit of the item in a word that the loop does not change: its table, and the word."""
        match part:
            case ir.Arith("&", ir.Cell(_, index) as word, ir.Table(table, ir.Local(item))) if item == self.item and (
                index is None or self.fixed(index)
            ):
                return table, word
            case _:
                return "", None

    def fixed(self, expr: ir.Expr) -> bool:
        """Whether it names the same in every round, and can be asked where there is none."""
        return isinstance(expr, ir.Const) or (isinstance(expr, ir.Local) and expr.name in self.bound)
