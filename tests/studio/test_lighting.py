"""What is lit by the log, in a real browser: what has changed since one chose, the parts that a line is about, and the
lines that are about a part. Nothing moves where the system asks for that."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Browser, Page, expect

from tests.studio.browsing import PATIENCE, asked, in_a_browser, play

pytestmark = in_a_browser(pytest.mark.slow)


def seated(opened: Browser, where: str, **context: object) -> Page:
    seats = ["you", "random", "random"]
    made = asked(where, "/api/rooms", {"game": "evolution", "seats": seats, "seed": 3, "speed": 0})
    page = opened.new_context(viewport={"width": 1280, "height": 800}, **context).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{where}/table/{made['room']}#seat={made['token']}")
    play(page, 12)
    page.wait_for_selector(".table.mine .choices button")
    return page


def test_lines_light_their_parts_and_parts_their_lines(opened: Browser, where: str) -> None:
    page = seated(opened, where)
    thing = page.locator(".player:not(.you) .thing").first
    name = thing.locator(".thing-name .name").inner_text()
    line = page.locator(".log li", has_text=name).last
    thing.locator(".thing-name").hover()
    expect(line).to_have_attribute("data-told", "")
    for told in page.locator(".log [data-told]").all():
        expect(told).to_contain_text(name)
    expect(page.locator(".explain")).to_contain_text(line.inner_text())

    line.hover()
    expect(thing).to_have_attribute("data-told", "")
    assert page.locator(".board .thing[data-told]").count() < page.locator(".board .thing").count()
    page.mouse.move(300, 60)
    expect(thing).not_to_have_attribute("data-told", "")

    page.locator(".log ol").focus()  # by keys: from the last line upwards
    for _ in range(60):
        page.keyboard.press("ArrowUp")
        here = page.evaluate("document.activeElement.closest('[data-line]')?.dataset.line")
        if here == line.get_attribute("data-line"):
            break
    assert here == line.get_attribute("data-line")
    expect(thing).to_have_attribute("data-told", "")
    page.context.close()


def test_what_has_changed_is_marked_until_one_has_chosen_again(opened: Browser, where: str) -> None:
    page = seated(opened, where)
    before = page.locator(".board .fact, .board .thing, .board .zone").count()
    changed = page.locator(".board .changed")
    assert 0 < changed.count() < before
    old = set(changed.evaluate_all("all => all.map(one => one.dataset.fact ?? one.dataset.part ?? one.dataset.zone)"))
    page.reload()  # whoever comes in has nothing to compare with
    page.wait_for_selector(".table.mine .choices button")
    assert changed.count() == 0
    play(page, 1)
    page.wait_for_selector(".table.mine .choices button")
    play(page, 1)
    now = set(changed.evaluate_all("all => all.map(one => one.dataset.fact ?? one.dataset.part ?? one.dataset.zone)"))
    assert now != old
    page.context.close()


def test_nothing_moves_where_the_system_asks_for_that(opened: Browser, where: str) -> None:
    page = seated(opened, where, reduced_motion="reduce")
    assert page.locator(".board .changed").count() > 0
    times = page.evaluate("document.getAnimations().map(one => one.effect.getComputedTiming().activeDuration)")
    assert all(time <= 1 for time in times)
    page.context.close()


def test_what_was_picked_is_not_refused_again(opened: Browser, where: str) -> None:
    """The mouse is still upon it; what stands in the way of picking it twice is of no use to anybody."""
    page = seated(opened, where)
    for _ in range(8):  # until something is picked in two steps
        page.locator("button.lit").first.click()
        page.wait_for_timeout(600)
        if page.locator(".picked").count():
            break
        page.wait_for_selector(".table.mine .choices button")
    expect(page.locator(".picked")).to_have_count(1)
    name = page.locator(".picked").first.locator(".name").first.inner_text()
    expect(page.locator(".explain h2")).to_have_text(name)
    assert page.locator(".explain .reason").count() == 0
    page.context.close()
