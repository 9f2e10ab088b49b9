"""Why something cannot be chosen: it is none of those that a variable ranges over, or fails its `where`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from rulelang.base.phrases import Filling, Phrase, phrase
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Scope, either, equal, when
from rulelang.compiler.lower.expr.expressions import cond
from rulelang.compiler.lower.routines.legality import blame, blame_words
from rulelang.compiler.lower.routines.wording import Words
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL


def blame_choice(s: tree.Choose, scope: Scope) -> list[ir.Stmt]:
    """What is wrong with the values that are bound in a scope for the variables of a `choose`."""
    return [stmt for b, why in zip(s.binders, s.becauses, strict=True) for stmt in blame_candidate(b, why, scope)]


def blame_candidate(b: tree.Binder, because: tree.Words, scope: Scope) -> list[ir.Stmt]:
    """Why a value is none of the binder's: it is not of its group, or fails its `where`."""
    out: list[ir.Stmt] = []
    ref = tree.LocalRef(b.local.type, b.span, b.local)
    for of_group, tell in _domain(b, ref):
        inside = either(cond(of_group, scope), *((equal(scope.names[b.local.name], ir.Const(0)),) if b.maybe else ()))
        out += when(inside, [], blame_words(tell, b.span, scope))
    if b.where is not None:
        held = blame(tree.Require(b.span, b.where, because), scope)
        out += when(scope.names[b.local.name], held) if b.maybe else held
    return out


def _domain(b: tree.Binder, ref: tree.LocalRef) -> Iterator[tuple[tree.Expr, Callable[[Words], Phrase]]]:
    """What has to be true of a member of the binder's group, and how to say that it is not."""
    domain, span = b.domain, b.span

    def member(group: tree.Expr | tree.AnyZone) -> tree.Expr:
        return tree.MemberOfSet(BOOL, span, ref, group)

    def compare(left: tree.Expr, op: Literal["==", "<=", ">="], right: tree.Expr) -> tree.Expr:
        return tree.Compare(BOOL, span, op, left, right)

    tests: list[tree.Expr] = []
    match domain:
        case tree.Things():
            if domain.owner is not None:
                owner = tree.Property(domain.owner.type, span, ref, domain.kind, "owner")
                yield compare(owner, "==", domain.owner), partial(_foreign, owner, domain.owner)
            if domain.place is not None:
                tests.append(
                    compare(tree.Property(domain.place.type, span, ref, domain.kind, "place"), "==", domain.place)
                )
        case tree.InZones():
            anywhere: tree.Expr = member(domain.zones[0])
            for zone in domain.zones[1:]:
                anywhere = tree.Logic(BOOL, span, "or", anywhere, member(zone))
            yield anywhere, lambda words: words.lies(words.noun(ref), words.places(domain.zones), False)
        case tree.OnBearer():
            bearer = domain.bearer
            lies_on = tree.Property(bearer.type, span, ref, domain.sort, "on")
            partner = tree.Property(bearer.type, span, ref, domain.sort, "partner")
            on = tree.Logic(BOOL, span, "or", compare(lies_on, "==", bearer), compare(partner, "==", bearer))
            yield on, lambda words: phrase("{card} is not on {thing}", card=words.noun(ref), thing=words.noun(bearer))
        case tree.Range():
            within = tree.Logic(BOOL, span, "and", compare(ref, ">=", domain.low), compare(ref, "<=", domain.high))
            yield within, partial(_out_of, ref, domain)
        case tree.Members():
            tests.append(member(domain.group))
    for test in tests:
        yield test, partial(_told, test)


def not_yours(thing: Filling, owner: Filling, asked: Filling) -> Phrase:
    """That something is another player's, where one's own is wanted."""
    return phrase("{thing} belongs to {owner}, not to {asked}", thing=thing, owner=owner, asked=asked)


def _foreign(owner: tree.Property, wanted: tree.Expr, words: Words) -> Phrase:
    if isinstance(wanted, tree.BuiltinRef) and wanted.name == "actor" and words.values:
        thing, holder, actor = words.noun(owner.object), words.read(owner), words.read(wanted)
        return not_yours(thing, holder, actor)
    return words.fact(tree.Compare(BOOL, owner.span, "==", owner, wanted), False)


def _out_of(ref: tree.LocalRef, domain: tree.Range, words: Words) -> Phrase:
    value = words.read(ref) if words.values else words.unread(ref)
    low, high = words.measured(domain.low), words.measured(domain.high)
    return phrase("{value} is not a number from {low} to {high}", value=value, low=low, high=high)


def _told(test: tree.Expr, words: Words) -> Phrase:
    return words.fact(test, False)
