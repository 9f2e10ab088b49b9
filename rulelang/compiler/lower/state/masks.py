"""Which traits work on a bearer: a bit a trait in the bearer's mask, one more mask for "more than one such card", and
a live count of working cards a trait. They follow the cards as these come to and leave zones in force.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import ZoneLayout
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, add, both, either, once, times
from rulelang.compiler.lower.state import pairs
from rulelang.compiler.lower.state.addresses import cell, face_of, unsilenced
from rulelang.language.semantics.state_layout import MASK_BITS

TRAIT, BIT = ir.Local("t"), ir.Local("b")


def bit(trait: int) -> tuple[int, int]:
    """Mask word and bit of a trait."""
    return (trait - 1) // MASK_BITS, 1 << ((trait - 1) % MASK_BITS)


def mask_cell(low: Lowering, kind: str, bearer: ir.Expr, word: int, *, multi: bool = False) -> ir.Expr:
    base = low.plan.masks[kind][1 if multi else 0]
    words = low.plan.mask_words
    return cell(base + word, bearer) if words == 1 else cell(base + word, times(bearer, ir.Const(words)))


def own_bit(low: Lowering, kind: str, bearer: ir.Expr, trait: int) -> ir.Expr:
    """The condition that a working card of the trait lies on the bearer itself."""
    word, b = bit(trait)
    return ir.Arith("&", mask_cell(low, kind, bearer, word), ir.Const(b))


def own_bit_of(low: Lowering, kind: str, bearer: ir.Expr, trait: ir.Expr) -> ir.Expr:
    """As `own_bit`, for a trait that is computed."""
    if isinstance(trait, ir.Const):
        return own_bit(low, kind, bearer, trait.value) if trait.value else ir.Const(0)
    count = low.plan.trait_count
    bits = low.table("trait_bit", [0, *(bit(t)[1] for t in range(1, count + 1))])
    if low.plan.mask_words == 1:
        return ir.Arith("&", mask_cell(low, kind, bearer, 0), ir.Table(bits, trait))
    words = low.table("trait_word", [0, *(bit(t)[0] for t in range(1, count + 1))])
    index = add(times(bearer, ir.Const(low.plan.mask_words)), ir.Table(words, trait))
    return ir.Arith("&", ir.Cell(low.plan.masks[kind][0], index), ir.Table(bits, trait))


def live_count(low: Lowering, trait: int) -> ir.Expr:
    """How many working cards of the trait lie on the table."""
    return ir.Cell(low.plan.live_count + trait)


def counts(zone: ZoneLayout, low: Lowering) -> bool:
    """Whether traits of cards in a zone work on the thing that it belongs to."""
    return zone.in_force and zone.of in low.plan.masks and _faced(low)


@once
def _faced(low: Lowering) -> bool:
    return any(card.faces for card in low.plan.cards)


def card_came(low: Lowering, zone: ZoneLayout, card: ir.Expr, bearer: ir.Expr, face: ir.Expr) -> list[ir.Stmt]:
    """After a card with such a face was laid on a bearer."""
    if not counts(zone, low):
        return []
    return [ir.CallRoutine(came(low, zone.of), (card, bearer, face))]


def card_left(low: Lowering, zone: ZoneLayout, card: ir.Expr, bearer: ir.Expr, face: ir.Expr) -> list[ir.Stmt]:
    """After a card with such a face was taken from a bearer."""
    if not counts(zone, low):
        return []
    return [ir.CallRoutine(left(low, zone.of), (card, bearer, face))]


def _word_index(low: Lowering) -> tuple[list[ir.Stmt], ir.Expr]:
    """Which word of bearer `o` holds the bit of trait `t`: what works it out, and its index."""
    if low.plan.mask_words == 1:
        return [], ir.Local("o")
    words = low.table("trait_word", [0, *(bit(t)[0] for t in range(1, low.plan.trait_count + 1))])
    index = add(times(ir.Local("o"), ir.Const(low.plan.mask_words)), ir.Table(words, TRAIT))
    return [ir.Set("i", index)], ir.Local("i")


def came(low: Lowering, kind: str) -> str:
    """`came_KIND(c, o, t)`: card `c`, with trait `t`, works on bearer `o` from now on."""
    name = f"came_{kind}"
    if name in low.functions:
        return name
    mask, multi = low.plan.masks[kind]
    word, index = _word_index(low)
    body: list[ir.Stmt] = [
        *word,
        ir.Set("m", ir.Cell(mask, index)),
        ir.Branch(
            ir.Arith("&", ir.Local("m"), BIT),
            (ir.Store(multi, index, ir.Arith("|", ir.Cell(multi, index), BIT)),),
            (ir.Store(mask, index, ir.Arith("|", ir.Local("m"), BIT)),),
        ),
        ir.Add(low.plan.live_count, TRAIT, ir.Const(1)),
    ]
    return low.function(name, "routine", ("c", "o", "t"), _of_trait(low, body), "a card comes into force", NOWHERE)


def left(low: Lowering, kind: str) -> str:
    """`left_KIND(c, o, t)`: card `c`, with trait `t`, works on bearer `o` no more."""
    name = f"left_{kind}"
    if name in low.functions:
        return name
    mask, multi = low.plan.masks[kind]
    word, index = _word_index(low)
    alone = ir.Compare("<", ir.Call(own_copies(low, kind), (ir.Local("o"), TRAIT)), ir.Const(2))
    body: list[ir.Stmt] = [
        *word,
        ir.Branch(
            ir.Arith("&", ir.Cell(multi, index), BIT),
            (ir.Branch(alone, (ir.Store(multi, index, ir.Arith("^", ir.Cell(multi, index), BIT)),)),),
            (ir.Store(mask, index, ir.Arith("^", ir.Cell(mask, index), BIT)),),
        ),
        ir.Add(low.plan.live_count, TRAIT, ir.Const(-1)),
    ]
    return low.function(name, "routine", ("c", "o", "t"), _of_trait(low, body), "a card leaves force", NOWHERE)


def _of_trait(low: Lowering, body: Sequence[ir.Stmt]) -> list[ir.Stmt]:
    """What is done for card `c` with trait `t` and the trait's bit `b`; nothing if it has none or is silent."""
    bits = low.table("trait_bit", [0, *(bit(n)[1] for n in range(1, low.plan.trait_count + 1))])
    test = both(TRAIT, unsilenced(ir.Local("c"), low))
    found = (ir.Set("b", ir.Table(bits, TRAIT)), *body)
    return [ir.Branch(test, found)]


def own_copies(low: Lowering, kind: str) -> str:
    """`copies_KIND(o, t)`: how many working cards of a trait lie on the bearer, or join it to another; called
    `own_copies_KIND` where it may also copy cards."""
    name = f"own_copies_{kind}" if low.graph.copies_on(kind) else f"copies_{kind}"
    if name not in low.functions:
        body = [ir.Set("n", ir.Const(0)), *count_on(low, kind, ir.Local("o")), ir.Return(ir.Local("n"))]
        low.function(name, "pure", ("o", "t"), body, "count cards", NOWHERE)
    return name


def force_zones(low: Lowering, kind: str) -> list[ZoneLayout]:
    """The zones in force of a made kind."""
    return [z for z in low.plan.zones.values() if z.in_force and z.of == kind and not z.array]


def works(low: Lowering, card: ir.Expr, trait: ir.Expr) -> ir.Expr:
    """The condition that a card lying in force shows that trait and is not silenced."""
    shows = ir.Compare("==", face_of(card, low), trait)
    return both(shows, unsilenced(card, low))


def count_on(low: Lowering, kind: str, bearer: ir.Expr) -> list[ir.Stmt]:
    """Statements that add to the local `n` the cards with trait `t` that lie on a bearer, or join it to another."""
    out: list[ir.Stmt] = []
    for zone in force_zones(low, kind):
        test = works(low, ir.Local("c"), ir.Local("t"))
        step = ir.Branch(test, (ir.Set("n", add(ir.Local("n"), ir.Const(1))),))
        out.append(ir.ForChain("c", ir.Cell(zone.first, bearer), low.plan.card_next, (step,)))
    if low.plan.card_partner:
        more = ir.Set("n", add(ir.Local("n"), ir.Const(1)))
        out += pairs.mutual_from(low, kind, bearer, "c", works(low, ir.Local("c"), ir.Local("t")), (more,))
    return out


#: How long a silence holds, as bits of the card's word: until its scope ends, or for good.
SILENCES = {"turn": 1, "phase": 2, "round": 4, "game": 8}


def silence(low: Lowering, card: ir.Expr, until: str) -> list[ir.Stmt]:
    """Silences a card until the scope ends: it counts as gone from force, and stays where it lies. Silences with other
    ends go on beside it."""
    bit = ir.Const(SILENCES[until])
    return [
        ir.CallRoutine(_changed(low, on=True), (card,)),
        ir.Store(low.plan.silent, card, ir.Arith("|", cell(low.plan.silent, card), bit)),
    ]


def restore(low: Lowering, card: ir.Expr) -> list[ir.Stmt]:
    """Ends every silence of a card."""
    back = (ir.Store(low.plan.silent, card, ir.Const(0)), ir.CallRoutine(_changed(low, on=False), (card,)))
    return [ir.Branch(cell(low.plan.silent, card), back)]


def silences_end(low: Lowering, scope: str) -> list[ir.Stmt]:
    """At the end of a scope: the silences that it bounds are over. What is silenced for longer stays so."""
    c = ir.Local("c")
    word, bit = ir.Cell(low.plan.silent, c), ir.Const(SILENCES[scope])
    over = (
        ir.Store(low.plan.silent, c, ir.Arith("^", word, bit)),
        ir.CallRoutine(_changed(low, on=False), (c,)),
    )
    ended = ir.Branch(ir.Arith("&", word, bit), over)
    return [ir.ForRange("c", ir.Const(1), ir.Const(len(low.plan.cards)), (ended,))]


def _changed(low: Lowering, *, on: bool) -> str:
    """What bearers are told before a first silence, and after the last one: nothing while there is (still) another."""
    name = "falls_silent" if on else "works_again"
    if name in low.functions:
        return name
    plan = low.plan
    c = ir.Local("c")
    body: list[ir.Stmt] = [ir.Branch(ir.Cell(plan.silent, c), (ir.Return(),))]
    owners = low.table("zone_owner", plan.zone_owner)
    where = ir.Cell(plan.where, c)
    for kind in plan.masks:
        for zone in force_zones(low, kind):
            inside = both(
                ir.Compare(">", where, ir.Const(zone.first_id)),
                ir.Compare("<=", where, ir.Const(zone.first_id + zone.owners)),
            )
            change = left(low, kind) if on else came(low, kind)
            body.append(ir.Branch(inside, (ir.CallRoutine(change, (c, ir.Table(owners, where), face_of(c, low))),)))
    if plan.card_partner:
        joined = pairs.kind_of_pairs(low)
        assert joined is not None
        other = cell(plan.card_partner, c)
        ends = left(low, joined) if on else came(low, joined)
        call = ir.CallRoutine(ends, (c, other, face_of(c, low)))
        body.append(ir.Branch(both(other, pairs.is_mutual(low, c)), (call,)))
    return low.function(name, "routine", ("c",), body, name.replace("_", " "), NOWHERE)


def in_force(low: Lowering, card: ir.Expr) -> ir.Expr:
    """The condition that a card lies in a zone in force and is not silenced."""
    forcing = [z.name for z in low.plan.zones.values() if z.in_force]
    working = _lies_in_one_of(low, card, forcing)
    return both(working, unsilenced(card, low))


def at_hand(low: Lowering, card: ir.Expr) -> ir.Expr:
    """The condition that a card's own actions are offered: it lies in a playable zone, or in force with no owner."""
    owned = ("player", *low.model.made)
    offering = [z.name for z in low.model.zones.values() if z.playable or (z.in_force and z.of not in owned)]
    lying = _lies_in_one_of(low, card, offering)
    return both(lying, unsilenced(card, low))


def _lies_in_one_of(low: Lowering, card: ir.Expr, names: list[str]) -> ir.Expr:
    where = cell(low.plan.where, card)
    parts: list[ir.Expr] = []
    for name in names:
        zone = low.plan.zones[name]
        first, last = (zone.first_id + 1, zone.first_id + zone.owners) if zone.of else (zone.first_id,) * 2
        parts.append(both(ir.Compare(">=", where, ir.Const(first)), ir.Compare("<=", where, ir.Const(last))))
    return either(*parts)
