"""Which cards somebody knows: those that lie where he sees them, and those that he is asked about."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import Layout
from rulelang.presentation.view.ids import Ids
from rulelang.presentation.view.look import Look
from rulelang.presentation.view.parts import Pad
from rulelang.presentation.view.worked import Worked
from rulelang.runtime.changes import sees_zone
from rulelang.runtime.decision import PASS
from rulelang.runtime.packed import public_of, words_of
from rulelang.runtime.state import State


def cards_known(state: State, seat: int) -> frozenset[int]:
    """The handles of the cards that a seat (0: a spectator) sees now."""
    ids = ids_of(state, seat)
    seen = {card for card in range(1, len(ids.layout.cards)) if ids.lying(card)}
    return frozenset(seen | (asked_about(state) if seat == state.decider else set()))


def asked_about(state: State) -> set[int]:
    """The cards that options are about."""
    if state.over:
        return set()
    site, sorts = state.table.site(words_of(state)), state.table.program.layout.sorts
    of_cards = [[place for place, kind in enumerate(action.types, 1) if kind in sorts] for action in site.actions]
    if not any(of_cards):
        return set()
    return {
        key[place]
        for key in state.keys
        if key[0] != PASS
        for place in of_cards[key[0]]
        if place < len(key) and key[place]
    }


def reveals(old: State, new: State) -> bool:
    """Whether anybody (a spectator, too) knows a card in the new state that he did not know in the old one."""
    table = old.table
    moved = table.watched.moved(table.changed(words_of(old), words_of(new)))
    if public_of(old) is not words_of(old) or public_of(new) is not words_of(new):
        moved = [*{*moved, *table.watched.moved(table.changed(public_of(old), public_of(new)))}]
    for viewer in range(len(old.players) + 1) if moved else ():
        come = {card for card in moved if lies(new, card, viewer) and not lies(old, card, viewer)}
        if come and (old.decider != viewer or come - asked_about(old)):
            return True
    asked = {card for card in asked_about(new) if not lies(old, card, new.decider)}
    return bool(asked and (old.decider != new.decider or asked - asked_about(old)))


def lies(state: State, card: int, seat: int) -> bool:
    """Whether a seat (0: a spectator) sees a card where it lies."""
    now, public = words_of(state), public_of(state)
    layout = state.table.program.layout
    own = now is not public and seat > 0 and layout.zone_player[bottom(layout, now, card)] == seat
    words = now if own else public
    while True:
        zone_id = words[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is None or not sees_zone(state.table, zone_id, seat):
            return False
        if zone.of not in layout.sorts:
            return True
        card = layout.zone_owner[zone_id]


def bottom(layout: Layout, words: Sequence[int], card: int) -> int:
    """The zone in which a card lies, or the lowest one below it."""
    while True:
        zone_id = words[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is None or zone.of not in layout.sorts:
            return zone_id
        card = layout.zone_owner[zone_id]


def ids_of(state: State, seat: int) -> Ids:
    """The ids of a seat's look at a state."""
    names = state.names
    return Ids(Look(state.table, names, words_of(state), public_of(state), seat, Pad(), Worked(state.table)))


def handles_of(state: State, seat: int) -> dict[str, tuple[str, int]]:
    """By the id that a document gives it: the kind and handle of each part that a seat sees."""
    layout = state.table.program.layout
    ids = ids_of(state, seat)
    lying = {card: ids.lying(card) for card in range(1, len(layout.cards))}
    found = {part: (layout.cards[card].sort, card) for card, part in lying.items() if part is not None}
    for kind in ("player", *layout.kinds, *layout.lists):
        if kind in layout.sorts or kind.startswith("option "):
            continue
        for handle in state.names.handles(kind, state.words):
            part = ids.part(kind, handle)
            if part is not None and not (
                kind in layout.kinds and not ids.look.public[layout.kinds[kind].alive + handle]
            ):
                found.setdefault(part, (kind, handle))
    return found
