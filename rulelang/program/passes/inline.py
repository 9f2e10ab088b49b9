"""Small pure functions are put where they are called, and what is constant is worked out.

Only functions whose value is one expression (branches that all return count as one), not recursive, of a bounded size.
An argument that is more than a name, a constant or a plain word is put in only where it is used at most once.
"""

from __future__ import annotations

from dataclasses import replace

from rulelang.program import ir
from rulelang.program.passes.fold import fold, fold_block
from rulelang.program.passes.recursion import components, mark_recursive
from rulelang.program.passes.walk import all_exprs, rewrite_expr, rewrite_exprs, with_blocks, with_inner

#: Nodes of an expression that is still put in place; a call costs about as much as eight words read.
SIZE = 24
#: How large an expression may grow by what is put in it.
GROWN = 160


def inline(module: ir.Module) -> None:
    """Rewrite the module's functions: callees first, so that what is put in has been simplified before."""
    mark_recursive(module)
    small: dict[str, tuple[tuple[str, ...], ir.Expr]] = {}
    for group in components(module):
        for name in group:
            function = module.functions[name]
            body = _inlined(function.body, small)
            module.functions[name] = function = replace(function, body=body)
            if function.kind == "pure" and not function.recursive and not function.lists:
                value = as_expression(body)
                if value is not None and _size(value) <= SIZE:
                    small[name] = (function.params, value)


def _inlined(block: ir.Block, small: dict[str, tuple[tuple[str, ...], ir.Expr]]) -> ir.Block:
    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Call) and expr.function in small:
            params, value = small[expr.function]
            if _worth(params, value, expr.args):
                given = dict(zip(params, expr.args, strict=True))
                return _folded(value, given)
        return fold(expr)

    def inside(block: ir.Block) -> ir.Block:
        return fold_block(tuple(with_blocks(rewrite_exprs(s, change), inside) for s in block))

    return inside(block)


def _folded(value: ir.Expr, given: dict[str, ir.Expr]) -> ir.Expr:
    return rewrite_expr(value, lambda e: given[e.name] if isinstance(e, ir.Local) and e.name in given else fold(e))


def _worth(params: tuple[str, ...], value: ir.Expr, args: tuple[ir.Expr, ...]) -> bool:
    uses = [e.name for e in with_inner(value) if isinstance(e, ir.Local)]
    for param, arg in zip(params, args, strict=True):
        count = uses.count(param)
        if isinstance(arg, (ir.Local, ir.Const)) or count <= 1 or (count == 2 and _plain_word(arg)):
            continue
        return False
    return _size(value) + sum(_size(a) for a in args) <= GROWN


def _plain_word(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Cell) and (expr.index is None or isinstance(expr.index, (ir.Local, ir.Const)))


def _size(expr: ir.Expr) -> int:
    return 1 + sum(1 for _ in all_exprs(expr))


def as_expression(block: ir.Block) -> ir.Expr | None:
    """A body that only tests and returns, as one expression; None if it does more."""
    if not block:
        return None
    first, rest = block[0], block[1:]
    if isinstance(first, ir.Return):
        return first.value
    if not isinstance(first, ir.Branch):
        return None
    then = as_expression((*first.then, *rest))
    otherwise = as_expression((*first.otherwise, *rest))
    return None if then is None or otherwise is None else fold(ir.If(first.test, then, otherwise))
