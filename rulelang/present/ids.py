"""The ids of parts, as `records` defines them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.base.layout import ZoneLayout
from rulelang.engine.changes import sees_zone
from rulelang.engine.secrets import cards_in
from rulelang.engine.views import Viewer, alive

GAME = "game"


class Ids:
    """The ids of one look at one state. Only cards that the viewer sees have one."""

    def __init__(self, look: Viewer) -> None:
        self.look = look
        self.layout = look.layout
        self.cards: dict[int, str] = {}
        self.asked: dict[int, str] = {}  # cards that only the question shows
        self._keys: dict[str, int] = {}
        for kind, handle, player in self.owners():
            self._number(kind, handle, player)

    def part(self, kind: str, handle: int) -> str | None:
        """The id of a player, thing, row or card; None for nothing, and for a card that the viewer does not see."""
        if not handle:
            return None
        layout = self.layout
        if kind in layout.sorts:
            return self.cards.get(handle) or self.asked.get(handle)
        if kind == "player":
            return f"player:{handle}" if handle <= self.look.table.players else "nobody"
        if kind in layout.kinds:
            return f"{kind}:{handle}"
        return f"{kind}:{self.row(kind, handle)}"

    def row(self, kind: str, handle: int) -> str:
        """The name of a row; of a counted list its number."""
        rows = self.layout.lists.get(kind, ())
        name = rows[handle] if handle < len(rows) else str(handle)
        return str(handle) if name == f"{kind} {handle}" else name

    def owner(self, kind: str, handle: int) -> str:
        """The id of whose a zone is."""
        return (self.part(kind, handle) if kind else GAME) or GAME

    def zone(self, zone: ZoneLayout, handle: int) -> str:
        return f"{self.owner(zone.of, handle)}/{zone.name}"

    def show(self, card: int) -> str:
        """The id of a card that a question is about, which is a new one if it lies where the viewer does not see it."""
        known = self.cards.get(card) or self.asked.get(card)
        if known is None:
            known = self.asked[card] = self._next("asked", card, self.look.now)
        return known

    # ---- where cards lie

    def owners(self) -> Iterator[tuple[str, int, int]]:
        """All that can have zones, but for cards: kind, handle and the player whose it is (0: nobody)."""
        look, layout = self.look, self.layout
        yield "", 0, 0
        players = range(1, look.table.players + 1)
        yield from (("player", seat, seat) for seat in players)
        for made in layout.kinds.values():
            for seat in range(1, made.owners + 1):
                yield from ((made.name, handle, seat) for handle in alive(made, seat, look.words_of(seat)))
        skip = {*layout.sorts, *layout.kinds, "player", ""}
        for kind in dict.fromkeys(zone.of for zone in layout.zones.values() if zone.of not in skip):
            yield from ((kind, handle, 0) for handle in range(1, len(layout.lists[kind])))

    def seen(self, zone: ZoneLayout, handle: int, S: Sequence[int]) -> list[int] | None:
        """The cards in a zone, None if the viewer does not see them."""
        if not sees_zone(self.look.table, zone.first_id + handle, self.look.seat):
            return None
        return cards_in(zone, handle, S, self.layout.card_next)

    def _number(self, kind: str, handle: int, player: int) -> None:
        S = self.look.words_of(player)
        for zone in self.layout.zones.values():
            if zone.of != kind or zone.name == "box":
                continue
            for card in self.seen(zone, handle, S) or ():
                self.cards[card] = self._next(self.zone(zone, handle), card, S)
                self._number(self.layout.cards[card].sort, card, player)

    def _next(self, place: str, card: int, S: Sequence[int]) -> str:
        info = self.layout.cards[card]
        key = f"{place}/{info.row or info.label}"
        self._keys[key] = self._keys.get(key, 0) + 1
        return f"{key}#{self._keys[key]}"
