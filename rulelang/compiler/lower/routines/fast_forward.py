"""How a scenario begins at a phase: what leads there is gone through, and all else on the way is left out.

While the word `seek` is set, only statements that lead to what is sought are entered: it is the number of a phase, or,
inside that phase, what stands for its first turn loop (`Leads.turn`). Whoever enters what is sought clears the word,
and from then on the game is played as ever. Conditions on the way to a phase are not asked, for the position is the
scenario's; on the way from its entry to its turn loop they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, Scope, branch, conjunction, disjunction, equal, negate
from rulelang.compiler.lower.program_graph import NO_TARGETS, Leads, Targets
from rulelang.language.semantics import tree


def leads_of(low: Lowering) -> Leads:
    return low.graph.once(Leads)


def is_on_the_way(event: str, low: Lowering) -> bool:
    """Whether an event lies on the way to a phase or turn loop."""
    return event in leads_of(low).walked


def is_fast_forwarding(low: Lowering) -> ir.Expr:
    return ir.Cell(low.cells.seek)


def is_playing(event: str, low: Lowering) -> ir.Expr:
    """The condition that nothing is sought in this event."""
    return negate(is_fast_forwarding(low)) if is_on_the_way(event, low) else TRUE


def is_target(targets: Targets, low: Lowering) -> ir.Expr:
    """The condition that one of these is sought."""
    return disjunction(*(equal(is_fast_forwarding(low), ir.Const(number)) for number in sorted(targets)))


def is_playing_or_target(targets: Targets, low: Lowering) -> ir.Expr:
    """The condition that nothing is sought, or one of these."""
    return disjunction(negate(is_fast_forwarding(low)), is_target(targets, low))


def is_entering(phase: tree.Routine, low: Lowering) -> ir.Expr:
    """The condition that a phase is not only gone through on the way to another."""
    return is_playing_or_target(frozenset({leads_of(low).turn}), low) if is_on_the_way(phase.id, low) else TRUE


# ---- statements


def leading_statements(body: tree.Block, lowered: Iterator[list[ir.Stmt]], scope: Scope) -> list[ir.Stmt]:
    """The statements of a block that leads somewhere. `lowered`: each of them as IR, made in `scope` when asked for."""
    low = scope.low
    out: list[ir.Stmt] = []
    skipped: list[ir.Stmt] = []
    blank: list[ir.Stmt] = []

    def flush() -> None:
        out.extend(branch(negate(is_fast_forwarding(low)), skipped, blank))
        skipped.clear()
        blank.clear()

    for s, stmts in zip(body, lowered, strict=True):
        targets = targets_of(s, scope)
        if isinstance(s, tree.Let):
            flush()
            out.extend(stmts)
        elif targets:
            flush()
            out.extend(branch(is_playing_or_target(targets, low), stmts))
        else:
            skipped.extend(stmts)
            for local in _locals_made(s):
                name = scope.names.get(local.name)
                if isinstance(name, ir.Local):
                    blank.append(ir.Set(name.name, ir.Const(0)))
    flush()
    return out


def leading_body(declared: tree.Block, lowered: list[ir.Stmt], scope: Scope) -> list[ir.Stmt]:
    """The body of an event: left out if only its hooks lead anywhere."""
    skipped = scope.seeks and not targets_of(declared, scope)
    return branch(negate(is_fast_forwarding(scope.low)), lowered) if skipped else lowered


def targets_of(node: Any, scope: Scope) -> Targets:
    """Where a piece of tree leads; nowhere in what lies on no way."""
    return leads_of(scope.low).of(node, scope.proceeds) if scope.seeks else NO_TARGETS


def _locals_made(s: tree.Stmt) -> Sequence[tree.Local]:
    """Variables that a statement gives to those behind it."""
    local = s.local if isinstance(s, tree.Create) else s.target if isinstance(s, tree.Roll) else None
    return (local,) if isinstance(local, tree.Local) else ()


def leading_test(s: tree.If, test: ir.Expr, scope: Scope) -> ir.Expr:
    """The condition of an `if`: not asked where only one of its sides leads to the phase that is sought."""
    low = scope.low
    loop = {leads_of(low).turn}
    then, otherwise = targets_of(s.then, scope) - loop, targets_of(s.otherwise, scope) - loop
    if not then | otherwise:
        return test
    only_then = is_target(then - otherwise, low)
    return disjunction(only_then, conjunction(negate(is_target(otherwise - then, low)), test))


def at_least_once(times: ir.Expr, body: tree.Block, scope: Scope) -> ir.Expr:
    if not targets_of(body, scope):
        return times
    none = conjunction(is_fast_forwarding(scope.low), ir.Compare("<", times, ir.Const(1)))
    return ir.If(none, ir.Const(1), times)


def break_when_missed(body: tree.Block, scope: Scope) -> list[ir.Stmt]:
    """At the end of a loop's body: what one pass did not find is not in there."""
    return [ir.Branch(is_fast_forwarding(scope.low), (ir.Break(),))] if targets_of(body, scope) else []


# ---- turns and phases


def first_turn(s: tree.Turns, start: ir.Expr, guard: ir.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr, list[ir.Stmt]]:
    """Who begins a turn loop and the condition that there is one; statements that go with it.

    A scenario's `turn` is for the loop that is sought, or for that in which the phase is entered that has none itself.
    """
    low = scope.low
    if not scope.seeks:
        return start, guard, []
    whole, cells = leads_of(low), low.cells
    named = {whole.turn} | {
        r.number for r in low.program.routines.values()
        if r.phase and r.number in whole.of(s.body, scope.proceeds) and not whole.loops(r.id)
    }  # fmt: skip
    mine = conjunction(ir.Cell(cells.seek_turn), is_target(frozenset(named), low))
    found: list[ir.Stmt] = [
        ir.Branch(mine, (ir.Store(cells.seek_turn, None, ir.Const(0)),)),
        *branch(is_target(frozenset({whole.turn}), low), [ir.Store(cells.seek, None, ir.Const(0))]),
    ]
    return ir.If(mine, ir.Cell(cells.seek_turn), start), disjunction(mine, guard), found


def enter_phase(phase: tree.Routine, low: Lowering) -> list[ir.Stmt]:
    """On entry of a phase: it is what was sought, or its first turn loop is."""
    cells, whole = low.cells, leads_of(low)
    if not whole.reached(phase.id):
        return []
    then: list[ir.Stmt] = [ir.Store(cells.seek, None, ir.Const(0)), ir.Store(cells.seek_turn, None, ir.Const(0))]
    if whole.loops(phase.id):
        then = branch(ir.Cell(cells.seek_turn), [ir.Store(cells.seek, None, ir.Const(whole.turn))], then)
    return branch(is_target(frozenset({phase.number}), low), then)


# ---- hooks


def targets_inside(event: str, low: Lowering) -> Targets:
    """Where an event leads that is being done, with all its hooks."""
    return leads_of(low).inside.get(event, NO_TARGETS)


def hooks_lead(hooks: Sequence[tree.Trigger], low: Lowering) -> bool:
    """Whether one of the hooks of an event on the way leads somewhere."""
    return any(is_on_the_way(hook.pattern.event, low) and leads_of(low).hook(hook) for hook in hooks)


def agree_unasked(hook: tree.Trigger, pick: ir.Stmt, agreed: list[ir.Stmt], scope: Scope) -> list[ir.Stmt]:
    """Of a `may` that leads to what is sought nobody is asked."""
    if not (scope.seeks and hooks_lead((hook,), scope.low)):
        return [pick]
    return branch(is_fast_forwarding(scope.low), agreed, [pick])


def replaces_event(hook: tree.Trigger, test: ir.Expr, low: Lowering) -> ir.Expr:
    """Whether an `instead of` takes the place of its event."""
    if not is_on_the_way(hook.pattern.event, low):
        return test
    whole = leads_of(low)
    own = whole.of(hook.body)
    through = conjunction(is_playing_or_target(whole.of(hook.body, whole.inside[hook.pattern.event]), low), test)
    return disjunction(is_target(own - {whole.turn}, low), through)


def is_hook_enabled(hook: tree.Trigger, test: ir.Expr, low: Lowering) -> ir.Expr:
    """Whether a hook that is due runs now: while something is sought, if it leads there."""
    if not is_on_the_way(hook.pattern.event, low):
        return test
    return disjunction(is_target(leads_of(low).hook(hook), low), conjunction(negate(is_fast_forwarding(low)), test))
