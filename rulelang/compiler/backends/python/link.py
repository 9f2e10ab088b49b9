"""Generated source becomes an engine program: what `engine.program.LinkedProgram` asks for."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from types import CodeType
from typing import Any, NoReturn

from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.backends.program import Program
from rulelang.compiler.backends.python.runtime import A_
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.abstract.possible_values import Possible
from rulelang.compiler.passes.suspend.frames import RETURN, RETURN_SIZE
from rulelang.runtime.program import Host, OptionTuple
from rulelang.runtime.watch import MOST, broken, endless

_NUMBERS = count(1)
#: Python's frames that are open beside those of the rules; the most that are allowed together.
OWN_FRAMES, MOST_FRAMES = 700, 20_000


def new_path() -> str:
    """What a generated source is called in tracebacks."""
    return f"<rules {next(_NUMBERS)}>"


def compiled(source: str, name: str = "") -> CodeType:
    """The code object of a generated source (it can be marshalled). Tracebacks show the source's lines."""
    return compile(source, listed(source, name), "exec")


def listed(source: str, name: str = "") -> str:
    """The path under which tracebacks find the lines of a generated source."""
    path = name or new_path()
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    return path


def link(source: str | CodeType, module: ir.Module, known: Callable[[], Possible] | None = None) -> PythonProgram:
    """A program that runs. `source`: what `emit` made of this very module, or its code from `compiled`; `known` tells
    what its words can be, where the functions of the module are gone."""
    return PythonProgram(compiled(source) if isinstance(source, str) else source, module, known)


def _nothing(S: list[int], player: int) -> int:
    """The score in a program without one (built by hand)."""
    return 0


class PythonProgram(Program):
    """One program for one table. It keeps nothing of a game: all is in `S`."""

    def __init__(self, code: CodeType, module: ir.Module, known: Callable[[], Possible] | None = None) -> None:
        names = self.names = self.load(code)
        super().__init__(module, names["STANDINGS_"], known)
        # A chain of calls may be as long as the rules are; only what goes round is counted (X606).
        sys.setrecursionlimit(max(sys.getrecursionlimit(), min(OWN_FRAMES + 2 * names["DEPTH_"], MOST_FRAMES)))
        self.points: Sequence[Callable[..., Any]] = names["POINTS_"]
        self.again: Mapping[int, Callable[[list[int], int], list[OptionTuple]]] = names["AGAIN_"]
        self.pausing: frozenset[str] = names["PAUSING_"]
        pure: dict[str, Callable[..., int]] = names["PURE_"]
        self.scoring: Callable[[list[int], int], int] = pure.get(module.score, _nothing)
        self.parting = [pure[name] for name in module.tiebreak]
        self.watch(MOST, False)

    def load(self, code: CodeType) -> dict[str, Any]:
        """The names that the code gives."""
        self.path = code.co_filename
        names: dict[str, Any] = {"__name__": "rulelang_generated"}
        exec(code, names)
        return names

    def pack(self, S: list[int]) -> list[int]:
        return S

    # ---- playing

    def begin(self, S: list[int], host: Host | None) -> list[OptionTuple] | None:
        try:
            S[self.cells.steps] = 0
            found = self.start(S, host, self.module.main, (), self.layout.stack)
            if found is None:
                self.close(S)
            return found
        except Exception as error:
            self.explain(error)

    def resume(self, S: list[int], host: Host | None, option: OptionTuple) -> list[OptionTuple] | None:
        try:
            return self.drive(S, host, S[self.cells.frame], option)
        except Exception as error:
            self.explain(error)

    def options(self, S: list[int]) -> list[OptionTuple] | None:
        frame = S[self.cells.frame]
        if not frame:
            return None
        try:
            found: list[OptionTuple] = self.again[S[frame]](S, frame)
            return found
        except Exception as error:
            self.explain(error)

    def call(self, S: list[int], host: Host | None, routine: str, args: Sequence[int]) -> list[OptionTuple] | None:
        """Run a routine of `Module.callable` (by its id) above the pending decision, if there is one.

        Answers a decision of the routine if it waits for one; the decision that was pending once it has ended; None
        if there was none. `rulelang.base.errors.EnsureFailed` if the routine meets a false `ensure`.
        """
        function = self.module.callable[routine][0]
        cells = self.cells
        waiting = S[cells.frame]
        base = self.frames_end(S)
        kept = (S[cells.site], S[cells.decider], waiting)
        try:
            S[cells.steps] = 0
            if function not in self.pausing:
                self.start(S, host, function, args, base)
                return self.options(S)
            if base + RETURN_SIZE > self.layout.size:
                self.names["ERRORS_"].stack(0)
            S[base : base + RETURN_SIZE] = (RETURN, 0, *kept)
            S[cells.site] = S[cells.decider] = S[cells.frame] = 0
            found = self.start(S, host, function, args, base + RETURN_SIZE)
            if found is None:
                return self.back(S, base)
            S[base + RETURN_SIZE + 1] = base
            return found
        except Exception as error:
            self.explain(error)

    def playout(self, S: list[int]) -> None:
        cells = self.cells
        try:
            if S[cells.frame]:
                found = self.options(S)
                while found is not None:  # once, but for decisions under a host's call
                    x, c = S[cells.policy_x], S[cells.policy_c]
                    turned = x * 998578647 + c
                    S[cells.policy_x], S[cells.policy_c] = turned & 1073741823, turned >> 30
                    found = self.drive(S, A_, S[cells.frame], found[(x ^ c) * len(found) >> 30])
            else:
                S[cells.steps] = 0
                self.names["DIRECT_"][self.module.main](S)
                self.close(S)
            if self.holding:
                self.hold(S)
        except Exception as error:
            self.explain(error)

    def sample(self, S: list[int]) -> None:
        """A random game from its start: distributed as `playout`, another one for the same seed, and faster."""
        try:
            S[self.cells.steps] = 0
            self.names["SAMPLE_"](S)
            self.close(S)
            if self.holding:
                self.hold(S)
        except Exception as error:
            self.explain(error)

    # ---- what is watched

    def watch(self, most: int, invariants: bool) -> None:
        self.most, self.holding = most, invariants and bool(self.module.invariants)
        self.names["DUE_"] = 0 if self.holding else most + 1
        self.names["asked_"] = self.asked

    def asked(self, S: list[int], site: int, player: int) -> None:
        """A decision at which something is due, before it is taken."""
        if self.holding:
            self.hold(S)
        if S[self.cells.decisions] > self.most:
            raise endless(self, S, self.most, site, player)

    def hold(self, S: list[int]) -> None:
        failed = broken(self, S)
        if failed is not None:
            raise failed

    def start(self, S: list[int], host: Any, function: str, args: Sequence[int], base: int) -> list[OptionTuple] | None:
        """Call a routine with its frame at `base`: the options it pauses with, or None."""
        if function in self.pausing:
            found = self.names["HOSTED_"][function](S, host, base, 0, 0, *args)
            if not isinstance(found, list):
                return None
            S[base + 1] = 0
            return found
        if function in self.names["HOSTED_"]:
            self.names["HOSTED_"][function](S, host, *args)
        else:
            self.names["DIRECT_"][function](S, *args)
        return None

    def drive(self, S: list[int], host: Any, frame: int, value: object) -> list[OptionTuple] | None:
        """Go on in a frame with the value it waits for; when it ends, in the frame that called it."""
        cells, points = self.cells, self.points
        S[cells.site] = S[cells.decider] = S[cells.frame] = 0
        while frame:
            pc = S[frame]
            if pc == RETURN:
                return self.back(S, frame)
            value = points[pc](S, host, frame, pc, value)
            if isinstance(value, list):
                return value
            frame = S[frame + 1]
        self.close(S)
        return None

    def back(self, S: list[int], frame: int) -> list[OptionTuple] | None:
        """A host's call has ended: the decision that was pending below it is so again."""
        cells = self.cells
        S[cells.site], S[cells.decider], S[cells.frame] = S[frame + 2 : frame + RETURN_SIZE]
        return self.options(S)

    def close(self, S: list[int]) -> None:
        cells = self.cells
        S[cells.over] = 1
        S[cells.site] = S[cells.decider] = S[cells.frame] = 0

    # ---- asking

    def why(self, S: list[int], routine: str, args: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        reasons: list[tuple[int, tuple[int, ...]]] = []
        try:
            self.names["WHY_"][self.module.why[routine]](S, reasons, *args)
        except Exception as error:
            self.explain(error)
        return reasons

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int:
        try:
            value: int = self.names["PURE_"][function](S, *args)
        except Exception as error:
            self.explain(error)
        return int(bool(value)) if function in self.names["TRUTHS_"] else value

    def call_plain(self, S: list[int], function: str, args: Sequence[int]) -> int:
        """Run a routine that never waits, by the name of its function, and give what it returns (0: nothing)."""
        try:
            returned: int | None = self.names["DIRECT_"][function](S, *args)
        except Exception as error:
            self.explain(error)
        return returned or 0

    def score(self, S: list[int], player: int) -> int:
        try:
            return int(self.scoring(S, player))
        except Exception as error:
            self.explain(error)

    def tiebreak(self, S: list[int], player: int) -> tuple[int, ...]:
        try:
            return tuple([int(part(S, player)) for part in self.parting])
        except Exception as error:
            self.explain(error)

    # ---- errors

    def explain(self, error: Exception) -> NoReturn:
        """Exceptions of generated code: too deep a recursion is a diagnostic; others are told the author's line."""
        if isinstance(error, RecursionError):
            self.names["ERRORS_"].recursion(error, self.path)
        if not isinstance(error, (RuleError, EnsureFailed)) and not getattr(error, "__notes__", None):
            span = self.author_span(error)
            if span is not NOWHERE:
                error.add_note(f"in the rules at {span}")
        raise error

    def author_span(self, error: BaseException) -> Span:
        """The author's line of the innermost generated line that an exception came through."""
        found = NOWHERE
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.path:
                number = self.names["LINES_"].get(trace.tb_lineno)
                if number is not None:
                    found = self.names["ERRORS_"].spans[number]
            trace = trace.tb_next
        return found
