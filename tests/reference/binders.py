"""Zones, binders and queries (binders-and-queries.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulelang.semantics import tree
from rulelang.semantics.types import MISSING_INT
from tests.reference.scope import Missing, Scope, checked, present
from tests.reference.world import BOX, Card, Pile, Thing, World


class Binders:
    """What variables run over. Expressions join by inheritance."""

    world: World

    @staticmethod
    def order_of(value: Any) -> tuple[int, ...]:
        """An order as the numbers that are compared one after the other. What is missing comes before all of them."""
        return value if isinstance(value, tuple) else (int(value) if present(value) else MISSING_INT,)

    # ---- zones

    def pile(self, ref: tree.AnyZone, s: Scope) -> Pile:
        """The one zone that is meant."""
        if isinstance(ref, tree.BoxRef):
            return self.world.pile(BOX, None)
        return self.world.pile(ref.zone, None if ref.owner is None else self.through(ref.owner, s))

    def piles(self, ref: tree.AnyZone, s: Scope) -> list[Pile]:
        """The zone that is meant, or all of that name in the order of their owners."""
        if isinstance(ref, tree.BoxRef) or ref.owner is not None or ref.zone.of is None:
            return [self.pile(ref, s)]
        w, of = self.world, ref.zone.of
        if of == "player":
            owners: Sequence[Any] = w.owners()
        elif of in w.model.made:
            owners = list(w.all_things(of))
        elif of in w.model.sorts:
            owners = [card for card in w.cards if card.info.sort == of]
        else:
            owners = range(1, w.rows(of) + 1)
        return [w.pile(ref.zone, owner) for owner in owners]

    # ---- binders

    def members(self, group: tree.Expr, s: Scope) -> Sequence[Any]:
        """The members of a set."""
        if isinstance(group, tree.BuiltinCall):
            return self.beside(group.args[0].type.name, self.through(group.args[0], s))
        return self.value(group, s)  # type: ignore[no-any-return]

    def domain(self, d: tree.Domain, s: Scope) -> Sequence[Any]:
        w = self.world
        match d:
            case tree.Rows():
                return range(1, w.rows(d.listing) + 1)
            case tree.AllCards():
                return [card for card in w.cards if card.info.sort == d.sort]
            case tree.InZones():
                return [
                    c for ref in d.zones for pile in self.piles(ref, s) for c in pile.cards if c.info.sort == d.sort
                ]
            case tree.OnBearer():
                return [card for card in w.laid_on(self.through(d.bearer, s)) if card.info.sort == d.sort]
            case tree.Things():
                place = None if d.place is None else self.through(d.place, s)
                owner = None if d.owner is None else self.through(d.owner, s)
                found = w.all_things(d.kind) if owner is None else w.line(d.kind, owner)
                return [thing for thing in found if place is None or thing.place == place]
            case tree.Players():
                return w.order(None if d.start is None else self.through(d.start, s))
            case tree.Range():
                return range(self.through(d.low, s), self.through(d.high, s) + 1)
            case tree.Members():
                return self.members(d.group, s)

    def bound(self, b: tree.Binder, s: Scope, *, distinct: bool = False) -> list[Any]:
        """The values of a binder: `where`, then those with most or least, then sorted; at last none."""
        try:
            found = list(self.domain(b.domain, s))
        except Missing:
            found = []
        if distinct and isinstance(b.domain, tree.InZones):
            found = self.unlike(found)
        inner = s.inner()

        def of(e: tree.Expr, item: Any) -> Any:
            inner.names[b.local.name] = item
            try:
                return self.order_of(self.value(e, inner))
            except Missing:
                return self.order_of(None)

        def holds(item: Any) -> bool:
            inner.names[b.local.name] = item
            return self.cond(b.where, inner)  # type: ignore[arg-type]

        if b.where is not None:
            found = [item for item in found if holds(item)]
        if b.extreme is not None and len(found) > 1:
            keys = [of(b.extreme.key, item) for item in found]
            best = max(keys) if b.extreme.way == "most" else min(keys)
            found = [item for item, key in zip(found, keys, strict=True) if key == best]
        for key in reversed(b.sorted_by if len(found) > 1 else ()):
            found.sort(key=lambda item: of(key.key, item), reverse=key.way == "most")
        return [*found, None] if b.maybe else found

    def unlike(self, cards: Sequence[Card]) -> list[Card]:
        """Of equal cards in one zone of the game or of a player the first."""
        seen: set[Any] = set()
        found: list[Card] = []
        for card in cards:
            of_thing = isinstance(card.pile.owner, Thing) and not card.pile.zone.slot
            own = of_thing or self.world.model.sorts[card.info.sort].attributes
            key = card if own else (card.pile, card.info.look)
            if key not in seen:
                seen.add(key)
                found.append(card)
        return found

    def combinations(self, binders: Sequence[tree.Binder], s: Scope, *, distinct: bool = False) -> Iterator[Scope]:
        """A scope for each combination, the leftmost binder outermost."""
        if not binders:
            yield s
            return
        for item in self.bound(binders[0], s, distinct=distinct):
            inner = s.inner()
            inner.names[binders[0].local.name] = item
            yield from self.combinations(binders[1:], inner, distinct=distinct)

    def query(self, e: tree.Query, s: Scope) -> Any:
        if e.kind in ("any", "no"):
            return any(True for _ in self.combinations(e.binders, s)) == (e.kind == "any")
        if e.kind == "all":
            return all(self.cond(e.body, inner) for inner in self.combinations(e.binders, s))  # type: ignore[arg-type]
        if e.kind == "count":
            return sum(1 for _ in self.combinations(e.binders, s))
        if e.kind == "first":
            return next(iter(self.bound(e.binders[0], s)), None)
        found: list[Any] = []
        for inner in self.combinations(e.binders, s):
            try:
                value = self.value(e.body, inner)  # type: ignore[arg-type]
            except Missing:
                continue
            if present(value):
                found.append(value)
        if e.kind == "sum":
            total = 0
            for value in found:
                total = checked(total + value)
            return total
        if not found:
            raise Missing
        return (min if e.kind == "min" else max)(found)
