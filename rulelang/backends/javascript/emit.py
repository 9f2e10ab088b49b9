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
from rulelang.backends.scripted import write_function
from rulelang.base.errors import BuildError
from rulelang.base.numbers import range_of
from rulelang.ir import nodes as ir
from rulelang.texts.phrase import flat
from rulelang.transform.abstract.validate_frames import Standing

__all__ = ["EXACT", "Emitted", "LinkInfo", "emit"]

#: What a page is told of an action, and of where things lie.
ACTION = ("id", "name", "types", "params", "source", "free")
LAYOUT = (
    "size", "cells", "attributes", "zones", "tables", "where", "card_next", "card_face", "zone_owner", "zone_names",
)  # fmt: skip
#: By kind of function and form of routine, what writes it.
BODIES = {
    "pure": Body, "why": WhyBody, "enumerator": ListerBody, "lister": ListerBody, "relister": RelisterBody,
    "direct": DirectBody, "waiting": ResumeBody, "hearing": HostedBody,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LinkInfo:
    """What linking needs beside the text. `pure`, `routines`: names of functions."""

    pure: frozenset[str]
    routines: frozenset[str]
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
        write_function(unit, function, out, BODIES)
    for name in sorted(unit.trials):
        out("")
        write_trial(unit, unit.module.functions[name], out)
    out("")
    _tables(unit, out)
    info = _facts(unit, out)
    return Emitted("\n".join(out.lines) + "\n", info)


def _tables(unit: JavaScriptUnit, out: Writer) -> None:
    for name in sorted(unit.used_tables):
        out(f"const {unit.table(name)} = {_numbers(unit.module.tables[name])};")
    for name in sorted(unit.used_rows):
        rows = ", ".join(map(_numbers, unit.module.rows[name]))
        out(f"const {unit.row(name)} = [{rows}];")


def _numbers(values: Sequence[int]) -> str:
    """A constant array in the smallest kind that holds all of them."""
    low, high = range_of(values)
    items = f"[{', '.join(map(str, values))}]"
    if low < -EXACT or high > EXACT:
        raise BuildError(f"JavaScript cannot hold a number of these rules exactly: {max(high, -low)}")
    if low < -(2**31) or high >= 2**31:
        return items
    kind = "Uint8" if low >= 0 and high < 256 else "Int16" if low >= -32768 and high < 32768 else "Int32"
    return f"{kind}Array.of({items[1:-1]})"


def _facts(unit: JavaScriptUnit, out: Writer) -> LinkInfo:
    """What the runtime looks up, and what a page does."""
    module, layout = unit.module, unit.module.layout
    functions = module.functions
    routines = [n for n, f in functions.items() if f.kind == "routine"]
    pure = [n for n, f in functions.items() if f.kind == "pure" and f.results == 1]
    facts = {
        "fails": [(code, unit.span(span), message) for code, span, message in unit.fails],
        "ranges": [(what, low, high, unit.span(span)) for what, low, high, span in unit.ranges],
        "spans": list(unit.spans),
        "sites": [_some(site, "prompt", "span") for site in module.sites],
        "phases": layout.lists.get("phase", ()),
        "callable": {routine: function for routine, (function, _) in module.callable.items()},
        "sizes": [standing[0] for standing in unit.standings],
        "titles": unit.titles(),
        **_some(module, "initial", "main", "score", "tiebreak", "invariants"),
        **_some(layout, "cells", "stack", "size"),
    }
    out(f"facts_ = {_json(facts)};")
    named: dict[str, list[tuple[object, str]]] = {
        "pure": [(n, unit.function(n, "p_")) for n in pure],
        "direct": [(n, unit.function(n, "d_")) for n in routines],
        "hosted": [(n, unit.function(n, "r_")) for n in routines if n in unit.hosted],
        "why": [(n, unit.function(f, "w_")) for n, f in module.why.items()],
        "again": [(d.pc, unit.function(d.relister.name, "a_")) for d in unit.decisions.values()],
    }
    for field, pairs in named.items():
        out(f"facts_.{field} = {{ {', '.join(f'{_json(name)}: {function}' for name, function in pairs)} }};")
    out(f"facts_.points = [null, null, {', '.join(unit.points())}];")
    out(f"facts_.pausing = new Set({_json(sorted(unit.frames))});")
    out(f"facts_.sample = {unit.function(module.main, 's_' if module.main in unit.drawn else 'd_')};")
    out(f"export const table = {_json(_table(module))};")
    return LinkInfo(frozenset(pure), frozenset(routines), unit.standings)


def _table(module: ir.Module) -> dict[str, object]:
    """What a page needs for texts: sites with what can be done there, log templates, reasons, and the names of what
    handles stand for. Where a value lies is in `layout`, as `rulelang.base.layout` tells."""
    layout = module.layout
    return {
        **_some(layout, "players", "sorts", "lists", "kinds"),
        "teams": module.teams,
        "sites": [
            {**_some(s, "kind", "prompt"), "actions": [_some(a, *ACTION) for a in s.actions]} for s in module.sites
        ],
        "templates": [_some(t, "what", "name", "source", "parts", "kept") for t in module.templates],
        "reasons": [{"text": flat(r.text), "source": r.source} for r in module.reasons],
        "callable": {routine: types for routine, (_, types) in module.callable.items()},
        "why": list(module.why),
        "cards": [_some(card, "sort", "row", "label", "texts") for card in layout.cards],
        "layout": _some(layout, *LAYOUT),
    }


def _some(record: object, *names: str) -> dict[str, object]:
    return {name: getattr(record, name) for name in names}


def _json(value: object) -> str:
    return json.dumps(value, default=asdict)
