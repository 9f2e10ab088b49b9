"""Frames: the place, the line, a caret under the guilty text, the reason, the hint, the other place."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.source import NOWHERE, Span
from rulelang.base.terminal import display_width, draw_frame, draw_frames


def test_a_whole_frame() -> None:
    text = "\n" * 8 + "a: 1\nname: {ja: 堅い殻, zh: 巨化}\n"
    related = (Related(Span("b.csv", 2, 4, 2, 7), "declared here"), Related(Span("gone", 1, 2, 1, 3), "and there"))
    item = Diagnostic("Y121", Span("a.yaml", 10, 21, 10, 23), "wrong word", "a reason", "a hint", related)
    assert draw_frame(item, {"a.yaml": text, "b.csv": "id\nfoxfox\n"}) == "\n".join(
        (
            "error[Y121]: wrong word",
            "  --> a.yaml:10:21",
            "   |",
            "10 | name: {ja: 堅い殻, zh: 巨化}",
            "   |                        ^^^^",
            "  ::: b.csv:2:4",
            "   |",
            " 2 | foxfox",
            "   |    --- declared here",
            "  ::: gone:1:2: and there",
            "   |",
            "   = because: a reason",
            "   = hint: a hint",
        )
    )


def test_without_a_source_or_a_place() -> None:
    assert draw_frame(Diagnostic("Y130", Span("x", 1, 1, 1, 1), "gone"), {}) == "error[Y130]: gone\n --> x:1:1"
    warning = Diagnostic("Y130", NOWHERE, "gone", severity="warning")
    assert draw_frames([warning, warning], {}) == "warning[Y130]: gone\n\nwarning[Y130]: gone"


def test_odd_spans() -> None:
    """Past the end of line or file, over several lines, empty: still one caret at least."""
    for span, caret in (
        (Span("x", 1, 9, 1, 12), "   ^"),
        (Span("x", 1, 2, 3, 1), " ^^"),
        (Span("x", 1, 2, 1, 2), " ^"),
        (Span("x", 2, 2, 2, 3), " ^"),
    ):
        assert draw_frame(Diagnostic("Y102", span, "m"), {"x": "abc\n\tb\n"}).split("\n")[-1] == "  | " + caret
    assert draw_frame(Diagnostic("Y102", Span("x", 9, 1, 9, 2), "m"), {"x": "a"}).endswith("x:9:1")


def test_a_long_line_is_cut_around_the_guilty_text() -> None:
    line = "x" * 500 + "GUILTY" + "y" * 500
    drawn = draw_frame(Diagnostic("Y102", Span("f", 1, 501, 1, 507), "m"), {"f": line}).split("\n")
    assert drawn[3].startswith("1 | ...x")
    assert drawn[3].endswith("y...")
    start = drawn[4].index("^")
    assert drawn[3][start : start + 6] == "GUILTY"
    assert drawn[4].count("^") == 6


def test_width() -> None:
    assert [display_width(text) for text in ("abc", "巨化", "e\u0301", "ﾊﾟ")] == [3, 4, 1, 2]
