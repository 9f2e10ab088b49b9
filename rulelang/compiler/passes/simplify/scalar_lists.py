"""A list that holds one item at most, and is gone over at once, is no list: what is done for the item stands where it
was appended. Where no order can be, none is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import child_exprs, has_break, has_continue, statements, with_blocks, with_inner


def scalarise_lists(module: ir.Module) -> None:
    for name, function in module.functions.items():
        if any(isinstance(s, ir.NewList) for s in statements(function.body)):
            uses = Counter(use for stmt in statements(function.body) for use in _lists_of(stmt))
            module.functions[name] = replace(function, body=_block(function.body, uses))


def _lists_of(stmt: Any) -> Iterator[str]:
    """The names that may be a list's, in a statement without what stands in it; once for each place."""
    for field in ("name", "list"):
        if isinstance(found := getattr(stmt, field, None), str):
            yield found
    for expr in child_exprs(stmt):
        for part in with_inner(expr):
            if isinstance(part, (ir.Length, ir.Item)):
                yield part.list
            elif isinstance(part, ir.Local):
                yield part.name


def _block(block: ir.Block, uses: Counter[str]) -> ir.Block:
    found: list[Any] = []
    for stmt in block:
        inner: Any = with_blocks(stmt, lambda b: _block(b, uses))
        match [*found[-2:], inner]:
            case [
                ir.NewList(name),
                ir.Branch(_, (ir.Append(into),), ()),
                ir.Branch(ir.Compare(">", ir.Length(asked), ir.Const(1)), _, ()),
            ] if name == into == asked:
                for gone in statements((inner,)):
                    uses.subtract(_lists_of(gone))
            case [
                ir.NewList(name),
                ir.Branch(test, (ir.Append(_, value),), ()),
                ir.ForList(item, again, body),
            ] if name == again and uses[name] == 3 and not has_break(body) and not has_continue(body):
                found[-2:] = [ir.Branch(test, (ir.Set(item, value), *body))]
            case _:
                found.append(inner)
    return tuple(found)
