"""The built-in functions."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.semantics.builtins.families import BESIDE, CARDS, LADDER, LINE, LIST
from rulelang.semantics.builtins.row import Example, Function, Parameter, Zone
from rulelang.semantics.types import BOOL, INT, PLAYER, Type, ref

_IN_ROW = "only things that lie in a row (`line: true`) have this"
_UNKNOWN = "`$function` of $found is not known"
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
    zone = Parameter("zone", Zone("C"), f"`{name}` gives one card of one zone")
    return Function(name, (zone,), ref("C", maybe=True), doc, example, {"C": CARDS}, said=said, printed=False)


def _beside(name: str, side: str, example: Example, said: str) -> Function:
    x = Parameter("x", ref("T"), _IN_ROW, _UNKNOWN)
    doc = f"the thing to the {side} of x in its row; missing at the end of the row"
    return Function(name, (x,), ref("T", maybe=True), doc, example, {"T": LINE}, means="a neighbour in a line",
                    said=said)  # fmt: skip


def _extreme(name: str, which: str, example: Example, said: str) -> Function:
    n = Parameter("n", INT, f"`{name}` compares numbers")
    doc = f"the {which} of the numbers; the query of the same name looks among things"
    means = f"the {which} of several numbers"
    return Function(name, (n,), INT, doc, example, several=True, means=means, said=said)


_ROWS = (
    _beside(
        "left_of",
        "left",
        Example("value ahead(snail s) -> maybe snail: left_of(s)", ("ahead(ben) == ada", "ahead(ada) is missing")),
        "what lies left of {thing}",
    ),
    _beside(
        "right_of",
        "right",
        Example(
            "value behind(snail s) -> maybe snail: right_of(s)",
            ("behind(ben) == cleo", "behind(cleo) is missing"),
        ),
        "what lies right of {thing}",
    ),
    Function(
        "neighbours",
        (
            Parameter(
                "x",
                ref("T"),
                "spaces of a grid, and things that lie in a row (`line: true`), have neighbours",
                "$found has no neighbours",
            ),
        ),
        Type("set", "T"),
        "what lies beside x, in its row or on its grid: for `y in neighbours(x)` and for binders",
        Example(
            "value angry_near(snail s) -> int: count(snail t in neighbours(s) where t.mood == angry)",
            ("angry_near(ada) == 1", "angry_near(ben) == 0", "ben in neighbours(cleo)", "ada not in neighbours(cleo)"),
        ),
        {"T": BESIDE},
        means="what lies beside a thing",
        said="what is adjacent to {thing}",
        beside=True,
    ),
    Function(
        "position",
        (Parameter("x", ref("T"), _IN_ROW, _UNKNOWN),),
        INT,
        "the place of x in its row, from 1 at the left",
        Example(
            "value place_in_row(snail s) -> int: position(s)",
            ("place_in_row(ada) == 1", "place_in_row(cleo) == 3"),
        ),
        {"T": LINE},
        means="the place in a line",
        said="the position of {thing}",
    ),
    Function(
        "adjacent",
        (
            Parameter("x", ref("T"), "only spaces of a grid and things that lie in a row are adjacent", _UNKNOWN),
            Parameter("y", ref("T"), "`adjacent` asks about two of `$T`"),
        ),
        BOOL,
        "whether they lie side by side in a row, or are neighbours on a grid",
        Example(
            "value touching(snail s, snail t) -> bool: adjacent(s, t)",
            ("touching(ada, ben)", "not touching(ada, cleo)", "not touching(cleo, dan)"),
        ),
        {"T": BESIDE},
        means="the question whether two spaces touch",
        said="whether {thing} and {other} are adjacent",
        beside=True,
    ),
    Function(
        "next",
        (Parameter("p", PLAYER, "`next` gives the player after another"),),
        PLAYER,
        "the player who comes after p in the order of play",
        Example("value after(player p) -> player: next(p)", ("after(ana) == bob", "after(after(ana)) == ana")),
        means="the next player",
        said="the player after {thing}",
    ),
    Function(
        "step",
        (
            Parameter("level", ref("L"), "`step(level, n)` goes up or down a ladder", "$found is no level of a ladder"),
            Parameter("n", INT, "`step(level, n)` goes up by a number"),
        ),
        ref("L", maybe=True),
        "the level n levels up the ladder (down, if n is below 0); missing beyond its ends",
        Example(
            "value calmer(snail s) -> mood: step(s.mood, -1) otherwise calm",
            ("calmer(ben) == alert", "calmer(ada) == calm", "step(ben.mood, 1) is missing"),
        ),
        {"L": LADDER},
        means="a level up or down a ladder",
        said="the level {other} above {thing}",
    ),
    Function(
        "forbids",
        (
            Parameter(
                "condition",
                Type("condition", "M"),
                "`forbids(condition, measure)` asks whether a printed condition rules a measure out",
                "this is $found, not a condition",
            ),
            Parameter("measure", ref("M"), "the condition is one on `$M`"),
        ),
        BOOL,
        "whether a printed condition demands that there is none of a measure",
        Example(
            "value idle(tool t, skill k) -> bool: forbids(t.needs, k)",
            ("idle(spade, climb)", "not idle(spade, dig)"),
            _TOOLS,
        ),
        {"M": LIST},
        means="a question about a condition",
        printed=False,
    ),
    _extreme(
        "min",
        "least",
        Example(
            "value capped(int n) -> int: min(n, limit, 9)",
            ("capped(2) == 2", "capped(7) == 3"),
        ),
        "the least of {thing}",
    ),
    _extreme(
        "max",
        "greatest",
        Example(
            "value not_below(int n) -> int: max(0, n)",
            ("not_below(-2) == 0", "not_below(4) == 4"),
        ),
        "the greatest of {thing}",
    ),
    Function(
        "count",
        (Parameter("condition", BOOL, "`count` without a binder counts what holds"),),
        INT,
        "how many of the conditions hold; the query of the same name counts things",
        Example(
            "value signs(snail s) -> int: count(s.mood == angry, s.size > 3, s is hungry)",
            ("signs(ben) == 2", "signs(ada) == 1"),
        ),
        several=True,
    ),
    _end(
        "top",
        "the card on top of a zone, which is drawn next; on things the youngest; missing where none lies",
        Example(
            "value newest(snail s) -> int: top(s.gear).weight otherwise 0",
            ("newest(ada) == 2", "newest(ben) == 0", "top(deck).face == slime"),
            given=_CARDS_LIE,
        ),
        "the top card of {thing}",
    ),
    _end(
        "bottom",
        "the card at the bottom of a zone; on things the oldest; missing where none lies",
        Example(
            "value oldest(snail s) -> int: bottom(s.gear).weight otherwise 0",
            ("oldest(ada) == 1", "bottom(deck).face == shell"),
            given=_CARDS_LIE,
        ),
        "the bottom card of {thing}",
    ),
)

#: By name, in the order of the reference.
FUNCTIONS: Mapping[str, Function] = {row.name: row for row in _ROWS}
