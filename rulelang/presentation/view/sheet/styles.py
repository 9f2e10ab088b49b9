"""The styles of pieces that belong to somebody."""

from __future__ import annotations

from rulelang.presentation.view.records import Player

#: Players with a style of their own.
SEATS = 6


def style_of(player: Player | None) -> str:
    """The style of a player, and of what is his; that of things that are nobody's."""
    return f"seat{player['seat']}" if player and player["seat"] <= SEATS else "thing"
