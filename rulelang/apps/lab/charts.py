"""Charts of a report: dots with their intervals, drawn by Altair and set as SVG without a browser or a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rulelang.apps.lab.blocks import Dots, Page


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
