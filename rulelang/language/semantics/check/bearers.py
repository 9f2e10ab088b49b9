"""Who `this`, `self`, `partner` and `owner` are in rules that a trait, a card row or a list row brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.english import a_or_an
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.symbols import Signature, Symbols
from rulelang.language.semantics.model import Row, Zone
from rulelang.language.semantics.tree import Local, Origin
from rulelang.language.semantics.types import PLAYER, Type, ref

CORE = "the game's own rules do not belong to a card or row"
ALWAYS = "an `always` rule has no bearer"


def bearer_types(symbols: Symbols, origin: Origin) -> dict[str, Type]:
    """The types of the implicit variables, by name; empty for core rules.

    `self` or `owner` is a `maybe` where the cards may also work where there is none: on no thing, or with no player.
    """
    if origin.what == "core":
        return {}
    if origin.what == "row":
        return {"self": ref(origin.name)}
    if origin.what == "card":
        return {**_card(symbols, [origin.name]), "self": ref(origin.name)}
    sorts = sorts_of(symbols, origin.name)
    if not sorts:
        return {}
    found = _card(symbols, sorts)
    trait = symbols.model.traits.get(origin.name)
    if trait is not None and trait.pair is not None and found["self"].name not in symbols.model.sorts:
        found["partner"] = found["self"].sure()
    return found


def bearer_of(symbols: Symbols, signature: Signature) -> Type | None:
    """What bears an action of a trait or row, as hooks name it behind `of`; None for what nothing bears."""
    if signature.what != "action" or signature.always:
        return None
    return bearer_types(symbols, signature.origin).get("self")


def sorts_of(symbols: Symbols, trait: str) -> list[str]:
    """The sorts with cards that show a trait; all that may, where none does."""
    sorts = symbols.trait_sorts()
    declared = symbols.model.traits.get(trait)
    number = declared.number if declared is not None else 0
    showing = [sort for sort in sorts if any(_shows(row, number) for row in sort.rows)]
    return [sort.name for sort in showing or sorts]


def _shows(row: Row, trait: int) -> bool:
    face, faces = row.columns.get("face"), row.columns.get("faces")
    return face == trait or (isinstance(faces, tuple) and trait in faces)


def _card(symbols: Symbols, sorts: Sequence[str]) -> dict[str, Type]:
    """`self` is what the card lies on in the zones where it works; the card itself, where it lies on nothing there."""
    made = symbols.model.made
    zones = working_zones(symbols, sorts)
    on = [zone.of for zone in zones if zone.of is not None and zone.of in made]
    found = {"this": ref(sorts[0]), "self": ref(sorts[0])}
    if on:
        found["self"] = ref(on[0]) if len(on) == len(zones) else ref(on[0]).optional()
    owned = [zone for zone in zones if zone.of == "player" or zone.of in made]
    if owned:
        found["owner"] = PLAYER if len(owned) == len(zones) else PLAYER.optional()
    return found


def ever_in_force(symbols: Symbols, origin: Origin) -> bool:
    """Whether cards that bring such rules may lie in force."""
    sorts = [origin.name] if origin.what == "card" else sorts_of(symbols, origin.name)
    return any(zone.in_force and zone.holds in sorts for zone in symbols.model.zones.values())


def working_zones(symbols: Symbols, sorts: Sequence[str]) -> list[Zone]:
    """The zones where rules of these cards work; any that hold them, where they work nowhere."""
    zones = [zone for zone in symbols.model.zones.values() if zone.holds in sorts]
    return [zone for zone in zones if zone.in_force] or zones


def bearer_locals(symbols: Symbols, origin: Origin) -> dict[str, Local]:
    return {name: Local(name, type_, name) for name, type_ in bearer_types(symbols, origin).items()}


def as_tree(locals_: Mapping[str, Local]) -> tree.Bearer:
    return tree.Bearer(locals_.get("this"), locals_.get("self"), locals_.get("partner"), locals_.get("owner"))


def one_kind_each(symbols: Symbols, out: Diagnostics) -> None:
    """N368: cards of one trait work on things of two kinds, so that its `self` would be now this, now that."""
    told: set[str] = set()
    for trait in symbols.model.traits:
        sorts = sorts_of(symbols, trait)
        on = [z for z in working_zones(symbols, sorts) if z.in_force and z.of in symbols.model.made] if sorts else []
        other = next((zone for zone in on if zone.of != on[0].of), None)
        if other is None or other.name in told:
            continue
        told.add(other.name)
        first, second = (f"{a_or_an(zone.of or '')} `{zone.of}`" for zone in (on[0], other))
        message = f"cards of the trait `{trait}` are in effect on {first} and on {second}"
        because = "in the rules of a trait, `self` must be of one kind"
        hint = "give these things a card type of their own, or remove `in_force: true` from this zone"
        related = (Related(on[0].span, f"they are in effect here on {first}"),)
        out.error("N368", other.span, message, because=because, hint=hint, related=related)
