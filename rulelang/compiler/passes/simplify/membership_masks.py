"""Whether a chain holds something like the item that a loop has come to: asked of a mask, made once before the loop.

`no(card d in s.hidden where d.face == c.face)`, asked for every card `c` of a hand, goes along the chain for each of
them; the faces of the chain as bits tell it of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    assigned,
    conjuncts,
    locals_read,
    statements,
    substitute,
    with_blocks,
)

_T = TypeVar("_T")

#: Values from which on a property has too many for the bits of a word.
BITS = 63


@record
class _Alike:
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
    known = {name: found for name, f in functions.items() if (found := _alike(f, tables)) is not None}
    if not known:
        return
    work = _Work(known, functions, tables)
    for name, function in list(functions.items()):
        if function.kind == "enumerator":
            work.serial = 0
            functions[name] = replace(function, body=work.block(function.body, frozenset(function.params)))


def _alike(function: ir.Function, tables: Mapping[str, tuple[int, ...]]) -> _Alike | None:
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
        ) if one == other and name in (left, right) and all(0 <= v < BITS for v in tables[one]):
            item = right if name == left else left
            if item in function.params and item not in locals_read(loop):
                return _Alike(function, loop, one, function.params.index(item))
    return None


class _Work:
    def __init__(
        self, known: Mapping[str, _Alike], functions: dict[str, ir.Function], tables: dict[str, tuple[int, ...]]
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
        made = {name for stmt in statements((loop,)) for name in assigned(stmt)}
        tests = _Tests(self, loop.name, bound - made)
        body = self.block(tests.block(loop.body), bound | {loop.name})
        return [*tests.masks, replace(loop, body=body)]

    def mask(self, asked: _Alike, bits: str) -> str:
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


class _Tests:
    """The tests of one loop. `masks`: what stands before the loop then."""

    def __init__(self, work: _Work, item: str, bound: frozenset[str]) -> None:
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
