"""The built-in names that stand by themselves."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.language.semantics.builtins.row import Example, Name
from rulelang.language.semantics.types import INT, PHASE, PLAYER

_ROWS = (
    Name(
        "players",
        INT,
        "the number of players",
        "the number of players",
        Example("value is_duel -> bool: players == 2", ("is_duel",)),
        said="the number of players",
        printed=True,
    ),
    Name(
        "active",
        PLAYER.optional(),
        "the player whose turn it is, in the outermost `turns`; missing outside `turns`",
        "the player whose turn it is",
        Example("value on_turn(snail s) -> bool: s.owner == active", ("not on_turn(ada)", "not on_turn(dan)")),
        said="the player whose turn it is",
        sure=frozenset({"turns"}),
    ),
    Name(
        "actor",
        PLAYER.optional(),
        "the player who must respond to an offer or a question; missing if there is neither",
        "the player who must respond to an offer or a question",
        Example("value mine(snail s) -> bool: s.owner == actor", ("not mine(ada)",)),
        said="you",
        sure=frozenset({"action", "turns"}),
    ),
    Name(
        "round",
        INT,
        "the round number, starting at 1",
        "the round number",
        Example("value is_early -> bool: round < 2", ("is_early",)),
        said="the round",
    ),
    Name(
        "phase",
        PHASE.optional(),
        "the current phase; missing outside a phase",
        "the current phase",
        Example("value at_dawn -> bool: phase == dawn", ("at_dawn",)),
        said="the phase",
    ),
    Name(
        "nobody",
        PLAYER,
        "an owner that is not a player: it gets no questions, offers or score, and loops over players skip it; "
        "changes to `nobody` have no effect",
        "the owner that never acts",
        Example("value is_wild(snail s) -> bool: s.owner == nobody", ("not is_wild(ada)",)),
        said="nobody",
        printed=True,
    ),
    Name(
        "option",
        None,
        "the options chosen for this table: `option.NAME` is the value of the option NAME, which the manifest declares",
        "the options chosen for a table",
        Example("value is_wet -> bool: option.dew or option.length > 3", ("not is_wet",)),
        printed=True,
    ),
    Name(
        "none",
        None,
        "a missing value",
        "a missing value",
        Example(
            "value hurt(snail s) -> maybe snail: s if s.mood == angry else none",
            ("hurt(ben) == ben", "hurt(ada) is missing"),
        ),
    ),
    Name(
        "box",
        None,
        "the zone for cards that are out of the game",
        "the zone for cards that are out of the game",
        Example("value is_out(card c) -> bool: c in box", ("no(card c in deck where is_out(c))",)),
    ),
)

#: What rules of a card or a row say of what brings them.
_BEARERS = (
    Name("self", None, "the thing that the card is on, or the row itself", "the bearer of a card", None),
    Name("this", None, "the card that has the rule", "the card or row that has the rule", None),
    Name(
        "owner", None, "the player who owns `self`, or whose zone the card is in", "the player who owns a thing", None
    ),
    Name("partner", None, "the other thing in a pair", "the other thing in a pair", None),
)

#: By name, in the order of the reference. Nothing declared may take them.
NAMES: Mapping[str, Name] = {row.name: row for row in _ROWS}
BEARERS: Mapping[str, Name] = {row.name: row for row in _BEARERS}
#: Those that stand for a player.
PLAYERS = tuple(row.name for row in _ROWS if row.type is not None and row.type.sure() == PLAYER)
