"""Perform actions: trials, legal arguments, and the event itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from rulelang.base.graphs import reaching
from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, all_exprs, all_statements, rewrite_exprs, with_blocks
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    CanBeChosen,
    EnsureEvent,
    Lowering,
    Scope,
    branch,
    conjunction,
    equal,
    lower_condition,
)
from rulelang.compiler.lower.expr.calls import can_happen, do_function, event_params, pattern_args, run_event
from rulelang.compiler.lower.expr.iteration import nested_loops
from rulelang.compiler.lower.routines import hooks
from rulelang.compiler.lower.routines.assignments import mark_touched
from rulelang.compiler.lower.state import bearers, moving
from rulelang.compiler.lower.state.access import cell, owner_of
from rulelang.compiler.lower.state.bearers import bind_given, param_names, role_params, roles_of, row_role
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import conjuncts, locals_of, walk

# ---- performing


def perform_action(action: tree.Action, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """Does a legal action: its flag, its event. With a trial the body has been tried already."""
    n = len(roles_of(action.id, low))
    out: list[ir.Stmt] = []
    if action.once_per is not None:
        base, index = once_flag(action, args[:n], ir.Cell(low.cells.actor), low)
        out += [ir.Store(base, index, TRUE), *mark_touched(action.once_per, low)]
    out += _play_card(action, args[:n], low)
    return [*out, run_event(action.id, args[n:], low, args[:n])]


def _play_card(action: tree.Action, roles: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """A card whose own action is taken from a playable zone is played: it goes where that zone says, then acts."""
    given = dict(zip(roles_of(action.id, low), roles, strict=True))
    sorts = {low.plan.cards[card].sort for card in bearers.unattached_cards(action, low)}
    if action.origin.what == "card" and not action.always:
        sorts = {action.origin.name}
    out: list[ir.Stmt] = []
    for zone in low.model.zones.values():
        if zone.playable and zone.played_to and zone.holds in sorts:
            laid, target = low.plan.zones[zone.name], low.plan.zones[zone.played_to]
            card = given["this"]
            where = cell(low.plan.where, card)
            first = laid.first_id + (1 if laid.of else 0)
            inside = conjunction(
                ir.Compare(">=", where, ir.Const(first)),
                ir.Compare("<=", where, ir.Const(laid.first_id + laid.owners)),
            )
            who = None
            if target.of:
                who = owner_of("", card, low) if target.of == laid.of else ir.Cell(low.cells.actor)
            out.append(ir.Branch(inside, tuple(moving.move_card(card, target, who, low, bottom=False))))
    return out


def once_flag(action: tree.Action, roles: tuple[ir.Expr, ...], actor: ir.Expr, low: Lowering) -> tuple[int, ir.Expr]:
    """The flag of an action that is possible once a turn (or round ...): by card, or by player for core actions."""
    this = dict(zip(roles_of(action.id, low), roles, strict=True)).get("this")
    if this is None:
        words, index = low.plan.players + 2, actor
    elif action.origin.what == "trait":
        words, index = hooks.flags_of(action.origin, this, low)
    else:
        words, index = len(low.plan.cards), this
    key = ("once action", action.id)
    if key not in low.words:
        assert action.once_per is not None
        low.resets.setdefault(action.once_per, []).append((low.claimed(key, words), words, 0))
    return low.words[key], index


# ---- trials


@record
class _TrialName:
    """Names the routine that is run to try an action."""

    action: str


@record
class _ShortenedName:
    """Names what a routine is up to its last `ensure`."""

    routine: str


def needs_trial(action: tree.Action, low: Lowering) -> bool:
    """Whether an `ensure` may be reached, so that the action must be tried first."""
    return action.id in low.graph.ensuring


def trial_routine(action: tree.Action, low: Lowering) -> str:
    """The routine to be tried: the action with all that its player's choice of it does."""
    key = _TrialName(action.id)
    if key not in low.names:
        params = (*roles_of(action.id, low), *(f"a{k}" for k in range(len(event_params(action.id, low)))))
        done = perform_action(action, tuple(ir.Local(p) for p in params), low)
        name = do_function(action.id, low)
        if len(done) > 1:
            name = low.unique(f"tried_{action.id}")
            low.function(name, "routine", params, done, f"try {action.id}", action.span)
        low.names[key] = name
    return low.names[key]


def shorten_trials(low: Lowering) -> None:
    """Lets every trial end in time, once all functions are lowered."""
    if not any(isinstance(key, _TrialName) for key in low.names):
        return  # nothing is tried
    shorter = _TrialShortener(low)
    for name, function in list(low.functions.items()):
        if name not in low.shortened and _holds_trial(function.body):
            body = shorter.trials(function.body, function.kind == "routine")
            low.functions[name] = replace(function, body=body)
    shorter.finish()
    low.shortened.update(low.functions)


def _holds_trial(block: ir.Block) -> bool:
    return any(
        (isinstance(stmt, ir.BlameCall) and stmt.trial) or any(isinstance(e, ir.Trial) for e in all_exprs(stmt))
        for stmt in all_statements(block)
    )


class _TrialShortener:
    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.functions = low.functions
        self.waiting: list[str] = []
        # What an offer leads to has been tried for itself before it is offered.
        self.offered = {do_function(action, low) for action in low.program.actions}
        self.trying = {name for key, name in low.names.items() if isinstance(key, _TrialName)}
        self.trying |= {name for name, asked in low.requests.items() if isinstance(asked, EnsureEvent)}
        self.shorter = {name for key, name in low.names.items() if isinstance(key, _ShortenedName)}

    @cached_property
    def reach(self) -> set[str]:
        """The routines that may come to an `ensure`."""
        called: dict[str, set[str]] = {}
        own: set[str] = set()
        for name, function in self.functions.items():
            for stmt in all_statements(function.body):
                if isinstance(stmt, ir.Ensure):
                    own.add(name)
                elif isinstance(stmt, ir.CallRoutine | ir.BlameCall) and self.goes_on(name, stmt.function):
                    called.setdefault(name, set()).add(stmt.function)
        return reaching(own, called)

    def goes_on(self, caller: str, function: str) -> bool:
        """Whether a trial goes on in a routine that is called."""
        return function not in self.offered or caller in self.trying

    def trials(self, block: ir.Block, in_trial: bool) -> ir.Block:
        """The block, with shorter trials in it. `in_trial`: what is to blame there ends the trial that is going on."""

        def expr(e: ir.Expr) -> ir.Expr:
            return ir.Trial(self.short(e.function), e.args) if isinstance(e, ir.Trial) else e

        def one(stmt: ir.Stmt) -> ir.Stmt:
            if isinstance(stmt, ir.BlameCall) and stmt.trial:
                stmt = replace(stmt, function=self.short(stmt.function))
                if in_trial:  # the same once more: what fails there ends this one too, in its own words
                    again = ir.CallRoutine(stmt.function, stmt.args)
                    return ir.Branch(ir.Trial(stmt.function, stmt.args), (), (again,))
            return with_blocks(rewrite_exprs(stmt, expr), lambda inner: self.trials(inner, in_trial))

        return tuple(map(one, block))

    def short(self, name: str) -> str:
        """The name of the routine that ends in time."""
        if name in self.shorter:
            return name
        key = _ShortenedName(name)
        if key not in self.low.names:
            self.low.names[key] = shorter = self.low.unique(f"try_{name.removeprefix('do_')}")
            self.shorter.add(shorter)
            if name in self.reach:
                self.reach.add(shorter)
            self.waiting.append(name)
        return self.low.names[key]

    def finish(self) -> None:
        """Writes the routines that have been named, and those that they name."""
        while self.waiting:
            name = self.waiting.pop()
            function, shorter = self.functions[name], self.short(name)
            body, _ = _ShortenedBody(self, name).block(function.body, False, False, False)
            self.functions[shorter] = replace(function, name=shorter, body=body)


class _ShortenedBody:
    """Shortens the body of a routine upon which no `ensure` follows."""

    def __init__(self, routines: _TrialShortener, name: str) -> None:
        self.routines = routines
        self.name = name

    def block(self, block: ir.Block, ahead: bool, leaving: bool, going_on: bool) -> tuple[ir.Block, bool]:
        """The block up to where no `ensure` can be reached, and whether one can from its start.

        `ahead`: whether one can be reached behind it; `leaving`, `going_on`: from where `Break` and `Continue` lead.
        """
        out: list[ir.Stmt] = []
        for stmt in reversed(block):
            shorter, ahead = self.stmt(stmt, ahead, leaving, going_on)
            if ahead:
                out.append(shorter)
            else:
                out = [ir.Return()]
        return tuple(reversed(out)), ahead

    def stmt(self, stmt: ir.Stmt, ahead: bool, leaving: bool, going_on: bool) -> tuple[ir.Stmt, bool]:
        match stmt:
            case ir.Ensure():
                return stmt, True
            case ir.CallRoutine(function, args) if self.ensures(stmt):
                return (stmt if ahead else ir.CallRoutine(self.routines.short(function), args)), True
            case ir.Return():
                return stmt, False
            case ir.Break():
                return stmt, leaving
            case ir.Continue():
                return stmt, going_on
            case ir.Branch():
                then, first = self.block(stmt.then, ahead, leaving, going_on)
                otherwise, second = self.block(stmt.otherwise, ahead, leaving, going_on)
                return ir.Branch(stmt.test, then, otherwise), first or second
            case _ if isinstance(stmt, LOOPS):
                again = ahead or any(map(self.ensures, all_statements(stmt.body)))
                return with_blocks(stmt, lambda body: self.block(body, again, ahead, again)[0]), again
            case _:
                return stmt, ahead

    def ensures(self, stmt: ir.Stmt) -> bool:
        """Whether a statement is an `ensure`, or a call that may come to one."""
        if isinstance(stmt, ir.CallRoutine):
            return stmt.function in self.routines.reach and self.routines.goes_on(self.name, stmt.function)
        return isinstance(stmt, ir.Ensure)


__all__ = ["needs_trial", "shorten_trials", "trial_routine"]


# ---- legal arguments


def single_card_types(binders: Sequence[tree.Binder]) -> bool:
    """Equal cards are offered once; but not where telling them apart may matter: where two variables range over
    cards, or a condition asks for a card's number or compares the card itself."""
    cards = [b.local for b in binders if isinstance(b.domain, tree.InZones)]
    if len(cards) != 1:
        return False
    card = cards[0]

    def itself(e: object) -> bool:
        return isinstance(e, tree.LocalRef) and e.local == card

    for n in walk(tuple(binders)):
        if isinstance(n, tree.Property) and n.name == "number":
            return False
        if isinstance(n, tree.Compare) and (itself(n.left) or itself(n.right)):
            return False
    return True


class LegalArguments:
    """Loops over the arguments of an action, around an option for each legal combination; or around `found`."""

    def __init__(self, action: tree.Action, low: Lowering, found: list[ir.Stmt] | None = None) -> None:
        self.action = action
        self.low = low
        self.found = found
        self.wanted: tuple[ir.Expr, ...] = ()
        self.tests = [part for r in action.requires for part in conjuncts(r.condition)]

    def only(self, scope: Scope, wanted: tuple[ir.Expr, ...]) -> list[ir.Stmt]:
        """Runs `found` if the wanted arguments are among the options."""
        self.wanted = wanted
        return self.open(scope, self.action.binders, self.tests)

    def open(self, scope: Scope, binders: Sequence[tree.Binder], tests: Sequence[tree.Expr]) -> list[ir.Stmt]:
        """Loops over the arguments that are still open; requirements are tested as soon as their names are bound."""
        waiting = {b.local.name for b in binders}
        ready = [t for t in tests if not (locals_of(t) & waiting)]
        later = [t for t in tests if locals_of(t) & waiting]
        distinct = not self.wanted and single_card_types(self.action.binders)

        def one(inner: Scope) -> list[ir.Stmt]:
            deep = self.open(inner, binders[1:], later)
            if not self.wanted:
                return deep
            return branch(equal(inner.names[binders[0].local.name], self.wanted[-len(binders)]), deep)

        def deeper() -> list[ir.Stmt]:
            return nested_loops(binders[:1], scope, one, distinct=distinct) if binders else self._yield(scope)

        return branch(conjunction(*(lower_condition(t, scope) for t in ready)), deeper())

    def _yield(self, scope: Scope) -> list[ir.Stmt]:
        action, low = self.action, self.low
        roles = tuple(scope.roles[r] for r in roles_of(action.id, low))
        args = tuple(scope.names[b.local.name] for b in action.binders)
        tests: list[ir.Expr] = []
        if action.once_per is not None:
            base, index = once_flag(action, roles, ir.Local("me"), low)
            tests.append(ir.Not(ir.Cell(base, index)))
        forbids = low.graph.forbids_on.get(action.id, [])
        if forbids:
            tests.append(can_happen(action.id, pattern_args(action.id, args, scope), low))
        if needs_trial(action, low):
            tests.append(ir.Trial(trial_routine(action, low), (*roles, *args)))
        tests.append(hooks.is_possible(action.body, scope) if is_only_call(action) else TRUE)
        if self.found is not None:
            return branch(conjunction(*tests), self.found)
        compels: ir.Expr | None = None
        if action.compulsory is not None:
            compels = TRUE if action.compulsory.when is None else lower_condition(action.compulsory.when, scope)
        return branch(conjunction(*tests), [ir.Yield((*roles, *args), compels)])


def is_only_call(action: tree.Action) -> bool:
    """An action that is nothing but one call is possible only if the call is."""
    return len(action.body) == 1 and isinstance(action.body[0], tree.CallRoutine) and not action.requires


# ---- `can ACTION(args)`


def actor_scope(action: tree.Action, stem: str, low: Lowering) -> tuple[Scope, list[str], dict[str, ir.Expr]]:
    """A scope with the actor `me` and the bearer bound; its parameters; the roles."""
    scope = Scope(low, f"{stem}_{action.id}")
    scope.actor = ir.Local("me")
    given = role_params(roles_of(action.id, low), scope)
    bind_given(action, scope, {**given, **row_role(action)}, given.get("owner", scope.actor))
    return scope, ["me", *param_names(given)], given


def lower_can_be_chosen(wanted: CanBeChosen, low: Lowering) -> None:
    action = low.program.actions[wanted.action]
    scope, params, _ = actor_scope(action, "possible", low)
    args = [scope.fresh("a") for _ in action.binders]
    found = LegalArguments(action, low, [ir.Return(TRUE)]).only(scope, tuple(map(ir.Local, args)))
    low.function(wanted.name, "pure", (*params, *args), (*found, ir.Return(FALSE)), f"can {action.id}", action.span)
