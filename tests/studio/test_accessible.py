"""The page to write on, looked at by axe-core: its parts in light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Browser, Page, expect

from rulelang.apps.studio.tables.hub import shipped_games
from tests.scenarios.shore import game
from tests.studio.browsing import PATIENCE, in_a_browser, playing, served
from tests.studio.fitting import sizes
from tests.studio.helpers import KEY

pytestmark = in_a_browser(pytest.mark.slow)


def wrong(page: Page) -> list[object]:
    """What axe-core finds, with the first place of each."""
    from axe_core_python.sync_playwright import Axe

    page.wait_for_timeout(300)  # what fades in is there
    found = Axe().run(page)
    return [(one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["any"][:1]) for one in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_to_write_on(opened: Browser, tmp_path: Path, scheme: str) -> None:
    home = game(tmp_path)
    with served(folder=home) as where:
        page = opened.new_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        page.goto(f"{where}/#key={KEY}")
        expect(page.locator(".trait")).to_have_count(2, timeout=60_000)
        page.locator(".trait", has_text="shy").click()
        expect(page.locator(".tok-keyword").first).to_be_visible(timeout=60_000)
        assert wrong(page) == []
        for tab in ("Scenarios", "Log", "Balance"):
            page.get_by_role("tab", name=tab).click()
            assert wrong(page) == [], tab
        page.get_by_role("button", name="Form").click()
        expect(page.locator(".write-form .rules li")).to_have_count(1)
        page.get_by_label("Add a sentence").select_option("more")
        page.locator(".write-form summary").click() if page.locator(".write-form summary").count() else None
        page.get_by_role("button", name="+ Trait").click()
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(".play .table")).to_be_visible()
        page.get_by_role("button", name="Make a scenario from this").click()
        assert wrong(page) == []
        page.get_by_label("Keys").click()
        page.get_by_role("tab", name="Problems").click()
        assert wrong(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        for name in ("Files", "Write", "Play", "Found"):
            page.get_by_label("Parts of the page").get_by_role("button", name=name).click()
            assert wrong(page) == [], name
        page.close()


@pytest.mark.parametrize("name", shipped_games())
def test_the_table_of_every_ruleset(opened: Browser, name: str) -> None:
    """In the midst of a game, light and dark, wide and narrow, with something pointed at."""
    with served() as where, playing(opened, where, name) as table:
        page = table.page
        table.play(14)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            page.mouse.move(200, 200)
            page.wait_for_timeout(300)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                assert wrong(page) == [], (width, scheme)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_list_of_tables_and_an_empty_folder(opened: Browser, tmp_path: Path, scheme: str) -> None:
    with served(folder=tmp_path) as where:
        page = opened.new_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        page.goto(f"{where}/#key={KEY}")
        expect(page.locator(".first-game")).to_be_visible()
        assert wrong(page) == []
        page.get_by_role("link", name="Tables").click()
        expect(page.locator(".lobby option").nth(4)).to_be_attached(timeout=60_000)
        assert wrong(page) == []
        page.get_by_role("combobox", name="seat 2").select_option(label="open: for anyone you invite")
        page.get_by_role("button", name="Start").click()
        expect(page.locator(".arrange")).to_be_visible()
        assert wrong(page) == []
        page.close()


def test_the_page_to_write_on_in_another_language(opened: Browser, tmp_path: Path) -> None:
    """It is chosen at the head of the page, and the table there speaks it, too; nothing runs out of its box."""
    home = game(tmp_path)
    with served(folder=home) as where:
        page = opened.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        page.goto(f"{where}/#key={KEY}")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(".play .table")).to_be_visible()
        page.get_by_role("combobox", name="Language").first.select_option("ja")
        expect(page.get_by_role("tab", name="シナリオ")).to_be_visible()
        expect(page.locator(".play .room-head .button").last).to_have_text("⚙ 卓")
        expect(page.locator("html")).to_have_attribute("lang", "ja")
        assert wrong(page) == []
        assert sizes(page) == []
        page.reload()
        expect(page.get_by_role("link", name="工房")).to_be_visible()
        page.close()
