"""Emit an IR module as Python source, for one table."""

from __future__ import annotations

from itertools import count
from typing import ClassVar

from rulelang.base.node import record
from rulelang.base.source import NOWHERE
from rulelang.compiler.backends.python.stmts import LARGEST_FOLDED_TUPLE, Body, Writer
from rulelang.compiler.backends.statements import (
    DirectRoutine,
    HostedRoutine,
    OptionGenerator,
    ResumableRoutine,
    WhyRoutine,
    write_function,
)
from rulelang.compiler.backends.unit import Unit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import call_graph, deepest_call_chain
from rulelang.compiler.ir.walk import returns_value, with_subexpressions
from rulelang.compiler.passes.common_subexpressions import eliminate_common, eliminate_common_in_runs

# ---- routines that never wait


class DirectBody(DirectRoutine, Body):
    tells = False  # whether somebody hears the log

    def __init__(self, unit: Unit, function: ir.Function, out: Writer, drawn: bool = False) -> None:
        super().__init__(unit, function, out, drawn)
        self.numbers = count(1)
        self.sharing = False  # within a part that reads only

    def body(self) -> ir.Block:
        body = super().body()
        return self.unit.partial_inlining.inlined(body) if self.unit.fast and not self.tells else body

    def block(self, block: ir.Block) -> None:
        if not self.tells:
            block = tuple(stmt for stmt in block if not _only_logs(stmt))
        if self.sharing or not self.unit.fast:
            super().block(block)
            return
        for shared, part in eliminate_common_in_runs(block, self.numbers):
            self.sharing = shared
            super().block(part)
            self.sharing = False

    def count(self, span: int) -> None:
        cell = self.cells.steps
        self.out(f"s_ = S[{cell}] + 1; S[{cell}] = s_")
        self.out(f"if s_ > {self.unit.module.limits['steps']}: steps_({span})")

    def given(self, stmt: ir.Given) -> None:
        if not self.unit.fast:
            super().given(stmt)
            return
        self.sharing = True
        super().block(eliminate_common(stmt.body, self.numbers, stmt.names))
        self.sharing = False

    def decided(self, stmt: ir.Decided) -> None:
        """What is watched (see `link`) is looked at where it is due."""
        cells = self.cells
        steps = f"; S[{cells.steps}] = 0" if self.unit.steps else ""
        self.out(f"dn_ = S[{cells.decisions}] + 1; S[{cells.decisions}] = dn_{steps}")
        self.out(f"if dn_ >= DUE_: asked_(S, {stmt.site}, {self.ex.value(stmt.player)})")


class HostedBody(HostedRoutine, DirectBody):
    tells = True


class WhyBody(WhyRoutine, Body):
    """Reasons are `(number, arguments)`."""

    empty = "not B"

    def params(self) -> list[str]:
        found = super().params()
        if self.function.name == self.unit.module.why.get(ir.MORE):
            found[3:] = [f"{param}=0" for param in found[3:]]  # not every reason tells as many values
        return found

    def blame(self, stmt: ir.Blame) -> None:
        self.out(f"B.append(({stmt.reason}, {self.ex.row(stmt.args)}))")


def _only_logs(stmt: ir.Stmt) -> bool:
    """Whether a statement does nothing where nobody hears the log, and nothing waits."""
    if isinstance(stmt, ir.Branch):
        calls = any(isinstance(e, (ir.Call, ir.Trial)) for e in with_subexpressions(stmt.test))
        return not calls and all(map(_only_logs, (*stmt.then, *stmt.otherwise)))
    return isinstance(stmt, (ir.Log, ir.LogEnd, ir.Stop))


class PureBody(Body):
    """`p_f(S, args...)`."""

    def body(self) -> ir.Block:
        function = self.function
        given = frozenset(p for p in function.params if not p.startswith("@")) - function.lists
        if not self.unit.fast:
            return function.body
        return eliminate_common(self.unit.partial_inlining.inlined(function.body), given=given)


# ---- routines that may wait


class ResumeBody(ResumableRoutine, HostedBody):
    """Writes one pausing routine."""

    running = "not pc"
    first: ClassVar[tuple[str, ...]] = ("S", "H", "sp", "pc=0", "arg=0")
    unasked = "=0"

    def ask(self, stmt: ir.Ask) -> None:
        self.out(f"arg = {self.call('o_', 'S', stmt)}")
        self.out(f"{self.names[stmt.name]} = len(arg)")

    def take(self, stmt: ir.Take) -> None:
        if stmt.number is not None:
            self.out(f"arg = arg[{self.ex.num(stmt.number)}]")
        names = [self.names[name] for name in stmt.targets]
        if len(names) == 1:
            self.out(f"{names[0]} = arg[0]")
        else:
            self.out(f"{', '.join(names)} = (*arg{', 0' * (len(names) - 1)})[:{len(names)}]")

    def paused(self, stmt: ir.EnterRoutine) -> str:
        answers = returns_value(self.unit.module.functions[stmt.function])
        return "arg.__class__ is list" if answers else "arg"


class OptionRegeneratorBody(ResumeBody):
    """`a_P(S, sp)`: the options of a decision that waits in the frame at `sp`."""

    prefix = "a_"
    first = ("S",)
    unasked = ""

    def enter(self) -> None:
        """It never runs from its head."""


class OptionGeneratorBody(OptionGenerator, Body):
    """Options are tuples `(tag, values...)`. It answers 1 if one of them compels."""

    def enter(self) -> None:
        if self.whole:
            self.out("o_ = []")
        elif self.compels:
            self.out("m_ = 0")
        super().enter()

    def leave(self) -> None:
        if self.whole or self.compels:
            self.out("return o_" if self.whole else "return m_")

    def return_(self, stmt: ir.Return) -> None:
        self.out("return o_" if self.whole else "return m_" if self.compels else "return")

    def yield_(self, stmt: ir.Yield) -> None:
        values = [*([] if self.whole else ["tag_"]), *map(self.ex.value, stmt.values)]
        self.out(f"o_.append(({', '.join(values)}{'' if len(values) > 1 else ','}))")
        if stmt.compels is not None and stmt.compels != ir.Const(0):
            test = "" if isinstance(stmt.compels, ir.Const) else f"if {self.ex.cond(stmt.compels)}: "
            self.out(f"{test}m_ = 1")


# ---- modules

#: By kind of function and form of routine, what writes it.
BODIES = {
    "pure": PureBody,
    "why": WhyBody,
    "enumerator": OptionGeneratorBody,
    "lister": OptionGeneratorBody,
    "relister": OptionRegeneratorBody,
    "direct": DirectBody,
    "waiting": ResumeBody,
    "hearing": HostedBody,
}


@record
class Emitted:
    source: str


def emit(module: ir.Module) -> Emitted:
    """The source of a program. Marks pausing and recursive functions in the module on the way."""
    unit = Unit(module)
    out = Writer()
    write_head(out)
    for function in unit.module.functions.values():
        out("")
        write_function(unit, function, out, BODIES)
    out("")
    write_tables(unit, out, set())
    write_entries(unit, out)
    write_errors(unit, out)
    return Emitted("\n".join(out.lines) + "\n")


def write_head(out: Writer) -> None:
    out("# Made by rulelang.compiler.backends.python from a ruleset: do not change by hand.")
    out("from itertools import compress")
    out("from rulelang.compiler.backends.python.link import A_, RuntimeErrors, alike_, blame_trial_, distinct_, trial_")
    out("from rulelang.base.errors import EnsureFailed as Refused_")


def write_tables(unit: Unit, out: Writer, written: set[str]) -> None:
    """The constants that functions have asked for so far, but for those that were written before."""

    def new(name: str) -> bool:
        fresh = name not in written
        written.add(name)
        return fresh

    for name in sorted(unit.used_tables):
        if new(unit.table_names[name]):
            out(f"{unit.table_names[name]} = {_table_text(tuple(unit.module.tables[name]))}")
    if new("N_"):
        out(f"N_ = tuple(range({unit.module.layout.size + 1}))")
    for base, column in sorted(unit.columns.items()):
        if column is not None and new(unit.places(base)):
            out(f"{unit.places(base)} = N_[{column[0]}:{column[1]}]")
    for name in sorted(unit.alikes):
        if new(unit.alike(name)):
            out(f"{unit.alike(name)} = alike_({unit.table(name)})")
    for name in sorted(unit.used_rows):
        if new(unit.row_names[name]):
            out(f"{unit.row_names[name]} = {tuple(tuple(r) for r in unit.module.rows[name])!r}")


def _table_text(values: tuple[int, ...]) -> str:
    """Python reads a word a number five times as slowly as one text of bytes."""
    if len(values) > LARGEST_FOLDED_TUPLE:
        if len(set(values)) == 1:
            return f"({values[0]},) * {len(values)}"
        if min(values) >= 0 and max(values) < 256:
            return f"tuple({bytes(values)!r})"
    return repr(values)


def write_entries(unit: Unit, out: Writer) -> None:
    """What `link` looks up: the functions by the IR's names, and the frames."""
    module, functions = unit.module, unit.module.functions
    out(f"POINTS_ = ({''.join(f'{text}, ' for text in ['None', 'None', *unit.points()])})")
    again = {decision.pc: unit.function(decision.relister.name, "a_") for decision in unit.decisions.values()}
    out(f"AGAIN_ = {{{', '.join(f'{pc}: {name}' for pc, name in again.items())}}}")
    out(f"STANDINGS_ = {unit.standings!r}")
    kinds = {kind: [n for n, f in functions.items() if f.kind == kind] for kind in ("pure", "why", "routine")}
    hosted = [n for n in kinds["routine"] if n in unit.hosted]
    for table, names, prefix in (
        ("PURE_", kinds["pure"], "p"),
        ("WHY_", kinds["why"], "w"),
        ("DIRECT_", kinds["routine"], "d"),
        ("HOSTED_", hosted, "r"),
    ):
        out(f"{table} = {{{', '.join(f'{n!r}: {unit.function(n, prefix)}' for n in names)}}}")
    out(f"SAMPLE_ = {unit.function(module.main, 's_' if module.main in unit.drawn else 'd_')}")
    out(f"DEPTH_ = {deepest_call_chain(call_graph(module))}")
    out(f"TRUTHS_ = frozenset({sorted(unit.truths)!r})")
    out(f"PAUSING_ = frozenset({sorted(unit.frames)!r})")


def write_errors(unit: Unit, out: Writer) -> None:
    """What tells run-time diagnostics, made of the lines that were written so far."""
    fails = [(code, unit.span(span), message) for code, span, message in unit.fails]
    ranges = [(what, low, high, unit.span(span)) for what, low, high, span in unit.ranges]
    lines = {number: unit.span(span) for number, span in out.spans.items() if span != NOWHERE}
    out.span = NOWHERE
    out(f"LINES_ = {lines!r}")
    out(
        f"ERRORS_ = RuntimeErrors({[tuple(s) for s in unit.spans]!r}, {fails!r}, {ranges!r}, {unit.titles()!r}, "
        f"{['', '', *unit.points()]!r}, LINES_)"
    )
    out("fail_ = ERRORS_.fail; range_ = ERRORS_.range; steps_ = ERRORS_.steps; deep_ = ERRORS_.depth")
    out("stack_ = ERRORS_.stack")
    out("DUE_ = 1 << 62; asked_ = None")
