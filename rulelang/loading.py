"""A ruleset as a game to play: compiled, with agents that are seated by name, and positions that are laid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.compile import Compilation
from rulelang.engine.game import Game

if TYPE_CHECKING:
    from rulelang.engine.seating import Agent
    from rulelang.engine.state import State
    from rulelang.scenarios.fixture import Fixture


def load(where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None) -> Game:
    """A playable game: of a shipped id, a folder, a zip or a package, with mods over it and in a mode of it.

    LoadError with all diagnostics if there are mistakes.
    """
    compilation = Compilation(where, mods, mode)
    summary = compilation.summary
    return Game(summary.info, summary.players, summary.options, compilation.link, named, Positions(compilation).lay)


def named(agent: str) -> Agent:
    """A fresh agent by its name; see `agents.make_agent`."""
    from rulelang.agents import make_agent

    return make_agent(agent)


class Positions:
    """Lays games of a ruleset at positions."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation

    def __reduce__(self) -> tuple[type[Positions], tuple[Compilation]]:
        # Another process finds out for itself what it needs to know.
        return Positions, (self.compilation,)

    def lay(self, game: Game, given: Mapping[str, object], backend: str, log: bool) -> State:
        """A game at a position; see `scenarios.begin`."""
        from rulelang.scenarios.begin import lay_given

        return lay_given(self.bench, game, given, backend, log=log)

    @cached_property
    def bench(self) -> Fixture:
        """What laying positions needs to know of the rules, kept from one position to the next."""
        from rulelang.scenarios.fixture import Fixture

        return Fixture(self.compilation)


__all__ = ["load"]
