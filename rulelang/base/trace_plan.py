"""What can be noted of games while they are played, for one table: the contract between those who play and the lab.

Noted is what is so whenever something is told in the log, whenever somebody is asked, and at the end. A *place* is a
zone by name whose instances are players' (a hand; the traits of somebody's species). A *choice* is an action, or to
pass, at one decision site. Seats are bits of a word: that of seat s is 1 << s.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulelang.base.layout import DecisionPoint, Layout, LogTemplate, ZoneLayout

#: What a zone is where cards are in force for a thing that is no player.
ON_BEARER = 2
#: Decisions at which actions are offered.
ACTING = ("offer", "react")
#: Columns of what is written down, before the arguments.
MOVES = ("game", "decision", "event", "card", "from", "to", "face")
EVENTS = ("game", "event", "decision", "cause", "depth", "template")
DECISIONS = ("game", "decision", "round", "seat", "site", "options", "chosen", "tag")


@dataclass(frozen=True)
class TracePlan:
    """What to note. `places`: their names. By zone id: `place` (its number, or -1), `force` (1: what lies there is in
    force; 2: for a thing, its bearer, that is no player). `printed`, by card: the trait on it, 0 for none or several.
    `choice_at`, by site: its first choice, which is to pass; then its actions; one more at the end. `card_args`, by
    choice: bits of the arguments that are cards.
    """

    layout: Layout
    places: tuple[str, ...]
    place: tuple[int, ...]
    force: tuple[int, ...]
    hand: tuple[int, ...]
    printed: tuple[int, ...]
    choice_at: tuple[int, ...]
    card_args: tuple[int, ...]
    acts: tuple[int, ...]
    arguments: int  # of an event, at most
    values: int  # of an option, at most

    @property
    def cards(self) -> int:
        """One more than there are."""
        return len(self.layout.cards)

    @property
    def templates(self) -> int:
        return len(self.acts)

    @cached_property
    def traits(self) -> int:
        return max(1, len(self.layout.lists.get("trait", ("none",))) - 1)

    @cached_property
    def pairs(self) -> int:
        """Of traits that one bearer can have at once: that of traits a < b is number (b - 1) * (b - 2) / 2 + a - 1."""
        return self.traits * (self.traits - 1) // 2 if ON_BEARER in self.force else 0

    @property
    def choices(self) -> int:
        return self.choice_at[-1]

    @property
    def width(self) -> int:
        """Words of a game: by place and card who had it there; by card who played it; by
        trait (from 0, none) who had it in force; by card the zone where it lies at the end; by pair of traits who had
        both in force on one bearer; who led after half of the decisions; whether the game could be arranged."""
        return (len(self.places) + 2) * self.cards + self.traits + self.pairs + 3


def make_trace_plan(layout: Layout, sites: Sequence[DecisionPoint], templates: Sequence[LogTemplate]) -> TracePlan:
    """What to note at a table."""
    zones = layout.zones
    owned = {name for zone, name in enumerate(layout.zone_names) if layout.zone_player[zone]}
    places = tuple(name for name in zones if name in owned)
    hands = hand_zones(layout)
    number = {name: i for i, name in enumerate(places)}
    choice_at, card_args = [0], []
    playing = _playing(layout, sites)
    for site in sites:
        card_args.append(0)
        for action in site.actions:
            card_args.append(_cards_in(layout, action.types) if site.kind in playing else 0)
        choice_at.append(len(card_args))
    return TracePlan(
        layout,
        places,
        tuple(number.get(name, -1) for name in layout.zone_names),
        tuple(_force(zones.get(name)) for name in layout.zone_names),
        tuple(int(name in hands) for name in layout.zone_names),
        tuple(card.faces[0] if len(card.faces) == 1 else 0 for card in layout.cards),
        tuple(choice_at),
        tuple(card_args),
        tuple(int(template.what == "action") for template in templates),
        max((part[0] + 1 for t in templates for part in t.parts if not isinstance(part, str)), default=0),
        max((len(action.types) for site in sites for action in site.actions), default=0),
    )


def _cards_in(layout: Layout, types: Sequence[str]) -> int:
    return sum(1 << i for i, kind in enumerate(types) if kind in layout.sorts)


def _playing(layout: Layout, sites: Sequence[DecisionPoint]) -> tuple[str, ...]:
    """Decisions at which a card that is named is played: where actions are offered. If none of these names a card, as
    where hands go round, it is played by who chooses it."""
    offers = [action for site in sites if site.kind in ACTING for action in site.actions]
    return ACTING if any(_cards_in(layout, action.types) for action in offers) else (*ACTING, "choose")


def _force(zone: ZoneLayout | None) -> int:
    if zone is None or not zone.in_force:
        return 0
    return ON_BEARER if zone.of not in ("", "player") else 1


def hand_zones(layout: Layout) -> tuple[str, ...]:
    """The zones where a player has what he drew: his own that only he sees; where there are none, all of his own."""
    own = [zone for zone in layout.zones.values() if zone.of == "player"]
    hidden = tuple(zone.name for zone in own if zone.seen_by == "owner")
    return hidden or tuple(zone.name for zone in own)


@dataclass(frozen=True, slots=True)
class HandArrangement:
    """How games are arranged at their first decision. Of the cards `wanted` none is in the starting hand of a seat
    (seat i modulo the number of players, plus 1, in game i); with `given` one of them, in the place of another card."""

    wanted: frozenset[int]
    given: bool


@dataclass(slots=True)
class Trace:
    """What was noted of some games. `rows`: of each, as `play_many` tells it, `width` numbers; `notes`: `Plan.width`
    words of each. By template `reached`; by choice how often it was `offered` (in how many decisions) and `taken`; by
    template and card `used`: how often it left a hand then, in the innermost action, or else in the innermost event.

    Who *played* a card took an option of an action with it while it was his, or had it leave his hand in an action.

    `moves`, `events`, `decisions`: what was written down, row by row; columns as `MOVES` and so on, and arguments.
    """

    games: int
    rows: array[int]
    notes: array[int]
    reached: array[int]
    offered: array[int]
    taken: array[int]
    used: array[int]
    moves: array[int] = field(default_factory=lambda: array("i"))
    events: array[int] = field(default_factory=lambda: array("i"))
    decisions: array[int] = field(default_factory=lambda: array("i"))


def empty_trace(plan: TracePlan, games: int, width: int) -> Trace:
    """Room for so many games."""

    def zeros(code: str, n: int) -> array[int]:
        return array(code, bytes(array(code).itemsize * n))

    return Trace(
        games, zeros("q", games * width), zeros("i", games * plan.width), zeros("q", plan.templates),
        zeros("q", plan.choices), zeros("q", plan.choices), zeros("q", plan.templates * plan.cards),
    )  # fmt: skip
