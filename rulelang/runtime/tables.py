"""The tables of a ruleset: all that is needed of a game to read its positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rulelang.base.errors import BadArgument, as_int, as_mapping, as_text
from rulelang.base.wording import player_count_text
from rulelang.runtime.info import GameInfo
from rulelang.runtime.options import TableOption, choose_options
from rulelang.runtime.program import Backend, Extended, LinkedProgram
from rulelang.runtime.table import Table

if TYPE_CHECKING:
    from rulelang.runtime.by_name import Values

#: Compiles and links the program for a table: (players, options by number, backend). ValueError: an unknown backend.
Link = Callable[[int, Mapping[str, int], Backend], LinkedProgram]


class Tables:
    """A ruleset of which there are tables. Each is compiled when it is first needed, and kept."""

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
        """The id of the ruleset, as its manifest has it."""
        return self.info.id

    @property
    def title(self) -> str:
        """The title of the ruleset, in English."""
        return self.info.title

    @property
    def version(self) -> str:
        """The version of the ruleset, as its manifest has it."""
        return self.info.version

    def table(
        self, players: int = 4, options: Mapping[str, object] | None = None, backend: Backend = "python"
    ) -> Table:
        """Return the compiled table for a number of players.

        ValueError for a number of players that the game does not allow, or for an unknown option, value or backend;
        TypeError for arguments of the wrong type; BuildError if the backend that you name is not available here.
        """
        players = as_int(players, "the number of players")
        if not isinstance(backend, Extended):
            as_text(backend, "the backend")
        low, high = self.players
        if not low <= players <= high:
            raise BadArgument(f"{self.title} is for {player_count_text(low, high)}, not {players}")
        numbers = choose_options(self.options, players, None if options is None else as_mapping(options, "options"))
        key = (players, backend, *sorted(numbers.items()))
        if key not in self._tables:
            program = self._link(players, numbers, backend)
            self._tables[key] = Table(self.info, program, players, numbers, self, backend)
        return self._tables[key]

    def values(self, table: Table) -> Values:
        """Return what works out the declared values of one of its tables. ValueError if the rules are not known."""
        raise BadArgument("this game has no rules texts, so it cannot read values by name")
