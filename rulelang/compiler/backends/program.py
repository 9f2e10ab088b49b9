"""Run linked programs: errors of rules, packed states, and what the programs of all backends share."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache, partial

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.base.layout import DecisionPoint, Layout, LogTemplate, Reason
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.frame_validation import (
    FrameDescriptor,
    is_in_action,
    question_cells,
    wrong_cells,
    wrong_frames,
)
from rulelang.compiler.passes.possible_values import PossibleValues, possible_values
from rulelang.runtime.state import DamagedState

# ---- errors

#: What there may be too much of between two decisions, by code.
BUDGETS = {
    "X605": "the rules ran too long without a decision",
    "X606": "the rules' calls are nested too deeply",
    "X608": "too many routines are waiting for this decision: the control stack is full",
}


def out_of_range_error(what: str, low: int | None, high: int | None, span: Span, value: int) -> RuleError:
    """A word would become what it may not be; `low` or `high` is None where only the other one bounds it."""
    allowed = f"at most {high}" if low is None else f"at least {low}" if high is None else f"{low} to {high}"
    return RuleError(Diagnostic("X601", span, f"{what} would become {value}, but must be {allowed}"))


def over_budget_error(code: str, span: Span, running: Sequence[str]) -> RuleError:
    """`running` are the titles of the routines that are at work, the innermost first."""
    return RuleError(Diagnostic(code, span, BUDGETS[code], because=describe_cycle(running)))


def describe_cycle(titles: Sequence[str]) -> str:
    """The cycle that the innermost routine stands in, or where it stands: `a → b → a`."""
    if not titles:
        return ""
    inner, *outer = titles
    if inner not in outer:
        return f"the running rules were {' → '.join(reversed(titles[:8]))}"
    end = outer.index(inner) + 1
    return f"the cycle is {' → '.join(reversed(titles[: end + 1]))}"


# ---- packed states


def packed_array(S: object) -> array[int] | None:
    """The words of a packed state (see `LinkedProgram.pack`); None if they are a list."""
    return S if isinstance(S, array) else None


def pack_state(S: Sequence[int]) -> array[int]:
    """The words as both have them; DamagedState if one does not fit."""
    if isinstance(S, array):
        return S
    try:
        return array("i", S)
    except OverflowError:
        raise DamagedState("a word of the position does not fit into 32 bits") from None


# ---- programs


class Program:
    """One program for one table. It keeps nothing of a game: all is in `S`. What it answers is told by
    `engine.program.LinkedProgram`."""

    def __init__(
        self, module: ir.Module, standings: Sequence[FrameDescriptor], known: Callable[[], PossibleValues] | None = None
    ) -> None:
        """`known` tells what the words can be, where the functions of the module are gone."""
        self.known = cache(known or partial(possible_values, module))
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
        return wrong_frames(S, self.layout, self.module.main, self.standings)

    def words_wrong(self, S: Sequence[int]) -> str:
        return wrong_cells(S, self.layout, self.known())

    def in_action(self, S: Sequence[int]) -> bool:
        return is_in_action(S, self.layout, self.standings)

    def told(self, S: Sequence[int]) -> tuple[int, ...]:
        return question_cells(S, self.layout, self.standings)

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
