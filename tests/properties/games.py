"""The rulesets that the properties are tested on, and positions in the middle of their games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rulelang.agents.random import Random
from rulelang.compile import Compilation, load
from rulelang.engine.game import Game
from rulelang.engine.state import State
from rulelang.engine.table import Table

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "fixtures" / "examples"
SHIPPED = tuple(sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/ruleset.yaml")))

Options = Mapping[str, object]


@dataclass(frozen=True)
class Ruleset:
    """A ruleset with its mods and mode, and the options to try beside the default ones."""

    name: str
    where: Path
    mods: tuple[Path, ...] = ()
    mode: str | None = None
    variants: tuple[Options, ...] = field(default=(), hash=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Seats:
    """One table of a ruleset: how many play, and with which options."""

    ruleset: Ruleset
    players: int
    options: Options = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        chosen = "".join(f"-{name}={value}" for name, value in self.options.items())
        return f"{self.ruleset.name}-{self.players}p{chosen}"

    @property
    def game(self) -> Game:
        return game_of(self.ruleset)

    @property
    def table(self) -> Table:
        return self.game.table(self.players, self.options)

    def new(self, seed: int, *, log: bool = False) -> State:
        return self.game.start(self.table, seed, log=log)


_EVOLUTION: tuple[Options, ...] = ({"cooperation": "per_token"}, {"quick_play": True})
_COLOSSAL = (EXAMPLES / "darwins_choice_colossal",)
_HARBOUR = (*_COLOSSAL, EXAMPLES / "mod_of_colossal")
_EXAMPLES = (
    Ruleset("example-evolution", EXAMPLES / "evolution", variants=_EVOLUTION),
    Ruleset(
        "evolved",
        EXAMPLES / "evolved",
        variants=({"map": "pangaea", "corners": True, "discards": True}, {"round": True, "numbers": 3, "counters": 4}),
    ),
    Ruleset(
        "origin",
        EXAMPLES / "origin_of_species",
        variants=(
            {"mimicry": "once_per_round", "must_feed": True, "pairs_out_of_turn": True, "sets": 2},
            {"cards_or_points": True, "teams": True},
        ),
    ),
    Ruleset(
        "choice",
        EXAMPLES / "darwins_choice",
        variants=(
            {"teams": "pairs", "award_rule": "sole_3_tie_2", "double_price": "exactly_3"},
            {"heart_tie": "fewer", "trades": 3, "omnivores": "meat_first", "prey_rule": "lowest_any"},
        ),
    ),
    Ruleset("choice-beginner", EXAMPLES / "darwins_choice", mode="beginner"),
    Ruleset("choice-kids", EXAMPLES / "darwins_choice", mode="kids"),
    Ruleset("colossal", EXAMPLES / "darwins_choice", _COLOSSAL, variants=({"barrier_zero": "free"},)),
    Ruleset("colossal-kids", EXAMPLES / "darwins_choice", _COLOSSAL, "kids"),
    Ruleset("harbour-epic", EXAMPLES / "darwins_choice", _HARBOUR, "epic"),
)
RULESETS = (
    *(
        Ruleset(name, ROOT / "rulesets" / name, variants=_EVOLUTION if name == "evolution" else ())
        for name in SHIPPED
    ),
    *_EXAMPLES,
)  # fmt: skip


@cache
def game_of(ruleset: Ruleset) -> Game:
    return load(ruleset.where, ruleset.mods, ruleset.mode)


@cache
def compilation_of(ruleset: Ruleset) -> Compilation:
    return Compilation(ruleset.where, ruleset.mods, ruleset.mode)


def seatings(ruleset: Ruleset, *, few: bool = False) -> list[Seats]:
    """Tables of a ruleset: every number of players, and every variant with four (`few`: three or four tables)."""
    low, high = game_of(ruleset).players
    four = min(max(4, low), high)
    counts = sorted({low, four}) if few else range(low, high + 1)
    return [
        *(Seats(ruleset, players) for players in counts),
        *(Seats(ruleset, four, variant) for variant in ruleset.variants),
    ]


@cache
def usual(ruleset: Ruleset) -> Seats:
    """The table that most properties are tested at: four players, or as many as can."""
    low, high = game_of(ruleset).players
    return Seats(ruleset, min(max(4, low), high))


def walk(state: State, seed: int, until: Callable[[int], bool] | None = None) -> Iterator[State]:
    """The positions of a random game, from the one given to the last; the same object at each."""
    agent = Random(seed)
    done = 0
    while True:
        yield state
        if state.over or (until is not None and until(done)):
            return
        state.play(agent.choose(state))
        done += 1


def positions(seats: Seats, seed: int, every: int = 7, *, log: bool = False) -> Iterator[State]:
    """Clones of some positions of a random game, the last one among them."""
    for number, state in enumerate(walk(seats.new(seed, log=log), seed)):
        if state.over or number % every == seed % every:
            yield state.clone()
