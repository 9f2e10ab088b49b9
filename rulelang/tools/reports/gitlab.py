"""GitLab's Code Quality report: findings in the widget and the changed lines of a merge request.

Source: https://docs.gitlab.com/ci/testing/code_quality/. A path is a must there, so what is wrong with no file at all
stands at the game's name.
"""

from __future__ import annotations

from typing import Any

from rulelang.base.terminal import json_text
from rulelang.tools.reports.prints import fingerprints
from rulelang.tools.reports.records import Finding, Report

_SEVERITY = {"error": "major", "warning": "minor"}


def write(report: Report) -> str:
    """A JSON list, empty if all is well."""
    findings = report.findings()
    names = [subject.name for subject in report.subjects] or ["."]
    rows = [_row(finding, known, names[0]) for finding, known in zip(findings, fingerprints(findings), strict=True)]
    return json_text(rows) + "\n"


def _row(finding: Finding, known: str, name: str) -> dict[str, Any]:
    span = finding.span
    return {
        "description": "\n".join((finding.placed, *finding.details)),
        "check_name": finding.rule,
        "fingerprint": known,
        "severity": _SEVERITY[finding.severity],
        "location": {"path": span.file or name, "lines": {"begin": span.line, "end": span.end_line}},
    }
