"""Emit an IR module as one freestanding C99 file, for one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rulelang.compiler.backends.native import shared
from rulelang.compiler.backends.native.build import CONSTANTS, FUNCTIONS, HEADS, REST, TABLES, whole_text
from rulelang.compiler.backends.native.routines import (
    CountBody,
    CountingBody,
    DirectBody,
    HostedBody,
    OptionGeneratorBody,
    OptionRegeneratorBody,
    ResumeBody,
    TrialBody,
    WhyBody,
)
from rulelang.compiler.backends.native.shared import (
    CHANGED,
    NativeUnit,
    constant_array,
    narrowest_type,
    trying_functions,
    write_trial,
)
from rulelang.compiler.backends.native.stmts import Body
from rulelang.compiler.backends.unit import BraceWriter
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.frame_validation import FrameDescriptor

# ---- constants and tables

_INTERNAL = ("POINT", "FUNCTION", "CROWDED", "BROKEN")
_CELLS = (
    "round", "steps", "frame", "site", "decider", "over", "decisions", "forced",
    "rng_x", "rng_c", "policy_x", "policy_c", "curtain",
)  # fmt: skip


def program_header(unit: NativeUnit) -> list[str]:
    """The lines."""
    known = ",\n".join(f"    {name} = {value}" for name, value in program_constants(unit).items())
    found = [CONSTANTS, "enum {", *known.split("\n"), "};"]
    kept = " ".join(f"i64 {name}[{size}];" for name, size in unit.kept.items()) or "i64 none;"
    return [*found, constant_table("SIZES", [standing[0] for standing in unit.standings]), f"struct kept {{ {kept} }};"]


def program_constants(unit: NativeUnit) -> dict[str, int]:
    """By name. Those of `AT_...` are addresses of words, or of columns."""
    module, layout = unit.module, unit.module.layout
    parts = len(ranking_functions(unit))
    return {
        **{shared.error_constant(kind): kind for kind in range(shared.FAIL, shared.UNSOUND + 1)},
        **{f"INTERNAL_{name}": getattr(shared, name) for name in _INTERNAL},
        **{name: getattr(shared, name) for name in ("ENDED", "PAUSED", "FAILED")},
        "STEP_LIMIT": module.limits["steps"], "SIZE": max(layout.size, 1), "STACK": layout.stack,
        **{f"AT_{name.upper()}": getattr(unit.cells, name) for name in _CELLS},
        "MAIN": unit.numbers.get(module.main, -1), "PLAYERS": layout.players, "PARTS": parts,
        "WIDTH": 3 + parts * layout.players,
        "CARDS": len(layout.cards), "AT_WHERE": layout.where, "AT_NEXT": layout.card_next, "AT_PREV": layout.card_prev,
        "OPTION": max((shape.arity for shape in unit.sampling.shapes.values()), default=0) + 2,
        "VALUES": unit.most_values, "TRIED": unit.most_tried,
    }  # fmt: skip


def ranking_functions(unit: NativeUnit) -> list[str]:
    """The functions that rank players at the end: the score, then tiebreaks."""
    module = unit.module
    return [name for name in (module.score, *module.tiebreak) if name in module.functions]


def constant_table(name: str, values: Sequence[int]) -> str:
    """A table of constants."""
    return f"static const {narrowest_type(values)} {name}[] = {{{constant_array(values)}}};"


# ---- exports


def export_lines(unit: NativeUnit) -> list[str]:
    """Their lines."""
    out = BraceWriter()
    module, functions = unit.module, unit.module.functions
    _write_dispatch(unit, out, "pure", lambda f: f.kind == "pure", "p_", "const i32 *S")
    _write_dispatch(unit, out, "why", lambda f: f.kind == "why", "w_", "const i32 *S")
    _write_dispatch(
        unit, out, "plain", lambda f: f.name in unit.direct and f.name not in unit.only_tried, "d_", "i32 *S"
    )
    _write_dispatch(unit, out, "heard", lambda f: f.name in unit.heard, "r_", "i32 *S")
    with out.inside(_function_head("start", "i32 *S", "i64 number", "i64 base", "i64 *a")):
        out("(void)base; (void)a;")
        with out.inside("switch (number)"):
            for name in unit.frames:
                if not functions[name].lists:
                    with out.inside(f"case {unit.numbers[name]}:"):
                        out(f"i64 status = {unit.call(name, 'r_', 'base', '0', *_argument_reads(unit, name))};")
                        out("if (status == PAUSED) S[base + 1] = 0;")
                        out("return status;")
            heard = "".join(f"case {unit.numbers[name]}: " for name in functions if name in unit.heard)
            if heard:
                out(f"{heard}heard(C, S, number, a); break;")
            out("default: plain(C, S, number, a);")
        out("return C->error ? FAILED : ENDED;")
    with _cases_by_number(out, "step", ("i32 *S", "i64 frame", "i64 pc"), "pc"):
        for name, frame in unit.frames.items():
            cases = " ".join(f"case {p.pc}:" for p in frame.points.values())
            function = functions[name]
            zeros = [zero for p in function.params for zero in (("0", "0") if p in function.lists else ("0",))]
            out(f"{cases} return {unit.call(name, 'r_', 'frame', 'pc', *zeros, *unit.outermost(name))};")
    with _cases_by_number(out, "again", ("const i32 *S", "i64 frame", "i64 pc"), "pc"):
        for decision in unit.decisions.values():
            name = decision.relister.name
            out(f"case {decision.pc}: return {unit.call(name, 'a_', 'frame', *unit.outermost(name))};")
    with out.inside(_function_head("sampled", "i32 *S", result="void")):
        prefix = "s_" if module.main in unit.drawn else "d_"
        out(f"{unit.call(module.main, prefix)};" if module.main in functions else "(void)C; (void)S;")
    with out.inside(_function_head("rank_part", "const i32 *S", "i64 part", "i64 seat")):
        out("(void)S; (void)seat;")
        out(CHANGED)
        with out.inside("switch (part)"):
            for part, name in enumerate(ranking_functions(unit)):
                out(f"case {part}: return {unit.call(name, 'p_', 'seat', *unit.outermost(name))};")
            out("default: return 0;")
    with out.inside(_function_head("hold", "const i32 *S", result="void")):
        out("(void)S;")
        out(CHANGED)
        for number, (_, name, _) in enumerate(module.invariants):
            test = f"!{unit.call(name, 'p_', *unit.outermost(name))}"
            out(f"if ({test}) {{ err(C, {shared.error_constant(shared.UNTRUE)}, {number}); return; }}")
    return out.lines


def _function_head(name: str, *params: str, result: str = "i64") -> str:
    return f"static {result} {name}({', '.join(('context *C', *params))})"


def _argument_reads(unit: NativeUnit, name: str) -> tuple[str, ...]:
    return (*(f"a[{i}]" for i in range(len(unit.module.functions[name].params))), *unit.outermost(name))


def _write_dispatch(
    unit: NativeUnit, out: BraceWriter, name: str, wanted: Callable[[ir.Function], bool], prefix: str, state: str
) -> None:
    with _cases_by_number(out, name, (state, "i64 number", "i64 *a"), "number", "FUNCTION", "0"):
        for function in unit.module.functions.values():
            if wanted(function) and not function.lists and function.results == 1:
                text = unit.call(function.name, prefix, *_argument_reads(unit, function.name))
                out(f"case {unit.numbers[function.name]}: return {text};")


@contextmanager
def _cases_by_number(
    out: BraceWriter, name: str, params: tuple[str, ...], number: str, error: str = "POINT", failed: str = "FAILED"
) -> Iterator[None]:
    """A function whose cases, of a number, are written meanwhile; any other number is an error."""
    with out.inside(_function_head(name, *params)):
        out(" ".join(f"(void){param.split()[-1].lstrip('*')};" for param in params))
        with out.inside(f"switch ({number})"):
            yield
            out("default: break;")
        out(f"err(C, ERROR_INTERNAL, INTERNAL_{error});")
        out(f"return {failed};")


# ---- modules

#: Of so many cards at most that look like one it is asked where each of them lies.
MOST_EQUIVALENT = 7
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
    standings: tuple[FrameDescriptor, ...] = ()


@dataclass(frozen=True, slots=True)
class Emitted:
    source: str
    link_info: LinkInfo


def emit(module: ir.Module) -> Emitted:
    """The C text of a program. Marks pausing and recursive functions in the module on the way."""
    unit = NativeUnit(module)
    module, unit.trying = unit.module, trying_functions(unit)
    bodies = BraceWriter()
    heads: list[str] = []
    for function in module.functions.values():
        for body in _bodies_of(unit, function, bodies):
            heads.append(body.head() + ";")
            body.write()
    for name in sorted(unit.trials):
        at = len(bodies.lines)
        write_trial(unit, module.functions[name], bodies)
        heads.append(bodies.lines[at].removesuffix(" {") + ";")
    last = export_lines(unit)
    rules = [TABLES, *_constant_tables(unit), HEADS, *heads, FUNCTIONS, *bodies.lines, REST, *last]
    lines = whole_text({"program.h": program_header(unit), "rules.c": rules})
    return Emitted("\n".join((_TITLE, *lines)) + "\n", _link_info(unit))


def _bodies_of(unit: NativeUnit, function: ir.Function, out: BraceWriter) -> list[Body]:
    name = function.name
    match function.kind:
        case "pure":
            return [CountingBody(unit, function, out)]
        case "why":
            return [WhyBody(unit, function, out)]
        case "lister" if name in unit.halves:
            return [CountBody(unit, function, out)]
        case "enumerator" | "lister":
            return [OptionGeneratorBody(unit, function, out)]
        case "relister":
            return [OptionRegeneratorBody(unit, function, out)]
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


def _constant_tables(unit: NativeUnit) -> list[str]:
    found: list[str] = []
    for name in sorted(unit.used_tables | unit.distinct.keys()):
        values = unit.module.tables[name]
        text = unit.table(name)
        found.append(f"static const {narrowest_type(values)} {text}[] = {{{constant_array(values)}}};")
        if name in unit.distinct:
            looks = unit.looks(name)
            found.append(f"static const {narrowest_type(looks)} D{text}[] = {{{constant_array(looks)}}};")
            found += _equivalence_tables(unit, text, looks, unit.kinds(name))
    for name in sorted(unit.used_rows):
        rows, text = unit.module.rows[name], unit.row(name)
        width = max(max(map(len, rows), default=0), 1)
        flat = [v for row in rows for v in (*row, *([0] * (width - len(row))))]
        found.append(f"static const {narrowest_type(flat)} {text}[] = {{{constant_array(flat)}}};")
        found.append(f"static const i32 {text}_n[] = {{{constant_array([len(r) for r in rows])}}};")
    return found


def _equivalence_tables(unit: NativeUnit, table: str, looks: Sequence[int], kinds: int) -> list[str]:
    """What tells of items that look alike (see `runtime/zones.h`). Where few cards do, it is asked of a card first
    whether another of them lies there at all, which it seldom does: that is quicker than a search, whose end nobody
    foretells."""
    alike: dict[int, list[int]] = {}
    for card, look in enumerate(looks[1:], 1):
        alike.setdefault(look, []).append(card)
    others, where = max(map(len, alike.values()), default=1) - 1, unit.module.layout.where
    distinct = f"DISTINCT(distinct{table}, D{table}, {(kinds + 63) // 64})"
    if not 0 < others <= MOST_EQUIVALENT or len(looks) != len(unit.module.layout.cards):
        return [distinct, f"FIRST(, first{table}, D{table})"]
    flat = [0] * others  # no card lies in zone 0, and no card is card 0
    for card, look in enumerate(looks[1:], 1):
        flat += [*(c for c in alike[look] if c != card), *[0] * (others + 1 - len(alike[look]))]
    test = " | ".join(f"(S[I({where} + O{table}[value * {others} + {k}])] == at)" for k in range(others))
    return [
        distinct,
        f"FIRST(COLD, leads{table}, D{table})",
        f"static const {narrowest_type(flat)} O{table}[] = {{{constant_array(flat)}}};",
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
