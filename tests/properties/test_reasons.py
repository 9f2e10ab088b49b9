"""Every refusal has its reasons, and what may be done has none."""

from __future__ import annotations

import random

from hypothesis import given, settings

from rulelang.runtime.decision import normalized_text
from tests.properties.games import Ruleset, everywhere, history, usual
from tests.properties.test_states import places, position, seeds


@everywhere
@given(seed=seeds, place=places)
@settings(max_examples=6)
def test_nothing_speaks_against_an_option(ruleset: Ruleset, seed: int, place: int) -> None:
    state = position(ruleset, seed, place)
    site = state.table.site(state.words)
    chosen = random.Random(place)
    options = state.decision.options
    for option in chosen.sample(options, min(12, len(options))):
        assert state.why_not(option.text) == [], option.text
        assert state.find(option.text) == option.index
        if site.kind == "offer" and not option.is_pass:
            action = site.actions[option.key[0]]
            reasons = state.why_not_call(action.id, option.key[1:])
            assert reasons == [], f"{option.text} is offered at {state.decision.prompt}"


@everywhere
@given(seed=seeds, place=places)
@settings(max_examples=6)
def test_something_speaks_against_what_is_no_option(ruleset: Ruleset, seed: int, place: int) -> None:
    state = position(ruleset, seed, place)
    chosen = random.Random(place)
    now = {normalized_text(option.text) for option in state.decision.options}
    said = {option.text for other in history(usual(ruleset), seed)[::9] if not other.over
            for option in other.decision.options}  # fmt: skip
    for text in chosen.sample(sorted(said), min(10, len(said))):
        if normalized_text(text) in now:
            continue
        reasons = state.why_not(text)
        if not reasons:  # an option in other words: it has all the words of what was said
            found = state.find(text)
            assert isinstance(found, int)
            option = state.decision.options[found]
            alike = set(normalized_text(text).split()) & set(normalized_text(option.text).split())
            assert alike or option.is_pass, f"{text} was read as {option.text}"
            continue
        assert all(reason.text for reason in reasons)
        for player in range(1, len(state.players) + 1):
            if player != state.decider:
                assert state.why_not(text, player)
