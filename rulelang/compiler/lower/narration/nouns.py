"""Name the expressions of rules in English: things by their names, numbers by what they count."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from rulelang.base.labels import NO_LABEL, Label, in_english, is_plural_label
from rulelang.base.phrases import Filling, Phrase, RuleName, phrase
from rulelang.base.wording import is_plural
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import MEMBERS, NAMES
from rulelang.language.semantics.model import Type
from rulelang.language.semantics.tree import locals_of

# ---- relative clauses

IT = phrase("it")
#: What stands for `it` in a clause behind what it speaks of: `species that are hungry`, `species whose size is 3`.
THAT = phrase("that")


def things_such_that(things: Filling, clause: Phrase, *, many: bool, of: Phrase = IT) -> Phrase:
    """Things of which a clause is so that speaks of them as `of`: `species that are hungry, and whose size is 3`. What
    begins otherwise follows after `for which`: `species that are hungry for which the bed is next to it`; and what
    does not speak of them, as a condition."""
    told: list[Phrase] = []
    other: list[Phrase] = []
    besides: list[Phrase] = []
    for part in _conjoined_clauses(clause):
        which = relative_clause(part, 2 if many else 1, of)
        if which is not None:
            told.append(which)
        else:
            (other if _mentions(part, of) else besides).append(part)
    if not told:
        return phrase("{things} for which {condition}", things=things, condition=clause)
    said = phrase("{things} {which}", things=things, which=_joined_clauses(told))
    if other:
        said = phrase("{things} for which {condition}", things=said, condition=_joined_clauses(other))
    return phrase("{things}, if {condition}", things=said, condition=_joined_clauses(besides)) if besides else said


def _conjoined_clauses(clause: Phrase) -> list[Phrase]:
    """The clauses that all are so, where one says that."""
    if clause.template != "{first}, and {second}":
        return [clause]
    return [part for _, value in clause.holes if isinstance(value, Phrase) for part in _conjoined_clauses(value)]


def _joined_clauses(clauses: Sequence[Phrase]) -> Phrase:
    said = clauses[0]
    for clause in clauses[1:]:
        said = phrase("{first}, and {second}", first=said, second=clause)
    return said


def relative_clause(clause: Phrase, number: int, of: Phrase = IT) -> Phrase | None:
    """A clause with `that` in the place of what it begins with, or with `whose`: `that is hungry`. None where it begins
    otherwise, or speaks of that again."""
    said = _relative_of(clause, number, of)
    return None if said is None or _mentions(said, of) else said


def _relative_of(clause: Phrase, number: int, of: Phrase) -> Phrase | None:
    values = clause.values
    if (clause.template == "its {name}" and of == IT) or (
        clause.template in ("the {name} of {thing}", "{player}'s {name}")
        and of in (values.get("thing"), values.get("player"))
    ):
        return phrase("whose {name}", name=values["name"])
    if not clause.holes or not clause.template.startswith("{" + clause.holes[0][0] + "}"):
        return None
    (name, first), *others = clause.holes
    if first == of:
        rest = tuple((hole, number if hole == "n" else value) for hole, value in others)
        return Phrase(clause.template, ((name, THAT), *rest))
    if not isinstance(first, Phrase):
        return None
    inner = _relative_of(first, number, of)
    if inner is None:
        return None
    rest = tuple((hole, _second_clause(value, number, of)) for hole, value in others)
    return Phrase(clause.template, ((name, inner), *rest))


def _second_clause(value: Filling, number: int, of: Phrase) -> Filling:
    """A second clause: `that is yours, or that is hungry`."""
    again = _relative_of(value, number, of) if isinstance(value, Phrase) else None
    return value if again is None else again


def _mentions(said: Filling, of: Phrase) -> bool:
    """Whether a phrase speaks of something, by itself or as its owner."""
    if not isinstance(said, Phrase):
        return False
    return said == of or (of == IT and said.template == "its {name}") or any(_mentions(v, of) for _, v in said.holes)


# ---- nouns

Plain = (tree.Const, tree.LocalRef, tree.NumberRef, tree.BuiltinRef)

YOU = phrase("you")


def grammatical_number(e: Filling) -> int:
    """The number that the verb of a subject takes: `you are`, `it is`, `its hearts are`, `Ana and Bob are`."""
    if isinstance(e, RuleName):
        return 2 if e.form in ("several", "plural") else 1
    if not isinstance(e, Phrase):
        return 1
    if e == YOU or e.template == "{first} and {last}":
        return 2
    if e.template.startswith("the {") and isinstance(e.holes[0][1], str):  # in a ruleset's own words
        return 2 if is_plural(e.holes[0][1]) else 1
    if e.template.startswith("the ") and "{value}" in e.template:  # `the sum of its hearts for all crabs`: the sum is
        return 1
    return max((grammatical_number(value) for hole, value in e.holes if hole in ("name", "value")), default=1)


class Nouns(ABC):
    """What stands in the sentences of one piece of rules.

    `values`: whether what is told may be read; not of what might not have been looked at. `bound`: what variables of
    queries are called.
    """

    def __init__(self, *, values: bool) -> None:
        self.values = values
        self.bound: dict[str, Filling] = {}

    @abstractmethod
    def fact(self, e: tree.Expr, holds: bool) -> Phrase:
        """That a condition holds, or does not."""

    @abstractmethod
    def read(self, e: tree.Expr) -> Filling:
        """The value of an expression, as what fills a hole."""

    def unsure(self, e: tree.Expr, holds: bool) -> Phrase:
        """A clause that may not be the case: it tells no values."""
        values, self.values = self.values, False
        said = self.fact(e, holds)
        self.values = values
        return said

    # ---- nouns

    def noun(self, e: tree.Expr) -> Filling:
        """What an expression is called: things by their own names, numbers by what they count."""
        if isinstance(e, tree.BuiltinRef) and e.name == "actor":
            return YOU
        named = e.type.tag == "ref" and not isinstance(e, tree.Query)
        if isinstance(e, tree.Const | tree.NumberRef) or (named and isinstance(e, tree.LocalRef)):
            if not locals_of(e) & self.bound.keys():
                return self.read(e)
        elif named and self.readable(e):
            return self.read(e)
        return self.unread(e)

    def unread(self, e: tree.Expr) -> Filling:
        """What an expression is called, without its value."""
        match e:
            case tree.LocalRef():
                return self.bound.get(e.local.name) or self.local(e.local)
            case tree.NumberRef():
                return phrase("the {name}", name=self._numbered(RuleName(e.name), NO_LABEL, e.type))
            case tree.OptionRef():
                return phrase("the option {name}", name=RuleName(e.name, "word"))
            case tree.BuiltinRef():
                return Phrase(NAMES[e.name].said)
            case tree.StateRef():
                return phrase("the {name}", name=self.member_called("", e.attribute.name, e.type))
            case tree.AttributeRef():
                name = self.member_called(e.kind, e.attribute.name, e.type)
                return self._each(self._of(name, e.object), e.index)
            case tree.ColumnRef():
                name = self.member_called(e.kind, e.column.name, e.type)
                return self._each(self._of(name, e.object), index_values(e))
            case tree.TableRef() if (own := self.in_own_words(e.table.name, e.index, True)) is not None:
                return own
            case tree.TableRef():
                return phrase("the {name} of {thing}", name=RuleName(e.table.name), thing=self.all_of(e.index))
            case tree.Property():
                thing, word = self.noun(e.object), MEMBERS[e.name].own
                if thing == IT and word:
                    return phrase("its {name}", name=Phrase(word))
                return self.filled(MEMBERS[e.name].said, thing=thing)
            case tree.SlotRead():
                return phrase("the card in {place}", place=self.zone(e.zone))
            case tree.ValueCall() if (own := self.in_own_words(e.value, e.args, True)) is not None:
                return own
            case tree.ValueCall(args=(one,)):
                return self._of(self._valued(e), one)
            case tree.ValueCall(args=()):
                return phrase("the {name}", name=self._valued(e))
            case tree.ValueCall():
                return phrase("the {name} of {thing}", name=self._valued(e), thing=self.all_of(e.args))
            case tree.BuiltinCall(name="count"):
                said = join_fillings([self.unsure(c, True) for c in e.args], "; ")
                return phrase("how many of these are true: {conditions}", conditions=said)
            case tree.BuiltinCall():
                things = [*map(self.noun, e.args), *map(self.zone, e.zones)]
                said = FUNCTIONS[e.name].said
                if "{other}" in said:
                    return self.filled(said, thing=things[0], other=things[1])
                return self.filled(said, thing=enumeration_of(things))
            case tree.Arith():
                return self._arithmetic(e)
            case tree.Negative():
                return phrase("minus {number}", number=self.noun(e.operand))
            case tree.Otherwise():
                return self.unread(e.value)
            case tree.OrderOf():
                return join_fillings([self.unread(part) for part in e.parts], ", then ")
            case tree.Query() if e.type.tag != "bool":
                return self._counted(e)
            case tree.IfElse() if e.type.tag != "bool":
                return phrase("{first} or {last}", first=self.unread(e.then), last=self.unread(e.otherwise))
            case tree.Const() if e.type.tag == "bool":
                return phrase("true") if e.value else phrase("false")
            case tree.Const():
                return str(e.value)
            case _:
                return phrase("whether {condition}", condition=self.unsure(e, True))

    def wording(self, name: str) -> tuple[Label, Sequence[str]]:
        """How `look:` calls a value or a table, by its id, and the names of its parameters."""
        return NO_LABEL, ()

    def in_own_words(self, name: str, args: Sequence[tree.Expr], holds: bool) -> Phrase | None:
        """What a value or a number of a table is called, or is said where it is so or is not, in the words that its
        ruleset has for that; None where it has none."""
        label, params = self.wording(name)
        if not label.pattern:
            return None
        return self._as_called(label, {param: self.noun(arg) for param, arg in zip(params, args, strict=False)}, holds)

    def member_wording(self, kind: str, name: str) -> Label:
        """How `look:` calls an attribute or a column of a kind; of the game's own state the kind is ""."""
        return NO_LABEL

    def member_called(self, kind: str, name: str, type_: Type) -> RuleName:
        """An attribute, a column or a value of the game by its name, in the plural where a number has one."""
        return self._numbered(RuleName(name, "member", kind), self.member_wording(kind, name), type_)

    def _valued(self, e: tree.ValueCall) -> RuleName:
        return self._numbered(name_of(e.value), self.wording(e.value)[0], e.type)

    @staticmethod
    def _numbered(called: RuleName, label: Label, type_: Type) -> RuleName:
        many = type_.tag == "int" and is_plural_label(label, called.name)
        return RuleName(called.name, called.room, called.of, "plural") if many else called

    def member_in_own_words(
        self, kind: str, name: str, thing: Filling, index: Sequence[tree.Expr], holds: bool
    ) -> Phrase | None:
        """How it is told that something is so or not, in the words that its ruleset has for that; None without any."""
        label = self.member_wording(kind, name)
        if not label.pattern:
            return None
        holes = {kind: thing, "n": grammatical_number(thing)} if kind else {}
        return self._as_called(label, holes | {one.type.name: self.noun(one) for one in index}, holds)

    def _as_called(self, label: Label, holes: Mapping[str, Filling], holds: bool) -> Phrase | None:
        """The sentence of a label for what is so, or the one for what is not; None where they say nothing."""
        said, other = in_english(label.pattern), "" if holds else in_english(label.otherwise)
        if not said:
            return None
        clause = self.filled(other or said, **holes)
        return clause if holds or other else phrase("it is not the case that {condition}", condition=clause)

    def local(self, local: tree.Local) -> Filling:
        """What a variable is called whose value is not told."""
        return RuleName(local.text, "word") if len(local.text) > 2 else local.text

    def _arithmetic(self, e: tree.Arith) -> Phrase:
        first, second = self.noun(e.left), self.noun(e.right)
        match e.op:
            case "+":
                return phrase("{first} plus {second}", first=first, second=second)
            case "-":
                return phrase("{first} minus {second}", first=first, second=second)
            case "*":
                return phrase("{first} times {second}", first=first, second=second)
            case "/":
                return phrase("{first} divided by {second}", first=first, second=second)
        return phrase("the remainder of {first} divided by {second}", first=first, second=second)

    def _counted(self, e: tree.Query) -> Phrase:
        bound = self.bound.copy()
        things = self.members(e, "", body=e.body is None)
        said = self._figure(e.kind, things) if e.body is None else self._measured(e.kind, self.unread(e.body), things)
        self.bound = bound
        return said

    def _figure(self, kind: str, things: Filling) -> Phrase:
        if kind == "count":
            return phrase("the number of {things}", things=things)
        return phrase("the first of {things}", things=things)

    def _measured(self, kind: str, value: Filling, things: Filling) -> Phrase:
        match kind:
            case "min":
                return phrase("the smallest value of {value} among {things}", things=things, value=value)
            case "max":
                return phrase("the largest value of {value} among {things}", things=things, value=value)
            case "first":
                return phrase("the first value of {value} among {things}", things=things, value=value)
        return phrase("the sum of {value} for all {things}", things=things, value=value)

    # ---- what queries range over

    def members(self, e: tree.Query, article: str, *, body: bool = True) -> Filling:
        """What a query ranges over: `a species that is hungry` behind `a`; bare behind `no`; several without one."""
        out: Filling = ""
        for k, b in enumerate(e.binders):
            one = self._member(b, article if k == 0 or article != "no" else "a", e.body if body else None, k, e)
            out = phrase("{first} with {second}", first=out, second=one) if k else one
        return out

    def _member(self, b: tree.Binder, article: str, body: tree.Expr | None, k: int, e: tree.Query) -> Filling:
        kind = b.local.type.name or "number"
        said = self.domain(with_article(kind, article), b.domain)
        single = len(e.binders) == 1 and IT not in self.bound.values()
        called = self.bound[b.local.name] = IT if single else phrase("that {kind}", kind=RuleName(kind))
        tests = [test for test in (b.where, body if k == len(e.binders) - 1 else None) if test is not None]
        if not tests:
            return said
        clause = self.unsure(tests[0], True)
        for test in tests[1:]:
            clause = phrase("{first}, and {second}", first=clause, second=self.unsure(test, True))
        return things_such_that(said, clause, many=not article, of=called)

    def domain(self, things: Filling, d: tree.Domain) -> Filling:
        """The members of a binder, with where they are, or whose they are."""
        match d:
            case tree.Things():
                said = things if d.owner is None else self._owned(things, d.owner)
                return said if d.place is None else phrase("{things} in {place}", things=said, place=self.noun(d.place))
            case tree.InZones():
                return phrase("{things} in {place}", things=things, place=self.places(d.zones))
            case tree.OnBearer():
                return phrase("{things} on {thing}", things=things, thing=self.noun(d.bearer))
            case tree.Range():
                low, high = self.noun(d.low), self.noun(d.high)
                return phrase("{things} from {low} to {high}", things=things, low=low, high=high)
            case tree.Members(group=tree.BuiltinCall() as group) if FUNCTIONS[group.name].beside:
                return phrase("{things} adjacent to {thing}", things=things, thing=self.noun(group.args[0]))
            case tree.Members():
                return phrase("{things} among {others}", things=things, others=self.noun(d.group))
            case _:
                return things

    def _owned(self, things: Filling, owner: tree.Expr) -> Phrase:
        if isinstance(owner, tree.BuiltinRef) and owner.name == "actor":
            return phrase("{things} of yours", things=things)
        if isinstance(owner, tree.Property) and owner.name == "owner":
            return phrase("{things} of the owner of {thing}", things=things, thing=self.noun(owner.object))
        return phrase("{things} of {player}", things=things, player=self.noun(owner))

    # ---- places, and whose they are

    def zone(self, z: tree.AnyZone) -> Filling:
        """A zone by its name and owner: `your hand`, `the market`."""
        if isinstance(z, tree.BoxRef):
            return phrase("the box")
        name = RuleName(z.zone.name.rpartition(".")[2])
        if z.owner is None:
            return RuleName(name.name, form="one") if z.zone.of else phrase("the {name}", name=name)
        return self._of(name, z.owner)

    def places(self, zones: Sequence[tree.AnyZone]) -> Filling:
        """One of several zones."""
        *most, last = map(self.zone, zones)
        return phrase("{first} or {last}", first=join_fillings(most, ", "), last=last) if most else last

    def _of(self, name: RuleName, whose: tree.Expr) -> Phrase:
        owner = self.noun(whose)
        if owner == YOU:
            return phrase("your {name}", name=name)
        if owner == IT:
            return phrase("its {name}", name=name)
        if whose.type.name == "player":
            return phrase("{player}'s {name}", player=owner, name=name)
        return phrase("the {name} of {thing}", name=name, thing=owner)

    def _each(self, said: Phrase, index: Sequence[tree.Expr]) -> Phrase:
        return phrase("{value} for {things}", value=said, things=self.all_of(index)) if index else said

    # ---- several

    def all_of(self, items: Sequence[tree.Expr]) -> Filling:
        """`alva, bruma and 3`"""
        return enumeration_of([*map(self.noun, items)])

    @staticmethod
    def filled(said: str, **holes: Filling) -> Phrase:
        """What the row of a built-in says, with what it asks for."""
        return phrase(said, **{name: value for name, value in holes.items() if re.search(rf"\{{{name}[:}}]", said)})

    # ---- values

    def readable(self, e: tree.Expr) -> bool:
        return self.values and e.type.tag in ("int", "ref") and not locals_of(e) & self.bound.keys()

    def measured(self, e: tree.Expr) -> Filling:
        """What something is compared with: its name and, where that does not say it, its value."""
        named = isinstance(e, tree.LocalRef | tree.BuiltinRef) and e.type.tag == "int"
        if not self.readable(e) or e.type.tag == "ref" or (isinstance(e, Plain) and not named):
            return self.noun(e)
        return phrase("{name} ({value})", name=self.unread(e), value=self.read(e))


def with_article(kind: str, article: str) -> Filling:
    """One of a kind behind an article: `a`, `every`, `each`; `no` stands before it already; several without one."""
    match article:
        case "a":
            return RuleName(kind, form="one")
        case "no":
            return RuleName(kind)
        case "every":
            return phrase("every {kind}", kind=RuleName(kind))
        case "each":
            return phrase("each {kind}", kind=RuleName(kind))
    return RuleName(kind, form="several")


def enumeration_of(items: Sequence[Filling]) -> Filling:
    """`alva, bruma and corda`"""
    if len(items) < 2:
        return items[0] if items else ""
    *most, last = items
    return phrase("{first} and {last}", first=join_fillings(most, ", "), last=last)


def join_fillings(items: Sequence[Filling], between: str) -> Filling:
    """Items behind each other."""
    if len(items) < 2:
        return items[0] if items else ""
    first, *rest = items
    match between:
        case ", ":
            return phrase("{first}, {rest}", first=first, rest=join_fillings(rest, between))
        case ", then ":
            return phrase("{first}, then {rest}", first=first, rest=join_fillings(rest, between))
    return phrase("{first}; {rest}", first=first, rest=join_fillings(rest, between))


def name_of(declared: str) -> RuleName:
    """A value, an event or an action by its id."""
    return RuleName(declared.rpartition(".")[2])


def index_values(e: tree.AttributeRef | tree.ColumnRef) -> tuple[tree.Expr, ...]:
    """For which rows something is asked for that has a value for each."""
    if isinstance(e, tree.AttributeRef):
        return e.index
    return () if e.index is None else (e.index,)
