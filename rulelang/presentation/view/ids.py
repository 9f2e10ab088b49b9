"""The ids of parts, as `records` defines them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulelang.base.layout import TableLayout, ZoneLayout
from rulelang.presentation.view.look import Look
from rulelang.runtime.secrets import cards_in

GAME = "game"


class Ids:
    """The ids of one look at one state. Only cards that the viewer sees have one."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.layout = look.layout
        self.asked: dict[int, str] = {}  # cards that only the question shows
        self._counts: dict[str, int] = {}

    def part(self, kind: str, handle: int) -> str | None:
        """The id of a player, thing, row or card; None for nothing, and for a card that the viewer does not see."""
        if not handle:
            return None
        layout = self.layout
        if kind in layout.sorts:
            return self.lying(handle) or self.asked.get(handle)
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

    def zone(self, zone: ZoneLayout, handle: int, part: str = "") -> str:
        """The id of a zone. `part`: that of whose it is, where it is known."""
        return f"{part or self.owner(zone.of, handle)}/{zone.name}"

    def number(self, table: TableLayout, address: int) -> str:
        """The id of the number of a table that lies there."""
        rows: list[int] = []
        place = address - table.base
        for size in reversed(table.dims):
            place, row = divmod(place, size)
            rows.insert(0, row)
        return self.cell(table.name, (self.part(kind, row) or "" for kind, row in zip(table.of, rows, strict=True)))

    def cell(self, table: str, at: Iterable[str]) -> str:
        """The id of a number of a table, by the parts at which it stands."""
        return "/".join((f"table:{table}", *at))

    def show(self, card: int) -> str:
        """The id of a card that a question is about, which is a new one if it lies where the viewer does not see it."""
        known = self.lying(card) or self.asked.get(card)
        if known is None:
            place = f"asked/{self._name(card)}"
            self._counts[place] = self._counts.get(place, 0) + 1
            known = self.asked[card] = f"{place}#{self._counts[place]}"
        return known

    def shown(self, cards: Sequence[int]) -> dict[int, str]:
        """The same of many cards."""
        lying = self.together(cards) if len(cards) > 1 else {}
        return {card: lying.get(card) or self.show(card) for card in cards}

    # ---- where cards lie

    def seen(self, zone: ZoneLayout, handle: int, S: Sequence[int]) -> list[int] | None:
        """The cards in a zone, None if the viewer does not see them."""
        if not self.look.sees_zone(zone.first_id + handle):
            return None
        return cards_in(zone, handle, S, self.layout.card_next)

    def numbered(self, place: str, cards: Sequence[int]) -> list[str]:
        """The ids of the cards of a zone: equal ones are counted."""
        found: list[str] = []
        counts: dict[str, int] = {}
        infos = self.layout.cards
        for card in cards:
            info = infos[card]
            name = info.row or info.label
            counts[name] = count = counts.get(name, 0) + 1
            found.append(f"{place}/{name}#{count}")
        return found

    def lying(self, card: int) -> str | None:
        """The id of a card where it lies; None if the viewer does not see it there."""
        look = self.look
        if look.curtain and look.seat:
            look.pad.own = True
            if self._player(card, look.now) == look.seat:
                return self._lying(card, look.now)
        return self._lying(card, look.public)

    def together(self, cards: Iterable[int]) -> dict[int, str]:
        """The ids of those of many cards that the viewer sees where they lie. What is read for them is not noted."""
        wanted = {*cards}
        layout, S = self.layout, self.look.public.words
        if self.look.curtain:
            return {card: part for card in wanted if (part := self.lying(card))}
        found: dict[int, str] = {}
        for zone_id in {S[layout.where + card] for card in wanted}:
            zone = layout.zones.get(layout.zone_names[zone_id])
            handle = layout.zone_owner[zone_id]
            if zone is None or (zone.of in layout.sorts and self.lying(handle) is None):
                continue
            there = cards_in(zone, handle, S, layout.card_next) if self.look.sees_zone(zone_id) else []
            found.update(zip(there, self.numbered(self.zone(zone, handle), there), strict=True))
        return {card: part for card, part in found.items() if card in wanted}

    def _lying(self, card: int, S: Sequence[int]) -> str | None:
        layout = self.layout
        zone_id = S[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is None:
            return None
        handle = layout.zone_owner[zone_id]
        if zone.of in layout.sorts and self._lying(handle, S) is None:
            return None  # it lies on a card that the viewer does not see
        cards = self.seen(zone, handle, S)
        if cards is None or card not in cards:
            return None
        name = self._name(card)
        before = sum(self._name(other) == name for other in cards[: cards.index(card)])
        return f"{self.zone(zone, handle)}/{name}#{before + 1}"

    def _player(self, card: int, S: Sequence[int]) -> int:
        """Whose a card is where it lies, 0 for nobody's."""
        layout = self.layout
        zone_id = S[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is not None and zone.of in layout.sorts:
            return self._player(layout.zone_owner[zone_id], S)
        return layout.zone_player[zone_id]

    def _name(self, card: int) -> str:
        info = self.layout.cards[card]
        return info.row or info.label
