"""Loops over constant rows whose first tests ask of the item alone what tables tell go over shorter rows instead; what
is left of no row goes, and with it the sources of a decision that have no option at all."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    all_exprs,
    all_of,
    conjuncts,
    rewrite_expr,
    statements,
    with_blocks,
    with_inner,
)
from rulelang.compiler.passes.simplify.fold import fold

_KNOWN = (ir.Const, ir.Local, ir.Table, ir.Arith, ir.MinMax, ir.Compare, ir.Logic, ir.Not, ir.If)


def prune_rows(module: ir.Module) -> None:
    """Rewrite the module's functions; rows of the module that came to be are named after the one they come from."""
    work = _Work(module)
    for name, function in module.functions.items():
        module.functions[name] = replace(function, body=work.block(function.body))
    empty = {f.name for f in module.functions.values() if f.kind == "enumerator" and not f.body}
    for name, function in module.functions.items():
        if empty and any(isinstance(s, ir.Pick) for s in statements(function.body)):
            module.functions[name] = replace(function, body=_picking(function.body, empty))


def _picking(block: ir.Block, empty: set[str]) -> ir.Block:
    return tuple(with_blocks(_without(stmt, empty), lambda inner: _picking(inner, empty)) for stmt in block)


def _without(stmt: ir.Stmt, empty: set[str]) -> ir.Stmt:
    """A decision without sources that have no option; if none has any, it stays."""
    if not isinstance(stmt, ir.Pick):
        return stmt
    sources = tuple(source for source in stmt.sources if source.enumerator not in empty)
    return replace(stmt, sources=sources) if 0 < len(sources) < len(stmt.sources) else stmt


class _Work:
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
        return not busy and all(isinstance(e, (*_KNOWN, ir.Cell)) and not _divides(e) for e in all_exprs(stmt))

    def loop(self, loop: ir.ForTable) -> ir.ForTable:
        known: list[ir.Expr] = []
        body = loop.body
        while len(body) == 1 and isinstance(branch := body[0], ir.Branch) and not branch.otherwise:
            parts = conjuncts(branch.test)
            first = tuple(takewhile(lambda p: _of_item(p, loop.name), parts))
            rest = parts[len(first) :]
            known += first
            if rest:
                body = (ir.Branch(all_of(rest), branch.then),)
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
                    return fold(expr)

        found = rewrite_expr(test, known)
        assert isinstance(found, ir.Const), "a test of constants is a constant"
        return bool(found.value)


def _divides(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Arith) and expr.op in ("//", "%", "<<", ">>")


def _of_item(test: ir.Expr, name: str) -> bool:
    """Whether a test asks of the loop's item alone what is constant; a division may have no value."""
    inside = list(with_inner(test))
    return (
        all(isinstance(e, _KNOWN) for e in inside)
        and not any(_divides(e) for e in inside)
        and {e.name for e in inside if isinstance(e, ir.Local)} == {name}
    )
