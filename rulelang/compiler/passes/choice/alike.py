"""A decision for one of the cards of a zone: any of them is drawn, again and again, until it is the first of those that
look like it. Nobody looks through all of them for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.choice.counting import NOTHING, ZERO, decided, draw, store
from rulelang.compiler.passes.choice.loops import ONE, Fresh, bind
from rulelang.compiler.passes.choice.product import Nest, placed


def is_card(stmt: ir.Pick, nests: Mapping[str, Nest | None]) -> bool:
    """Whether the options of a decision are the cards of one zone, of those that look alike one, and one has to be
    taken. So there is always one that is drawn."""
    if stmt.may_pass != ZERO or len(stmt.sources) != 1:
        return False
    found = nests[stmt.sources[0].enumerator]
    if found is None or found.before or any(found.tests) or len(found.loops) > 1:
        return False
    return isinstance(found.loops[0], ir.ForArray) and found.loops[0].distinct is not None


def pick_card(
    stmt: ir.Pick, nests: Mapping[str, Nest | None], functions: Mapping[str, ir.Function], fresh: Fresh
) -> ir.Block:
    """The decision, for which `is_card` holds."""
    source = stmt.sources[0]
    found = nests[source.enumerator]
    assert found is not None
    nest = placed(found, functions[source.enumerator], source, 0)
    cards: Any = nest.loops[0]
    look = cards.distinct
    zone, many, number, first, other, several = (ir.Local(fresh(hint)) for hint in "znkcom")
    card = replace(cards, zone=zone, distinct=None)
    bound, values = bind(card, number.name, {}), tuple(map(ir.Set, stmt.targets, nest.values))
    differs = ir.Compare("!=", ir.Table(look, other), ir.Table(look, first))
    is_first = ir.FirstLike(zone, number, ir.Local(card.name), look)
    drawn = (draw(number.name, many), *bound, ir.Branch(is_first, (ir.Break(),)))
    some: ir.Block = (
        ir.Set(first.name, ir.Cell(1, zone)),
        ir.Set(several.name, ZERO),
        ir.ForArray(other.name, zone, (ir.Branch(differs, (ir.Set(several.name, ONE), ir.Break())),)),
        ir.Branch(
            several,
            (decided(stmt), ir.While(ONE, drawn)),
            (ir.Set(number.name, ZERO), *bound, ir.Forced(stmt.site)),
        ),
        *values,
        *store(stmt, source.tag, len(values)),
    )
    return (
        ir.Set(zone.name, cards.zone),
        ir.Set(many.name, ir.Cell(0, zone)),
        ir.Branch(many, some, store(stmt, NOTHING, 0)),
    )
