"""A module of the IR as Python source, for one table.

Every name a generated file has: `p_` pure functions, `w_` why functions, `l_` enumerators, `d_` routines that
decide for themselves (`s_`: draw), `r_` routines that pause or tell a host, `o_` what lists the options of a decision
(`a_`: of a frame that waits); `T_` and `R_` constant tables and rows, `P_` the addresses of a
column's words. The file needs nothing but `rulelang.compiler.backends.python.runtime`, so its code object can be kept on disk.
"""

from __future__ import annotations

from rulelang.base.node import record
from rulelang.base.source import NOWHERE
from rulelang.compiler.backends.python.direct import DirectBody, HostedBody, PureBody, WhyBody
from rulelang.compiler.backends.python.resume import ListerBody, RelisterBody, ResumeBody
from rulelang.compiler.backends.python.stmts import FOLDED
from rulelang.compiler.backends.python.writer import Writer
from rulelang.compiler.backends.scripted import write_function
from rulelang.compiler.backends.unit import Unit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import call_graph, deepest

#: By kind of function and form of routine, what writes it.
BODIES = {
    "pure": PureBody, "why": WhyBody, "enumerator": ListerBody, "lister": ListerBody, "relister": RelisterBody,
    "direct": DirectBody, "waiting": ResumeBody, "hearing": HostedBody,
}  # fmt: skip


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
    write_trouble(unit, out)
    return Emitted("\n".join(out.lines) + "\n")


def write_head(out: Writer) -> None:
    out("# Made by rulelang.compiler.backends.python from a ruleset: do not change by hand.")
    out("from itertools import compress")
    out(
        "from rulelang.compiler.backends.python.runtime import A_, RuntimeErrors, alike_, blame_trial_, distinct_, trial_"
    )
    out("from rulelang.base.errors import EnsureFailed as Refused_")


def write_tables(unit: Unit, out: Writer, written: set[str]) -> None:
    """The constants that functions have asked for so far, but for those that were written before."""

    def new(name: str) -> bool:
        fresh = name not in written
        written.add(name)
        return fresh

    for name in sorted(unit.used_tables):
        if new(unit.table_names[name]):
            out(f"{unit.table_names[name]} = {_table(tuple(unit.module.tables[name]))}")
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


def _table(values: tuple[int, ...]) -> str:
    """Python reads a word a number five times as slowly as one text of bytes."""
    if len(values) > FOLDED:
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
    out(f"DEPTH_ = {deepest(call_graph(module))}")
    out(f"TRUTHS_ = frozenset({sorted(unit.truths)!r})")
    out(f"PAUSING_ = frozenset({sorted(unit.frames)!r})")


def write_trouble(unit: Unit, out: Writer) -> None:
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
