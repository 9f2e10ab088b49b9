"""The built-in functions and queries."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.language.semantics.builtins.definitions import (
    BESIDE,
    CARDS,
    LADDER,
    LINE,
    LIST,
    Example,
    Function,
    Parameter,
    Query,
    Zone,
)
from rulelang.language.semantics.model import BOOL, INT, PLAYER, Type, ref

# ---- functions

_IN_ROW = "only things in a row (`line: true`) have this"
_UNKNOWN = "`$function` is not defined for $found"
_CARDS_LIE = """
players: {ana: [{ada: [slime 1, shell 2]}], bob: [ben]}
zones: {deck: [slime 2, shell 3]}
""".strip()
_TOOLS = """
lists: {skill: [dig, climb]}
cards:
  tool:
    columns: {needs: {is: condition on skill}}
    rows: {spade: {needs: "dig>=1; climb=0"}}
""".strip()


def _end(name: str, doc: str, example: Example, said: str) -> Function:
    zone = Parameter("zone", Zone("C"), f"`{name}` takes one zone")
    return Function(name, (zone,), ref("C", maybe=True), doc, example, {"C": CARDS}, said=said, printed=False)


def _beside(name: str, side: str, example: Example, said: str) -> Function:
    x = Parameter("x", ref("T"), _IN_ROW, _UNKNOWN)
    doc = f"the thing to the {side} of x in its row; missing if x is at the {side} end"
    return Function(name, (x,), ref("T", maybe=True), doc, example, {"T": LINE}, means="a neighbour in a line",
                    said=said)  # fmt: skip


def _extreme_function(name: str, which: str, example: Example, said: str) -> Function:
    n = Parameter("n", INT, f"`{name}` compares numbers")
    doc = f"the {which} of the numbers; to compare things, use the query `{name}`"
    means = f"the {which} of several numbers"
    return Function(name, (n,), INT, doc, example, several=True, means=means, said=said)


_FUNCTIONS = (
    _beside(
        "left_of",
        "left",
        Example("value ahead(snail s) -> maybe snail: left_of(s)", ("ahead(ben) == ada", "ahead(ada) is missing")),
        "the neighbor to the left of {thing}",
    ),
    _beside(
        "right_of",
        "right",
        Example(
            "value behind(snail s) -> maybe snail: right_of(s)",
            ("behind(ben) == cleo", "behind(cleo) is missing"),
        ),
        "the neighbor to the right of {thing}",
    ),
    Function(
        "neighbours",
        (
            Parameter(
                "x",
                ref("T"),
                "only spaces of a grid and things in a row (`line: true`) have neighbours",
                "$found has no neighbours",
            ),
        ),
        Type("set", "T"),
        "the neighbors of x, in its row or on its grid; use it in `y in neighbours(x)` and in binders",
        Example(
            "value angry_near(snail s) -> int: count(snail t in neighbours(s) where t.mood == angry)",
            ("angry_near(ada) == 1", "angry_near(ben) == 0", "ben in neighbours(cleo)", "ada not in neighbours(cleo)"),
        ),
        {"T": BESIDE},
        means="the neighbors of a thing",
        said="the neighbors of {thing}",
        beside=True,
    ),
    Function(
        "position",
        (Parameter("x", ref("T"), _IN_ROW, _UNKNOWN),),
        INT,
        "the position of x in its row, counted from the left, starting at 1",
        Example(
            "value place_in_row(snail s) -> int: position(s)",
            ("place_in_row(ada) == 1", "place_in_row(cleo) == 3"),
        ),
        {"T": LINE},
        means="the position in a row",
        said="the position of {thing}",
    ),
    Function(
        "adjacent",
        (
            Parameter("x", ref("T"), "only spaces of a grid and things in a row can be adjacent", _UNKNOWN),
            Parameter("y", ref("T"), "`adjacent` compares two of `$T`"),
        ),
        BOOL,
        "whether x and y are next to each other in a row, or are neighbors on a grid",
        Example(
            "value touching(snail s, snail t) -> bool: adjacent(s, t)",
            ("touching(ada, ben)", "not touching(ada, cleo)", "not touching(cleo, dan)"),
        ),
        {"T": BESIDE},
        means="whether two spaces are adjacent",
        said="whether {thing} and {other} are adjacent",
        beside=True,
    ),
    Function(
        "next",
        (Parameter("p", PLAYER, "`next` takes a player"),),
        PLAYER,
        "the player after p, in play order",
        Example("value after(player p) -> player: next(p)", ("after(ana) == bob", "after(after(ana)) == ana")),
        means="the next player",
        said="the player after {thing}",
    ),
    Function(
        "step",
        (
            Parameter(
                "level", ref("L"), "`step(level, n)` takes a level of a ladder", "$found is not a level of a ladder"
            ),
            Parameter("n", INT, "`step(level, n)` takes a number of levels"),
        ),
        ref("L", maybe=True),
        "the level n steps up the ladder (down, if n is negative); missing beyond either end of the ladder",
        Example(
            "value calmer(snail s) -> mood: step(s.mood, -1) otherwise calm",
            ("calmer(ben) == alert", "calmer(ada) == calm", "step(ben.mood, 1) is missing"),
        ),
        {"L": LADDER},
        means="a step on a ladder",
        said="the level {other} above {thing}",
    ),
    Function(
        "forbids",
        (
            Parameter(
                "condition",
                Type("condition", "M"),
                "`forbids(condition, measure)` takes a printed condition",
                "expected a condition, found $found",
            ),
            Parameter("measure", ref("M"), "the condition is on `$M`"),
        ),
        BOOL,
        "whether a printed condition requires the measure to be 0",
        Example(
            "value idle(tool t, skill k) -> bool: forbids(t.needs, k)",
            ("idle(spade, climb)", "not idle(spade, dig)"),
            _TOOLS,
        ),
        {"M": LIST},
        means="a test of a condition",
        printed=False,
    ),
    _extreme_function(
        "min",
        "smallest",
        Example(
            "value capped(int n) -> int: min(n, limit, 9)",
            ("capped(2) == 2", "capped(7) == 3"),
        ),
        "the smallest of {thing}",
    ),
    _extreme_function(
        "max",
        "largest",
        Example(
            "value not_below(int n) -> int: max(0, n)",
            ("not_below(-2) == 0", "not_below(4) == 4"),
        ),
        "the largest of {thing}",
    ),
    Function(
        "count",
        (Parameter("condition", BOOL, "`count` without a binder counts conditions"),),
        INT,
        "the number of conditions that are true; to count things, use the query `count`",
        Example(
            "value signs(snail s) -> int: count(s.mood == angry, s.size > 3, s is hungry)",
            ("signs(ben) == 2", "signs(ada) == 1"),
        ),
        several=True,
    ),
    _end(
        "top",
        "the top card of a zone, which is drawn next; for the cards on a thing, the newest card; missing if the "
        "zone is empty",
        Example(
            "value newest(snail s) -> int: top(s.gear).weight otherwise 0",
            ("newest(ada) == 2", "newest(ben) == 0", "top(deck).face == slime"),
            given=_CARDS_LIE,
        ),
        "the top card of {thing}",
    ),
    _end(
        "bottom",
        "the bottom card of a zone; for the cards on a thing, the oldest card; missing if the zone is empty",
        Example(
            "value oldest(snail s) -> int: bottom(s.gear).weight otherwise 0",
            ("oldest(ada) == 1", "bottom(deck).face == shell"),
            given=_CARDS_LIE,
        ),
        "the bottom card of {thing}",
    ),
)

#: By name, in the order of the reference.
FUNCTIONS: Mapping[str, Function] = {row.name: row for row in _FUNCTIONS}


# ---- queries

_MEASURE = "compares numbers or levels of a ladder"


def _extreme_query(name: str, which: str, example: Example) -> Query:
    doc = f"the {which} number or ladder level; missing if no combination exists"
    because = f"`{name}` {_MEASURE}"
    return Query(name, f"{name}(BINDERS: E)", "measure", "body", doc, example, because, missing=True)


_QUERIES = (
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
    _extreme_query(
        "min",
        "smallest",
        Example(
            "value calmest(player p) -> maybe mood: min(snail s of p: s.mood)",
            ("calmest(ana) == calm", "calmest(bob) is missing"),
            given="players: {ana: [ada mood angry, ben], bob: []}",
        ),
    ),
    _extreme_query(
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
QUERIES: Mapping[str, Query] = {row.name: row for row in _QUERIES}
