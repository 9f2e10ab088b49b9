"""What the library does by itself is what Python does with the same words: observations, worlds, searches, bots."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.base.search_params import SEARCH_SETTINGS
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.hidden_information import Secrets
from rulelang.runtime.rng import Generator
from rulelang.runtime.search import Budget, Searcher
from rulelang.runtime.validate_state import check_words
from tests.native.machine import needs_compiler

pytestmark = needs_compiler

ROOT = Path(__file__).resolve().parents[2] / "rulesets"
GAMES = ["evolution", "origin_of_species"]
MORE = [pytest.param(name, marks=pytest.mark.slow) for name in ("evolved", "darwins_choice")]


def game(name: str) -> Game:
    return rulelang.load(ROOT / name)


def middles(found: Game, count: int, players: int = 3) -> list[list[int]]:
    """Words of games that wait at some decision."""
    words = []
    for seed in range(count):
        state = found.new(players, seed, log=False)
        chance = Generator(seed)
        for _ in range(7 + 11 * seed % 90):
            if state.over:
                break
            state.play(chance.below(state.option_count))
        if not state.over:
            words.append(list(state.words))
    return words


@pytest.mark.parametrize("name", [*GAMES, *MORE])
def test_observations_and_worlds(name: str) -> None:
    found = game(name)
    table = found.table(3)
    inside, python = found.table(3, backend="native").program, table.program
    secrets = Secrets(table.program.layout)
    changed = 0
    for number, words in enumerate(middles(found, 12)):
        assert inside.frames_end(words) == python.frames_end(words)  # type: ignore[attr-defined]
        for seat in (1, 2, 3):
            seen = secrets.observe(words, seat)
            assert inside.observe(words, seat) == seen  # type: ignore[attr-defined]
            world, same = list(words), list(words)
            secrets.determinise(world, seat, python.frames_end(words), Generator(number))
            inside.determinise(same, seat, number)  # type: ignore[attr-defined]
            assert same == world
            # Who looks cannot tell this world from the real one.
            assert secrets.observe(world, seat) == seen
            assert python.options(list(world)) is not None
            changed += world[table.program.layout.where :] != words[table.program.layout.where :]
    assert changed


@pytest.mark.parametrize("name", GAMES)
def test_a_world_conserves_cards(name: str) -> None:
    found = game(name)
    layout = found.table(3).program.layout
    secrets = Secrets(layout)
    for words in middles(found, 40):
        world = list(words)
        secrets.determinise(world, 1, found.table(3).program.frames_end(words), Generator(5))
        check_words(layout, world)  # no card keeps links of where it lay before
        lying = sorted(
            card
            for zone in secrets.zones
            for instance in range(zone.low, zone.high + 1)
            for card in secrets.cards(world, zone, instance)
        )
        assert lying == list(range(1, len(layout.cards)))
        for zone in secrets.zones:
            for instance in range(zone.low, zone.high + 1):
                cards = secrets.cards(world, zone, instance)
                assert len(cards) == len(secrets.cards(words, zone, instance))
                assert all(world[layout.where + card] == zone.first_id + instance for card in cards)
                if not secrets.hides(zone, instance, 1):
                    assert cards == secrets.cards(words, zone, instance)


@pytest.mark.parametrize("name", [*GAMES, *MORE])
def test_searches_choose_alike(name: str) -> None:
    found = game(name)
    inside, python = found.table(3, backend="native").program, found.table(3).program
    searcher = Searcher(python)
    for number, words in enumerate(middles(found, 6)):
        options = python.options(list(words)) or []
        seat = words[python.layout.cells.decider]
        for kind, games in (("greedy", 0), ("mc", 12), ("ismcts", 250 if number == 1 else 40)):
            wanted = searcher.search(kind, words, options, seat, Budget(games), 1000 + number)
            assert inside.search(kind, words, seat, games, 1000 + number) == wanted, (kind, number)  # type: ignore[attr-defined]


def test_playouts_beyond_the_round_are_the_same() -> None:
    """With so many games that it is sure what pays at once."""
    found = game("../examples/pebbles")
    inside, python = found.table(2, backend="native").program, found.table(2).program
    words = middles(found, 1, players=2)[0]
    options, seat = python.options(list(words)) or [], words[python.layout.cells.decider]
    wanted = Searcher(python).search("ismcts", words, options, seat, Budget(1600), 5)
    assert max(tried for tried, _ in wanted[1]) > SEARCH_SETTINGS["ismcts"].sure
    assert inside.search("ismcts", words, seat, 1600, 5) == wanted  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "agents"),
    [
        *((name, agents) for name in GAMES for agents in ("random", "first", "mc:3,ismcts:5")),
        ("../examples/pebbles", "greedy,random"),
        ("../examples/pebbles", "mc:4,greedy,ismcts:80"),
    ],
)
def test_games_between_agents_are_the_same(name: str, agents: str) -> None:
    found = game(name)
    games = 1 if ":" in agents else 4
    results = [
        found.simulate(
            games,
            min(3, found.players[1]),
            seed=4,
            agents=[make_agent(agent) for agent in agents.split(",")],
            backend=backend,
        )
        for backend in ("python", "native")
    ]
    python, native = (result.as_json() | {"points": result.points} for result in results)
    assert {k: v for k, v in python.items() if "second" not in k} == {
        k: v for k, v in native.items() if "second" not in k
    }


def test_by_number_is_by_option() -> None:
    found = game("evolution")
    inside = found.table(2, backend="native").program
    state = found.new(2, 9, backend="native", log=False)
    words = list(state.words)
    chance = Generator(1)
    while not state.over:
        count = inside.count(words)  # type: ignore[attr-defined]
        assert count == state.option_count
        k = chance.below(count)
        state.play(k)
        after = inside.choose(words, k)  # type: ignore[attr-defined]
        assert after == state.option_count
        assert words[: inside.layout.stack] == list(state.words)[: inside.layout.stack]


def test_a_paused_game_is_played_on() -> None:
    found = game("evolution")
    inside = found.table(2, backend="native").program
    words = middles(found, 3, players=2)[-1]
    inside.between(words, [("greedy", 0), ("mc", 5)], [(1, 2), (3, 4)])  # type: ignore[attr-defined]
    assert words[inside.layout.cells.over] == 1


@pytest.mark.parametrize(("agent", "least"), [("greedy", 0.4), ("mc:40", 0.5), ("ismcts:80", 0.4)])
def test_bots_beat_random_ones(agent: str, least: float) -> None:
    """One against three: a quarter of the wins would be no better than chance."""
    found = game("evolution")
    result = found.simulate(24, 4, seed=1, agents=[make_agent(name) for name in (agent, "random", "random", "random")],
                            backend="native")  # fmt: skip
    assert result.wins[0] / result.games >= least
