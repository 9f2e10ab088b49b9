"""Show a report as one HTML file with charts, or as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from rulelang.apps.lab.report import Cells, Dots, Heading, Items, Page, Words

# ---- charts


class Colours(NamedTuple):
    """Of text, of what is quiet, of lines, of what stands out and of what does not, and of the paper."""

    ink: str
    quiet: str
    line: str
    mark: str
    plain: str
    paper: str = "transparent"


#: Stand-ins, which a page replaces by its own (variables of these names), so that one picture does for dark and light.
STAND_INS = Colours("#010203", "#010204", "#010205", "#010206", "#010207")
#: Of a picture that stands alone.
LIGHT = Colours("#1f2328", "#57606a", "#d8d4ca", "#b3400d", "#3b6ea5", "#ffffff")
WIDTH, STEP = 300, 20
#: Pixels of a PNG picture for each of the chart: sharp on screens of today.
PIXELS = 2


def svg(chart: Dots) -> str:
    """The chart as the text of an SVG picture, with the colours of a page that has variables for them."""
    import vl_convert

    text: str = vl_convert.vegalite_to_svg(specification(chart, STAND_INS).to_dict())
    for name, colour in STAND_INS._asdict().items():
        text = text.replace(colour, f"var(--{name})") if colour.startswith("#") else text
    return text


def write_charts(page: Page, folder: Path) -> list[Path]:
    """Each chart of a page as an SVG and a PNG picture, called as `file_name` says; the files. ImportError without
    Altair and vl-convert."""
    import vl_convert

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for chart in (block for block in page.blocks if isinstance(block, Dots)):
        drawn = specification(chart, LIGHT).to_dict()
        vector, pixels = (folder / f"{file_name(chart)}.{kind}" for kind in ("svg", "png"))
        vector.write_text(vl_convert.vegalite_to_svg(drawn), encoding="utf-8")
        pixels.write_bytes(vl_convert.vegalite_to_png(drawn, scale=PIXELS))
        written += [vector, pixels]
    return written


def file_name(chart: Dots) -> str:
    """What the file of a chart is called, without its ending: its title in small letters."""
    return "-".join("".join(c if c.isalnum() else " " for c in chart.title.lower()).split())


def specification(chart: Dots, colours: Colours) -> Any:
    """The Altair chart."""
    import altair

    rows = [
        {"label": dot.label, "value": 100 * dot.value, "low": 100 * dot.low, "high": 100 * dot.high, "told": dot.told}
        for dot in chart.dots
    ]
    order = [dot.label for dot in chart.dots]
    colour = altair.condition("datum.told", altair.value(colours.mark), altair.value(colours.plain))
    base = altair.Chart(_data(rows)).encode(
        y=altair.Y("label:N", sort=order, title=None, axis=altair.Axis(labelLimit=150, ticks=False, domain=False)),
        color=colour,
    )
    span = base.mark_rule(strokeWidth=2).encode(
        x=altair.X("low:Q", title=chart.axis, scale=altair.Scale(zero=False)), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=55, opacity=1).encode(x="value:Q")
    middle = altair.Chart(_data([{"even": 100 * chart.even}]))
    even = middle.mark_rule(strokeDash=[4, 3], color=colours.quiet).encode(x="even:Q")
    return (
        altair.layer(even, span, dots)
        .properties(width=WIDTH, height=altair.Step(STEP), background=colours.paper, padding=2)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=colours.ink, titleColor=colours.quiet, gridColor=colours.line, domainColor=colours.line,
            tickColor=colours.line, labelFontSize=13, titleFontSize=13, titleFontWeight="normal", labelFlush=False,
            labelFont="sans-serif", titleFont="sans-serif",
        )
    )  # fmt: skip


def _data(rows: Sequence[dict[str, Any]]) -> Any:
    import altair

    return altair.InlineData(values=list(rows))


# ---- HTML and Markdown

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


def report_html(page: Page) -> str:
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


def report_markdown(page: Page, charts: str = "") -> str:
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
