"""How random games draw their decisions: not by counting all options, where they need not be counted.

An option is drawn from a superset whose size is known at once, and drawn again if it is not legal. The result is
uniform over the legal options, as by counting, but other numbers of the generator are used: the games differ, their
distribution does not. It pays where pass is always possible and many of the combinations are legal (after `TRIES`
rejections the options are counted after all), and where a card of a zone has to be taken, of those that look alike one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import coming_to, routine_calls
from rulelang.compiler.ir.walk import child_exprs, statements, with_blocks
from rulelang.compiler.passes.analysis.cost import expensive
from rulelang.compiler.passes.choice.alike import is_card
from rulelang.compiler.passes.choice.enumerators import Rows
from rulelang.compiler.passes.choice.listing import listable
from rulelang.compiler.passes.choice.product import Nest, nest
from rulelang.compiler.passes.choice.shapes import Shape, may_compel, shape
from rulelang.compiler.passes.choice.weigh import Weighted, weigh
from rulelang.compiler.passes.simplify.membership_masks import use_membership_masks

Strategy = Literal["product", "weighted", "listed", "card", ""]

#: Combinations of ranges and rows in a source that is drawn.
WIDEST = 256


@record
class Sampling:
    """What a backend must know of a module to draw. Its functions are in the module that `sampling` answers.

    `strategies`: how decisions are drawn. `shapes`, `nests`: of all enumerators. `weighted`: supersets that decisions
    are drawn from. `anything`: by enumerator, the pure function of the same arguments that tells whether it has an
    option.
    `routines`: those that hold a decision that is drawn, and all that call them: they exist in this mode too, the rest
    is shared.
    """

    strategies: dict[ir.Pick, Strategy]
    shapes: dict[str, Shape]
    nests: dict[str, Nest | None]
    weighted: dict[str, Weighted]
    anything: dict[str, str]
    routines: frozenset[str]


def sampling(module: ir.Module) -> tuple[ir.Module, Sampling]:
    """The module with the functions that drawing needs besides its own, and what is drawn from which. What is counted
    asks masks then (see `simplify.membership_masks`)."""
    functions, tables = dict(module.functions), dict(module.tables)
    enumerators = {name: f for name, f in functions.items() if f.kind == "enumerator"}
    shapes = {name: shape(f) for name, f in enumerators.items()}
    nests = {name: nest(f) for name, f in enumerators.items()}
    possible = {name: found for name, f in enumerators.items() if (found := weigh(f, module.rows)) is not None}
    lists = {name for name, f in enumerators.items() if listable(f)}
    expensive = {name for name, f in enumerators.items() if _expensive(f)}
    ways: dict[ir.Pick, Strategy] = {}
    weighted: dict[str, Weighted] = {}
    anything: dict[str, str] = {}
    holders: set[str] = set()
    for name, function in module.functions.items():
        picks = [s for s in statements(function.body) if isinstance(s, ir.Pick)] if function.kind == "routine" else []
        for stmt in picks:
            way = _strategy(stmt, nests, shapes, possible, lists, expensive, module.rows)
            if not way:
                continue
            holders.add(name)
            ways[stmt] = way
            for enumerator in [s.enumerator for s in stmt.sources] if way in ("product", "weighted") else ():
                if way == "weighted" and enumerator in possible:
                    weighted[enumerator] = possible[enumerator]
                if way == "product" or enumerator in possible:
                    anything[enumerator] = f"{enumerator}?"
    for enumerator, name in anything.items():
        functions[name] = _whether(functions[enumerator], name)
    use_membership_masks(functions, tables)
    shapes = {name: shape(f) for name, f in functions.items() if f.kind == "enumerator"}
    made = Sampling(ways, shapes, nests, weighted, anything, frozenset(coming_to(holders, routine_calls(module))))
    return replace(module, functions=functions, tables=tables), made


def _expensive(function: ir.Function) -> bool:
    """Whether an enumerator asks what takes more than a few words."""
    return any(expensive(e) for s in statements(function.body) for e in child_exprs(s))


def _strategy(
    stmt: ir.Pick,
    nests: dict[str, Nest | None],
    shapes: dict[str, Shape],
    weighted: dict[str, Weighted],
    lists: set[str],
    expensive: set[str],
    rows: Rows,
) -> Strategy:
    """How a decision is drawn: "" by counting, unless pass is always possible and nothing compels, or a card of a zone
    has to be taken.

    From the product of all loops where two sources at least are products of two loops or more, and none of more than
    mostly are legal. Else by what is printed
    on the cards of a hand, or from a list of all options, where no hand multiplies them and there is more to ask than
    a few words.
    """
    if not stmt.chance and is_card(stmt, nests):
        return "card"
    if stmt.chance or stmt.may_pass != ir.Const(1) or may_compel(stmt, shapes):
        return ""
    if not all(isinstance(a, (ir.Local, ir.Const)) for s in stmt.sources for a in s.args):
        return ""
    names = [s.enumerator for s in stmt.sources]
    found = [nests[name] for name in names]
    loops = [len(n.loops) for n in found if n is not None]
    # Counting all in one go costs less than counting hoisted ones apart.
    together = any(n is None and shapes[name].hoisted for n, name in zip(found, names, strict=True))
    if not together and sum(n > 1 for n in loops) >= 2 and not any(n is not None and _wide(n, rows) for n in found):
        return "product"
    if any(shapes[name].hoisted for name in names):
        return "weighted" if any(name in weighted for name in names) else ""
    return "listed" if len(names) > 1 and lists.issuperset(names) and not expensive.isdisjoint(names) else ""


def _wide(found: Nest, rows: Rows) -> bool:
    """Whether what is there in every position alike, such as the spaces of a map, what lies near each, and the slots of
    somebody's things, makes so many combinations that few of them will be legal."""
    size = 1
    for loop in found.loops:
        match loop:
            case ir.ForRange(_, ir.Const(low), ir.Const(end)):
                size *= max(end - low, 0)
            case ir.ForRange(_, low, ir.Arith("+", before, ir.Const(many))) if low == before:
                size *= many
            case ir.ForTable(_, row):
                size *= max(map(len, rows[row]), default=0)
    return size > WIDEST


def _whether(function: ir.Function, name: str) -> ir.Function:
    """A pure function: 1 if the enumerator has an option."""

    def change(stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, ir.Yield):
            return ir.Return(ir.Const(1))
        if isinstance(stmt, ir.Return):
            return ir.Return(ir.Const(0))
        if isinstance(stmt, ir.ForArray):
            stmt = replace(stmt, distinct=None)  # what is equal to an item is as good
        return with_blocks(stmt, lambda block: tuple(map(change, block)))

    body = (*map(change, function.body), ir.Return(ir.Const(0)))
    return replace(function, name=name, kind="pure", body=body)
