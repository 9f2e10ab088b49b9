"""The arguments of an action: which combinations of them are legal, each tested as early as it can be."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, Scope, both, equal, when
from rulelang.compiler.lower.expr.calls import can_expr, seen_args
from rulelang.compiler.lower.expr.expressions import cond
from rulelang.compiler.lower.expr.iteration import loops
from rulelang.compiler.lower.expr.roles import roles_of
from rulelang.compiler.lower.routines import trials, triggers
from rulelang.compiler.lower.routines.performing import once_flag
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import conjuncts, locals_of, walk


def one_card_sorts(binders: Sequence[tree.Binder]) -> bool:
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


class Arguments:
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
        distinct = not self.wanted and one_card_sorts(self.action.binders)

        def one(inner: Scope) -> list[ir.Stmt]:
            deep = self.open(inner, binders[1:], later)
            if not self.wanted:
                return deep
            return when(equal(inner.names[binders[0].local.name], self.wanted[-len(binders)]), deep)

        def deeper() -> list[ir.Stmt]:
            return loops(binders[:1], scope, one, distinct=distinct) if binders else self._yield(scope)

        return when(both(*(cond(t, scope) for t in ready)), deeper())

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
            tests.append(can_expr(action.id, seen_args(action.id, args, scope), low))
        if trials.tries(action, low):
            tests.append(ir.Trial(trials.trial(action, low), (*roles, *args)))
        tests.append(triggers.possible(action.body, scope) if only_call(action) else TRUE)
        if self.found is not None:
            return when(both(*tests), self.found)
        compels: ir.Expr | None = None
        if action.compulsory is not None:
            compels = TRUE if action.compulsory.when is None else cond(action.compulsory.when, scope)
        return when(both(*tests), [ir.Yield((*roles, *args), compels)])


def only_call(action: tree.Action) -> bool:
    """An action that is nothing but one call is possible only if the call is."""
    return len(action.body) == 1 and isinstance(action.body[0], tree.CallRoutine) and not action.requires
