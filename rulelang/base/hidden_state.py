"""What a player does not see of a state, as rows of numbers: for the engine, and as tables for generated code."""

from __future__ import annotations

from rulelang.base.layout import AttributeLayout, Layout, ZoneLayout
from rulelang.base.node import record

EVERYONE, OWNER, NOBODY, BOX = range(4)
_SEEN = {"everyone": EVERYONE, "owner": OWNER, "nobody": NOBODY}

#: Whose a word of an attribute is: nobody's, the player of its handle, the owner of the thing, of the card.
STATE, PLAYER, THING, CARD = range(4)


@record
class ZoneRow:
    """The zones of one name, instances `low` .. `high`, with what `ZoneLayout` tells of them.

    Instance o has the zone id `first_id + o`. `seen`: BOX for what is out of the game. `counted`: what lies there
    works, and is counted by its traits.
    """

    array: int
    base: int
    stride: int
    first: int
    last: int
    count: int
    first_id: int
    low: int
    high: int
    seen: int
    counted: int


@record
class SecretWord:
    """A column of which not all see every word. `whose`: STATE ... CARD; `each`: things of an owner (THING)."""

    base: int
    width: int
    count: int
    seen: int
    whose: int
    each: int


def zone_rows(layout: Layout) -> list[ZoneRow]:
    """All zones, in the order of the layout."""
    return [_zone(layout, zone) for zone in layout.zones.values()]


def _zone(layout: Layout, zone: ZoneLayout) -> ZoneRow:
    least, most = layout.sorts.get(zone.holds, (1, len(layout.cards) - 1))
    low, high = (1, zone.owners) if zone.of else (0, 0)
    seen = BOX if zone.name == "box" else _SEEN[zone.seen_by]
    # Cards that work where they lie are counted there by their traits, so they are not exchanged.
    counted = zone.in_force and any(card.faces for card in layout.cards[least : most + 1])
    return ZoneRow(
        int(zone.array), zone.base, zone.stride, zone.first, zone.last, zone.count, zone.first_id, low, high, seen,
        int(counted),
    )  # fmt: skip


def secret_words(layout: Layout) -> list[SecretWord]:
    """The attributes that are not seen by everyone, but those of trait cards: see `trait_words`."""
    found = []
    for attribute in layout.attributes:
        if attribute.seen_by == "everyone" or attribute.trait:
            continue
        whose, each = _whose(layout, attribute)
        found.append(
            SecretWord(attribute.base, attribute.width, attribute.count, _SEEN[attribute.seen_by], whose, each)
        )
    return found


def _whose(layout: Layout, attribute: AttributeLayout) -> tuple[int, int]:
    if attribute.kind == "player":
        return PLAYER, 0
    if attribute.kind in layout.kinds:
        return THING, layout.kinds[attribute.kind].per_owner
    return (CARD if attribute.kind in layout.sorts else STATE), 0


def trait_words(layout: Layout) -> list[tuple[int, int]]:
    """(address, card) of every word that a trait keeps for a card and that not everyone sees."""
    return [
        (attribute.base + row * attribute.width + i, card)
        for attribute in layout.attributes
        if attribute.trait and attribute.seen_by != "everyone"
        for card, row in (attribute.rows or {}).items()
        for i in range(attribute.width)
    ]


def card_references(layout: Layout) -> list[tuple[int, int]]:
    """(address, number of words) of what may hold a card: attributes whose values are cards."""
    return [
        (attribute.base, (attribute.count + 1) * attribute.width)
        for attribute in layout.attributes
        if attribute.type in layout.sorts
    ]


def exchange_groups(layout: Layout) -> list[int]:
    """By card, the number of the group within which hidden cards may be any: 0 for a card that stays where it is.

    Cards of one sort are a group; where zones belong to the rows of a list (a deck for each size), only those are that
    have the same row printed under the list's name.
    """
    numbers: dict[tuple[object, ...], int] = {}
    found = [0]
    for card in layout.cards[1:]:
        zones = [zone for zone in layout.zones.values() if zone.holds == card.sort]
        keys = sorted({zone.of for zone in zones if zone.of in layout.lists})
        bearing = any(zone.of == card.sort for zone in layout.zones.values())  # others may lie on it
        key = (card.sort, *(str(card.columns.get(name)) for name in keys))
        found.append(0 if bearing else numbers.setdefault(key, len(numbers) + 1))
    return found
