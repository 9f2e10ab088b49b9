"""How a table begins: data that can be kept, and from which the same game begins again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rulelang.api import load
from rulelang.base.errors import BadArgument
from rulelang.base.languages import Language, PhrasedError
from rulelang.compiler.compilation import Compilation
from rulelang.presentation.view.book import Book
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from rulelang.runtime.table import Table
from rulelang.testing.scenarios.opening import NoSuch, at_scenario, with_card

PERSON, BOT, OPEN = "person", "bot", "open"


class Wrong(PhrasedError, ValueError):
    """What a browser asked for cannot be; the text says why."""


@dataclass(frozen=True, slots=True)
class Spec:
    """`game`: a folder or the id of a shipped game. `scenario`: in whose position it begins, which then decides how
    many play. `given`: a position as the `given` of a scenario has it. `card`: a trait or card that the first seat of a
    new game begins with."""

    game: str
    mods: tuple[str, ...] = ()
    mode: str | None = None
    players: int = 0
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    scenario: str | None = None
    given: Mapping[str, Any] | None = None
    card: str | None = None
    backend: str = "python"

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Spec:
        return cls(**{**record, "mods": tuple(record["mods"])})

    def files(self) -> str:
        """What changes with any byte of its files."""
        return Compilation(self.game, self.mods, self.mode).checked.fingerprint

    def load(self) -> Game:
        return load(self.game, self.mods, self.mode)

    def begin(self, game: Game, names: list[str]) -> State:
        """The game at its first decision. Wrong for what cannot be; LoadError, RuleError for mistakes in the rules."""
        try:
            if self.scenario is not None:
                return at_scenario(self.game, self.scenario, self.mods, self.mode, self.backend)
            if self.given is not None:
                return game.position(self.given, self.backend)
            state = game.new(self.players, self.seed, names, self.options, self.backend)
            return state if self.card is None else with_card(state, self.card)[0]
        except (BadArgument, NoSuch) as problem:
            raise Wrong(str(problem)) from None


class Speakers:
    """Languages in which the things of a game's tables are called as `look:` has them, with what is said of them
    wherever they are: made once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.codes = game.languages  # asked once: it looks for catalogues among the files
        self.known: dict[tuple[int, str], tuple[Table, Language, Book]] = {}

    def language(self, table: Table, code: str) -> Language:
        """One of them; English if there is none of that code."""
        return self._known(table, code)[1]

    def book(self, table: Table, code: str) -> Book:
        """What is said in it."""
        return self._known(table, code)[2]

    def _known(self, table: Table, code: str) -> tuple[Table, Language, Book]:
        code = code if code in self.codes else "en"
        key = (id(table), code)
        if key not in self.known:
            self.known[key] = (table, self.game.language(code).labelled(), Book())
        return self.known[key]
