"""Drawing from a superset of the options, again and again until one is legal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulelang.ir import nodes as ir
from rulelang.transform.choice.counting import ZERO, Enumerators, counting, decided, draw, on_the_spot, passed, store
from rulelang.transform.choice.loops import ONE, Fresh, minus, plus

#: Options that are refused before all are counted.
TRIES = 40


@dataclass(frozen=True, slots=True)
class Part:
    """The superset of one source. `size`: how many there are. `any`: whether there is an option among them. `take`:
    what ends with `Break` if the one with the number in a local, which it uses up, is an option."""

    size: ir.Expr
    any: ir.Expr
    take: Callable[[str], ir.Block]


def tried(stmt: ir.Pick, parts: list[Part], known: Enumerators, fresh: Fresh, empty: bool = False) -> ir.Block:
    """Draw until an option is legal, pass among them; after `TRIES` in vain all are counted after all. `empty`: there
    may be nothing in any superset, which is worth asking."""
    number, whole, tries = fresh("k"), fresh("w"), fresh("u")
    size: ir.Expr = ZERO
    for part in parts:
        size = plus(size, part.size)
    k = ir.Local(number)
    cheap = [part.any for part in parts if part.any == part.size]
    expensive = [part.any for part in parts if part.any != part.size]
    anything = ir.Logic("or", (*cheap, *expensive))  # what is known already is asked first
    found: ir.Block = (
        *store(stmt, -1, 0),
        ir.Branch(anything, (decided(stmt),), (ir.Forced(stmt.site),)),
        ir.Break(),
    )
    for at in range(len(parts) - 1, -1, -1):
        found = (ir.Branch(ir.Compare("<", k, parts[at].size), parts[at].take(number), found),)
        if at:
            found = (ir.Set(number, minus(k, parts[at - 1].size)), *found)
    again = on_the_spot(stmt, counting(stmt, known, fresh, False))
    body: ir.Block = (
        draw(number, ir.Local(whole)),
        *found,
        ir.Set(tries, plus(ir.Local(tries), ONE)),
        ir.Branch(ir.Compare(">", ir.Local(tries), ir.Const(TRIES)), (*again, ir.Break())),
    )
    loop: ir.Block = (ir.Set(tries, ZERO), ir.While(ONE, body))
    if empty:
        loop = (ir.Branch(ir.Compare("==", ir.Local(whole), ONE), passed(stmt), loop),)
    return (ir.Set(whole, plus(size, ONE)), *loop)
