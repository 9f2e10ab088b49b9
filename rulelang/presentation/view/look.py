"""A look at one state, as `engine.views.Viewer`, which notes what it was asked."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import AttributeLayout
from rulelang.presentation.view.parts import Noted, Pad
from rulelang.presentation.view.worked import Worked
from rulelang.runtime.names import Names
from rulelang.runtime.table import Table
from rulelang.runtime.views import Viewer


class Look(Viewer):
    """Where the answer depends on who looks, that is noted on the `pad`. What is asked of the things of a player
    (`words_of`, `sees`, `sees_owned`) depends on whether it is he who looks: for all others it is the same."""

    now: Noted
    public: Noted

    def __init__(
        self, table: Table, names: Names, now: Sequence[int], public: Sequence[int], seat: int, pad: Pad, worked: Worked
    ) -> None:
        words = Noted(now, pad)
        super().__init__(table, names, words, words if public is now else Noted(public, pad), seat)
        self.pad, self.worked = pad, worked
        self.curtain = public is not now

    def words_of(self, player: int) -> Noted:
        self.pad.own = self.pad.own or (self.curtain and 0 < player == self.seat)
        return self.now if player and player == self.seat else self.public

    def sees(self, attribute: AttributeLayout, player: int) -> bool:
        self.pad.own = self.pad.own or (attribute.seen_by == "owner" and 0 < player == self.seat)
        return super().sees(attribute, player)

    def sees_zone(self, zone_id: int) -> bool:
        layout = self.layout
        zone = layout.zones.get(layout.zone_names[zone_id])
        self.pad.own = self.pad.own or (zone is not None and zone.seen_by == "owner")
        return super().sees_zone(zone_id)

    def sees_owned(self, zone_id: int) -> bool:
        """The same of the zone of a player's thing."""
        self.pad.own = self.pad.own or 0 < self.layout.zone_player[zone_id] == self.seat
        return super().sees_zone(zone_id)

    def sees_card(self, card: int) -> bool:
        self.pad.own = self.pad.own or self.curtain
        return super().sees_card(card)

    def works_out(self, kind: str, place: int, handle: int) -> int | None:
        """A value that is shown, None if there is none; see `Worked`."""
        asked = (kind, place, handle)
        if not self.worked.there(asked):
            made = self.layout.kinds[kind]
            self.pad.reads.add(made.alive + handle)
            return None
        word, address, own = self.worked.value(asked, self.seat)
        self.pad.reads.add(address)
        self.pad.own = self.pad.own or own
        return word
