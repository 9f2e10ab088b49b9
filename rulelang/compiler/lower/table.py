"""The typed program of a ruleset and one table -> the IR module.

`lower` is the module; `whole` can be asked questions besides, which scenarios have: those go into modules of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.labels import ShownValue
from rulelang.base.layout import DeclaredValue, Parameter
from rulelang.base.node import record
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import callees
from rulelang.compiler.lower import dispatch, points, worklist
from rulelang.compiler.lower.blueprint import plan_of, too_large
from rulelang.compiler.lower.context import Dispatch, Lowering, Scope, add, both, when
from rulelang.compiler.lower.expr import orders
from rulelang.compiler.lower.expr.calls import can_function, do_function, value_function
from rulelang.compiler.lower.expr.expressions import cond, plain
from rulelang.compiler.lower.expr.roles import routine_roles
from rulelang.compiler.lower.printed import settled
from rulelang.compiler.lower.program_graph import ProgramGraph
from rulelang.compiler.lower.routines import details, invariants, resets, statements, trials, turns
from rulelang.compiler.lower.routines.legality import why_function
from rulelang.compiler.lower.routines.refusals import why_action
from rulelang.compiler.lower.state import joining, moving, things, zones
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT, Model, Row
from rulelang.language.semantics.state_layout import Config, type_name

#: What the functions are called that answer questions, with a number behind.
ASKED = "ASK"

DISPATCH = Dispatch(dispatch.value, dispatch.cond, zones.slot_read, statements.block, statements.statement)


def lower(
    model: Model, program: tree.Program, config: Config, sources: Mapping[str, str] | None = None
) -> tuple[ir.Module, Diagnostics]:
    """The module for one table. `sources`: texts of the files, for reasons that quote the rules."""
    return module_of(*whole(ProgramGraph(model, program), config, sources or {}))


def module_of(made: Whole | None, found: Diagnostics) -> tuple[ir.Module, Diagnostics]:
    """Its module; an empty one where none could be made."""
    return (ir.Module(layout=None) if made is None else made.module), found  # type: ignore[arg-type]


def whole(
    graph: ProgramGraph, config: Config, sources: Mapping[str, str], dispatch: Dispatch = DISPATCH
) -> tuple[Whole | None, Diagnostics]:
    """The same with what it takes to ask questions. None with diagnostics if the state would be too large."""
    low = _start(graph, config, sources, dispatch)
    found = too_large(low.plan)
    return (None if found.failed else Whole(_whole(low), low)), found


def _whole(low: Lowering) -> ir.Module:
    program = low.program
    resets.declared_resets(low)
    turns.game(low)
    module = ir.Module(layout=None)  # type: ignore[arg-type]
    for action in program.actions.values():
        do_function(action.id, low)
        module.why[action.id] = why_action(action, low)
    for routine in program.routines.values():
        if not routine_roles(routine.id, low):
            module.callable[routine.id] = (_callable(routine, low), tuple(type_name(p.type) for p in routine.params))
            module.why[routine.id] = why_function(routine.id, low)
    module.score = value_function(low, "score") if "score" in program.values else _zero(low)
    if "tiebreak" in program.values:
        width = orders.order_width(low, "tiebreak")
        module.tiebreak = tuple(value_function(low, "tiebreak", k) for k in range(width))
    known = settled(low.model, program)
    for invariant in program.invariants.values():
        if invariant.id in known:
            continue
        module.invariants.append((invariant.name, invariants.holds(invariant, low), invariant.span))
        module.why[f"invariant {invariant.name}"] = invariants.why(invariant, low)
    _harness(low)
    _shown(low)
    worklist.drain(low)
    _touch_all(low)
    resets.finish_scopes(low)
    worklist.drain(low)
    details.more_reasons(module, low)
    trials.shorten(low)
    return _finish(low, module)


def _start(graph: ProgramGraph, config: Config, sources: Mapping[str, str], dispatch: Dispatch = DISPATCH) -> Lowering:
    plan = plan_of(graph.model, graph.program, config, graph.features)
    low = Lowering(graph, plan, sources, dispatch)
    if plan.card_face:
        for handle, card in enumerate(plan.cards):
            if len(card.faces) == 1:
                plan.initial[plan.card_face + handle] = card.faces[0]
    return low


def _finish(low: Lowering, module: ir.Module) -> ir.Module:
    module.layout, module.initial = low.plan.finish()
    # Whatever is asked later is none of the game's.
    module.functions = dict(low.functions)
    module.tables = dict(low.tables)
    module.rows = dict(low.rows)
    module.sites = list(low.sites)
    module.templates = list(low.templates)
    module.reasons = list(low.reasons)
    module.why |= {name: name for site in low.sites for name in (site.asks, site.refuses) if name}
    module.teams = _teams(low)
    module.layout = replace(module.layout, points=points.counted(module))
    return module


def _teams(low: Lowering) -> tuple[tuple[int, ...], ...]:
    """Seats that win together at this table."""
    teams, n = low.model.teams, low.plan.players
    if teams is None or n not in teams.players or low.plan.config.options.get(teams.option) != teams.value:
        return ()
    count = n // teams.size
    if teams.opposite:
        return tuple(tuple(range(k + 1, n + 1, count)) for k in range(count))
    return tuple(tuple(range(k * teams.size + 1, (k + 1) * teams.size + 1)) for k in range(count))


def _zero(low: Lowering) -> str:
    return low.function("score", "pure", ("p",), (ir.Return(ir.Const(0)),), "score", NOWHERE)


def _callable(routine: tree.Routine, low: Lowering) -> str:
    """A routine as scenarios call it: it happens if it can."""
    name = f"call_{routine.id}".replace(".", "__")
    params = tuple(f"a{k}" for k in range(len(routine.params)))
    args = tuple(ir.Local(p) for p in params)
    test = can_function(routine.id, low)
    call = ir.CallRoutine(do_function(routine.id, low), args)
    body = when(ir.Call(test, args), [call]) if test is not None else [call]
    return low.function(name, "routine", params, body, routine.id, routine.span)


def _harness(low: Lowering) -> None:
    """Routines that scenarios set a table up with: `h_create_KIND(owner)`, `h_lay(card, zone id, face, partner)`.

    Face 0 is what is printed (of a card with one face), partner 0 none.
    """
    for kind in low.model.made:
        call = ir.CallRoutine(things.create(kind, low), (ir.Local("owner"), ir.Const(0)), "made")
        body = (call, ir.Return(ir.Local("made")))
        low.function(f"h_create_{kind}", "routine", ("owner",), body, f"create {kind}", NOWHERE)
    card, zone_id, face, partner = ir.Local("card"), ir.Local("zone"), ir.Local("face"), ir.Local("partner")
    shown = ir.If(face, face, moving.printed_face(card, low)) if low.plan.card_face else None
    body_lay: list[ir.Stmt] = []
    for zone in low.plan.zones.values():
        last = zone.first_id + (zone.owners if zone.of else 0)
        first = zone.first_id + (1 if zone.of else 0)
        inside = both(ir.Compare(">=", zone_id, ir.Const(first)), ir.Compare("<=", zone_id, ir.Const(last)))
        who = add(zone_id, ir.Const(-zone.first_id)) if zone.of else None
        body_lay += when(inside, moving.move_card(card, zone, who, low, bottom=False, face=shown))
    if low.plan.card_partner:
        joined = (ir.Store(low.plan.card_partner, card, partner), ir.CallRoutine(joining.join(low), (card, partner)))
        body_lay.append(ir.Branch(partner, joined))
    low.function("h_lay", "routine", ("card", "zone", "face", "partner"), body_lay, "lay a card", NOWHERE)


def _shown(low: Lowering) -> None:
    """What `look:` shows: a pure function `shown_KIND_NAME(this)` each."""
    found: dict[str, list[ShownValue]] = {}
    for shown in low.program.shown:
        name = f"shown_{shown.kind or 'game'}_{shown.name}"
        _question(low, name, shown.expr, (shown.this,) if shown.this is not None else ())
        missing = MISSING_INT if shown.expr.type.tag == "int" and shown.expr.type.maybe else 0
        found.setdefault(shown.kind, []).append(ShownValue(shown.name, name, type_name(shown.expr.type), missing))
    low.plan.labels = replace(low.plan.labels, shown={kind: tuple(values) for kind, values in found.items()})


def _question(low: Lowering, name: str, expr: tree.Expr, names: Sequence[tree.Local]) -> None:
    """A pure function that answers an expression of its variables, in order."""
    scope = Scope(low, name)
    params = []
    for local in names:
        low.local_kinds[local.name] = local.type.name
        params.append(scope.bind(local, present=False))
    answer = cond(expr, scope) if expr.type.tag == "bool" else plain(expr, scope)
    low.function(name, "pure", params, (ir.Return(answer),), "question", expr.span)


def _touch_all(low: Lowering) -> None:
    """`h_touch()`: after a position was laid by hand, all that resets counts as changed."""
    body = [ir.Store(base, None, ir.Const(1)) for base in low.touched.values()]
    low.function("h_touch", "routine", (), body, "touch", NOWHERE)


@dataclass(slots=True)
class Whole:
    """A lowered table. `asked`: so many questions were asked of it."""

    module: ir.Module
    low: Lowering
    asked: int = 0

    def ask(self, questions: Sequence[tuple[tree.Expr, Sequence[tree.Local]]]) -> tuple[ir.Module, list[str]]:
        """A module with pure functions, each of which answers one expression of its variables, in order; their names.

        The layout is that of the table. Words that only questions claim come behind it, as `initial` tells; they are 0.
        """
        low = self.low
        names = [f"{ASKED}{self.asked + k}" for k in range(len(questions))]
        self.asked += len(names)
        for name, (expr, variables) in zip(names, questions, strict=True):
            _question(low, name, expr, variables)
        return self._answering(names), names

    def values(self) -> tuple[ir.Module, dict[str, DeclaredValue]]:
        """The same for the values of the ruleset, by name: all but those of traits and rows, which need a bearer."""
        low = self.low
        found: dict[str, DeclaredValue] = {}
        for name, value in low.program.values.items():
            if value.origin.what == "core":
                order = value.type.tag == "order"
                parts = range(orders.order_width(low, name)) if order else (None,)
                functions = tuple([value_function(low, name, part) for part in parts])
                params = tuple([Parameter(p.text, type_name(p.type), p.type.maybe) for p in value.params])
                missing = MISSING_INT if value.type.tag == "int" and value.type.maybe else 0
                found[name] = DeclaredValue(functions, params, type_name(value.type), missing)
        return self._answering([name for value in found.values() for name in value.functions]), found

    def _answering(self, names: Sequence[str]) -> ir.Module:
        """A module with these pure functions, and those that they call."""
        low = self.low
        worklist.drain(low)
        trials.shorten(low)
        module = ir.Module(layout=self.module.layout)
        module.functions["main"] = ir.Function("main", "routine", (), (), "questions")  # they play no game
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            if name not in module.functions:
                module.functions[name] = low.functions[name]
                waiting.extend(callees(low.functions[name]))
        module.tables, module.rows = low.tables, low.rows
        more = low.plan.size - len(self.module.initial)
        module.initial = [*self.module.initial, *(0 for _ in range(more))]
        return module


@record
class Asked:
    """A module that plays no game and answers invariants, with all that they do not hold for: by the number of each
    reason what it is `said` of. `rows`: the row of each card."""

    module: ir.Module
    said: invariants.Said
    rows: Sequence[Row | None]


def lower_invariants(
    graph: ProgramGraph, config: Config, names: Sequence[str], sources: Mapping[str, str]
) -> Asked | None:
    """Invariants (by id) that read only what is printed, at one table. None if its state would be too large.

    It hangs on what is declared in data, on the program's values, invariants and modifications, and on `features`.
    """
    low = _start(graph, config, sources)
    if too_large(low.plan).failed:
        return None
    said: invariants.Said = {}
    module = ir.Module(layout=None)  # type: ignore[arg-type]
    for invariant in (graph.program.invariants[name] for name in names):
        module.invariants.append((invariant.name, invariants.holds(invariant, low), invariant.span))
        module.why[f"invariant {invariant.name}"] = invariants.why(invariant, low, said)
    worklist.drain(low)
    low.function("main", "routine", (), (), "invariants", NOWHERE)
    rows: list[Row | None] = [None] * len(low.plan.cards)
    written = {(sort.name, row.written): row for sort in graph.model.sorts.values() for row in sort.rows}
    for key, cards in low.plan.card_rows.items():
        for card in cards:
            rows[card] = written[key]
    return Asked(_finish(low, module), said, rows)


__all__ = ["ASKED", "DISPATCH", "Asked", "Config", "Whole", "lower", "lower_invariants", "module_of", "whole"]
