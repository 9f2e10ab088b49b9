"""Who `this`, `self`, `partner` and `owner` are in rules that a trait, a card row or a list row brings."""

from __future__ import annotations

from rulelang.meaning import tree
from rulelang.meaning.check.symbols import Symbols, face_column
from rulelang.meaning.model import Zone
from rulelang.meaning.tree import Local, Origin
from rulelang.meaning.types import PLAYER, Type, ref

CORE = "these are the game's own rules, which no card or row brings"
ALWAYS = "`always` binds a rule to no bearer"


def bearer_types(symbols: Symbols, origin: Origin) -> dict[str, Type]:
    """The types of the implicit variables, by name; empty for core rules."""
    if origin.what == "core":
        return {}
    if origin.what == "row":
        return {"self": ref(origin.name)}
    if origin.what == "card":
        return _card(symbols, origin.name)
    for sort in symbols.model.sorts.values():
        if face_column(sort) is None:
            continue
        found = _card(symbols, sort.name)
        trait = symbols.model.traits.get(origin.name)
        if trait is not None and trait.pair is not None and found["self"].name != sort.name:
            found["partner"] = found["self"]
        return found
    return {}


def _card(symbols: Symbols, sort: str) -> dict[str, Type]:
    """`self` is what the card lies on in the zone where it works; for a player's or nobody's zone, the card itself."""
    zones = working_zones(symbols, sort)
    made = next((zone.of for zone in zones if zone.of in symbols.model.made), None)
    found = {"this": ref(sort), "self": ref(made or sort)}
    kinds = [zone.of for zone in zones if zone.of is not None]
    owners = {symbols.model.made[kind].of if kind in symbols.model.made else kind for kind in kinds}
    if "player" in owners:
        found["owner"] = PLAYER
    return found


def working_zones(symbols: Symbols, sort: str) -> list[Zone]:
    zones = [zone for zone in symbols.model.zones.values() if zone.holds == sort]
    return [zone for zone in zones if zone.in_force] or [zone for zone in zones if zone.playable] or zones


def bearer_locals(symbols: Symbols, origin: Origin) -> dict[str, Local]:
    return {name: Local(name, type_, name) for name, type_ in bearer_types(symbols, origin).items()}


def as_tree(locals_: dict[str, Local]) -> tree.Bearer:
    return tree.Bearer(locals_.get("this"), locals_.get("self"), locals_.get("partner"), locals_.get("owner"))
