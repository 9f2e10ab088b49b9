"""No seat is told anything that depends on what it may not see; and what does is found."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.runtime.game import Game
from tests.properties.games import COLOSSAL, RULESETS, Ruleset, history, usual, walk
from tests.secrecy.den import LEAKS, SOUND, den
from tests.secrecy.telling import Telling


def found(game: Game, games: int = 3, every: int = 3) -> str:
    """The first leak in a few games."""
    chance = random.Random(1)
    for seed in range(games):
        telling = Telling(game.new(2, seed), chance)
        for number, state in enumerate(walk(game.new(2, seed), seed, 24)):
            if number % every == seed % every and not state.over:
                for seat in range(len(state.players) + 1):
                    texts = ["peep", "peep ada", "peep 3", "peep worm", "play leaf", "grow ben"]
                    told = telling.leaks(state.clone(), seat, texts, moves=3)
                    if told:
                        return told
    return ""


#: A few in every run, all of them in the slow tests.
FEW = [pytest.param(what, marks=() if place % 8 == 0 else pytest.mark.slow) for place, what in enumerate(LEAKS)]


@pytest.mark.parametrize("what", FEW)
def test_what_is_given_away_is_found(what: str, tmp_path: Path) -> None:
    assert found(load(den(tmp_path / "den", LEAKS[what]))), what


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.slow if what != "nothing" else ()) for what in SOUND]
)
def test_what_is_not_given_away_is_not_found(what: str, tmp_path: Path) -> None:
    assert found(load(den(tmp_path / "den", SOUND[what]))) == ""


def looked_at(ruleset: Ruleset, seeds: Iterable[int], every: int, moves: int = 1, asking: int = 1) -> int:
    """Look at positions of the games of these seeds, for who is asked and another seat; how many looks there were.
    `asking`: at one look in so many he is also told why eight moves of the game are none of his options."""
    seats = usual(ruleset)
    count = 0
    for seed in seeds:
        chance, states = random.Random(seed + 3), history(seats, seed)
        telling = Telling(states[0], chance)
        texts = sorted({o.text for state in states[::11] if not state.over for o in state.decision.options})
        for state in states[seed % every :: every]:
            asked = [] if state.over else [state.decider]
            for seat in dict.fromkeys((*asked, chance.randrange(seats.players + 1))):
                some = chance.sample(texts, min(8, len(texts))) if count % asking == 0 else ()
                told = telling.leaks(state.clone(), seat, some, moves=moves)
                assert told == "", f"{ruleset}, seed {seed}, decision {len(state.choices)}, seat {seat}: {told}"
                count += 1
    return count


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_shipped_rulesets_give_nothing_away(ruleset: Ruleset) -> None:
    assert looked_at(ruleset, (0,), 41) > 4


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [*RULESETS, COLOSSAL], ids=str)
def test_shipped_rulesets_give_nothing_away_in_many_positions(ruleset: Ruleset) -> None:
    assert looked_at(ruleset, range(40), 1, moves=3) > 2000


#: Rulesets and seeds of games in which something was once found that is mended since.
FOUND = [("evolved", 17)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), FOUND)
def test_what_was_once_told_is_told_no_more(name: str, seed: int) -> None:
    ruleset = next(one for one in RULESETS if one.name == name and one.backend == "python")
    assert looked_at(ruleset, (seed,), 1, 1, 16) > 200


def test_no_reason_tells_what_lies_face_down() -> None:
    """Who asks why not, of somebody else's thing, learns nothing of the cards that lie there unseen."""
    game, told = load("evolution"), []
    for hidden in ("horns", "ambush"):
        given = {
            "phase": "play_cards",
            "turn": "ana",
            "players": {
                "ana": {"hand": ["horns", "climbing"], "species": ["wolf"]},
                "bob": {"species": [{"hare": {"new_traits": [hidden]}}]},
            },
        }
        told.append([str(reason) for reason in game.position(given).why_not("play_trait hare horns")])
    assert told[0] == told[1]
    assert "hare belongs to bob, not to ana" in told[0][0]
