"""JUnit's XML, which every build server reads: scenarios as test cases, and a game that was checked as one more.

Source: the shape that Jenkins and GitLab accept (https://github.com/testmoapp/junitxml). A mistake in a file is an
`error`, what did not come out as a scenario says a `failure`.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from rulelang.base.terminal import escape_controls
from rulelang.tools.reports.records import Case, Finding, Report, Subject, of_diagnostic

# What XML 1.0 cannot hold, escaped or not.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(report: Report) -> str:
    """A suite for each game."""
    root = ElementTree.Element("testsuites", name=f"rulelang {report.command}", time=_time(report.seconds))
    for subject in report.subjects:
        root.append(_suite(subject, report.command))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(subject: Subject, command: str) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_text(" ".join((subject.name, *subject.mods))))
    told = [of_diagnostic(item) for item in subject.diagnostics]
    if command != "test" or told:
        case = ElementTree.SubElement(suite, "testcase", name="check", classname=_text(subject.name), time="0")
        _mistakes(case, told)
    for case_ in subject.cases:
        suite.append(_case(case_))
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", str(sum(case.find("error") is not None for case in cases)))
    suite.set("time", _time(sum(case.seconds for case in subject.cases)))
    return suite


def _case(case: Case) -> ElementTree.Element:
    found = ElementTree.Element(
        "testcase",
        name=_text(case.name),
        classname=_text(case.span.path),
        file=_text(case.span.path),
        line=str(case.span.line),
        time=_time(case.seconds),
    )
    for problem in case.problems:
        lines = [str(problem.span), problem.message, *problem.details]
        failure = ElementTree.SubElement(found, "failure", message=_text(problem.message), type="scenario")
        failure.text = _text("\n".join(lines))
    _mistakes(found, [of_diagnostic(item) for item in case.diagnostics])
    return found


def _mistakes(case: ElementTree.Element, findings: list[Finding]) -> None:
    """Errors as such; warnings as what was printed, for there is no other place for them."""
    for finding in findings:
        lines = "\n".join((str(finding.span), finding.message, *finding.details))
        if finding.severity == "error":
            message = f"{finding.rule}: {finding.message}"
            error = ElementTree.SubElement(case, "error", message=_text(message), type=finding.rule)
            error.text = _text(lines)
    warned = [f"{f.span}: {f.rule}: {f.message}" for f in findings if f.severity == "warning"]
    if warned:
        ElementTree.SubElement(case, "system-out").text = _text("\n".join(warned))


def _text(text: str) -> str:
    return _FORBIDDEN.sub("?", escape_controls(text))


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"
