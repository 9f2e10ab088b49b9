"""The table as a widget: lines of pieces that can be walked over, pointed at and picked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from rulelang.base.terminal import display_width
from rulelang.presentation.view.sheet import Line, room


class Spot(NamedTuple):
    """Where a part stands on the sheet."""

    part: str
    line: int
    start: int
    end: int

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


class Board(ScrollView, can_focus=True):
    """Shows a sheet. What can be picked is lit, what was picked is marked, what has changed stands out."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"board--{name}"
        for name in (
            "title", "thing", "card", "fact", "label", "border", "mark", "lit", "picked", "changed", "here",
            "seat1", "seat2", "seat3", "seat4", "seat5", "seat6",
        )
    }  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(0, -1)", show=False),
        Binding("down", "go(0, 1)", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
    ]
    here: reactive[str] = reactive("")

    class Pointed(Message):
        """The cursor or the mouse is on a part; on none: ""."""

        def __init__(self, part: str) -> None:
            super().__init__()
            self.part = part

    class Picked(Message):
        """A part was clicked, or picked by a key."""

        def __init__(self, part: str) -> None:
            super().__init__()
            self.part = part

    class Sized(Message):
        """There is another room for the sheet than before."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sheet: Sequence[Line] = ()
        self.spots: list[Spot] = []
        self.at: Spot | None = None  # the spot of the cursor: a part may stand in several
        self.lit: Collection[str] = ()
        self.picked: Collection[str] = ()
        self.changed: Collection[str] = ()

    def show(
        self, sheet: Sequence[Line], lit: Collection[str], picked: Collection[str], changed: Collection[str]
    ) -> None:
        """Draw a sheet. The cursor stays on its part; where that has gone, it is nowhere."""
        self.sheet, self.lit, self.picked, self.changed = sheet, lit, picked, changed
        self.spots = list(_spots(sheet))
        own = [spot for spot in self.spots if spot.part == self.here]
        was = self.at
        self.at = min(own, key=lambda spot: abs(spot.line - was.line), default=None) if was else None
        if self.at is None:
            self.here = ""
        self.virtual_size = Size(max(map(room, sheet), default=0), len(sheet))
        self.refresh()

    # ---- drawing

    def on_resize(self) -> None:
        self.post_message(self.Sized())

    def render_line(self, y: int) -> Strip:
        across, down = self.scroll_offset
        number = y + down
        segments = []
        for piece in self.sheet[number] if number < len(self.sheet) else ():
            style = self.get_component_rich_style(f"board--{piece.style}", partial=True) if piece.style else None
            for name, parts in (("changed", self.changed), ("lit", self.lit), ("picked", self.picked)):
                if piece.part and piece.part in parts:
                    over = self.get_component_rich_style(f"board--{name}", partial=True)
                    style = style + over if style else over
            if piece.part and piece.part == self.here and self.has_focus:
                over = self.get_component_rich_style("board--here", partial=True)
                style = style + over if style else over
            segments.append(Segment(piece.text, style))
        strip = Strip(segments).crop_extend(across, across + self.size.width, None)
        return strip.apply_style(self.rich_style)

    # ---- walking

    def watch_here(self, here: str) -> None:
        self.refresh()
        self.post_message(self.Pointed(here))

    def action_go(self, right: int, down: int) -> None:
        spot = self.at
        if spot is None:
            self.to(self.spots[0] if self.spots else None)
        elif right:
            place = self.spots.index(spot) + right
            self.to(self.spots[place] if 0 <= place < len(self.spots) else None)
        else:
            beyond = [other for other in self.spots if (other.line - spot.line) * down > 0]
            nearest = min(abs(other.line - spot.line) for other in beyond) if beyond else 0
            row = [other for other in beyond if abs(other.line - spot.line) == nearest]
            self.to(min(row, key=lambda other: abs(other.middle - spot.middle), default=None))

    def action_next(self, step: int) -> None:
        """To the next part that can be picked, round and round."""
        spot = self.at
        lit = [other for other in self.spots if other.part in self.lit]
        start = self.spots.index(spot) if spot else -1
        if step > 0:
            ahead = [other for other in lit if self.spots.index(other) > start]
            self.to((ahead or lit)[0] if lit else None)
        else:
            behind = [other for other in lit if self.spots.index(other) < start]
            self.to((behind or lit)[-1] if lit else None)

    def action_pick(self) -> None:
        if self.here:
            self.post_message(self.Picked(self.here))

    def to(self, spot: Spot | None) -> None:
        if spot is not None:
            self.at, self.here = spot, spot.part
            self.scroll_to_region(Region(spot.start, spot.line, spot.end - spot.start, 1), animate=False)

    # ---- the mouse

    def under(self, event: events.MouseEvent) -> Spot | None:
        """What stands under the mouse."""
        x, y = event.x + self.scroll_offset.x, event.y + self.scroll_offset.y
        return next((spot for spot in self.spots if spot.line == y and spot.start <= x < spot.end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        spot = self.under(event)
        if spot is not None:
            self.at, self.here = spot, spot.part

    def on_click(self, event: events.Click) -> None:
        spot = self.under(event)
        if spot is not None:
            self.at, self.here = spot, spot.part
            self.post_message(self.Picked(spot.part))


def _spots(sheet: Sequence[Line]) -> list[Spot]:
    found = []
    for number, line in enumerate(sheet):
        at = 0
        for piece in line:
            end = at + display_width(piece.text)
            if piece.part:
                found.append(Spot(piece.part, number, at, end))
            at = end
    return found
