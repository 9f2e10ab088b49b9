"""What agents know of a game, as constants and tables in C: what stands for `game.h`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from rulelang.base import hidden_state
from rulelang.base.hidden_state import (
    SecretWord,
    ZoneRow,
    card_references,
    exchange_groups,
    secret_words,
    trait_words,
    zone_rows,
)
from rulelang.base.layout import Layout
from rulelang.base.search_params import DEEPEST, EXPLORE, EXPLORING, MARGIN, PRIOR, SEARCH_SETTINGS, WIN
from rulelang.compiler.backends.native.tables import table
from rulelang.compiler.ir import nodes as ir

#: Agents of the library.
KINDS = {"random": 0, "first": 1, "greedy": 2, "mc": 3, "ismcts": 4}
#: An internal error of a library (`backends.native.prelude`): a search tree needs more room.
TREE = 10


def game(module: ir.Module) -> list[str]:
    """The lines."""
    layout = module.layout
    manners = ", ".join(f"{{{', '.join(map(str, manner))}}}" for manner in SEARCH_SETTINGS.values())
    return [
        f"enum {{ {', '.join(f'{name} = {value}' for name, value in constants(layout).items())} }};",
        "#define SEARCHES 1",
        f"#define SEARCHING {manners}",
        _rows("zone_row", "ZONES", _by_name(zone_rows(layout))),
        _rows("secret_word", "SECRETS", _by_name(secret_words(layout))),
        _rows("trait_word", "TRAIT_WORDS", ({"at": at, "card": card} for at, card in trait_words(layout))),
        _rows("reference", "REFERENCES", ({"base": base, "words": words} for base, words in card_references(layout))),
        table("COLUMNS", _columns(layout)),
        table("GROUPS", exchange_groups(layout)),
        table("ZONE_PLAYER", layout.zone_player),
        table("TEAM", _teams(module.teams, layout.players)),
    ]


def constants(layout: Layout) -> dict[str, int]:
    """By name."""
    return {
        **{f"SEEN_{name}": getattr(hidden_state, name) for name in ("EVERYONE", "OWNER", "NOBODY", "BOX")},
        **{f"OF_{name}": getattr(hidden_state, name) for name in ("STATE", "PLAYER", "THING", "CARD")},
        **{f"AGENT_{name.upper()}": number for name, number in KINDS.items()},
        "ZONES_N": len(layout.zones), "SECRETS_N": len(secret_words(layout)),
        "TRAIT_WORDS_N": len(trait_words(layout)), "REFERENCES_N": len(card_references(layout)),
        "COLUMNS_N": len(_columns(layout)), "GROUPS_N": max(exchange_groups(layout), default=0),
        "INTERNAL_TREE": TREE, "WIN": WIN, "MARGIN": MARGIN, "EXPLORE": EXPLORE,
        "DEEPEST": DEEPEST, "EXPLORING": EXPLORING, "PRIOR": PRIOR,
    }  # fmt: skip


def _columns(layout: Layout) -> list[int]:
    """Where words lie that tell of a card where it is."""
    return [c for c in (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.silent) if c]


def _teams(teams: Sequence[Sequence[int]], players: int) -> list[int]:
    """By seat, the number of its team."""
    found = [0] * (players + 1)
    for number, team in enumerate(teams or [(seat,) for seat in range(1, players + 1)], 1):
        for seat in team:
            found[seat] = number
    return found


def _by_name(rows: Iterable[ZoneRow | SecretWord]) -> Iterable[dict[str, int]]:
    return ({field.name: getattr(row, field.name) for field in fields(row)} for row in rows)


def _rows(kind: str, name: str, rows: Iterable[dict[str, int]]) -> str:
    """C knows no empty arrays."""
    texts = ["{" + ", ".join(f".{field} = {value}" for field, value in row.items()) + "}" for row in rows]
    return f"static const {kind} {name}[] = {{{', '.join(texts or ['{0}'])}}};"
