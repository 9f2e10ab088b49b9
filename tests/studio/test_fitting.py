"""No text runs out of its box, on the table of any shipped ruleset, wide or narrow, at any time of a game."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Browser

from rulelang.apps.studio.tables.hub import shipped_games
from tests.studio.browsing import in_a_browser, playing
from tests.studio.fitting import runs_out, sizes

pytestmark = in_a_browser(pytest.mark.slow)


@pytest.mark.parametrize("game", shipped_games())
def test_no_text_runs_out_of_its_box(opened: Browser, where: str, game: str) -> None:
    with playing(opened, where, game) as table:
        for moves in (8, 16):
            table.play(moves)
            assert sizes(table.page) == []
            table.page.set_viewport_size({"width": 1280, "height": 800})


def test_a_globe_is_drawn_round_and_gone_about_by_keys(opened: Browser, where: str) -> None:
    """Its east and its west edge are joined: beyond each stands what lies at the other, which nothing can be done with.
    A window that was narrow once is drawn as one that never was."""
    with playing(opened, where, "evolved", round=True) as table:
        page = table.page
        table.play(10)
        rows = page.locator(".globe .parallel")
        boxes = "(all) => all.map((one) => [one.clientWidth, one.clientHeight])"
        wide = rows.evaluate_all(boxes)
        assert wide[0][0] < wide[len(wide) // 2][0]
        assert page.locator(".beyond").count() == 2 * rows.count()
        assert page.locator(".beyond [data-part], .beyond button").count() == 0
        assert sizes(page) == []
        page.set_viewport_size({"width": 1280, "height": 800})
        page.wait_for_timeout(300)
        assert rows.evaluate_all(boxes) == wide
        part = page.locator(".globe .space-name").nth(8)
        part.focus()
        page.keyboard.press("ArrowRight")
        assert page.locator(".globe .space-name").nth(9).evaluate("(one) => one === document.activeElement")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.closest('.space').dataset.part") is not None


def test_what_runs_out_is_seen(opened: Browser) -> None:
    """What would be found: a long word in a narrow box, a text that is cut off; but none that ends in dots."""
    page = opened.new_page()
    box = "<p class={} style='width: 8rem; {}'>Proterozoic and carboniferous</p>"
    page.set_content(
        box.format("fits", "border: 1px solid")
        + box.format("long", "border: 1px solid; white-space: nowrap")
        + box.format("cut", "overflow: hidden; white-space: nowrap")
        + box.format("dots", "overflow: hidden; white-space: nowrap; text-overflow: ellipsis")
        + box.format("slides", "overflow: auto; white-space: nowrap")
    )
    found = runs_out(page)
    assert [one.split(" > ")[0] for one in found] == ["over the edge of p.long", "cut off by p.cut"]
    page.close()
