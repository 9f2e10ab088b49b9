"""The constants and tables of a program, as the files in `runtime/` know them: what stands for `runtime/program.h`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from rulelang.backends.native import prelude
from rulelang.backends.native.pieces import CONSTANTS
from rulelang.backends.native.unit import NativeUnit, narrow, numbers
from rulelang.base import secrets
from rulelang.base.search_params import DEEPEST, EXPLORE, EXPLORING, MANNERS, MARGIN, PRIOR, WIN
from rulelang.base.secrets import SecretWord, ZoneRow, groups, references, secret_words, trait_words, zone_rows

_INTERNAL = ("POINT", "FUNCTION", "CROWDED", "TREE", "BROKEN")
_CELLS = (
    "round", "steps", "frame", "site", "decider", "over", "decisions", "forced",
    "rng_x", "rng_c", "policy_x", "policy_c", "curtain",
)  # fmt: skip


def program(unit: NativeUnit) -> list[str]:
    """The lines."""
    known = ",\n".join(f"    {name} = {value}" for name, value in constants(unit).items())
    found = [CONSTANTS, "enum {", *known.split("\n"), "};"]
    searches = bool(unit.module.layout.zones) and unit.module.score in unit.module.functions
    found.append(f"#define SEARCHES {int(searches)}")  # not in a program built by hand
    if searches:
        manners = ", ".join(f"{{{', '.join(map(str, manner))}}}" for manner in MANNERS.values())
        found += [f"#define SEARCHING {manners}", *_secrets(unit)]
    kept = " ".join(f"i64 {name}[{size}];" for name, size in unit.kept.items()) or "i64 none;"
    return [*found, _table("SIZES", [standing[0] for standing in unit.standings]), f"struct kept {{ {kept} }};"]


def constants(unit: NativeUnit) -> dict[str, int]:
    """By name. Those of `AT_...` are addresses of words, or of columns."""
    module, layout = unit.module, unit.module.layout
    parts = len(ranked(unit))
    return {
        **{prelude.error(kind): kind for kind in range(prelude.FAIL, prelude.UNSOUND + 1)},
        **{f"INTERNAL_{name}": getattr(prelude, name) for name in _INTERNAL},
        **{name: getattr(prelude, name) for name in ("ENDED", "PAUSED", "FAILED")},
        "STEP_LIMIT": module.limits["steps"], "SIZE": max(layout.size, 1), "STACK": layout.stack,
        **{f"AT_{name.upper()}": getattr(unit.cells, name) for name in _CELLS},
        "MAIN": unit.numbers.get(module.main, -1), "PLAYERS": layout.players, "PARTS": parts,
        "WIDTH": 3 + parts * layout.players,
        **{f"SEEN_{name}": getattr(secrets, name) for name in ("EVERYONE", "OWNER", "NOBODY", "BOX")},
        **{f"OF_{name}": getattr(secrets, name) for name in ("STATE", "PLAYER", "THING", "CARD")},
        **{f"AGENT_{name.upper()}": number for name, number in prelude.KINDS.items()},
        "CARDS": len(layout.cards), "ZONES_N": len(layout.zones), "SECRETS_N": len(secret_words(layout)),
        "TRAIT_WORDS_N": len(trait_words(layout)), "REFERENCES_N": len(references(layout)),
        "COLUMNS_N": len(_columns(unit)), "GROUPS_N": max(groups(layout), default=0),
        "AT_WHERE": layout.where, "AT_NEXT": layout.card_next, "AT_PREV": layout.card_prev,
        "OPTION": max((shape.arity for shape in unit.sampling.shapes.values()), default=0) + 2,
        "VALUES": unit.most_values, "TRIED": unit.most_tried, "WIN": WIN, "MARGIN": MARGIN, "EXPLORE": EXPLORE,
        "DEEPEST": DEEPEST, "EXPLORING": EXPLORING, "PRIOR": PRIOR,
    }  # fmt: skip


def ranked(unit: NativeUnit) -> list[str]:
    """The functions that rank players at the end: the score, then tiebreaks."""
    module = unit.module
    return [name for name in (module.score, *module.tiebreak) if name in module.functions]


def _secrets(unit: NativeUnit) -> list[str]:
    layout = unit.module.layout
    return [
        _rows("zone_row", "ZONES", _by_name(zone_rows(layout))),
        _rows("secret_word", "SECRETS", _by_name(secret_words(layout))),
        _rows("trait_word", "TRAIT_WORDS", ({"at": at, "card": card} for at, card in trait_words(layout))),
        _rows("reference", "REFERENCES", ({"base": base, "words": words} for base, words in references(layout))),
        _table("COLUMNS", _columns(unit)),
        _table("GROUPS", groups(layout)),
        _table("ZONE_PLAYER", layout.zone_player),
        _table("TEAM", _teams(unit.module.teams, layout.players)),
    ]


def _columns(unit: NativeUnit) -> list[int]:
    """Where words lie that tell of a card where it is."""
    layout = unit.module.layout
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


def _table(name: str, values: Sequence[int]) -> str:
    return f"static const {narrow(values)} {name}[] = {{{numbers(values)}}};"
