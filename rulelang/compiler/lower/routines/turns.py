"""The flow of the game: rounds, phases, turns, offers."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, Scope, add, both, equal, join_guards, negate, when
from rulelang.compiler.lower.expr.expressions import cond, through
from rulelang.compiler.lower.expr.seats import next_player
from rulelang.compiler.lower.routines import asking, noting, questions, seeking
from rulelang.compiler.lower.routines.actions import action_info, action_source
from rulelang.compiler.lower.routines.performing import perform
from rulelang.compiler.lower.routines.resets import scope_end
from rulelang.compiler.lower.routines.steps import ask
from rulelang.compiler.lower.state import things
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk

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
        *when(seeking.entering(declared, low), [scope_end(declared.name, low)]),
    ]
    return [
        *body,
        *seeking.body(declared.body, low.dispatch.block(declared.body, inner), scope),
        low.stop("phase ends", declared.span),
        scope_end("phase", low),
        ir.Store(cells.phase, None, ir.Local(before)),
    ]


def game(low: Lowering) -> None:
    """`main`: the flow, which a scenario may enter at any phase that it names."""
    scope = Scope(low, "main", seeks=True, game=low.graph.frees)
    flow = low.program.game
    assert flow is not None
    body = low.dispatch.block(flow.body, scope)
    body.append(ir.Store(low.cells.over, None, TRUE))
    low.function("main", "routine", (), body, "game", flow.span)


def rounds(s: tree.Rounds, scope: Scope) -> list[ir.Stmt]:
    """Rounds are counted from 1; `until` is tested after each. A scenario gives the round that it begins in."""
    low, cells = scope.low, scope.low.cells
    inner = scope.inner()
    body = [
        noting.NOTED,
        ir.Branch(ir.Not(ir.Cell(cells.seek)), (ir.Add(cells.round, None, ir.Const(1)),)),
        noting.NOTED,
        *low.dispatch.block(s.body, inner),
        *seeking.enough(s.body, scope),
        low.stop("round ends", s.span),
        scope_end("round", low),
        low.stop("round", s.span),
        ir.Branch(cond(s.until, inner), (ir.Break(),)),
    ]
    return [ir.While(TRUE, tuple(body), budget=True, span=s.span)]


# ---- turns


def offers_deeper(s: tree.Stmt) -> bool:
    """Whether a compound statement holds an offer of the turn that it stands in."""
    if isinstance(s, tree.Turns):
        return False
    return isinstance(s, tree.Offer) or any(isinstance(n, tree.Offer) for n in walk(s))


def turns(s: tree.Turns, scope: Scope) -> list[ir.Stmt]:
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
    start, guards = through(s.start, scope)
    start = asking.seat(start, low)
    start, there, found = seeking.first_turn(s, start, both(*guards), scope)
    # What has gone is seen to be gone before another takes its place.
    again = things.release(low, low.model.made)
    again = [low.stop("turn begins", s.span), *again] if again else []
    ends = (low.stop("turn ends", s.span), scope_end("turn", low), low.stop("turn", s.span))
    body: list[ir.Stmt] = [
        ir.Store(cells.actor, None, me),
        ir.Branch(ir.Not(ir.Local(active)), (ir.Store(cells.active, None, me), *again)),
        ir.Set(passed, ir.Const(0)),
        *([noting.NOTED] if noting.moves(s.body) else []),
        *_turn_body(s.body, inner),
        # Turns inside a turn (answers, naming a die) do not end it.
        ir.Branch(ir.Not(ir.Local(active)), ends),
        *seeking.enough(s.body, scope),
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
    return when(there, [*head, loop, *tail])


def _turn_body(body: tree.Block, inner: Scope) -> list[ir.Stmt]:
    """The body; in one pass through a loop where a pass before its end must break out of it."""
    if len(body) == 1 and isinstance(body[0], tree.Offer):
        return offer(body[0], inner.inner())
    return [ir.While(TRUE, (*inner.low.dispatch.block(body, inner), ir.Break()))]


# ---- offers


def offer(s: tree.Offer, scope: Scope) -> list[ir.Stmt]:
    """Offers the actions of the phase until the player passes, or has done his one action."""
    low, cells = scope.low, scope.low.cells
    player, guards = through(s.to, scope)
    if low.plan.features.nobody and player != scope.actor:
        guards = join_guards(guards, (negate(asking.nobodys(player, low)),))
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
    question = questions.offer(s, [action_info(a, low) for a in actions], scope, not one or free_too)
    pick = ir.Pick(question.site, ir.Local(me), tuple(sources), may_pass, tag, targets, told=question.told)
    inner = scope.inner()
    inner.actor = ir.Local(me)
    dispatch: list[ir.Stmt] = []
    for k, a in reversed(list(enumerate(actions))):
        args = tuple(ir.Local(t) for t in targets[: len(action_info(a, low).types)])
        if a.in_steps:
            asked, more = ask(a, args, ir.Local(me), inner)
            then = [*asked, *perform(a, (*args, *more), low)]
        else:
            then = perform(a, args, low)
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
        *(_released(actions, scope) if own else []),
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
    return when(both(*guards), out)


def _released(actions: list[tree.Action], scope: Scope) -> list[ir.Stmt]:
    """Between two actions of an outermost turn: what they removed makes room. Not where a variable speaks of things."""
    low = scope.low
    spoken_of = {low.local_kinds.get(name) for name in scope.names}
    if scope.around is None or scope.roles or spoken_of & low.model.made.keys():
        return []
    removed = set().union(*(low.graph.removes.get(action.id, ()) for action in actions))
    again = things.release(low, [kind for kind in low.model.made if kind in removed])
    return [ir.Branch(ir.Not(scope.around), tuple(again))] if again else []
