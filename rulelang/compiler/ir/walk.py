"""Walking and rewriting the IR: what the passes and the backends share. Nothing here knows what a node means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, cast, get_args

from rulelang.compiler.ir import nodes as ir

EXPRS: tuple[type, ...] = get_args(ir.Expr)
STMTS: tuple[type, ...] = get_args(ir.Stmt)
LOOPS = (ir.While, ir.ForRange, ir.ForChain, ir.ForArray, ir.ForList, ir.ForTable)
FOR_LOOPS = (ir.ForRange, ir.ForChain, ir.ForArray, ir.ForList, ir.ForTable)


_NAMES: dict[type, tuple[str, ...]] = {}
# Kinds are asked by set: nodes have no subclasses, and looking through a tuple of all kinds takes most of a walk.
_EXPRS = frozenset(EXPRS)
_LEAVES = frozenset({ir.Const, ir.Local, ir.Length, ir.Mode})
_BODIES = frozenset({*LOOPS, ir.Given, ir.EnterRoutine})


def _names(kind: Any) -> tuple[str, ...]:
    if kind not in _NAMES:
        _NAMES[kind] = tuple(f.name for f in fields(kind))
    return _NAMES[kind]


_HOLDERS: dict[type, tuple[str, ...]] = {}


def _holders(kind: Any) -> tuple[str, ...]:
    """The fields of a node that hold expressions, by their annotations: most others are names and numbers."""
    if kind not in _HOLDERS:
        _HOLDERS[kind] = tuple(
            f.name for f in fields(kind) if any(word in str(f.type) for word in ("Expr", "Source", "SortKey"))
        )
    return _HOLDERS[kind]


def child_exprs(node: object) -> list[ir.Expr]:
    """The expressions directly in an expression or a statement (sources' arguments and sort keys too; not blocks)."""
    found: list[ir.Expr] = []
    for name in _holders(type(node)):
        value = getattr(node, name)
        if type(value) is not tuple:
            if type(value) in _EXPRS:
                found.append(value)
            continue
        for item in value:
            if type(item) in _EXPRS:
                found.append(item)
            elif isinstance(item, (ir.Source, ir.SortKey)):
                found += child_exprs(item)
    return found


def all_exprs(node: object) -> list[ir.Expr]:
    """The same, with everything inside them (outer before inner)."""
    found: list[ir.Expr] = []
    _gather_exprs(node, found)
    return found


def _gather_exprs(node: object, into: list[ir.Expr]) -> None:
    for child in child_exprs(node):
        into.append(child)
        if type(child) not in _LEAVES:
            _gather_exprs(child, into)


def with_subexpressions(expr: ir.Expr) -> list[ir.Expr]:
    """An expression and all that is in it."""
    found = [expr]
    _gather_exprs(expr, found)
    return found


def child_blocks(stmt: ir.Stmt) -> tuple[ir.Block, ...]:
    """The blocks directly in a statement."""
    if isinstance(stmt, ir.Branch):
        return (stmt.then, stmt.otherwise)
    if type(stmt) in _BODIES:
        return (cast(Any, stmt).body,)
    return ()


def all_statements(block: ir.Block) -> list[ir.Stmt]:
    """Every statement of a block, in text order, with those inside (outer before inner)."""
    found: list[ir.Stmt] = []
    _gather(block, found)
    return found


def _gather(block: ir.Block, into: list[ir.Stmt]) -> None:
    for stmt in block:
        into.append(stmt)
        for inner in child_blocks(stmt):
            _gather(inner, into)


def locals_read(node: object) -> set[str]:
    """Names of the locals (lists too) that the expressions of a node read, its blocks left out."""
    found: set[str] = set()
    for expr in all_exprs(node):
        found |= _own_reads(expr)
    if isinstance(node, EXPRS):
        found |= _own_reads(cast(ir.Expr, node))
    return found


def _own_reads(expr: ir.Expr) -> set[str]:
    if isinstance(expr, ir.Local):
        return {expr.name}
    if isinstance(expr, (ir.Length, ir.Item)):
        return {expr.list}
    return set()


def assigned_locals(stmt: ir.Stmt) -> tuple[str, ...]:
    """Locals a statement itself gives a value, loop variables included."""
    match stmt:
        case (
            ir.Set() | ir.ForRange() | ir.ForChain() | ir.ForArray() | ir.ForList() | ir.ForTable() | ir.NewList()
            | ir.ArrayToList() | ir.Random() | ir.DistinctList() | ir.NewTuples()
            | ir.ArrayView() | ir.Ask() | ir.Answered()
        ):  # fmt: skip
            return (stmt.name,)
        case ir.CallRoutine():
            return (stmt.result,) if stmt.result is not None else ()
        case ir.Pick():
            return (stmt.tag, *stmt.targets)
        case ir.Divide():
            return (stmt.quotient, stmt.remainder)
        case ir.CallPure():
            return stmt.results
        case ir.ReadTuple() | ir.Take():
            return stmt.targets
        case _:
            return ()


def callees(function: ir.Function) -> frozenset[str]:
    """Every function a function mentions: called, tried, blamed or enumerated."""
    if function.mentioned is None or function.mentioned[0] is not function.body:
        function.mentioned = function.body, _mentioned(function.body)
    return function.mentioned[1]


def _mentioned(body: ir.Block) -> frozenset[str]:
    found: set[str] = set()
    for stmt in all_statements(body):
        if isinstance(stmt, (ir.CallRoutine, ir.BlameCall, ir.CallPure, ir.Ask, ir.EnterRoutine)):
            found.add(stmt.function)
        elif isinstance(stmt, ir.ListAll):
            found.add(stmt.enumerator)
        elif isinstance(stmt, ir.Pick):
            found.update(source.enumerator for source in stmt.sources)
        for expr in all_exprs(stmt):
            if isinstance(expr, (ir.Call, ir.Trial)):
                found.add(expr.function)
    return frozenset(found)


def rewrite_expr(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """Bottom up: the parts first, then the whole through `change`."""
    return change(_with_parts(expr, lambda part: rewrite_expr(part, change)))


def rewrite_exprs(stmt: ir.Stmt, change: Callable[[ir.Expr], ir.Expr]) -> ir.Stmt:
    """The statement with every expression directly in it rewritten bottom up; its blocks stay."""
    return cast(ir.Stmt, _with_parts(stmt, lambda part: rewrite_expr(part, change)))


def rewrite_block(block: ir.Block, change: Callable[[ir.Expr], ir.Expr]) -> ir.Block:
    """The block with every expression in it rewritten bottom up."""
    return tuple(with_blocks(rewrite_exprs(stmt, change), lambda inner: rewrite_block(inner, change)) for stmt in block)


def _with_parts(node: Any, change: Callable[[ir.Expr], ir.Expr]) -> Any:
    changes: dict[str, Any] = {}
    for name in _holders(type(node)):
        old = getattr(node, name)
        new: Any = old
        if isinstance(old, tuple):
            new = tuple(_changed_part(item, change) for item in old)
        elif isinstance(old, EXPRS):
            new = change(cast(ir.Expr, old))
        if new != old:
            changes[name] = new
    return _replace(node, **changes) if changes else node


def _changed_part(item: Any, change: Callable[[ir.Expr], ir.Expr]) -> Any:
    if isinstance(item, EXPRS):
        return change(cast(ir.Expr, item))
    return _with_parts(item, change) if isinstance(item, (ir.Source, ir.SortKey)) else item


def with_blocks(stmt: ir.Stmt, change: Callable[[ir.Block], ir.Block]) -> ir.Stmt:
    """The statement with its blocks changed."""
    if isinstance(stmt, ir.Branch):
        return ir.Branch(stmt.test, change(stmt.then), change(stmt.otherwise))
    if type(stmt) in _BODIES:
        return cast(ir.Stmt, _replace(stmt, body=change(cast(Any, stmt).body)))
    return stmt


def _replace(node: Any, **changes: Any) -> Any:
    values = {name: changes.get(name, getattr(node, name)) for name in _names(type(node))}
    return type(node)(**values)


def has_continue(block: ir.Block) -> bool:
    """True if the block goes on with the loop that it is the body of."""
    return _holds_jump(block, ir.Continue)


def has_break(block: ir.Block) -> bool:
    """True if the block leaves the loop that it is the body of."""
    return _holds_jump(block, ir.Break)


def _holds_jump(block: ir.Block, kind: type) -> bool:
    return any(
        isinstance(s, kind)
        or (isinstance(s, ir.Branch) and (_holds_jump(s.then, kind) or _holds_jump(s.otherwise, kind)))
        for s in block
        if not isinstance(s, LOOPS)
    )


def substitute(expr: ir.Expr, params: tuple[str, ...], args: tuple[ir.Expr, ...]) -> ir.Expr:
    """The expression with the arguments in the place of the parameters."""
    given = dict(zip(params, args, strict=True))
    return rewrite_expr(expr, lambda e: given.get(e.name, e) if isinstance(e, ir.Local) else e)


def conjunction_of(parts: tuple[ir.Expr, ...]) -> ir.Expr:
    """One condition for several, at least one, that must hold: what `conjuncts` takes apart."""
    return parts[0] if len(parts) == 1 else ir.Logic("and", parts)


def returns_value(function: ir.Function) -> bool:
    """Whether a routine answers something."""
    return any(isinstance(s, ir.Return) and s.value is not None for s in all_statements(function.body))


def pure_functions(module: ir.Module) -> list[ir.Function]:
    """The functions that only read."""
    return [f for f in module.functions.values() if f.kind in ("pure", "enumerator")]


def conjuncts(test: ir.Expr) -> tuple[ir.Expr, ...]:
    """The parts of a condition all of which must hold; of any other it is the only one."""
    return test.parts if isinstance(test, ir.Logic) and test.op == "and" else (test,)
