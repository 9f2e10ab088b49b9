"""Write to the state: resets, assignments and dice."""

from __future__ import annotations

from rulelang.base.layout import LogTemplate
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    TRUE,
    Lowering,
    Scope,
    add,
    as_bool,
    branch,
    conjunction,
    identifier,
    is_present,
    join_guards,
    lower_condition,
    lower_through,
    lower_value,
    unguarded_value,
)
from rulelang.compiler.lower.routines.log import kept_arguments, number_flows
from rulelang.compiler.lower.state import trait_masks
from rulelang.compiler.lower.state.access import attribute_place, table_place
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import INT, MISSING_INT, Attribute, Table

# ---- resets


def end_scope(scope_name: str, low: Lowering) -> ir.Stmt:
    """What ends a turn, round or phase: flags, resets, silences (after-hooks have run already).

    Whatever touches something that resets also sets the scope's `touched` word, so that most ends cost one test.
    """
    return ir.Branch(ir.Cell(touched_word(scope_name, low)), (ir.CallRoutine(f"end_{identifier(scope_name)}", ()),))


def touched_word(scope_name: str, low: Lowering) -> int:
    """Word: whether anything that resets at the end of this scope (for a phase's name: on entry) has changed."""
    if scope_name not in low.touched:
        low.touched[scope_name] = low.plan.claim(1)
    return low.touched[scope_name]


def mark_touched(scope_name: str | None, low: Lowering) -> list[ir.Stmt]:
    """The statement that goes with a change of something that resets."""
    return [ir.Store(touched_word(scope_name, low), None, TRUE)] if scope_name is not None else []


def finish_scopes(low: Lowering) -> None:
    """Writes the end routines of all scopes, once everything has claimed its words."""
    for name in ("turn", "round", "phase", *(r.name for r in low.program.routines.values() if r.phase)):
        body: list[ir.Stmt] = [ir.Store(touched_word(name, low), None, ir.Const(0))]
        body += [ir.Fill(base, words, value) for base, words, value in low.resets.get(name, [])]
        if name in low.silences:
            body += trait_masks.end_silences(low, name)
        low.function(f"end_{identifier(name)}", "routine", (), body, f"end of {name}", NOWHERE)


def register_resets(low: Lowering) -> None:
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


# ---- assignments


def value_limits(
    attribute: Attribute | Table, what: str, s: tree.Stmt, scope: Scope, given: tree.Expr | None = None
) -> ir.Limits | None:
    """What may be stored: the declared range, and for every number what fits a word of 32 bits. The least such word is
    `none`: only what may be missing (`given`) can be stored as that."""
    number = isinstance(attribute, Table) or attribute.type.tag == "int"
    if attribute.low is None and attribute.high is None and not number:
        return None
    plan = scope.low.plan
    least = MISSING_INT + (given is None or not given.type.maybe)
    low = plan.bound(attribute.low) if attribute.low is not None else least if number else None
    high = plan.bound(attribute.high) if attribute.high is not None else -MISSING_INT - 1 if number else None
    return ir.Limits(low, high, attribute.clamp, what, s.span)


def may_be_missing(target: tree.Expr) -> bool:
    """Whether `none` may be written there."""
    match target:
        case tree.StateRef() | tree.AttributeRef():
            return target.attribute.type.maybe
        case _:
            return False


def lower_assignment(s: tree.Assign, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    is_bool = s.target.type.tag == "bool"
    amount, guards = (as_bool(lower_condition(s.value, scope)), ()) if is_bool else lower_value(s.value, scope)
    if s.op != "=" or not may_be_missing(s.target):
        guards = join_guards(guards, (is_present(s.value, amount, scope),))
    nobody: ir.Expr = TRUE
    match s.target:
        case tree.StateRef():
            base, index, more = low.plan.state[s.target.attribute.name], None, ()
            bounds = value_limits(s.target.attribute, s.target.attribute.name, s, scope, s.value)
        case tree.AttributeRef():
            base, index, more = attribute_place(s.target, scope)  # type: ignore[assignment]
            bounds = value_limits(s.target.attribute, s.target.attribute.name, s, scope, s.value)
            if s.target.kind == "player" and low.plan.features.nobody:
                nobody = ir.Compare("<=", unguarded_value(s.target.object, scope), ir.Const(low.plan.players))
        case tree.TableRef():
            base, index, more = table_place(s.target, scope)  # type: ignore[assignment]
            bounds = value_limits(s.target.table, s.target.table.name, s, scope, s.value)
        case tree.Property():
            index, more = lower_through(s.target.object, scope)  # type: ignore[assignment]
            base, bounds = low.plan.kinds[s.target.kind].place, None
        case _:
            raise AssertionError("no such target")
    if isinstance(index, ir.Const):
        base, index = base + index.value, None
    resets = s.target.table.resets if isinstance(s.target, tree.TableRef) else None
    if isinstance(s.target, tree.StateRef | tree.AttributeRef):
        resets = s.target.attribute.resets
    if s.op != "=" and may_be_missing(s.target):  # nothing is added to what is missing
        now = ir.Cell(base) if index is None else ir.Cell(base, index)
        guards = join_guards(guards, (is_present(s.target, now, scope),))
    store = _store_statement(s.op, base, index, amount, bounds)
    return branch(conjunction(*join_guards(guards, more), nobody), [store, *mark_touched(resets, low)])


def _store_statement(op: str, base: int, index: ir.Expr | None, amount: ir.Expr, bounds: ir.Limits | None) -> ir.Stmt:
    if op == "=":
        return ir.Store(base, index, amount, bounds)
    if op == "-=":
        amount = ir.Const(-amount.value) if isinstance(amount, ir.Const) else ir.Arith("-", ir.Const(0), amount)
    return ir.Add(base, index, amount, bounds)


# ---- dice

#: So many dice are told in one line; more, or a number of them that is worked out in play, one a line before the sum.
DICE_IN_A_LINE = 6


def lower_roll(s: tree.Roll, scope: Scope) -> list[ir.Stmt]:
    """Throws the dice, tells what each shows, and keeps the sum."""
    count, guards = lower_value(s.count, scope)
    total = scope.fresh("total")
    stmts: list[ir.Stmt]
    if isinstance(count, ir.Const) and 0 < count.value <= DICE_IN_A_LINE:
        dice = [scope.fresh("die") for _ in range(count.value)]
        stmts = [throw for die in dice for throw in _throw_die(die, s.sides)]
        stmts += [ir.Set(total, ir.Local(dice[0])), *(ir.Set(total, _add_die(total, die)) for die in dice[1:])]
    else:
        dice = []
        die = scope.fresh("die")
        told = _log_dice(("a die shows ", (0, "int")), (die,), s, scope)
        each = (ir.Tick(s.span), *_throw_die(die, s.sides), ir.Set(total, _add_die(total, die)), told)
        stmts = [ir.Set(total, ir.Const(0)), ir.ForRange(scope.fresh("k"), ir.Const(0), count, each)]
    if len(dice) == 1:
        stmts.append(_log_dice(("the die shows ", (0, "int")), (total,), s, scope))
    else:
        faces = [part for k in range(len(dice)) for part in (" + " if k else "the dice show ", (k, "int"))]
        whole = " = " if faces else "the dice show "
        stmts.append(_log_dice((*faces, whole, (len(dice), "int")), (*dice, total), s, scope))
    if isinstance(s.target, tree.Local):
        scope.names[s.target.name] = ir.Local(total)
    else:
        sum_ = tree.Local(total, INT, total)
        scope.names[total] = ir.Local(total)
        stmts += lower_assignment(tree.Assign(s.span, s.target, "=", tree.LocalRef(INT, s.span, sum_)), scope)
    return branch(conjunction(*guards), stmts) if guards else stmts


def _throw_die(die: str, sides: int) -> tuple[ir.Stmt, ...]:
    """What a die shows, from 1, into a local."""
    return ir.Random(die, ir.Const(sides), die=True), ir.Set(die, add(ir.Local(die), ir.Const(1)))


def _add_die(total: str, die: str) -> ir.Expr:
    return add(ir.Local(total), ir.Local(die))


def _log_dice(parts: tuple[str | tuple[int, str], ...], of: tuple[str, ...], s: tree.Roll, scope: Scope) -> ir.Stmt:
    """Make a line of the log with the numbers in these locals, which only those see who see where they are kept."""
    straight = isinstance(s.target, tree.AttributeRef)
    kept, handles = kept_arguments(number_flows(scope.low).of(s), range(len(of)), len(of), scope, straight=straight)
    template = scope.low.template(LogTemplate("tells", "", "", parts, s.span, kept))
    return ir.Log(template, (*map(ir.Local, of), *handles))
