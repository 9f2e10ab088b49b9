"""Lower statements, rounds, phases, turns and offers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulelang.base.layout import ActionInfo, LogTemplate
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    TRUE,
    Guards,
    Lowering,
    Scope,
    add,
    as_bool,
    branch,
    checked_number,
    conjunction,
    disjunction,
    equal,
    join_guards,
    lower_arguments,
    lower_condition,
    lower_through,
    lower_value,
    missing_value,
    negate,
    unguarded_value,
)
from rulelang.compiler.lower.expr.calls import can_happen, optional_params, role_args, run_event
from rulelang.compiler.lower.expr.iteration import (
    collect_combinations,
    is_still_there,
    is_unfiltered,
    nested_loops,
    unpack_combination,
)
from rulelang.compiler.lower.narration import questions
from rulelang.compiler.lower.narration.questions import lower_text
from rulelang.compiler.lower.routines import fast_forward, hook_order, hooks, legality, log
from rulelang.compiler.lower.routines.action_options import action_info, action_source, ask_steps, choice_enumerator
from rulelang.compiler.lower.routines.assignments import end_scope, lower_assignment, lower_roll, mark_touched
from rulelang.compiler.lower.routines.legality import blame_choice, blame_requirement, ensure_fact
from rulelang.compiler.lower.routines.performing import perform_action
from rulelang.compiler.lower.state import access, moving, trait_masks
from rulelang.compiler.lower.state.access import next_player
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import walk

# ---- flow of the game

# ---- phases


def phase_body(declared: tree.Routine, scope: Scope) -> list[ir.Stmt]:
    """A phase: its resets on entry, its body, its end."""
    low, cells = scope.low, scope.low.cells
    before = scope.fresh("outer")
    inner = scope.inner()
    inner.phase = declared
    body: list[ir.Stmt] = [
        ir.Set(before, ir.Cell(cells.phase)),
        ir.Store(cells.phase, None, ir.Const(declared.number)),
        *branch(fast_forward.is_entering(declared, low), [end_scope(declared.name, low)]),
    ]
    return [
        *body,
        *fast_forward.leading_body(declared.body, low.dispatch.block(declared.body, inner), scope),
        low.stop("phase ends", declared.span),
        end_scope("phase", low),
        ir.Store(cells.phase, None, ir.Local(before)),
    ]


def lower_game(low: Lowering) -> None:
    """`main`: the flow, which a scenario may enter at any phase that it names."""
    scope = Scope(low, "main", seeks=True, game=low.graph.frees)
    flow = low.program.game
    assert flow is not None
    body = low.dispatch.block(flow.body, scope)
    body.append(ir.Store(low.cells.over, None, TRUE))
    low.function("main", "routine", (), body, "game", flow.span)


def lower_rounds(s: tree.Rounds, scope: Scope) -> list[ir.Stmt]:
    """Rounds are counted from 1; `until` is tested after each. A scenario gives the round that it begins in."""
    low, cells = scope.low, scope.low.cells
    inner = scope.inner()
    body = [
        log.FLUSH,
        ir.Branch(ir.Not(ir.Cell(cells.seek)), (ir.Add(cells.round, None, ir.Const(1)),)),
        log.FLUSH,
        *low.dispatch.block(s.body, inner),
        *fast_forward.break_when_missed(s.body, scope),
        low.stop("round ends", s.span),
        end_scope("round", low),
        low.stop("round", s.span),
        ir.Branch(lower_condition(s.until, inner), (ir.Break(),)),
    ]
    return [ir.While(TRUE, tuple(body), budget=True, span=s.span)]


# ---- turns


def holds_offer(s: tree.Stmt) -> bool:
    """Whether a compound statement holds an offer of the turn that it stands in."""
    if isinstance(s, tree.Turns):
        return False
    return isinstance(s, tree.Offer) or any(isinstance(n, tree.Offer) for n in walk(s))


def lower_turns(s: tree.Turns, scope: Scope) -> list[ir.Stmt]:
    """Turn after turn in play order; an offer in which nothing was done is a pass and ends its turn."""
    low, cells = scope.low, scope.low.cells
    n = ir.Const(low.plan.players)
    actor, active, passed = (scope.fresh(stem) for stem in ("was_actor", "was_active", "passed"))
    count, out_of = scope.fresh("quiet"), scope.fresh("out")
    inner = scope.inner()
    inner.forget(low.graph.removed_by(s.body))
    player = inner.bind(s.local)
    me = ir.Local(player)
    inner.passed = passed
    inner.around = ir.Local(active)
    inner.game = False
    inner.actor = me
    start, guards = lower_through(s.start, scope)
    start = hooks.turn_seat(start, low)
    start, there, found = fast_forward.first_turn(s, start, conjunction(*guards), scope)
    # What has gone is seen to be gone before another takes its place.
    again = moving.release_slots(low, low.model.made)
    again = [low.stop("turn begins", s.span), *again] if again else []
    ends = (low.stop("turn ends", s.span), end_scope("turn", low), low.stop("turn", s.span))
    body: list[ir.Stmt] = [
        ir.Store(cells.actor, None, me),
        ir.Branch(ir.Not(ir.Local(active)), (ir.Store(cells.active, None, me), *again)),
        ir.Set(passed, ir.Const(0)),
        *([log.FLUSH] if log.moves_something(s.body) else []),
        *_turn_statements(s.body, inner),
        # Turns inside a turn (answers, naming a die) do not end it.
        ir.Branch(ir.Not(ir.Local(active)), ends),
        *fast_forward.break_when_missed(s.body, scope),
    ]
    # A turn that is an offer has a decision, or a step, or is a pass: it needs no budget of its own.
    idle = not any(isinstance(x, tree.Offer) for x in s.body)
    step = ir.Set(player, ir.Table(next_player(low), me))
    head: list[ir.Stmt] = [
        ir.Set(actor, ir.Cell(cells.actor)),
        ir.Set(active, ir.Cell(cells.active)),
        ir.Set(player, start),
        *found,
        ir.Set(count, ir.Const(0)),
        ir.Set(passed, ir.Const(0)),
    ]
    loop: ir.Stmt
    if s.mode == "once each":
        loop = ir.While(
            ir.Compare("<", ir.Local(count), n),
            (*body, ir.Set(count, add(ir.Local(count), TRUE)), step),
        )
    elif s.mode == "until all pass in a row":
        quiet = ir.Set(count, ir.If(ir.Local(passed), add(ir.Local(count), TRUE), ir.Const(0)))
        loop = ir.While(ir.Compare("<", ir.Local(count), n), (*body, quiet, step), budget=idle, span=s.span)
    else:
        # A pass is final: a bit for each player who is out.
        bit = ir.Arith("<<", TRUE, me)
        mine = ir.Branch(
            ir.Not(ir.Arith("&", ir.Local(out_of), bit)),
            (
                *body,
                ir.Branch(
                    ir.Local(passed),
                    (ir.Set(out_of, ir.Arith("|", ir.Local(out_of), bit)), ir.Set(count, add(ir.Local(count), TRUE))),
                ),
            ),
        )
        head.append(ir.Set(out_of, ir.Const(0)))
        loop = ir.While(ir.Compare("<", ir.Local(count), n), (mine, step), budget=idle, span=s.span)
    tail: list[ir.Stmt] = [
        ir.Store(cells.actor, None, ir.Local(actor)),
        ir.Store(cells.active, None, ir.Local(active)),
    ]
    return branch(there, [*head, loop, *tail])


def _turn_statements(body: tree.Block, inner: Scope) -> list[ir.Stmt]:
    """The body; in one pass through a loop where a pass before its end must break out of it."""
    if len(body) == 1 and isinstance(body[0], tree.Offer):
        return lower_offer(body[0], inner.inner())
    return [ir.While(TRUE, (*inner.low.dispatch.block(body, inner), ir.Break()))]


# ---- offers


def lower_offer(s: tree.Offer, scope: Scope) -> list[ir.Stmt]:
    """Offers the actions of the phase until the player passes, or has done his one action."""
    low, cells = scope.low, scope.low.cells
    player, guards = lower_through(s.to, scope)
    if low.plan.features.nobody and player != scope.actor:
        guards = join_guards(guards, (negate(hooks.belongs_to_nobody(player, low)),))
    # In his own turn the player is the actor already.
    own = scope.actor is not None and player == scope.actor and scope.passed is not None
    actions = [a for a in low.program.actions.values() if s.phase in a.during]
    me, tag, main, done = (scope.fresh(stem) for stem in ("me", "tag", "main", "done"))
    if own and isinstance(player, ir.Local):
        me = player.name
    was = scope.fresh("was_actor")
    one = s.one
    free_too = one and any(a.free for a in actions)
    sources = [action_source(a, k, ir.Local(me), ir.Local(main) if free_too and not a.free else None, low)
               for k, a in enumerate(actions)]  # fmt: skip
    width = max((len(action_info(a, low).types) for a in actions), default=0)
    targets = tuple(scope.fresh("x") for _ in range(width))
    may_pass: ir.Expr = TRUE if s.or_pass else ir.Local(main) if free_too else ir.Const(0)
    question = questions.offer_question(s, [action_info(a, low) for a in actions], scope, not one or free_too)
    pick = ir.Pick(question.site, ir.Local(me), tuple(sources), may_pass, tag, targets, told=question.told)
    inner = scope.inner()
    inner.actor = ir.Local(me)
    dispatch: list[ir.Stmt] = []
    for k, a in reversed(list(enumerate(actions))):
        args = tuple(ir.Local(t) for t in targets[: len(action_info(a, low).types)])
        if a.in_steps:
            asked, more = ask_steps(a, args, ir.Local(me), inner)
            then = [*asked, *perform_action(a, (*args, *more), low)]
        else:
            then = perform_action(a, args, low)
        if free_too and not a.free:
            then.append(ir.Set(main, TRUE))
        dispatch = [ir.Branch(equal(ir.Local(tag), ir.Const(k)), tuple(then), tuple(dispatch))]
    body: list[ir.Stmt] = [
        *question.first,
        pick,
        ir.Branch(ir.Compare("<", ir.Local(tag), ir.Const(0)), (ir.Break(),)),
        ir.Set(done, TRUE),
        *dispatch,
        low.stop("action", s.span),
        *(_release_between_actions(actions, scope) if own else []),
    ]
    if one and not free_too:
        body.append(ir.Break())
    # No budget: a round of it has a decision, or one option that is counted as a step, or ends it.
    loop: list[ir.Stmt] = [
        ir.Set(done, ir.Const(0)),
        *([ir.Set(main, ir.Const(0))] if free_too else []),
        ir.While(TRUE, tuple(body)),
    ]
    out = loop
    if not own:
        out = [
            ir.Set(me, player),
            ir.Set(was, ir.Cell(cells.actor)),
            ir.Store(cells.actor, None, ir.Local(me)),
            *loop,
            ir.Store(cells.actor, None, ir.Local(was)),
        ]
    if scope.passed is not None:
        out.append(ir.Branch(ir.Not(ir.Local(done)), (ir.Set(scope.passed, TRUE),)))
    return branch(conjunction(*guards), out)


def _release_between_actions(actions: list[tree.Action], scope: Scope) -> list[ir.Stmt]:
    """Between two actions of an outermost turn: what they removed makes room. Not where a variable speaks of things."""
    low = scope.low
    spoken_of = {low.local_kinds.get(name) for name in scope.names}
    if scope.around is None or scope.roles or spoken_of & low.model.made.keys():
        return []
    removed = set().union(*(low.graph.removes.get(action.id, ()) for action in actions))
    again = moving.release_slots(low, [kind for kind in low.model.made if kind in removed])
    return [ir.Branch(ir.Not(scope.around), tuple(again))] if again else []


# ---- statements


def lower_block(body: tree.Block, scope: Scope) -> list[ir.Stmt]:
    """A block in a scope of its own."""
    inner = scope.inner()
    lowered = _lowered_statements(body, inner)
    if fast_forward.targets_of(body, scope):
        return fast_forward.leading_statements(body, lowered, inner)
    return [stmt for stmts in lowered for stmt in stmts]


def _lowered_statements(body: tree.Block, inner: Scope) -> Iterator[list[ir.Stmt]]:
    order = log.LogFlush()
    for at, s in enumerate(body):
        noted = order.before(s)
        stmts = (
            _lower_ensure(s, body[at + 1 :], inner)
            if isinstance(s, tree.Ensure)
            else inner.low.dispatch.statement(s, inner)
        )
        if noted:
            stmts = [*noted, *stmts]
        removed = inner.low.graph.removed_by(s)
        if removed:
            inner.forget(removed)
        if not isinstance(s, tree.Tells | tree.Let):
            inner.proved.clear()
        if inner.passed is not None and holds_offer(s):
            stmts = [*stmts, ir.Branch(ir.Local(inner.passed), (ir.Break(),))]
        yield stmts


def _lower_ensure(s: tree.Ensure, rest: Sequence[tree.Stmt], scope: Scope) -> list[ir.Stmt]:
    """An `ensure`. Where it fails, those right behind it (`rest` is what follows) tell theirs too, if they fail: so
    whoever asks is told of all at once."""
    if not s.because:
        return ensure_fact(s.condition, scope)
    low = scope.low
    others: list[tree.Ensure] = []
    for other in rest:
        if not isinstance(other, tree.Ensure):
            break
        others.append(other)
    parts, args = lower_text(s.because, scope)
    reason = low.reason(parts, "", s.span)
    told = legality.ensure_details(s.condition, reason, args, scope, others, blame_requirement)
    return [ir.Ensure(as_bool(lower_condition(s.condition, scope)), reason, told)]


def lower_statement(s: tree.Stmt, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    match s:
        case tree.Let():
            return _lower_let(s, scope)
        case tree.Assign():
            return lower_assignment(s, scope)
        case tree.CallRoutine():
            return _lower_call(s, scope)
        case tree.Move():
            return _lower_move(s, scope)
        case tree.MoveAll():
            stmts, guards = moving.move_all(s, scope)
            return branch(conjunction(*guards), stmts)
        case tree.Draw():
            amount, g1 = lower_value(s.count, scope)
            stmts, g2 = moving.draw_cards(s, scope, amount)
            return branch(conjunction(*g1, *g2), stmts)
        case tree.Shuffle():
            stmts, guards = moving.shuffle_zone(s.zone, s.span, scope)
            return branch(conjunction(*guards), stmts)
        case tree.Create():
            return _lower_create(s, scope)
        case tree.Remove():
            thing, guards = lower_through(s.thing, scope)
            return branch(conjunction(*guards), [ir.CallRoutine(moving.remove_function(s.kind, low), (thing,))])
        case tree.Roll():
            return lower_roll(s, scope)
        case tree.Clear():
            laid = low.plan.tables[s.table.name]
            words = 1
            for d in laid.dims:
                words *= d
            return [ir.Fill(laid.base, words)]
        case tree.Choose():
            return _lower_choose(s, scope)
        case tree.Offer():
            return lower_offer(s, scope)
        case tree.Redirect():
            return hook_order.redirect_event(s, scope)
        case tree.Silence():
            return _lower_silence(s, scope)
        case tree.Restore():
            card, guards = lower_through(s.card, scope)
            return branch(conjunction(*guards), trait_masks.restore_card(low, card))
        case tree.Tells():
            parts, args = lower_text(s.parts, scope)
            template = low.template(LogTemplate("tells", "", "", parts, s.span))
            read = [lower_value(part, scope)[1] for part in s.parts if not isinstance(part, str)]
            return branch(conjunction(*join_guards(*read)), [ir.Log(template, args)])
        case tree.Require():
            return branch(lower_condition(s.condition, scope), [], [ir.Return()])
        case tree.Ensure():
            return _lower_ensure(s, (), scope)
        case tree.Compulsory() | tree.Nothing():
            return []
        case tree.Stop():
            return hook_order.stop_event(scope)
        case tree.Proceed():
            return list(scope.proceed or ())
        case tree.If():
            asked = fast_forward.leading_test(s, lower_condition(s.test, scope), scope)
            return branch(asked, lower_block(s.then, scope), lower_block(s.otherwise, scope))
        case tree.For():
            return _lower_for(s, scope)
        case tree.RepeatTimes():
            times_, guards = lower_value(s.times, scope)
            times_ = checked_number(times_, "the number of times", s.times.span, low)
            times_ = fast_forward.at_least_once(times_, s.body, scope)
            name = scope.fresh("k")
            counted = (ir.Tick(s.span), *lower_block(s.body, _loop_scope(s.body, scope)))
            return branch(conjunction(*guards), [ir.ForRange(name, ir.Const(0), times_, counted)])
        case tree.RepeatUntil():
            inner = _loop_scope(s.body, scope)
            test: ir.Expr = ir.Not(as_bool(lower_condition(s.until, inner)))
            if fast_forward.targets_of(s.body, scope):
                test = disjunction(fast_forward.is_fast_forwarding(low), test)
            body = (*lower_block(s.body, inner), *fast_forward.break_when_missed(s.body, scope))
            return [ir.While(test, body, budget=True, span=s.span)]
        case tree.Turns():
            return lower_turns(s, scope)
        case tree.Rounds():
            return lower_rounds(s, scope)


def _loop_scope(body: tree.Block, scope: Scope) -> Scope:
    """A scope for a loop's body: what the body may remove is uncertain from its start on."""
    inner = scope.inner()
    inner.forget(scope.low.graph.removed_by(body))
    return inner


def _lower_let(s: tree.Let, scope: Scope) -> list[ir.Stmt]:
    lowered, guards = lower_value(s.value, scope)
    if s.local.type.tag == "bool":
        lowered = as_bool(lower_condition(s.value, scope))
        guards = ()
    if s.local.type.tag == "int":
        lowered = checked_number(lowered, f"`{s.local.text}`", s.value.span, scope.low)
    scope.low.local_kinds[s.local.name] = s.local.type.name
    name = scope.bind(s.local, present=False)
    if s.local.type.maybe and guards:
        lowered, guards = ir.If(conjunction(*guards), lowered, missing_value(s.local.type)), ()
    return [ir.Set(name, lowered)]


def _lower_call(s: tree.CallRoutine, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    args, guards = lower_arguments(s.args, scope, maybe=optional_params(s.routine, low), kept=True)
    roles = role_args(s.routine, scope)
    proved = (s.routine, args) in scope.proved
    test = TRUE if proved else can_happen(s.routine, (*roles, *args), low)
    test = disjunction(test, fast_forward.is_target(fast_forward.targets_of(s, scope), low))
    done = [run_event(s.routine, args, low, roles)]
    if low.program.routines[s.routine].phase:
        done.append(low.stop("phase", s.span))
    freed = moving.release_slots(low, low.model.made) if scope.game else []
    return [*freed, *branch(conjunction(*guards, test), done)]


def _lower_move(s: tree.Move, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    card, guards = lower_through(s.card, scope)
    zone = access.zone_layout(s.to, low)
    who, more = access.zone_owner(s.to, scope)
    guards = join_guards(guards, more)
    face = unguarded_value(s.face, scope) if s.face is not None else None
    partner = unguarded_value(s.partner, scope) if s.partner is not None else None
    # The card is read before anything moves: its expression may look at where it lies.
    head: list[ir.Stmt] = []
    if not isinstance(card, ir.Local | ir.Const):
        name = scope.fresh("c")
        head = [ir.Set(name, card)]
        card = ir.Local(name)
        guards = (
            join_guards(guards, (ir.Compare("!=", card, ir.Const(0)),)) if isinstance(s.card, tree.SlotRead) else guards
        )
    if who is not None and not isinstance(who, ir.Local | ir.Const):
        name = scope.fresh("o")
        head.append(ir.Set(name, who))
        who = ir.Local(name)
    there = conjunction(*guards)
    if zone.slot:
        full = ir.Fail("X603", s.span, f"the {zone.name} slot is full")
        head += branch(conjunction(there, access.cell_at(access.zone_address(zone, who))), [full])
    if isinstance(s.card, tree.LocalRef) and s.card.local.type.maybe:
        there = conjunction(there, ir.Compare("!=", card, ir.Const(0)))
    return [*head, *branch(there, moving.move_card(card, zone, who, low, bottom=s.bottom, face=face, partner=partner))]


def _lower_create(s: tree.Create, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    owner, guards = lower_through(s.owner, scope)
    left: ir.Expr = ir.Const(0)
    if s.side is not None:
        side, more = lower_through(s.side, scope)
        guards = join_guards(guards, more)
        left = as_bool(equal(side, ir.Const(1)))
    name = scope.fresh("new")
    if s.local is not None:
        low.local_kinds[s.local.name] = s.kind
        name = scope.bind(s.local, present=False)
    laid = low.plan.kinds[s.kind]
    then: list[ir.Stmt] = [ir.CallRoutine(moving.create_function(s.kind, low), (owner, left), name)]
    made: list[ir.Stmt] = []
    if s.place is not None:
        place, more = lower_through(s.place, scope)
        guards = join_guards(guards, more)
        made.append(ir.Store(laid.place, ir.Local(name), place))
    if s.like is not None:
        model, more = lower_through(s.like, scope)
        guards = join_guards(guards, more)
        for attribute in low.model.made[s.kind].attributes.values():
            if not attribute.index:
                base = low.plan.columns[s.kind, attribute.name]
                made.append(ir.Store(base, ir.Local(name), ir.Cell(base, model)))
    then += moving.fail_without_room(s.kind, ir.Local(name), owner, s.span, low)
    then += branch(ir.Local(name), made) if made else []
    test = conjunction(*guards)
    if test == TRUE:
        return then
    return [ir.Set(name, ir.Const(0)), *branch(test, then)]


def _lower_silence(s: tree.Silence, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    card, guards = lower_through(s.card, scope)
    until = s.until or "game"
    low.silences.add(until)
    return branch(conjunction(*guards), [*trait_masks.silence_card(low, card, until), *mark_touched(s.until, low)])


def _lower_for(s: tree.For, scope: Scope) -> list[ir.Stmt]:
    """`for` fixes its members when it starts; players and rows cannot change, so they need no list."""
    unpacking = _lay_out_box(s, scope)
    return unpacking if unpacking is not None else _collected_members(s, scope)


def _lay_out_box(s: tree.For, scope: Scope) -> list[ir.Stmt] | None:
    """`for card c: move c to ZONE` when the game is unpacked: the whole box is laid there at once.

    Only while every card lies in the box in declared order, which is so until the first such statement has run.
    """
    low = scope.low
    if len(s.binders) != 1 or len(s.body) != 1 or s.secretly or len(low.plan.sorts) != 1 or not low.dispatch.shortcuts:
        return None
    b, move = s.binders[0], s.body[0]
    if not isinstance(b.domain, tree.AllCards) or b.where is not None or b.extreme is not None or b.sorted_by:
        return None
    if not isinstance(move, tree.Move) or move.face or move.partner or move.bottom or b.maybe:
        return None
    if not isinstance(move.card, tree.LocalRef) or move.card.local != b.local or not isinstance(move.to, tree.ZoneRef):
        return None
    target = access.zone_layout(move.to, low)
    if target.of or not target.array or target.slot:
        return None
    box = low.plan.zones["box"]
    done = low.plan.claim(1)
    whole = conjunction(ir.Not(ir.Cell(done)), equal(ir.Cell(box.base), ir.Const(len(low.plan.cards) - 1)))
    at_once = ir.ArrayAppendAll(ir.Const(box.base), ir.Const(target.base), low.plan.where, ir.Const(target.first_id))
    return [
        *branch(whole, [at_once], _collected_members(s, scope)),
        ir.Store(done, None, TRUE),
    ]


def _collected_members(s: tree.For, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    removed = low.graph.removed_by(s.body)
    if len(s.binders) == 1 and (_is_fixed_domain(s.binders[0]) or _only_sets_words(s)):
        inner = scope.inner()
        inner.forget(removed)
        stmts = nested_loops(s.binders, inner, lambda deeper: _for_body(s, deeper))
    elif len(s.binders) > 1 and any(isinstance(b.domain, tree.Range) for b in s.binders):
        # Numbers have no bound to pack them by: each loop fixes its own members when it starts.
        rest = tree.For(s.span, False, s.binders[1:], s.body)
        stmts = _collected_members(tree.For(s.span, False, s.binders[:1], (rest,)), scope)
    else:
        items, item = scope.fresh("members"), scope.fresh("member")
        stmts = collect_combinations(s.binders, scope, items)
        inner = scope.inner()
        inner.forget(removed)
        bound = unpack_combination(s.binders, item, inner)
        alive = conjunction(*(is_still_there(b, inner.names[b.local.name], low) for b in s.binders))
        body = [*bound, *branch(alive, _for_body(s, inner))]
        stmts.append(ir.ForList(item, items, tuple(body)))
    if s.secretly:
        return [ir.Curtain(up=False), *stmts, ir.Curtain(up=True)]
    return stmts


def _is_fixed_domain(b: tree.Binder) -> bool:
    """Whether no statement can change the members of a binder."""
    return (
        isinstance(b.domain, tree.Rows | tree.Players | tree.Range)
        and b.where is None and b.extreme is None and not b.sorted_by
    )  # fmt: skip


def _only_sets_words(s: tree.For) -> bool:
    """Whether a loop over all things of a kind, wherever they lie, only sets words that do not tell which there are."""
    b = s.binders[0]
    if not isinstance(b.domain, tree.Things) or b.domain.place is not None or not is_unfiltered(b):
        return False
    return all(
        isinstance(x, tree.Tells) or (isinstance(x, tree.Assign) and not isinstance(x.target, tree.Property))
        for x in s.body
    )


def _for_body(s: tree.For, scope: Scope) -> list[ir.Stmt]:
    inner = scope.inner()
    if s.secretly and s.binders and s.binders[0].local.type.name == "player":
        inner.passed = None
    done = lower_block(s.body, inner)
    if log.logs_each_apart(s):
        return [log.FLUSH, *done] if log.moves_something(s.body) else done
    return [*log.flushed_at_once(tuple(done))]


def _lower_choose(s: tree.Choose, scope: Scope) -> list[ir.Stmt]:
    """One option of the binders' combinations; nothing to choose runs `otherwise`."""
    low = scope.low
    name, args = choice_enumerator(s, scope)
    inner = scope.inner()
    guards: Guards = ()
    for b in s.binders:
        low.local_kinds[b.local.name] = b.local.type.name
    targets = tuple(inner.bind(b.local, present=not b.maybe) for b in s.binders)
    tag = scope.fresh("tag")
    types = tuple(type_name(b.local.type) for b in s.binders)
    names = tuple(b.local.text for b in s.binders)
    info = ActionInfo("choose", "", types, names, "", s.span)
    question = questions.choice_question(s, info, scope, blame_choice)
    player: ir.Expr | None = None
    if not s.at_random:
        if s.by is not None:
            by, guards = lower_through(s.by, scope)
            player = hooks.instead_of_nobody(by, scope)
        else:
            player = hooks.asked_player(scope)
    pick = ir.Pick(
        question.site,
        player,
        (ir.Source(0, name, args),),
        TRUE if s.may else ir.Const(0),
        tag,
        targets,
        s.at_random,
        question.told,
    )
    then = branch(equal(ir.Local(tag), ir.Const(0)), lower_block(s.body, inner), lower_block(s.otherwise, scope))
    targets_ = fast_forward.targets_of((s.body, s.otherwise), scope)
    asked = (
        [pick]
        if not targets_
        else branch(fast_forward.is_fast_forwarding(low), [replace(pick, player=None, chance=True)], [pick])
    )
    return branch(
        disjunction(conjunction(*guards), fast_forward.is_target(targets_, low)), [*question.first, *asked, *then]
    )
