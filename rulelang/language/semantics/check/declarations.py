"""The second pass over routines, phases, actions, values, invariants and the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from rulelang.base.diagnostics import Related
from rulelang.base.memo import IdentityKey
from rulelang.base.wording import did_you_mean
from rulelang.language.semantics import tree
from rulelang.language.semantics.check import calls, expressions, names, statements
from rulelang.language.semantics.check.checker import Checker, Inside, Scope, check_separately
from rulelang.language.semantics.check.symbol_table import Declarations, Unit
from rulelang.language.semantics.model import BOOL
from rulelang.language.syntax import nodes


@dataclass(slots=True)
class Checked:
    """What the second pass makes of the declarations, in declared order."""

    routines: dict[str, tree.Routine] = field(default_factory=dict)
    actions: dict[str, tree.Action] = field(default_factory=dict)
    values: dict[str, tree.Value] = field(default_factory=dict)
    invariants: dict[str, tree.Invariant] = field(default_factory=dict)
    game: tree.Game | None = None


@dataclass(slots=True)
class Opening:
    """The run of `require`, `compulsory` and one `tells` that a body opens with, and what follows it."""

    requires: list[tree.Require] = field(default_factory=list)
    compulsory: tree.Compulsory | None = None
    tells: tree.Tells | None = None
    rest: Sequence[nodes.Stmt] = ()


def enter_scope(
    checker: Checker, origin: tree.Origin, inside: Inside, current: str, *, always: bool = False
) -> tree.Bearer:
    """Open a fresh scope for a declaration of this origin; the bearer it has."""
    found = {} if always else names.bearer_locals(checker.symbols, origin)
    why = names.ALWAYS if always and origin.what != "core" else names.CORE
    checker.scope = Scope(origin, inside, found, "" if found else why)
    checker.current = current
    trait = checker.symbols.model.traits.get(origin.name) if origin.what == "trait" else None
    known = set(trait.knows) if trait is not None else set()
    checker.absent = frozenset(known - checker.symbols.model.traits.keys())
    return names.as_tree_bearer(found)


def check_all(checker: Checker, declared: Declarations) -> Checked:
    """Check every body, up to the last mistake that is shown."""
    done = Checked()
    for unit in declared.units.values():
        if checker.out.full:
            return done
        key = IdentityKey(unit.node), unit.signature, unit.origin
        match check_separately(checker, key, partial(check_unit, checker, unit)):
            case tree.Routine() as routine:
                done.routines[routine.id] = routine
            case tree.Action() as action:
                done.actions[action.id] = action
            case tree.Value() as value:
                done.values[value.id] = value
            case tree.Invariant() as invariant:
                done.invariants[invariant.id] = invariant
    if declared.game is not None:
        origin, node = declared.game
        done.game = check_separately(checker, (IdentityKey(node), origin), partial(_game, checker, origin, node))
    return done


def _game(checker: Checker, origin: tree.Origin, node: nodes.Game) -> tree.Game:
    enter_scope(checker, origin, "game", "game")
    return tree.Game("game", "game", node.span, origin, node.cites, statements.check_block(checker, node.body))


def check_unit(checker: Checker, unit: Unit) -> tree.Routine | tree.Action | tree.Value | tree.Invariant:
    match unit.node:
        case nodes.Phase() | nodes.Routine():
            return _routine(checker, unit, unit.node)
        case nodes.Action():
            return _action(checker, unit, unit.node)
        case nodes.Value():
            return _value(checker, unit, unit.node)
        case nodes.Invariant():
            return _invariant(checker, unit, unit.node)


def _params(checker: Checker, unit: Unit) -> tuple[tree.Local, ...]:
    return tuple(checker.scope.bind(param.name, param.type) for param in unit.signature.params)


def _routine(checker: Checker, unit: Unit, node: nodes.Phase | nodes.Routine) -> tree.Routine:
    is_phase = isinstance(node, nodes.Phase)
    bearer = enter_scope(checker, unit.origin, "phase" if is_phase else "routine", unit.signature.id)
    checker.scope.phase = unit.signature.id if is_phase else ""
    params = _params(checker, unit)
    opening = _opening(checker, node.body or (), compulsory=False)
    return tree.Routine(
        unit.signature.id,
        node.name,
        node.span,
        unit.origin,
        node.cites,
        is_phase,
        params,
        bearer,
        isinstance(node, nodes.Routine) and node.owners_order,
        tuple(opening.requires),
        opening.tells,
        statements.check_block(checker, opening.rest),
        node.body is None,
        unit.signature.number,
    )


def _action(checker: Checker, unit: Unit, node: nodes.Action) -> tree.Action:
    bearer = enter_scope(checker, unit.origin, "action", unit.signature.id, always=node.always)
    asks, bound, reasons = _arguments(checker, node)
    during = tuple(_phase(checker, name) for name in node.during)
    once_per = names.scope_word(checker, node.once_per, node, "`once per`")
    opening = _opening(checker, node.body, compulsory=True)
    return tree.Action(
        unit.signature.id,
        node.name,
        node.span,
        unit.origin,
        node.cites,
        bound,
        bearer,
        node.always,
        during,
        node.free,
        once_per,
        node.in_steps,
        tuple(opening.requires),
        opening.compulsory,
        opening.tells,
        statements.check_block(checker, opening.rest),
        reasons,
        asks,
    )


def _arguments(
    checker: Checker, node: nodes.Action
) -> tuple[tuple[tree.Words, ...], tuple[tree.Binder, ...], tuple[tree.Words, ...]]:
    """The arguments of an action: the words of the question for each, which know those before it, and why not."""
    asks: list[tree.Words] = []
    bound: list[tree.Binder] = []
    reasons: list[tree.Words] = []
    for each in node.binders:
        asks.append(statements.question_words(checker, each.asks))
        if each.asks is not None and not node.in_steps:
            because = "a player chooses all arguments of an action together, unless it is `in steps`"
            checker.error(
                "T432", each.asks.span, "nobody sees this question", because=because, hint="remove the question"
            )
        found, told = calls.bind_chosen(checker, (each,))
        bound += found
        reasons += told
    return tuple(asks), tuple(bound), tuple(reasons)


def _phase(checker: Checker, name: nodes.Name) -> str:
    found = checker.symbols.find(name.id, checker.scope.origin)
    if found is not None and found.what == "phase":
        return found.id
    if found is None and name.id in checker.lost:
        return name.id
    phases = [s.name for s in checker.symbols.visible(checker.scope.origin) if s.what == "phase"]
    because = ""
    related: tuple[Related, ...] = ()
    if found is not None:
        because = f"expected a phase, found the {found.what} `{name.id}`"
        related = (Related(found.span, f"`{name.id}` is declared here"),)
    message, hint = f"there is no phase `{name.id}`", did_you_mean(name.id, phases)
    checker.error("N357", name.span, message, because=because, hint=hint, related=related)
    return name.id


def _opening(checker: Checker, body: Sequence[nodes.Stmt], *, compulsory: bool) -> Opening:
    found = Opening(rest=body)
    for at, node in enumerate(body):
        if isinstance(node, nodes.Require):
            found.requires.append(statements.check_require(checker, node))
        elif isinstance(node, nodes.Compulsory) and compulsory and found.compulsory is None:
            found.compulsory = statements.check_compulsory(checker, node)
        elif isinstance(node, nodes.Tells) and found.tells is None:
            found.tells = statements.check_tells(checker, node)
        else:
            break
        found.rest = body[at + 1 :]
    return found


def _value(checker: Checker, unit: Unit, node: nodes.Value) -> tree.Value:
    bearer = enter_scope(checker, unit.origin, "value", unit.signature.id)
    params = _params(checker, unit)
    type_ = unit.signature.result
    assert type_ is not None
    why = f"the value `{node.name}` is declared `-> {type_}`"
    body = expressions.check_typed(checker, node.body, type_, why, sure=True)
    return tree.Value(unit.signature.id, node.name, node.span, unit.origin, node.cites, params, bearer, type_, body)


def _invariant(checker: Checker, unit: Unit, node: nodes.Invariant) -> tree.Invariant:
    enter_scope(checker, unit.origin, "invariant", unit.signature.id)
    body = expressions.check_typed(checker, node.body, BOOL, "an invariant is a condition")
    return tree.Invariant(unit.signature.id, node.name, node.span, unit.origin, node.cites, body)
