"""The lists that every ruleset has."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.language.semantics.builtins.row import Example, Rows

_ROWS = (
    Rows(
        "pair",
        ("mutual", "directed"),
        "how the rules of a trait with `pair:` apply: to both things, or from one thing to the other",
        Example(
            "value one_way(trait t) -> bool: t.pair == directed",
            ("not one_way(shell)",),
        ),
    ),
    Rows(
        "side",
        ("left", "right"),
        "the ends of a row of things, used in `create ... at`",
        Example(
            "routine join_in(player p, side end): create snail of p at end",
            ("left_of(ada) is present", "right_of(ada) is missing"),
            given="players: {ana: [ada], bob: [dan]}",
            when=("join_in ana left",),
        ),
    ),
)

#: By name. Nothing declared may take them.
LISTS: Mapping[str, Rows] = {row.name: row for row in _ROWS}
