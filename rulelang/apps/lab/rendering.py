"""A report as one HTML file that needs nothing else, and as Markdown."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from rulelang.apps.lab.blocks import Cells, Dots, Heading, Items, Page, Words
from rulelang.apps.lab.charts import file_name, svg

_STYLE = """\
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #1f2328; --quiet: #57606a; --line: #d8d4ca;
  --mark: #b3400d; --plain: #3b6ea5; --told: #fbeee2; }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #e6e8ea; --quiet: #a3abb4; --line: #3a4048;
  --mark: #ff9d66; --plain: #83b6ea; --told: #33261c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem; padding-top: .6rem; border-top: 1px solid var(--line); }
p, ul { max-width: 46rem; }
.quiet { color: var(--quiet); font-size: .92rem; }
figure { margin: 1rem 0; max-width: 34rem; }
figcaption { font-weight: 600; margin-bottom: .25rem; }
svg { display: block; max-width: 100%; height: auto; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .3rem .7rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
td:last-child { white-space: normal; min-width: 7rem; }
th { color: var(--quiet); font-weight: 600; vertical-align: bottom; white-space: normal; }
td:first-child, th:first-child { text-align: left; white-space: normal; min-width: 8rem; position: sticky; left: 0;
  background: var(--paper); }
tr.told td { background: var(--told); }
tr.told td:first-child::before { content: "● "; color: var(--mark); }
"""


def html(page: Page) -> str:
    """One file, with the charts in it: no script, no network. ImportError without Altair and vl-convert."""
    parts = [
        "<!doctype html>", '<html lang="en">', '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(page.title)}</title>", f"<style>\n{_STYLE}</style></head>", "<body>", "<main>",
        f"<h1>{escape(page.title)}</h1>",
    ]  # fmt: skip
    for block in page.blocks:
        match block:
            case Heading(text, level):
                parts.append(f"<h{level}>{escape(text)}</h{level}>")
            case Words(text, quiet):
                parts.append(f'<p class="quiet">{escape(text)}</p>' if quiet else f"<p>{escape(text)}</p>")
            case Items(texts):
                parts += ["<ul>", *(f"<li>{escape(text)}</li>" for text in texts), "</ul>"]
            case Cells():
                parts += _table(block)
            case Dots():
                picture = svg(block).replace("<svg ", f'<svg role="img" aria-label="{escape(block.says)}" ', 1)
                parts += ["<figure>", f"<figcaption>{escape(block.title)}</figcaption>", picture, "</figure>"]
    return "\n".join([*parts, "</main>", "</body>", "</html>", ""])


def _table(block: Cells) -> list[str]:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in block.columns)
    parts = ['<div class="table" tabindex="0">', "<table>", f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for number, row in enumerate(block.rows):
        told = ' class="told"' if number in block.marked else ""
        parts.append(f"<tr{told}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>")
    return [*parts, "</tbody>", "</table>", "</div>"]


def markdown(page: Page, charts: str = "") -> str:
    """The same as Markdown: tables in the place of charts, and the charts too where they lie in a folder `charts`, as
    `charts.write_charts` writes them."""
    parts = [f"# {_plain(page.title)}"]
    for block in page.blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{'#' * level} {_plain(text)}")
            case Words(text, quiet):
                parts.append(f"*{_plain(text)}*" if quiet else _plain(text))
            case Items(texts):
                parts.append("\n".join(f"- {_plain(text)}" for text in texts))
            case Cells():
                parts.append(_rows(block))
            case Dots() if charts:
                parts.append(f"![{_plain(block.title)}]({quote(charts)}/{file_name(block)}.svg)")
            case Dots():
                pass  # the table behind it says the same
    return "\n\n".join(parts) + "\n"


def _rows(block: Cells) -> str:
    lines = [
        f"| {' | '.join(map(_plain, block.columns))} |",
        f"|{'|'.join([' --- ', *([' ---: '] * (len(block.columns) - 1))])}|",
    ]
    for number, row in enumerate(block.rows):
        first = f"● **{_plain(row[0])}**" if number in block.marked else _plain(row[0])
        lines.append(f"| {' | '.join([first, *map(_plain, row[1:])])} |")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    for sign in ("\\", "|", "*", "_", "<", "[", "`"):
        text = text.replace(sign, f"\\{sign}" if sign != "<" else "&lt;")
    return " ".join(text.split())
