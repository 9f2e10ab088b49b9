"""`simulate`: a series of games, spread over processes if wanted. The same as `Game.simulate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulelang.runtime.game import Game
from rulelang.runtime.seating import Seated
from rulelang.runtime.simulate import Result, Totals
from rulelang.runtime.watch import MOST


def simulate(
    game: Game,
    n: int = 1000,
    players: int = 4,
    seed: int = 0,
    agents: Sequence[Seated] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    *,
    invariants: bool = True,
    max_decisions: int = MOST,
    totals: Totals | None = None,
) -> Result:
    """As `Game.simulate`."""
    return game.simulate(
        n, players, seed, agents, options, backend, jobs, progress, invariants=invariants, max_decisions=max_decisions,
        totals=totals,
    )  # fmt: skip
