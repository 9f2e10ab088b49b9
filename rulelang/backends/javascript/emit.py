"""A module of the IR as one ES module, for one table.

Names: `p_` pure functions, `w_` why functions, `l_` enumerators, `d_` routines that decide for themselves (`s_`:
draw), `t_` those that are tried, `r_` routines that pause or tell a host, `o_` what lists the options of a decision
(`a_`: of a frame that waits); `T_` and `R_` constant tables and rows.
`runtime.mjs` stands before them; what it exports plays a game, and `table` says what a page needs for texts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

from rulelang.backends.braces import Writer
from rulelang.backends.javascript.expr import EXACT
from rulelang.backends.javascript.forms import DirectBody, HostedBody, ListerBody, RelisterBody, ResumeBody, WhyBody
from rulelang.backends.javascript.stmts import Body
from rulelang.backends.javascript.unit import JavaScriptUnit, write_trial
from rulelang.base.layout import ActionInfo
from rulelang.base.source import Span
from rulelang.ir import nodes as ir
from rulelang.texts.phrase import flat
from rulelang.transform.abstract.validate_frames import Standing, standings
from rulelang.transform.suspend.frames import RETURN, RETURN_SIZE

__all__ = ["EXACT", "Emitted", "LinkInfo", "emit"]


@dataclass(frozen=True, slots=True)
class LinkInfo:
    """What linking needs beside the text. `pure`, `routines`: names of functions. `sizes`: of frames, by pc."""

    pure: frozenset[str]
    routines: frozenset[str]
    sizes: tuple[int, ...]
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Emitted:
    source: str
    link_info: LinkInfo


def emit(module: ir.Module) -> Emitted:
    """The text of a program. `module` was made for numbers up to `EXACT`. Marks pausing and recursive functions in it
    on the way."""
    assert module.limits["number"] <= EXACT, "what is calculated has to be exact"
    unit = JavaScriptUnit(module)
    out = Writer()
    for line in files(__package__).joinpath("runtime.mjs").read_text(encoding="ascii").splitlines():
        out(line)
    out("")
    out("// ---- made by rulelang.backends.javascript from a ruleset: do not change by hand")
    for function in unit.module.functions.values():
        out("")
        _function(unit, function, out)
    for name in sorted(unit.trials):
        out("")
        write_trial(unit, unit.module.functions[name], out)
    out("")
    _tables(unit, out)
    info = _facts(unit, out)
    return Emitted("\n".join(out.lines) + "\n", info)


def _function(unit: JavaScriptUnit, function: ir.Function, out: Writer) -> None:
    name = function.name
    match function.kind:
        case "pure":
            Body(unit, function, out).write()
        case "why":
            WhyBody(unit, function, out).write()
        case "enumerator" | "lister":
            ListerBody(unit, function, out).write()
        case "relister":
            RelisterBody(unit, function, out).write()
        case "routine":
            DirectBody(unit, unit.direct[name], out).write()
            if function.pausing:
                ResumeBody(unit, unit.waiting[name], out).write()
            elif name in unit.hosted:
                HostedBody(unit, unit.hearing[name], out).write()
            if name in unit.drawn:
                DirectBody(unit, unit.drawn[name], out, drawn=True).write()


def _tables(unit: JavaScriptUnit, out: Writer) -> None:
    for name in sorted(unit.used_tables):
        out(f"const {unit.table(name)} = {_numbers(unit.module.tables[name])};")
    for name in sorted(unit.used_rows):
        rows = ", ".join(map(_numbers, unit.module.rows[name]))
        out(f"const {unit.row(name)} = [{rows}];")


def _numbers(values: Sequence[int]) -> str:
    """A constant array in the smallest kind that holds all of them."""
    low, high = min(values, default=0), max(values, default=0)
    items = f"[{', '.join(map(str, values))}]"
    if low < -EXACT or high > EXACT:
        raise ValueError(f"a table of these rules has {max(high, -low)}, and JavaScript has no such number")
    if low < -(2**31) or high >= 2**31:
        return items
    kind = "Uint8" if low >= 0 and high < 256 else "Int16" if low >= -32768 and high < 32768 else "Int32"
    return f"{kind}Array.of({items[1:-1]})"


def _facts(unit: JavaScriptUnit, out: Writer) -> LinkInfo:
    """What the runtime looks up, and what a page does."""
    module = unit.module
    functions = module.functions
    points: dict[int, tuple[str, int]] = {}
    for name, frame in unit.frames.items():
        points.update({p.pc: (unit.function(name, "r_"), frame.size) for p in frame.points.values()})
    pcs = [points[pc] for pc in range(RETURN + 1, RETURN + 1 + len(points))]
    sizes = (0, RETURN_SIZE, *(size for _, size in pcs))
    routines = [n for n, f in functions.items() if f.kind == "routine"]
    pure = [n for n, f in functions.items() if f.kind == "pure" and f.results == 1]
    texts = {
        "fails": [(code, unit.span(span), message) for code, span, message in unit.fails],
        "ranges": [(what, low, high, unit.span(span)) for what, low, high, span in unit.ranges],
        "spans": [_place(span) for span in unit.spans],
        "sites": [{"prompt": site.prompt, "span": _place(site.span)} for site in module.sites],
        "phases": module.layout.lists.get("phase", ()),
        "initial": module.initial,
        "cells": asdict(unit.cells),
        "main": module.main,
        "score": module.score,
        "tiebreak": module.tiebreak,
        "invariants": [(name, function, _place(span)) for name, function, span in module.invariants],
        "callable": {routine: function for routine, (function, _) in module.callable.items()},
        "stack": module.layout.stack,
        "size": module.layout.size,
        "sizes": sizes,
        "titles": unit.titles(),
    }
    out(f"facts_ = {_json(texts)};")
    for field, prefix, names in (
        ("pure", "p_", pure),
        ("direct", "d_", routines),
        ("hosted", "r_", [n for n in routines if n in unit.hosted]),
    ):
        pairs = ", ".join(f"{json.dumps(name)}: {unit.function(name, prefix)}" for name in names)
        out(f"facts_.{field} = {{ {pairs} }};")
    why = ", ".join(f"{json.dumps(key)}: {unit.function(name, 'w_')}" for key, name in module.why.items())
    out(f"facts_.why = {{ {why} }};")
    out(f"facts_.points = [null, null, {', '.join(name for name, _ in pcs)}];")
    again = ", ".join(f"{d.pc}: {unit.function(d.relister.name, 'a_')}" for d in unit.decisions.values())
    out(f"facts_.again = {{ {again} }};")
    out(f"facts_.pausing = new Set({_json(sorted(unit.frames))});")
    out(f"facts_.sample = {unit.function(module.main, 's_' if module.main in unit.drawn else 'd_')};")
    out(f"export const table = {_json(_table(module))};")
    return LinkInfo(frozenset(pure), frozenset(routines), sizes, standings(unit.frames, module.sites))


def _table(module: ir.Module) -> dict[str, object]:
    """What a page needs for texts: sites with what can be done there, log templates, reasons, and the names of what
    handles stand for. Where a value lies is in `layout`, as `rulelang.base.layout` tells."""
    layout = module.layout
    return {
        "players": layout.players,
        "teams": module.teams,
        "sites": [
            {"kind": s.kind, "prompt": s.prompt, "actions": [_action(a) for a in s.actions]} for s in module.sites
        ],
        "templates": [{"what": t.what, "name": t.name, "source": t.source, "parts": t.parts} for t in module.templates],
        "reasons": [{"text": flat(r.text), "source": r.source} for r in module.reasons],
        "callable": {routine: types for routine, (_, types) in module.callable.items()},
        "why": list(module.why),
        "cards": [{"sort": c.sort, "row": c.row, "label": c.label, "texts": dict(c.texts)} for c in layout.cards],
        "sorts": dict(layout.sorts),
        "lists": dict(layout.lists),
        "kinds": {name: asdict(kind) for name, kind in layout.kinds.items()},
        "layout": {
            "size": layout.size,
            "cells": asdict(layout.cells),
            "attributes": [asdict(a) for a in layout.attributes],
            "zones": {name: asdict(zone) for name, zone in layout.zones.items()},
            "tables": {name: asdict(each) for name, each in layout.tables.items()},
            "where": layout.where,
            "card_next": layout.card_next,
            "card_face": layout.card_face,
            "zone_owner": layout.zone_owner,
            "zone_names": layout.zone_names,
        },
    }


def _action(action: ActionInfo) -> dict[str, object]:
    return {"id": action.id, "name": action.name, "types": action.types, "params": action.params,
            "source": action.source, "free": action.free}  # fmt: skip


def _place(span: Span) -> tuple[object, ...]:
    return (span.path, span.line, span.column, span.end_line, span.end_column)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)
