"""What a memo keeps, and for how long."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import FORGETFUL, Forgetful, Memo, Same
from rulelang.base.source import NOWHERE


class Counted:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> list[int]:
        self.times += 1
        return [self.times]


def test_work_is_done_once_for_a_key() -> None:
    memo, work = Memo(), Counted()
    assert memo.kept("kind", 1, work) is memo.kept("kind", 1, work)
    assert memo.kept("kind", 2, work) != memo.kept("other kind", 2, work)
    assert FORGETFUL.kept("kind", 1, work) != FORGETFUL.kept("kind", 1, work)


def test_what_is_not_asked_for_in_two_rounds_is_forgotten() -> None:
    memo, work = Memo(), Counted()
    memo.kept("kind", "asked", work)
    memo.kept("kind", "left", work)
    memo.kept("idle", "left", work)
    for _ in range(3):
        memo.turn()
        memo.kept("kind", "asked", work)
    assert work.times == 3
    memo.turn()
    memo.kept("kind", "left", work)
    memo.kept("idle", "left", work)  # no work of its kind came in between
    assert work.times == 4


def test_what_was_told_is_told_again() -> None:
    def work(out: Diagnostics) -> int:
        out.error("N350", NOWHERE, "nothing is called so")
        return 7

    for memo in (Memo(), Forgetful()):
        for _ in range(2):
            out = Diagnostics()
            assert memo.told("kind", "key", out, work) == 7
            assert [item.code for item in out] == ["N350"]


def test_what_no_longer_fits_is_made_anew() -> None:
    memo, work = Memo(), Counted()
    memo.kept("kind", "key", work)
    assert memo.kept("kind", "key", work, lambda known: known == [1]) == [1]
    assert memo.kept("kind", "key", work, lambda known: known == [9]) == [2]
    assert memo.kept("kind", "key", work) == [2]


def test_equal_things_settle_on_the_first() -> None:
    memo, first = Memo(), [1]
    assert memo.settled("kind", "place", first) is first
    assert memo.settled("kind", "place", [1]) is first
    second = memo.settled("kind", "place", [2])
    assert memo.settled("kind", "place", [2]) is second
    work = Counted()
    made = [memo.unless("kind", "place", said, work) for said in ("a", "a", "b", "a")]
    assert made == [[1], [1], [2], [3]]


def test_a_thing_is_the_same_as_itself_alone() -> None:
    one, other = [1], [1]
    assert Same(one) == Same(one)
    assert Same(one) != Same(other)
    assert len({Same(one), Same(one), Same(other)}) == 2
