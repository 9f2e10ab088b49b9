"""Decisions drawn from a list of all options (see `passes.listing`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.backends.python.picks import decided, draw, forced, pick_now, take_option
from rulelang.backends.python.share import share
from rulelang.program import ir
from rulelang.program.passes.listing import ROOM, listing

if TYPE_CHECKING:
    from rulelang.backends.python.sample import SampledBody


def pick_listed(body: SampledBody, stmt: ir.Pick) -> None:
    """Set the tag and the targets of a decision in which pass is always possible."""
    out = body.out
    body.serial += 1
    found = listing(stmt, body.unit.module.functions, f"l{body.serial}")
    for name, test in found.flags:
        out(f"{body.names[name]} = {body.ex.cond(test)}")
    out("o_ = []")
    body.room = len(stmt.targets)
    given = {arg.name for source in stmt.sources for arg in source.args if isinstance(arg, ir.Local)}
    body.block(share(found.block, given=frozenset(given)))
    with out.inside("if not o_:"):
        take_option(body, stmt, "-1", 0, "")
        forced(body, stmt)
    with out.inside("else:"):
        out("n_ = len(o_)")
        with out.inside(f"if n_ > {ROOM}:"):
            body.fuses = False
            pick_now(body, stmt, body.shapes)
            body.fuses = True
        with out.inside("else:"):
            decided(body, stmt)
            draw(body, "(n_ + 1)")
            with out.inside("if k_ < n_:"):
                out(f"{', '.join(body.names[name] for name in (stmt.tag, *stmt.targets))} = o_[k_]")
            with out.inside("else:"):
                take_option(body, stmt, "-1", 0, "")
