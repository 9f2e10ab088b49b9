"""Which cards somebody knows: those that lie where he sees them, and those that he is asked about."""

from __future__ import annotations

from rulelang.engine.state import State
from rulelang.engine.views import Viewer
from rulelang.present.ids import Ids


def cards_known(state: State, seat: int) -> frozenset[int]:
    """The handles of the cards that a seat (0: a spectator) sees now."""
    ids = Ids(Viewer(state.table, state.names, state.words, state.public_words, seat))
    asked: set[int] = set()
    if seat and state.decider == seat:
        site, sorts = state.table.site(state.words), state.table.program.layout.sorts
        for option in state.decision.options:
            if not option.is_pass:
                types = site.actions[option.key[0]].types
                asked |= {v for kind, v in zip(types, option.key[1:], strict=False) if v and kind in sorts}
    return frozenset({*ids.cards, *asked})


def handles_of(state: State, seat: int) -> dict[str, tuple[str, int]]:
    """By the id that a document gives it: the kind and handle of each part that a seat sees."""
    layout = state.table.program.layout
    ids = Ids(Viewer(state.table, state.names, state.words, state.public_words, seat))
    found = {part: (layout.cards[card].sort, card) for card, part in ids.cards.items()}
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
