"""One table as it can be known without its code: where everything lies, and what options are called."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import Layout
from rulelang.base.node import record
from rulelang.compiler.lower.program_graph import ProgramGraph
from rulelang.language.semantics import state_layout, tree
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.state_layout import Config, Features, Plan


@record
class Blueprint:
    """`initial` are the words of a fresh table, without those that only code needs. `effects`: what hooks are called
    where somebody chooses among them, by id and by name."""

    layout: Layout
    initial: list[int]
    effects: frozenset[str]


def blueprint(graph: ProgramGraph, config: Config) -> tuple[Blueprint | None, Diagnostics]:
    """The blueprint of one table, or N332 if it is too large. Call it only for a program without mistakes."""
    program = graph.program
    plan = plan_of(graph.model, program, config, graph.features)
    found = too_large(plan)
    if found.failed:
        return None, found
    effects: set[str] = set()
    for hook in program.triggers:
        event = hook.pattern.event
        name = source_of(hook.origin, graph.model, plan) or event
        effects |= {name, f"{name}.{event}"}
    return Blueprint(*plan.finish(), frozenset(effects)), found


def plan_of(model: Model, program: tree.Program, config: Config, features: Features) -> Plan:
    """What lies where, before code claims any words."""
    numbered = sorted((r.number, r.name) for r in program.routines.values() if r.phase)
    return Plan(model, config, features, [name for _, name in numbered])


def too_large(plan: Plan) -> Diagnostics:
    """N332 for a table whose state is larger than may be."""
    found = Diagnostics()
    table = plan.too_large
    if table is not None:
        text = f"the state of a game for {plan.players} players would have {plan.size:,} integers"
        because = f"at most {state_layout.LARGEST:,} are possible, and most of these belong to `{table.name}`"
        found.error(
            "N332", table.span, text, because=because, hint="use fewer kinds in the table, or lower their numbers"
        )
    return found


def source_of(origin: tree.Origin, model: Model, plan: Plan) -> str:
    """How logs, reasons and options name whose rule it is: the trait, or the row; "" for core rules."""
    if origin.what == "core":
        return ""
    if origin.what == "trait":
        return origin.name
    if origin.what == "card":
        card = next(iter(plan.card_rows[origin.name, origin.row]), None)
        if card is not None:
            return plan.cards[card].label
    rows = model.sorts[origin.name].rows if origin.what == "card" else model.lists[origin.name].rows
    return rows[origin.row - 1].name or f"{origin.name} {origin.row}"
