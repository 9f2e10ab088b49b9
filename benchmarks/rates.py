"""Decisions per second of every shipped ruleset: random games of four on the Python backend, without a log.

Times are of this process alone (`process_time`), so that what else runs on the machine counts less. Every round plays
each game in turn, each time beginning with another: a slow moment of the machine meets all of them. Figures are
medians over the rounds; how far the rounds lie apart is noted with each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from benchmarks.figures import Figure, Target, Unmeasured

if TYPE_CHECKING:
    from rulelang.runtime.game import Game

ROOT = Path(__file__).resolve().parent.parent
PLAYERS = 4
#: So many rounds for one, each as much shorter: a machine that changes its pace meets all games alike.
SHORTER = 6
#: Plays games from a seed on: seconds, decisions, games.
Play = Callable[[int], tuple[float, int, int]]
#: So much of a ratio is left on a busy machine, which does not slow all games down alike.
BUSY = 0.8
#: The game with which others are compared.
BASE = "evolution"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A shipped ruleset. `under`: of a mod, the game that it changes. Bounds are promises, None where there is none.
    `native`: decisions a second that are aimed at in the library, on a core of its own."""

    id: str
    under: str = ""
    ratio: float | None = None  # of its rate to that of the base
    game: float | None = None  # seconds that one random game may take
    native: float | None = None

    @property
    def there(self) -> bool:
        return all((ROOT / "rulesets" / id_).is_dir() for id_ in (self.id, self.under) if id_)

    def load(self) -> Game:
        import rulelang

        folder = ROOT / "rulesets" / self.id
        return rulelang.load(ROOT / "rulesets" / self.under, [folder]) if self.under else rulelang.load(folder)


RULESETS = (
    Ruleset("evolution"),
    Ruleset("origin_of_species", ratio=2 / 3),
    Ruleset("evolved", native=2_000_000),
    Ruleset("darwins_choice", game=0.5, native=1_200_000),
    Ruleset("darwins_choice_colossal", under="darwins_choice", native=400_000),
)


@dataclass(frozen=True, slots=True)
class Rounds:
    """What one game did: decisions per second by round; seconds and decisions of a game, on average; games in all."""

    rates: Sequence[float]
    seconds: float
    decisions: float
    games: int


def rates(rounds: int, seconds: float, wanted: Collection[str] = ()) -> list[Figure]:
    """The figures of all rulesets, or of the `wanted` ones. In a round each game is played for so many seconds."""
    rounds, seconds = SHORTER * rounds, seconds / SHORTER
    chosen = [ruleset for ruleset in RULESETS if not wanted or ruleset.id in wanted]
    needed = [r for r in RULESETS if r in chosen or (r.id == BASE and any(c.ratio for c in chosen))]
    plays: dict[str, Play] = {}
    broken: dict[str, str] = {}
    for ruleset in needed:
        if not ruleset.there:
            continue
        try:
            plays[ruleset.id] = _player(ruleset, seconds)
        except Exception as error:
            broken[ruleset.id] = f"could not be measured: {type(error).__name__}: {error}"
    found = measure(plays, rounds, broken)
    figures = []
    for ruleset in chosen:
        if not ruleset.there:
            figures.append(Figure(_rate(ruleset), None, "skipped: it is not in this checkout", skipped=True))
        elif ruleset.id in broken:
            figures.append(Figure(_rate(ruleset), None, broken[ruleset.id]))
        else:
            figures += _figures(ruleset, found)
    return figures


def _player(ruleset: Ruleset, seconds: float) -> Play:
    """Plays for about so many seconds. Compiles, and warms up once."""
    game = ruleset.load()

    def play(seed: int, games: int) -> tuple[float, int]:
        start = process_time()
        result = game.simulate(n=games, players=PLAYERS, seed=seed, backend="python", invariants=False)
        return process_time() - start, int(result.decisions)

    play(0, 2)
    spent, decisions = play(1, 3)
    if not decisions:
        raise Unmeasured("its games ask nothing")
    games = max(1, round(seconds / max(spent / 3, 1e-6)))
    return lambda seed: (*play(seed, games), games)


def measure(plays: dict[str, Play], rounds: int, broken: dict[str, str]) -> dict[str, Rounds]:
    """By game, what it did. A game that breaks is `broken` from then on, and does not hide the others."""
    taken: dict[str, list[tuple[float, int, int]]] = {name: [] for name in plays}
    names = list(plays)
    for number in range(rounds):
        turn = number % max(len(names), 1)
        for name in names[turn:] + names[:turn]:
            if name in broken:
                continue
            try:
                taken[name].append(plays[name](1000 * (number + 1)))
            except Exception as error:
                broken[name] = f"could not be measured: {type(error).__name__}: {error}"
    return {
        name: Rounds(
            [decisions / spent for spent, decisions, _ in found],
            median(spent / games for spent, _, games in found),
            sum(decisions for _, decisions, _ in found) / sum(games for *_, games in found),
            sum(games for *_, games in found),
        )
        for name, found in taken.items()
        if name not in broken
    }


def _figures(ruleset: Ruleset, found: dict[str, Rounds]) -> list[Figure]:
    """Its rate; what is promised of it besides."""
    mine = found[ruleset.id]
    figures = [Figure(_rate(ruleset), median(mine.rates), note(mine))]
    if ruleset.ratio is not None:
        target = Target(f"{ruleset.id}, decisions per second / {BASE}'s", "x", BUSY * ruleset.ratio, goal=ruleset.ratio)
        if BASE in found:
            pairs = [a / b for a, b in zip(mine.rates, found[BASE].rates, strict=True)]
            figures.append(Figure(target, median(pairs), f"rounds from {min(pairs):.2f} to {max(pairs):.2f}"))
        else:
            figures.append(Figure(target, None, f"could not be measured: {BASE} was not played"))
    if ruleset.game is not None:
        figures.append(
            Figure(Target(f"{ruleset.id}, one random game of {PLAYERS}", "s", ruleset.game, "less than"), mine.seconds)
        )
    return figures


def note(mine: Rounds) -> str:
    apart = (max(mine.rates) - min(mine.rates)) / median(mine.rates)
    return (
        f"{mine.decisions:.0f} decisions and {mine.seconds * 1000:.3g} ms a game; "
        f"{len(mine.rates)} rounds, the fastest and the slowest {apart:.0%} apart"
    )


def _rate(ruleset: Ruleset) -> Target:
    return Target(f"{ruleset.id}, decisions", "/s")
