"""What secrets the value of an expression depends on: who may know it, and from where it came.

A *secret* is what lies in a zone, or stands in an attribute, that not everyone sees. Players are known by symbols:
`actor`, a variable, whoever a thing belongs to. Two symbols may be one player, so two are rather taken for others than
one for another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import walk

#: Who is asked in an action, and whose turn it is in `turns`.
ACTOR = "actor"
#: How many places of the way of a secret are told.
STEPS = 4


@dataclass(frozen=True, slots=True)
class Secret:
    """What only `owner` may know ("": nobody). `what`: which, in words; `span`: where it was read; `path`: the
    values and routines that it came through since, which say nothing of what it is."""

    owner: str
    what: str
    span: Span
    path: tuple[tuple[Span, str], ...] = field(default=(), compare=False)


Label = frozenset[Secret]
NONE: Label = frozenset()


class Val(NamedTuple):
    """What is known of a value: the secrets that it depends on; for a player the symbol, for what belongs to one that
    of its owner; for a card, what its face and columns tell."""

    label: Label = NONE
    who: str = ""
    card: Label = NONE


class Scope(NamedTuple):
    """Variables by name. `open`: cards and zones that the rules lay open in this block, `key`: what tells it apart."""

    names: dict[str, Val]
    open: frozenset[str]
    key: str

    def inner(self) -> Scope:
        return self._replace(names=dict(self.names))


class Reading:
    """Works out values; what is called is read with the arguments that it is called with."""

    def __init__(self, model: Model, program: tree.Program) -> None:
        self.model, self.program = model, program
        self._values: dict[tuple[str, tuple[Val, ...]], Val] = {}
        self._deep: set[str] = set()
        self.modifies: dict[str, list[tree.Modify]] = {}
        self.forbids: dict[str, list[tree.Forbid]] = {}
        for modify in program.modifies:
            self.modifies.setdefault(modify.pattern.event, []).append(modify)
        for forbid in program.forbids:
            self.forbids.setdefault(forbid.pattern.event, []).append(forbid)

    # ---- what is hidden

    def seen(self, seen_by: str) -> str:
        """Who sees it: where an option says so, those of the strictest of its values."""
        if not seen_by.startswith("option."):
            return seen_by
        option = self.model.options.get(seen_by.removeprefix("option."))
        values = option.values if option is not None else ()
        return next((one for one in ("nobody", "owner") if one in values), "everyone")

    def zone(self, zone: tree.AnyZone, scope: Scope) -> tuple[Label, str]:
        """What the cards in a zone tell, and whose it is."""
        if isinstance(zone, tree.BoxRef):
            return NONE, ""
        owner = self.of(zone.owner, scope) if zone.owner is not None else Val(who=f"{zone.zone.name} of all")
        seen = self.seen(zone.zone.seen_by)
        if seen == "everyone" or zone.zone.name in scope.open:
            return owner.label, owner.who
        what = f"the cards in `{zone.zone.short_name}`"
        return owner.label | {Secret("" if seen == "nobody" else owner.who, what, zone.span)}, owner.who

    def zones(self, zones: Iterable[tree.AnyZone], scope: Scope) -> tuple[Label, str]:
        found = [self.zone(zone, scope) for zone in zones]
        whose = {who for _, who in found}
        return NONE.union(*(label for label, _ in found)), whose.pop() if len(whose) == 1 else ""

    # ---- expressions

    def of(self, e: tree.Expr, scope: Scope) -> Val:
        match e:
            case tree.LocalRef():
                return scope.names.get(e.local.name, Val(who=f"{scope.key} {e.local.name}"))
            case tree.BuiltinRef():
                return Val(who=ACTOR if e.name in ("actor", "active") else e.name)
            case tree.StateRef():
                return self._kept(e.attribute.seen_by, e.attribute.name, "", e.span)._replace(who=e.attribute.name)
            case tree.AttributeRef():
                whole = self.of(e.object, scope)
                kept = self._kept(e.attribute.seen_by, e.attribute.name, whole.who, e.span)
                who = symbol(f"{whole.who}.{e.attribute.name}", e.span)
                return Val(kept.label | whole.label | self.all_of(e.index, scope), who)
            case tree.ColumnRef():
                whole = self.of(e.object, scope)
                return Val(whole.label | whole.card | (self.of(e.index, scope).label if e.index else NONE))
            case tree.Property():
                whole = self.of(e.object, scope)
                told = e.name in ("face", "faces", "number")
                return Val(whole.label | (whole.card if told else NONE), whole.who, NONE)
            case tree.SlotRead():
                card, who = self.zone(e.zone, scope)
                return Val(NONE, who, card)
            case tree.ValueCall():
                return self._call(e, scope)
            case tree.BuiltinCall():
                return self._built_in(e, scope)
            case tree.Can() | tree.Affects():
                args = tuple(self.of(arg, scope) for arg in e.args)
                return Val(self.through(self.permission(e.event, args), e.span, f"this tests `can {e.event}`"))
            case tree.Query():
                return self._query(e, scope)
            case tree.IfElse():
                test, then, other = self.of(e.test, scope), self.of(e.then, scope), self.of(e.otherwise, scope)
                who = then.who if then.who == other.who else ""
                return Val(test.label | then.label | other.label, who, then.card | other.card)
            case tree.Otherwise():
                value, default = self.of(e.value, scope), self.of(e.default, scope)
                return Val(value.label | default.label, value.who, value.card | default.card)
            case _:
                return Val(self._parts(e, scope))

    def all_of(self, parts: Iterable[tree.Expr], scope: Scope) -> Label:
        return NONE.union(*(self.of(part, scope).label for part in parts))

    def _kept(self, seen_by: str, name: str, who: str, span: Span) -> Val:
        seen = self.seen(seen_by)
        if seen == "everyone":
            return Val()
        return Val(frozenset({Secret("" if seen == "nobody" or not who else who, f"`{name}`", span)}))

    def _parts(self, e: tree.Expr, scope: Scope) -> Label:
        """Of all parts of an expression of which nothing else is known."""
        found = NONE
        match e:
            case tree.Arith() | tree.Compare() | tree.Logic():
                found = self.all_of((e.left, e.right), scope)
            case tree.Negative() | tree.Not() | tree.Present():
                found = self.of(e.operand, scope).label
            case tree.OrderOf():
                found = self.all_of(e.parts, scope)
            case tree.Forms():
                found = self.of(e.number, scope).label
            case tree.TableRef():
                found = self.all_of(e.index, scope)
            case tree.Has():
                found = self.all_of((e.subject, e.trait), scope)
            case tree.Meets():
                found = self.all_of((e.subject, e.condition), scope)
            case tree.MemberOfSet():
                found = self.all_of(_children(e), scope)
            case tree.Working():
                found = self.all_of(_children(e), scope)
        return found

    def _built_in(self, e: tree.BuiltinCall, scope: Scope) -> Val:
        args = [self.of(arg, scope) for arg in e.args]
        label = NONE.union(*(arg.label for arg in args))
        if e.name in ("top", "bottom"):
            card, who = self.zones(e.zones, scope)
            return Val(label, who, card | NONE.union(*(arg.card for arg in args)))
        who = symbol(f"{e.name}({', '.join(arg.who for arg in args)})", e.span)
        return Val(label, who, NONE.union(*(arg.card for arg in args)))

    def _query(self, e: tree.Query, scope: Scope) -> Val:
        inner = scope.inner()
        label = NONE
        for binder in e.binders:
            label |= self.bind(binder, inner)
        body = self.of(e.body, inner) if e.body is not None else Val()
        label |= body.label
        if e.kind == "first":
            taken = inner.names[e.binders[0].local.name]
            return Val(label, taken.who, taken.card)
        return Val(label)

    def bind(self, b: tree.Binder, scope: Scope) -> Label:
        """Bind a variable; the secrets on which it depends what it may be."""
        label, val = NONE, Val(who=f"{scope.key} {b.local.name}")
        match b.domain:
            case tree.InZones():
                card, who = self.zones(b.domain.zones, scope)
                val = Val(NONE, who, card)
            case tree.OnBearer():
                bearer = self.of(b.domain.bearer, scope)
                label, val = bearer.label, Val(NONE, bearer.who)
            case tree.Things():
                if b.domain.owner is not None:
                    owner = self.of(b.domain.owner, scope)
                    label, val = owner.label, Val(NONE, owner.who)
            case tree.Range():
                label = self.all_of((b.domain.low, b.domain.high), scope)
            case tree.Members():
                label = self.of(b.domain.group, scope).label
        if b.local.name in scope.open:
            val = val._replace(card=NONE)
        scope.names[b.local.name] = val
        if b.where is not None:
            label |= self.of(b.where, scope).label
        for extreme in (*((b.extreme,) if b.extreme is not None else ()), *b.sorted_by):
            label |= self.of(extreme.key, scope).label
        return label

    # ---- what is called

    def _call(self, e: tree.ValueCall, scope: Scope) -> Val:
        args = tuple(self.of(arg, scope) for arg in e.args)
        found = self.value(e.value, args)
        return found._replace(label=self.through(found.label, e.span, f"this computes `{e.value}`"))

    def through(self, label: Label, span: Span, what: str) -> Label:
        return frozenset(replace(s, path=((span, what), *s.path)[:STEPS]) for s in label)

    def value(self, name: str, args: tuple[Val, ...]) -> Val:
        """What a value comes to with these arguments, with all that modifies it."""
        key = (name, args)
        if key in self._values:
            return self._values[key]
        if name in self._deep:
            return Val(NONE.union(*(arg.label for arg in args)))
        self._deep.add(name)
        declared = self.program.values[name]
        scope = self.scope(declared, name)
        scope.names.update({p.name: arg for p, arg in zip(declared.params, args, strict=False)})
        found = self.of(declared.body, scope)
        label = found.label
        for modify in self.modifies.get(name, ()):
            inner = self.hook_scope(modify, args)
            label |= self.of(modify.value, inner).label
            label |= self.of(modify.guard, inner).label if modify.guard is not None else NONE
        self._deep.discard(name)
        self._values[key] = found._replace(label=label)
        return self._values[key]

    def permission(self, event: str, args: tuple[Val, ...]) -> Label:
        """What it depends on whether an event may happen."""
        if event in self._deep:
            return NONE
        self._deep.add(event)
        declared = self.program.routines.get(event) or self.program.actions.get(event)
        label = NONE
        if isinstance(declared, tree.Routine):
            scope = self.scope(declared, event)
            scope.names.update({p.name: arg for p, arg in zip(declared.params, args, strict=False)})
            for require in declared.requires:
                label |= self.of(require.condition, scope).label
        label |= self.forbidden(event, args)
        self._deep.discard(event)
        return label

    def forbidden(self, event: str, args: Sequence[Val]) -> Label:
        found = NONE
        for forbid in self.forbids.get(event, ()):
            if forbid.guard is not None:
                found |= self.of(forbid.guard, self.hook_scope(forbid, args)).label
        return found

    def scope(self, declared: tree.Declared, key: str, whose: str = "") -> Scope:
        """A scope with the variables of a bearer, who belongs to `whose`."""
        names: dict[str, Val] = {}
        bearer: tree.Bearer | None = getattr(declared, "bearer", None)
        for role in ("this", "self", "partner", "owner"):
            local = getattr(bearer, role) if bearer is not None else None
            if local is not None:
                names[local.name] = Val(who=whose or f"the owner of {key}")
        return Scope(names, frozenset(), key)

    def hook_scope(self, hook: tree.Hook, args: Sequence[Val]) -> Scope:
        """The variables of a hook, bound to the arguments of its event."""
        slots = (*hook.pattern.slots, hook.pattern.bearer)
        whose = ""
        for slot, arg in zip(slots, args, strict=False):
            named = slot.expr if isinstance(slot, tree.EqualSlot) else None
            roles = [getattr(hook.bearer, role) for role in ("self", "owner")]
            if isinstance(named, tree.LocalRef) and named.local in roles:
                whose = arg.who
        scope = self.scope(hook, hook.name, whose)
        for slot, arg in zip(slots, args, strict=False):
            if isinstance(slot, tree.BindSlot):
                scope.names[slot.local.name] = arg
        return scope


def symbol(who: str, span: Span) -> str:
    """The symbol itself; for one made of too many others the place where it is made, as there is no end of them."""
    return who if who.count("(") + who.count(".") < 3 else f"{span.path}:{span.line}:{span.column}"


def _children(e: tree.Expr) -> list[tree.Expr]:
    """The outermost expressions in an expression."""
    found: list[tree.Expr] = []
    inner: set[int] = set()
    for node in walk(e):
        if node is e or id(node) in inner or not isinstance(node, tree.Typed):
            continue
        found.append(node)  # type: ignore[arg-type]
        inner.update(map(id, walk(node)))
    return found


__all__ = ["ACTOR", "NONE", "Label", "Reading", "Scope", "Secret", "Val"]
