"""SARIF 2.1.0, the exchange format of static analysis (code scanning of GitHub and Azure, editors, viewers).

Source: OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/. Paths are relative to where the command ran.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from rulelang.base.codes import Page
from rulelang.base.source import Span
from rulelang.base.terminal import json_text
from rulelang.tools.reports.prints import fingerprints
from rulelang.tools.reports.records import Finding, Report
from rulelang.tools.reports.titles import text, title

_ROOT = "%SRCROOT%"


def write(report: Report) -> str:
    """One run, with a rule for each code that was found."""
    findings = report.findings()
    rules = sorted({finding.rule for finding in findings})
    known = fingerprints(findings)
    driver = {
        "name": "rulelang",
        "version": report.version,
        "rules": [_rule(rule, report.pages) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [_result(f, rules.index(f.rule), print_) for f, print_ in zip(findings, known, strict=True)],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json_text({"$schema": schema, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(rule: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": title(rule, pages)},
        "fullDescription": {"text": title(rule, pages)},
        "help": {"text": text(rule, pages), "markdown": text(rule, pages)},
    }


def _result(finding: Finding, index: int, known: str) -> dict[str, Any]:
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
        result["locations"] = [_location(finding.span)]
    related = item.related if item is not None else ()
    if related:
        result["relatedLocations"] = [
            _location(place.span) | {"id": number, "message": {"text": place.note}}
            for number, place in enumerate(related, 1)
            if place.span.path
        ]
    return result


def _location(span: Span) -> dict[str, Any]:
    if span.within:
        return {"physicalLocation": {"artifactLocation": _artifact(span.file)}}
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": _artifact(span.path), "region": region}}


def _artifact(path: str) -> dict[str, str]:
    pure = PurePath(path)
    if pure.is_absolute():
        return {"uri": pure.as_uri()}
    return {"uri": quote(pure.as_posix(), errors="replace"), "uriBaseId": _ROOT}
