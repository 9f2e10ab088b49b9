"""The rulesets that the properties are tested on, and positions in the middle of their games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path

import pytest

from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.compiler.backends.python.link import PythonProgram
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.agents import Random
from rulelang.runtime.game import Game
from rulelang.runtime.program import LinkedProgram
from rulelang.runtime.state import State
from rulelang.runtime.table import Table
from tests.native.machine import needs_compiler

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "fixtures" / "examples"
SHIPPED = tuple(sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/ruleset.yaml")))

Options = Mapping[str, object]

PROGRAMS = {"python": PythonProgram, "native": NativeProgram}

#: How many decisions of a game are looked at, unless a test asks for whole games.
MOST = 120


@dataclass(frozen=True)
class Ruleset:
    """A ruleset with its mods and mode, and the backend that plays it."""

    name: str
    where: Path
    mods: tuple[Path, ...] = ()
    mode: str | None = None
    backend: str = "python"

    def __str__(self) -> str:
        return self.name if self.backend == "python" else f"{self.name}-{self.backend}"


@dataclass(frozen=True)
class Seats:
    """One table of a ruleset: how many play, and with which options."""

    ruleset: Ruleset
    players: int
    options: Options = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        chosen = "".join(f"-{name}={value}" for name, value in self.options.items())
        return f"{self.ruleset}-{self.players}p{chosen}"

    @property
    def game(self) -> Game:
        return game_of(self.ruleset)

    @property
    def table(self) -> Table:
        return self.game.table(self.players, self.options)

    def new(self, seed: int, *, log: bool = False) -> State:
        return self.game.start(self.table, seed, log=log)


_CHOICE = EXAMPLES / "darwins_choice"
_COLOSSAL = (EXAMPLES / "darwins_choice_colossal",)
_HARBOUR = (*_COLOSSAL, EXAMPLES / "mod_of_colossal")

RULESETS = (
    *(Ruleset(name, ROOT / "rulesets" / name) for name in SHIPPED),
    Ruleset("example-choice-kids", _CHOICE, mode="kids"),
    Ruleset("example-harbour-epic", _CHOICE, _HARBOUR, "epic"),
)
COLOSSAL = Ruleset(
    "darwins_choice_colossal", ROOT / "rulesets" / "darwins_choice", (ROOT / "rulesets" / "darwins_choice_colossal",)
)
#: The large one, and the same again in other words: only in the slow tests.
MORE_RULESETS = (
    COLOSSAL,
    *(
        Ruleset(f"example-{name}", EXAMPLES / name)
        for name in ("evolution", "evolved", "origin_of_species", "darwins_choice")
    ),
    Ruleset("example-choice-beginner", _CHOICE, mode="beginner"),
    Ruleset("example-colossal", _CHOICE, _COLOSSAL),
    Ruleset("example-colossal-kids", _CHOICE, _COLOSSAL, "kids"),
)
#: Where a C compiler is installed; Evolution in the quick tests.
NATIVE = tuple(replace(ruleset, backend="native") for ruleset in (*RULESETS, COLOSSAL))
everywhere = pytest.mark.parametrize(
    "ruleset",
    [
        *RULESETS,
        *(pytest.param(ruleset, marks=pytest.mark.slow) for ruleset in MORE_RULESETS),
        *(
            pytest.param(
                ruleset,
                marks=[needs_compiler] if ruleset.name == "evolution" else [needs_compiler, pytest.mark.slow],
            )
            for ruleset in NATIVE
        ),
    ],
    ids=str,
)


@cache
def game_of(ruleset: Ruleset) -> Game:
    """The game; all its tables are on the backend of the ruleset, whatever is asked for."""
    compilation = compilation_of(ruleset)

    def link(players: int, options: Mapping[str, int], backend: str) -> LinkedProgram:
        program = compilation.link(players, options, ruleset.backend)
        assert isinstance(program, PROGRAMS[ruleset.backend])
        return program

    summary = compilation.summary
    return Game(summary.info, summary.players, summary.options, link)


@cache
def compilation_of(ruleset: Ruleset) -> Compilation:
    return Compilation(ruleset.where, ruleset.mods, ruleset.mode)


def variants(game: Game) -> list[Options]:
    """Choices of options beside the default ones: the last value of each; the first and the last by turns."""
    options = game.options.values()
    last = {option.name: (option.values or range(option.low, option.high + 1))[-1] for option in options}
    first = {option.name: (option.values or range(option.low, option.high + 1))[0] for option in options}
    mixed = {name: (first if number % 2 else last)[name] for number, name in enumerate(last)}
    return [last, mixed] if last else []


def seatings(ruleset: Ruleset, *, few: bool = False) -> list[Seats]:
    """Tables of a ruleset: every number of players (`few`: two of them), and its variants with four."""
    game = game_of(ruleset)
    low, high = game.players
    four = min(max(4, low), high)
    counts = sorted({low, four}) if few else range(low, high + 1)
    return [
        *(Seats(ruleset, players) for players in counts),
        *(Seats(ruleset, four, variant) for variant in variants(game)),
    ]


@cache
def usual(ruleset: Ruleset) -> Seats:
    """The table that most properties are tested at: four players, or as many as can."""
    low, high = game_of(ruleset).players
    return Seats(ruleset, min(max(4, low), high))


def walk(state: State, seed: int, most: int = MOST) -> Iterator[State]:
    """The positions of a random game, from the one given on; the same object at each."""
    agent = Random(seed)
    yield state
    while not state.over and most:
        state.play(agent.choose(state))
        most -= 1
        yield state


@lru_cache(4)
def history(seats: Seats, seed: int) -> tuple[State, ...]:
    """Clones of all positions of a random game, with a log."""
    return tuple(state.clone() for state in walk(seats.new(seed, log=True), seed))
