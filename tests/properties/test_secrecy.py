"""What a player sees does not depend on what lies hidden from him."""

from __future__ import annotations

import json
import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.apps.envs import Encoding
from rulelang.presentation.view import document
from rulelang.runtime.event_log import sees_zone
from rulelang.runtime.state import State
from tests.properties.games import Ruleset, everywhere, usual
from tests.properties.recount import instances
from tests.properties.test_states import places, position, seeds


def with_other_secrets(state: State, viewer: int, chance: random.Random) -> State:
    """The same position with all hidden cards of a sort dealt anew, and what others hide changed."""
    table = state.table
    layout = table.program.layout
    words = list(state.words)
    by_sort: dict[str, list[int]] = {}
    for zone in layout.zones.values():
        for owner in instances(zone):
            if zone.array and not sees_zone(table, zone.first_id + owner, viewer):
                base = zone.base + owner * zone.stride
                for place in range(base + 1, base + 1 + words[base]):
                    by_sort.setdefault(layout.cards[words[place]].sort, []).append(place)
    for hidden in by_sort.values():
        cards = [words[place] for place in hidden]
        zones = [words[layout.where + card] for card in cards]
        chance.shuffle(cards)
        for place, card, zone_id in zip(hidden, cards, zones, strict=True):
            words[place] = card
            words[layout.where + card] = zone_id
    for attribute in layout.attributes:
        if attribute.type == "int" and attribute.kind == "player" and attribute.seen_by != "everyone":
            for player in range(1, table.players + 1):
                if player != viewer or attribute.seen_by == "nobody":
                    for i in range(attribute.width):
                        words[attribute.base + player * attribute.width + i] += 1
    words[layout.cells.rng_x] ^= 5
    return state.altered(words)


@cache
def encoding_of(ruleset: Ruleset) -> Encoding:
    return Encoding(usual(ruleset).table)


@everywhere
@given(seed=seeds, place=places, dealt=st.integers(0, 1000))
@settings(max_examples=6)
def test_other_secrets_look_the_same(ruleset: Ruleset, seed: int, place: int, dealt: int) -> None:
    state = position(ruleset, seed, place)
    encoding = encoding_of(ruleset)
    for viewer in range(usual(ruleset).players + 1):
        other = with_other_secrets(state, viewer, random.Random(dealt))
        assert other.hash() != state.hash()
        seat = viewer or None
        assert other.view(seat) == state.view(seat), f"seen by {viewer}"
        assert json.dumps(state.view(seat)), "a view is JSON"
        assert document(other, seat) == document(state, seat), f"seen by {viewer}"
        if viewer:
            assert encoding.observe(other, viewer) == encoding.observe(state, viewer), f"seen by {viewer}"
        if viewer and viewer == state.decider:
            assert encoding.node(other) == encoding.node(state), "what may be chosen tells nothing hidden"
