"""Draw a failed scenario as lines of text, for callers without a screen of their own (such as pytest)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.terminal import draw_frame
from rulelang.testing.scenarios.records import Failure, Outcome


def outcome_lines(outcome: Outcome, sources: Mapping[str, str]) -> Iterator[str]:
    """One failed scenario."""
    scenario = outcome.scenario
    yield f"{'FAILED' if outcome.failures else 'INVALID'} {scenario.id}"
    yield f"  {scenario.span}"
    for failure in outcome.failures:
        for line in lines_of_failure(failure, sources):
            yield f"  {line}"
    for mistake in outcome.mistakes:
        yield from (f"  {line}" for line in draw_frame(mistake, sources).split("\n"))
    if outcome.failures and outcome.log:
        yield "  what happened:"
        cut = outcome.log[-20:]
        if len(cut) < len(outcome.log):
            yield f"    ... ({len(outcome.log) - len(cut)} lines before)"
        yield from (f"    {line}" for line in cut)


def lines_of_failure(failure: Failure, sources: Mapping[str, str]) -> Iterator[str]:
    """The guilty line of the scenario, the difference, and the mistake in the rules if one ended it."""
    frame = Diagnostic("", failure.span, failure.message)
    drawn = draw_frame(frame, sources).split("\n")
    yield f"{failure.message}: {failure.what}"
    yield from drawn[1:]
    yield from difference(failure.expected, failure.found)
    for note in failure.notes:
        yield f"  {note}"
    if failure.diagnostic is not None:
        yield from draw_frame(failure.diagnostic, sources).split("\n")


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
