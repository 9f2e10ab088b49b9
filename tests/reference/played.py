"""Random games of whole rulesets, followed by the reference."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import rulelang
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from tests.reference.lockstep import followed

#: A game that takes longer is left for another.
LONGEST = 3000


@cache
def game_of(where: str | Path, mods: tuple[str | Path, ...] = (), mode: str | None = None) -> Game:
    """A game whose tables are followed by the reference."""
    return followed(rulelang.load(where, mods, mode), Compilation(where, mods, mode))


def begun(game: Game, seed: int) -> State:
    """A new game of random players; every second one with options as they come."""
    chance = random.Random(seed)
    players = chance.randint(*game.players)
    options: dict[str, object] = {}
    if seed % 2:
        for name, option in game.options.items():
            options[name] = chance.choice(option.values or (range(option.low, option.high + 1)))
        try:
            game.table(players, options)
        except (ValueError, rulelang.LoadError):  # teams that so many cannot form
            options = {}
    return game.new(players=players, seed=seed, options=options)


def games(game: Game, decisions: int, first: int = 1) -> Iterator[State]:
    """The states of random games, until so many decisions were made."""
    seed, left = first, decisions
    while left > 0:
        chance = random.Random(seed)
        state = begun(game, seed)
        for _ in range(LONGEST):
            if state.over or left <= 0:
                break
            state.play(chance.randrange(len(state.decision.options)))
            left -= 1
            yield state
        seed += 1


def compared(game: Game) -> tuple[int, int]:
    """How many positions of its tables agreed so far, and how many could not be followed."""
    programs = [table.program for table in game._tables.values()]
    return sum(p.compared for p in programs), sum(p.lost for p in programs)  # type: ignore[attr-defined]


def agreed(where: str | Path, decisions: int) -> tuple[int, int]:
    """How many positions agreed in random games of the ruleset there, until so many decisions were made, and how many
    could not be followed."""
    game = game_of(where)
    for _ in games(game, decisions):
        pass
    return compared(game)
