"""How the state of a trial is copied: of a zone the cards that are in it, not all that it has room for. Rooms of zones
are more than half of a state with many cards, and mostly empty."""

from __future__ import annotations

from rulelang.base.layout import Layout

#: From so many words on a zone is worth a look at how many are in use.
LARGE = 48


def copy_of_state(layout: Layout) -> list[str]:
    """The function `copy_state(to, from)`: all that rules reach. What lies behind the cards of a zone is left as it
    was, and so is the control stack: what is tried never waits."""
    rooms = sorted(
        (zone.base + instance * zone.stride, zone.stride)
        for zone in layout.zones.values()
        if zone.array and zone.stride >= LARGE
        for instance in (range(1, zone.owners + 1) if zone.of else (0,))
    )
    found = [
        "static inline void copy_zone(i32 *to, const i32 *from, i64 room) {",
        "    u32 n = (u32)from[0];",
        "    copy(to, from, n < (u32)room ? (i64)n + 1 : room);",
        "}",
        "static void copy_state(i32 *to, const i32 *from) {",
    ]
    at = 0
    for start, room in [*rooms, (layout.stack, 0)]:
        if start > at:
            found.append(f"    copy(to + {at}, from + {at}, {start - at});")
        if room:
            found.append(f"    copy_zone(to + {start}, from + {start}, {room});")
        at = start + room
    return [*found, "}"]
