"""Whether a chain holds what is like an item: asked of a mask, with the same options as along the chain."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.passes.bit_tests import use_membership_masks
from rulelang.compiler.passes.choice.counting import counter_function
from rulelang.compiler.passes.choice.shapes import shape_of
from tests.backends.machine import C, L, at, enumerator, module, plus, program, pure, routine

HAND = 20
FIRST, NEXT, LENGTH, WORD = 40, 50, 70, 80  # a chain an owner, and a word an owner
ITEMS, OWNERS = 8, 2
FACES = (0, 3, 1, 3, 2, 5, 1, 4, 2)  # by item; 0 names nothing
BITS = tuple((1 << face) >> 1 for face in FACES)


def face(item: str) -> ir.Expr:
    return ir.Table("face", L(item))


ALIKE = pure(
    "alike",
    "c s",
    ir.ForChain(
        "d",
        at(FIRST, L("s")),
        NEXT,
        (ir.Branch(ir.Compare("==", face("d"), face("c")), (ir.Return(C(1)),)),),
        at(LENGTH, L("s")),
    ),
    ir.Return(C(0)),
)
ASKED = ir.Call("alike", (L("c"), L("s")))
GUARDED = ir.Logic("and", (at(LENGTH, L("s")), ASKED))
WORKS = ir.Arith("&", at(WORD, L("s")), ir.Table("bits", L("c")))
ODD = ir.Compare("==", ir.Arith("%", L("c"), C(2)), C(1))
TESTS: tuple[ir.Expr, ...] = (
    ir.Not(ir.Logic("or", (WORKS, GUARDED))),
    ir.Logic("and", (ODD, ir.Not(GUARDED))),
    ir.Logic("or", (ODD, GUARDED, WORKS)),
    ir.Logic("and", (ODD, ASKED)),
    ir.Logic("and", (at(LENGTH, L("s")), ODD, ASKED)),
    ASKED,
)


def options(test: ir.Expr) -> ir.Function:
    """For every owner the cards of the hand that pass the test."""
    hand = ir.ForArray("c", C(HAND), (ir.Branch(test, (ir.Yield((L("s"), L("c"))),)),))
    return enumerator("found", "", ir.ForRange("s", C(0), C(OWNERS), (hand,)))


def laid_out(hand: list[int], chains: list[list[int]], words: list[int]) -> list[ir.Stmt]:
    found: list[ir.Stmt] = [ir.ArrayPush(C(HAND), C(card)) for card in hand]
    for owner, chain in enumerate(chains):
        found.append(ir.Store(LENGTH + owner, None, C(len(chain))))
        found += [ir.Store(FIRST + owner, None, C(card)) for card in chain[:1]]
        found += [ir.Store(NEXT + one, None, C(next_)) for one, next_ in pairwise(chain)]
    return found + [ir.Store(WORD + owner, None, C(word)) for owner, word in enumerate(words)]


@given(
    st.sampled_from(TESTS),
    st.permutations(range(1, ITEMS + 1)),
    st.lists(st.integers(0, ITEMS), min_size=2, max_size=2),
    st.lists(st.integers(0, 31), min_size=OWNERS, max_size=OWNERS),
)
@settings(max_examples=80)
def test_masks_tell_what_chains_do(test: ir.Expr, cards: list[int], cuts: list[int], words: list[int]) -> None:
    low, high = sorted(cuts)
    chains = [cards[:low], cards[low:high]]
    asked = options(test)
    made = module(
        routine("main", "", *laid_out(cards[high:], chains, words)),
        ALIKE,
        asked,
        counter_function(asked, shape_of(asked), {}),
        tables={"face": FACES, "bits": BITS},
    )
    game = program(made)
    S = game.initial
    game.names["DIRECT_"]["main"](S)
    listed: list[tuple[int, ...]] = []
    game.names["l_found"](S, listed, 0)
    assert [(s, c) for _, s, c in listed] == [
        (s, c) for s in range(OWNERS) for c in cards[high:] if _holds(test, c, [FACES[d] for d in chains[s]], words[s])
    ]
    assert game.names["PURE_"]["found#count"](S) == len(listed)


def _holds(test: ir.Expr, card: int, faces: list[int], word: int) -> bool:
    """What a test says of a card, worked out in Python."""
    match test:
        case ir.Not(operand):
            return not _holds(operand, card, faces, word)
        case ir.Logic(op, parts):
            return (all if op == "and" else any)(_holds(part, card, faces, word) for part in parts)
        case ir.Call():
            return FACES[card] in faces
        case ir.Arith("&"):
            return bool(word & BITS[card])
        case ir.Compare():
            return card % 2 == 1
        case _:
            return bool(faces)


def masked(test: ir.Expr, **tables: tuple[int, ...]) -> ir.Module:
    made = module(routine("main", ""), ALIKE, options(test), tables={"face": FACES, **tables})
    use_membership_masks(made.functions, made.tables)
    assert verify(made) == []
    return made


def test_one_mask_tells_of_words_too() -> None:
    made = masked(TESTS[0], bits=BITS)
    owners = made.functions["found"].body[0]
    assert isinstance(owners, ir.ForRange)
    mask, hand = owners.body
    told = ir.If(at(LENGTH, L("s")), ir.Call("alike&", (L("s"),)), C(0))
    assert mask == ir.Set("alike 1", ir.Arith("|", at(WORD, L("s")), told))
    assert isinstance(hand, ir.ForArray)
    assert hand.body == (
        ir.Branch(ir.Not(ir.Arith("&", L("alike 1"), ir.Table("bits", L("c")))), (ir.Yield((L("s"), L("c"))),)),
    )


def test_a_table_of_bits_is_made_where_there_is_none() -> None:
    assert masked(ASKED).tables["face@bits"] == tuple(1 << f for f in FACES)
    # A word whose bits lie elsewhere is asked by itself.
    shifted = masked(TESTS[0], bits=tuple(2 * bit for bit in BITS))
    assert "face@bits" in shifted.tables
    assert "Cell(base=80" in repr(shifted.functions["found"].body[0].body[1])  # type: ignore[union-attr]


def test_what_masks_cannot_tell_is_asked_of_the_chain() -> None:
    plain = options(ASKED)
    for change in ({"face": (*FACES[:8], 63)}, {"face": (*FACES[:8], -1)}):  # more values than bits
        made = module(routine("main", ""), ALIKE, plain, tables=change)
        use_membership_masks(made.functions, made.tables)
        assert made.functions["found"] == plain
    # Whose chain it is must be known before the loop.
    hand = ir.ForArray(
        "c", C(HAND), (ir.Set("s", ir.Arith("%", L("c"), C(2))), ir.Branch(ASKED, (ir.Yield((L("c"),)),)))
    )
    found = enumerator("found", "", hand)
    other = ir.Branch(ir.Call("alike", (plus(L("c"), C(1)), L("p"))), (ir.Yield((L("c"),)),))
    more = enumerator("more", "p", ir.ForArray("c", C(HAND), (other,)))
    made = module(routine("main", ""), ALIKE, found, more, tables={"face": FACES})
    use_membership_masks(made.functions, made.tables)
    assert (made.functions["found"], made.functions["more"]) == (found, more)
