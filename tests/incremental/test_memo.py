"""What a memo keeps, and for how long."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import NULL_CACHE, IdentityKey, Memo, NullCache
from rulelang.base.source import NOWHERE


class Counted:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> list[int]:
        self.times += 1
        return [self.times]


def test_work_is_done_once_for_a_key() -> None:
    memo, work = Memo(), Counted()
    assert memo.get_or_compute("kind", 1, work) is memo.get_or_compute("kind", 1, work)
    assert memo.get_or_compute("kind", 2, work) != memo.get_or_compute("other kind", 2, work)
    assert NULL_CACHE.get_or_compute("kind", 1, work) != NULL_CACHE.get_or_compute("kind", 1, work)


def test_what_is_not_asked_for_in_two_rounds_is_forgotten() -> None:
    memo, work = Memo(), Counted()
    memo.get_or_compute("kind", "asked", work)
    memo.get_or_compute("kind", "left", work)
    memo.get_or_compute("idle", "left", work)
    for _ in range(3):
        memo.turn()
        memo.get_or_compute("kind", "asked", work)
    assert work.times == 3
    memo.turn()
    memo.get_or_compute("kind", "left", work)
    memo.get_or_compute("idle", "left", work)  # no work of its kind came in between
    assert work.times == 4


def test_what_was_told_is_told_again() -> None:
    def work(out: Diagnostics) -> int:
        out.error("N350", NOWHERE, "nothing is called so")
        return 7

    for memo in (Memo(), NullCache()):
        for _ in range(2):
            out = Diagnostics()
            assert memo.with_diagnostics("kind", "key", out, work) == 7
            assert [item.code for item in out] == ["N350"]


def test_what_no_longer_fits_is_made_anew() -> None:
    memo, work = Memo(), Counted()
    memo.get_or_compute("kind", "key", work)
    assert memo.get_or_compute("kind", "key", work, lambda known: known == [1]) == [1]
    assert memo.get_or_compute("kind", "key", work, lambda known: known == [9]) == [2]
    assert memo.get_or_compute("kind", "key", work) == [2]


def test_equal_things_settle_on_the_first() -> None:
    memo, first = Memo(), [1]
    assert memo.early_cutoff("kind", "place", first) is first
    assert memo.early_cutoff("kind", "place", [1]) is first
    second = memo.early_cutoff("kind", "place", [2])
    assert memo.early_cutoff("kind", "place", [2]) is second
    work = Counted()
    made = [memo.revalidate("kind", "place", said, work) for said in ("a", "a", "b", "a")]
    assert made == [[1], [1], [2], [3]]


def test_a_thing_is_the_same_as_itself_alone() -> None:
    one, other = [1], [1]
    assert IdentityKey(one) == IdentityKey(one)
    assert IdentityKey(one) != IdentityKey(other)
    assert len({IdentityKey(one), IdentityKey(one), IdentityKey(other)}) == 2
