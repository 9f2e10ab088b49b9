"""Positions as numbers: ids spell every option, observations keep to their schema and tell nothing hidden."""

from __future__ import annotations

import random
from functools import cache

import pytest

from rulelang.apps.envs import Encoding, Steps, rewards
from rulelang.apps.envs.layout import Node
from tests.properties.games import COLOSSAL, RULESETS, SHIPPED, Ruleset, usual

GAMES = [ruleset for ruleset in RULESETS if ruleset.name in SHIPPED] + [pytest.param(COLOSSAL, marks=pytest.mark.slow)]
each_game = pytest.mark.parametrize("ruleset", GAMES, ids=str)


@cache
def encoding_of(ruleset: Ruleset, things: int = 16, cards: int = 8) -> Encoding:
    return Encoding(usual(ruleset).table, things, cards)


def begun(ruleset: Ruleset, seed: int, things: int = 16, cards: int = 8) -> Steps:
    return Steps.new(encoding_of(ruleset, things, cards), usual(ruleset).game, seed)


@each_game
def test_every_option_is_spelled_and_every_id_says_something(ruleset: Ruleset) -> None:
    encoding, state, chance = encoding_of(ruleset), usual(ruleset).new(3), random.Random(1)
    for _ in range(60):
        if state.over:
            break
        spelled = [encoding.spell(state, option) for option in range(state.option_count)]
        assert len(set(spelled)) == len(spelled)
        assert all(0 <= id < encoding.actions for ids in spelled for id in ids)
        assert encoding.node(state) == Node(tuple(sorted({ids[0] for ids in spelled})))
        option = chance.randrange(state.option_count)
        assert encoding.node(state, spelled[option]).option == option
        state.play(option)
    said = [encoding.ids.says(id) for id in range(encoding.actions)]
    assert all(said)
    with pytest.raises(IndexError, match="no action id"):
        encoding.ids.says(encoding.actions)


@each_game
def test_observations_keep_to_their_schema(ruleset: Ruleset) -> None:
    encoding, steps, chance = encoding_of(ruleset), begun(ruleset, 4), random.Random(2)
    fields = encoding.schema.fields
    assert [field.offset for field in fields] == [0, *(field.end for field in fields[:-1])]
    assert fields[-1].end == encoding.size
    assert len({field.name for field in fields}) == len(fields)
    filled = set()
    for _ in range(40):
        if steps.over:
            break
        for seat in range(1, steps.state.table.players + 1):
            seen = steps.observe(seat)
            for field in fields:
                part = seen[field.offset : field.end]
                assert all(field.low <= number <= field.high for number in part), field
                filled |= {field.name} if any(part) else set()
            dealt = steps.state.determinize(seat, chance.randrange(100))
            assert encoding.observe(dealt, seat, steps.chosen) == seen
        steps.take(chance.choice(steps.legal))
    assert {"asked", "question"} <= filled


@each_game
def test_however_little_is_shown_everything_can_be_chosen(ruleset: Ruleset) -> None:
    """With a place for one thing of an owner, the others are told apart by another piece."""
    encoding, state, chance = encoding_of(ruleset, 1, 1), usual(ruleset).new(5), random.Random(3)
    assert encoding.size < encoding_of(ruleset).size
    for _ in range(80):
        if state.over:
            break
        spelled = [encoding.spell(state, option) for option in range(state.option_count)]
        assert len(set(spelled)) == len(spelled)
        encoding.observe(state, state.decider)
        state.play(chance.randrange(state.option_count))


def test_cards_that_look_alike_are_one_id() -> None:
    """Nobody learns from a number which of two equal cards it is."""
    (evolution,) = [ruleset for ruleset in RULESETS if ruleset.name == "evolution"]
    encoding, state = encoding_of(evolution), usual(evolution).new(3)
    cards = state.table.program.layout.cards
    assert len({card.look for card in cards[1:]}) == encoding.schema["self.hand.cards"].width < len(cards) - 1
    seen, layout = encoding.observe(state, 1), state.table.program.layout
    hand = layout.zones["hand"]
    start = hand.base + hand.stride
    held = state.words[start + 1 : start + 1 + state.words[start]]
    assert seen[encoding.schema["self.hand.count"].offset] == len(held)
    field = encoding.schema["self.hand.cards"]
    told = [
        encoding.reader.shown_on["card"][look] for look in range(1, field.width + 1) if seen[field.offset + look - 1]
    ]
    assert {cards[card].look for card in told} == {cards[card].look for card in held}


def test_steps_refuse_what_is_not_legal() -> None:
    steps = begun(GAMES[0], 1)
    illegal = next(id for id in range(steps.encoding.actions) if id not in steps.legal)
    before = steps.state.hash()
    with pytest.raises(ValueError, match="not legal"):
        steps.take(illegal)
    assert steps.state.hash() == before
    copy, chance = steps.clone(), random.Random(1)
    while not copy.over:
        copy.take(chance.choice(copy.legal))
    assert steps.state.hash() == before
    assert abs(sum(copy.rewards)) < 1e-9
    assert copy.legal == ()
    assert not any(copy.mask())
    with pytest.raises(RuntimeError, match="over"):
        copy.take(0)


def test_rewards_sum_to_nothing() -> None:
    assert rewards([1], 2) == [1.0, -1.0]
    assert rewards([1, 2], 2) == [0.0, 0.0]
    assert rewards([3], 4) == [-1 / 3, -1 / 3, 1.0, -1 / 3]
    assert rewards([1, 3], 4) == [1 / 3, -1 / 3, 1 / 3, -1 / 3]
    assert rewards([], 3) == [0.0, 0.0, 0.0]
