"""Decisions by rejection from supersets that are counted by lengths of loops (see `passes.relax`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.backends.python.picks import Counted, count_sources, draw, forced, pick_now, take_option
from rulelang.program import ir
from rulelang.program.passes.sampling import TRIES, accepting, relaxed_pick

if TYPE_CHECKING:
    from rulelang.backends.python.sample import SampledBody


def pick_relaxed(body: SampledBody, stmt: ir.Pick) -> None:
    """Set the tag and the targets of a decision in which pass is always possible."""
    out, relaxed = body.out, body.unit.sampling.relaxed
    counted = count_sources(body, relaxed_pick(stmt, relaxed), body.shapes, False)
    out(f"u_ = 0; w_ = {' + '.join(c.count for c in counted)} + 1")
    with out.inside("if w_ == 1:"):
        take_option(body, stmt, "-1", 0, "")
        forced(body, stmt)
    with out.inside("while w_ > 1:"):
        draw(body, "w_")
        word, before = "if", ""
        for source, each in zip(stmt.sources, counted, strict=True):
            left = f"(k_ := k_ - {before})" if before else "k_"
            with out.inside(f"{word} {left} < {each.count}:"):
                take_option(body, stmt, str(each.source.tag), each.shape.arity, each.decode)
                tests = accepting(stmt, source, relaxed)
                if tests:
                    with out.inside(f"if {body.ex.cond(ir.Logic('and', tests))}:"):
                        body.decided()
                else:
                    body.decided()
            word, before = "elif", each.count
        end_of_try(body, stmt, _anything(body, stmt, counted))


def end_of_try(body: SampledBody, stmt: ir.Pick, anything: str) -> None:
    """What follows the sources of one draw: pass, which was a decision if there is `anything` else; or another try,
    until all options are counted after all."""
    out, cells = body.out, body.cells
    with out.inside("else:"):
        take_option(body, stmt, "-1", 0, "")
        out(f"if {anything}: S[{cells.decisions}] += 1; S[{cells.steps}] = 0")
        with out.inside("else:"):
            forced(body, stmt)
        out("break")
    out("u_ += 1")
    with out.inside(f"if u_ > {TRIES}:"):
        body.fuses = False
        pick_now(body, stmt, body.shapes)
        body.fuses = True
        out("break")


def _anything(body: SampledBody, stmt: ir.Pick, counted: list[Counted]) -> str:
    """Whether there is any option but pass; what is known already is asked first."""
    cheap: list[str] = []
    dear: list[str] = []
    for source, each in zip(stmt.sources, counted, strict=True):
        if source.enumerator in body.unit.sampling.relaxed:
            dear.append(f"{each.count} and {body.any_call(source)}")
        else:
            cheap.append(each.count)
    return " or ".join([*cheap, *dear])
