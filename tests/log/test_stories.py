"""The log that is worked out for all who look on is what each would be told by a story of his own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulelang import load
from rulelang.presentation.story import SharedStories, Story

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path.parent.name for name in ("ruleset", "mod") for path in (ROOT / "rulesets").glob(f"*/{name}.yaml"))


def followed(game: str, seed: int, moves: int) -> set[int]:
    """Four seats and a spectator, of whom two come later; how many stories there were at once."""
    state, chance = load(game).new(4, seed), Random(seed)
    stories, own, told = SharedStories(), dict[int, Story](), dict[int, list[str]]()
    seen = set()
    for number in range(moves):
        if state.over:
            break
        state = state.clone()
        state.play(chance.randrange(state.option_count))
        for viewer in range(5 if number > 9 else 3):
            new = own.setdefault(viewer, Story(viewer, waits=True)).news(state)
            told.setdefault(viewer, []).extend(new)
            assert stories.lines(state, viewer) == told[viewer], (number, viewer)
        seen.add(len({id(story) for story in stories.stories.values()}))
    return seen


def test_all_are_told_what_each_would_be() -> None:
    assert 1 in followed("evolution", 5, 40)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_of_whole_games(game: str, seed: int) -> None:
    followed(game, seed, 2000)
