"""Small pure functions are put where they are called, and what is constant is worked out.

A function that is one constant unless a cheap test holds, and has loops, gets the test put before its call. A table
of a table is one table.

Only functions whose value is one expression (branches that all return count as one), not recursive, of a bounded size.
An argument that is more than a name, a constant or a plain word is put in only where it is used at most once.
"""

from __future__ import annotations

from dataclasses import replace

from rulelang.base.graphs import strongly_connected
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import call_graph, mark_recursive
from rulelang.compiler.ir.walk import rewrite_expr, with_inner
from rulelang.compiler.passes.analysis.cost import expensive, size
from rulelang.compiler.passes.analysis.failing import failing_functions, may_fail
from rulelang.compiler.passes.simplify.fold import fold, rewrite_folding

#: Nodes of an expression that is still put in place; a call costs about as much as eight words read.
SIZE = 60
#: How large an expression may grow by what is put in it.
GROWN = 300
#: Nodes of a test that is told twice: before a call, and in what is called.
GUARD = 12

Values = dict[str, tuple[tuple[str, ...], ir.Expr]]
Guards = dict[str, tuple[tuple[str, ...], ir.Expr, ir.Const]]


def inline(module: ir.Module) -> None:
    """Rewrite the module's functions: callees first, so that what is put in has been simplified before."""
    mark_recursive(module)
    small: Values = {}
    guarded: Guards = {}
    failing = failing_functions(module)
    for group in strongly_connected(call_graph(module)):
        for name in group:
            function = module.functions[name]
            body = _inlined(function.body, small, guarded, module, failing)
            module.functions[name] = function = replace(function, body=body)
            if function.kind == "pure" and not function.recursive and not function.lists:
                value = as_expression(body)
                if value is not None and size(value) <= SIZE:
                    small[name] = (function.params, value)
                    continue
                guard = _guard(body)
                if guard is not None:
                    guarded[name] = (function.params, *guard)


def _guard(body: ir.Block) -> tuple[ir.Expr, ir.Const] | None:
    """The test without which a function is this constant, if it is cheap."""
    match body:
        case (ir.Branch(test, _, ()), ir.Return(ir.Const() as rest)):
            pass
        case (ir.Set(name, ir.Const() as rest), ir.Branch(test, _, ()), ir.Return(ir.Local(answer))) if name == answer:
            pass
        case _:
            return None
    return (test, rest) if size(test) <= GUARD and not expensive(test) else None


def _joined(module: ir.Module, outer: str, inner: str) -> str:
    """The table of `outer[inner[i]]` by i."""
    name = f"{outer}@{inner}"
    if name not in module.tables:
        whole = module.tables[outer]
        module.tables[name] = tuple(whole[i] if 0 <= i < len(whole) else 0 for i in module.tables[inner])
    return name


def _inlined(block: ir.Block, small: Values, guarded: Guards, module: ir.Module, failing: set[str]) -> ir.Block:
    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Table) and isinstance(expr.index, ir.Table):
            return ir.Table(_joined(module, expr.name, expr.index.name), expr.index.index)
        if isinstance(expr, ir.Call) and expr.function in small:
            params, value = small[expr.function]
            # An argument is worked out before a call, also if nothing comes to need it.
            if _worth(params, value, expr.args) and not any(may_fail(arg, failing) for arg in expr.args):
                given = dict(zip(params, expr.args, strict=True))
                return _folded(value, given)
        if isinstance(expr, ir.Call) and expr.function in guarded:
            params, test, rest = guarded[expr.function]
            if all(isinstance(arg, (ir.Local, ir.Const)) for arg in expr.args):
                return fold(ir.If(_folded(test, dict(zip(params, expr.args, strict=True))), expr, rest))
        return fold(expr)

    return rewrite_folding(block, change)


def _folded(value: ir.Expr, given: dict[str, ir.Expr]) -> ir.Expr:
    return rewrite_expr(value, lambda e: given[e.name] if isinstance(e, ir.Local) and e.name in given else fold(e))


def _worth(params: tuple[str, ...], value: ir.Expr, args: tuple[ir.Expr, ...]) -> bool:
    uses = [e.name for e in with_inner(value) if isinstance(e, ir.Local)]
    for param, arg in zip(params, args, strict=True):
        count = uses.count(param)
        if isinstance(arg, (ir.Local, ir.Const)) or count <= 1 or (count == 2 and _plain_word(arg)):
            continue
        return False
    return size(value) + sum(size(a) for a in args) <= GROWN


def _plain_word(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Cell) and (expr.index is None or isinstance(expr.index, (ir.Local, ir.Const)))


def as_expression(block: ir.Block) -> ir.Expr | None:
    """A body that only tests and returns, as one expression; None if it does more, or comes to more than is put in
    place anyway: what follows a test that does not end everything is there twice, and tests that follow each other are
    many."""
    return _expression(block, [SIZE])


def _expression(block: ir.Block, room: list[int]) -> ir.Expr | None:
    """`room`: one number, of the tests and values that may still come."""
    room[0] -= 1
    if not block or room[0] < 0:
        return None
    first, rest = block[0], block[1:]
    if isinstance(first, ir.Return):
        return first.value
    if not isinstance(first, ir.Branch):
        return None
    then = _expression((*first.then, *rest), room)
    otherwise = None if then is None else _expression((*first.otherwise, *rest), room)
    return None if then is None or otherwise is None else fold(ir.If(first.test, then, otherwise))
