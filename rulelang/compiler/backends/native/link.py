"""A shared library becomes an engine program: what `engine.program.LinkedProgram` asks for, by ctypes.

Each call copies the words into an array of its thread and back, so a state stays a list of integers; only
`play_many` plays whole games inside of the library.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, cast

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.backends.errors import out_of_range, over_budget
from rulelang.compiler.backends.native import prelude
from rulelang.compiler.backends.native.context import Context, Library, Unsound, place
from rulelang.compiler.backends.native.emit import LinkInfo
from rulelang.compiler.backends.native.hearing import NOBODY
from rulelang.compiler.backends.native.prelude import FAILED, PAUSED
from rulelang.compiler.backends.words import own_words, packed
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.abstract.possible_values import Possible
from rulelang.runtime.program import Backend, Host, OptionTuple, Rows
from rulelang.runtime.saving import STUCK, DamagedState
from rulelang.runtime.watch import broken, endless

_I64 = ctypes.c_longlong
#: Pure functions and what they are given, as the library has them; the places of those that answer a truth.
Calls: TypeAlias = tuple["array[int]", list[int]]
_BUDGETS = {prelude.STEPS: "X605", prelude.DEPTH: "X606", prelude.STACK: "X608"}


class NativeProgram(Library):
    """One program for one table. It keeps nothing of a game: all is in `S`. Threads may use it at once."""

    def __init__(
        self, path: Path, info: LinkInfo, module: ir.Module, known: Callable[[], Possible] | None = None,
        backend: Backend = "native",
    ) -> None:  # fmt: skip
        super().__init__(path, module, info.standings, known, backend)
        self.info = info
        self.spans = [Span(*span) for span in info.spans]  # type: ignore[arg-type]
        self.numbers = {name: i for i, name in enumerate(info.names)}

    def watch(self, most: int, invariants: bool) -> None:
        """For this thread."""
        self.here.watch(most, invariants and bool(self.module.invariants))

    def pack(self, S: list[int]) -> list[int]:
        """An array, on which the library works where it lies."""
        return cast("list[int]", packed(S))

    # ---- playing

    def begin(self, S: list[int], host: Host | None) -> list[OptionTuple] | None:
        return self.run(S, host, self.lib.rl_begin)

    def resume(self, S: list[int], host: Host | None, option: OptionTuple) -> list[OptionTuple] | None:
        given = array("q", option)
        return self.run(S, host, self.lib.rl_resume, place(given), len(given))

    def options(self, S: list[int]) -> list[OptionTuple] | None:
        if not S[self.cells.frame]:
            return None
        return self.found(self.here, self.ask(S, self.lib.rl_options), self.here.at)

    def call(self, S: list[int], host: Host | None, routine: str, args: Sequence[int]) -> list[OptionTuple] | None:
        """Run a routine of `Module.callable` (by its id) above the pending decision, if there is one.

        Answers as `backends.python.link.PythonProgram.call`.
        """
        function = self.module.callable[routine][0]
        given, pauses = self.given(function, args), function in self.info.pausing
        return self.run(S, host, self.lib.rl_call, self.numbers[function], given, pauses)

    def playout(self, S: list[int]) -> None:
        self.played(S, self.lib.rl_playout, 0)

    def sample(self, S: list[int]) -> None:
        """A random game from its start, the same as on the Python backend."""
        self.played(S, self.lib.rl_playout, 1)

    def play_many(self, series: int, first: int, games: int, mode: int = 1) -> list[tuple[int, ...]]:
        """Whole random games inside of the library: those with the seeds of the series `series` from `first` on.

        For each what `Totals.take` takes; see `play_rows`.
        """
        return self.games(self.play_rows(series, first, games, mode).numbers)

    def play_rows(self, series: int, first: int, games: int, mode: int = 1) -> Rows:
        """The same games, the numbers of all of them in one array: decisions, forced decisions, rounds, scores by seat,
        then each tiebreak by seat. RuleError of the first game that fails.

        `mode`: 0 as `playout`, 1 as `sample`, 2 as 0 but pausing at every decision, taken by number.
        """
        here, rows = self.here, array("q", bytes(8 * self.width * games))
        done = self.lib.rl_play_many(here.C, here.at, place(self.start), series, first, games, mode, place(rows))
        if done < games:
            self.raise_error()
        winners = array("B", bytes(games))
        self.lib.rl_winners(place(rows), games, place(winners))
        return Rows(rows, self.width, winners)

    # ---- in and out

    def run(self, S: list[int], host: Host | None, function: Any, *more: Any) -> list[OptionTuple] | None:
        """Call a function of the library that somebody may listen to. Of a packed state it is given the state's own
        words, so that nothing is copied."""
        here, own = self.here, own_words(S)
        at = here.at if own is None else place(own)
        if own is None:
            here.enter(S)
        here.raised = None
        if host:
            ear = here.ear
            before = ear.listen(host, S if own is None else None)
            try:
                status = function(here.C, at, ear.call, bool(getattr(host, "enabled", True)), *more)
            finally:
                ear.listen(*before)
        else:
            status = function(here.C, at, NOBODY, 0, *more)
        if own is None:
            here.leave(S)
        return self.found(here, status, at)

    def found(self, here: Context, status: int, at: int) -> list[OptionTuple] | None:
        """The options that the library listed, or None. Where they were too many for the buffer they are listed again:
        the words are the same."""
        if status == FAILED:
            self.raise_error()
        if status != PAUSED:
            return None
        count, used = here.error()[4:6]
        if used > len(here.out):
            here.room(2 * used)
            self.lib.rl_options(here.C, at)
        return here.tuples(count, used)

    def given(self, function: str, args: Sequence[int]) -> Any:
        if function not in self.numbers:
            raise KeyError(function)
        return (_I64 * max(len(args), 1))(*args)

    # ---- asking

    def why(self, S: list[int], routine: str, args: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        function = self.module.why[routine]
        given, here = (self.numbers[function], self.given(function, args)), self.here
        count = self.answer(self.ask(S, self.lib.rl_why, *given))
        used = here.error()[5]
        if used > len(here.out):
            here.room(2 * used)
            count = self.ask(S, self.lib.rl_why, *given)
        return [(number, _whole(halves)) for number, *halves in here.tuples(count, used)]

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int:
        number = self.numbers[function]
        if self.info.kinds[number] != "pure":
            raise KeyError(function)
        value = self.ask(S, self.lib.rl_pure, number, self.given(function, args))
        if self.here.failed:
            self.raise_error()
        return int(bool(value)) if function in self.info.truths else value

    def prepared(self, asked: Sequence[tuple[str, int]]) -> Calls:
        """Calls of pure functions, with one number each (which those that want none leave), to be made again and
        again."""
        calls = array("q", (number for name, given in asked for number in (self.numbers[name], given)))
        truths = [number for number, (name, _) in enumerate(asked) if name in self.info.truths]
        return calls, truths

    def pures(self, S: list[int], prepared: Calls) -> list[int | None]:
        """What these calls answer for one state; None where the rules fail."""
        calls, truths = prepared
        count = len(calls) // 2
        into = array("q", bytes(16 * count))
        self.ask(S, self.lib.rl_pures, count, place(calls), place(into))
        found: list[int | None] = [*into[::2]]
        for truth in truths:
            found[truth] = int(bool(found[truth]))
        failed = into[1::2]
        return [None if wrong else value for value, wrong in zip(found, failed, strict=True)] if any(failed) else found

    def changed(self, old: Sequence[int], new: Sequence[int]) -> list[int]:
        """The addresses at which the words of two states differ."""
        one, other, here = packed(old), packed(new), self.here
        count = self.lib.rl_changed(place(one), place(other), here.places_at)
        return here.places[:count].tolist() if count else []

    def changed_in(self, runs: array[int], old: Sequence[int], new: Sequence[int]) -> list[int]:
        """The same in some runs of words: where each begins, and where it ends."""
        one, other, here = packed(old), packed(new), self.here
        count = self.lib.rl_changed_in(place(one), place(other), place(runs), len(runs) // 2, here.places_at)
        return here.places[:count].tolist() if count else []

    def call_plain(self, S: list[int], function: str, args: Sequence[int]) -> int:
        """Run a routine that never waits, by the name of its function, and give what it returns (0: nothing)."""
        value = self.act(S, self.lib.rl_plain, self.numbers[function], self.given(function, args))
        if self.here.failed:
            self.raise_error()
        return value

    # ---- errors

    def raise_error(self) -> NoReturn:
        here, info = self.here, self.info
        kind, number, count, trailed, _, _, *values = here.error()
        given = values[:count]
        match kind:
            case prelude.FAIL:
                code, span, message = info.fails[number]
                raise RuleError(Diagnostic(code, self.spans[span], message.format(*given)))
            case prelude.RANGE:
                what, low, high, span = info.ranges[number]
                raise out_of_range(what, low, high, self.spans[span], given[0])
            case prelude.STEPS | prelude.DEPTH | prelude.STACK:
                place = self.spans[number] if number < len(self.spans) else NOWHERE
                running = [title for function in here.trail(trailed) if (title := info.titles[function])]
                raise over_budget(_BUDGETS[kind], place, running)
            case prelude.ENSURE:
                raise EnsureFailed(number, tuple(given))
            case prelude.HOST if here.raised is not None:
                raise here.raised
            case prelude.HOST:
                raise KeyboardInterrupt
            case prelude.MANY:
                raise endless(self, here.words.tolist(), here.most, number, given[0])
            case prelude.UNTRUE:
                failed = broken(self, here.words.tolist())
                if failed is not None:
                    raise failed
            case prelude.UNSOUND:
                raise Unsound(number, here.words.tolist())
            case prelude.INTERNAL if number == prelude.BROKEN:
                raise DamagedState(STUCK)
        raise AssertionError(f"the native program {self.path.name} met the error {kind} {number} {given}")


def _whole(halves: Sequence[int]) -> tuple[int, ...]:
    """Numbers that are given as two words each, the low half first."""
    return tuple((low & 0xFFFFFFFF) | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True))
