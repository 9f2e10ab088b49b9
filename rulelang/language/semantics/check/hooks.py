"""Hooks: patterns of events, guards, and what each kind of hook may name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from rulelang.base.english import either, with_article
from rulelang.base.memo import Same
from rulelang.base.nearest import did_you_mean
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS
from rulelang.language.semantics.check import bearers, expressions, names, not_hooked, patterns, statements, texts
from rulelang.language.semantics.check.apart import apart
from rulelang.language.semantics.check.checker import Checker, Inside, article, known, wrong
from rulelang.language.semantics.check.declarations import enter
from rulelang.language.semantics.check.symbols import Signature, What
from rulelang.language.semantics.tree import Origin
from rulelang.language.semantics.types import BOOL, INT, TRAIT, ref
from rulelang.language.syntax import nodes

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
        found = apart(checker, (Same(node), origin, group, order), partial(_hook, checker, origin, node, group, order))
        whole.modifies += found.modifies
        whole.forbids += found.forbids
        whole.ignores += found.ignores
        whole.triggers += found.triggers
        whole.copies += found.copies
    return whole


def _hook(checker: Checker, origin: Origin, node: Node, group: int, order: int) -> Hooks:
    """What comes of one hook, of this group and place in the text order."""
    found = Hooks()
    _in_force(checker, origin, node)
    if isinstance(node, nodes.CopyCards):
        _copy(checker, found, origin, node, group)
        return found
    events = (node.event,) if isinstance(node, nodes.Modify) else node.events
    missed: set[str] = set()
    for event in events:
        name = f"hook {group}" if len(events) == 1 else f"hook {group} on {'.'.join(event.path)}"
        inside: Inside = node.kind if isinstance(node, nodes.Trigger) else "hook"
        enter(checker, origin, inside, name, always=node.always)
        checker.scope.missed = missed
        card = _ignored_card(checker, node) if isinstance(node, nodes.Ignore) else None
        signature = _target(checker, event, node)
        if signature is None:
            continue
        pattern, bound = patterns.pattern(checker, event, signature)
        if pattern is None:
            continue
        bearer = bearers.as_tree(checker.scope.bearer)
        declared = (
            name,
            name,
            node.span,
            origin,
            node.cites,
            pattern,
            bearer,
            node.always,
            guard(checker, node.guards),
            group,
            order,
        )
        match node:
            case nodes.Modify():
                value = _modification(checker, node, signature)
                found.modifies.append(tree.Modify(*declared, node.op, value, _reason(checker, node)))
            case nodes.Forbid():
                found.forbids.append(tree.Forbid(*declared, texts.parts(checker, node.because, node.span)))
            case nodes.Ignore():
                trait = node.what if node.binder_name is None else None
                if trait is None or _trait_known(checker, node):
                    found.ignores.append(tree.Ignore(*declared, trait, card))
            case nodes.Trigger():
                once_per = names.scope_word(checker, node.once_per, node, "`once per`")
                body = statements.block(checker, node.body)
                found.triggers.append(tree.Trigger(*declared, node.kind, node.may, once_per, body))
        patterns.unused(checker, bound)
    return found


def _reason(checker: Checker, node: nodes.Modify) -> tree.Words:
    if node.because is not None and node.op != "and":
        because = "`because` tells players why a condition fails, but only `modify ... and` adds a condition"
        checker.error("T434", node.span, "nobody sees this `because`", because=because, hint="remove the reason")
    return texts.parts(checker, node.because, node.span)


def _in_force(checker: Checker, origin: Origin, node: Node) -> None:
    """W514: a hook of cards that never lie in force."""
    if node.always or origin.what not in ("trait", "card") or bearers.ever_in_force(checker.symbols, origin):
        return
    sorts = [origin.name] if origin.what == "card" else bearers.sorts_of(checker.symbols, origin.name)
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


def guard(checker: Checker, guards: Sequence[nodes.Guard]) -> tree.Expr | None:
    """All guards in one condition; None if there is none."""
    whole: tree.Expr | None = None
    for node in guards:
        test = expressions.condition(
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
        if (other := not_hooked.other(checker, event.path)) is not None:
            not_hooked.report(checker, event, node, other)
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
        related = names.declared(signature)
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
    if event.path[-1] in checker.lost or names.gone(checker, event.path[0], event.name_span):
        return
    candidates = [s.id for s in checker.symbols.signatures.values() if s.what in allowed]
    now, related = names.renamed_to(checker, path)
    hint = now or did_you_mean(path, candidates)
    if event.path[0] in BEARERS and (meant := event.path[-1]) in candidates:
        hint = f"write `{meant}({event.path[0]})`"
    because = "" if hint else f"expected {_kinds(allowed)}"
    if not hint and 0 < len(candidates) <= _FEW:
        hint = f"use {either([f'`{name}`' for name in candidates])}"
    checker.error("W500", event.name_span, f"nothing is called `{path}`", because=because, hint=hint, related=related)


# ---- the parts of single kinds


def _modification(checker: Checker, node: nodes.Modify, signature: Signature) -> tree.Expr:
    type_ = signature.result or BOOL
    allowed = _NUMBER_OPS if type_ == INT else _BOOL_OPS if type_ == BOOL else ("=",)
    if node.op not in allowed and known(type_):
        because = f"`{signature.name}` is {article(type_)}, so use {either([f'`{op}`' for op in allowed])}"
        message = f"`{node.op}` cannot modify `{signature.name}`"
        checker.error("T421", node.value.span, message, because=because, related=names.declared(signature))
        expressions.expr(checker, node.value, None)
        return wrong(node.value.span)
    want = INT if type_.tag == "int" else type_
    return expressions.typed(checker, node.value, want, f"`{signature.name}` is {article(type_)}")


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
        names.resolve(checker, node.what, node.what_span, TRAIT)
        return True
    if node.what not in checker.absent and not names.gone(checker, node.what, node.what_span, "trait"):
        hint = did_you_mean(node.what, checker.symbols.model.traits)
        because = "after `ignore`, write a trait, or bind a card: `ignore card c in ...`"
        checker.error("N350", node.what_span, f"there is no trait `{node.what}`", because=because, hint=hint)
    return False


def _copy(checker: Checker, found: Hooks, origin: Origin, node: nodes.CopyCards, group: int) -> None:
    name = f"hook {group}"
    bearer = enter(checker, origin, "hook", name, always=node.always)
    on = expressions.expr(checker, node.on, None)
    made, mine = checker.symbols.model.made, bearer.self.type.sure() if bearer.self is not None else None
    if known(on.type) and (on.type.tag != "ref" or on.type.name not in made):
        because = "`copy cards on` needs a thing"
        on = checker.error("T413", on.span, f"no cards can be on {article(on.type)}", because=because)
    elif origin.what != "trait" or mine is None or mine.name not in made:
        because = "the bearer (the thing with the trait card on it) copies the cards, and this rule has no bearer"
        hint = "remove `always`" if node.always and origin.what == "trait" else "write it as a rule of such a trait"
        checker.error("W513", node.span, "`copy cards on` needs a bearer", because=because, hint=hint)
    elif known(on.type) and on.type.sure() != mine:
        because = f"{article(mine)} can copy only the cards on {article(mine)}"
        on = checker.error("T413", on.span, f"expected {article(mine)}, found {article(on.type)}", because=because)
    found.copies.append(
        tree.CopyCards(name, name, node.span, origin, node.cites, on, bearer, node.always, guard(checker, node.guards))
    )
