"""Link a shared library to a program by ctypes."""

from __future__ import annotations

import ctypes
import re
import threading
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeAlias, cast

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.backends.native import shared
from rulelang.compiler.backends.native.build import exporting_lines
from rulelang.compiler.backends.native.emit import LinkInfo
from rulelang.compiler.backends.native.routines import CLOSE, CURTAIN, DIE, LINE, OPEN, SETTLE
from rulelang.compiler.backends.native.shared import FAILED, PAUSED
from rulelang.compiler.backends.program import Program, out_of_range_error, over_budget_error, pack_state, packed_array
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.frame_validation import FrameDescriptor
from rulelang.compiler.passes.possible_values import PossibleValues
from rulelang.runtime.program import ROLL, Backend, Host, OptionTuple, Rows
from rulelang.runtime.running import MOST_DECISIONS, broken_invariant, endless_game_error
from rulelang.runtime.state import STUCK_POSITION, DamagedState
from rulelang.runtime.threads import is_interrupted

# ---- event sink

_INT64 = ctypes.c_longlong
_HOST = ctypes.PYFUNCTYPE(_INT64, _INT64, _INT64, _INT64, ctypes.POINTER(_INT64))
NO_HOST = _HOST()
#: What the callback answers if the host raised something.
_RAISED = -2


class EventSink:
    """The callback of one context. `host`: who listens now. `words`: a state that is a list, which is to be as the
    library has it at each moment that he is told of; None of a packed one, on which the library works itself."""

    def __init__(self, here: Context) -> None:
        self.here = here
        self.host: Host | None = None
        self.words: list[int] | None = None
        self.call = _HOST(self.tell)

    def listen(self, host: Host | None, words: list[int] | None) -> tuple[Host | None, list[int] | None]:
        """Who listens from now on; answers who did before."""
        before = self.host, self.words
        self.host, self.words = host, words
        return before

    def tell(self, kind: int, number: int, count: int, args: Any) -> int:
        host = self.host
        try:
            assert host is not None
            if kind == DIE:
                value = host.die(number)
                return ROLL if value < 0 else value
            if self.words is not None:
                self.here.leave(self.words)
            if kind == CLOSE:
                host.close()
            elif kind == OPEN:
                host.open(number, tuple(args[:count]))
            elif kind == LINE:
                host.line(number, tuple(args[:count]))
            elif kind == SETTLE:
                host.settle()
            elif kind == CURTAIN:
                host.curtain()
            else:
                host.curtain_end()
        except BaseException as problem:  # it goes on above the library
            self.here.raised = problem
            return _RAISED
        return 0


# ---- contexts

#: What a long call asks in a thread that is not the main one.
_INTERRUPT = ctypes.PYFUNCTYPE(ctypes.c_int)(is_interrupted)
#: Words of the error record before its values.
_RECORD_HEADER = 6
#: How a function is declared in C: what it answers, its name, what it takes.
_DECLARED = re.compile(r"^API (\w+) (rl_\w+)\((.*?)\) \{", re.MULTILINE | re.DOTALL)
#: By the first word of a declaration; all else is an address.
_KINDS: dict[str, Any] = {"i64": _INT64, "u64": ctypes.c_ulonglong, "void": None}


@cache
def prototypes(backend: Backend, more: tuple[tuple[str, str], ...] = ()) -> dict[str, tuple[Any, list[Any]]]:
    """By the name of each function that a library of this backend may have: what it answers, and what it takes.
    `more`: see `build.exporting_lines`."""
    return {
        name: (_KINDS[answer], [_ctypes_kind(given) for given in taken.split(",") if given != "void"])
        for answer, name, taken in _DECLARED.findall("\n".join(exporting_lines(backend, more)))
    }


def _ctypes_kind(given: str) -> Any:
    return ctypes.c_void_p if "*" in given else _KINDS.get(given.split()[0], ctypes.c_void_p)


def load_library(path: Path, backend: Backend, more: tuple[tuple[str, str], ...]) -> Any:
    """The library of this backend. It is called with the interpreter held, and told of an exception that is pending
    afterwards: a signal's handler may have raised one."""
    lib: Any = ctypes.PyDLL(str(path))
    for name, (answer, taken) in prototypes(backend, more).items():
        if hasattr(lib, name):
            function = getattr(lib, name)
            function.restype, function.argtypes = answer, taken
    return lib


def array_address(words: array[int]) -> int:
    """The address of an array."""
    return words.buffer_info()[0]


class UnsoundState(Exception):
    """What C behind a library (`engine.program.Extended`) found wrong: a number of its own, and the words there."""

    def __init__(self, number: int, words: list[int]) -> None:
        super().__init__(number)
        self.number, self.words = number, words


class Context:
    """`C`: the library's context. `words`: a state that is a list lies here while the library works on it; `at` is its
    address. `places`: room for as many addresses of words. `raised`: what a host's callback raised."""

    def __init__(self, lib: Any, size: int) -> None:
        self.lib = lib
        self.memory = (_INT64 * (lib.rl_context_size() // ctypes.sizeof(_INT64) + 1))()
        self.C = ctypes.c_void_p(ctypes.addressof(self.memory))
        lib.rl_context(self.C)
        python = ctypes.pythonapi
        main = threading.current_thread() is threading.main_thread()
        stop = python.PyErr_CheckSignals if main else _INTERRUPT  # signals reach the main thread alone
        lib.rl_interpreter(self.C, stop, python.PyEval_SaveThread, python.PyEval_RestoreThread)
        self.words = array("i", bytes(4 * size))
        self.at = array_address(self.words)
        self.places = array("i", bytes(4 * size))
        self.places_at = array_address(self.places)
        self.record = array("q", bytes(8 * (_RECORD_HEADER + lib.rl_values())))
        self.record_at = array_address(self.record)
        self.raised: BaseException | None = None
        if hasattr(lib, "rl_more"):
            self.more = ctypes.create_string_buffer(lib.rl_more_size())
            lib.rl_more(self.C, self.more)
        self.ear = EventSink(self)
        self.room(4096)
        self.watch(MOST_DECISIONS, False)

    def room(self, words: int) -> None:
        """Make room for options."""
        self.out = array("i", bytes(4 * words))
        self.lib.rl_buffer(self.C, array_address(self.out), words)

    def watch(self, most: int, invariants: bool) -> None:
        self.most = most
        self.lib.rl_watch(self.C, most, invariants)

    def enter(self, S: Sequence[int]) -> None:
        self.words[:] = pack_state(S)

    def leave(self, S: list[int]) -> None:
        own = packed_array(S)
        if own is None:
            S[:] = self.words.tolist()
        else:
            own[:] = self.words

    @property
    def failed(self) -> bool:
        """Whether the last call ended with an error."""
        return bool(self.lib.rl_error(self.C, self.record_at))

    def error(self) -> list[int]:
        """The error record: kind, number, how many values, length of the trail, options, words used, values."""
        self.lib.rl_error(self.C, self.record_at)
        return self.record.tolist()

    def trail(self, length: int) -> list[int]:
        """Numbers of the functions on the way out of an error, the innermost first."""
        into = (_INT64 * max(length, 1))()
        self.lib.rl_trail(self.C, into)
        return into[:length]

    def tuples(self, count: int, used: int) -> list[OptionTuple]:
        """The first options or reasons that were told, in so many words."""
        found: list[OptionTuple] = []
        out, at = self.out[:used].tolist(), 0
        for _ in range(count):
            end = at + 1 + out[at]
            found.append(tuple(out[at + 1 : end]))
            at = end
        return found


class Library(Program):
    """A program that a library plays. It keeps nothing of a game: all is in `S`. Threads may use it at once. `width`:
    numbers that are told of a game that has ended; `start`: the words of a new one; `more`: files that a room has
    behind it (`build.exporting_lines`)."""

    more: ClassVar[tuple[tuple[str, str], ...]] = ()

    def __init__(
        self,
        path: Path,
        module: ir.Module,
        standings: Sequence[FrameDescriptor],
        known: Callable[[], PossibleValues] | None,
        backend: Backend,
    ) -> None:
        super().__init__(module, standings, known)
        self.path, self.lib = path, load_library(path, backend, self.more)
        if int(self.lib.rl_size()) != self.layout.size:
            raise OSError(f"{path} belongs to another table")
        self.width: int = self.lib.rl_width()
        self.start = array("i", module.initial)
        self.threads = threading.local()

    @property
    def here(self) -> Context:
        """That of this thread."""
        try:
            found: Context = self.threads.context
        except AttributeError:
            found = self.threads.context = Context(self.lib, self.layout.size)
        return found

    def raise_error(self) -> NoReturn:
        """Raise what the error record tells."""
        raise NotImplementedError

    def ask(self, S: Sequence[int], function: Any, *given: object) -> int:
        """What a function of the library answers of the words of a game. It may have changed those of the context."""
        here = self.here
        here.enter(S)
        answer: int = function(here.C, here.at, *given)
        return answer

    def act(self, S: list[int], function: Any, *given: object) -> int:
        """The same of one that changes the words, in place."""
        answer = self.ask(S, function, *given)
        self.here.leave(S)
        return answer

    def played(self, words: list[int], function: Any, number: int) -> None:
        """Have a function of the library play on with the words of a game. Raises what it tells where it fails."""
        if self.act(words, function, number) == shared.FAILED:
            self.raise_error()

    def answer(self, found: int) -> int:
        """What a call answered, if it did not fail."""
        if found < 0:
            self.raise_error()
        return found

    def games(self, rows: array[int]) -> list[tuple[int, ...]]:
        """What is told of games, one after the other."""
        return [tuple(rows[i : i + self.width]) for i in range(0, len(rows), self.width)]


# ---- programs

#: Pure functions and what they are given, as the library has them; the places of those that answer a truth.
Calls: TypeAlias = tuple["array[int]", list[int]]
_BUDGETS = {shared.STEPS: "X605", shared.DEPTH: "X606", shared.STACK: "X608"}


class NativeProgram(Library):
    """One program for one table. It keeps nothing of a game: all is in `S`. Threads may use it at once."""

    def __init__(
        self, path: Path, info: LinkInfo, module: ir.Module, known: Callable[[], PossibleValues] | None = None,
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
        return cast("list[int]", pack_state(S))

    # ---- playing

    def begin(self, S: list[int], host: Host | None) -> list[OptionTuple] | None:
        return self.run(S, host, self.lib.rl_begin)

    def resume(self, S: list[int], host: Host | None, option: OptionTuple) -> list[OptionTuple] | None:
        given = array("q", option)
        return self.run(S, host, self.lib.rl_resume, array_address(given), len(given))

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
        done = self.lib.rl_play_many(
            here.C, here.at, array_address(self.start), series, first, games, mode, array_address(rows)
        )
        if done < games:
            self.raise_error()
        winners = array("B", bytes(games))
        self.lib.rl_winners(array_address(rows), games, array_address(winners))
        return Rows(rows, self.width, winners)

    # ---- in and out

    def run(self, S: list[int], host: Host | None, function: Any, *more: Any) -> list[OptionTuple] | None:
        """Call a function of the library that somebody may listen to. Of a packed state it is given the state's own
        words, so that nothing is copied."""
        here, own = self.here, packed_array(S)
        at = here.at if own is None else array_address(own)
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
            status = function(here.C, at, NO_HOST, 0, *more)
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
        return (_INT64 * max(len(args), 1))(*args)

    # ---- asking

    def why(self, S: list[int], routine: str, args: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        function = self.module.why[routine]
        given, here = (self.numbers[function], self.given(function, args)), self.here
        count = self.answer(self.ask(S, self.lib.rl_why, *given))
        used = here.error()[5]
        if used > len(here.out):
            here.room(2 * used)
            count = self.ask(S, self.lib.rl_why, *given)
        return [(number, _joined_halves(halves)) for number, *halves in here.tuples(count, used)]

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
        self.ask(S, self.lib.rl_pures, count, array_address(calls), array_address(into))
        found: list[int | None] = [*into[::2]]
        for truth in truths:
            found[truth] = int(bool(found[truth]))
        failed = into[1::2]
        return [None if wrong else value for value, wrong in zip(found, failed, strict=True)] if any(failed) else found

    def changed(self, old: Sequence[int], new: Sequence[int]) -> list[int]:
        """The addresses at which the words of two states differ."""
        one, other, here = pack_state(old), pack_state(new), self.here
        count = self.lib.rl_changed(array_address(one), array_address(other), here.places_at)
        return here.places[:count].tolist() if count else []

    def changed_in(self, runs: array[int], old: Sequence[int], new: Sequence[int]) -> list[int]:
        """The same in some runs of words: where each begins, and where it ends."""
        one, other, here = pack_state(old), pack_state(new), self.here
        count = self.lib.rl_changed_in(
            array_address(one), array_address(other), array_address(runs), len(runs) // 2, here.places_at
        )
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
            case shared.FAIL:
                code, span, message = info.fails[number]
                raise RuleError(Diagnostic(code, self.spans[span], message.format(*given)))
            case shared.RANGE:
                what, low, high, span = info.ranges[number]
                raise out_of_range_error(what, low, high, self.spans[span], given[0])
            case shared.STEPS | shared.DEPTH | shared.STACK:
                place = self.spans[number] if number < len(self.spans) else NOWHERE
                running = [title for function in here.trail(trailed) if (title := info.titles[function])]
                raise over_budget_error(_BUDGETS[kind], place, running)
            case shared.ENSURE:
                raise EnsureFailed(number, tuple(given))
            case shared.HOST if here.raised is not None:
                raise here.raised
            case shared.HOST:
                raise KeyboardInterrupt
            case shared.MANY:
                raise endless_game_error(self, here.words.tolist(), here.most, number, given[0])
            case shared.UNTRUE:
                failed = broken_invariant(self, here.words.tolist())
                if failed is not None:
                    raise failed
            case shared.UNSOUND:
                raise UnsoundState(number, here.words.tolist())
            case shared.INTERNAL if number == shared.BROKEN:
                raise DamagedState(STUCK_POSITION)
        raise AssertionError(f"the native program {self.path.name} met the error {kind} {number} {given}")


def _joined_halves(halves: Sequence[int]) -> tuple[int, ...]:
    """Numbers that are given as two words each, the low half first."""
    return tuple((low & 0xFFFFFFFF) | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True))
