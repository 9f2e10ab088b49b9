"""A program whose functions are written and compiled when they are first called, and which tells who was.

Whoever wants an answer soon after the rules have changed, and runs a part of them only, waits for nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import islice
from threading import RLock
from types import CodeType
from typing import TYPE_CHECKING, Any

from rulelang.base.source import NOWHERE
from rulelang.compiler.backends.python.emit import BODIES, write_entries, write_errors, write_head, write_tables
from rulelang.compiler.backends.python.link import (
    MOST_FRAMES,
    OWN_FRAMES,
    PythonProgram,
    RuntimeErrors,
    new_source_path,
)
from rulelang.compiler.backends.python.stmts import Writer
from rulelang.compiler.backends.statements import PREFIXES, routine_forms, write_form
from rulelang.compiler.backends.unit import Unit
from rulelang.compiler.ir import nodes as ir

if TYPE_CHECKING:
    from rulelang.compiler.passes.possible_values import PossibleValues


class _OnDemandUnit(Unit):
    fast = False


class OnDemandProgram(PythonProgram):
    """It does what `link(emit(module).source, module)` does. `called`: the functions of the module that have run since
    `forget`, or whose parts have; what it made itself of one goes by the name of that one."""

    def __init__(self, module: ir.Module, known: Callable[[], PossibleValues] | None = None) -> None:
        self.unit = _OnDemandUnit(module)
        self.out = Writer()
        self.called: set[str] = set()
        self._made: dict[str, Any] = {}
        self._writing = RLock()
        self._tables: set[str] = set()
        self._writers: dict[str, Callable[[], None]] = {}
        self._origins: dict[str, str] = {}
        self._heralds: dict[str, Callable[..., Any]] = {}
        self._rung: dict[str, None] = {}
        origins = self.unit.forms.known.origin
        for function in self.unit.module.functions.values():
            origin = function.name
            while origin in origins and origins[origin] != origin:
                origin = origins[origin]
            for kind, form in routine_forms(self.unit, function):
                name = self.unit.function(function.name, PREFIXES[kind])
                self._writers[name] = partial(write_form, self.unit, kind, form, self.out, BODIES)
                self._origins[name] = origin
                self._heralds[name] = self._herald(name)
        super().__init__(compile("", new_source_path(), "exec"), module, known)
        # Each function that is called for the first time has its herald below it.
        deepest = OWN_FRAMES + 4 * self.names["DEPTH_"]
        sys.setrecursionlimit(max(sys.getrecursionlimit(), min(deepest, MOST_FRAMES)))

    def forget(self) -> None:
        """From now on `called` begins anew."""
        for name in self._rung:
            self.names[name] = self._heralds[name]
        self._rung.clear()
        self.called.clear()

    def _herald(self, name: str) -> Callable[..., Any]:
        """What stands for a function until it is called: it tells so, and steps aside."""

        def herald(*args: Any) -> Any:
            made = self._made.get(name)
            if made is None:
                # Those who run rules at the same time, as a bot and who looks on, share what is written.
                with self._writing:
                    made = self._made.get(name)
                    if made is None:
                        made = self._made[name] = self._write(name)
            self.called.add(self._origins[name])
            self._rung[name] = None
            self.names[name] = made
            return made(*args)

        return herald

    # ---- writing

    def load(self, code: CodeType) -> dict[str, Any]:
        """What is there before anything is called: heralds for all functions."""
        self.names = {**super().load(code), **self._heralds}
        write_head(self.out)
        write_tables(self.unit, self.out, self._tables)
        write_entries(self.unit, self.out)
        write_errors(self.unit, self.out)
        self._run(0)
        return self.names

    def _write(self, name: str) -> Any:
        start = len(self.out.lines)
        self._writers[name]()
        self.out.span = NOWHERE
        write_tables(self.unit, self.out, self._tables)
        herald = self.names[name]
        self._run(start)
        made = self.names[name]
        self.names[name] = herald
        self._more_trouble(start)
        return made

    def _run(self, start: int) -> None:
        """Run the lines from one on. All are lines of one text, so that each has a number of its own."""
        text = "\n" * start + "\n".join(self.out.lines[start:]) + "\n"
        exec(compile(text, self.path, "exec"), self.names)

    def _more_trouble(self, start: int) -> None:
        """What the new lines can fail with, behind what was known."""
        unit, errors = self.unit, self.names["ERRORS_"]
        assert isinstance(errors, RuntimeErrors)
        for code, span, message in islice(unit.fails, len(errors.fails), None):
            errors.fails.append((code, unit.span(span), message))
        for what, low, high, span in islice(unit.ranges, len(errors.ranges), None):
            errors.ranges.append((what, low, high, unit.span(span)))
        for line in range(start + 1, len(self.out.lines) + 1):
            at = self.out.spans.get(line, NOWHERE)
            if at != NOWHERE:
                errors.lines[line] = unit.span(at)
        errors.spans.extend(islice(unit.spans, len(errors.spans), None))
