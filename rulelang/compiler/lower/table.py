"""Lower the typed program of a ruleset and one table to an IR module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.labels import ShownValue
from rulelang.base.layout import DeclaredValue, Parameter
from rulelang.base.node import record
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import analysis
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import callees
from rulelang.compiler.lower.constant_invariants import checked_invariants
from rulelang.compiler.lower.context import (
    TRUE,
    Affects,
    CanBeChosen,
    CanHappen,
    Dispatch,
    EnsureEvent,
    EventRun,
    Guards,
    Lowered,
    Lowering,
    OptionsOf,
    Request,
    Scope,
    ValueOf,
    WhyFalse,
    WhyNot,
    add,
    as_bool,
    branch,
    conditional,
    conjunction,
    disjunction,
    equal,
    guarded_value,
    is_present,
    join_guards,
    lower_condition,
    lower_through,
    negate,
    times,
    unguarded_value,
)
from rulelang.compiler.lower.expr import builtins, calls, queries, values
from rulelang.compiler.lower.expr.calls import can_function, do_function, value_function
from rulelang.compiler.lower.program_graph import ProgramGraph, layout_plan, state_too_large
from rulelang.compiler.lower.routines import action_options, assignments, events, legality, performing, statements
from rulelang.compiler.lower.routines.action_options import why_action
from rulelang.compiler.lower.routines.legality import why_function
from rulelang.compiler.lower.state import access, moving, trait_masks
from rulelang.compiler.lower.state.bearers import routine_roles
from rulelang.language.semantics import tree
from rulelang.language.semantics.denial import inward
from rulelang.language.semantics.model import MISSING_INT, Model, Row
from rulelang.language.semantics.state_layout import Config, type_name

# ---- dispatch of expressions

#: Conditions with a way of their own (see `builtins`).
TESTS = (tree.Has, tree.Working, tree.MemberOfSet, tree.Meets, tree.ZoneEmpty, tree.Can, tree.Affects)


def condition_of(e: tree.Expr, scope: Scope) -> ir.Expr:
    """Lower a condition: true if it is true and everything that it reads through is there."""
    if isinstance(e, tree.Logic):
        known = scope.low.dispatch.cond
        parts = (known(e.left, scope), known(e.right, scope))
        return conjunction(*parts) if e.op == "and" else disjunction(*parts)
    if isinstance(e, tree.Not):
        denied = inward(e)
        if not isinstance(denied, tree.Not):
            return condition_of(denied, scope)
        guards, test = _guarded_condition(denied.operand, scope)
        return conjunction(*guards, negate(test))
    if isinstance(e, tree.IfElse):
        return conditional(
            scope.low.dispatch.cond(e.test, scope), condition_of(e.then, scope), condition_of(e.otherwise, scope)
        )
    guards, test = _guarded_condition(e, scope)
    return conjunction(*guards, test)


def _guarded_condition(e: tree.Expr, scope: Scope) -> tuple[Guards, ir.Expr]:
    """Lower a condition that joins no others: when it can be read, and whether it is then true."""
    if isinstance(e, tree.Present):
        return (), guarded_value(e.operand, scope)[1]
    if isinstance(e, tree.Compare):
        return _comparison(e, scope)
    if isinstance(e, TESTS):
        return builtins.lower_predicate(e, scope)
    if isinstance(e, tree.Query) and e.kind in ("any", "no"):
        found = queries.lower_exists(e, scope)
        return (), found if e.kind == "any" else negate(found)
    lowered, guards = value_of(e, scope)
    return guards, lowered


def _comparison(e: tree.Compare, scope: Scope) -> tuple[Guards, ir.Expr]:
    if e.left.type.tag == "order" or e.right.type.tag == "order":
        return calls.compare_orders(e, scope)
    left, left_guards = value_of(e.left, scope)
    right, right_guards = value_of(e.right, scope)
    guards = join_guards(left_guards, right_guards)
    if e.op in ("==", "!="):
        # What is missing equals nothing: only one side needs to be tested, the other is then equal to it.
        sides = [is_present(x, y, scope) for x, y in ((e.left, left), (e.right, right))]
        sure = TRUE if TRUE in sides else sides[0]
        same = conjunction(sure, equal(left, right))
        if _is_none(e.left):
            same = negate(sides[1])
        elif _is_none(e.right):
            same = negate(sides[0])
        return guards, same if e.op == "==" else negate(same)
    sides = [is_present(e.left, left, scope), is_present(e.right, right, scope)]
    return join_guards(guards, tuple(sides)), ir.Compare(e.op, left, right)


def _is_none(e: tree.Expr) -> bool:
    """Whether `none` is written there."""
    return isinstance(e, tree.Const) and (e.type.tag, e.value) in (("ref", 0), ("int", MISSING_INT))


def value_of(e: tree.Expr, scope: Scope) -> Lowered:
    """An expression and its guards."""
    low = scope.low
    match e:
        case tree.Const():
            if e.type.tag == "ref" and e.type.name in low.model.sorts and e.value:
                return ir.Const(card_of_row(e.type.name, e.value, low)), ()
            return ir.Const(e.value), ()
        case tree.LocalRef():
            return scope.names[e.local.name], ()
        case tree.NumberRef():
            return _number_value(e, scope)
        case tree.OptionRef():
            return ir.Const(low.plan.config.options[e.name]), ()
        case tree.BuiltinRef():
            return builtins.BUILTIN_NAMES[e.name](scope), ()
        case tree.StateRef():
            return ir.Cell(low.plan.state[e.attribute.name]), ()
        case tree.AttributeRef():
            return access.attribute_cell(e, scope)
        case tree.ColumnRef():
            return access.constant_column(e, scope)
        case tree.TableRef():
            return access.table_cell(e, scope)
        case tree.Property():
            return access.MEMBERS[e.name](e, scope)
        case tree.SlotRead():
            return access.slot_card(e.zone, scope)
        case tree.ValueCall():
            return calls.value_call(e, scope)
        case tree.BuiltinCall():
            return builtins.BUILTIN_FUNCTIONS[e.name](e, scope)
        case tree.Arith():
            return _arithmetic(e, scope)
        case tree.Negative():
            inner, guards = lower_through(e.operand, scope)
            return ir.Arith("-", ir.Const(0), inner), guards
        case tree.IfElse():
            return _conditional(e, scope)
        case tree.Forms():
            return value_of(e.number, scope)
        case tree.Otherwise():
            inner, guards = value_of(e.value, scope)
            there = conjunction(*guards, is_present(e.value, inner, scope))
            default, more = value_of(e.default, scope)
            if isinstance(there, ir.Const):
                return (inner, ()) if there.value else (default, more)
            return ir.If(there, inner, default), ()
        case tree.Query():
            return queries.lower_query(e, scope)
        case tree.Compare() | tree.Logic() | tree.Not() | tree.Present():
            return as_bool(condition_of(e, scope)), ()
        case tree.Has() | tree.Working() | tree.MemberOfSet() | tree.Meets():
            return as_bool(condition_of(e, scope)), ()
        case tree.ZoneEmpty() | tree.Can() | tree.Affects():
            return as_bool(condition_of(e, scope)), ()
        case tree.OrderOf():
            raise AssertionError("an order has no single value")


def card_of_row(sort: str, row: int, low: Lowering) -> int:
    """The handle of the one card of a row (the checker lets only single cards be named); 0 if it is not in play."""
    return next(iter(low.plan.card_rows[sort, row]), 0)


def _number_value(e: tree.NumberRef, scope: Scope) -> Lowered:
    number = scope.low.plan.number(e.name)
    if isinstance(number, int):
        return ir.Const(number), ()
    assert e.index is not None
    index, there = guarded_value(e.index, scope)
    guards = join_guards((there,))
    table = scope.low.table(e.name, (0, *number))
    inside = conjunction(ir.Compare(">=", index, ir.Const(1)), ir.Compare("<=", index, ir.Const(len(number))))
    if isinstance(index, ir.Const):
        return ir.Const(number[index.value - 1] if 1 <= index.value <= len(number) else 0), guards
    return ir.If(inside, ir.Table(table, index), ir.Const(0)), guards


def _arithmetic(e: tree.Arith, scope: Scope) -> Lowered:
    left, g1 = lower_through(e.left, scope)
    right, g2 = lower_through(e.right, scope)
    if e.op == "+":
        return add(left, right, e.span), join_guards(g1, g2)
    if e.op == "*":
        return times(left, right, e.span), join_guards(g1, g2)
    return ir.Arith("//" if e.op == "/" else e.op, left, right, e.span), join_guards(g1, g2)


def _conditional(e: tree.IfElse, scope: Scope) -> Lowered:
    test = scope.low.dispatch.cond(e.test, scope)
    then, g1 = value_of(e.then, scope)
    other, g2 = value_of(e.otherwise, scope)
    if isinstance(test, ir.Const):
        return (then, g1) if test.value else (other, g2)
    if e.type.tag == "bool":
        return ir.If(test, conjunction(*g1, then), conjunction(*g2, other)), ()
    guards = (ir.If(test, conjunction(*g1), conjunction(*g2)),) if g1 or g2 else ()
    return ir.If(test, then, other), guards


# ---- requested functions


def lower_requested(low: Lowering) -> None:
    """Lowers what waits, and what that asks for, until nothing waits."""
    while low.waiting:
        _lower_request(low.waiting.pop(), low)


def _lower_request(wanted: Request, low: Lowering) -> None:
    match wanted:
        case ValueOf():
            values.lower_value_function(wanted, low)
        case EventRun():
            events.lower_event(wanted, low)
        case CanHappen():
            legality.lower_can(wanted, low)
        case CanBeChosen():
            performing.lower_can_be_chosen(wanted, low)
        case WhyNot():
            action_options.lower_why_not(wanted, low)
        case WhyFalse():
            legality.lower_why_false(wanted, low)
        case EnsureEvent():
            action_options.lower_ensure_event(wanted, low)
        case Affects():
            values.lower_affects(wanted, low)
        case OptionsOf():
            action_options.lower_enumerator(wanted, low)


# ---- tables

#: What the functions are called that answer questions, with a number behind.
QUESTION_PREFIX = "ASK"

DISPATCH = Dispatch(value_of, condition_of, access.slot_read, statements.lower_block, statements.lower_statement)


def lower_table(
    model: Model, program: tree.Program, config: Config, sources: Mapping[str, str] | None = None
) -> tuple[ir.Module, Diagnostics]:
    """The module for one table. `sources`: texts of the files, for reasons that quote the rules."""
    return module_of_table(*lower_table_with_questions(ProgramGraph(model, program), config, sources or {}))


def module_of_table(made: LoweredTable | None, found: Diagnostics) -> tuple[ir.Module, Diagnostics]:
    """Its module; an empty one where none could be made."""
    return (ir.Module(layout=None) if made is None else made.module), found  # type: ignore[arg-type]


def lower_table_with_questions(
    graph: ProgramGraph, config: Config, sources: Mapping[str, str], dispatch: Dispatch = DISPATCH
) -> tuple[LoweredTable | None, Diagnostics]:
    """The same with what it takes to ask questions. None with diagnostics if the state would be too large."""
    low = _start_lowering(graph, config, sources, dispatch)
    found = state_too_large(low.plan)
    return (None if found.failed else LoweredTable(_whole_module(low), low)), found


def _whole_module(low: Lowering) -> ir.Module:
    program = low.program
    assignments.register_resets(low)
    statements.lower_game(low)
    module = ir.Module(layout=None)  # type: ignore[arg-type]
    for action in program.actions.values():
        do_function(action.id, low)
        module.why[action.id] = why_action(action, low)
    for routine in program.routines.values():
        if not routine_roles(routine.id, low):
            module.callable[routine.id] = (
                _scenario_routine(routine, low),
                tuple(type_name(p.type) for p in routine.params),
            )
            module.why[routine.id] = why_function(routine.id, low)
    module.score = value_function(low, "score") if "score" in program.values else _zero_function(low)
    if "tiebreak" in program.values:
        width = calls.order_width(low, "tiebreak")
        module.tiebreak = tuple(value_function(low, "tiebreak", k) for k in range(width))
    known = checked_invariants(low.model, program)
    for invariant in program.invariants.values():
        if invariant.id in known:
            continue
        module.invariants.append((invariant.name, values.invariant_function(invariant, low), invariant.span))
        module.why[f"invariant {invariant.name}"] = values.why_invariant(invariant, low)
    _scenario_harness(low)
    _lower_shown(low)
    lower_requested(low)
    _touch_routine(low)
    assignments.finish_scopes(low)
    lower_requested(low)
    legality.lower_more_reasons(module, low)
    performing.shorten_trials(low)
    return _finish_module(low, module)


def _start_lowering(
    graph: ProgramGraph, config: Config, sources: Mapping[str, str], dispatch: Dispatch = DISPATCH
) -> Lowering:
    plan = layout_plan(graph.model, graph.program, config, graph.features)
    low = Lowering(graph, plan, sources, dispatch)
    if plan.card_face:
        for handle, card in enumerate(plan.cards):
            if len(card.faces) == 1:
                plan.initial[plan.card_face + handle] = card.faces[0]
    return low


def _finish_module(low: Lowering, module: ir.Module) -> ir.Module:
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
    module.layout = replace(module.layout, points=analysis.score_addresses(module))
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


def _zero_function(low: Lowering) -> str:
    return low.function("score", "pure", ("p",), (ir.Return(ir.Const(0)),), "score", NOWHERE)


def _scenario_routine(routine: tree.Routine, low: Lowering) -> str:
    """A routine as scenarios call it: it happens if it can."""
    name = f"call_{routine.id}".replace(".", "__")
    params = tuple(f"a{k}" for k in range(len(routine.params)))
    args = tuple(ir.Local(p) for p in params)
    test = can_function(routine.id, low)
    call = ir.CallRoutine(do_function(routine.id, low), args)
    body = branch(ir.Call(test, args), [call]) if test is not None else [call]
    return low.function(name, "routine", params, body, routine.id, routine.span)


def _scenario_harness(low: Lowering) -> None:
    """Routines that scenarios set a table up with: `h_create_KIND(owner)`, `h_lay(card, zone id, face, partner)`.

    Face 0 is what is printed (of a card with one face), partner 0 none.
    """
    for kind in low.model.made:
        call = ir.CallRoutine(moving.create_function(kind, low), (ir.Local("owner"), ir.Const(0)), "made")
        body = (call, ir.Return(ir.Local("made")))
        low.function(f"h_create_{kind}", "routine", ("owner",), body, f"create {kind}", NOWHERE)
    card, zone_id, face, partner = ir.Local("card"), ir.Local("zone"), ir.Local("face"), ir.Local("partner")
    shown = ir.If(face, face, moving.only_face(card, low)) if low.plan.card_face else None
    body_lay: list[ir.Stmt] = []
    for zone in low.plan.zones.values():
        last = zone.first_id + (zone.owners if zone.of else 0)
        first = zone.first_id + (1 if zone.of else 0)
        inside = conjunction(ir.Compare(">=", zone_id, ir.Const(first)), ir.Compare("<=", zone_id, ir.Const(last)))
        who = add(zone_id, ir.Const(-zone.first_id)) if zone.of else None
        body_lay += branch(inside, moving.move_card(card, zone, who, low, bottom=False, face=shown))
    if low.plan.card_partner:
        joined = (
            ir.Store(low.plan.card_partner, card, partner),
            ir.CallRoutine(trait_masks.join_function(low), (card, partner)),
        )
        body_lay.append(ir.Branch(partner, joined))
    low.function("h_lay", "routine", ("card", "zone", "face", "partner"), body_lay, "lay a card", NOWHERE)


def _lower_shown(low: Lowering) -> None:
    """What `look:` shows: a pure function `shown_KIND_NAME(this)` each."""
    found: dict[str, list[ShownValue]] = {}
    for shown in low.program.shown:
        name = f"shown_{shown.kind or 'game'}_{shown.name}"
        _question_function(low, name, shown.expr, (shown.this,) if shown.this is not None else ())
        missing = MISSING_INT if shown.expr.type.tag == "int" and shown.expr.type.maybe else 0
        found.setdefault(shown.kind, []).append(ShownValue(shown.name, name, type_name(shown.expr.type), missing))
    low.plan.labels = replace(low.plan.labels, shown={kind: tuple(values) for kind, values in found.items()})


def _question_function(low: Lowering, name: str, expr: tree.Expr, names: Sequence[tree.Local]) -> None:
    """A pure function that answers an expression of its variables, in order."""
    scope = Scope(low, name)
    params = []
    for local in names:
        low.local_kinds[local.name] = local.type.name
        params.append(scope.bind(local, present=False))
    answer = lower_condition(expr, scope) if expr.type.tag == "bool" else unguarded_value(expr, scope)
    low.function(name, "pure", params, (ir.Return(answer),), "question", expr.span)


def _touch_routine(low: Lowering) -> None:
    """`h_touch()`: after a position was laid by hand, all that resets counts as changed."""
    body = [ir.Store(base, None, ir.Const(1)) for base in low.touched.values()]
    low.function("h_touch", "routine", (), body, "touch", NOWHERE)


@dataclass(slots=True)
class LoweredTable:
    """A lowered table. `asked`: so many questions were asked of it."""

    module: ir.Module
    low: Lowering
    asked: int = 0

    def ask(self, questions: Sequence[tuple[tree.Expr, Sequence[tree.Local]]]) -> tuple[ir.Module, list[str]]:
        """A module with pure functions, each of which answers one expression of its variables, in order; their names.

        The layout is that of the table. Words that only questions claim come behind it, as `initial` tells; they are 0.
        """
        low = self.low
        names = [f"{QUESTION_PREFIX}{self.asked + k}" for k in range(len(questions))]
        self.asked += len(names)
        for name, (expr, variables) in zip(names, questions, strict=True):
            _question_function(low, name, expr, variables)
        return self._answering(names), names

    def values(self) -> tuple[ir.Module, dict[str, DeclaredValue]]:
        """The same for the values of the ruleset, by name: all but those of traits and rows, which need a bearer."""
        low = self.low
        found: dict[str, DeclaredValue] = {}
        for name, value in low.program.values.items():
            if value.origin.what == "core":
                order = value.type.tag == "order"
                parts = range(calls.order_width(low, name)) if order else (None,)
                functions = tuple([value_function(low, name, part) for part in parts])
                params = tuple([Parameter(p.text, type_name(p.type), p.type.maybe) for p in value.params])
                missing = MISSING_INT if value.type.tag == "int" and value.type.maybe else 0
                found[name] = DeclaredValue(functions, params, type_name(value.type), missing)
        return self._answering([name for value in found.values() for name in value.functions]), found

    def _answering(self, names: Sequence[str]) -> ir.Module:
        """A module with these pure functions, and those that they call."""
        low = self.low
        lower_requested(low)
        performing.shorten_trials(low)
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
class InvariantModule:
    """A module that plays no game and answers invariants, with all that they do not hold for: by the number of each
    reason what it is `said` of. `rows`: the row of each card."""

    module: ir.Module
    said: values.Comparisons
    rows: Sequence[Row | None]


def lower_invariants(
    graph: ProgramGraph, config: Config, names: Sequence[str], sources: Mapping[str, str]
) -> InvariantModule | None:
    """Invariants (by id) that read only what is printed, at one table. None if its state would be too large.

    It hangs on what is declared in data, on the program's values, invariants and modifications, and on `features`.
    """
    low = _start_lowering(graph, config, sources)
    if state_too_large(low.plan).failed:
        return None
    said: values.Comparisons = {}
    module = ir.Module(layout=None)  # type: ignore[arg-type]
    for invariant in (graph.program.invariants[name] for name in names):
        module.invariants.append((invariant.name, values.invariant_function(invariant, low), invariant.span))
        module.why[f"invariant {invariant.name}"] = values.why_invariant(invariant, low, said)
    lower_requested(low)
    low.function("main", "routine", (), (), "invariants", NOWHERE)
    rows: list[Row | None] = [None] * len(low.plan.cards)
    written = {(sort.name, row.written): row for sort in graph.model.sorts.values() for row in sort.rows}
    for key, cards in low.plan.card_rows.items():
        for card in cards:
            rows[card] = written[key]
    return InvariantModule(_finish_module(low, module), said, rows)


__all__ = [
    "DISPATCH",
    "QUESTION_PREFIX",
    "Config",
    "InvariantModule",
    "LoweredTable",
    "lower_invariants",
    "lower_table",
    "lower_table_with_questions",
    "module_of_table",
]
