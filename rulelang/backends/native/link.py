"""A shared library becomes an engine program: what `engine.program.LinkedProgram` asks for, by ctypes.

Each call copies the words into the library's array and back, so a state stays a list of integers; only
`play_many` plays whole games inside of the library.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NoReturn, cast

from rulelang.backends.native import prelude
from rulelang.backends.native.direct import CLOSE, CURTAIN, CURTAIN_END, DIE, LINE, OPEN
from rulelang.backends.native.emit import Facts
from rulelang.backends.native.inside import Inside
from rulelang.backends.native.prelude import FAILED, PAUSED
from rulelang.backends.python.runtime import told
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.layout import Layout, LogTemplate, Reason, Site
from rulelang.base.source import NOWHERE, Span
from rulelang.engine.program import ROLL, Host, OptionTuple
from rulelang.engine.saving import STUCK, DamagedState
from rulelang.engine.watch import MOST, broken, endless
from rulelang.program import ir
from rulelang.program.passes.possible import Possible, possible
from rulelang.program.passes.standing import Standing, frames_wrong, in_action, words_wrong

_I64 = ctypes.c_longlong
_WORDS = ctypes.POINTER(ctypes.c_int)
_HOST = ctypes.PYFUNCTYPE(_I64, _I64, _I64, _I64, ctypes.POINTER(_I64))
_NOBODY = _HOST()
#: Asked now and then by what runs long: whether a signal has come. Its handler is run then, and what it raises goes on
#: above the call of the library.
_POLL = ctypes.cast(ctypes.pythonapi.PyErr_CheckSignals, ctypes.c_void_p)
#: What a host's callback answers if it raised something.
_RAISED = -2
_BUDGETS = {
    prelude.STEPS: ("X605", "the rules went on too long without a decision"),
    prelude.DEPTH: ("X606", "the rules call each other too deeply"),
    prelude.STACK: ("X608", "too much waits for this decision: the control stack is full"),
}


class NativeProgram(Inside):
    """One program for one table. It keeps nothing of a game: all is in `S`."""

    def __init__(
        self, path: Path, facts: Facts, module: ir.Module, known: Callable[[], Possible] | None = None
    ) -> None:
        self.known = cache(known or partial(possible, module))
        self.module, self.facts, self.path = module, facts, path
        self.layout: Layout = module.layout
        self.sites: Sequence[Site] = module.sites
        self.templates: Sequence[LogTemplate] = module.templates
        self.reasons: Sequence[Reason] = module.reasons
        self.teams: tuple[tuple[int, ...], ...] = module.teams
        self.standings: Sequence[Standing] = facts.standings
        self.cells = module.layout.cells
        self.spans = [Span(*span) for span in facts.spans]  # type: ignore[arg-type]
        self.numbers = {name: i for i, name in enumerate(facts.names)}
        # The lock of the interpreter is held: the library has one error record and one host.
        self.lib: Any = ctypes.PyDLL(str(path))
        for name in ("begin", "resume", "options", "call", "pure", "plain", "why", "playout", "play_many", "error"):
            getattr(self.lib, f"rl_{name}").restype = _I64
        for name in ("count", "choose", "search", "between", "between_many"):
            if hasattr(self.lib, f"rl_{name}"):  # not in a program without zones
                getattr(self.lib, f"rl_{name}").restype = _I64
        if int(self.lib.rl_size()) != self.layout.size:
            raise OSError(f"{path} belongs to another table")
        self.width: int = self.lib.rl_width()
        self.start = array("i", module.initial)
        self.words = array("i", module.initial)
        self.at = ctypes.cast(self.words.buffer_info()[0], _WORDS)
        self.record = (_I64 * 22)()
        self.room(4096)
        self.raised: BaseException | None = None
        self.watch(MOST, False)

    def watch(self, most: int, invariants: bool) -> None:
        self.most, self.holding = most, invariants and bool(self.module.invariants)

    def room(self, words: int) -> None:
        self.out = array("i", bytes(4 * words))

    @property
    def initial(self) -> list[int]:
        return list(self.module.initial)

    def pack(self, S: list[int]) -> list[int]:
        """An array, on which the library works where it lies."""
        return cast("list[int]", self.packed(S))

    # ---- playing

    def begin(self, S: list[int], host: Host | None) -> list[OptionTuple] | None:
        return self.run(S, host, lambda at, call, logs: self.lib.rl_begin(at, call, _I64(logs)))

    def resume(self, S: list[int], host: Host | None, option: OptionTuple) -> list[OptionTuple] | None:
        given = (_I64 * len(option))(*option)
        return self.run(
            S, host, lambda at, call, logs: self.lib.rl_resume(at, call, _I64(logs), given, _I64(len(option)))
        )

    def options(self, S: list[int]) -> list[OptionTuple] | None:
        if not S[self.cells.frame]:
            return None
        self.enter(S)
        return self.found(self.lib.rl_options(self.at))

    def call(self, S: list[int], host: Host | None, routine: str, args: Sequence[int]) -> list[OptionTuple] | None:
        """Run a routine of `Module.callable` (by its id) above the pending decision, if there is one.

        Answers as `backends.python.link.PythonProgram.call`.
        """
        function = self.module.callable[routine][0]
        given, pauses = self.given(function, args), _I64(function in self.facts.pausing)
        number = _I64(self.numbers[function])
        return self.run(S, host, lambda at, call, logs: self.lib.rl_call(at, call, _I64(logs), number, given, pauses))

    def playout(self, S: list[int]) -> None:
        self.played(S, 0)

    def sample(self, S: list[int]) -> None:
        """A random game from its start, the same as on the Python backend."""
        self.played(S, 1)

    def played(self, S: list[int], mode: int) -> None:
        self.enter(S)
        done = self.lib.rl_playout(self.at, _I64(mode))
        self.leave(S)
        if done == FAILED:
            self.trouble()

    def play_many(self, series: int, first: int, games: int, mode: int = 1) -> list[tuple[int, ...]]:
        """Whole random games inside of the library: those with the seeds of the series `series` from `first` on.

        `mode`: 0 as `playout`, 1 as `sample`, 2 as 0 but pausing at every decision, taken by number.
        For each: decisions, forced decisions, rounds, scores by seat, then each tiebreak by seat. RuleError of the
        first game that fails.
        """
        rows = array("q", bytes(8 * self.width * games))
        start, into = ctypes.c_void_p(self.start.buffer_info()[0]), ctypes.c_void_p(rows.buffer_info()[0])
        seed = ctypes.c_ulonglong(series & (2**64 - 1))
        self.listen()
        done = self.lib.rl_play_many(self.at, start, seed, _I64(first), _I64(games), _I64(mode), into)
        if done < games:
            self.trouble()
        width = self.width
        return [tuple(rows[i : i + width]) for i in range(0, width * games, width)]

    def frames_wrong(self, S: Sequence[int]) -> str:
        return frames_wrong(S, self.layout, self.module.main, self.standings)

    def in_action(self, S: Sequence[int]) -> bool:
        return in_action(S, self.layout, self.standings)

    def words_wrong(self, S: Sequence[int]) -> str:
        return words_wrong(S, self.layout, self.known())

    def frames_end(self, S: Sequence[int]) -> int:
        frame = S[self.cells.frame]
        return frame + self.facts.sizes[S[frame]] if frame else self.layout.stack

    # ---- in and out

    def packed(self, S: Sequence[int]) -> array[int]:
        try:
            return _array(S) or array("i", S)
        except OverflowError:
            raise DamagedState("a word of the position does not fit into 32 bits") from None

    def enter(self, S: Sequence[int]) -> None:
        self.words[:] = self.packed(S)
        self.listen()

    def listen(self) -> None:
        """Programs of one library share it: each brings its buffer."""
        self.lib.rl_buffer(ctypes.c_void_p(self.out.buffer_info()[0]), _I64(len(self.out)))
        self.lib.rl_watch(_I64(self.most), _I64(self.holding), _POLL)

    def leave(self, S: list[int]) -> None:
        own = _array(S)
        if own is None:
            S[:] = self.words.tolist()
        else:
            own[:] = self.words

    def run(self, S: list[int], host: Host | None, go: Callable[[Any, Any, int], int]) -> list[OptionTuple] | None:
        """`go` is given the address of the words: of a packed state its own, so that nothing is copied."""
        own, at = _array(S), self.at
        if own is None:
            self.enter(S)
        else:
            at = ctypes.c_void_p(own.buffer_info()[0])
            self.listen()
        call, logs = _NOBODY, 0
        if host:
            call, logs = self.hears(S, host), int(bool(getattr(host, "enabled", True)))
        self.raised = None
        status = go(at, call, logs)
        if own is None:
            self.leave(S)
        return self.found(status, at)

    def hears(self, S: list[int], host: Host) -> Any:
        """The callback that tells a host what happens; it sees the words as they are at that moment."""

        def tell(kind: int, number: int, count: int, args: Any) -> int:
            try:
                if kind == DIE:
                    value = host.die(number)
                    return ROLL if value < 0 else value
                if _array(S) is None:
                    self.leave(S)
                if kind == OPEN:
                    host.open(number, tuple(args[:count]))
                elif kind == LINE:
                    host.line(number, tuple(args[:count]))
                else:
                    {CLOSE: host.close, CURTAIN: host.curtain, CURTAIN_END: host.curtain_end}[kind]()
            except BaseException as problem:  # it goes on above the library
                self.raised = problem
                return _RAISED
            return 0

        return _HOST(tell)

    def found(self, status: int, at: Any = None) -> list[OptionTuple] | None:
        """The options that the library listed, or None. Where they were too many for the buffer they are listed again:
        the words are the same."""
        if status == FAILED:
            self.trouble()
        if status != PAUSED:
            return None
        count, used = self.error()[4:6]
        if used > len(self.out):
            self.room(2 * used)
            self.listen()
            self.lib.rl_options(self.at if at is None else at)
        return self.tuples(count)

    def tuples(self, count: int) -> list[OptionTuple]:
        found: list[OptionTuple] = []
        out, at = self.out, 0
        for _ in range(count):
            end = at + 1 + out[at]
            found.append(tuple(out[at + 1 : end]))
            at = end
        return found

    def given(self, function: str, args: Sequence[int]) -> Any:
        if function not in self.numbers:
            raise KeyError(function)
        return (_I64 * max(len(args), 1))(*args)

    # ---- asking

    def why(self, S: list[int], routine: str, args: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        function = self.module.why[routine]
        given, number = self.given(function, args), _I64(self.numbers[function])
        self.enter(S)
        count = self.lib.rl_why(self.at, number, given)
        if count == FAILED:
            self.trouble()
        used = self.error()[5]
        if used > len(self.out):
            self.room(2 * used)
            self.listen()
            count = self.lib.rl_why(self.at, number, given)
        return [(number, values) for number, *rest in self.tuples(count) for values in [tuple(rest)]]

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int:
        if self.facts.kinds[self.numbers[function]] != "pure":
            raise KeyError(function)
        self.enter(S)
        value = int(self.lib.rl_pure(self.at, _I64(self.numbers[function]), self.given(function, args)))
        if self.error()[0]:
            self.trouble()
        return int(bool(value)) if function in self.facts.truths else value

    def call_plain(self, S: list[int], function: str, args: Sequence[int]) -> int:
        """Run a routine that never waits, by the name of its function, and give what it returns (0: nothing)."""
        self.enter(S)
        value = int(self.lib.rl_plain(self.at, _I64(self.numbers[function]), self.given(function, args)))
        self.leave(S)
        if self.error()[0]:
            self.trouble()
        return value

    def score(self, S: list[int], player: int) -> int:
        return self.pure(S, self.module.score, (player,))

    def tiebreak(self, S: list[int], player: int) -> tuple[int, ...]:
        return tuple(self.pure(S, name, (player,)) for name in self.module.tiebreak)

    def invariants(self, S: list[int]) -> list[tuple[str, Span]]:
        return [(name, span) for name, function, span in self.module.invariants if not self.pure(S, function, ())]

    # ---- trouble

    def error(self) -> list[int]:
        """The error record: kind, number, how many values, length of the trail, options, words used, values."""
        self.lib.rl_error(self.record)
        return list(self.record)

    def trouble(self) -> NoReturn:
        """Raise what the error record tells."""
        kind, number, count, trailed, _, _, *values = self.error()
        given = values[:count]
        facts = self.facts
        match kind:
            case prelude.FAIL:
                code, span, message = facts.fails[number]
                raise RuleError(Diagnostic(code, self.spans[span], message.format(*given)))
            case prelude.RANGE:
                what, low, high, span = facts.ranges[number]
                allowed = (
                    f"at most {high}" if low is None else f"at least {low}" if high is None else f"{low} to {high}"
                )
                message = f"{what} would become {given[0]}; it may be {allowed}"
                raise RuleError(Diagnostic("X601", self.spans[span], message))
            case prelude.STEPS | prelude.DEPTH | prelude.STACK:
                code, message = _BUDGETS[kind]
                place = self.spans[number] if number < len(self.spans) else NOWHERE
                raise RuleError(Diagnostic(code, place, message, because=told(self.running(trailed))))
            case prelude.ENSURE:
                raise EnsureFailed(number, tuple(given))
            case prelude.HOST if self.raised is not None:
                raise self.raised
            case prelude.HOST:
                raise KeyboardInterrupt
            case prelude.MANY:
                raise endless(self, self.words.tolist(), self.most, number, given[0])
            case prelude.UNTRUE:
                failed = broken(self, self.words.tolist())
                if failed is not None:
                    raise failed
            case prelude.INTERNAL if number == prelude.BROKEN:
                raise DamagedState(STUCK)
        raise AssertionError(f"the native program {self.path.name} met the error {kind} {number} {given}")

    def running(self, trailed: int) -> list[str]:
        """Titles of the routines that were at work, the innermost first."""
        into = (_I64 * max(trailed, 1))()
        self.lib.rl_trail(into)
        return [self.facts.titles[number] for number in into[:trailed]]


def _array(S: object) -> array[int] | None:
    """The words of a packed state (see `NativeProgram.pack`); None if they are a list."""
    return S if isinstance(S, array) else None
