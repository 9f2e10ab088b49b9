"""Write what a command found in the formats of other programs: JSON, GitHub, GitLab, SARIF, JUnit.

A `Report` holds games with diagnostics and scenarios with failures. `FORMATS` has a function from a report to a text
for each format.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from rulelang.base.codes import CODES, Page
from rulelang.base.diagnostics import Diagnostic, Severity
from rulelang.base.source import Span
from rulelang.base.terminal import escape_controls, json_text

# ---- what a command found


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
    yield from map(diagnostic_finding, subject.diagnostics)
    for case in subject.cases:
        yield from (diagnostic_finding(item) for item in case.diagnostics if item not in told)
        for problem in case.problems:
            message = f"the scenario `{case.name}` failed: {problem.message}"
            yield Finding("scenario", "error", problem.span, message, problem.details)


def diagnostic_finding(item: Diagnostic) -> Finding:
    """A diagnostic with its reason, hint and further places as lines."""
    details = [f"{word}: {text}" for word, text in (("because", item.because), ("hint", item.hint)) if text]
    details += [f"{related.span}: {related.note}" for related in item.related]
    return Finding(item.code, item.severity, item.span, item.message, tuple(details), item)


# ---- titles and pages of rules

_SCENARIO_TITLE = "a scenario failed"


def rule_title(rule: str, pages: Mapping[str, Page]) -> str:
    """The title of a code's page."""
    page = pages.get(rule)
    return page.title if page else _SCENARIO_TITLE


def rule_text(rule: str, pages: Mapping[str, Page]) -> str:
    """The page of a code, as Markdown."""
    page = pages.get(rule)
    if page is None:
        return f"{_SCENARIO_TITLE}. `rulelang test` shows the scenario, and what happened in it."
    parts = [page.text]
    for head, example in (("Incorrect:", page.bad), ("Correct:", page.good)):
        if example:
            parts.append(f"{head}\n\n```\n{example.rstrip()}\n```")
    return "\n\n".join(parts)


# ---- fingerprints


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """For each finding a hash of its rule, file and message, and of how many like it stand before it."""
    seen: Counter[str] = Counter()
    prints = []
    for finding in findings:
        key = "\0".join((finding.rule, finding.span.path, finding.message))
        prints.append(hashlib.sha256(f"{key}\0{seen[key]}".encode(errors="backslashreplace")).hexdigest()[:32])
        seen[key] += 1
    return prints


# ---- GitHub workflow commands


def github_commands(report: Report) -> str:
    """A line for each finding."""
    return "".join(f"{_github_command(finding, report)}\n" for finding in report.findings())


def _github_command(finding: Finding, report: Report) -> str:
    span = finding.span
    parts: dict[str, str] = {}
    if span.within:
        parts["file"] = span.file
    elif span.path:
        parts |= {"file": span.path, "line": str(span.line), "endLine": str(span.end_line)}
        if span.line == span.end_line:  # columns of several lines are refused
            parts |= {"col": str(span.column), "endColumn": str(span.end_column)}
    parts["title"] = f"{finding.rule}: {rule_title(finding.rule, report.pages)}"
    said = ",".join(f"{name}={_escaped_property(value)}" for name, value in parts.items())
    return f"::{finding.severity} {said}::{_escaped_message(chr(10).join((finding.placed, *finding.details)))}"


def _escaped_message(text: str) -> str:
    return escape_controls(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped_message(text).replace(":", "%3A").replace(",", "%2C")


# ---- GitLab Code Quality

_GITLAB_SEVERITY = {"error": "major", "warning": "minor"}


def gitlab_report(report: Report) -> str:
    """A JSON list, empty if all is well."""
    findings = report.findings()
    names = [subject.name for subject in report.subjects] or ["."]
    rows = [
        _gitlab_issue(finding, known, names[0]) for finding, known in zip(findings, fingerprints(findings), strict=True)
    ]
    return json_text(rows) + "\n"


def _gitlab_issue(finding: Finding, known: str, name: str) -> dict[str, Any]:
    span = finding.span
    return {
        "description": "\n".join((finding.placed, *finding.details)),
        "check_name": finding.rule,
        "fingerprint": known,
        "severity": _GITLAB_SEVERITY[finding.severity],
        "location": {"path": span.file or name, "lines": {"begin": span.line, "end": span.end_line}},
    }


# ---- JUnit XML

# What XML 1.0 cannot hold, escaped or not.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(report: Report) -> str:
    """A suite for each game."""
    root = ElementTree.Element("testsuites", name=f"rulelang {report.command}", time=_seconds_text(report.seconds))
    for subject in report.subjects:
        root.append(_junit_suite(subject, report.command))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _junit_suite(subject: Subject, command: str) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_xml_text(" ".join((subject.name, *subject.mods))))
    told = [diagnostic_finding(item) for item in subject.diagnostics]
    if command != "test" or told:
        case = ElementTree.SubElement(suite, "testcase", name="check", classname=_xml_text(subject.name), time="0")
        _add_junit_mistakes(case, told)
    for case_ in subject.cases:
        suite.append(_junit_case(case_))
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", str(sum(case.find("error") is not None for case in cases)))
    suite.set("time", _seconds_text(sum(case.seconds for case in subject.cases)))
    return suite


def _junit_case(case: Case) -> ElementTree.Element:
    found = ElementTree.Element(
        "testcase",
        name=_xml_text(case.name),
        classname=_xml_text(case.span.path),
        file=_xml_text(case.span.path),
        line=str(case.span.line),
        time=_seconds_text(case.seconds),
    )
    for problem in case.problems:
        lines = [str(problem.span), problem.message, *problem.details]
        failure = ElementTree.SubElement(found, "failure", message=_xml_text(problem.message), type="scenario")
        failure.text = _xml_text("\n".join(lines))
    _add_junit_mistakes(found, [diagnostic_finding(item) for item in case.diagnostics])
    return found


def _add_junit_mistakes(case: ElementTree.Element, findings: list[Finding]) -> None:
    """Errors as such; warnings as what was printed, for there is no other place for them."""
    for finding in findings:
        lines = "\n".join((str(finding.span), finding.message, *finding.details))
        if finding.severity == "error":
            message = f"{finding.rule}: {finding.message}"
            error = ElementTree.SubElement(case, "error", message=_xml_text(message), type=finding.rule)
            error.text = _xml_text(lines)
    warned = [f"{f.span}: {f.rule}: {f.message}" for f in findings if f.severity == "warning"]
    if warned:
        ElementTree.SubElement(case, "system-out").text = _xml_text("\n".join(warned))


def _xml_text(text: str) -> str:
    return _NOT_IN_XML.sub("?", escape_controls(text))


def _seconds_text(seconds: float) -> str:
    return f"{seconds:.3f}"


# ---- SARIF 2.1.0

_SARIF_ROOT = "%SRCROOT%"


def sarif_report(report: Report) -> str:
    """One run, with a rule for each code that was found."""
    findings = report.findings()
    rules = sorted({finding.rule for finding in findings})
    known = fingerprints(findings)
    driver = {
        "name": "rulelang",
        "version": report.version,
        "rules": [_sarif_rule(rule, report.pages) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [_sarif_result(f, rules.index(f.rule), print_) for f, print_ in zip(findings, known, strict=True)],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json_text({"$schema": schema, "version": "2.1.0", "runs": [run]}) + "\n"


def _sarif_rule(rule: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": rule_title(rule, pages)},
        "fullDescription": {"text": rule_title(rule, pages)},
        "help": {"text": rule_text(rule, pages), "markdown": rule_text(rule, pages)},
    }


def _sarif_result(finding: Finding, index: int, known: str) -> dict[str, Any]:
    item = finding.diagnostic
    notes = (
        finding.details
        if item is None
        else [f"{w}: {t}" for w, t in (("because", item.because), ("hint", item.hint)) if t]
    )
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": "\n".join((finding.placed, *notes))},
        "partialFingerprints": {"rulelang/v1": known},
    }
    if finding.span.path:
        result["locations"] = [_sarif_location(finding.span)]
    related = item.related if item is not None else ()
    if related:
        result["relatedLocations"] = [
            _sarif_location(place.span) | {"id": number, "message": {"text": place.note}}
            for number, place in enumerate(related, 1)
            if place.span.path
        ]
    return result


def _sarif_location(span: Span) -> dict[str, Any]:
    if span.within:
        return {"physicalLocation": {"artifactLocation": _sarif_artifact(span.file)}}
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": _sarif_artifact(span.path), "region": region}}


def _sarif_artifact(path: str) -> dict[str, str]:
    pure = PurePath(path)
    if pure.is_absolute():
        return {"uri": pure.as_uri()}
    return {"uri": quote(pure.as_posix(), errors="replace"), "uriBaseId": _SARIF_ROOT}


# ---- JSON

JSON_VERSION = 1


def json_report(report: Report) -> str:
    """The report as JSON."""
    return json_text(report_data(report)) + "\n"


def report_data(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "version": JSON_VERSION,
        "rulelang": report.version,
        "command": report.command,
        "ok": report.ok,
        "seconds": round(report.seconds, 3),
        "games": [_subject_data(subject) for subject in report.subjects],
    }


def _subject_data(subject: Subject) -> dict[str, Any]:
    return {
        "game": subject.name,
        "mods": list(subject.mods),
        "mode": subject.mode,
        "counts": dict(subject.counts),
        "diagnostics": [diagnostic_data(item) for item in subject.diagnostics],
        "scenarios": [_case_data(case) for case in subject.cases],
    }


def _case_data(case: Case) -> dict[str, Any]:
    return {
        "name": case.name,
        "span": _span_data(case.span),
        "passed": case.passed,
        "seconds": round(case.seconds, 6),
        "problems": [_problem_data(problem) for problem in case.problems],
        "diagnostics": [diagnostic_data(item) for item in case.diagnostics],
    }


def _problem_data(problem: Problem) -> dict[str, Any]:
    return {"span": _span_data(problem.span), "message": problem.message, "details": list(problem.details)}


def diagnostic_data(item: Diagnostic) -> dict[str, Any]:
    """A diagnostic for other programs. Lines and columns count from 1; the end column is exclusive."""
    return {
        "code": item.code,
        "severity": item.severity,
        "message": item.message,
        "because": item.because,
        "hint": item.hint,
        "span": _span_data(item.span),
        "related": [{"span": _span_data(related.span), "note": related.note} for related in item.related],
    }


def _span_data(span: Span) -> dict[str, Any]:
    """A place; in a workbook with its sheet and cell, whose lines and columns are those of the sheet."""
    found = {**span._asdict(), "path": span.file}
    return {**found, "sheet": span.sheet, "cell": span.cell} if span.sheet else found


# ---- the table of formats

#: A whole report as the text of a file, with a newline at its end unless it is empty.
FORMATS: Mapping[str, Callable[[Report], str]] = {
    "json": json_report,
    "github": github_commands,
    "gitlab": gitlab_report,
    "sarif": sarif_report,
    "junit": junit_report,
}
