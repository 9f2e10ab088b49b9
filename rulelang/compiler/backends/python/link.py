"""Link generated Python source to a program."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from types import CodeType, FrameType
from typing import Any, NoReturn

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.backends.program import Program, out_of_range_error, over_budget_error
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.possible_values import PossibleValues
from rulelang.compiler.passes.suspension import RETURN, RETURN_SIZE
from rulelang.runtime.program import Host, OptionTuple
from rulelang.runtime.running import MOST_DECISIONS, broken_invariant, endless_game_error

# ---- runtime of generated programs

#: The host of a playout from a paused game: decisions are taken at random. False, so nothing is told to it.
A_ = ()


def distinct_(S: list[int], zone: int, table: Sequence[int]) -> list[int]:
    """Of the items in an array zone those whose table entries did not come before, in order.

    An address that is no zone (its enumerator will not use the list) gives any list.
    """
    items = S[zone + 1 : zone + 1 + S[zone]]
    if len(items) < 2:
        return items
    try:
        looks = [*map(table.__getitem__, items)]
    except IndexError:
        return []
    if len(set(looks)) == len(looks):
        return items
    seen: dict[int, int] = {}
    for look, item in zip(looks, items, strict=True):
        if look not in seen:
            seen[look] = item
    return list(seen.values())


def alike_(table: Sequence[int]) -> tuple[frozenset[int], ...]:
    """By item all those that have the same entry."""
    found: dict[int, list[int]] = {}
    for item, look in enumerate(table):
        found.setdefault(look, []).append(item)
    sets = {look: frozenset(items) for look, items in found.items()}
    return tuple([sets[look] for look in table])


def trial_(routine: Callable[..., object], S: list[int], *args: int) -> int:
    """1 if the routine runs on a copy of the state without being refused."""
    try:
        routine(S[:], *args)
    except EnsureFailed:
        return 0
    return 1


def blame_trial_(
    B: list[Any], more: Callable[..., object] | None, routine: Callable[..., object], S: list[int], *args: int
) -> None:
    """Notes the reason for which the routine is refused on a copy of the state, if it is, and its details."""
    copy = S[:]
    try:
        routine(copy, *args)
    except EnsureFailed as refused:
        B.append((refused.reason, refused.values))
        if more is not None:
            more(copy, B, refused.reason, *refused.values)


class RuntimeErrors:
    """Raises the diagnostics of one program. The generated source makes one from its own tables.

    `spans`: the author's lines. `fails`: (code, span, message). `ranges`: (what, low, high, span). `titles`: by the
    name of a generated function, how errors name it. `points`: by pc, the name of the function that pauses there.
    `lines`: generated line -> number in `spans`.
    """

    def __init__(
        self,
        spans: Sequence[tuple[str, int, int, int, int]],
        fails: list[tuple[str, int, str]],
        ranges: list[tuple[str, int | None, int | None, int]],
        titles: dict[str, str],
        points: Sequence[str],
        lines: dict[int, int],
    ) -> None:
        self.spans = [Span(*span) for span in spans]
        self.fails, self.ranges, self.titles, self.points = fails, ranges, titles, points
        self.lines = lines

    def fail(self, number: int, *args: int) -> NoReturn:
        code, span, message = self.fails[number]
        raise RuleError(Diagnostic(code, self.spans[span], message.format(*args)))

    def range(self, number: int, value: int) -> NoReturn:
        what, low, high, span = self.ranges[number]
        raise out_of_range_error(what, low, high, self.spans[span], value)

    def steps(self, span: int) -> NoReturn:
        raise over_budget_error("X605", self.spans[span], self.running(sys._getframe(1)))

    def depth(self, span: int) -> NoReturn:
        raise over_budget_error("X606", self.spans[span], self.running(sys._getframe(1)))

    def recursion(self, error: RecursionError, path: str) -> NoReturn:
        """The host's own stack ran out: as `depth`, at the line where the cycle starts."""
        trace, frame = error.__traceback__, None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                frame = trace.tb_frame
            trace = trace.tb_next
        raise over_budget_error("X606", self.line(frame), self.running(frame)) from None

    def line(self, frame: FrameType | None) -> Span:
        number = None if frame is None else self.lines.get(frame.f_lineno)
        return NOWHERE if number is None else self.spans[number]

    def stack(self, span: int) -> NoReturn:
        raise over_budget_error("X608", self.spans[span], self.running(sys._getframe(1)))

    def running(self, frame: FrameType | None) -> list[str]:
        """Titles of the routines that are at work, the innermost first; also those that wait in the state's frames."""
        found: list[str] = []
        outer: dict[str, Any] = {}
        while frame is not None:
            title = self.titles.get(frame.f_code.co_name)
            if title is not None:
                found.append(title)
                if "sp" in frame.f_locals:
                    outer = frame.f_locals
            frame = frame.f_back
        if outer and outer["pc"] != 0:  # resumed: who called it waits in the state
            S, sp = outer["S"], outer["S"][outer["sp"] + 1]
            while sp and len(found) < 10_000:
                found.append(self.titles.get(self.points[S[sp]], "?"))
                sp = S[sp + 1]
        return found


# ---- linking

_NUMBERS = count(1)
#: Python's frames that are open beside those of the rules; the most that are allowed together.
OWN_FRAMES, MOST_FRAMES = 700, 20_000


def new_source_path() -> str:
    """What a generated source is called in tracebacks."""
    return f"<rules {next(_NUMBERS)}>"


def compile_source(source: str, name: str = "") -> CodeType:
    """The code object of a generated source (it can be marshalled). Tracebacks show the source's lines."""
    return compile(source, register_source(source, name), "exec")


def register_source(source: str, name: str = "") -> str:
    """The path under which tracebacks find the lines of a generated source."""
    path = name or new_source_path()
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    return path


def link(source: str | CodeType, module: ir.Module, known: Callable[[], PossibleValues] | None = None) -> PythonProgram:
    """A program that runs. `source`: what `emit` made of this very module, or its code from `compiled`; `known` tells
    what its words can be, where the functions of the module are gone."""
    return PythonProgram(compile_source(source) if isinstance(source, str) else source, module, known)


def _zero_score(S: list[int], player: int) -> int:
    """The score in a program without one (built by hand)."""
    return 0


class PythonProgram(Program):
    """One program for one table. It keeps nothing of a game: all is in `S`."""

    def __init__(self, code: CodeType, module: ir.Module, known: Callable[[], PossibleValues] | None = None) -> None:
        names = self.names = self.load(code)
        super().__init__(module, names["STANDINGS_"], known)
        # A chain of calls may be as long as the rules are; only what goes round is counted (X606).
        sys.setrecursionlimit(max(sys.getrecursionlimit(), min(OWN_FRAMES + 2 * names["DEPTH_"], MOST_FRAMES)))
        self.points: Sequence[Callable[..., Any]] = names["POINTS_"]
        self.again: Mapping[int, Callable[[list[int], int], list[OptionTuple]]] = names["AGAIN_"]
        self.pausing: frozenset[str] = names["PAUSING_"]
        pure: dict[str, Callable[..., int]] = names["PURE_"]
        self.scoring: Callable[[list[int], int], int] = pure.get(module.score, _zero_score)
        self.parting = [pure[name] for name in module.tiebreak]
        self.watch(MOST_DECISIONS, False)

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
            raise endless_game_error(self, S, self.most, site, player)

    def hold(self, S: list[int]) -> None:
        failed = broken_invariant(self, S)
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


# ---- tables as constants

#: How a mark begins; no text of a generated function does.
MARK = "\0"
_NAME = re.compile(r"^([TRP]_\w+) = ", re.MULTILINE)
#: A table that is read. At a number it would be worked out as long as the mark stands there.
_READ = re.compile(r"\b([TRP]_\w+)\b(?!\[-?\d)")


def with_constants(source: str, name: str) -> CodeType:
    """The code of a generated source (it can be marshalled), 1 to 5 % faster than what `compiled` gives."""
    first = min((at for at in (source.find("\nT_"), source.find("\nN_ = ")) if at >= 0), default=len(source))
    last = source.find("\nPOINTS_ = ", first)
    if last < 0:
        return compile_source(source, name)
    path = register_source(source, name)
    functions, written = source[:first], source[first:last]
    tables: dict[str, Any] = {"alike_": alike_}
    exec(compile(written, path, "exec"), tables)
    known = {MARK + table: tables[table] for table in _NAME.findall(written)}
    marked = _READ.sub(lambda at: repr(MARK + at[1]) if MARK + at[1] in known else at[1], functions)
    return _fill_constants(compile(marked + source[first:], path, "exec"), known)


def _fill_constants(code: CodeType, tables: Mapping[str, Any]) -> CodeType:
    def filled(item: Any) -> Any:
        if isinstance(item, CodeType):
            return _fill_constants(item, tables)
        return tables.get(item, item) if isinstance(item, str) else item

    return code.replace(co_consts=tuple([filled(item) for item in code.co_consts]))
