"""The compiled games do what the reference interpreter of their typed tree does, decision by decision.

What is compared is in `lockstep.py`: who is asked, all options in order, the whole position, the log. The shares that
are not marked `slow` are small; `make slow` plays 10,000 random decisions of each ruleset.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.reference import events, expressions, hooks, options, world
from tests.reference import game as reference
from tests.reference.lockstep import Differs
from tests.reference.played import compared, game_of, games

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted(path.name for path in (ROOT / "rulesets").iterdir())
MODES = [("darwins_choice", "kids"), ("darwins_choice_colossal", "kids"), ("darwins_choice_colossal", "epic")]


@pytest.mark.parametrize(("name", "seed"), [("evolution", 1), ("origin_of_species", 2)])
def test_some_decisions_of_the_smallest_games(name: str, seed: int) -> None:
    game = game_of(name)
    before = compared(game)[0]
    played = sum(1 for _ in games(game, 60, seed))
    assert compared(game) == (before + played + 1, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_ten_thousand_decisions(name: str) -> None:
    game = game_of(name)
    played = sum(1 for _ in games(game, 10_000))
    assert played == 10_000
    assert compared(game)[1] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mode"), MODES)
def test_decisions_of_modes(name: str, mode: str) -> None:
    assert sum(1 for _ in games(game_of(name, (), mode), 1000)) == 1000


def wrong(old: Any) -> Callable[..., Any]:
    """The contrary."""
    return lambda *args, **named: not old(*args, **named)


@pytest.mark.parametrize(
    ("where", "name", "plant"),
    [
        pytest.param(hooks.Hooks, "ignored", wrong, marks=pytest.mark.slow),
        (events.Events, "enabled", lambda old: lambda self, due: True),
        pytest.param(events.Events, "fixed", lambda old: lambda *args: old(*args)[::-1], marks=pytest.mark.slow),
        (expressions.Expressions, "arithmetic", lambda old: lambda self, op, a, b: old(self, op, a, b) + 1),
        (options.Options, "alike", lambda old: lambda self, binders: False),
        (world.World, "release", lambda old: lambda self: None),
        (reference.Reference, "score", lambda old: lambda self, seat: old(self, seat) + 1),
        (reference.Reference, "broken", lambda old: lambda self: [*self.program.invariants.values()]),
        (world.World, "random", lambda old: lambda self, n: (old(self, n) + 1) % n),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_mistake_in_either_is_found(where: Any, name: str, plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, name, plant(getattr(where, name)))
    with pytest.raises(Differs):
        for _ in games(game_of("origin_of_species"), 400):
            pass
