"""Decisions by rejection: every legal option as likely as any other, nothing else, and the same counts."""

from __future__ import annotations

from collections import Counter

import pytest

from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import link
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.choice.strategy import plan_sampling
from tests.backends.machine import CELLS, C, L, enumerator, module, program, routine

ZONE = 40  # [count, items...]
LOOKS = "looks"
OUT = 60
ROWS = 70


def offer(zone: list[int], *, legal: int) -> ir.Module:
    """One decision: pairs of a row 1..4 and a distinct item that pass a test, rows 1..3, or pass."""
    pairs = enumerator(
        "pairs",
        "me",
        ir.ForRange(
            "row", C(1), C(5),
            (
                ir.Branch(
                    ir.Compare("!=", L("row"), C(3)),
                    (
                        ir.ForArray(
                            "item", C(ZONE),
                            (ir.Branch(ir.Compare("<=", ir.Arith("+", L("row"), L("item")), C(legal)),
                                       (ir.Yield((L("row"), L("item"))),)),),
                            LOOKS,
                        ),
                    ),
                ),
            ),
        ),
    )  # fmt: skip
    again = enumerator(
        "again",
        "me",
        ir.ForRange("row", C(1), C(3), (ir.ForRange("k", C(0), C(2), (ir.Yield((L("row"), L("k"))),)),)),
    )
    pick = ir.Pick(1, C(1), (ir.Source(0, "pairs", (C(1),)), ir.Source(1, "again", (C(1),))), C(1), "tag", ("a", "b"))
    stores = tuple(ir.Store(OUT + k, None, L(name)) for k, name in enumerate(("tag", "a", "b")))
    made = module(routine("main", "", pick, *stores), pairs, again)
    made.tables[LOOKS] = (0, 1, 1, 2, 3, 3, 4, 5, 6, 7)
    made.initial[ZONE : ZONE + 1 + len(zone)] = [len(zone), *zone]
    return made


def options(zone: list[int], legal: int) -> set[tuple[int, ...]]:
    looks = (0, 1, 1, 2, 3, 3, 4, 5, 6, 7)
    first = [c for k, c in enumerate(zone) if looks[c] not in [looks[d] for d in zone[:k]]]
    pairs = {(0, row, c) for row in (1, 2, 4) for c in first if row + c <= legal}
    return pairs | {(1, row, k) for row in (1, 2) for k in (0, 1)} | {(-1, 0, 0)}


def assert_as_likely(found: Counter[tuple[int, ...]], expected: set[tuple[int, ...]]) -> None:
    """All that is expected was found, nothing else, within five standard deviations of the chi-square distribution."""
    assert set(found) == expected
    mean = found.total() / len(expected)
    square = sum((n - mean) ** 2 / mean for n in found.values())
    freedom = len(expected) - 1
    assert square <= freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(("zone", "legal"), [([1, 2, 3, 4, 5, 6], 8), ([5, 4, 2, 1], 99), ([], 9), ([9, 8, 7], 2)])
def test_every_legal_option_is_as_likely(zone: list[int], legal: int) -> None:
    made = offer(zone, legal=legal)
    source = emit(made).source
    assert "def s_main" in source  # it is drawn, not counted
    game = link(source, made)
    found: Counter[tuple[int, ...]] = Counter()
    x, c = 12345, 678
    games = 6000
    for _ in range(games):
        S = list(made.initial)
        S[CELLS.policy_x], S[CELLS.policy_c] = x, c
        game.sample(S)
        found[S[OUT], S[OUT + 1], S[OUT + 2]] += 1
        assert (S[CELLS.decisions], S[CELLS.forced]) == (1, 0)
        x, c = S[CELLS.policy_x], S[CELLS.policy_c]
    expected = options(zone, legal)
    assert_as_likely(found, expected)


def test_a_lone_pass_is_forced() -> None:
    made = offer([], legal=0)
    nothing = ir.ForRange("row", C(1), C(1), (ir.ForRange("k", C(0), C(2), (ir.Yield((L("row"), L("k"))),)),))
    made.functions["again"] = enumerator("again", "me", nothing)
    game = link(emit(made).source, made)
    S = list(made.initial)
    game.sample(S)
    assert S[OUT] == -1
    assert (S[CELLS.decisions], S[CELLS.forced]) == (0, 1)


@pytest.mark.parametrize("way", ["listed", "weighted"])
@pytest.mark.parametrize("legal", [0, 3, 7, 99])
def test_from_supersets_and_lists_every_legal_option_is_as_likely(legal: int, way: str) -> None:
    """Rows 1..3 with as many items as their number, and one option apart. The rows are numbers, or cards in a zone; of
    those that look alike the first counts."""
    # A question that is dear enough to be left out: whether the sum lies in a zone that holds 0 .. legal.
    small = ir.ArrayHas(C(ZONE), ir.Arith("+", L("row"), L("k")))
    within = ir.ForRange("k", C(0), L("row"), (ir.Branch(small, (ir.Yield((L("row"), L("k"))),)),))
    numbers = ir.ForRange("row", C(1), C(4), (within,))
    hand = ir.ForArray("row", C(ROWS), (ir.ForTable("k", "items", L("row"), within.body),), LOOKS)
    rows = enumerator("rows", "me", numbers if way == "listed" else hand)
    apart = enumerator("apart", "me", ir.Branch(ir.Compare(">", C(legal), L("me")), (ir.Yield((C(8), C(9))),)))
    pick = ir.Pick(1, C(1), (ir.Source(0, "rows", (C(1),)), ir.Source(1, "apart", (C(3),))), C(1), "tag", ("a", "b"))
    stores = tuple(ir.Store(OUT + k, None, L(name)) for k, name in enumerate(("tag", "a", "b")))
    made = module(routine("main", "", pick, *stores), rows, apart, tables={LOOKS: (0, 1, 2, 3, 2)})
    made.rows["items"] = ((), (0,), (0, 1), (0, 1, 2), (0, 1))
    made.initial[ROWS : ROWS + 5] = [4, 1, 2, 3, 4]
    expected: set[tuple[int, ...]] = {(0, row, k) for row in (1, 2, 3) for k in range(row) if row + k <= legal} | {
        (-1, 0, 0)
    }
    expected |= {(1, 8, 9)} if legal > 3 else set()
    sums = [s for s in range(9) if s <= legal]
    made.initial[ZONE : ZONE + 1 + len(sums)] = [len(sums), *sums]
    game = program(made)
    assert plan_sampling(made)[1].strategies == {pick: way}
    found: Counter[tuple[int, ...]] = Counter()
    x, c = 999, 888
    games = 4000
    for _ in range(games):
        S = list(made.initial)
        S[CELLS.policy_x], S[CELLS.policy_c] = x, c
        game.sample(S)
        found[S[OUT], S[OUT + 1], S[OUT + 2]] += 1
        assert (S[CELLS.decisions], S[CELLS.forced]) == ((1, 0) if len(expected) > 1 else (0, 1))
        x, c = (x * 31 + 7) % 2**30, (c * 17 + 3) % 2**29
    assert_as_likely(found, expected)


@pytest.mark.parametrize("zone", [[], [3], [4, 5], [4, 5, 4], [1, 2, 4, 5], [6, 4, 5, 3, 2, 1, 7]])
def test_of_the_cards_of_a_zone_every_look_is_as_likely(zone: list[int]) -> None:
    """One has to be taken: of those that look alike the first. Where all do, nobody is asked."""
    looks = (0, 1, 1, 2, 3, 3, 4, 5)
    cards = enumerator("cards", "me", ir.ForArray("card", C(ZONE), (ir.Yield((L("card"),)),), LOOKS))
    pick = ir.Pick(1, C(1), (ir.Source(0, "cards", (C(1),)),), C(0), "tag", ("card",))
    stores = tuple(ir.Store(OUT + k, None, L(name)) for k, name in enumerate(("tag", "card")))
    made = module(routine("main", "", pick, *stores), cards, tables={LOOKS: looks})
    made.initial[ZONE : ZONE + 1 + len(zone)] = [len(zone), *zone]
    assert plan_sampling(made)[1].strategies == {pick: "card"}
    game = program(made)
    expected: set[tuple[int, ...]] = {
        (0, card) for k, card in enumerate(zone) if looks[card] not in [looks[other] for other in zone[:k]]
    }
    found: Counter[tuple[int, ...]] = Counter()
    for k in range(3000):
        S = list(made.initial)
        S[CELLS.policy_x], S[CELLS.policy_c] = (k * 998244353 + 7) % 2**30, (k * 31337 + 3) % 2**29
        game.sample(S)
        found[S[OUT], S[OUT + 1]] += 1
        assert (S[CELLS.decisions], S[CELLS.forced]) == (len(expected) > 1, len(expected) == 1)
    assert_as_likely(found, expected or {(-2, 0)})
