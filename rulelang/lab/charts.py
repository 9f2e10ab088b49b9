"""Charts of a report: dots with their intervals, drawn by Altair and set as SVG without a browser or a network."""

from __future__ import annotations

from typing import Any

from rulelang.lab.blocks import Dots

#: Stand-ins for colours, which a page replaces by its own, so that one picture does for dark and light.
INK, QUIET, LINE, MARK, PLAIN = "#010203", "#010204", "#010205", "#010206", "#010207"
#: By stand-in, the colour of a page.
COLOURS = {INK: "--ink", QUIET: "--quiet", LINE: "--line", MARK: "--mark", PLAIN: "--plain"}
WIDTH, STEP = 300, 20


def svg(chart: Dots) -> str:
    """The chart as the text of an SVG picture, with the colours of a page that has variables for them."""
    import vl_convert

    text: str = vl_convert.vegalite_to_svg(specification(chart).to_dict())
    for colour, name in COLOURS.items():
        text = text.replace(colour, f"var({name})")
    return text


def specification(chart: Dots) -> Any:
    """The Altair chart."""
    import altair

    rows = [
        {"label": dot.label, "value": 100 * dot.value, "low": 100 * dot.low, "high": 100 * dot.high, "told": dot.told}
        for dot in chart.dots
    ]
    order = [dot.label for dot in chart.dots]
    colour = altair.condition("datum.told", altair.value(MARK), altair.value(PLAIN))
    base = altair.Chart(_data(rows)).encode(
        y=altair.Y("label:N", sort=order, title=None, axis=altair.Axis(labelLimit=150, ticks=False, domain=False)),
        color=colour,
    )
    span = base.mark_rule(strokeWidth=2).encode(
        x=altair.X("low:Q", title=chart.axis, scale=altair.Scale(zero=False)), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=55, opacity=1).encode(x="value:Q")
    even = (
        altair.Chart(_data([{"even": 100 * chart.even}])).mark_rule(strokeDash=[4, 3], color=QUIET).encode(x="even:Q")
    )
    return (
        altair.layer(even, span, dots)
        .properties(width=WIDTH, height=altair.Step(STEP), background="transparent", padding=2)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK, titleColor=QUIET, gridColor=LINE, domainColor=LINE, tickColor=LINE, labelFontSize=13,
            titleFontSize=13, titleFontWeight="normal", labelFont="sans-serif", titleFont="sans-serif",
        )
    )  # fmt: skip


def _data(rows: list[dict[str, Any]]) -> Any:
    import altair

    return altair.InlineData(values=rows)
