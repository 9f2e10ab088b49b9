"""The constants and tables of a program, as the files in `runtime/` know them: what stands for `runtime/program.h`."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.compiler.backends.native import prelude
from rulelang.compiler.backends.native.pieces import CONSTANTS
from rulelang.compiler.backends.native.unit import NativeUnit, narrow, numbers

_INTERNAL = ("POINT", "FUNCTION", "CROWDED", "BROKEN")
_CELLS = (
    "round", "steps", "frame", "site", "decider", "over", "decisions", "forced",
    "rng_x", "rng_c", "policy_x", "policy_c", "curtain",
)  # fmt: skip


def program(unit: NativeUnit) -> list[str]:
    """The lines."""
    known = ",\n".join(f"    {name} = {value}" for name, value in constants(unit).items())
    found = [CONSTANTS, "enum {", *known.split("\n"), "};"]
    kept = " ".join(f"i64 {name}[{size}];" for name, size in unit.kept.items()) or "i64 none;"
    return [*found, table("SIZES", [standing[0] for standing in unit.standings]), f"struct kept {{ {kept} }};"]


def constants(unit: NativeUnit) -> dict[str, int]:
    """By name. Those of `AT_...` are addresses of words, or of columns."""
    module, layout = unit.module, unit.module.layout
    parts = len(ranked(unit))
    return {
        **{prelude.error(kind): kind for kind in range(prelude.FAIL, prelude.UNSOUND + 1)},
        **{f"INTERNAL_{name}": getattr(prelude, name) for name in _INTERNAL},
        **{name: getattr(prelude, name) for name in ("ENDED", "PAUSED", "FAILED")},
        "STEP_LIMIT": module.limits["steps"], "SIZE": max(layout.size, 1), "STACK": layout.stack,
        **{f"AT_{name.upper()}": getattr(unit.cells, name) for name in _CELLS},
        "MAIN": unit.numbers.get(module.main, -1), "PLAYERS": layout.players, "PARTS": parts,
        "WIDTH": 3 + parts * layout.players,
        "CARDS": len(layout.cards), "AT_WHERE": layout.where, "AT_NEXT": layout.card_next, "AT_PREV": layout.card_prev,
        "OPTION": max((shape.arity for shape in unit.sampling.shapes.values()), default=0) + 2,
        "VALUES": unit.most_values, "TRIED": unit.most_tried,
    }  # fmt: skip


def ranked(unit: NativeUnit) -> list[str]:
    """The functions that rank players at the end: the score, then tiebreaks."""
    module = unit.module
    return [name for name in (module.score, *module.tiebreak) if name in module.functions]


def table(name: str, values: Sequence[int]) -> str:
    """A table of constants."""
    return f"static const {narrow(values)} {name}[] = {{{numbers(values)}}};"
