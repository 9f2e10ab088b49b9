"""Each declaration by itself: what came of one is kept until something changes that its check depends on.

A check of a declaration depends on the declaration, on what is declared in data, and on the signatures that it asks
for. So a change in a body is a matter of that body, and a changed signature of those who asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.language.semantics.check.checker import Checker
from rulelang.language.semantics.check.symbols import Question

T = TypeVar("T")


@record
class Outcome(Generic[T]):
    """What was made and told of a declaration, and what it asked of the signatures.

    `uses` and `calls`: what is gathered of it for the check of bearers."""

    made: T
    told: tuple[Diagnostic, ...]
    uses: frozenset[str]
    calls: tuple[tuple[str, str, Span, bool], ...]
    asked: Mapping[Question, object]


def apart(checker: Checker, key: Hashable, work: Callable[[], T]) -> T:
    """What `work` makes of a declaration. `key`: of the declaration, all that the work is handed."""
    if not checker.memo.keeps:
        return work()

    def anew() -> Outcome[T]:
        whole = checker.out, checker.bearer_uses, checker.bearer_calls
        checker.out, checker.bearer_uses, checker.bearer_calls = Diagnostics(), set(), []
        try:
            with checker.symbols.recording() as asked:
                made = work()
            told, uses, calls = tuple(checker.out), frozenset(checker.bearer_uses), tuple(checker.bearer_calls)
        finally:
            checker.out, checker.bearer_uses, checker.bearer_calls = whole
        return Outcome(made, told, uses, calls, asked)

    found = checker.memo.kept(
        "declarations", (checker.around, key), anew, lambda known: checker.symbols.answers_alike(known.asked)
    )
    checker.out.extend(found.told)
    checker.bearer_uses |= found.uses
    checker.bearer_calls += found.calls
    return found.made
