"""Draws a report as lines of text: one a scenario or a dot, then what failed, then the count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.frame import draw
from rulelang.scenarios.records import Failure, Outcome, Report

DOTS = 72
PASSED, FAILED, MISTAKEN = ".", "F", "E"


def mark(outcome: Outcome) -> str:
    """One sign: passed, failed, or not run because the scenario is mistaken."""
    return PASSED if outcome.passed else FAILED if outcome.failures else MISTAKEN


def verbose_line(outcome: Outcome) -> str:
    """The result of one scenario on a line of its own."""
    word = {PASSED: "passed", FAILED: "FAILED", MISTAKEN: "MISTAKEN"}[mark(outcome)]
    return f"{outcome.scenario.path}: {outcome.scenario.name}  {word}  ({outcome.seconds * 1000:.0f} ms)"


def progress_lines(outcomes: Sequence[Outcome], verbose: bool = False) -> Iterator[str]:
    """All results: a sign each, or a line each."""
    if verbose:
        yield from (verbose_line(outcome) for outcome in outcomes)
        return
    signs = "".join(mark(outcome) for outcome in outcomes)
    for start in range(0, len(signs), DOTS):
        share = min(start + DOTS, len(signs)) * 100 // len(signs)
        yield f"{signs[start : start + DOTS]:<{DOTS}} [{share:3d}%]"


def failure_lines(report: Report) -> Iterator[str]:
    """What failed, with places and differences; frames of what is mistaken."""
    for mistake in report.mistakes:
        yield from draw(mistake, report.sources).split("\n")
        yield ""
    for outcome in report.outcomes:
        if not outcome.passed:
            yield from outcome_lines(outcome, report.sources)
            yield ""


def outcome_lines(outcome: Outcome, sources: Mapping[str, str]) -> Iterator[str]:
    """One failed scenario."""
    scenario = outcome.scenario
    yield f"{'FAILED' if outcome.failures else 'MISTAKEN'} {scenario.id}"
    yield f"  {scenario.span}"
    for failure in outcome.failures:
        for line in lines_of_failure(failure, sources):
            yield f"  {line}"
    for mistake in outcome.mistakes:
        yield from (f"  {line}" for line in draw(mistake, sources).split("\n"))
    if outcome.failures and outcome.log:
        yield "  what happened:"
        cut = outcome.log[-20:]
        if len(cut) < len(outcome.log):
            yield f"    ... ({len(outcome.log) - len(cut)} lines before)"
        yield from (f"    {line}" for line in cut)


def lines_of_failure(failure: Failure, sources: Mapping[str, str]) -> Iterator[str]:
    """The guilty line of the scenario, the difference, and the mistake in the rules if one ended it."""
    frame = Diagnostic("", failure.span, failure.message)
    drawn = draw(frame, sources).split("\n")
    yield f"{failure.message}: {failure.what}"
    yield from drawn[1:]
    yield from difference(failure.expected, failure.found)
    for note in failure.notes:
        yield f"  {note}"
    if failure.diagnostic is not None:
        yield from draw(failure.diagnostic, sources).split("\n")


def difference(expected: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    """Expected and found, side by side if each is one line; else line by line: `-` is missing, `+` is too much."""
    if not expected and not found:
        return
    if len(expected) <= 1 and len(found) <= 1:
        yield f"  expected: {expected[0] if expected else 'nothing'}"
        yield f"  found:    {found[0] if found else 'nothing'}"
        return
    yield "  - expected, + found"
    matcher = SequenceMatcher(None, list(expected), list(found), autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        if expected[a:b] == found[c:d]:
            yield from (f"    {line}" for line in expected[a:b])
            continue
        yield from (f"  - {line}" for line in expected[a:b])
        yield from (f"  + {line}" for line in found[c:d])


def summary_line(report: Report) -> str:
    """`165 passed in 1.84 s`."""
    parts = [f"{report.passed} passed"]
    if report.failed:
        parts.insert(0, f"{report.failed} failed")
    mistakes = sum(item.severity == "error" for item in report.mistakes)
    if mistakes:
        parts.append(f"{mistakes} mistake{'s' if mistakes != 1 else ''}")
    return f"{', '.join(parts)} in {report.seconds:.2f} s"


def report_lines(report: Report, verbose: bool = False) -> Iterator[str]:
    """The whole report."""
    yield from progress_lines(report.outcomes, verbose)
    if report.outcomes:
        yield ""
    yield from failure_lines(report)
    yield summary_line(report)
