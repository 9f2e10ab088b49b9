"""What ran of the rules, as lines for a terminal: of each file the lines of which something is missing, or all."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rulelang.testing.coverage.report import Branches, Ran


def lines(report: Branches, width: int, *, both: bool, whole: bool) -> Iterator[str]:
    """`both`: conditions count with both ways; `whole`: lines are shown too of which nothing is missing."""
    yield f"{_counted(report, report.ran, both=both)} of {' and '.join(report.given)} ran"
    passed, of = report.scenarios
    games = f", and {report.games:,} random game{'s' * (report.games != 1)}" if report.games else ""
    which = f" ({passed} pass)" if passed < of else ", all of which pass" if of > 1 else ""
    yield f"in {of} scenario{'s' * (of != 1)}{which}{games}"
    shown = False
    for path, ran in report.files.items():
        found = [line for line in report.lines(path, branches=both) if whole or line.mark in ("-", "~")]
        if not found:
            continue
        shown = True
        yield ""
        yield f"{os.path.relpath(path)}: {_counted(report, ran, both=both)}"
        before = found[0].number
        for line in found:
            if line.number > before + 1:
                yield "       ..." if whole else ""
            before = line.number
            yield _cut(f"{line.number:5} {line.mark or ' '} {line.text}", width)
            for missing in line.missing:
                yield _cut(f"        {missing}", width)
    if shown:
        yield ""
        yield "- did not run   ~ ran in part: the line below shows what is missing"


def _counted(report: Branches, ran: tuple[Ran, ...] | list[Ran], *, both: bool) -> str:
    done, of, ways, forks = report.count(ran)
    return f"{done} of {of} lines" + (f", {ways} of {forks} branches" if both else "")


def _cut(text: str, width: int) -> str:
    text = text.rstrip()
    return text if len(text) <= width else f"{text[: width - 3]}..."
