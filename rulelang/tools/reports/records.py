"""What a command found, as data: games with their diagnostics, and scenarios with what did not come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rulelang.base.codes import CODES, Page
from rulelang.base.diagnostics import Diagnostic, Severity
from rulelang.base.source import Span


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a scenario says and that did not come out, as lines of plain text. `span`: where it says so."""

    span: Span
    message: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario that was run. It has passed if it has neither problems nor diagnostics that are errors."""

    name: str
    span: Span
    seconds: float
    problems: tuple[Problem, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problems and not any(item.severity == "error" for item in self.diagnostics)


@dataclass(frozen=True, slots=True)
class Subject:
    """A game, or a path that was tested, with mods and mode. `counts`: how much of what it holds."""

    name: str
    mods: tuple[str, ...] = ()
    mode: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake in the shape that every format can show. `rule`: a code with a page, or `scenario`."""

    rule: str
    severity: Severity
    span: Span
    message: str
    details: tuple[str, ...] = ()
    diagnostic: Diagnostic | None = None

    @property
    def placed(self) -> str:
        """The message, with the place where a format cannot show it: the cell of a workbook has no line."""
        return f"{self.span.within}: {self.message}" if self.span.within else self.message


@dataclass(frozen=True, slots=True)
class Report:
    """What one command found. `command` is its name (`check`); `version` that of rulelang; `seconds` it took.

    `pages` are the manual pages of what it may find.
    """

    command: str
    version: str
    subjects: tuple[Subject, ...]
    seconds: float = 0.0
    pages: Mapping[str, Page] = field(default_factory=lambda: CODES)

    @property
    def ok(self) -> bool:
        """No error, and no scenario that failed."""
        return not any(finding.severity == "error" for finding in self.findings())

    def findings(self) -> list[Finding]:
        """All mistakes of all subjects, each once: a game and a mod of it may both show one in the game's files."""
        return list(dict.fromkeys(finding for subject in self.subjects for finding in findings_of(subject)))


def findings_of(subject: Subject) -> Iterator[Finding]:
    """What is wrong with a game, then with its scenarios, in the order in which it is shown."""
    told = set(subject.diagnostics)
    yield from map(of_diagnostic, subject.diagnostics)
    for case in subject.cases:
        yield from (of_diagnostic(item) for item in case.diagnostics if item not in told)
        for problem in case.problems:
            message = f"the scenario `{case.name}` failed: {problem.message}"
            yield Finding("scenario", "error", problem.span, message, problem.details)


def of_diagnostic(item: Diagnostic) -> Finding:
    """A diagnostic with its reason, hint and further places as lines."""
    details = [f"{word}: {text}" for word, text in (("because", item.because), ("hint", item.hint)) if text]
    details += [f"{related.span}: {related.note}" for related in item.related]
    return Finding(item.code, item.severity, item.span, item.message, tuple(details), item)
