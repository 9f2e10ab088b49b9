"""JSON for programs of one's own. Its shape is `schemas/report.schema.json`; `version` changes if that does."""

from __future__ import annotations

from typing import Any

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from rulelang.base.terminal import json_text
from rulelang.tools.reports.records import Case, Problem, Report, Subject

VERSION = 1


def write(report: Report) -> str:
    """The report as JSON."""
    return json_text(as_data(report)) + "\n"


def as_data(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "version": VERSION,
        "rulelang": report.version,
        "command": report.command,
        "ok": report.ok,
        "seconds": round(report.seconds, 3),
        "games": [_subject(subject) for subject in report.subjects],
    }


def _subject(subject: Subject) -> dict[str, Any]:
    return {
        "game": subject.name,
        "mods": list(subject.mods),
        "mode": subject.mode,
        "counts": dict(subject.counts),
        "diagnostics": [diagnostic(item) for item in subject.diagnostics],
        "scenarios": [_case(case) for case in subject.cases],
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "name": case.name,
        "span": _span(case.span),
        "passed": case.passed,
        "seconds": round(case.seconds, 6),
        "problems": [_problem(problem) for problem in case.problems],
        "diagnostics": [diagnostic(item) for item in case.diagnostics],
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {"span": _span(problem.span), "message": problem.message, "details": list(problem.details)}


def diagnostic(item: Diagnostic) -> dict[str, Any]:
    """A diagnostic for other programs. Lines and columns count from 1; the end column is exclusive."""
    return {
        "code": item.code,
        "severity": item.severity,
        "message": item.message,
        "because": item.because,
        "hint": item.hint,
        "span": _span(item.span),
        "related": [{"span": _span(related.span), "note": related.note} for related in item.related],
    }


def _span(span: Span) -> dict[str, Any]:
    """A place; in a workbook with its sheet and cell, whose lines and columns are those of the sheet."""
    found = {**span._asdict(), "path": span.file}
    return {**found, "sheet": span.sheet, "cell": span.cell} if span.sheet else found
