"""The table in a real browser: whole games by mouse and by keyboard, two seats of one table, accessibility."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Browser, Page  # noqa: E402

from tests.studio.browsing import PATIENCE, asked, in_a_browser, served  # noqa: E402
from tests.studio.helpers import KEY  # noqa: E402

pytestmark = in_a_browser()

PEBBLES = Path(__file__).parents[2] / "examples" / "pebbles"


@pytest.fixture(scope="module")
def where() -> Iterator[str]:
    with served(folder=PEBBLES) as address:
        yield address


@pytest.fixture
def page(opened: Browser) -> Iterator[Page]:
    """A page on which nothing is said to the console."""
    page = opened.new_page(viewport={"width": 1280, "height": 800})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()
    assert said == []


def begin(where: str, game: str, *seats: str, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = asked(where, "/api/rooms", {"game": game, "seats": [*seats], "seed": 3, "speed": 0, **more})
    return made


def sit(page: Page, where: str, made: dict[str, Any], key: str) -> None:
    page.goto(f"{where}/table/{made['room']}#{key}")
    page.wait_for_selector(".table")


def waited(page: Page) -> bool:
    """Until one is asked (True), or the game is over."""
    page.wait_for_selector(".table.mine .choices button, .prompt.over")
    return page.query_selector(".prompt.over") is None


def moves(page: Page) -> int:
    return int(page.get_attribute(".table", "data-moves") or 0)


def after(page: Page, number: int) -> None:
    """Until the table has gone on from there. (The page's policy lets nobody evaluate texts in it, tests either.)"""
    for _ in range(750):
        if moves(page) > number:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"nothing happened after {number} moves")


def test_smoke_a_game_by_mouse(where: str, page: Page) -> None:
    made = begin(where, "pebbles", "you", "first")
    sit(page, where, made, f"seat={made['token']}")
    for _ in range(40):
        if not waited(page):
            break
        number = moves(page)
        page.locator(".choices button").last.click()
        after(page, number)
    assert re.search(r"\d+", page.inner_text(".prompt.over"))
    assert page.locator(".log li").count() > 3


def play_by_mouse(page: Page, number: int) -> None:
    """Click what is lit until an option was taken; else one by its name."""
    for _ in range(6):
        if moves(page) != number or page.query_selector(".prompt.over"):
            return
        lit = page.locator("button.lit")
        if lit.count():
            lit.first.click()
        else:
            page.locator(".choices button").last.click()
        page.wait_for_timeout(40)
    if moves(page) == number:
        page.locator(".choices button").last.click()


@pytest.mark.slow
def test_a_whole_game_of_evolution_by_mouse(where: str, page: Page) -> None:
    made = begin(where, "evolution", "you", "random")
    sit(page, where, made, f"seat={made['token']}")
    clicked = 0
    for _ in range(400):
        if not waited(page):
            break
        number = moves(page)
        play_by_mouse(page, number)
        after(page, number)
        clicked += 1
    assert page.query_selector(".prompt.over") is not None
    assert clicked > 10


@pytest.mark.slow
def test_a_whole_game_by_keyboard(where: str, page: Page) -> None:
    """Tab goes to what is lit, arrows about the table, Enter picks, digits take what is listed."""
    made = begin(where, "evolution", "you", "random", seed=9)
    sit(page, where, made, f"seat={made['token']}")
    entered = 0
    for turn in range(400):
        if not waited(page):
            break
        number = moves(page)
        if turn % 2 == 0 and page.locator("button.lit").count():
            page.locator("body").focus()
            page.keyboard.press("ArrowDown")
            for _ in range(60):
                if page.evaluate("document.activeElement.classList.contains('lit')"):
                    break
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            entered += 1
            page.wait_for_timeout(40)
        for _ in range(4):
            if moves(page) != number or page.query_selector(".prompt.over"):
                break
            page.keyboard.press("1")
            page.wait_for_timeout(60)
        after(page, number)
    assert page.query_selector(".prompt.over") is not None
    assert entered > 5


@pytest.mark.slow
def test_two_people_at_one_table(where: str, opened: Browser, page: Page) -> None:
    made = begin(where, "evolution", "you", "open")
    sit_key = f"seat={made['token']}"
    page.goto(f"{where}/table/{made['room']}#{sit_key}")
    page.wait_for_selector(".arrange")
    other = opened.new_context(viewport={"width": 390, "height": 844}).new_page()
    other.goto(f"{where}/table/{made['room']}#invite={made['invite']}")
    other.fill(".arrange input", "Bea")
    other.click("text=Take a seat")
    for one in (page, other):
        one.wait_for_selector(".table")
    for _ in range(8):
        for one in (page, other):
            if one.query_selector(".table.mine .choices button"):
                number = moves(one)
                one.locator(".choices button").first.click()
                one.wait_for_timeout(150)
                if moves(one) == number and one.query_selector(".table.mine .choices button"):
                    one.locator(".choices button").first.click()
        page.wait_for_timeout(100)
    assert abs(moves(page) - moves(other)) <= 1
    assert moves(page) > 2
    # What lies in another's hand is nowhere in the page.
    assert page.locator('[data-part^="player:2/hand/"]').count() == 0
    assert other.locator('[data-part^="player:1/hand/"]').count() == 0
    # Reloading loses nothing.
    before, number = other.inner_text(".players"), moves(other)
    other.reload()
    other.wait_for_selector(".table")
    assert (other.inner_text(".players"), moves(other)) == (before, number)
    assert other.locator(".log li").count() > 3
    other.context.close()


@pytest.mark.slow
def test_a_page_asks_nobody_else(where: str, page: Page) -> None:
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    made = begin(where, "evolution", "you", "random")
    sit(page, where, made, f"seat={made['token']}")
    assert asked_for
    assert all(address.startswith((where, "data:")) for address in asked_for)
    assert made["token"] not in page.url


@pytest.mark.slow
def test_from_the_list_of_tables_to_the_end_of_a_game_by_keys_alone(where: str, page: Page) -> None:
    page.goto(f"{where}/table#key={KEY}")
    page.wait_for_selector(".lobby option:not(:disabled)", state="attached")

    def to(selector: str) -> None:
        """Tab until what is meant has the focus."""
        for _ in range(60):
            if page.locator(f"{selector}:focus").count():
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {selector}")

    to(".lobby select")
    page.keyboard.type("Pebbles")
    to(".lobby .button.chief")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table")
    for turn in range(60):
        if not waited(page):
            break
        number = moves(page)
        if turn % 2:
            page.keyboard.press("1")
        else:  # an option is a button like others
            to(".choices button")
            page.keyboard.press("Enter")
        after(page, number)
    assert page.query_selector(".prompt.over") is not None
