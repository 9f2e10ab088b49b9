"""`play --with` begins with a card in hand, `play --from` at a scenario's position."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.testing.scenarios.opening import NotFound, at_scenario, with_card
from tests.cli.helpers import run


def hand(state: rulelang.State, seat: int, zone: str = "hand") -> list[str]:
    layout = state.table.program.layout
    place = layout.zones[zone].first_id + seat
    return [layout.cards[c].label for c in range(1, len(layout.cards)) if state.words[layout.where + c] == place]


@pytest.mark.parametrize(
    ("game", "trait"),
    [
        ("evolution", "horns"),
        ("origin_of_species", "swimming"),
        ("examples/guild", "tinker"),
        ("examples/thick_fur", "Thick fur"),
    ],
)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_card_is_in_hand_and_no_card_is_lost(game: str, trait: str, seat: int) -> None:
    state = rulelang.load(game).new(players=3, seed=11)
    after, where = with_card(state, trait, seat)
    name = trait.replace(" ", "_").casefold()
    assert any(name in card for card in hand(after, seat))
    assert where == f"in {after.players[seat - 1]}'s hand"
    assert len(hand(after, seat)) == len(hand(state, seat))
    layout = state.table.program.layout
    places = [sorted(s.words[layout.where + 1 : layout.where + len(layout.cards)]) for s in (state, after)]
    assert places[0] == places[1]
    assert rulelang.load(game).restore(after.save()).hash() == after.hash()
    while not after.over:
        after.play(0)
    assert after.winners


def test_several_cards_do_not_push_each_other_out() -> None:
    state = rulelang.load("evolution").new(players=2, seed=11)
    asked = ("horns", "climbing", "ambush", "fertile")
    for place, name in enumerate(asked):
        state, _ = with_card(state, name, 1, asked[:place])
    assert set(hand(state, 1)) == set(asked)


def test_play_with_and_its_words() -> None:
    output = run("play", "evolution", "--seed", "3", "--with", "horns", stdin="").output
    assert output.startswith("Ana begins with horns: in Ana's hand.\n")
    assert "    Horns: food " in output
    result = run("play", "evolution", "--with", "hoorns", stdin="")
    assert (result.exit_code, "did you mean `horns`?" in result.output) == (2, True)
    assert run("play", "evolution", "--with", "horns", "--load", __file__, stdin="").exit_code == 2


def test_play_from_a_scenario() -> None:
    output = run("play", "evolution", "--from", "a fed species is safe in its burrow", stdin="").output
    assert "mole  population 2  body 2  2 food eaten  traits: Burrowing" in output
    assert run("play", "evolution", "--from", "A fed species is safe", stdin="").output == output
    both = run("play", "evolution", "--from", "a fed species is safe in its burrow", "--with", "horns", stdin="")
    assert "ana begins with horns" in both.output
    for name, said in (("burrow", "scenarios match"), ("a fed specs is safe in its burrow", "did you mean")):
        result = run("play", "evolution", "--from", name, stdin="")
        assert (result.exit_code, said in result.output) == (2, True), result.output
    assert run("play", "evolution", "--from", "x", "--players", "2", stdin="").exit_code == 2


def test_a_scenario_of_a_mod_brings_its_own() -> None:
    state = at_scenario("evolution", "a species that has eaten nothing looks dead", ["examples/three_traits"])
    assert state.why_not("attack wolf crab")
    with pytest.raises(NotFound):
        at_scenario("evolution", "a species that has eaten nothing looks dead")
