"""What the linked programs of all backends share: what their module says of a table, what is asked of its functions
without more ado, and of words that come from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from rulelang.base.layout import DecisionPoint, Layout, LogTemplate, Reason
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.abstract.possible_values import Possible, possible
from rulelang.compiler.passes.abstract.validate_frames import Standing, frames_wrong, in_action, told, words_wrong


class Program:
    """One program for one table. It keeps nothing of a game: all is in `S`. What it answers is told by
    `engine.program.LinkedProgram`."""

    def __init__(
        self, module: ir.Module, standings: Sequence[Standing], known: Callable[[], Possible] | None = None
    ) -> None:
        """`known` tells what the words can be, where the functions of the module are gone."""
        self.known = cache(known or partial(possible, module))
        self.module = module
        self.layout: Layout = module.layout
        self.cells = module.layout.cells
        self.sites: Sequence[DecisionPoint] = module.sites
        self.templates: Sequence[LogTemplate] = module.templates
        self.reasons: Sequence[Reason] = module.reasons
        self.teams: tuple[tuple[int, ...], ...] = module.teams
        self.standings = standings

    @property
    def initial(self) -> list[int]:
        return list(self.module.initial)

    @property
    def routines(self) -> dict[str, tuple[str, ...]]:
        return {name: kinds for name, (_, kinds) in self.module.callable.items()}

    def frames_wrong(self, S: Sequence[int]) -> str:
        return frames_wrong(S, self.layout, self.module.main, self.standings)

    def words_wrong(self, S: Sequence[int]) -> str:
        return words_wrong(S, self.layout, self.known())

    def in_action(self, S: Sequence[int]) -> bool:
        return in_action(S, self.layout, self.standings)

    def told(self, S: Sequence[int]) -> tuple[int, ...]:
        return told(S, self.layout, self.standings)

    def frames_end(self, S: Sequence[int]) -> int:
        frame = S[self.cells.frame]
        return frame + self.standings[S[frame]][0] if frame else self.layout.stack

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int:
        raise NotImplementedError

    def score(self, S: list[int], player: int) -> int:
        return self.pure(S, self.module.score, (player,))

    def tiebreak(self, S: list[int], player: int) -> tuple[int, ...]:
        return tuple(self.pure(S, name, (player,)) for name in self.module.tiebreak)

    def invariants(self, S: list[int]) -> list[tuple[str, Span]]:
        return [(name, span) for name, function, span in self.module.invariants if not self.pure(S, function, ())]
