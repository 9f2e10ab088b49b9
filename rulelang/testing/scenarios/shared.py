"""Counts in how many scenarios the same mistake is, as they share a `given` by an anchor or the head of their file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulelang.base.diagnostics import Diagnostic
from rulelang.testing.scenarios.records import Failure, Outcome


def counted_mistakes(found: Iterable[Sequence[Diagnostic]]) -> list[Diagnostic]:
    """Return the mistakes of several scenarios, each once; one that several have says how many."""
    times = Counter(item for mistakes in found for item in dict.fromkeys(mistakes))
    return [_counted(item, number) for item, number in times.items()]


def with_counts(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the same outcomes, in which what is wrong with several scenarios in the same way says how many."""
    mistakes = Counter(item for outcome in outcomes for item in dict.fromkeys(outcome.mistakes))
    failures = Counter(failure for outcome in outcomes for failure in dict.fromkeys(outcome.failures))
    return [
        replace(
            outcome,
            mistakes=tuple(_counted(item, mistakes[item]) for item in outcome.mistakes),
            failures=tuple(_repeated(failure, failures[failure]) for failure in outcome.failures),
        )
        for outcome in outcomes
    ]


class Shown:
    """What has been shown of outcomes, so that what scenarios share is shown once."""

    def __init__(self) -> None:
        self._mistakes: set[Diagnostic] = set()
        self._failures: set[Failure] = set()

    def news(self, outcome: Outcome) -> Outcome | None:
        """Return an outcome with what has not been shown yet; None if there is nothing."""
        mistakes = tuple(item for item in outcome.mistakes if item not in self._mistakes)
        failures = tuple(failure for failure in outcome.failures if failure not in self._failures)
        self._mistakes.update(mistakes)
        self._failures.update(failures)
        return replace(outcome, mistakes=mistakes, failures=failures) if mistakes or failures else None


def _said(number: int) -> str:
    return f"{number} scenarios have this mistake"


def _counted(item: Diagnostic, number: int) -> Diagnostic:
    if number == 1:
        return item
    return replace(item, because=f"{item.because}\n{_said(number)}" if item.because else _said(number))


def _repeated(failure: Failure, number: int) -> Failure:
    return failure if number == 1 else replace(failure, notes=(*failure.notes, _said(number)))
