"""A module of the IR as one freestanding C99 file, for one table.

Names in the file: `p_` pure functions, `w_` why functions, `l_` enumerators, `d_` routines that decide for
themselves (`s_`: draw; `u_`: are tried), `r_` routines that pause, `t_` trials; `o_`, `n_` and `x_` list and count
the options of a decision and find one again (`a_`: those of a frame that waits); `T_` and `R_` constant tables and
rows.
All are static; what is exported starts with `rl_`. What is the same for every program is in `runtime/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulelang.compiler.backends.braces import Writer
from rulelang.compiler.backends.native.counting import CountingBody
from rulelang.compiler.backends.native.direct import DirectBody, HostedBody, TrialBody, WhyBody
from rulelang.compiler.backends.native.exports import entries
from rulelang.compiler.backends.native.library import whole
from rulelang.compiler.backends.native.pieces import FUNCTIONS, HEADS, REST, TABLES
from rulelang.compiler.backends.native.resume import CountBody, ListerBody, RelisterBody, ResumeBody
from rulelang.compiler.backends.native.stmts import Body
from rulelang.compiler.backends.native.tables import program
from rulelang.compiler.backends.native.trials import trying, write_trial
from rulelang.compiler.backends.native.unit import NativeUnit, narrow, numbers
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.abstract.validate_frames import Standing

#: Of so many cards at most that look like one it is asked where each of them lies.
FEW = 7
_TITLE = "/* Made by rulelang.compiler.backends.native from a ruleset: do not change by hand. */"


@dataclass(frozen=True, slots=True)
class LinkInfo:
    """What linking needs beside the library. Numbers of functions are their places in `names`.

    `fails`: (code, span, message). `ranges`: (what, low, high, span). `standings`: what is known of the points where
    routines pause. Spans are plain tuples.
    """

    spans: tuple[tuple[object, ...], ...]
    fails: tuple[tuple[str, int, str], ...]
    ranges: tuple[tuple[str, int | None, int | None, int], ...]
    names: tuple[str, ...]
    titles: tuple[str, ...]
    kinds: tuple[str, ...]
    pausing: frozenset[str]
    truths: frozenset[str]
    standings: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class Emitted:
    source: str
    link_info: LinkInfo


def emit(module: ir.Module) -> Emitted:
    """The C text of a program. Marks pausing and recursive functions in the module on the way."""
    unit = NativeUnit(module)
    module, unit.trying = unit.module, trying(unit)
    bodies = Writer()
    heads: list[str] = []
    for function in module.functions.values():
        for body in _bodies(unit, function, bodies):
            heads.append(body.head() + ";")
            body.write()
    for name in sorted(unit.trials):
        at = len(bodies.lines)
        write_trial(unit, module.functions[name], bodies)
        heads.append(bodies.lines[at].removesuffix(" {") + ";")
    last = entries(unit)
    rules = [TABLES, *_tables(unit), HEADS, *heads, FUNCTIONS, *bodies.lines, REST, *last]
    lines = whole({"program.h": program(unit), "rules.c": rules})
    return Emitted("\n".join((_TITLE, *lines)) + "\n", _link_info(unit))


def _bodies(unit: NativeUnit, function: ir.Function, out: Writer) -> list[Body]:
    name = function.name
    match function.kind:
        case "pure":
            return [CountingBody(unit, function, out)]
        case "why":
            return [WhyBody(unit, function, out)]
        case "lister" if name in unit.halves:
            return [CountBody(unit, function, out)]
        case "enumerator" | "lister":
            return [ListerBody(unit, function, out)]
        case "relister":
            return [RelisterBody(unit, function, out)]
    found: list[Body] = []
    if name in unit.tried:
        found.append(TrialBody(unit, unit.direct[name], out))
    if name in unit.only_tried:
        return found
    if name in unit.direct and (function.pausing or name not in unit.hosted or name in unit.heard):
        found.append(DirectBody(unit, unit.direct[name], out))
    if function.pausing:
        found.append(ResumeBody(unit, unit.waiting[name], out))
    elif name in unit.hosted:
        found.append(HostedBody(unit, unit.hearing[name], out))
    if name in unit.drawn:
        found.append(DirectBody(unit, unit.drawn[name], out, drawn=True))
    return found


def _tables(unit: NativeUnit) -> list[str]:
    found: list[str] = []
    for name in sorted(unit.used_tables | unit.distinct.keys()):
        values = unit.module.tables[name]
        text = unit.table(name)
        found.append(f"static const {narrow(values)} {text}[] = {{{numbers(values)}}};")
        if name in unit.distinct:
            looks = unit.looks(name)
            found.append(f"static const {narrow(looks)} D{text}[] = {{{numbers(looks)}}};")
            found += _alike(unit, text, looks, unit.kinds(name))
    for name in sorted(unit.used_rows):
        rows, text = unit.module.rows[name], unit.row(name)
        width = max(max(map(len, rows), default=0), 1)
        flat = [v for row in rows for v in (*row, *([0] * (width - len(row))))]
        found.append(f"static const {narrow(flat)} {text}[] = {{{numbers(flat)}}};")
        found.append(f"static const i32 {text}_n[] = {{{numbers([len(r) for r in rows])}}};")
    return found


def _alike(unit: NativeUnit, table: str, looks: Sequence[int], kinds: int) -> list[str]:
    """What tells of items that look alike (see `runtime/zones.h`). Where few cards do, it is asked of a card first
    whether another of them lies there at all, which it seldom does: that is quicker than a search, whose end nobody
    foretells."""
    alike: dict[int, list[int]] = {}
    for card, look in enumerate(looks[1:], 1):
        alike.setdefault(look, []).append(card)
    others, where = max(map(len, alike.values()), default=1) - 1, unit.module.layout.where
    distinct = f"DISTINCT(distinct{table}, D{table}, {(kinds + 63) // 64})"
    if not 0 < others <= FEW or len(looks) != len(unit.module.layout.cards):
        return [distinct, f"FIRST(, first{table}, D{table})"]
    flat = [0] * others  # no card lies in zone 0, and no card is card 0
    for card, look in enumerate(looks[1:], 1):
        flat += [*(c for c in alike[look] if c != card), *[0] * (others + 1 - len(alike[look]))]
    test = " | ".join(f"(S[I({where} + O{table}[value * {others} + {k}])] == at)" for k in range(others))
    return [
        distinct,
        f"FIRST(COLD, leads{table}, D{table})",
        f"static const {narrow(flat)} O{table}[] = {{{numbers(flat)}}};",
        f"static inline i64 first{table}(context *C, const i32 *S, i64 zone, i64 value) {{",
        f"    i32 at = S[I({where} + value)];",
        f"    return RARE({test}) ? leads{table}(C, S, zone, value) : 1;",
        "}",
    ]


def _link_info(unit: NativeUnit) -> LinkInfo:
    functions = unit.module.functions
    fails = tuple((code, unit.span(span), message) for code, span, message in unit.fails)
    ranges = tuple((what, low, high, unit.span(span)) for what, low, high, span in unit.ranges)
    return LinkInfo(
        tuple((s.path, s.line, s.column, s.end_line, s.end_column) for s in unit.spans),
        fails,
        ranges,
        tuple(functions),
        tuple(f.title for f in functions.values()),
        tuple(f.kind for f in functions.values()),
        frozenset(unit.frames),
        frozenset(unit.truths),
        unit.standings,
    )
