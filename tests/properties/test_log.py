"""The log of a game says of every action whose it is, and the story told of it names nobody else."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings

from rulelang.presentation.story import Story
from tests.properties.games import Ruleset, everywhere, history, usual
from tests.properties.test_states import seeds


@everywhere
@given(seed=seeds)
@settings(max_examples=3)
def test_an_action_is_told_of_who_did_it(ruleset: Ruleset, seed: int) -> None:
    positions = history(usual(ruleset), seed)
    whole = positions[-1].log
    for before, after in pairwise(positions):
        (chosen, asked), begun = (after.choices[-1], before.decider), len(before.log)
        option = before.decision.options[chosen]
        done = [
            event for event in whole[begun : len(after.log)] if (event.what, event.name) == ("action", option.action)
        ]
        assert not done or done[0].by == asked, f"{before.decision.name}: {option.text}"
    assert all(event.by for event in whole if event.what == "action")


@everywhere
@given(seed=seeds)
@settings(max_examples=3)
def test_a_line_begins_with_one_player(ruleset: Ruleset, seed: int) -> None:
    last = history(usual(ruleset), seed)[-1]
    for line in Story().news(last):
        actor, colon, text = line.strip().partition(": ")
        if colon and actor in last.players:
            assert text.split(" ")[0] not in last.players, line
