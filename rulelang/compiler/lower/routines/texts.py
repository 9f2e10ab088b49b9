"""Texts with `{...}` parts as log templates and reasons."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Scope, both
from rulelang.compiler.lower.expr.expressions import plain, value
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT
from rulelang.language.semantics.state_layout import type_name

Parts = tuple[str | tuple[int, str], ...]


def text_parts(parts: tuple[str | tree.Expr, ...], scope: Scope) -> tuple[Parts, tuple[ir.Expr, ...]]:
    """The text with argument positions and kinds, and the arguments."""
    out: list[str | tuple[int, str]] = []
    args: list[ir.Expr] = []
    for part in parts:
        if isinstance(part, str):
            if part:
                out.append(part)
        elif isinstance(part, tree.Forms):
            number = plain(part.number, scope)
            if number not in args:
                args.append(number)
            out.append((args.index(number), f":{part.forms}"))
        else:
            out.append((len(args), type_name(part.type)))
            args.append(_said(part, scope))
    return tuple(out), tuple(args)


def _said(part: tree.Expr, scope: Scope) -> ir.Expr:
    """What a text names: a number that is read through something missing is missing, too, and not 0."""
    said, guards = value(part, scope)
    return ir.If(both(*guards), said, ir.Const(MISSING_INT)) if guards and part.type.tag == "int" else said
