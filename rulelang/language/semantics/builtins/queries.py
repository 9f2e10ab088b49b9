"""The queries: questions about all that binders run over."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.language.semantics.builtins.row import Example, Query
from rulelang.language.semantics.types import BOOL, INT

_MEASURE = "compares numbers or levels of a ladder"


def _extreme(name: str, which: str, example: Example) -> Query:
    doc = f"the {which} number or ladder level; missing if no combination exists"
    because = f"`{name}` {_MEASURE}"
    return Query(name, f"{name}(BINDERS: E)", "measure", "body", doc, example, because, missing=True)


_ROWS = (
    Query(
        "any",
        "any(BINDERS)",
        None,
        BOOL,
        "whether at least one combination exists",
        Example(
            "value upset(player p) -> bool: any(snail s of p where s.mood == angry)", ("upset(ana)", "not upset(bob)")
        ),
        means="a query and a pattern",
    ),
    Query(
        "no",
        "no(BINDERS)",
        None,
        BOOL,
        "whether no combination exists",
        Example(
            "value at_ease(player p) -> bool: no(snail s of p where s.mood == angry)",
            ("at_ease(bob)", "not at_ease(ana)"),
        ),
    ),
    Query(
        "all",
        "all(BINDERS: COND)",
        "bool",
        BOOL,
        "whether the condition is true for every combination; true if no combination exists",
        Example(
            "value grown(player p) -> bool: all(snail s of p: s.size > 1)",
            ("grown(ana)", "not grown(bob)"),
            given="players: {ana: [ada size 2, ben size 3], bob: [dan]}",
        ),
        because="after the colon, `all` needs a condition",
    ),
    Query(
        "count",
        "count(BINDERS)",
        None,
        INT,
        "the number of combinations",
        Example(
            "value meetings(player p, player q) -> int: count(snail s of p, snail t of q)",
            ("meetings(ana, bob) == 3", "meetings(ana, ana) == 9"),
        ),
    ),
    Query(
        "sum",
        "sum(BINDERS: E)",
        "int",
        INT,
        "the sum of E over all combinations; 0 if no combination exists",
        Example(
            "value bulk(player p) -> int: sum(snail s of p: s.size)",
            ("bulk(ana) == 5", "bulk(bob) == 1"),
            given="players: {ana: [ada size 2, ben size 3], bob: [dan]}",
        ),
        because="`sum` adds numbers",
    ),
    _extreme(
        "min",
        "smallest",
        Example(
            "value calmest(player p) -> maybe mood: min(snail s of p: s.mood)",
            ("calmest(ana) == calm", "calmest(bob) is missing"),
            given="players: {ana: [ada mood angry, ben], bob: []}",
        ),
    ),
    _extreme(
        "max",
        "largest",
        Example(
            "value largest(player p) -> int: max(snail s of p: s.size) otherwise 0",
            ("largest(ana) == 3", "largest(bob) == 0"),
            given="players: {ana: [ada size 3, ben], bob: []}",
        ),
    ),
    Query(
        "first",
        "first(BINDER)",
        None,
        "member",
        "the first item, in natural order unless sorted; missing if no item exists",
        Example(
            "value foremost(player p) -> maybe snail: first(snail s of p with most s.size)",
            ("foremost(ana) == ben", "foremost(bob) is missing"),
            given="players: {ana: [ada, ben size 3, cleo size 3], bob: []}",
        ),
        missing=True,
        single=True,
    ),
)

#: By name, in the order of the reference.
QUERIES: Mapping[str, Query] = {row.name: row for row in _ROWS}
