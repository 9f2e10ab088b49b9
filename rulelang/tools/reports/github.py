"""Workflow commands of GitHub Actions: each finding becomes a note at its line of the pull request.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions. GitHub shows at most ten errors
and ten warnings of one step as notes; all of them stand in its log.
"""

from __future__ import annotations

from rulelang.base.terminal import escape_controls
from rulelang.tools.reports.records import Finding, Report
from rulelang.tools.reports.titles import title


def write(report: Report) -> str:
    """A line for each finding."""
    return "".join(f"{_command(finding, report)}\n" for finding in report.findings())


def _command(finding: Finding, report: Report) -> str:
    span = finding.span
    parts: dict[str, str] = {}
    if span.within:
        parts["file"] = span.file
    elif span.path:
        parts |= {"file": span.path, "line": str(span.line), "endLine": str(span.end_line)}
        if span.line == span.end_line:  # columns of several lines are refused
            parts |= {"col": str(span.column), "endColumn": str(span.end_column)}
    parts["title"] = f"{finding.rule}: {title(finding.rule, report.pages)}"
    said = ",".join(f"{name}={_property(value)}" for name, value in parts.items())
    return f"::{finding.severity} {said}::{_data(chr(10).join((finding.placed, *finding.details)))}"


def _data(text: str) -> str:
    return escape_controls(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
