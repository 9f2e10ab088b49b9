"""Conditions as sentences: a rule that says no reason of its own is told by what is the case, not by its code.

`Clauses.fact(condition, holds)` is a phrase that says that a condition holds, or that it does not: `crab is yours`,
`the size of crab is 9, not less than 9`. Things are named as players see them, the one who acts is `you`. Every
sentence is written here as a whole, with named holes, so that a language can say each in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulelang.base.labels import NO_LABEL, Label
from rulelang.base.phrases import Filling, Phrase, RuleName, Value, phrase
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Guards, Scope, join_guards, lower_value
from rulelang.compiler.lower.narration.nouns import (
    Nouns,
    Plain,
    enumeration_of,
    grammatical_number,
    index_values,
    name_of,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.state_layout import type_name

#: What a comparison of a count says of it, and by how much more than the number.
_COUNTED = {
    ">": ("at least", 1),
    ">=": ("at least", 0),
    "<": ("at most", -1),
    "<=": ("at most", 0),
    "==": ("exactly", 0),
}
_NEGATIONS = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Clauses(Nouns):
    """The sentences."""

    def fact(self, e: tree.Expr, holds: bool) -> Phrase:
        bound = self.bound.copy()
        said = self._fact(e, holds)
        self.bound = bound
        return said

    def _fact(self, e: tree.Expr, holds: bool) -> Phrase:
        match e:
            case tree.Logic():
                return self._both(e, holds)
            case tree.Not():
                return self.fact(e.operand, not holds)
            case tree.Compare():
                return self._compare(e, holds)
            case tree.Present(operand=tree.AttributeRef() | tree.ColumnRef() as part) if not index_values(part):
                return self._kept(part, holds)
            case tree.Present():
                thing = self.unread(e.operand)
                return phrase("{thing} is there", thing=thing) if holds else phrase("{thing} is missing", thing=thing)
            case tree.ZoneEmpty():
                places, n = enumeration_of([*map(self.zone, e.zones)]), min(len(e.zones), 2)
                if holds:
                    return phrase("{places} {n:is|are} empty", places=places, n=n)
                return phrase("{places} {n:is|are} not empty", places=places, n=n)
            case tree.Working():
                card = self.noun(e.card)
                return phrase("{card} works", card=card) if holds else phrase("{card} does not work", card=card)
            case tree.Has():
                return self._has(e.subject, e.trait, holds)
            case tree.Meets():
                thing, wanted = self.noun(e.subject), self.noun(e.condition)
                if holds:
                    return phrase(
                        "{thing} {n:meets|meet} {condition}", thing=thing, n=grammatical_number(thing), condition=wanted
                    )
                n = grammatical_number(thing)
                return phrase("{thing} {n:does|do} not meet {condition}", thing=thing, n=n, condition=wanted)
            case tree.MemberOfSet():
                return self.member(self.noun(e.item), e.group, holds)
            case tree.BuiltinCall() if FUNCTIONS[e.name].beside:
                return self._adjacent(self.noun(e.args[0]), self.noun(e.args[1]), holds)
            case tree.BuiltinCall(name="forbids"):
                thing, other = self.noun(e.args[0]), self.noun(e.args[1])
                n = grammatical_number(thing)
                if holds:
                    return phrase("{thing} {n:rules|rule} out {other}", thing=thing, n=n, other=other)
                return phrase("{thing} {n:does|do} not rule out {other}", thing=thing, n=n, other=other)
            case tree.Can() | tree.BuiltinCall():
                return self._possible(name_of(e.event if isinstance(e, tree.Can) else e.name), e.args, holds)
            case tree.Affects():
                trait, event, things = self.noun(e.trait), name_of(e.event), self.all_of(e.args)
                if holds:
                    return phrase("{trait} affects {event} of {things}", trait=trait, event=event, things=things)
                return phrase("{trait} does not affect {event} of {things}", trait=trait, event=event, things=things)
            case tree.ValueCall() if (own := self.in_own_words(e.value, e.args, holds)) is not None:
                return own
            case tree.ValueCall(args=(one,)):
                return self._truth(self.noun(one), name_of(e.value), holds)
            case tree.ValueCall(args=()):
                return self._so(name_of(e.value), holds)
            case tree.ValueCall():
                name, things = name_of(e.value), self.all_of(e.args)
                if holds:
                    return phrase("{name} holds for {things}", name=name, things=things)
                return phrase("{name} does not hold for {things}", name=name, things=things)
            case tree.AttributeRef() | tree.ColumnRef():
                return self._kept_truth(e, holds)
            case tree.StateRef() if (own := self.member_in_own_words("", e.attribute.name, "", (), holds)) is not None:
                return own
            case tree.StateRef():
                return self._so(RuleName(e.attribute.name, "word"), holds)
            case tree.OptionRef():
                option = RuleName(e.name, "word")
                if holds:
                    return phrase("the option {option} is on", option=option)
                return phrase("the option {option} is off", option=option)
            case tree.Query() if e.kind in ("any", "no"):
                return self._there_is(e, holds == (e.kind == "any"))
            case tree.Query() if e.kind == "all" and e.body is not None:
                things = self.members(e, "every", body=False)
                said = self.unsure(e.body, True)
                if holds:
                    return phrase("for {things}: {condition}", things=things, condition=said)
                return phrase("not for {things}: {condition}", things=things, condition=said)
            case tree.Otherwise():
                return self.fact(e.value, holds)
            case tree.IfElse():
                test, then = self.unsure(e.test, True), self.unsure(e.then, holds)
                other = self.unsure(e.otherwise, holds)
                return phrase("{then} if {condition}, else {otherwise}", then=then, condition=test, otherwise=other)
            case tree.Const():
                return phrase("it is always true") if bool(e.value) == holds else phrase("it is never true")
            case _:
                return self._so_said(self.unread(e), holds)

    # ---- how many there are

    def _there_is(self, e: tree.Query, holds: bool) -> Phrase:
        """That there is something, or nothing: `you have a species that is hungry`."""
        domain = e.binders[0].domain
        if not isinstance(domain, tree.Things) or domain.owner is None or len(e.binders) > 1:
            if holds:
                return phrase("there is {things}", things=self.members(e, "a"))
            return phrase("there is no {things}", things=self.members(e, "no"))
        owner = self.noun(domain.owner)
        anybodys = replace(e.binders[0], domain=replace(domain, owner=None))
        things = self.members(replace(e, binders=(anybodys,)), "a" if holds else "no")
        if holds:
            return phrase("{thing} {n:has|have} {name}", thing=owner, n=grammatical_number(owner), name=things)
        return phrase("{thing} {n:has|have} no {name}", thing=owner, n=grammatical_number(owner), name=things)

    def known(self, e: tree.Expr) -> int | None:
        """A number that is the same in every game; None of anything else."""
        return e.value if isinstance(e, tree.Const) and e.type.tag == "int" else None

    def _so_many(self, e: tree.Query, op: str, number: int) -> Phrase | None:
        """What a comparison of a count comes to: `there are at least 2 species`. None where that is no sentence."""
        if e.kind != "count" or e.body is not None or op not in _COUNTED:
            return None
        way, more = _COUNTED[op]
        n = number + more
        if n == (1 if way == "at least" else 0):
            return self._there_is(e, n == 1)
        if n < 1:
            return None
        things = self.members(e, "" if n > 1 else "no")
        if way == "at least":
            return phrase("there {n:is|are} at least {n} {things}", n=n, things=things)
        if way == "at most":
            return phrase("there {n:is|are} at most {n} {things}", n=n, things=things)
        return phrase("there {n:is|are} exactly {n} {things}", n=n, things=things)

    # ---- what things have and are

    def _kept(self, part: tree.AttributeRef | tree.ColumnRef, holds: bool) -> Phrase:
        """That something has a value at all, where it may have none."""
        name = (part.attribute if isinstance(part, tree.AttributeRef) else part.column).name
        thing = self.noun(part.object)
        n = grammatical_number(thing)
        if holds:
            one = RuleName(name, "member", part.kind, "one")
            return phrase("{thing} {n:has|have} {name}", thing=thing, n=n, name=one)
        none = RuleName(name, "member", part.kind)
        return phrase("{thing} {n:has|have} no {name}", thing=thing, n=n, name=none)

    def _kept_truth(self, e: tree.AttributeRef | tree.ColumnRef, holds: bool) -> Phrase:
        name, index = (e.attribute if isinstance(e, tree.AttributeRef) else e.column).name, index_values(e)
        thing = self.noun(e.object)
        own = self.member_in_own_words(e.kind, name, thing, index, holds)
        if own is not None:
            return own
        said = self._truth(thing, RuleName(name, "word"), holds)
        return phrase("{value} for {things}", value=said, things=self.all_of(index)) if index else said

    def _truth(self, thing: Filling, name: RuleName, holds: bool) -> Phrase:
        n = grammatical_number(thing)
        if holds:
            return phrase("{thing} {n:is|are} {name}", thing=thing, n=n, name=name)
        return phrase("{thing} {n:is|are} not {name}", thing=thing, n=n, name=name)

    def _so(self, name: RuleName, holds: bool) -> Phrase:
        return phrase("it is {name}", name=name) if holds else phrase("it is not {name}", name=name)

    def _so_said(self, said: Filling, holds: bool) -> Phrase:
        return phrase("{fact} is so", fact=said) if holds else phrase("{fact} is not so", fact=said)

    def _has(self, subject: tree.Expr, trait: tree.Expr, holds: bool) -> Phrase:
        thing, named = self.noun(subject), self.noun(trait)
        if holds:
            return phrase("{thing} {n:has|have} {name}", thing=thing, n=grammatical_number(thing), name=named)
        return phrase("{thing} {n:has|have} no {name}", thing=thing, n=grammatical_number(thing), name=named)

    def member(self, item: Filling, group: tree.Expr | tree.AnyZone, holds: bool) -> Phrase:
        """That something is in a group."""
        if isinstance(group, tree.ZoneRef | tree.BoxRef):
            return self.lies(item, self.zone(group), holds)
        if isinstance(group, tree.BuiltinCall) and FUNCTIONS[group.name].beside:
            return self._adjacent(item, self.noun(group.args[0]), holds)
        n, others = grammatical_number(item), self.noun(group)
        if holds:
            return phrase("{thing} {n:is|are} among {others}", thing=item, n=n, others=others)
        return phrase("{thing} {n:is|are} not among {others}", thing=item, n=n, others=others)

    def lies(self, item: Filling, place: Filling, holds: bool) -> Phrase:
        """That something is in a place."""
        if holds:
            return phrase("{thing} {n:is|are} in {place}", thing=item, n=grammatical_number(item), place=place)
        return phrase("{thing} {n:is|are} not in {place}", thing=item, n=grammatical_number(item), place=place)

    def _adjacent(self, item: Filling, other: Filling, holds: bool) -> Phrase:
        if holds:
            return phrase("{thing} {n:is|are} adjacent to {other}", thing=item, n=grammatical_number(item), other=other)
        return phrase("{thing} {n:is|are} not adjacent to {other}", thing=item, n=grammatical_number(item), other=other)

    def _possible(self, event: RuleName, args: tuple[tree.Expr, ...], holds: bool) -> Phrase:
        if not args:
            if holds:
                return phrase("{event} is possible", event=event)
            return phrase("{event} is not possible", event=event)
        things = self.all_of(args)
        if holds:
            return phrase("{event} is possible for {things}", event=event, things=things)
        return phrase("{event} is not possible for {things}", event=event, things=things)

    # ---- conditions of conditions

    def _both(self, e: tree.Logic, holds: bool) -> Phrase:
        if (e.op == "and") == holds:
            return phrase("{first}, and {second}", first=self.fact(e.left, holds), second=self.fact(e.right, holds))
        return phrase("{first}, or {second}", first=self.unsure(e.left, holds), second=self.unsure(e.right, holds))

    # ---- comparisons

    def _compare(self, e: tree.Compare, holds: bool) -> Phrase:
        left, right = e.left, e.right
        op: str = e.op
        plain = isinstance(left, Plain) and not isinstance(right, Plain)
        long = not self.readable(left) and _is_long(left) and self.known(right) is None
        if isinstance(left, tree.Const) or long or (plain and not _is_long(right)):
            left, right, op = right, left, _MIRRORED[op]
        if left.type.tag == "bool" and isinstance(right, tree.Const):
            return self.fact(left, holds == (bool(right.value) == (op == "==")))
        number = self.known(right)
        if isinstance(left, tree.Query) and number is not None and not self.readable(left):
            said = self._so_many(left, op if holds else _NEGATIONS[op], number)
            if said is not None:
                return said
        if op in ("==", "!="):
            return self.same(left, right, holds == (op == "=="))
        thing = self.unread(left)
        if not self.readable(left):
            wanted = self._than(op, right)
            if holds:
                return phrase("{thing} {n:is|are} {wanted}", thing=thing, n=grammatical_number(thing), wanted=wanted)
            return phrase("{thing} {n:is|are} not {wanted}", thing=thing, n=grammatical_number(thing), wanted=wanted)
        found, n = self.read(left), grammatical_number(thing)
        if not holds and op == ">" and isinstance(right, tree.Const) and right.value == 0:
            return phrase("{thing} {n:is|are} {value}", thing=thing, n=n, value=found)  # nought is not more than nought
        wanted = self._than(op, right)
        if holds:
            return phrase("{thing} {n:is|are} {value}, {wanted}", thing=thing, n=n, value=found, wanted=wanted)
        return phrase("{thing} {n:is|are} {value}, not {wanted}", thing=thing, n=n, value=found, wanted=wanted)

    def _than(self, op: str, right: tree.Expr) -> Phrase:
        number = self.measured(right)
        match op:
            case "<":
                return phrase("less than {number}", number=number)
            case "<=":
                return phrase("at most {number}", number=number)
            case ">":
                return phrase("more than {number}", number=number)
        return phrase("at least {number}", number=number)

    def same(self, left: tree.Expr, right: tree.Expr, same: bool) -> Phrase:
        """That two values are the same, or are not."""
        if isinstance(left, tree.Property) and left.name == "owner":
            return self._belongs(self.noun(left.object), right, same)
        if isinstance(left, tree.LocalRef) and left.type.tag == "ref":
            return self._is(left, right, same)
        thing, wanted = self.unread(left), self.measured
        if same or not self.readable(left):
            if same:
                return phrase(
                    "{thing} {n:is|are} {value}", thing=thing, n=grammatical_number(thing), value=wanted(right)
                )
            return phrase(
                "{thing} {n:is|are} not {value}", thing=thing, n=grammatical_number(thing), value=wanted(right)
            )
        n, value = grammatical_number(thing), self.read(left)
        return phrase("{thing} {n:is|are} {value}, not {wanted}", thing=thing, n=n, value=value, wanted=wanted(right))

    def _is(self, left: tree.LocalRef, right: tree.Expr, same: bool) -> Phrase:
        thing = self.noun(left)
        n = grammatical_number(thing)
        if isinstance(right, tree.LocalRef) and same and self.readable(left) and self.readable(right):
            return phrase("something other than {thing} is needed", thing=thing)  # both are called alike: they are one
        if same:
            return phrase("{thing} {n:is|are} {value}", thing=thing, n=n, value=self.noun(right))
        return phrase("{thing} {n:is|are} not {value}", thing=thing, n=n, value=self.noun(right))

    def _belongs(self, thing: Filling, player: tree.Expr, same: bool) -> Phrase:
        n = grammatical_number(thing)
        if isinstance(player, tree.BuiltinRef) and player.name == "actor":
            if same:
                return phrase("{thing} {n:is|are} yours", thing=thing, n=n)
            return phrase("{thing} {n:is|are} not yours", thing=thing, n=n)
        if isinstance(player, tree.Property) and player.name == "owner":
            other = self.noun(player.object)
            if same:
                return phrase("{thing} and {other} have the same owner", thing=thing, other=other)
            return phrase("{thing} and {other} do not have the same owner", thing=thing, other=other)
        owner = self.noun(player)
        if same:
            return phrase("{thing} {n:is|are} {player}'s", thing=thing, n=n, player=owner)
        return phrase("{thing} {n:is|are} not {player}'s", thing=thing, n=n, player=owner)


def _is_long(e: tree.Expr) -> bool:
    """Whether an expression tells which things it is about: such a one stands at the end of a sentence."""
    return isinstance(e, tree.Query) and any(binder.where is not None for binder in e.binders)


def wording_of(program: tree.Program, model: Model, name: str) -> tuple[Label, Sequence[str]]:
    """See `Nouns.wording`."""
    label = model.labels.things.get(name.rpartition(".")[2], NO_LABEL)
    if name in program.values:
        return label, [param.text for param in program.values[name].params]
    table = model.tables.get(name)
    return label, table.of if table is not None else ()


class ConditionWords(Clauses):
    """What is said of one condition of a game that is played, and the values in it with the guards of reading them."""

    def __init__(self, scope: Scope, *, values: bool = True) -> None:
        super().__init__(values=values)
        self.scope = scope
        self.args: list[ir.Expr] = []
        self.guards: Guards = ()

    def wording(self, name: str) -> tuple[Label, Sequence[str]]:
        return wording_of(self.scope.low.program, self.scope.low.model, name)

    def member_wording(self, kind: str, name: str) -> Label:
        return self.scope.low.model.labels.member(kind, name)

    def read(self, e: tree.Expr) -> Value:
        lowered, guards = lower_value(e, self.scope)
        self.guards = join_guards(self.guards, guards)
        self.args.append(lowered)
        return Value(len(self.args) - 1, type_name(e.type))
