"""Check hooks: their patterns, guards and events, and explain what cannot be hooked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulelang.base.diagnostics import Related
from rulelang.base.memo import IdentityKey
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import a_quoted, did_you_mean, list_with_or, with_article
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS, PLAYERS
from rulelang.language.semantics.check import expressions, names, statements
from rulelang.language.semantics.check.checker import Checker, Inside, a_type, all_known, check_separately, error_expr
from rulelang.language.semantics.check.declarations import enter_scope
from rulelang.language.semantics.check.symbol_table import Signature, What
from rulelang.language.semantics.model import BOOL, ERROR, INT, TRAIT, Type, ref
from rulelang.language.semantics.tree import Origin
from rulelang.language.syntax import nodes
from rulelang.language.syntax.printer import print_expression

# ---- patterns

Bound = list[tuple[tree.Local, nodes.Slot, Type]]


def check_pattern(checker: Checker, event: nodes.Event, signature: Signature) -> tuple[tree.EventPattern | None, Bound]:
    """One slot for each parameter. None if a slot names an absent trait that is known of: the hook is dropped."""
    bound: Bound = []
    params = signature.params
    if len(event.slots) > len(params):
        extra = event.slots[len(params)]
        parts = "1 part" if len(event.slots) == 1 else f"{len(event.slots)} parts"
        message = f"{signature.shape}, but the pattern has {parts}"
        hint = ""
        if names.bearer_of(checker.symbols, signature) is not None:
            part = (extra if not params else event.slots[0]).name or "any"
            form = ".".join(event.path) + ("(...)" if params else "")
            hint = f"name its bearer with `of`: `{form} of {part}`"
        checker.error("W510", extra.span, message, hint=hint, related=names.declared_at(signature))
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
    type_ = names.bearer_of(checker.symbols, signature)
    if type_ is not None:
        because = f"the bearer of `{signature.id}` is {a_type(type_.sure())}"
        slot = _slot(checker, event.bearer, type_, signature, because, bound)
        if isinstance(slot, tree.EqualSlot) and not _may_bear(checker, signature, slot.expr):
            because = f"the bearer of `{signature.id}` is always `{checker.symbols.owner_name(signature.origin)}`"
            message = f"`{event.bearer.name}` is never its bearer"
            checker.error("W516", event.bearer.span, message, because=because, related=names.declared_at(signature))
        return slot
    because = "`of` names the bearer of an action that belongs to a trait or row"
    if signature.always:
        because = names.ALWAYS.replace("rule", "action")
    hint = "name the arguments in the parentheses" if signature.params else "remove `of`"
    message = f"`{signature.id}` has no bearer"
    checker.error("W516", event.bearer.span, message, because=because, hint=hint, related=names.declared_at(signature))
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
        if all_known(type_, bearer.type) and type_.sure() != bearer.type.sure():
            message = f"expected {a_type(type_)}, found `{name}`, {a_type(bearer.type)}"
            checker.error("T400", slot.span, message, because=because, related=names.declared_at(signature))
        return tree.EqualSlot(names.use_local(checker, _certain(checker, bearer), slot.span))
    if name in BEARERS:
        return tree.EqualSlot(names.no_bearer(checker, name, slot.span))
    if type_.sure() == TRAIT and name in checker.absent:
        return None
    if (
        type_.tag == "ref"
        and checker.symbols.row_number(type_.name, name) is None
        and names.report_removed(checker, name, slot.span, type_.name)
    ):
        return tree.AnySlot()
    constant = names.constant_of(checker, name, slot.span, type_)
    if constant is not None:
        return tree.EqualSlot(constant)
    if name in PLAYERS and type_.name == "player":
        return tree.EqualSlot(names.resolve_name(checker, name, slot.span, type_))
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


def report_unused(checker: Checker, bound: Bound) -> None:
    for local, slot, type_ in bound:
        if local.name in checker.scope.used:
            continue
        because = "a new name matches everything, so a misspelled constant does too"
        beyond = names.beyond_edges(checker, local.text, type_)
        rows = list(checker.symbols.rows_of(type_.name)) if type_.tag == "ref" and beyond is None else []
        near = did_you_mean(local.text, [*rows, *checker.scope.bearer])
        if beyond is not None:
            because, near = f"{because}; {beyond[0]}", beyond[1]
        hint = near or "write `any` for a part that does not matter"
        if rows and len(rows) <= 12:
            because += f"; expected {list_with_or([f'`{row}`' for row in rows])}"
        checker.error("N359", slot.span, f"nothing uses the new name `{local.text}`", because=because, hint=hint)


# ---- what cannot be hooked

_SHOWN = 3


@record
class OtherMeaning:
    """Something that has the name of a hook's target and cannot be hooked. `what`: in words; `read`: how rules read it,
    empty if they cannot; `kept`: whether rules change it."""

    what: str
    span: Span
    read: str = ""
    kept: bool = False
    type: Type | None = None
    zone: bool = False


def other_meaning(checker: Checker, path: Sequence[str]) -> OtherMeaning | None:
    """What the path of a hook names instead of an event or a value; None if there is no such thing."""
    name = path[-1]
    if len(path) > 1 and path[0] not in BEARERS and checker.scope.find(path[0]) is None:
        return None
    return next(_others(checker, name, path[0] if len(path) > 1 else ""), None)


def _others(checker: Checker, name: str, of: str) -> Iterator[OtherMeaning]:
    symbols, model = checker.symbols, checker.symbols.model
    if not of and name in model.state:
        state = model.state[name]
        yield OtherMeaning("an entry of `state:`", state.span, name, True, state.type)
    if not of and name in model.numbers:
        yield OtherMeaning("an entry of `numbers:`", model.numbers[name].span, name, False, INT)
    if not of and name in model.tables:
        yield OtherMeaning("a table", model.tables[name].span, "", False, INT)
    for zone in symbols.zones_named(name):
        yield OtherMeaning("a zone", zone.span, zone=True)
    for kind in _bearer_kinds(checker):
        member = symbols.members(kind, checker.scope.origin).get(name)
        if member is None or member.what in ("zone", "slot"):
            continue
        word = {"column": "a column", "built in": "a property"}.get(member.what, "an attribute")
        kept = member.what in ("attribute", "state")
        yield OtherMeaning(f"{word} of {a_quoted(kind)}", member.span, f"{of or 'self'}.{name}", kept, member.type)
    if not of and name in model.traits:
        yield OtherMeaning("a trait", model.traits[name].span)
    if not of and name in model.options:
        yield OtherMeaning("an option", model.options[name].span, f"option.{name}", False, model.options[name].type)
    if not of and symbols.is_kind(name):
        yield OtherMeaning("a kind", _span_of(checker, name))


def _bearer_kinds(checker: Checker) -> list[str]:
    """All kinds, that of the bearer first."""
    bearer = checker.scope.bearer.get("self")
    kinds = checker.symbols.kinds()
    first = [bearer.type.name] if bearer is not None and bearer.type.name in kinds else []
    return list(dict.fromkeys([*first, *kinds]))


def _span_of(checker: Checker, kind: str) -> Span:
    model = checker.symbols.model
    for section in (model.made, model.sorts, model.lists, model.grids):
        if kind in section:
            return section[kind].span
    return Span("", 0, 0, 0, 0)


def report_not_hookable(checker: Checker, event: nodes.Event, node: nodes.Declaration, found: OtherMeaning) -> None:
    """W501: what the name is, what the hook needs, and what can be hooked instead."""
    name = ".".join(event.path)
    verb, needed = _needed(node)
    related = (Related(found.span, f"`{event.path[-1]}` is declared here"),) if found.span.path else ()
    message = f"{needed}, but `{name}` is {found.what}"
    if found.what == "a trait":
        hint = f"hook an event and test for the trait: `when X has {name}`"
    elif isinstance(node, nodes.Modify):
        hint = _for_value(checker, event, node, found)
    else:
        hint = _for_event(checker, event, verb)
    checker.error("W501", event.name_span, message, hint=hint, related=related)


def _needed(node: nodes.Declaration) -> tuple[str, str]:
    """The word of a hook, and what may follow it."""
    if isinstance(node, nodes.Modify):
        return "modify", "`modify` needs a value or an invariant"
    if isinstance(node, nodes.Trigger):
        return node.kind, f"`{node.kind}` needs a routine, a phase or an action"
    if isinstance(node, nodes.Forbid):
        return "forbid", "`forbid` needs a routine, a phase or an action"
    return "ignore", "`ignore ... in` needs a routine, a phase, an action, a value or an invariant"


def _for_value(checker: Checker, event: nodes.Event, node: nodes.Modify, found: OtherMeaning) -> str:
    ways = []
    boolean = found.type is not None and found.type == BOOL
    users = [] if found.zone else checker.symbols.values_that_read(event.path[-1], boolean)
    if users:
        ways.append(f"modify a value that uses it: {list_with_or([f'`{name}`' for name in users[:_SHOWN]])}")
    if found.kept:
        sign = node.op if node.op in ("+", "-") else ""
        change = f"{found.read} {sign}= {print_expression(node.value)}"
        ways.append(f"change it in an event, as in `after EVENT: {change}`")
    elif found.what.endswith("`numbers:`"):
        ways.append(f"set it in the YAML of a mod: `set: {{numbers.{event.path[-1]}: ...}}`")
    return "; or ".join(ways)


def _for_event(checker: Checker, event: nodes.Event, verb: str) -> str:
    events = [f"`{name}`" for name in checker.symbols.events_that_change(event.path[-1])[:_SHOWN]]
    return f"write `{verb}` with an event that changes it: {list_with_or(events)}" if events else ""


# ---- hooks

_EVENTS: tuple[What, ...] = ("routine", "phase", "action")
_VALUES: tuple[What, ...] = ("value", "invariant")
_NUMBER_OPS = ("=", "+", "-", "*", "/", "%", "at least", "at most")
#: So many events are listed in a hint; of more, none.
_FEW = 6
_BOOL_OPS = ("=", "or", "and")


@dataclass(slots=True)
class Hooks:
    """All hooks, in text order; one with several events is one for each event, with the same group."""

    modifies: list[tree.Modify] = field(default_factory=list)
    forbids: list[tree.Forbid] = field(default_factory=list)
    ignores: list[tree.Ignore] = field(default_factory=list)
    triggers: list[tree.Trigger] = field(default_factory=list)
    copies: list[tree.CopyCards] = field(default_factory=list)
    count: int = 0
    orders: dict[int, int] = field(default_factory=dict)

    def number(self, origin: Origin) -> tuple[int, int]:
        """The next group, and the place in the text order of the layer."""
        self.count += 1
        self.orders[origin.layer] = self.orders.get(origin.layer, 0) + 1
        return self.count, self.orders[origin.layer]


Node = nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards


def check_hooks(checker: Checker, declared: Sequence[tuple[Origin, Node]]) -> Hooks:
    """Check all hooks, in their order, up to the last mistake that is shown."""
    whole = Hooks()
    for origin, node in declared:
        if checker.out.full:
            break
        group, order = whole.number(origin)
        found = check_separately(
            checker, (IdentityKey(node), origin, group, order), partial(_hook, checker, origin, node, group, order)
        )
        whole.modifies += found.modifies
        whole.forbids += found.forbids
        whole.ignores += found.ignores
        whole.triggers += found.triggers
        whole.copies += found.copies
    return whole


def _hook(checker: Checker, origin: Origin, node: Node, group: int, order: int) -> Hooks:
    """What comes of one hook, of this group and place in the text order."""
    found = Hooks()
    _check_active(checker, origin, node)
    if isinstance(node, nodes.CopyCards):
        _copy(checker, found, origin, node, group)
        return found
    events = (node.event,) if isinstance(node, nodes.Modify) else node.events
    missed: set[str] = set()
    for event in events:
        name = f"hook {group}" if len(events) == 1 else f"hook {group} on {'.'.join(event.path)}"
        inside: Inside = node.kind if isinstance(node, nodes.Trigger) else "hook"
        enter_scope(checker, origin, inside, name, always=node.always)
        checker.scope.missed = missed
        card = _ignored_card(checker, node) if isinstance(node, nodes.Ignore) else None
        signature = _target(checker, event, node)
        if signature is None:
            continue
        pattern, bound = check_pattern(checker, event, signature)
        if pattern is None:
            continue
        bearer = names.as_tree_bearer(checker.scope.bearer)
        declared = (
            name,
            name,
            node.span,
            origin,
            node.cites,
            pattern,
            bearer,
            node.always,
            check_guards(checker, node.guards),
            group,
            order,
        )
        match node:
            case nodes.Modify():
                value = _modification(checker, node, signature)
                found.modifies.append(tree.Modify(*declared, node.op, value, _reason(checker, node)))
            case nodes.Forbid():
                found.forbids.append(tree.Forbid(*declared, expressions.text_parts(checker, node.because, node.span)))
            case nodes.Ignore():
                trait = node.what if node.binder_name is None else None
                if trait is None or _trait_known(checker, node):
                    found.ignores.append(tree.Ignore(*declared, trait, card))
            case nodes.Trigger():
                once_per = names.scope_word(checker, node.once_per, node, "`once per`")
                body = statements.check_block(checker, node.body)
                found.triggers.append(tree.Trigger(*declared, node.kind, node.may, once_per, body))
        report_unused(checker, bound)
    return found


def _reason(checker: Checker, node: nodes.Modify) -> tree.Words:
    if node.because is not None and node.op != "and":
        because = "`because` tells players why a condition fails, but only `modify ... and` adds a condition"
        checker.error("T434", node.span, "nobody sees this `because`", because=because, hint="remove the reason")
    return expressions.text_parts(checker, node.because, node.span)


def _check_active(checker: Checker, origin: Origin, node: Node) -> None:
    """W514: a hook of cards that never lie in force."""
    if node.always or origin.what not in ("trait", "card") or names.ever_active(checker.symbols, origin):
        return
    sorts = [origin.name] if origin.what == "card" else names.card_types_of(checker.symbols, origin.name)
    if not sorts:
        return
    because = f"no zone for cards of type `{sorts[0]}` has `in_force: true`"
    hint = "add `in_force: true` to the zone where the rule must apply, or write `always` in front of the rule"
    checker.error("W514", node.span, "this rule is never in effect", because=because, hint=hint)


_ANY_OF: dict[type[Node], tuple[What, ...]] = {
    nodes.Modify: _VALUES,
    nodes.Forbid: _EVENTS,
    nodes.Trigger: _EVENTS,
    nodes.Ignore: (*_EVENTS, *_VALUES),
}


def check_guards(checker: Checker, guards: Sequence[nodes.Guard]) -> tree.Expr | None:
    """All guards in one condition; None if there is none."""
    whole: tree.Expr | None = None
    for node in guards:
        test = expressions.check_truth(
            checker, node.condition, f"`{'unless' if node.unless else 'when'}` needs a condition"
        )
        if node.unless:
            test = tree.Not(BOOL, node.span, test)
        whole = test if whole is None else tree.Logic(BOOL, whole.span.to(node.span), "and", whole, test)
    return whole


# ---- targets


def _target(checker: Checker, event: nodes.Event, node: Node) -> Signature | None:
    allowed = _ANY_OF[type(node)]
    path = ".".join(event.path)
    signature = checker.symbols.find_path(event.path, checker.scope.origin)
    own = _only_row_action(checker, event.path[0]) if signature is None and len(event.path) == 1 else None
    if own is not None and own.what not in allowed:
        signature = own
    elif own is not None:
        because = "outside a trait or row, write its name before the name of its action"
        message = f"`{path}` is {with_article(own.what)} of {_owner_of(own)}"
        checker.error("W500", event.name_span, message, because=because, hint=f"write `{own.id}`")
        return None
    if signature is None:
        if event.path[0] in checker.absent:
            return None
        if (other := other_meaning(checker, event.path)) is not None:
            report_not_hookable(checker, event, node, other)
        else:
            _vanished(checker, event, allowed)
        return None
    if signature.what not in allowed:
        forms = {"Modify": "`modify`", "Forbid": "`forbid`", "Ignore": "`ignore`", "Trigger": "a trigger"}
        form = forms[type(node).__name__]
        hint = ""
        if signature.what in _VALUES:
            hint = f"write `modify {path}`"
        elif isinstance(node, nodes.Modify):
            hint = "use `forbid`, `before`, `after`, `instead of` or `react to`"
        related = names.declared_at(signature)
        message = f"{form} needs {_kinds(allowed)}, but `{path}` is {with_article(signature.what)}"
        checker.error("W501", event.name_span, message, hint=hint, related=related)
        return None
    origin = checker.scope.origin
    if signature.origin.what == "trait" and origin.what == "core" and origin.layer == 0:
        names.core_names_trait(checker, signature.origin.name, event.name_span)
    return signature


def _kinds(allowed: tuple[What, ...]) -> str:
    words = [with_article(what) for what in allowed]
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _owner_of(signature: Signature) -> str:
    """The trait or row that declares something, in words."""
    origin = signature.origin
    return f"the trait `{origin.name}`" if origin.what == "trait" else f"a row of `{origin.name}`"


def _only_row_action(checker: Checker, name: str) -> Signature | None:
    found = [s for s in checker.symbols.signatures.values() if s.name == name and s.origin.what != "core"]
    return found[0] if len(found) == 1 else None


def _vanished(checker: Checker, event: nodes.Event, allowed: tuple[What, ...]) -> None:
    path = ".".join(event.path)
    if event.path[-1] in checker.lost or names.report_removed(checker, event.path[0], event.name_span):
        return
    candidates = [s.id for s in checker.symbols.signatures.values() if s.what in allowed]
    now, related = names.renamed_to(checker, path)
    hint = now or did_you_mean(path, candidates)
    if event.path[0] in BEARERS and (meant := event.path[-1]) in candidates:
        hint = f"write `{meant}({event.path[0]})`"
    because = "" if hint else f"expected {_kinds(allowed)}"
    if not hint and 0 < len(candidates) <= _FEW:
        hint = f"use {list_with_or([f'`{name}`' for name in candidates])}"
    checker.error("W500", event.name_span, f"nothing is called `{path}`", because=because, hint=hint, related=related)


# ---- the parts of single kinds


def _modification(checker: Checker, node: nodes.Modify, signature: Signature) -> tree.Expr:
    type_ = signature.result or BOOL
    allowed = _NUMBER_OPS if type_ == INT else _BOOL_OPS if type_ == BOOL else ("=",)
    if node.op not in allowed and all_known(type_):
        because = f"`{signature.name}` is {a_type(type_)}, so use {list_with_or([f'`{op}`' for op in allowed])}"
        message = f"`{node.op}` cannot modify `{signature.name}`"
        checker.error("T421", node.value.span, message, because=because, related=names.declared_at(signature))
        expressions.check_expr(checker, node.value, None)
        return error_expr(node.value.span)
    want = INT if type_.tag == "int" else type_
    return expressions.check_typed(checker, node.value, want, f"`{signature.name}` is {a_type(type_)}")


def _ignored_card(checker: Checker, node: nodes.Ignore) -> tree.Local | None:
    if node.binder_name is None:
        return None
    if node.what not in checker.symbols.model.sorts:
        hint = did_you_mean(node.what, checker.symbols.model.sorts)
        because = "`ignore card c in ...` loops over cards"
        checker.error("N354", node.what_span, f"there is no card type `{node.what}`", because=because, hint=hint)
    return checker.scope.bind(node.binder_name, ref(node.what))


def _trait_known(checker: Checker, node: nodes.Ignore) -> bool:
    if node.what in checker.symbols.model.traits:
        names.resolve_name(checker, node.what, node.what_span, TRAIT)
        return True
    if node.what not in checker.absent and not names.report_removed(checker, node.what, node.what_span, "trait"):
        hint = did_you_mean(node.what, checker.symbols.model.traits)
        because = "after `ignore`, write a trait, or bind a card: `ignore card c in ...`"
        checker.error("N350", node.what_span, f"there is no trait `{node.what}`", because=because, hint=hint)
    return False


def _copy(checker: Checker, found: Hooks, origin: Origin, node: nodes.CopyCards, group: int) -> None:
    name = f"hook {group}"
    bearer = enter_scope(checker, origin, "hook", name, always=node.always)
    on = expressions.check_expr(checker, node.on, None)
    made, mine = checker.symbols.model.made, bearer.self.type.sure() if bearer.self is not None else None
    if all_known(on.type) and (on.type.tag != "ref" or on.type.name not in made):
        because = "`copy cards on` needs a thing"
        on = checker.error("T413", on.span, f"no cards can be on {a_type(on.type)}", because=because)
    elif origin.what != "trait" or mine is None or mine.name not in made:
        because = "the bearer (the thing with the trait card on it) copies the cards, and this rule has no bearer"
        hint = "remove `always`" if node.always and origin.what == "trait" else "write it as a rule of such a trait"
        checker.error("W513", node.span, "`copy cards on` needs a bearer", because=because, hint=hint)
    elif all_known(on.type) and on.type.sure() != mine:
        because = f"{a_type(mine)} can copy only the cards on {a_type(mine)}"
        on = checker.error("T413", on.span, f"expected {a_type(mine)}, found {a_type(on.type)}", because=because)
    found.copies.append(
        tree.CopyCards(
            name, name, node.span, origin, node.cites, on, bearer, node.always, check_guards(checker, node.guards)
        )
    )
