"""What resets at the end of a turn, round or phase, or on entry of a phase: flags, values, silences."""

from __future__ import annotations

from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, safe
from rulelang.compiler.lower.state import masks


def scope_end(scope_name: str, low: Lowering) -> ir.Stmt:
    """What ends a turn, round or phase: flags, resets, silences (after-hooks have run already).

    Whatever touches something that resets also sets the scope's `touched` word, so that most ends cost one test.
    """
    return ir.Branch(ir.Cell(touched(scope_name, low)), (ir.CallRoutine(f"end_{safe(scope_name)}", ()),))


def touched(scope_name: str, low: Lowering) -> int:
    """Word: whether anything that resets at the end of this scope (for a phase's name: on entry) has changed."""
    if scope_name not in low.touched:
        low.touched[scope_name] = low.plan.claim(1)
    return low.touched[scope_name]


def touch(scope_name: str | None, low: Lowering) -> list[ir.Stmt]:
    """The statement that goes with a change of something that resets."""
    return [ir.Store(touched(scope_name, low), None, TRUE)] if scope_name is not None else []


def finish_scopes(low: Lowering) -> None:
    """Writes the end routines of all scopes, once everything has claimed its words."""
    for name in ("turn", "round", "phase", *(r.name for r in low.program.routines.values() if r.phase)):
        body: list[ir.Stmt] = [ir.Store(touched(name, low), None, ir.Const(0))]
        body += [ir.Fill(base, words, value) for base, words, value in low.resets.get(name, [])]
        if name in low.silences:
            body += masks.silences_end(low, name)
        low.function(f"end_{safe(name)}", "routine", (), body, f"end of {name}", NOWHERE)


def declared_resets(low: Lowering) -> None:
    """Registers every attribute, state value and table that resets."""
    plan, model = low.plan, low.model

    def note(scope_name: str | None, base: int, words: int, start: int) -> None:
        if scope_name is not None:
            low.resets.setdefault(scope_name, []).append((base, words, start))

    for attribute in model.state.values():
        note(attribute.resets, plan.state[attribute.name], 1, plan.start_of(attribute))
    owners = [("player", model.player_attributes), *((m.name, m.attributes) for m in model.made.values())]
    owners += [(x.name, x.attributes) for x in model.lists.values()]
    owners += [(g.name, g.attributes) for g in model.grids.values()]
    owners += [(s.name, s.attributes) for s in model.sorts.values()]
    for kind, attributes in owners:
        for attribute in attributes.values():
            if attribute.resets is None:
                continue
            width = 1
            for index in attribute.index:
                width *= plan.rows_of(index) + 1
            start = plan.start_of(attribute)
            # The words of handle 0 stay 0.
            note(attribute.resets, plan.columns[kind, attribute.name] + width, plan.rows_of(kind) * width, start)
    for trait in model.traits.values():
        for attribute in trait.state.values():
            laid = plan.trait_state[trait.name, attribute.name]
            note(attribute.resets, laid.base + laid.width, laid.count * laid.width, plan.start_of(attribute))
    for table in model.tables.values():
        laid_table = plan.tables[table.name]
        words = 1
        for d in laid_table.dims:
            words *= d
        note(table.resets, laid_table.base, words, 0)
