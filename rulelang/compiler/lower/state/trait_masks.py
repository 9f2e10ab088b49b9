"""Track which traits work on a bearer: trait masks, pair cards, and how long cards have lain there."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import PairLayout, ZoneLayout
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, add, branch, conjunction, disjunction, once_per_table, times
from rulelang.compiler.lower.state.access import cell, face_of, is_unsilenced, link_into_chain, unlink_from_chain
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import MASK_BITS

# ---- pair cards


def kind_of_pairs(low: Lowering) -> str | None:
    """The made kind whose things pair cards join; None where no card is laid with a partner."""
    return next(iter(low.plan.masks), None) if low.plan.card_partner else None


def pair_layout(low: Lowering) -> PairLayout:
    """Where the chains lie. Call it only where there are such cards."""
    if low.plan.pairs is None:
        kind, cards = kind_of_pairs(low), len(low.plan.cards)
        assert kind is not None
        low.plan.pairs = PairLayout(
            kind, low.plan.claim(low.plan.rows_of(kind) + 1), low.plan.claim(cards), low.plan.claim(cards)
        )
    return low.plan.pairs


def each_partner(low: Lowering, kind: str, bearer: ir.Expr, name: str, body: Sequence[ir.Stmt]) -> list[ir.Stmt]:
    """Over the cards whose partner the bearer is."""
    if kind_of_pairs(low) != kind:
        return []
    return [ir.ForChain(name, cell(pair_layout(low).first, bearer), pair_layout(low).next, tuple(body))]


def is_mutual_card(low: Lowering, card: ir.Expr) -> ir.Expr:
    mutual = [0, *(int(t.pair == "mutual") for t in low.model.traits.values())]
    return ir.Table(low.table("mutual", mutual), face_of(card, low))


def each_mutual(low: Lowering, kind: str, bearer: ir.Expr, name: str, test: ir.Expr, body: Sequence[ir.Stmt]) -> list[
    ir.Stmt
]:  # fmt: skip
    """Over the mutual pair cards that the bearer is the partner of, and that satisfy a test on the card `name`."""
    then = branch(conjunction(is_mutual_card(low, ir.Local(name)), test), body)
    return each_partner(low, kind, bearer, name, then)


# ---- trait masks

TRAIT, BIT = ir.Local("t"), ir.Local("b")


def trait_bit(trait: int) -> tuple[int, int]:
    """Mask word and bit of a trait."""
    return (trait - 1) // MASK_BITS, 1 << ((trait - 1) % MASK_BITS)


def mask_cell(low: Lowering, kind: str, bearer: ir.Expr, word: int, *, multi: bool = False) -> ir.Expr:
    base = low.plan.masks[kind][1 if multi else 0]
    words = low.plan.mask_words
    return cell(base + word, bearer) if words == 1 else cell(base + word, times(bearer, ir.Const(words)))


def bears_own(low: Lowering, kind: str, bearer: ir.Expr, trait: int) -> ir.Expr:
    """The condition that a working card of the trait lies on the bearer itself."""
    word, b = trait_bit(trait)
    return ir.Arith("&", mask_cell(low, kind, bearer, word), ir.Const(b))


def bears_own_computed(low: Lowering, kind: str, bearer: ir.Expr, trait: ir.Expr) -> ir.Expr:
    """As `own_bit`, for a trait that is computed."""
    if isinstance(trait, ir.Const):
        return bears_own(low, kind, bearer, trait.value) if trait.value else ir.Const(0)
    count = low.plan.trait_count
    bits = low.table("trait_bit", [0, *(trait_bit(t)[1] for t in range(1, count + 1))])
    if low.plan.mask_words == 1:
        return ir.Arith("&", mask_cell(low, kind, bearer, 0), ir.Table(bits, trait))
    words = low.table("trait_word", [0, *(trait_bit(t)[0] for t in range(1, count + 1))])
    index = add(times(bearer, ir.Const(low.plan.mask_words)), ir.Table(words, trait))
    return ir.Arith("&", ir.Cell(low.plan.masks[kind][0], index), ir.Table(bits, trait))


def working_count(low: Lowering, trait: int) -> ir.Expr:
    """How many working cards of the trait lie on the table."""
    return ir.Cell(low.plan.live_count + trait)


def counts_in_zone(zone: ZoneLayout, low: Lowering) -> bool:
    """Whether traits of cards in a zone work on the thing that it belongs to."""
    return zone.in_force and zone.of in low.plan.masks and _has_faces(low)


@once_per_table
def _has_faces(low: Lowering) -> bool:
    return any(card.faces for card in low.plan.cards)


def card_came(low: Lowering, zone: ZoneLayout, card: ir.Expr, bearer: ir.Expr, face: ir.Expr) -> list[ir.Stmt]:
    """After a card with such a face was laid on a bearer."""
    if not counts_in_zone(zone, low):
        return []
    return [ir.CallRoutine(trait_came_function(low, zone.of), (card, bearer, face))]


def card_left(low: Lowering, zone: ZoneLayout, card: ir.Expr, bearer: ir.Expr, face: ir.Expr) -> list[ir.Stmt]:
    """After a card with such a face was taken from a bearer."""
    if not counts_in_zone(zone, low):
        return []
    return [ir.CallRoutine(trait_left_function(low, zone.of), (card, bearer, face))]


def _word_index(low: Lowering) -> tuple[list[ir.Stmt], ir.Expr]:
    """Which word of bearer `o` holds the bit of trait `t`: what works it out, and its index."""
    if low.plan.mask_words == 1:
        return [], ir.Local("o")
    words = low.table("trait_word", [0, *(trait_bit(t)[0] for t in range(1, low.plan.trait_count + 1))])
    index = add(times(ir.Local("o"), ir.Const(low.plan.mask_words)), ir.Table(words, TRAIT))
    return [ir.Set("i", index)], ir.Local("i")


def trait_came_function(low: Lowering, kind: str) -> str:
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
    return low.function(name, "routine", ("c", "o", "t"), _for_trait(low, body), "a card comes into force", NOWHERE)


def trait_left_function(low: Lowering, kind: str) -> str:
    """`left_KIND(c, o, t)`: card `c`, with trait `t`, works on bearer `o` no more."""
    name = f"left_{kind}"
    if name in low.functions:
        return name
    mask, multi = low.plan.masks[kind]
    word, index = _word_index(low)
    alone = ir.Compare("<", ir.Call(own_copies_function(low, kind), (ir.Local("o"), TRAIT)), ir.Const(2))
    body: list[ir.Stmt] = [
        *word,
        ir.Branch(
            ir.Arith("&", ir.Cell(multi, index), BIT),
            (ir.Branch(alone, (ir.Store(multi, index, ir.Arith("^", ir.Cell(multi, index), BIT)),)),),
            (ir.Store(mask, index, ir.Arith("^", ir.Cell(mask, index), BIT)),),
        ),
        ir.Add(low.plan.live_count, TRAIT, ir.Const(-1)),
    ]
    return low.function(name, "routine", ("c", "o", "t"), _for_trait(low, body), "a card leaves force", NOWHERE)


def _for_trait(low: Lowering, body: Sequence[ir.Stmt]) -> list[ir.Stmt]:
    """What is done for card `c` with trait `t` and the trait's bit `b`; nothing if it has none or is silent."""
    bits = low.table("trait_bit", [0, *(trait_bit(n)[1] for n in range(1, low.plan.trait_count + 1))])
    test = conjunction(TRAIT, is_unsilenced(ir.Local("c"), low))
    found = (ir.Set("b", ir.Table(bits, TRAIT)), *body)
    return [ir.Branch(test, found)]


def own_copies_function(low: Lowering, kind: str) -> str:
    """`copies_KIND(o, t)`: how many working cards of a trait lie on the bearer, or join it to another; called
    `own_copies_KIND` where it may also copy cards."""
    name = f"own_copies_{kind}" if low.graph.copies_on(kind) else f"copies_{kind}"
    if name not in low.functions:
        body = [ir.Set("n", ir.Const(0)), *count_traits_on(low, kind, ir.Local("o")), ir.Return(ir.Local("n"))]
        low.function(name, "pure", ("o", "t"), body, "count cards", NOWHERE)
    return name


def active_zones(low: Lowering, kind: str) -> list[ZoneLayout]:
    """The zones in force of a made kind."""
    return [z for z in low.plan.zones.values() if z.in_force and z.of == kind and not z.array]


def works_in_force(low: Lowering, card: ir.Expr, trait: ir.Expr) -> ir.Expr:
    """The condition that a card lying in force shows that trait and is not silenced."""
    shows = ir.Compare("==", face_of(card, low), trait)
    return conjunction(shows, is_unsilenced(card, low))


def count_traits_on(low: Lowering, kind: str, bearer: ir.Expr) -> list[ir.Stmt]:
    """Statements that add to the local `n` the cards with trait `t` that lie on a bearer, or join it to another."""
    out: list[ir.Stmt] = []
    for zone in active_zones(low, kind):
        test = works_in_force(low, ir.Local("c"), ir.Local("t"))
        step = ir.Branch(test, (ir.Set("n", add(ir.Local("n"), ir.Const(1))),))
        out.append(ir.ForChain("c", ir.Cell(zone.first, bearer), low.plan.card_next, (step,)))
    if low.plan.card_partner:
        more = ir.Set("n", add(ir.Local("n"), ir.Const(1)))
        out += each_mutual(low, kind, bearer, "c", works_in_force(low, ir.Local("c"), ir.Local("t")), (more,))
    return out


#: How long a silence holds, as bits of the card's word: until its scope ends, or for good.
SILENCES = {"turn": 1, "phase": 2, "round": 4, "game": 8}


def silence_card(low: Lowering, card: ir.Expr, until: str) -> list[ir.Stmt]:
    """Silences a card until the scope ends: it counts as gone from force, and stays where it lies. Silences with other
    ends go on beside it."""
    bit = ir.Const(SILENCES[until])
    return [
        ir.CallRoutine(_silence_changed_function(low, on=True), (card,)),
        ir.Store(low.plan.silent, card, ir.Arith("|", cell(low.plan.silent, card), bit)),
    ]


def restore_card(low: Lowering, card: ir.Expr) -> list[ir.Stmt]:
    """Ends every silence of a card."""
    back = (
        ir.Store(low.plan.silent, card, ir.Const(0)),
        ir.CallRoutine(_silence_changed_function(low, on=False), (card,)),
    )
    return [ir.Branch(cell(low.plan.silent, card), back)]


def end_silences(low: Lowering, scope: str) -> list[ir.Stmt]:
    """At the end of a scope: the silences that it bounds are over. What is silenced for longer stays so."""
    c = ir.Local("c")
    word, bit = ir.Cell(low.plan.silent, c), ir.Const(SILENCES[scope])
    over = (
        ir.Store(low.plan.silent, c, ir.Arith("^", word, bit)),
        ir.CallRoutine(_silence_changed_function(low, on=False), (c,)),
    )
    ended = ir.Branch(ir.Arith("&", word, bit), over)
    return [ir.ForRange("c", ir.Const(1), ir.Const(len(low.plan.cards)), (ended,))]


def _silence_changed_function(low: Lowering, *, on: bool) -> str:
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
        for zone in active_zones(low, kind):
            inside = conjunction(
                ir.Compare(">", where, ir.Const(zone.first_id)),
                ir.Compare("<=", where, ir.Const(zone.first_id + zone.owners)),
            )
            change = trait_left_function(low, kind) if on else trait_came_function(low, kind)
            body.append(ir.Branch(inside, (ir.CallRoutine(change, (c, ir.Table(owners, where), face_of(c, low))),)))
    if plan.card_partner:
        joined = kind_of_pairs(low)
        assert joined is not None
        other = cell(plan.card_partner, c)
        ends = trait_left_function(low, joined) if on else trait_came_function(low, joined)
        call = ir.CallRoutine(ends, (c, other, face_of(c, low)))
        body.append(ir.Branch(conjunction(other, is_mutual_card(low, c)), (call,)))
    return low.function(name, "routine", ("c",), body, name.replace("_", " "), NOWHERE)


def is_active(low: Lowering, card: ir.Expr) -> ir.Expr:
    """The condition that a card lies in a zone in force and is not silenced."""
    forcing = [z.name for z in low.plan.zones.values() if z.in_force]
    working = _lies_in_one_of(low, card, forcing)
    return conjunction(working, is_unsilenced(card, low))


def is_at_hand(low: Lowering, card: ir.Expr) -> ir.Expr:
    """The condition that a card's own actions are offered: it lies in a playable zone, or in force with no owner."""
    owned = ("player", *low.model.made)
    offering = [z.name for z in low.model.zones.values() if z.playable or (z.in_force and z.of not in owned)]
    lying = _lies_in_one_of(low, card, offering)
    return conjunction(lying, is_unsilenced(card, low))


def _lies_in_one_of(low: Lowering, card: ir.Expr, names: list[str]) -> ir.Expr:
    where = cell(low.plan.where, card)
    parts: list[ir.Expr] = []
    for name in names:
        zone = low.plan.zones[name]
        first, last = (zone.first_id + 1, zone.first_id + zone.owners) if zone.of else (zone.first_id,) * 2
        parts.append(conjunction(ir.Compare(">=", where, ir.Const(first)), ir.Compare("<=", where, ir.Const(last))))
    return disjunction(*parts)


# ---- ages


@once_per_table
def age_matters(low: Lowering) -> bool:
    """Whether the order in which cards lie may not tell which of them is older.

    Whether anything lists the cards on a thing is not asked: scenarios do that too, and of states that are laid out
    already.
    """
    listed = any(may_be_out_of_age_order(kind, sort, low) for kind in low.plan.masks for sort in low.plan.sorts)
    return listed or any(_acts_out_of_age_order(hook, low) for hook in low.program.triggers)


@once_per_table
def may_be_out_of_age_order(kind: str, sort: str, low: Lowering) -> bool:
    """Whether cards of a sort on a thing may not be found oldest first."""
    first, last = low.plan.sorts[sort]
    zones = [zone for zone in low.plan.zones.values() if zone.in_force and zone.of == kind and zone.holds == sort]
    elsewhere = len(zones) > 1 or kind_of_pairs(low) == kind or low.plan.features.under
    return bool(zones) and last > first and elsewhere


def _acts_out_of_age_order(hook: tree.Trigger, low: Lowering) -> bool:
    """Whether several cards of the trait may act together that are not found one after the other, oldest first."""
    if hook.origin.what != "trait" or hook.always or hook.bearer.self is None or hook.kind == "instead of":
        return False
    trait, kind = low.model.traits[hook.origin.name], hook.bearer.self.type.name
    if sum(trait.number in card.faces for card in low.plan.cards) < 2:
        return False
    alike = [h for h in low.graph.hooks_on[hook.pattern.event] if h.origin == hook.origin and h.kind == hook.kind]
    return (
        len(alike) > 1  # each card sets off all of its hooks before the next one
        or trait.pair == "mutual"
        or low.plan.features.under
        or len(active_zones(low, kind)) > 1
        or bool(low.graph.copies_on(kind))
    )


@once_per_table
def age_column(low: Lowering) -> int:
    """Base of the words that say, by card, when it was laid. The word of handle 0 counts the cards that were."""
    return low.plan.claim(len(low.plan.cards))


def note_age(low: Lowering, zone: ZoneLayout, card: ir.Expr) -> list[ir.Stmt]:
    """After a card was laid in a zone."""
    if not zone.in_force or zone.of not in low.plan.masks or not age_matters(low):
        return []
    count = ir.Cell(age_column(low))
    return [ir.Add(age_column(low), None, ir.Const(1)), ir.Store(age_column(low), card, count)]


# ---- joining pair cards

C, OWNER, N = ir.Local("c"), ir.Local("o"), ir.Local("n")


def join_function(low: Lowering) -> str:
    """`join(c, o)`: chains a card to its partner, if it has one."""
    kind = kind_of_pairs(low)
    assert kind is not None
    name = "join_pair"
    if name not in low.functions:
        laid = pair_layout(low)
        body: list[ir.Stmt] = [
            ir.Set("n", ir.Cell(laid.first, OWNER)),
            *link_into_chain(laid.next, laid.prev, C, N, None),
            ir.Store(laid.first, OWNER, C),
            ir.Branch(
                is_mutual_card(low, C), (ir.CallRoutine(trait_came_function(low, kind), (C, OWNER, face_of(C, low))),)
            ),
        ]
        low.function(name, "routine", ("c", "o"), branch(OWNER, body), "join a pair", NOWHERE)
    return name


def part_function(low: Lowering) -> str:
    """`part(c)`: takes a card from its partner's chain; it has no partner any more."""
    kind = kind_of_pairs(low)
    assert kind is not None
    name = "part_pair"
    if name not in low.functions:
        laid = pair_layout(low)
        body: list[ir.Stmt] = [
            *unlink_from_chain(laid.next, laid.prev, C, ir.Store(laid.first, OWNER, N), None),
            ir.Store(low.plan.card_partner, C, ir.Const(0)),
            ir.Branch(
                is_mutual_card(low, C), (ir.CallRoutine(trait_left_function(low, kind), (C, OWNER, face_of(C, low))),)
            ),
        ]
        partner = ir.Set("o", ir.Cell(low.plan.card_partner, C))
        low.function(name, "routine", ("c",), [partner, *branch(OWNER, body)], "part a pair", NOWHERE)
    return name


def unjoin_all(low: Lowering, kind: str, thing: ir.Expr) -> list[ir.Stmt]:
    """When a thing is removed: what was joined to it stays where it lies, alone."""
    if kind_of_pairs(low) != kind:
        return []
    top = cell(pair_layout(low).first, thing)
    return [ir.While(top, (ir.CallRoutine(part_function(low), (top,)),))]
