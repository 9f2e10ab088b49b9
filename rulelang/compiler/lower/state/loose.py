"""Cards that work where they lie on nothing: in zones in force of players, of the game, of rows or of cards.

Their bearer is the card itself. Where the cards of a trait may lie on things too, its rules have a thing as `self`, and
a loose card has none.
"""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, Lowering, add, both, once
from rulelang.compiler.lower.state.addresses import cell, face_of, owner_of, unsilenced
from rulelang.language.semantics import tree

#: What is brought by a trait or a row, and so may have a bearer.
Borne = (
    tree.Modify | tree.Forbid | tree.Ignore | tree.Trigger | tree.Action | tree.Routine | tree.Value | tree.CopyCards
)


def on_things(borne: Borne, low: Lowering) -> bool:
    """Whether `self` is a thing that cards lie on."""
    return borne.bearer.self is not None and low.plan.is_made(borne.bearer.self.type.name)


def cards(borne: Borne, low: Lowering) -> tuple[int, ...]:
    """Handles of the cards that bring a trait's rule and may work where they lie on nothing."""
    if borne.origin.what != "trait" or borne.bearer.this is None:
        return ()
    return _showing(borne.origin.name, low)


@once
def _showing(trait: str, low: Lowering) -> tuple[int, ...]:
    """Handles of the cards that may show a trait in force on nothing."""
    sorts = {z.holds for z in low.plan.zones.values() if z.in_force and not low.plan.is_made(z.of)}
    number = low.model.traits[trait].number
    return tuple(h for h, c in enumerate(low.plan.cards) if number in c.faces and c.sort in sorts)


def lies(low: Lowering, card: ir.Expr) -> ir.Expr:
    """The condition that a card lies in force on nothing, and is not silenced."""
    zones = low.plan.zones
    there = [
        int(name in zones and zones[name].in_force and not low.plan.is_made(zones[name].of))
        for name in low.plan.zone_names
    ]
    if not any(there):
        return FALSE
    lying = ir.Table(low.table("loose", there), cell(low.plan.where, card))
    return both(lying, unsilenced(card, low))


def works(low: Lowering, card: ir.Expr, trait: int) -> ir.Expr:
    """The condition that a card shows a trait, and works where it lies on nothing."""
    return both(ir.Compare("==", face_of(card, low), ir.Const(trait)), lies(low, card))


def loop(borne: Borne, name: str, low: Lowering, body: list[ir.Stmt]) -> list[ir.Stmt]:
    """Over the cards that show the rule's trait and lie in force on nothing; the body reads the IR local `name`."""
    found = cards(borne, low)
    if not found or not body:
        return []
    number = low.model.traits[borne.origin.name].number
    there = ir.Branch(works(low, ir.Local(name), number), tuple(body))
    if found == tuple(range(found[0], found[-1] + 1)):
        return [ir.ForRange(name, ir.Const(found[0]), ir.Const(found[-1] + 1), (there,))]
    return [ir.ForTable(name, low.row_table(f"cards_{borne.origin.name}", [found]), ir.Const(0), (there,))]


# ---- one word for the bearer of a rule that is due: a thing, or the owner of a card without one


def alike(borne: tree.Action | tree.Trigger, low: Lowering) -> bool:
    """Whether cards that lie on nothing and look alike bring the same: nothing is kept for a card by itself."""
    found = cards(borne, low)
    if not found or low.model.traits[borne.origin.name].state or borne.once_per is not None:
        return False
    return not any(low.model.sorts[low.plan.cards[card].sort].attributes for card in found)


def packed(borne: Borne, self: ir.Expr, owner: ir.Expr, low: Lowering) -> ir.Expr:
    """The bearer as one word: the thing; or the player whose the card is now, behind the things. A row needs none."""
    if not on_things(borne, low):
        return owner
    if self != ir.Const(0):
        return self
    assert borne.bearer.self is not None
    return add(owner, ir.Const(low.plan.rows_of(borne.bearer.self.type.name) + 1))


def unpacked(borne: Borne, word: ir.Expr, card: ir.Expr, low: Lowering) -> tuple[ir.Expr, ir.Expr]:
    """`self` and its owner, from such a word and the card."""
    if not on_things(borne, low):
        return card, word
    assert borne.bearer.self is not None
    kind = borne.bearer.self.type.name
    if not cards(borne, low):
        return word, owner_of(kind, word, low)
    things = low.plan.rows_of(kind)
    thing = ir.Compare("<=", word, ir.Const(things))
    per = low.plan.kinds[kind].per_owner
    owners = [0, *((h - 1) // per + 1 for h in range(1, things + 1)), *range(low.plan.players + 2)]
    return ir.If(thing, word, ir.Const(0)), ir.Table(low.table(f"owner_or_{kind}", owners), word)


def most(low: Lowering) -> int:
    """The greatest such word."""
    things = max((low.plan.rows_of(kind) for kind in low.model.made), default=-1)
    return things + 1 + low.plan.players + 1
