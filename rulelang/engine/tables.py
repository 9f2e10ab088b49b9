"""The tables of a ruleset: what of a game whoever only reads positions needs to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulelang.base.english import so_many_players
from rulelang.base.errors import BadArgument
from rulelang.engine.info import GameInfo
from rulelang.engine.options import TableOption, choose_options
from rulelang.engine.program import Backend, LinkedProgram
from rulelang.engine.table import Table

#: Compiles and links the program for a table: (players, options by number, backend). ValueError: an unknown backend.
Link = Callable[[int, Mapping[str, int], Backend], LinkedProgram]


class Tables:
    """A ruleset of which there are tables. They are compiled when first wanted, and kept."""

    def __init__(
        self, info: GameInfo, players: tuple[int, int], options: Mapping[str, TableOption], link: Link
    ) -> None:
        self.info = info
        self.players = players  # the fewest and the most
        self.options = options
        self._link = link
        self._tables: dict[tuple[object, ...], Table] = {}

    def __getstate__(self) -> dict[str, object]:
        # Linked programs stay in their process.
        return {**self.__dict__, "_tables": {}}

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def title(self) -> str:
        return self.info.title

    @property
    def version(self) -> str:
        return self.info.version

    def table(
        self, players: int = 4, options: Mapping[str, object] | None = None, backend: Backend = "python"
    ) -> Table:
        """The compiled table. ValueError if so many cannot play, or for an unknown option, value or backend; BuildError
        if the native backend is asked for and cannot be had."""
        low, high = self.players
        if not low <= players <= high:
            raise BadArgument(f"{self.title} is for {so_many_players(low, high)}, not {players}")
        numbers = choose_options(self.options, players, options)
        key = (players, backend, *sorted(numbers.items()))
        if key not in self._tables:
            self._tables[key] = Table(self.info, self._link(players, numbers, backend), players, numbers)
        return self._tables[key]
