"""Share what the functions of a generated program need: names, writers, tables and facts."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

from rulelang.base.graphs import reaching, strongly_connected
from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import call_graph, failing_functions, mark_recursive, routine_calls
from rulelang.compiler.ir.walk import all_statements
from rulelang.compiler.passes.checked_arithmetic import CellRanges
from rulelang.compiler.passes.choice.counting import GROWING, ListCapacity
from rulelang.compiler.passes.choice.strategy import RoutineForms, plan_sampling
from rulelang.compiler.passes.fold import without_log
from rulelang.compiler.passes.frame_validation import frame_descriptors
from rulelang.compiler.passes.inline import PartialInlining
from rulelang.compiler.passes.intervals import Regions, regions_of
from rulelang.compiler.passes.resumable import DecisionPoint, Resumable
from rulelang.compiler.passes.suspension import RETURN, Frame, frame_layouts, mark_pausing

# ---- names

_PLAIN = re.compile(r"[a-z][a-z0-9_]*[a-z0-9]|[a-z]")
_RESERVED = {
    "sp",
    "pc",
    "arg",
    *keyword.kwlist,
    *keyword.softkwlist,
    "min",
    "max",
    "len",
    "range",
    "list",
    "type",
    "zip",
}


class UniqueNames:
    """Gives every IR name of one scope a Python name of its own.

    Names of locals never start with a capital or a letter and an underscore (those are the generated globals) and
    never end with an underscore (those are the emitter's temporaries).
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.given: dict[str, str] = {}
        self.used: set[str] = set()
        self.temporaries = 0

    def __getitem__(self, name: str) -> str:
        if name not in self.given:
            plain = re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_") or "v"
            if not self.prefix and (
                not _PLAIN.fullmatch(plain) or plain in _RESERVED or (len(plain) > 1 and plain[1] == "_")
            ):
                plain = "v" + plain
            found, count = plain, 1
            while found in self.used:
                count += 1
                found = f"{plain}x{count}"
            self.used.add(found)
            self.given[name] = self.prefix + found
        return self.given[name]

    def temporary(self, hint: str = "t") -> str:
        self.temporaries += 1
        return f"{hint}{self.temporaries}_"


# ---- writer of C and JavaScript


class BraceWriter:
    """Call it with a line; `with writer.inside("if (x)"):` puts what follows in braces."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.level = 0

    def __call__(self, text: str) -> None:
        self.lines.append("    " * self.level + text)

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        self(head + " {" if head else "{")
        self.level += 1
        yield
        self.level -= 1
        self("}")


class LocalNames(UniqueNames):
    """Locals get the prefix `v_`. Temporaries are noted, so that they can be declared."""

    def __init__(self) -> None:
        super().__init__("v_")
        self.temps: list[str] = []

    def temporary(self, hint: str = "t") -> str:
        name = super().temporary(hint)
        self.temps.append(name)
        return name

    def once(self, name: str) -> str:
        """A temporary with a fixed name, declared once however often it is asked for."""
        if name not in self.temps:
            self.temps.append(name)
        return name


# ---- units

#: Up to this Python keeps all numbers.
SMALL = 257
#: The forms of functions that errors name.
_PREFIXES = {"pure": "p", "why": "w", "routine": "drs", "enumerator": "l"}


class Unit:
    """`truths`: pure functions whose value is only a truth (host booleans inside). `hosted`: routines that pause, log,
    draw the curtain or roll a die, themselves or in what they call; the others are shared by both modes. `direct`,
    `drawn`, `waiting`, `hearing`: the forms of routines (see `choice.strategy`, `passes.resumable`). `standings`: the
    points at which they wait; `decisions`: those at which somebody is asked, by the point. The module has the functions
    too that these call."""

    #: What lists of the target hold.
    room: ListCapacity = GROWING
    #: Whether what waits calls direct forms where decisions are taken at random.
    direct_playouts = True
    #: Whether it is to be fast: words that are read twice are kept, and random games draw in ways of their own.
    fast = True

    def __init__(self, module: ir.Module) -> None:
        mark_pausing(module)
        mark_recursive(module)
        module, self.sampling = plan_sampling(module)
        self.module = module
        self.cells = module.layout.cells
        self.frames: dict[str, Frame] = frame_layouts(module)
        self.standings = frame_descriptors(self.frames, module.sites)
        self.groups = {name: i for i, group in enumerate(strongly_connected(call_graph(module))) for name in group}
        self.forms = RoutineForms(module, self.sampling, self.room)
        routines = [f for f in module.functions.values() if f.kind == "routine"]
        failing = failing_functions(module)
        self.words = CellRanges(module.layout)
        drawn = [f for f in routines if f.name in self.sampling.routines and self.fast]
        self.direct = {f.name: without_log(self.forms.direct(f), failing) for f in routines if self.plays(f)}
        self.drawn = {f.name: without_log(self.forms.drawn(f), failing) for f in drawn}
        self.decisions: dict[int, DecisionPoint] = {}
        self.waiting = {name: self._resumable(frame) for name, frame in self.frames.items()}
        self.hosted = _hosted_routines(module)
        self.hearing = {
            f.name: self.forms.chance(f) for f in routines if f.name in self.hosted and f.name not in self.frames
        }
        self.count_decisions()
        module.functions.update(self.forms.known.made)
        for made, origin in self.forms.known.origin.items():
            self.groups[made] = self.groups.get(origin, -1)
        self.names = UniqueNames("_")
        self.table_names = UniqueNames("T_")
        self.row_names = UniqueNames("R_")
        self.used_tables: set[str] = set()
        self.used_rows: set[str] = set()
        self.alikes: set[str] = set()
        self.columns: dict[int, tuple[int, int] | None] = {}
        self.lookups: dict[tuple[int, ...], str] = {}
        self.truths = _truth_functions(module)
        self.steps = self._counts_steps()
        self.spans: dict[Span, int] = {}
        self.fails: dict[tuple[str, Span, str], int] = {}
        self.ranges: dict[tuple[str, int | None, int | None, Span], int] = {}

    def plays(self, function: ir.Function) -> bool:
        """Whether a routine is wanted in its direct form."""
        return True

    def count_decisions(self) -> None:
        """Make what takes decisions by number, if the target does."""

    def _resumable(self, frame: Frame) -> ir.Function:
        name = frame.function.name
        made = Resumable(
            frame, self.forms.chance(frame.function), self.module, self.sampling.shapes, self.direct_playouts
        )
        for decision in made.decisions:
            self.decisions[decision.pc] = decision
            for function in (decision.lister, decision.relister):
                self.forms.known.keep(function.name, name, function)
        return made.function

    def unfolded(self) -> ir.Module:
        """The module as backends print it: each routine in all its forms, whose names begin as in the text."""
        found: dict[str, ir.Function] = {}
        for name, function in self.module.functions.items():
            if function.kind != "routine":
                found[name] = function
            forms = {"d_": self.direct, "s_": self.drawn, "r_": {**self.waiting, **self.hearing}}
            for prefix, made in forms.items():
                if name in made:
                    found[prefix + name] = replace(made[name], name=prefix + name)
        return replace(self.module, functions=found)

    def function(self, name: str, prefix: str) -> str:
        """The generated function's name; prefixes: p_ pure, w_ why, d_ direct, s_ drawn, r_ resumable, l_ enumerator,
        o_ lister, a_ relister."""
        return prefix[0] + self.names[name]

    def more(self) -> str:
        """The generated function that tells the details of a reason; "" if nothing has any."""
        name = self.module.why.get(ir.MORE, "")
        return self.function(name, "w_") if name else ""

    def titles(self) -> dict[str, str]:
        """By the name of a generated function, how errors name it."""
        functions = self.module.functions.items()
        return {self.function(name, prefix): f.title for name, f in functions for prefix in _PREFIXES.get(f.kind, "")}

    def points(self) -> list[str]:
        """By the point, from 2 on (see `standings`): the generated function that waits there."""
        return [self.function(standing[1], "r_") for standing in self.standings[RETURN + 1 :]]

    def span(self, span: Span) -> int:
        return self.spans.setdefault(span, len(self.spans))

    def site_span(self, site: int) -> int:
        """The number of the author's line at which a decision site stands."""
        sites = self.module.sites
        return self.span(sites[site - 1].span if site <= len(sites) else NOWHERE)

    def fail(self, fail: ir.Fail) -> int:
        return self.fails.setdefault((fail.code, fail.span, fail.message), len(self.fails))

    def range(self, limits: ir.Limits) -> int:
        key = (limits.what, limits.low, limits.high, limits.span)
        return self.ranges.setdefault(key, len(self.ranges))

    def table(self, name: str) -> str:
        self.used_tables.add(name)
        return self.table_names[name]

    def lookup(self, values: tuple[int, ...]) -> str:
        """The name of a table that has these values."""
        name = self.lookups.setdefault(values, f"@lookup {len(self.lookups) + 1}")
        self.module.tables.setdefault(name, values)
        return self.table(name)

    def alone(self, table: str) -> str:
        """The name of a table that has 1 where no other entry of the given one has the same value."""
        name = f"{table}@alone"
        if name not in self.module.tables:
            times = Counter(self.module.tables[table])
            self.module.tables[name] = tuple(int(times[v] == 1) for v in self.module.tables[table])
        return name

    def places(self, base: int) -> str:
        """The name of what has the addresses of a column's words, if they are large; "" for what is no column."""
        if base not in self.columns:
            end = self.regions.end(base)
            self.columns[base] = (base, end) if end is not None and min(end, 2 * base) > SMALL else None
        return "" if self.columns[base] is None else f"P_{base}"

    @cached_property
    def failing(self) -> set[str]:
        """The functions that may fail, those among them that were made of decisions."""
        return failing_functions(self.module)

    @cached_property
    def partial_inlining(self) -> PartialInlining:
        """What pure functions mostly come to, for Python."""
        return PartialInlining(self.module.functions, self.failing)

    @cached_property
    def regions(self) -> Regions:
        return regions_of(self.module, self.module.functions.values())

    def alike(self, table: str) -> str:
        """The name of what has, for each entry of a table, the set of all that are the same (in Python)."""
        self.table(table)
        self.alikes.add(table)
        return self.table_names[f"{table}@alike"]

    def row(self, name: str) -> str:
        self.used_rows.add(name)
        return self.row_names[name]

    def same_group(self, one: str, other: str) -> bool:
        return self.module.functions[other].recursive and self.groups.get(one) == self.groups.get(other)

    def _counts_steps(self) -> bool:
        functions = self.module.functions.values()
        return any(
            (f.recursive and f.kind == "routine")
            or any(isinstance(s, ir.Tick) or (isinstance(s, ir.While) and s.budget) for s in all_statements(f.body))
            for f in functions
        )


def is_truth(expr: ir.Expr, truths: set[str]) -> bool:
    """True if the expression's value is a host boolean or a truth value (never needed as a number)."""
    if isinstance(expr, (ir.Compare, ir.Not, ir.Logic, ir.ArrayHas, ir.FirstLike)):
        return True
    if isinstance(expr, ir.If):
        if isinstance(expr.then, ir.Const) and isinstance(expr.otherwise, ir.Const):
            return {expr.then.value, expr.otherwise.value} == {0, 1}
        parts = (expr.then, expr.otherwise)
        return all(_is_truth_or_bit(p, truths) for p in parts) and any(is_truth(p, truths) for p in parts)
    return isinstance(expr, ir.Call) and expr.function in truths


def _is_truth_or_bit(expr: ir.Expr, truths: set[str]) -> bool:
    return (isinstance(expr, ir.Const) and expr.value in (0, 1)) or is_truth(expr, truths)


def _truth_functions(module: ir.Module) -> set[str]:
    returns: dict[str, list[ir.Expr]] = {}
    for name, function in module.functions.items():
        if function.kind == "pure":
            values = [s.value for s in all_statements(function.body) if isinstance(s, ir.Return)]
            if None not in values and not all(isinstance(v, ir.Const) for v in values):
                returns[name] = [v for v in values if v is not None]
    truths = set(returns)
    changed = True
    while changed:
        bad = {n for n in truths if not all(_is_truth_or_bit(v, truths) for v in returns[n])}
        changed = bool(bad)
        truths -= bad
    return truths


def _hosted_routines(module: ir.Module) -> set[str]:
    routines = [f for f in module.functions.values() if f.kind == "routine"]
    found = {f.name for f in routines if f.pausing or any(map(_reaches_host, all_statements(f.body)))}
    return reaching(found, routine_calls(module))


def _reaches_host(stmt: ir.Stmt) -> bool:
    """Whether a statement tells or asks a host something."""
    return isinstance(stmt, (ir.Log, ir.LogEnd, ir.Curtain)) or (isinstance(stmt, ir.Random) and stmt.die)
