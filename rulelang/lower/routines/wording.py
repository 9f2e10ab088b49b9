"""Conditions as sentences: a rule that says no reason of its own is told by what is the case, not by its code.

`Words.fact(condition, holds)` is a clause that says that a condition holds, or that it does not: `crab is yours`, `the
size of crab is 9, not less than 9`. Things are named as players see them, the one who acts is `you`.
"""

from __future__ import annotations

from rulelang.base.english import plural, with_article
from rulelang.ir import nodes as ir
from rulelang.lower.context import Guards, Scope, join_guards
from rulelang.lower.expr.expressions import value
from rulelang.lower.routines.sentences import Said
from rulelang.semantics import tree
from rulelang.semantics.builtins.functions import FUNCTIONS
from rulelang.semantics.builtins.members import MEMBERS
from rulelang.semantics.builtins.names import NAMES
from rulelang.semantics.builtins.queries import QUERIES
from rulelang.semantics.state_layout import type_name
from rulelang.semantics.walk import locals_of

Plain = (tree.Const, tree.LocalRef, tree.NumberRef, tree.BuiltinRef)

_MIRROR = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_THAN = {"<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least ", "==": "", "!=": "other than "}
_ARITH = {"+": " plus ", "-": " minus ", "*": " times ", "/": " divided by ", "%": " modulo "}
_MANY = {"is": "are", "has": "have", "does": "do"}


def worded(name: str) -> str:
    """A name of the rules as words."""
    return name.rsplit(".", 1)[-1].replace("_", " ")


class Words:
    """What is said of one condition: the clause's parts, and the values in it with the guards of reading them."""

    def __init__(self, scope: Scope, *, values: bool = True) -> None:
        self.scope = scope
        self.values = values  # whether what is told may be read; not of what might not have been looked at
        self.args: list[ir.Expr] = []
        self.guards: Guards = ()
        self.bound: dict[str, str] = {}  # variables of queries: what they are called

    # ---- clauses

    def fact(self, e: tree.Expr, holds: bool) -> Said:
        """That a condition holds, or does not."""
        bound = self.bound.copy()
        said = self._fact(e, holds)
        self.bound = bound
        return said

    def _fact(self, e: tree.Expr, holds: bool) -> Said:
        match e:
            case tree.Logic():
                return self._both(e, holds)
            case tree.Not():
                return self.fact(e.operand, not holds)
            case tree.Compare():
                return self._compare(e, holds)
            case tree.Present(operand=tree.AttributeRef() | tree.ColumnRef() as part) if not _index(part):
                name = worded((part.attribute if isinstance(part, tree.AttributeRef) else part.column).name)
                owner = self.noun(part.object)
                return (*owner, f" has {with_article(name)}" if holds else f" has no {name}")
            case tree.Present():
                missing = self._unread(e.operand)
                return (*missing, " is there" if holds else " is missing")
            case tree.ZoneEmpty():
                zones = _joined([self.zone(z) for z in e.zones], " and ")
                return (*zones, _verb("is", holds, many=len(e.zones) > 1), " empty")
            case tree.Working():
                return (*self.noun(e.card), _verb("is", holds), " working")
            case tree.Has():
                return (*self.noun(e.subject), _verb("has", holds), " ", *self.noun(e.trait))
            case tree.Meets():
                return (*self.noun(e.subject), _verb("meets", holds), " ", *self.noun(e.condition))
            case tree.MemberOfSet():
                return self.member(self.noun(e.item), e.group, holds)
            case tree.BuiltinCall() if said := FUNCTIONS[e.name].said:
                return (*self.noun(e.args[0]), _verb("is", holds), f" {said} ", *self.noun(e.args[1]))
            case tree.Can() | tree.BuiltinCall():
                name = worded(e.event if isinstance(e, tree.Can) else e.name)
                return (name, _verb("is", holds), " possible", *self._list(" for ", e.args))
            case tree.Affects():
                return (
                    *self.noun(e.trait),
                    _verb("affects", holds),
                    f" {worded(e.event)}",
                    *self._list(" of ", e.args),
                )
            case tree.ValueCall():
                if len(e.args) == 1:
                    return (*self.noun(e.args[0]), _verb("is", holds), f" {worded(e.value)}")
                return (worded(e.value), _verb("holds", holds), *self._list(" for ", e.args))
            case tree.AttributeRef():
                name = worded(e.attribute.name)
                return (*self.noun(e.object), _verb("is", holds), f" {name}", *self._list(" for ", e.index))
            case tree.ColumnRef():
                name = worded(e.column.name)
                return (*self.noun(e.object), _verb("is", holds), f" {name}", *self._list(" for ", _index(e)))
            case tree.StateRef():
                return ("it", _verb("is", holds), f" {worded(e.attribute.name)}")
            case tree.OptionRef():
                return (f"the option {worded(e.name)} is {'on' if holds else 'off'}",)
            case tree.Query() if e.kind in ("any", "no"):
                there = holds == (e.kind == "any")
                return ("there is ", *self.members(e, "a" if there else "no"))
            case tree.Query() if e.kind == "all" and e.body is not None:
                members = self.members(e, "every", body=False)
                return ("" if holds else "not ", "for ", *members, ": ", *self._unsure(e.body, True))
            case tree.Otherwise():
                return self.fact(e.value, holds)
            case tree.IfElse():
                test, then = self._unsure(e.test, True), self._unsure(e.then, holds)
                return (*then, " if ", *test, ", else ", *self._unsure(e.otherwise, holds))
            case _:
                return (*self._unread(e), _verb("is", holds), " so")

    def member(self, item: Said, group: tree.Expr | tree.AnyZone, holds: bool) -> Said:
        """That something is in a group."""
        if isinstance(group, tree.ZoneRef | tree.BoxRef):
            return (*item, _verb("is", holds), " in ", *self.zone(group))
        if isinstance(group, tree.BuiltinCall):
            return (*item, _verb("is", holds), *self._within(group))
        return (*item, _verb("is", holds), " among ", *self.noun(group))

    def _within(self, group: tree.BuiltinCall) -> Said:
        """What is said of the members of a set that a function gives."""
        said = FUNCTIONS[group.name].said
        return (f" {said} ", *self.noun(group.args[0])) if said else (" among ", *self.noun(group))

    def _both(self, e: tree.Logic, holds: bool) -> Said:
        if (e.op == "and") == holds:
            return (*self.fact(e.left, holds), ", and ", *self.fact(e.right, holds))
        return (*self._unsure(e.left, holds), ", or ", *self._unsure(e.right, holds))

    def _unsure(self, e: tree.Expr, holds: bool) -> Said:
        """A clause that may not be the case: it tells no values."""
        values, self.values = self.values, False
        said = self.fact(e, holds)
        self.values = values
        return said

    def _compare(self, e: tree.Compare, holds: bool) -> Said:
        left, right = e.left, e.right
        op: str = e.op
        if (isinstance(left, Plain) and not isinstance(right, Plain)) or isinstance(left, tree.Const):
            left, right, op = right, left, _MIRROR[op]
        if left.type.tag == "bool" and isinstance(right, tree.Const):
            return self.fact(left, holds == (bool(right.value) == (op == "==")))
        if op in ("==", "!="):
            return self._same(left, right, holds == (op == "=="))
        subject = self._unread(left)
        needless = not holds and op == ">" and isinstance(right, tree.Const) and right.value == 0
        if not self._readable(left):
            return (*subject, _verb("is", holds), f" {_THAN[op]}", *self.measured(right))
        said = (*subject, " is ", self.read(left))
        if needless:
            return said
        return (*said, ", " if holds else ", not ", _THAN[op], *self.measured(right))

    def _same(self, left: tree.Expr, right: tree.Expr, same: bool) -> Said:
        if isinstance(left, tree.Property) and left.name == "owner":
            return (*self.noun(left.object), _verb("is", same), " ", *self._whose(right))
        if isinstance(left, tree.LocalRef) and isinstance(right, tree.LocalRef) and left.type.tag == "ref":
            if same and not {left.local.name, right.local.name} & self.bound.keys():
                return (*self.noun(left), f" is both `{left.local.text}` and `{right.local.text}`")
            return (*self.noun(left), _verb("is", same), " ", *self.noun(right))
        if isinstance(left, tree.LocalRef) and left.type.tag == "ref" and not isinstance(right, tree.LocalRef):
            return (*self.noun(left), _verb("is", same), " ", *self.noun(right))
        subject = self._unread(left)
        if same or not self._readable(left):
            return (*subject, _verb("is", same), " ", *self.measured(right))
        return (*subject, " is ", self.read(left), ", not ", *self.measured(right))

    def _whose(self, player: tree.Expr) -> Said:
        if isinstance(player, tree.BuiltinRef) and player.name == "actor":
            return ("yours",)
        if isinstance(player, tree.Property) and player.name == "owner":
            return ("of the same owner as ", *self.noun(player.object))
        return (*self.noun(player), "'s")

    # ---- nouns

    def noun(self, e: tree.Expr) -> Said:
        """What an expression is called: things by their own names, numbers by what they count."""
        if isinstance(e, tree.BuiltinRef) and e.name == "actor":
            return ("you",)
        named = e.type.tag == "ref" and not isinstance(e, tree.Query)
        if isinstance(e, tree.Const | tree.NumberRef) or (named and isinstance(e, tree.LocalRef)):
            if not locals_of(e) & self.bound.keys():
                return (self.read(e),)
        elif named and self._readable(e):
            return (self.read(e),)
        return self._unread(e)

    def _unread(self, e: tree.Expr) -> Said:
        """What an expression is called, without its value."""
        match e:
            case tree.LocalRef():
                return (self.bound.get(e.local.name, e.local.text),)
            case tree.NumberRef() | tree.OptionRef():
                return (f"the {worded(e.name)}",)
            case tree.BuiltinRef():
                return (NAMES[e.name].said or f"the {e.name}",)
            case tree.StateRef():
                return (f"the {worded(e.attribute.name)}",)
            case tree.AttributeRef():
                return (*self._of(e.attribute.name, e.object), *self._list(" for ", e.index))
            case tree.ColumnRef():
                return (*self._of(e.column.name, e.object), *self._list(" for ", _index(e)))
            case tree.TableRef():
                return (f"the {worded(e.table.name)}", *self._list(" of ", e.index))
            case tree.Property():
                return self._member_of(e)
            case tree.SlotRead():
                return ("the card in ", *self.zone(e.zone))
            case tree.ValueCall() if len(e.args) == 1:
                return self._of(e.value, e.args[0])
            case tree.ValueCall():
                return (f"the {worded(e.value)}", *self._list(" of ", e.args))
            case tree.BuiltinCall(name="count"):
                return ("how many hold of: ", *_joined([self._unsure(c, True) for c in e.args], "; "))
            case tree.BuiltinCall():
                name = FUNCTIONS[e.name].said or worded(e.name).removesuffix(" of")
                zones = [self.zone(zone) for zone in e.zones]
                return (
                    f"the {name}",
                    *self._list(" of ", e.args),
                    *((" of ", *_joined(zones, " and ")) if zones else ()),
                )
            case tree.Arith():
                return (*self.noun(e.left), _ARITH[e.op], *self.noun(e.right))
            case tree.Negative():
                return ("minus ", *self.noun(e.operand))
            case tree.Otherwise():
                return self._unread(e.value)
            case tree.OrderOf():
                return _joined([self._unread(part) for part in e.parts], ", then ")
            case tree.Query() if e.type.tag != "bool":
                return self._counted(e)
            case tree.IfElse() if e.type.tag != "bool":
                return (*self._unread(e.then), " or ", *self._unread(e.otherwise))
            case tree.Const():
                return ("true" if e.value else "false",) if e.type.tag == "bool" else (str(e.value),)
            case _:
                return ("whether ", *self._unsure(e, True))

    def _member_of(self, e: tree.Property) -> Said:
        said = MEMBERS[e.name].said
        if said:
            before, _, after = said.partition("{}")
            return (before, *self.noun(e.object), after)
        return self._of(e.name, e.object)

    def _counted(self, e: tree.Query) -> Said:
        bound = self.bound.copy()
        said = self._counted_of(e)
        self.bound = bound
        return said

    def _counted_of(self, e: tree.Query) -> Said:
        named = QUERIES[e.kind].said or e.kind
        if e.body is None:
            return (f"the {named} of ", *self.members(e, ""))
        members = self.members(e, "", body=False)
        return (f"the {named} ", *self._unread(e.body), " of ", *members)

    def members(self, e: tree.Query, article: str, *, body: bool = True) -> Said:
        """What a query ranges over: `a species that is hungry` behind `a`, `no`, `every`; without one, several."""
        out: list[Said] = []
        for k, b in enumerate(e.binders):
            out.append(self._member(b, article if k == 0 or article != "no" else "a", e.body if body else None, k, e))
        return _joined(out, " with ")

    def _member(self, b: tree.Binder, article: str, body: tree.Expr | None, k: int, e: tree.Query) -> Said:
        kind = worded(b.local.type.name or "number")
        named = plural(kind) if not article else with_article(kind) if article == "a" else f"{article} {kind}"
        said: Said = (named, *self.domain(b.domain))
        self.bound[b.local.name] = "it" if len(e.binders) == 1 and "it" not in self.bound.values() else f"that {kind}"
        tests = [test for test in (b.where, body if k == len(e.binders) - 1 else None) if test is not None]
        if not tests:
            return said
        clause = _joined([self._unsure(test, True) for test in tests], " and ")
        first = clause[0]
        if isinstance(first, str) and first == "it" and isinstance(clause[1], str):
            verb, _, rest = clause[1].strip().partition(" ")
            verb = verb if article else _MANY.get(verb, verb.removesuffix("s"))
            return (*said, f" that {verb} {rest}".rstrip() + (" " if clause[1].endswith(" ") else ""), *clause[2:])
        return (*said, " such that ", *clause)

    def domain(self, d: tree.Domain) -> Said:
        """Where the members of a binder are, or whose they are."""
        match d:
            case tree.Things():
                whose: Said = () if d.owner is None else (" of ", *self._whose(d.owner))
                return whose if d.place is None else (*whose, " in ", *self.noun(d.place))
            case tree.InZones():
                return (" in ", *_joined([self.zone(z) for z in d.zones], " or "))
            case tree.OnBearer():
                return (" on ", *self.noun(d.bearer))
            case tree.Range():
                return (" from ", *self.noun(d.low), " to ", *self.noun(d.high))
            case tree.Members() if isinstance(d.group, tree.BuiltinCall):
                return self._within(d.group)
            case tree.Members():
                return (" among ", *self.noun(d.group))
            case _:
                return ()

    def zone(self, z: tree.AnyZone) -> Said:
        """A zone by its name and owner: `your hand`, `the market`."""
        if isinstance(z, tree.BoxRef):
            return ("the box",)
        if z.owner is None:
            name = worded(z.zone.name)
            return (with_article(name) if z.zone.of else f"the {name}",)
        return self._of(z.zone.name, z.owner)

    def _of(self, name: str, whose: tree.Expr) -> Said:
        owner = self.noun(whose)
        if owner in (("you",), ("it",)):
            return (f"{'your' if owner == ('you',) else 'its'} {worded(name)}",)
        if whose.type.name == "player":
            return (*owner, f"'s {worded(name)}")
        return (f"the {worded(name)} of ", *owner)

    def _list(self, lead: str, items: tuple[tree.Expr, ...]) -> Said:
        said = [self.noun(item) for item in items]
        if len(said) > 1:
            said[-2:] = [(*said[-2], " and ", *said[-1])]
        return (lead, *_joined(said, ", ")) if said else ()

    # ---- values

    def _readable(self, e: tree.Expr) -> bool:
        return self.values and e.type.tag in ("int", "ref") and not locals_of(e) & self.bound.keys()

    def read(self, e: tree.Expr) -> tuple[int, str]:
        """The value of an expression, as a part of what is said."""
        lowered, guards = value(e, self.scope)
        self.guards = join_guards(self.guards, guards)
        self.args.append(lowered)
        return len(self.args) - 1, type_name(e.type)

    def measured(self, e: tree.Expr) -> Said:
        """What something is compared with: its name and, where that does not say it, its value."""
        if isinstance(e, Plain) or not self._readable(e) or e.type.tag == "ref":
            if isinstance(e, tree.LocalRef | tree.BuiltinRef) and e.type.tag == "int" and self._readable(e):
                return (*self._unread(e), " (", self.read(e), ")")
            return self.noun(e)
        return (*self._unread(e), " (", self.read(e), ")")


def _index(e: tree.AttributeRef | tree.ColumnRef) -> tuple[tree.Expr, ...]:
    if isinstance(e, tree.AttributeRef):
        return e.index
    return () if e.index is None else (e.index,)


def _verb(verb: str, holds: bool, *, many: bool = False) -> str:
    """` is` or ` is not`, ` meets` or ` does not meet`, ` has` or ` has no`."""
    if verb == "has":
        return " has" if holds else " has no"
    if verb == "is":
        return f" {'are' if many else 'is'}{'' if holds else ' not'}"
    return f" {verb}" if holds else f" does not {verb[:-1]}"


def _joined(items: list[Said], between: str) -> Said:
    out: list[str | tuple[int, str]] = []
    for k, item in enumerate(items):
        out += [between, *item] if k else item
    return tuple(out)
