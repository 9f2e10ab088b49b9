"""Invariants: whether one holds, and for what it does not: the first counterexample, with the values compared."""

from __future__ import annotations

from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, Scope, negate, when
from rulelang.compiler.lower.expr import values
from rulelang.compiler.lower.expr.expressions import cond, plain
from rulelang.compiler.lower.expr.iteration import loops
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name

#: By the number of each reason of a `why` function: the variables whose values come first, the conditions it is about.
Said = dict[int, tuple[tuple[tree.Local, ...], tuple[tree.Expr, ...]]]
#: What a text can show.
_SHOWN = ("int", "bool", "ref")


def holds(invariant: tree.Invariant, low: Lowering) -> str:
    """The function that answers whether it holds."""
    scope = Scope(low, f"invariant_{invariant.name}")
    base = cond(invariant.body, scope)
    modifies = low.graph.modifies_on.get(invariant.id, [])
    body = values.modified(low, modifies, base, (), True)
    return low.function(f"invariant_{invariant.name}", "pure", (), body, invariant.name, invariant.span)


def why(invariant: tree.Invariant, low: Lowering, said: Said | None = None) -> str:
    """The function that blames what it does not hold for: the first, or (with `said`, which is filled) everything."""
    body = _Blame(low, said).unless(invariant.body, Scope(low, f"why_{invariant.name}"), ())
    return low.function(f"why_invariant_{invariant.name}", "why", (), body, invariant.name, invariant.span)


def _always_there(e: tree.Expr, scope: Scope) -> bool:
    """Whether a condition reads through nothing that may be missing: then it is true or its denial is."""
    match e:
        case tree.Logic(left=left, right=right):
            return _always_there(left, scope) and _always_there(right, scope)
        case tree.Not(operand=operand):
            return _always_there(operand, scope)
        case tree.Query() | tree.Can():
            return True
    return cond(tree.Not(e.type, e.span, e), scope) == negate(cond(e, scope))


class _Blame:
    """`found`: the variables of the counterexample, in order."""

    def __init__(self, low: Lowering, said: Said | None) -> None:
        self.low, self.said = low, said
        self.end: list[ir.Stmt] = [ir.Return()] if said is None else []

    def unless(self, e: tree.Expr, scope: Scope, found: tuple[tree.Local, ...], wanted: bool = True) -> list[ir.Stmt]:
        """Blames that a condition is not as wanted, where that is so."""
        match e:
            case tree.Not(operand=operand) if _always_there(operand, scope):
                return self.unless(operand, scope, found, not wanted)
            case tree.Logic(op=op, left=left, right=right):
                parts = [self.unless(part, scope, found, wanted) for part in (left, right)]
                if (op == "and") == wanted:  # one that is not as wanted is enough
                    return [*parts[0], *parts[1]]
                held = [cond(part, scope) for part in (left, right)]
                if not wanted:
                    held = [ir.Not(part) for part in held]
                if isinstance(left, tree.Query):  # its counterexample ends the search
                    parts.reverse()
                return when(held[0], [], when(held[1], [], [*parts[0], *parts[1]]))
            case tree.Query(kind="all" as kind, binders=binders, body=body) if wanted and body is not None:
                return self.example(binders, body, scope, found, wanted=True)
            case tree.Query(kind="no" | "any" as kind, binders=binders) if (kind == "no") == wanted:
                return self.example(binders, None, scope, found, wanted=False)
            case _:
                blamed = [self.say([e], e.span, scope, found)]
                return when(cond(e, scope), [] if wanted else blamed, blamed if wanted else [])

    def example(
        self, binders: tuple[tree.Binder, ...], body: tree.Expr | None, scope: Scope, found: tuple[tree.Local, ...],
        *, wanted: bool,
    ) -> list[ir.Stmt]:  # fmt: skip
        """Blames the first combination of which a condition is not as wanted; None: the first there is."""
        mine = (*found, *(b.local for b in binders))

        def each(inner: Scope) -> list[ir.Stmt]:
            if body is not None:
                return when(cond(body, inner), [], [*self.unless(body, inner, mine), *self.end])
            tests = [b.where for b in binders if b.where is not None]
            return [self.say(tests, binders[0].span, inner, mine), *self.end]

        return loops(binders, scope, each)

    def say(self, conditions: list[tree.Expr], span: Span, scope: Scope, found: tuple[tree.Local, ...]) -> ir.Stmt:
        """`c is wolf; p.points is -1`: the variables, then the values that the conditions compare."""
        parts: list[str | tuple[int, str]] = []
        args: list[ir.Expr] = []

        def add(text: str, kind: str, value: ir.Expr) -> None:
            parts.extend([f"{', ' if parts else ''}`{text}` is ", (len(args), kind)])
            args.append(value)

        for local in found:
            add(local.text, type_name(local.type), scope.names[local.name])
        for side in (side for e in conditions for side in _sides(e)):
            text = self.low.source_text(side.span)
            if side.type.tag in _SHOWN and text and not any(text == local.text for local in found):
                add(text, type_name(side.type), plain(side, scope))
        number = self.low.reason(tuple(parts), "", span)
        if self.said is not None:
            self.said[number] = (found, tuple(conditions))
        return ir.Blame(number, tuple(args))


def _sides(e: tree.Expr) -> list[tree.Expr]:
    """The values on which a condition hangs."""
    match e:
        case tree.Compare(left=left, right=right):
            return [side for side in (left, right) if not isinstance(side, tree.Const)]
        case tree.Logic(left=left, right=right):
            return [*_sides(left), *_sides(right)]
        case tree.Not(operand=operand):
            return _sides(operand)
        case _:
            return [e]
