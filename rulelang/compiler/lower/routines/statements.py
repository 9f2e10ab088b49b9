"""Statements of the rules as IR. A statement that reads through something missing does not happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulelang.base.layout import ActionInfo, LogTemplate
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Guards, Scope, as_bool, both, either, equal, join_guards, when, word
from rulelang.compiler.lower.expr.calls import can_expr, maybe_params, role_args, run
from rulelang.compiler.lower.expr.expressions import arguments, cond, nothing, plain, through, value
from rulelang.compiler.lower.expr.iteration import bare, collect, loops, still_there, unpack
from rulelang.compiler.lower.routines import asking, details, noting, questions, reactions, seeking, turns
from rulelang.compiler.lower.routines.actions import choice_enumerator
from rulelang.compiler.lower.routines.assignments import assign
from rulelang.compiler.lower.routines.candidates import blame_choice
from rulelang.compiler.lower.routines.legality import blame, ensure_fact
from rulelang.compiler.lower.routines.resets import touch
from rulelang.compiler.lower.routines.rolling import roll
from rulelang.compiler.lower.routines.texts import text_parts
from rulelang.compiler.lower.state import masks, moving, things, zones
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name


def block(body: tree.Block, scope: Scope) -> list[ir.Stmt]:
    """A block in a scope of its own."""
    inner = scope.inner()
    lowered = _one_by_one(body, inner)
    if seeking.targets_of(body, scope):
        return seeking.statements(body, lowered, inner)
    return [stmt for stmts in lowered for stmt in stmts]


def _one_by_one(body: tree.Block, inner: Scope) -> Iterator[list[ir.Stmt]]:
    order = noting.Order()
    for at, s in enumerate(body):
        noted = order.before(s)
        stmts = (
            _ensure(s, body[at + 1 :], inner) if isinstance(s, tree.Ensure) else inner.low.dispatch.statement(s, inner)
        )
        if noted:
            stmts = [*noted, *stmts]
        removed = inner.low.graph.removed_by(s)
        if removed:
            inner.forget(removed)
        if not isinstance(s, tree.Tells | tree.Let):
            inner.proved.clear()
        if inner.passed is not None and turns.offers_deeper(s):
            stmts = [*stmts, ir.Branch(ir.Local(inner.passed), (ir.Break(),))]
        yield stmts


def _ensure(s: tree.Ensure, rest: Sequence[tree.Stmt], scope: Scope) -> list[ir.Stmt]:
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
    parts, args = text_parts(s.because, scope)
    reason = low.reason(parts, "", s.span)
    told = details.ensured(s.condition, reason, args, scope, others, blame)
    return [ir.Ensure(as_bool(cond(s.condition, scope)), reason, told)]


def statement(s: tree.Stmt, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    match s:
        case tree.Let():
            return _let(s, scope)
        case tree.Assign():
            return assign(s, scope)
        case tree.CallRoutine():
            return _call(s, scope)
        case tree.Move():
            return _move(s, scope)
        case tree.MoveAll():
            stmts, guards = moving.move_all(s, scope)
            return when(both(*guards), stmts)
        case tree.Draw():
            amount, g1 = value(s.count, scope)
            stmts, g2 = moving.draw(s, scope, amount)
            return when(both(*g1, *g2), stmts)
        case tree.Shuffle():
            stmts, guards = moving.shuffle(s.zone, s.span, scope)
            return when(both(*guards), stmts)
        case tree.Create():
            return _create(s, scope)
        case tree.Remove():
            thing, guards = through(s.thing, scope)
            return when(both(*guards), [ir.CallRoutine(things.remove(s.kind, low), (thing,))])
        case tree.Roll():
            return roll(s, scope)
        case tree.Clear():
            laid = low.plan.tables[s.table.name]
            words = 1
            for d in laid.dims:
                words *= d
            return [ir.Fill(laid.base, words)]
        case tree.Choose():
            return _choose(s, scope)
        case tree.Offer():
            return turns.offer(s, scope)
        case tree.Redirect():
            return reactions.redirect(s, scope)
        case tree.Silence():
            return _silence(s, scope)
        case tree.Restore():
            card, guards = through(s.card, scope)
            return when(both(*guards), masks.restore(low, card))
        case tree.Tells():
            parts, args = text_parts(s.parts, scope)
            template = low.template(LogTemplate("tells", "", "", parts, s.span))
            read = [value(part, scope)[1] for part in s.parts if not isinstance(part, str)]
            return when(both(*join_guards(*read)), [ir.Log(template, args)])
        case tree.Require():
            return when(cond(s.condition, scope), [], [ir.Return()])
        case tree.Ensure():
            return _ensure(s, (), scope)
        case tree.Compulsory() | tree.Nothing():
            return []
        case tree.Stop():
            return reactions.stop(scope)
        case tree.Proceed():
            return list(scope.proceed or ())
        case tree.If():
            asked = seeking.test_of(s, cond(s.test, scope), scope)
            return when(asked, block(s.then, scope), block(s.otherwise, scope))
        case tree.For():
            return _for(s, scope)
        case tree.RepeatTimes():
            times_, guards = value(s.times, scope)
            times_ = word(times_, "the number of times", s.times.span, low)
            times_ = seeking.at_least_once(times_, s.body, scope)
            name = scope.fresh("k")
            counted = (ir.Tick(s.span), *block(s.body, _loop_scope(s.body, scope)))
            return when(both(*guards), [ir.ForRange(name, ir.Const(0), times_, counted)])
        case tree.RepeatUntil():
            inner = _loop_scope(s.body, scope)
            test: ir.Expr = ir.Not(as_bool(cond(s.until, inner)))
            if seeking.targets_of(s.body, scope):
                test = either(seeking.seeking(low), test)
            body = (*block(s.body, inner), *seeking.enough(s.body, scope))
            return [ir.While(test, body, budget=True, span=s.span)]
        case tree.Turns():
            return turns.turns(s, scope)
        case tree.Rounds():
            return turns.rounds(s, scope)


def _loop_scope(body: tree.Block, scope: Scope) -> Scope:
    """A scope for a loop's body: what the body may remove is uncertain from its start on."""
    inner = scope.inner()
    inner.forget(scope.low.graph.removed_by(body))
    return inner


def _let(s: tree.Let, scope: Scope) -> list[ir.Stmt]:
    lowered, guards = value(s.value, scope)
    if s.local.type.tag == "bool":
        lowered = as_bool(cond(s.value, scope))
        guards = ()
    if s.local.type.tag == "int":
        lowered = word(lowered, f"`{s.local.text}`", s.value.span, scope.low)
    scope.low.local_kinds[s.local.name] = s.local.type.name
    name = scope.bind(s.local, present=False)
    if s.local.type.maybe and guards:
        lowered, guards = ir.If(both(*guards), lowered, nothing(s.local.type)), ()
    return [ir.Set(name, lowered)]


def _call(s: tree.CallRoutine, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    args, guards = arguments(s.args, scope, maybe=maybe_params(s.routine, low), kept=True)
    roles = role_args(s.routine, scope)
    proved = (s.routine, args) in scope.proved
    test = TRUE if proved else can_expr(s.routine, (*roles, *args), low)
    test = either(test, seeking.sought(seeking.targets_of(s, scope), low))
    done = [run(s.routine, args, low, roles)]
    if low.program.routines[s.routine].phase:
        done.append(low.stop("phase", s.span))
    freed = things.release(low, low.model.made) if scope.game else []
    return [*freed, *when(both(*guards, test), done)]


def _move(s: tree.Move, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    card, guards = through(s.card, scope)
    zone = zones.laid(s.to, low)
    who, more = zones.owner(s.to, scope)
    guards = join_guards(guards, more)
    face = plain(s.face, scope) if s.face is not None else None
    partner = plain(s.partner, scope) if s.partner is not None else None
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
    there = both(*guards)
    if zone.slot:
        full = ir.Fail("X603", s.span, f"the {zone.name} slot is full")
        head += when(both(there, zones.at(zones.address(zone, who))), [full])
    if isinstance(s.card, tree.LocalRef) and s.card.local.type.maybe:
        there = both(there, ir.Compare("!=", card, ir.Const(0)))
    return [*head, *when(there, moving.move_card(card, zone, who, low, bottom=s.bottom, face=face, partner=partner))]


def _create(s: tree.Create, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    owner, guards = through(s.owner, scope)
    left: ir.Expr = ir.Const(0)
    if s.side is not None:
        side, more = through(s.side, scope)
        guards = join_guards(guards, more)
        left = as_bool(equal(side, ir.Const(1)))
    name = scope.fresh("new")
    if s.local is not None:
        low.local_kinds[s.local.name] = s.kind
        name = scope.bind(s.local, present=False)
    laid = low.plan.kinds[s.kind]
    then: list[ir.Stmt] = [ir.CallRoutine(things.create(s.kind, low), (owner, left), name)]
    made: list[ir.Stmt] = []
    if s.place is not None:
        place, more = through(s.place, scope)
        guards = join_guards(guards, more)
        made.append(ir.Store(laid.place, ir.Local(name), place))
    if s.like is not None:
        model, more = through(s.like, scope)
        guards = join_guards(guards, more)
        for attribute in low.model.made[s.kind].attributes.values():
            if not attribute.index:
                base = low.plan.columns[s.kind, attribute.name]
                made.append(ir.Store(base, ir.Local(name), ir.Cell(base, model)))
    then += things.no_room(s.kind, ir.Local(name), owner, s.span, low)
    then += when(ir.Local(name), made) if made else []
    test = both(*guards)
    if test == TRUE:
        return then
    return [ir.Set(name, ir.Const(0)), *when(test, then)]


def _silence(s: tree.Silence, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    card, guards = through(s.card, scope)
    until = s.until or "game"
    low.silences.add(until)
    return when(both(*guards), [*masks.silence(low, card, until), *touch(s.until, low)])


def _for(s: tree.For, scope: Scope) -> list[ir.Stmt]:
    """`for` fixes its members when it starts; players and rows cannot change, so they need no list."""
    unpacking = _unpacking(s, scope)
    return unpacking if unpacking is not None else _members(s, scope)


def _unpacking(s: tree.For, scope: Scope) -> list[ir.Stmt] | None:
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
    target = zones.laid(move.to, low)
    if target.of or not target.array or target.slot:
        return None
    box = low.plan.zones["box"]
    done = low.plan.claim(1)
    whole = both(ir.Not(ir.Cell(done)), equal(ir.Cell(box.base), ir.Const(len(low.plan.cards) - 1)))
    at_once = ir.ArrayAppendAll(ir.Const(box.base), ir.Const(target.base), low.plan.where, ir.Const(target.first_id))
    return [
        *when(whole, [at_once], _members(s, scope)),
        ir.Store(done, None, TRUE),
    ]


def _members(s: tree.For, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    removed = low.graph.removed_by(s.body)
    if len(s.binders) == 1 and (_steady(s.binders[0]) or _sets_only(s)):
        inner = scope.inner()
        inner.forget(removed)
        stmts = loops(s.binders, inner, lambda deeper: _for_body(s, deeper))
    elif len(s.binders) > 1 and any(isinstance(b.domain, tree.Range) for b in s.binders):
        # Numbers have no bound to pack them by: each loop fixes its own members when it starts.
        rest = tree.For(s.span, False, s.binders[1:], s.body)
        stmts = _members(tree.For(s.span, False, s.binders[:1], (rest,)), scope)
    else:
        items, item = scope.fresh("members"), scope.fresh("member")
        stmts = collect(s.binders, scope, items)
        inner = scope.inner()
        inner.forget(removed)
        bound = unpack(s.binders, item, inner)
        alive = both(*(still_there(b, inner.names[b.local.name], low) for b in s.binders))
        body = [*bound, *when(alive, _for_body(s, inner))]
        stmts.append(ir.ForList(item, items, tuple(body)))
    if s.secretly:
        return [ir.Curtain(up=False), *stmts, ir.Curtain(up=True)]
    return stmts


def _steady(b: tree.Binder) -> bool:
    """Whether no statement can change the members of a binder."""
    return (
        isinstance(b.domain, tree.Rows | tree.Players | tree.Range)
        and b.where is None and b.extreme is None and not b.sorted_by
    )  # fmt: skip


def _sets_only(s: tree.For) -> bool:
    """Whether a loop over all things of a kind, wherever they lie, only sets words that do not tell which there are."""
    b = s.binders[0]
    if not isinstance(b.domain, tree.Things) or b.domain.place is not None or not bare(b):
        return False
    return all(
        isinstance(x, tree.Tells) or (isinstance(x, tree.Assign) and not isinstance(x.target, tree.Property))
        for x in s.body
    )


def _for_body(s: tree.For, scope: Scope) -> list[ir.Stmt]:
    inner = scope.inner()
    if s.secretly and s.binders and s.binders[0].local.type.name == "player":
        inner.passed = None
    done = block(s.body, inner)
    if noting.each_apart(s):
        return [noting.NOTED, *done] if noting.moves(s.body) else done
    return [*noting.together(tuple(done))]


def _choose(s: tree.Choose, scope: Scope) -> list[ir.Stmt]:
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
    question = questions.choice(s, info, scope, blame_choice)
    player: ir.Expr | None = None
    if not s.at_random:
        if s.by is not None:
            by, guards = through(s.by, scope)
            player = asking.instead_of_nobody(by, scope)
        else:
            player = asking.asked(scope)
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
    then = when(equal(ir.Local(tag), ir.Const(0)), block(s.body, inner), block(s.otherwise, scope))
    targets_ = seeking.targets_of((s.body, s.otherwise), scope)
    asked = [pick] if not targets_ else when(seeking.seeking(low), [replace(pick, player=None, chance=True)], [pick])
    return when(either(both(*guards), seeking.sought(targets_, low)), [*question.first, *asked, *then])
