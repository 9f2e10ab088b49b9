"""What must hold at every decision of a real, compiled game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulelang
from rulelang import Game, IllegalMove, State
from rulelang.runtime.agents import Greedy, Random
from rulelang.runtime.rng import Generator
from rulelang.runtime.views import zone_cards
from rulelang.testing.scenarios.run import Runner


@pytest.fixture(scope="module")
def game() -> Game:
    return rulelang.load("evolution")


def positions(game: Game, players: int, seed: int) -> Iterator[State]:
    """Every position of a random game, before each decision and at the end."""
    state = game.new(players, seed)
    chance = Generator(seed)
    while not state.over:
        yield state
        state.play(chance.below(state.option_count))
    yield state


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_card_lies_in_one_place(game: Game, players: int) -> None:
    for state in positions(game, players, players):
        layout, S = state.table.program.layout, state.words
        found = []
        for zone in layout.zones.values():
            for owner in range(1, zone.owners + 1) if zone.of else (0,):
                cards = zone_cards(zone, owner, S, layout.card_next)
                assert all(S[layout.where + card] == zone.first_id + owner for card in cards)
                found += cards
        assert sorted(found) == list(range(1, len(layout.cards)))


def test_texts_find_their_options_and_only_those(game: Game) -> None:
    for state in positions(game, 4, 3):
        if state.over:
            break
        texts = [option.text for option in state.decision.options]
        assert len({text.casefold() for text in texts}) == len(texts)
        assert [state.find(text) for text in texts] == list(range(len(texts)))


def test_a_refused_move_changes_nothing(game: Game) -> None:
    for number, state in enumerate(positions(game, 3, 5)):
        if number % 20:
            continue
        before = state.hash()
        for text in ("fly away", "graze", "grow_body wolf dodo", "strike wolf crab", "99", ""):
            if state.over or not isinstance(state.find(text), int):
                with pytest.raises(IllegalMove):
                    state.play(text)
                assert state.try_play(text)
        assert state.hash() == before


def test_every_position_can_be_saved_restored_and_gone_on_from(game: Game) -> None:
    ends = set()
    for number, state in enumerate(positions(game, 4, 8)):
        again = game.restore(state.save())
        assert again.hash() == state.hash()
        assert again.option_count == state.option_count
        if number % 40 == 0:
            assert [str(e) for e in again.log] == [str(e) for e in state.log]
            assert again.view(2) == state.view(2)
            chance = Generator(8)
            for _ in state.choices:
                chance.below(1 << 20)
            while not again.over:
                again.play(chance.below(again.option_count))
            ends.add(again.hash())
    assert state.over
    assert ends == {state.hash()}


def test_a_replay_and_undo_lead_where_they_should(game: Game) -> None:
    *_, state = positions(game, 2, 13)
    record = json.loads(json.dumps(game.record(state)))
    again = game.replay(record)
    assert (again.hash(), again.winners) == (state.hash(), state.winners)
    assert state.undo(10) == 10
    for choice in record["choices"][-10:]:
        state.play(choice)
    assert state.hash() == again.hash()


def test_the_fast_path_plays_games_of_the_same_kind(game: Game) -> None:
    """It draws by rejection: other games than the random agent's, of the same distribution."""
    fast = game.simulate(300, 4, seed=2)
    slow = game.simulate(60, 4, seed=3, agents=[Random()])
    for of_fast, of_slow in (
        (fast.decisions / 300, slow.decisions / 60),
        (fast.forced / 300, slow.forced / 60),
        (sum(s.mean for s in fast.scores), sum(s.mean for s in slow.scores)),
    ):
        assert abs(of_fast - of_slow) < 0.1 * of_slow


def test_playing_on_from_the_middle_is_possible(game: Game) -> None:
    for number, state in enumerate(positions(game, 4, 21)):
        if number % 50 == 0 and not state.over:
            before = state.hash()
            assert state.playout(1) == state.playout(1)
            assert state.hash() == before


def swap_secrets(state: State, viewer: int) -> State:
    """The same position with the cards that the viewer cannot see dealt round among themselves."""
    layout, words = state.table.program.layout, list(state.words)
    places = []
    for name in ("deck", "hand"):
        zone = layout.zones[name]
        for owner in range(1, zone.owners + 1) if zone.of else (0,):
            if not owner or owner != viewer:
                start = zone.base + owner * zone.stride
                places += range(start + 1, start + 1 + words[start])
    cards = [words[place] for place in places]
    zones = [words[layout.where + card] for card in cards]
    for place, card, zone_id in zip(places, cards[7:] + cards[:7], zones, strict=True):
        words[place] = card
        words[layout.where + card] = zone_id
    for attribute in layout.attributes:
        if attribute.seen_by == "owner" and attribute.kind == "player":
            for player in range(1, state.table.players + 1):
                words[attribute.base + player] += player != viewer
    words[layout.cells.rng_x] ^= 12345
    return state.altered(words)


def test_views_do_not_depend_on_secrets(game: Game, root: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json.loads((root / "schemas/view.schema.json").read_text()))
    for number, state in enumerate(positions(game, 3, 30)):
        if number % 10:
            continue
        for viewer in range(4):
            if viewer == state.decider or state.over:
                continue
            seen = state.view(viewer or None)
            assert swap_secrets(state, viewer).view(viewer or None) == seen
            if number % 50 == 0:
                validator.validate(json.loads(json.dumps(seen)))


def test_in_secret_the_others_stand_still(game: Game) -> None:
    state = game.new(3, 4, options={"quick_play": True})
    layout = state.table.program.layout
    while not state.words[layout.cells.curtain]:
        state.play(0)
    phase, moves = state.words[layout.cells.phase], 0
    shown = state.view(None)["players"]
    while state.words[layout.cells.phase] == phase:
        assert state.view(None)["players"] == shown
        for seat in range(1, 4):
            own, *others = sorted(state.view(seat)["players"], key=lambda player: player["seat"] != seat)
            assert others == [player for player in shown if player["seat"] != seat]
            assert own["zones"]["hand"]["count"] == len(own["zones"]["hand"]["cards"])
        state.play(0)
        moves += 1
    assert moves == 3
    assert state.view(None)["players"] != shown


def test_greedy_beats_random(game: Game) -> None:
    result = game.simulate(6, 2, seed=5, agents=[Greedy(), Random()])
    assert result.wins[0] >= 4


NUMBERS = """
- name: dealing and founding
  given: {phase: deal, zones: {deck: rest}, players: [ana, bob]}
  when: []
  then:
    - count(card c in ana.hand) == 5 + 2
    - "all(species s: s.population == 2 and s.body_size == 3)"
- name: growing
  given:
    phase: play_cards
    turn: ana
    players:
      ana: {hand: [horns, foraging, climbing], species: [deer population 8 body_size 7, goat population 9 body_size 8]}
      bob: [crab]
  when:
    - grow_body goat horns: {refused: goat already has the maximum body size}
    - grow_population goat horns: {refused: goat already has the maximum population}
    - grow_body deer horns
    - grow_population deer foraging
  then: [deer.body_size == 8, deer.population == 9]
- name: eating
  given:
    phase: feeding
    turn: ana
    state: {watering_hole: 40}
    players:
      ana:
        hand: [climbing]
        species:
          - wolf population 9 body_size 6: carnivore
          - deer population 9: [foraging, cooperation, intelligence]
          - hare population 9: long_neck
      bob: [ox population 7 body_size 4: [hard_shell, horns], crab population 9: scavenger]
  when:
    - reveal_food
    - think deer
    - attack wolf ox
  then:
    - hare.food == 2 + 2
    - deer.food == 3 + 2
    - ox.population == 7 - 2
    - wolf.population == 9 - 2
    - wolf.food == 4
    - crab.food == 2
    - defence(ox, wolf) == 4 + 1
"""


def test_every_number_stands_once(tmp_path: Path) -> None:
    """A mod that sets the numbers changes them wherever the rules speak of them."""
    numbers = {
        "cards_dealt": 5, "cards_for_species": 2, "first_population": 2, "first_body": 3, "most_population": 9,
        "most_body": 8, "grazed": 2, "killed": 2, "bank": 120, "shell": 1, "gored": 2, "thought_up": 3, "reached": 2,
        "foraged": 2, "scavenged": 2, "shared": 2, "boards": 12,
    }  # fmt: skip
    (tmp_path / "mod.yaml").write_text(
        "id: other\nversion: 1.0.0\nlanguage: 1\ntitle: Other\nextends: {evolution: '>=1.0'}\nfiles: [set.yaml]\n"
    )
    lines = "".join(f"  numbers.{name}: {value}\n" for name, value in numbers.items())
    (tmp_path / "set.yaml").write_text(f"set:\n{lines}")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "all.yaml").write_text(NUMBERS)
    runner = Runner(tmp_path)
    assert not runner.diagnostics.items
    mine = [scenario for scenario in runner.scenarios if scenario.path.startswith(str(tmp_path))]
    outcomes = [runner.run(scenario) for scenario in mine]
    assert len(outcomes) == 3
    assert [(o.scenario.id, o.failures) for o in outcomes if not o.passed] == []
    assert [*positions(rulelang.load("evolution", [tmp_path]), 3, 1)][-1].over
