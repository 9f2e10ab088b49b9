"""Decisions drawn from a list of all options (see `passes.listing`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.backends.native.picks import decided, forced, generator, pick_now, store
from rulelang.program import ir
from rulelang.program.passes.listing import ROOM, Listed, listing

if TYPE_CHECKING:
    from rulelang.backends.native.sample import SampledBody


def pick_listed(body: SampledBody, stmt: ir.Pick) -> None:
    """Set the tag and the targets of a decision in which pass is always possible."""
    out, names = body.out, body.names
    body.serial += 1
    body.width = 1 + len(stmt.targets)
    body.options, body.count = names.temporary("o"), names.temporary("n")
    body.arrays[body.options] = ROOM * body.width
    k = names.once("k_")
    found = listing(stmt, body.unit.module.functions, f"l{body.serial}")
    for name, test in found.flags:
        out(f"{names[name]} = {body.ex(test)};")
        body.checked(test)
    out(f"{body.count} = 0;")
    body.block(found.block)
    with out.inside(f"if (RARE({body.count} > {ROOM}))"):
        pick_now(body, stmt, False)
    with out.inside(f"else if ({body.count})"):
        decided(body, stmt)
        out(f"{k} = draw({generator(body, False)}, {body.count} + 1);")
        with out.inside(f"if ({k} < {body.count})"):
            for at, name in enumerate((stmt.tag, *stmt.targets)):
                out(f"{names[name]} = {body.options}[{k} * {body.width} + {at}];")
        with out.inside("else"):
            store(body, stmt, -1, ())
    with out.inside("else"):
        store(body, stmt, -1, ())
        forced(body, stmt)


def list_option(body: SampledBody, stmt: Listed, test: str = "") -> None:
    """Keep an option; `test`: a local with 0 if it is none."""
    values = [str(stmt.tag), *map(body.ex, stmt.values)]
    values += ["0"] * (body.width - len(values))
    kept = " ".join(f"{body.options}[{body.count} * {body.width} + {at}] = {v};" for at, v in enumerate(values))
    body.out(f"if ({body.count} < {ROOM}) {{ {kept} }}")
    body.checked(*stmt.values)
    body.out(f"{body.count} += {test or '1'};")
