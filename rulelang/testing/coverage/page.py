"""What ran of the rules, as one HTML file that needs nothing else: no script, no network, light or dark."""

from __future__ import annotations

import os
from html import escape

from rulelang.testing.coverage.report import Branches

_STYLE = """\
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #1f2328; --quiet: #57606a; --line: #d8d4ca;
  --none: #fbdcd6; --part: #fbf0c9; }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #e6e8ea; --quiet: #a3abb4; --line: #3a4048;
  --none: #54241f; --part: #4a3f14; } }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .4rem; overflow-wrap: anywhere; }
a { color: inherit; } table { border-collapse: collapse; width: 100%; }
.files { width: auto; } .files td, .files th { padding: .15rem 1rem .15rem 0; text-align: left; }
.code { font: .85rem/1.5 ui-monospace, monospace; table-layout: fixed; }
.code td { padding: 0 .5rem; vertical-align: top; }
.code td:nth-child(-n+3) { width: 4rem; text-align: right; color: var(--quiet); user-select: none; }
.code td:nth-child(3) { width: 1.6rem; } .code pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.none { background: var(--none); } .part { background: var(--part); }
.gap { color: var(--ink); font-style: italic; padding-left: 2rem; } .quiet { color: var(--quiet); }
.bar { display: inline-block; padding: 0 .5rem; }
"""
_MARKS = {"-": ("none", "did not run"), "~": ("part", "ran in part"), " ": ("", ""), "": ("", "")}


def html(report: Branches) -> str:
    """The page: a table of files, then each with its rules line by line: how often, whether wholly, what is missing."""
    title = f"Coverage of the rules of {' and '.join(report.given)}"
    done, of, ways, forks = report.count(report.ran)
    passed, scenarios = report.scenarios
    games = f" and {report.games:,} random games" if report.games else ""
    parts = [
        "<!doctype html>", '<html lang="en">', '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>", f"<style>\n{_STYLE}</style></head>", "<body>", "<main>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{done} of {of} lines and {ways} of {forks} branches ran in {scenarios} scenarios ({passed} pass)"
        f"{games}.</p>",
        '<p class="quiet"><span class="bar none">- did not run</span> <span class="bar part">~ ran in part</span></p>',
        '<table class="files"><tr><th scope="col">file</th><th scope="col">lines</th>'
        '<th scope="col">branches</th></tr>',
    ]  # fmt: skip
    for number, (path, ran) in enumerate(report.files.items()):
        done, of, ways, forks = report.count(ran)
        name = escape(os.path.relpath(path))
        parts.append(
            f'<tr><td><a href="#f{number}">{name}</a></td><td>{done} of {of}</td><td>{ways} of {forks}</td></tr>'
        )
    parts.append("</table>")
    for number, path in enumerate(report.files):
        parts.append(f'<h2 id="f{number}">{escape(os.path.relpath(path))}</h2>')
        parts.append('<table class="code">')
        for line in report.lines(path, branches=True):
            style, said = _MARKS[line.mark]
            gaps = "".join(f'<div class="gap">{escape(gap)}</div>' for gap in line.missing)
            often = f"{line.times}×" if line.times else ""
            parts.append(
                f'<tr class="{style}"><td>{line.number}</td><td>{often}</td><td title="{said}">{line.mark.strip()}</td>'
                f"<td><pre>{escape(line.text)}</pre>{gaps}</td></tr>"
            )
        parts.append("</table>")
    return "\n".join([*parts, "</main>", "</body>", "</html>", ""])
