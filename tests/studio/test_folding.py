"""In a real browser, the log beside the table folds what is past and what is long; mouse and keys open it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Browser, Page, expect

from tests.studio.browsing import PATIENCE, asked, browser, in_a_browser, play, served

pytestmark = in_a_browser(pytest.mark.slow)


FOLDED = re.compile(r" ▸ (\d+) lines?$")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A game in its second round at least, whose viewer is asked."""
    with served() as where, browser() as opened:
        yield in_a_later_round(opened, where)


def in_a_later_round(opened: Browser, where: str) -> Page:
    made = asked(where, "/api/rooms", {"game": "evolution", "seats": ["you", "random"], "seed": 3, "speed": 0})
    page = opened.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{where}/table/{made['room']}#seat={made['token']}")
    for _ in range(20):
        play(page, 3)
        if page.locator(".log .round").count() > 1:
            break
    page.wait_for_selector(".table.mine .choices button")
    return page


def test_a_round_that_is_over_is_one_line(page: Page) -> None:
    first = page.locator(".log .round button").first
    expect(first).to_have_attribute("aria-expanded", "false")
    assert hidden(page) > 5
    expect(page.locator(".log li").last).to_be_in_viewport()


def hidden(page: Page) -> int:
    """How many lines are said to be folded."""
    return sum(int(said[1]) for text in page.locator(".log button").all_inner_texts() if (said := FOLDED.search(text)))


def test_a_click_opens_a_section_and_closes_it(page: Page) -> None:
    lines = page.locator(".log li")
    before, all_lines = lines.count(), lines.count() + hidden(page)
    first = page.locator(".log .round button").first
    first.click()
    expect(first).to_have_attribute("aria-expanded", "true")
    assert lines.count() > before
    assert lines.count() + hidden(page) == all_lines, "what is not seen is counted"
    assert page.locator(".log .phase button[aria-expanded=false]").count() > 0, "its phases are still folded"
    assert page.locator(".log ol").evaluate("one => one.scrollTop") == 0, "what was opened stays in sight"
    first.click()
    expect(lines).to_have_count(before)


def test_keys_go_to_a_section_and_open_it(page: Page) -> None:
    lines = page.locator(".log li")
    before = lines.count()
    moves = page.locator(".table").get_attribute("data-moves")
    first = page.locator(".log .round button").first
    page.locator(".log ol").focus()
    for _ in range(before):
        page.keyboard.press("ArrowUp")
        if first.evaluate("one => one === document.activeElement"):
            break
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(first).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    phase = page.locator(".log .phase button").first
    expect(phase).to_be_focused()
    was = phase.get_attribute("aria-expanded")
    page.keyboard.press("Enter")
    expect(phase).to_have_attribute("aria-expanded", "false" if was == "true" else "true")
    page.keyboard.press("Enter")
    expect(phase).to_have_attribute("aria-expanded", was or "")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(first).to_have_attribute("aria-expanded", "false")
    expect(lines).to_have_count(before)
    assert page.locator(".table").get_attribute("data-moves") == moves, "nothing was played by it"
