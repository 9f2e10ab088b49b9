"""Patterns of hooks: which happenings of an event they match, and the names that they bind."""

from __future__ import annotations

from rulelang.base.english import either
from rulelang.base.nearest import did_you_mean
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS, PLAYERS
from rulelang.language.semantics.check import bearers, meant, names
from rulelang.language.semantics.check.checker import Checker, article, known
from rulelang.language.semantics.check.symbols import Signature
from rulelang.language.semantics.types import ERROR, TRAIT, Type
from rulelang.language.syntax import nodes

Bound = list[tuple[tree.Local, nodes.Slot, Type]]


def pattern(checker: Checker, event: nodes.Event, signature: Signature) -> tuple[tree.EventPattern | None, Bound]:
    """One slot for each parameter. None if a slot names an absent trait that is known of: the hook is dropped."""
    bound: Bound = []
    params = signature.params
    if len(event.slots) > len(params):
        extra = event.slots[len(params)]
        parts = "1 part" if len(event.slots) == 1 else f"{len(event.slots)} parts"
        message = f"{signature.shape}, but the pattern has {parts}"
        hint = ""
        if bearers.bearer_of(checker.symbols, signature) is not None:
            part = (extra if not params else event.slots[0]).name or "any"
            form = ".".join(event.path) + ("(...)" if params else "")
            hint = f"name its bearer with `of`: `{form} of {part}`"
        checker.error("W510", extra.span, message, hint=hint, related=names.declared(signature))
        for slot in event.slots[len(params) :]:
            _unknown(checker, slot)
    slots: list[tree.PatternSlot] = []
    for at, param in enumerate(params):
        if at >= len(event.slots):
            slots.append(tree.AnySlot())
            continue
        slot = event.slots[at]
        found = _slot(checker, slot, param.type, signature, signature.shape, bound)
        if found is None:
            return None, bound
        slots.append(found)
    bearer = _borne_by(checker, event, signature, bound)
    if bearer is None:
        return None, bound
    return tree.EventPattern(event.span, signature.id, tuple(slots), bearer), bound


def _borne_by(checker: Checker, event: nodes.Event, signature: Signature, bound: Bound) -> tree.PatternSlot | None:
    """The slot behind `of`; W516 where nothing bears the event."""
    if event.bearer is None:
        return tree.AnySlot()
    type_ = bearers.bearer_of(checker.symbols, signature)
    if type_ is not None:
        because = f"the bearer of `{signature.id}` is {article(type_.sure())}"
        slot = _slot(checker, event.bearer, type_, signature, because, bound)
        if isinstance(slot, tree.EqualSlot) and not _may_bear(checker, signature, slot.expr):
            because = f"the bearer of `{signature.id}` is always `{checker.symbols.owner_name(signature.origin)}`"
            message = f"`{event.bearer.name}` is never its bearer"
            checker.error("W516", event.bearer.span, message, because=because, related=names.declared(signature))
        return slot
    because = "`of` names the bearer of an action that belongs to a trait or row"
    if signature.always:
        because = bearers.ALWAYS.replace("rule", "action")
    hint = "name the arguments in the parentheses" if signature.params else "remove `of`"
    message = f"`{signature.id}` has no bearer"
    checker.error("W516", event.bearer.span, message, because=because, hint=hint, related=names.declared(signature))
    _unknown(checker, event.bearer)
    return tree.AnySlot()


def _unknown(checker: Checker, slot: nodes.Slot) -> None:
    """What a part would stand for that has been refused is not asked any more."""
    if slot.name is not None and slot.name not in checker.scope.bearer:
        checker.scope.bind(slot.name, ERROR)


def _may_bear(checker: Checker, signature: Signature, named: tree.Expr) -> bool:
    """False where the action is one row's, and another row is named."""
    origin, mine = signature.origin, checker.scope.origin
    if origin.what == "trait" or named.type == ERROR:
        return True
    if isinstance(named, tree.Const):
        return named.value == origin.row
    return (mine.what, mine.name, mine.row) == (origin.what, origin.name, origin.row)


def _slot(
    checker: Checker, slot: nodes.Slot, type_: Type, signature: Signature, because: str, bound: Bound
) -> tree.PatternSlot | None:
    """What one part of a pattern matches. `because`: why something of this type stands there."""
    name = slot.name
    if name is None:
        return tree.AnySlot()
    bearer = checker.scope.bearer.get(name)
    if bearer is not None:
        if known(type_, bearer.type) and type_.sure() != bearer.type.sure():
            message = f"expected {article(type_)}, found `{name}`, {article(bearer.type)}"
            checker.error("T400", slot.span, message, because=because, related=names.declared(signature))
        return tree.EqualSlot(names.use(checker, _certain(checker, bearer), slot.span))
    if name in BEARERS:
        return tree.EqualSlot(names.no_bearer(checker, name, slot.span))
    if type_.sure() == TRAIT and name in checker.absent:
        return None
    if (
        type_.tag == "ref"
        and checker.symbols.row_number(type_.name, name) is None
        and names.gone(checker, name, slot.span, type_.name)
    ):
        return tree.AnySlot()
    constant = names.constant_of(checker, name, slot.span, type_)
    if constant is not None:
        return tree.EqualSlot(constant)
    if name in PLAYERS and type_.name == "player":
        return tree.EqualSlot(names.resolve(checker, name, slot.span, type_))
    if any(local.text == name for local, _, _ in bound):
        message = f"the name `{name}` is used twice"
        checker.error(
            "N364",
            slot.span,
            message,
            because="",
            hint="choose another name",
        )
        return tree.AnySlot()
    local = checker.scope.bind(name, type_)
    bound.append((local, slot, type_))
    return tree.BindSlot(local)


def _certain(checker: Checker, bearer: tree.Local) -> tree.Local:
    """What is missing equals nothing: what stands in the pattern is there in the whole hook."""
    if not bearer.type.maybe:
        return bearer
    there = tree.Local(bearer.name, bearer.type.sure(), bearer.text)
    checker.scope.bearer = {**checker.scope.bearer, bearer.name: there}
    return there


def unused(checker: Checker, bound: Bound) -> None:
    for local, slot, type_ in bound:
        if local.name in checker.scope.used:
            continue
        because = "a new name matches everything, so a misspelled constant does too"
        beyond = meant.beyond_edges(checker, local.text, type_)
        rows = list(checker.symbols.rows_of(type_.name)) if type_.tag == "ref" and beyond is None else []
        near = did_you_mean(local.text, [*rows, *checker.scope.bearer])
        if beyond is not None:
            because, near = f"{because}; {beyond[0]}", beyond[1]
        hint = near or "write `any` for a part that does not matter"
        if rows and len(rows) <= 12:
            because += f"; expected {either([f'`{row}`' for row in rows])}"
        checker.error("N359", slot.span, f"nothing uses the new name `{local.text}`", because=because, hint=hint)
