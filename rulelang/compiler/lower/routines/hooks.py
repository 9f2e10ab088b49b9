"""Run hooks: who is asked, which before- and after-hooks are due, and how they run."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial

from rulelang.base.layout import ActionInfo, LogTemplate
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Lowering,
    Scope,
    add,
    branch,
    conjunction,
    disjunction,
    equal,
    is_present_type,
    lower_condition,
    negate,
    times,
)
from rulelang.compiler.lower.expr.builtins import position_function
from rulelang.compiler.lower.expr.calls import can_call, pattern_params
from rulelang.compiler.lower.narration import questions
from rulelang.compiler.lower.routines import fast_forward, hook_bearers
from rulelang.compiler.lower.routines.assignments import mark_touched
from rulelang.compiler.lower.state import bearers, trait_masks
from rulelang.compiler.lower.state.access import first_player
from rulelang.compiler.lower.state.bearers import bearer_kind, bind_roles, partner_at, trait_number
from rulelang.language.semantics import tree

# ---- who is asked


def ask_consent(
    hook: tree.Trigger, player: ir.Expr, body: list[ir.Stmt], scope: Scope, tag: str, args: tuple[ir.Expr, ...],
    bearer: ir.Expr = TRUE,
) -> list[ir.Stmt]:  # fmt: skip
    """`may`: a player decides whether it is done. `tag` is a fresh name; `args` are what patterns of the event see;
    `bearer` is shown if it is a thing."""
    low, whole = scope.low, hook_option(hook, scope.low)
    kind = whole.types[0]
    info = replace(whole, types=(kind,), params=(whole.params[0],))
    question = questions.use_question(hook, info, bearer, args, scope)
    source = ir.Source(0, single_option_enumerator(low), (bearer if kind else TRUE,))
    pick = ir.Pick(question.site, player, (source,), TRUE, tag, (f"{tag}_x",), told=question.told)
    asks = fast_forward.agree_unasked(hook, pick, [ir.Set(tag, ir.Const(0))], scope)
    return [*question.first, *asks, ir.Branch(equal(ir.Local(tag), ir.Const(0)), tuple(body))]


def hook_option(hook: tree.Trigger, low: Lowering) -> ActionInfo:
    """How a hook looks as an option: by its trait or row; a trait that works on things also with its bearer.

    Where that fits several hooks they are told apart by their events.
    """
    name = low.source_of(hook.origin) or hook.pattern.event
    # A card that lies on nothing is its own bearer, and its trait or row is the name of the option.
    thing = not hook.always and bearers.bears_on_things(hook, low) and not bearers.unattached_cards(hook, low)
    kind = bearer_kind(hook, low) if thing else ""
    return ActionInfo(
        f"{name}.{hook.pattern.event}", name, (kind, ""), ("self" if kind else "", "this"), name, hook.span
    )


def asked_player(scope: Scope) -> ir.Expr:
    """Who is asked in a rule: the bearer's owner; without one, or if that is `nobody`, the actor."""
    owner, now = scope.roles.get("owner"), acting_player(scope.low, scope)
    return now if owner is None else ir.If(belongs_to_nobody(owner, scope.low), now, owner)


def instead_of_nobody(player: ir.Expr, scope: Scope) -> ir.Expr:
    """`nobody` is never asked: the actor answers for it."""
    low = scope.low
    if not low.plan.features.nobody:
        return player
    return ir.If(ir.Compare(">", player, ir.Const(low.plan.players)), acting_player(low, scope), player)


def belongs_to_nobody(owner: ir.Expr, low: Lowering) -> ir.Expr:
    """The condition that an owner is no player: there is none, or it is `nobody`."""
    if isinstance(owner, ir.Const):
        return negate(owner)
    missing = ir.Not(owner)
    return (
        disjunction(missing, ir.Compare(">", owner, ir.Const(low.plan.players)))
        if low.plan.features.nobody
        else missing
    )


def acting_player(low: Lowering, scope: Scope | None = None) -> ir.Expr:
    """Who acts; outside of turns, where nobody does, the player with whom natural order begins."""
    if scope is not None and scope.actor is not None:
        return scope.actor
    now = ir.Cell(low.cells.actor)
    return ir.If(now, now, ir.Table(_first_seat(low), first_player(low)))


def turn_seat(player: ir.Expr, low: Lowering) -> ir.Expr:
    """The seat that turns from a player on begin with: in place of `nobody`, who has no turn, the first."""
    return ir.Table(_first_seat(low), player) if low.plan.features.nobody else player


def _first_seat(low: Lowering) -> str:
    return low.table("first_seat", [1, *range(1, low.plan.players + 1), 1])


def single_option_enumerator(low: Lowering) -> str:
    """Enumerator with its one argument as the only option."""
    if "itself" not in low.functions:
        low.function("itself", "enumerator", ("x",), (ir.Yield((ir.Local("x"),)),), "one option", NOWHERE)
    return "itself"


# ---- triggers

Args = tuple[ir.Expr, ...]


# ---- one hook


def hook_title(hook: tree.Trigger, low: Lowering) -> str:
    name = low.source_of(hook.origin) or "the rules"
    return f"{name}: {hook.kind} {hook.pattern.event}"


def _flag_place(hook: tree.Trigger, this: ir.Expr, low: Lowering) -> tuple[int, ir.Expr]:
    """How many flags a hook has, and the index of this card's."""
    return (1, ir.Const(0)) if hook.always else flags_of(hook.origin, this, low)


def flags_of(origin: tree.Origin, this: ir.Expr, low: Lowering) -> tuple[int, ir.Expr]:
    """How many flags something that a trait, a card or the rules have needs (one a card that may bear it), and the
    index of this card's."""
    if origin.what == "trait":
        number = trait_number(origin, low)
        rows: list[int] = []
        for card in low.plan.cards:
            rows.append(max(rows, default=0) + 1 if number in card.faces else 0)
        return max(rows) + 1, ir.Table(low.table(f"row_{origin.name}", rows), this)
    if origin.what == "card":
        return len(low.plan.cards), this
    return 1, ir.Const(0)


def hook_flag(hook: tree.Trigger, purpose: str, this: ir.Expr, low: Lowering) -> tuple[int, ir.Expr]:
    """The word of a flag of (hook, card): `once` or `running`."""
    count, index = _flag_place(hook, this, low)
    key: Hashable = (purpose, hook.group, hook.id, hook.pattern.event, hook.order)
    if purpose == "once":
        key = (purpose, hook.group, hook.origin)
    if key not in low.words and purpose == "once" and hook.once_per is not None:
        low.resets.setdefault(hook.once_per, []).append((low.claimed(key, count), count, 0))
    return low.claimed(key, count), index


def _is_recursive(hook: tree.Trigger, low: Lowering) -> bool:
    return low.graph.may_cause(hook.body, hook.pattern.event)


def may_hook_run(hook: tree.Trigger, scope: Scope, args: Args, low: Lowering) -> ir.Expr:
    """Enabled but for its guard: flag free, not running for that card, first statement possible."""
    this = scope.roles.get("this", ir.Const(0))
    parts: list[ir.Expr] = []
    if hook.once_per is not None:
        base, index = hook_flag(hook, "once", this, low)
        parts.append(ir.Not(ir.Cell(base, index)))
    if _is_recursive(hook, low):
        base, index = hook_flag(hook, "running", this, low)
        parts.append(ir.Not(ir.Cell(base, index)))
    parts.append(is_possible(hook.body, scope))
    return conjunction(*parts)


def is_possible(body: tree.Block, scope: Scope) -> ir.Expr:
    """Whether the first statement of a block can happen: a call can, a choice has candidates."""
    if not body:
        return TRUE
    first = body[0]
    if isinstance(first, tree.CallRoutine):
        return can_call(first.routine, first.args, scope)
    if isinstance(first, tree.Choose) and not first.otherwise and not first.may:
        bool_type = first.binders[0].local.type
        query = tree.Query(bool_type, first.span, "any", first.binders, None)
        return lower_condition(query, scope)
    return TRUE


def call_hook(
    hook: tree.Trigger, scope: Scope, args: Args, low: Lowering, proceed: ir.Stmt | None = None
) -> list[ir.Stmt]:
    """Statements that run an enabled hook: flags, log, body."""
    this = scope.roles.get("this", ir.Const(0))
    inner = scope.inner()
    if proceed is not None:
        inner.proceed = (proceed,)
        inner.proceeds = fast_forward.targets_inside(hook.pattern.event, low)
    out: list[ir.Stmt] = []
    done: list[ir.Stmt] = []
    if hook.once_per is not None:
        base, index = hook_flag(hook, "once", this, low)
        out += [ir.Store(base, index, TRUE), *mark_touched(hook.once_per, low)]
    if _is_recursive(hook, low):
        base, index = hook_flag(hook, "running", this, low)
        out.append(ir.Store(base, index, TRUE))
        done.append(ir.Store(base, index, ir.Const(0)))
    if inner.react is not None:
        inner.react = replace(inner.react, leave=tuple(done))
    inner.source = source = low.source_of(hook.origin)
    template = low.template(LogTemplate("hook", hook_title(hook, low), source, (), hook.span))
    bearer = scope.roles.get("self")
    out.append(ir.Log(template, (bearer,) if bearer is not None else (), opens=True))
    return [*out, *low.dispatch.block(hook.body, inner), ir.LogEnd(), *done]


def hook_function(hook: tree.Trigger, low: Lowering, *, chosen: bool = False) -> str:
    """`hook(this, self, args...)`: runs an enabled hook; asks first where the rule says `may`, unless it was chosen."""
    asks = hook.may and not chosen
    key = ("hook", id(hook), asks)
    if key in low.names:
        return low.names[key]
    name = low.unique(f"{hook.origin.name or 'core'}_{hook.kind.replace(' ', '_')}_{hook.pattern.event}")
    low.names[key] = name
    scope, params = hook_function_scope(hook, low)
    args = tuple(ir.Local(p) for p in params[2:])
    body = call_hook(hook, scope, args, low)
    if asks:
        body = ask_consent(hook, asked_player(scope), body, scope, "yes", args, ir.Local("self"))
    low.function(name, "routine", params, body, hook_title(hook, low), hook.span)
    return name


def hook_function_scope(hook: tree.Trigger, low: Lowering) -> tuple[Scope, list[str]]:
    """A function scope with the hook's implicit variables and pattern names bound to `this`, `self`, `a0`...

    `self` holds the bearer as one word: see `bearers.pack_bearer`.
    """
    params = ["this", "self", *(f"a{k}" for k in range(len(pattern_params(hook.pattern.event, low))))]
    args = tuple(ir.Local(p) for p in params[2:])
    scope, _, _ = hook_bearers.hook_scope(hook, args, low)
    scope.seeks = hook.kind != "react to" and fast_forward.is_on_the_way(hook.pattern.event, low)
    bind_hook(hook, scope, ir.Local("this"), ir.Local("self"), low)
    if hook.kind == "after":
        # The event's body may have removed the bearer or an argument.
        declared = low.graph.body(hook.pattern.event)
        scope.forget(low.graph.removed_by(declared.body if declared is not None else ()))
        scope.forget(low.graph.removed_by([h.body for h in low.graph.hooks_on.get(hook.pattern.event, ())]))
    return scope, params


def bind_hook(hook: tree.Trigger, scope: Scope, this: ir.Expr, self: ir.Expr, low: Lowering) -> None:
    if hook.always or hook.origin.what == "core":
        return
    if hook.origin.what == "row":
        bind_roles(hook, scope, None, ir.Const(hook.origin.row))
        return
    bearer, owner = bearers.unpack_bearer(hook, self, this, low)
    bind_roles(hook, scope, this, bearer, owner, partner_at(hook, this, bearer, low))


# ---- pools of due hooks


class Pool:
    """The before- or after-hooks of one event."""

    def __init__(self, event: str, when_: str, hooks: Sequence[tree.Trigger], low: Lowering) -> None:
        self.event = event
        self.when = when_
        self.hooks = list(hooks)
        self.low = low
        self.items = f"due_{when_}"
        self.bearers = bearers.largest_packed_bearer(low) + 1
        self.cards = len(low.plan.cards)
        routine = low.program.routines.get(event)
        self.owners_order = routine is not None and routine.owners_order

    # -- packing

    def pack(self, k: int, scope: Scope) -> ir.Expr:
        hook = self.hooks[k]
        bearer: ir.Expr = ir.Const(0)
        if not hook.always and hook.origin.what in ("trait", "card"):
            owner = scope.roles.get("owner", ir.Const(0))
            bearer = bearers.pack_bearer(hook, scope.roles.get("self", ir.Const(0)), owner, self.low)
        card = scope.roles.get("this", ir.Const(0))
        return add(times(add(ir.Const(k * self.bearers), bearer), ir.Const(self.cards)), card)

    def _append(self, k: int, scope: Scope) -> list[ir.Stmt]:
        return [ir.Append(self.items, self.pack(k, scope))]

    def hook_of(self, item: ir.Expr) -> ir.Expr:
        return ir.Arith("//", item, ir.Const(self.bearers * self.cards))

    def bearer_of(self, item: ir.Expr) -> ir.Expr:
        return ir.Arith("%", ir.Arith("//", item, ir.Const(self.cards)), ir.Const(self.bearers))

    def card_of(self, item: ir.Expr) -> ir.Expr:
        return ir.Arith("%", item, ir.Const(self.cards))

    def owner_at(self, k: int, bearer: ir.Expr, card: ir.Expr) -> ir.Expr:
        """Owner of an item of hook k, by its bearer and card; 0 where there is none."""
        return (
            bearers.unpack_bearer(self.hooks[k], bearer, card, self.low)[1] if self.may_have_owner(k) else ir.Const(0)
        )

    def may_have_owner(self, k: int) -> bool:
        """Whether an item of hook k may belong to a player."""
        return tree.is_borne(self.hooks[k])

    def may_lack_owner(self, k: int) -> bool:
        """Whether an item of hook k may belong to no player (`nobody` is none)."""
        hook, low = self.hooks[k], self.low
        return (
            hook.always
            or hook.origin.what != "trait"
            or low.plan.features.nobody
            or bool(bearers.unattached_cards(hook, low))
        )

    def owner_of(self, item: ir.Expr) -> ir.Expr:
        """Owner of the item's bearer; 0 for what has none."""
        result: ir.Expr = ir.Const(0)
        for k in range(len(self.hooks)):
            owner = self.owner_at(k, self.bearer_of(item), self.card_of(item))
            if k == 0 or result == owner:
                result = owner
            else:
                result = ir.If(ir.Compare("==", self.hook_of(item), ir.Const(k)), owner, result)
        return result

    # -- fixing and ordering

    def fix(self, scope: Scope, args: Args) -> list[ir.Stmt]:
        """A new list of the items due now, in order."""
        found, maybe = self.due(scope, args)
        return [*self.empty(), *branch(maybe, found)]

    def due(self, scope: Scope, args: Args) -> tuple[list[ir.Stmt], ir.Expr]:
        """Statements that put into the list what is due, and a cheap condition without which nothing is."""
        low = self.low
        found: list[ir.Stmt] = []
        maybe: list[ir.Expr] = []
        for k, hook in enumerate(self.hooks):
            each = hook_bearers.loop_over_matches(hook, args, low, partial(self._append, k))
            hint = hook_bearers.may_match(hook, args, low)
            maybe.append(hint)
            found += each if len(self.hooks) == 1 else branch(hint, each)
        if self.room() > 1:
            found.append(ir.Branch(ir.Compare(">", ir.Length(self.items), ir.Const(1)), (self._sort(),)))
        return found, disjunction(*maybe)

    def empty(self) -> list[ir.Stmt]:
        """The list with nothing due."""
        return [ir.NewList(self.items, self.capacity())]

    def capacity(self) -> int:
        """Room of a list of items."""
        return max(1, min(self.room(), 4096))

    def room(self) -> int:
        """The most items that can be due at once."""
        return sum(self._room(h) for h in self.hooks)

    def _room(self, hook: tree.Trigger) -> int:
        low = self.low
        if not tree.is_borne(hook):
            return 1
        if hook.origin.what == "card":
            return len(hook_bearers.row_cards(hook.origin, low))
        number, kind = trait_number(hook.origin, low), bearer_kind(hook, low)
        ends = 2 + bearers.copier_count(kind, low)  # a pair has two, and each card that copies may make one more
        return sum(number in c.faces for c in low.plan.cards) * ends

    def _sort(self) -> ir.Stmt:
        low = self.low
        item, n = ir.Local("it"), low.plan.players
        by_hook = self.hook_of(item)
        step = 1 if low.model.clockwise else -1
        starts = [1, *range(1, n + 1), 1]  # outside of turns natural order may begin anywhere
        distance = [[n + 1, *(((o - f) * step) % n for o in range(1, n + 1)), n] for f in starts]
        seats = low.table("seat_distance", [d for row in distance for d in row])
        seat: ir.Expr = ir.Table(seats, add(times(first_player(low), ir.Const(n + 2)), self.owner_of(item)))
        always = low.table("hook_always", [0 if hook.always else 1 for hook in self.hooks])
        place, age = self._where(item)
        number = ir.Table(low.table("hook_trait", self._numbers()), by_hook)
        keys = (ir.Table(always, by_hook), seat, place, number, age)
        return ir.Sort(self.items, "it", tuple(ir.SortKey(key, False) for key in keys))

    def _numbers(self) -> list[int]:
        """By hook: its place among the origins of hooks."""
        keys = [tree.by_origin(hook) for hook in self.hooks]
        places = sorted(set(keys))
        return [places.index(key) for key in keys]

    def _where(self, item: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Keys: where the item's bearer stands, kind by kind along its line (or by slot); the age of its card there.

        What lies on no thing stands before all that do, in the order in which cards are declared.
        """
        low, bearer = self.low, self.bearer_of(item)
        on = [
            hook.bearer.self.type.name if hook.bearer.self is not None and bearers.bears_on_things(hook, low) else ""
            for hook in self.hooks
        ]
        place: ir.Expr = ir.Const(0)
        lies: ir.Expr = FALSE
        before = 0  # places of the kinds so far
        for kind in (kind for kind in low.model.made if kind in on):
            laid, rows = low.plan.kinds[kind], low.plan.rows_of(kind)
            mine = ir.Table(low.table("hook_bears", [int(k == kind) for k in on]), self.hook_of(item))
            mixed = any(
                k == kind and bearers.unattached_cards(hook, low) for k, hook in zip(on, self.hooks, strict=True)
            )
            here = conjunction(
                TRUE if set(on) == {kind} else mine,
                ir.Compare("<=", bearer, ir.Const(rows)) if mixed else TRUE,
            )
            there = add(ir.Call(position_function(low, kind), (bearer,)) if laid.prev else bearer, ir.Const(before))
            place = there if here == TRUE else ir.If(here, there, place)
            lies = disjunction(lies, here)
            before += rows
        age: ir.Expr = (
            ir.Cell(trait_masks.age_column(low), self.card_of(item)) if trait_masks.age_matters(low) else ir.Const(0)
        )
        return place, age if lies == TRUE else ir.If(lies, age, self.card_of(item))

    # -- running

    def enabled(self, k: int, item: ir.Expr, args: Args) -> ir.Expr:
        """The condition that an item of hook k may run now, as a call of a pure function."""
        low, hook = self.low, self.hooks[k]
        key = ("enabled", id(hook))
        if key not in low.names:
            low.names[key] = name = low.unique(f"enabled_{hook.origin.name or 'core'}_{self.event}")
            scope, params = hook_function_scope(hook, low)
            inner = tuple(ir.Local(p) for p in params[2:])
            guard = lower_condition(hook.guard, scope) if hook.guard is not None else TRUE
            if (
                hook.kind != "after"
                and hook.bearer.self is not None
                and hook.origin.what == "trait"
                and not hook.always
            ):
                bearer = scope.roles["self"]
                alive = is_present_type(hook.bearer.self.type.sure(), bearer, low)
                if bearers.unattached_cards(hook, low) and bearers.bears_on_things(hook, low):
                    alive = disjunction(negate(bearer), alive)
                guard = conjunction(alive, guard)
            test = conjunction(guard, may_hook_run(hook, scope, inner, low))
            body = [ir.Return(ir.If(test, TRUE, ir.Const(0)))] if not isinstance(test, ir.Const) else [ir.Return(test)]
            low.function(name, "pure", params, body, hook_title(hook, low), hook.span)
        name = low.names[key]
        body_of = low.functions[name].body
        if body_of == (ir.Return(TRUE),):
            return TRUE
        return ir.Call(name, (self.card_of(item), self.bearer_of(item), *args))

    def call(self, k: int, item: ir.Expr, args: Args, *, chosen: bool = False) -> ir.Stmt:
        name = hook_function(self.hooks[k], self.low, chosen=chosen)
        return ir.CallRoutine(name, (self.card_of(item), self.bearer_of(item), *args))

    def in_order(self, scope: Scope, args: Args) -> list[ir.Stmt]:
        """Runs what is due, in the order of the list."""
        name = scope.fresh("item")
        return [self.each(name, self.dispatch(ir.Local(name), args))]

    def each(self, name: str, body: Sequence[ir.Stmt]) -> ir.Stmt:
        """A loop over the items; no loop where there is one at most, so that nothing comes after it but what does."""
        if not tree.happens_at_most_once(self.hooks):
            return ir.ForList(name, self.items, tuple(body))
        return ir.Branch(ir.Length(self.items), (ir.Set(name, ir.Item(self.items, ir.Const(0))), *body))

    def dispatch(self, item: ir.Expr, args: Args) -> list[ir.Stmt]:
        """Runs one item if it is enabled."""
        out: list[ir.Stmt] = []
        for k, hook in enumerate(self.hooks):
            mine = branch(
                fast_forward.is_hook_enabled(hook, self.enabled(k, item, args), self.low), [self.call(k, item, args)]
            )
            out += mine if len(self.hooks) == 1 else branch(equal(self.hook_of(item), ir.Const(k)), mine)
        return out

    def options(self) -> list[ActionInfo]:
        """How the hooks look as options."""
        return [hook_option(hook, self.low) for hook in self.hooks]
