"""What the engine needs from a backend: one linked program, made for one table (number of players and options).

All state is the list of integers `S`, laid out by `layout`. The program keeps nothing of a game beside it.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from rulelang.base.errors import EnsureFailed
from rulelang.base.layout import DecisionPoint, Layout, LogTemplate, Reason
from rulelang.base.node import record
from rulelang.base.source import Span

#: (tag, a, b, ...): tag -1 is pass; else `site.actions[tag]` tells the types of the values (type "": not shown).
OptionTuple = tuple[int, ...]

#: By name, backends for words that may be none of a game (a saved one): they test every address that they go to.
#: Python always does.
GUARDED = {"native": "native, guarded"}
#: The native backend where it can be had, else Python: what `auto` means for much work.
NATIVE_OR_PYTHON = "native, or python"
#: The same, where nobody waits for it: while its library is made, whoever asks for it is told `base.errors.NotYet`.
NATIVE_SOON = "native soon, or python"
#: The Python backend where somebody waits for a first question: what is not on the disk is written as it is called.
PYTHON_SOON = "python, as called"
#: What a host's `die` answers if the generator decides.
ROLL = -1


#: What generated code raises where words are none of a game.
STRAY_CELL_ERRORS = (ArithmeticError, AssertionError, AttributeError, EnsureFailed, LookupError, TypeError, ValueError)


@record
class Extended:
    """The native backend with C of a room that plays in libraries in a way of its own, behind all else: the file of
    that name in a package. `guarded`: every address is tested, too."""

    package: str
    file: str
    guarded: bool = False


#: What rules are run by: its name, or the native backend with more in it.
Backend: TypeAlias = str | Extended


def guarded(backend: Backend) -> Backend:
    """The same backend for words that may be none of a game."""
    return GUARDED.get(backend, backend) if isinstance(backend, str) else backend


def soonest(backend: str) -> str:
    """The backend of that name for somebody who waits for one game."""
    return PYTHON_SOON if backend == "python" else backend


@record
class Rows:
    """Games as a library tells them: `width` numbers of each, one after the other, and the seat that wins it alone; 0
    where several do."""

    numbers: array[int]
    width: int
    winners: array[int]


class Host(Protocol):
    """Who listens while a program runs: the log, the curtain of `secretly`, and fixed dice. It never changes `S`."""

    def open(self, template: int, args: tuple[int, ...]) -> None:
        """A log event that causes all that follows until the matching `close` (also across pauses)."""

    def line(self, template: int, args: tuple[int, ...]) -> None:
        """A log event that causes nothing."""

    def close(self) -> None:
        """End of the innermost open event."""

    def settle(self) -> None:
        """What has changed on the table so far came before what changes next, though nothing is told between."""

    def curtain(self) -> None:
        """`secretly` starts (also called when nested): the first remembers the words for the views of the others."""

    def curtain_end(self) -> None:
        """`secretly` ends; the last end lifts the curtain. Called after S[curtain] was lowered."""

    def die(self, bound: int) -> int:
        """The value 0 .. bound - 1 of a fixed die, or ROLL: the generator decides (only `Random(die=True)` asks)."""


class LinkedProgram(Protocol):
    """Entry points raise `rulelang.base.errors.RuleError` for a run-time diagnostic; `S` is then of no more use.

    A new game is `S = program.initial` (a list of its own each time) with the generator's words seeded, then `begin`.
    """

    @property
    def layout(self) -> Layout: ...
    @property
    def sites(self) -> Sequence[DecisionPoint]:
        """Site k of the word `site` is `sites[k - 1]`: 0 means that nobody is asked."""
        ...

    @property
    def templates(self) -> Sequence[LogTemplate]: ...
    @property
    def reasons(self) -> Sequence[Reason]: ...
    @property
    def initial(self) -> list[int]: ...
    @property
    def routines(self) -> Mapping[str, Sequence[str]]:
        """The routines that `call` runs, with the kinds of their parameters."""
        ...

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """Seats (from 1) that win together; empty: each for himself."""
        ...

    def pack(self, S: list[int]) -> list[int]:
        """The same words as this backend works on them soonest, to be read, written and copied by slices as a list is.
        Every entry point takes both. A SaveError for a word that it cannot hold."""
        ...

    def begin(self, S: list[int], host: Host | None) -> list[OptionTuple] | None:
        """Run from the start to the first decision, and list its options (two or more). None: the game is over."""
        ...

    def resume(self, S: list[int], host: Host | None, option: OptionTuple) -> list[OptionTuple] | None:
        """Answer the pending decision with one of its options and run to the next. None: the game is over."""
        ...

    def options(self, S: list[int]) -> list[OptionTuple] | None:
        """The options of the pending decision, in the order of `begin` and `resume`. `S` is not changed."""
        ...

    def call(self, S: list[int], host: Host, routine: str, args: Sequence[int]) -> list[OptionTuple] | None:
        """Run one routine outside the game's flow (scenarios, tests), above the pending decision if there is one.

        The options of its first decision; once it has ended, here or in `resume`, those of the decision that was
        pending before (None if there was none). KeyError for an unknown routine.
        """
        ...

    @property
    def standings(self) -> Sequence[object]:
        """Where routines wait, and what their frames look like, as plain values: the same on every backend."""
        ...

    def frames_wrong(self, S: Sequence[int]) -> str:
        """What shows that the frames of a state that waits for a decision are none, in words; "" for nothing.

        For states from outside: every other entry point takes the words as they are.
        """
        ...

    def words_wrong(self, S: Sequence[int]) -> str:
        """Which word of such a state, or which local in its frames, holds what the program never puts there; "" for
        none. Ask `frames_wrong` first, unless the game is over."""
        ...

    def frames_end(self, S: Sequence[int]) -> int:
        """Where the frames of what is paused end; behind it the stack holds nothing that counts."""
        ...

    def in_action(self, S: Sequence[int]) -> bool:
        """Whether what is paused lies inside an action that was taken, or inside a host's call."""
        ...

    def why(self, S: list[int], routine: str, args: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        """All that refuses an action or routine now: (number in `reasons`, arguments). Empty: nothing does."""
        ...

    def told(self, S: Sequence[int]) -> tuple[int, ...]:
        """What the words of the pending question speak of: the arguments of `why` for `Site.asks`."""
        ...

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int:
        """The value of a pure function by its name. KeyError for an unknown one."""
        ...

    def score(self, S: list[int], player: int) -> int:
        """Of a seat from 1."""
        ...

    def tiebreak(self, S: list[int], player: int) -> tuple[int, ...]:
        """Compared after the score; larger is better."""
        ...

    def invariants(self, S: list[int]) -> list[tuple[str, Span]]:
        """Those that fail."""
        ...

    def watch(self, most: int, invariants: bool) -> None:
        """From now on `playout`, `sample` and whole series stop with X611 where a game has more decisions than `most`,
        and with X607 where an invariant does not hold at a decision or at the end, if `invariants` are to be tested.
        """
        ...

    def playout(self, S: list[int]) -> None:
        """Play at random to the end, in place, with no log. `S` is fresh (seeded) or waits at a decision.

        At a decision with n >= 2 options the k-th of their order is taken, with k = ((x ^ c) * n) >> 30 from the words
        `policy_x`, `policy_c`, which then step like the game's generator. Counts in `decisions` and `forced`.
        """
        ...

    def sample(self, S: list[int]) -> None:
        """As `playout` from a fresh state, with another use of the policy's words: the same distribution of games,
        each option of a decision as likely, but another game for the same words. The fastest there is."""
        ...
