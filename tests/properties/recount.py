"""Reads everything that a state keeps twice, and says where the two do not agree.

Cards: the word of a card's zone, and the zones that hold cards. Zones: counts and links. Lines of things: counts,
links both ways and living things. Trait masks and the live counts: a recount from the cards that lie in force (a mutual
pair's card works on both its ends).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rulelang.base.layout import KindLayout, Layout, ZoneLayout
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.lower.program_graph import features_of
from rulelang.language.semantics.state_layout import MASK_BITS, Config, Plan
from rulelang.runtime.table import Table
from tests.properties.games import Seats, compilation_of


@cache
def plan_of(compilation: Compilation, players: int, options: tuple[tuple[str, int], ...]) -> Plan:
    """The plan of a table: masks and live counts are laid out with it, before lowering claims more words."""
    return Plan(compilation.model, Config(players, dict(options)), features_of(compilation.model, compilation.program))


def plan_at(seats: Seats) -> Plan:
    options = tuple(sorted(seats.table.options.items()))
    return plan_of(compilation_of(seats.ruleset), seats.players, options)


def disagreements(seats: Seats, words: Sequence[int]) -> list[str]:
    """What does not agree in a state, in words; empty if all is well."""
    table = seats.table
    layout = table.program.layout
    return [
        *cards_wrong(layout, words),
        *(wrong for kind in layout.kinds.values() for wrong in line_wrong(kind, words)),
        *masks_wrong(plan_at(seats), layout, words),
        *pairs_wrong(layout, words),
        *things_wrong(table, words),
    ]


def instances(zone: ZoneLayout) -> range:
    return range(1, zone.owners + 1) if zone.of else range(1)


def lying(layout: Layout, zone: ZoneLayout, owner: int, words: Sequence[int]) -> tuple[list[int], list[str]]:
    """The cards of one zone in order, and what is wrong with how they are kept."""
    name = f"{zone.name}[{owner}]"
    if zone.array:
        base = zone.base + owner * zone.stride
        count = words[base]
        if not 0 <= count < zone.stride:
            return [], [f"{name}: {count} cards in room for {zone.stride - 1}"]
        return list(words[base + 1 : base + 1 + count]), []
    cards: list[int] = []
    wrong = []
    before, card = 0, words[zone.first + owner]
    while card and len(cards) <= len(layout.cards):
        if words[layout.card_prev + card] != before:
            wrong.append(f"{name}: card {card} is linked back to {words[layout.card_prev + card]}, not {before}")
        cards.append(card)
        before, card = card, words[layout.card_next + card]
    if words[zone.last + owner] != before:
        wrong.append(f"{name}: the last card is {words[zone.last + owner]}, not {before}")
    if words[zone.count + owner] != len(cards):
        wrong.append(f"{name}: {words[zone.count + owner]} cards are counted, {len(cards)} lie there")
    return cards, wrong


def cards_wrong(layout: Layout, words: Sequence[int]) -> list[str]:
    """Every card lies in exactly one zone, the one that its own word names, and of its sort."""
    wrong: list[str] = []
    found: dict[int, str] = {}
    for zone in layout.zones.values():
        for owner in instances(zone):
            name = f"{zone.name}[{owner}]"
            cards, more = lying(layout, zone, owner, words)
            wrong += more
            for card in cards:
                if card in found:
                    wrong.append(f"card {card} lies in {found[card]} and in {name}")
                found[card] = name
                if words[layout.where + card] != zone.first_id + owner:
                    wrong.append(f"card {card} lies in {name}, and is noted in zone {words[layout.where + card]}")
                if zone.holds and layout.cards[card].sort != zone.holds:
                    wrong.append(f"card {card}, a {layout.cards[card].sort}, lies in {name}")
                if zone.array and (words[layout.card_next + card] or words[layout.card_prev + card]):
                    wrong.append(f"card {card} in {name} is still linked")
    missing = set(range(1, len(layout.cards))) - found.keys()
    if missing:
        wrong.append(f"cards {sorted(missing)} lie nowhere")
    return wrong


def line_wrong(kind: KindLayout, words: Sequence[int]) -> list[str]:
    """An owner's things: as many as are counted; in a line all of them, linked both ways."""
    wrong = []
    for owner in range(1, kind.owners + 1):
        name = f"{kind.name} of {owner}"
        slots = range((owner - 1) * kind.per_owner + 1, owner * kind.per_owner + 1)
        alive = [slot for slot in slots if words[kind.alive + slot]]
        if words[kind.count + owner] != len(alive):
            wrong.append(f"{name}: {words[kind.count + owner]} are counted, {len(alive)} are alive")
        if not kind.next:
            continue
        line: list[int] = []
        before, thing = 0, words[kind.first + owner]
        while thing and len(line) <= kind.per_owner:
            if words[kind.prev + thing] != before:
                wrong.append(f"{name}: {thing} is linked back to {words[kind.prev + thing]}, not {before}")
            line.append(thing)
            before, thing = thing, words[kind.next + thing]
        if words[kind.last + owner] != before:
            wrong.append(f"{name}: the last is {words[kind.last + owner]}, not {before}")
        if sorted(line) != alive:
            wrong.append(f"{name}: {line} stand in line, {alive} are alive")
        for slot in slots:
            if slot not in alive and (words[kind.next + slot] or words[kind.prev + slot]):
                wrong.append(f"{name}: {slot} is gone, and still linked")
    return wrong


def things_wrong(table: Table, words: Sequence[int]) -> list[str]:
    """What is gone has no attributes, place or cards; handle 0 and the unused word 0 stay 0."""
    layout = table.program.layout
    wrong = [] if words[0] == 0 else ["word 0 is used"]
    for kind in layout.kinds.values():
        for slot in range(kind.owners * kind.per_owner + 1):
            if slot and words[kind.alive + slot]:
                continue
            for attribute in layout.attributes:
                if attribute.kind == kind.name:
                    start = attribute.base + slot * attribute.width
                    if any(words[start : start + attribute.width]):
                        wrong.append(f"{kind.name} {slot} is not there, and has {attribute.name}")
            if kind.place and words[kind.place + slot]:
                wrong.append(f"{kind.name} {slot} is not there, and has a place")
            for zone in layout.zones.values():
                if zone.of == kind.name and slot and lying(layout, zone, slot, words)[0]:
                    wrong.append(f"{kind.name} {slot} is not there, and has cards in {zone.name}")
    for attribute in layout.attributes:
        if attribute.kind and any(words[attribute.base : attribute.base + attribute.width]):
            wrong.append(f"{attribute.kind}.{attribute.name} of nothing is set")
    return wrong


def face(layout: Layout, card: int, words: Sequence[int]) -> int:
    if layout.card_face:
        return words[layout.card_face + card]
    faces = layout.cards[card].faces
    return faces[0] if faces else 0


def masks_wrong(plan: Plan, layout: Layout, words: Sequence[int]) -> list[str]:
    """A bearer's masks say which traits work on it, and which more than once; the live counts count them all."""
    wrong: list[str] = []
    live_counts = [0] * (plan.trait_count + 1)
    mutual = {trait.number for trait in plan.model.traits.values() if trait.pair == "mutual"}
    joined: dict[int, list[int]] = {}  # by the other end of a mutual pair, its cards
    for card in range(1, len(layout.cards) if layout.card_partner else 1):
        if words[layout.card_partner + card] and face(layout, card, words) in mutual:
            joined.setdefault(words[layout.card_partner + card], []).append(card)
    for kind, (mask, multi) in plan.masks.items():
        made = layout.kinds[kind]
        for bearer in range(1, made.owners * made.per_owner + 1):
            copies = [0] * (plan.trait_count + 1)
            cards = [*joined.get(bearer, ())]
            for zone in layout.zones.values():
                if zone.of == kind and zone.in_force and not zone.array:
                    cards += lying(layout, zone, bearer, words)[0]
            for card in cards:
                if not (layout.silent and words[layout.silent + card]):
                    copies[face(layout, card, words)] += 1
            for trait in range(1, plan.trait_count + 1):
                live_counts[trait] += copies[trait]
                at = bearer * plan.mask_words + (trait - 1) // MASK_BITS
                bit = (trait - 1) % MASK_BITS
                held = (words[mask + at] >> bit & 1, words[multi + at] >> bit & 1)
                if held != (copies[trait] > 0, copies[trait] > 1):
                    wrong.append(f"{kind} {bearer}: trait {trait} {copies[trait]} times, and its masks say {held}")
    if plan.masks:
        noted = list(words[plan.live_count + 1 : plan.live_count + 1 + plan.trait_count])
        if noted != live_counts[1:]:
            wrong.append(f"the live counts are {noted}, not {live_counts[1:]}")
    return wrong


def pairs_wrong(layout: Layout, words: Sequence[int]) -> list[str]:
    """Only a card that lies on a thing is joined to another, which is in play."""
    wrong = []
    for card in range(1, len(layout.cards) if layout.card_partner else 1):
        partner = words[layout.card_partner + card]
        zone = layout.zones[layout.zone_names[words[layout.where + card]]]
        if partner and (zone.of not in layout.kinds or not words[layout.kinds[zone.of].alive + partner]):
            wrong.append(f"card {card} in {zone.name} is joined to {partner}")
    return wrong
