"""The formats of reports, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulelang.tools.reports import github, gitlab, junit, sarif, structured
from rulelang.tools.reports.records import Report

#: A whole report as the text of a file, with a newline at its end unless it is empty.
FORMATS: Mapping[str, Callable[[Report], str]] = {
    "json": structured.write,
    "github": github.write,
    "gitlab": gitlab.write,
    "sarif": sarif.write,
    "junit": junit.write,
}
