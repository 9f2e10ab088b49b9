"""An author's first ten minutes, in a real browser: a trait by the form, a slip and its mending, the scenario, the
table, a scenario of what stands there, and what the games in the background say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, Response, Route, expect

from tests.scenarios.shore import game
from tests.studio.browsing import PATIENCE, browser, in_a_browser, served
from tests.studio.helpers import KEY

pytestmark = in_a_browser()

SCENARIO = """\
scenarios:
  - name: it stays thin
    given:
      {phase: feeding, turn: ana, state: {water: 3},
       players: {ana: {crab: [nip: {traits: [shy]}]}, bob: {crab: [nob]}}}
    then: [nip.weight == 1]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = game(tmp_path)
    with open(made / "traits/shy.yaml", "a", encoding="utf-8") as file:
        file.write(SCENARIO)
    return made


@pytest.fixture
def page(home: Path) -> Iterator[Page]:
    """The workshop, with nothing that goes wrong unheard."""
    wrong: list[str] = []

    def logged(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            wrong.append(message.text)

    def answered(response: Response) -> None:
        if response.status >= 400 and not response.url.endswith("/weigh"):
            wrong.append(f"{response.status} {response.url}: {response.text()}")

    with served(folder=home) as where, browser() as opened:
        shown = opened.new_page(viewport={"width": 1280, "height": 800})
        shown.set_default_timeout(PATIENCE)
        shown.on("console", logged)
        shown.on("pageerror", lambda error: wrong.append(str(error)))
        shown.on("response", answered)
        shown.goto(f"{where}/#key={KEY}")
        expect(shown.locator(".trait")).to_have_count(2, timeout=60_000)
        yield shown
        assert wrong == []


def test_cards_and_text_are_there_and_nothing_goes_wrong(page: Page) -> None:
    page.locator(".trait", has_text="shy").click()
    expect(page.locator(".cm-content")).to_contain_text("forbid eat(self)")
    expect(page.locator(".tok-keyword", has_text="forbid")).to_be_visible(timeout=60_000)
    expect(page.locator(".write-head h1")).to_have_text("Shy", ignore_case=True)


def write_on(page: Page, line: str, keys: list[str]) -> None:
    page.locator(".cm-line", has_text=line).last.click()
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.slow
def test_an_authors_first_ten_minutes(page: Page, home: Path) -> None:
    # A trait, and by the form what it is called and what it does.
    page.get_by_role("button", name="+ Trait").click()
    page.get_by_label("What is it called?").fill("Thick fur")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.locator(".trait")).to_have_count(3, timeout=120_000)
    path = home / "traits/thick_fur.yaml"
    before = path.read_text(encoding="utf-8")
    page.get_by_role("button", name="Form").click()
    page.get_by_label("Name").fill("Very thick fur")
    page.get_by_label("Add a sentence").select_option("more")
    page.get_by_label("number").fill("2")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".write-form .rules")).to_contain_text("modify gain(self): + 2")
    expect(page.locator(".state")).to_have_text("saved")
    expect(page.locator(".write-form .rule p").last).to_have_text("Gain: + 2")  # once it is saved, in words
    after = path.read_text(encoding="utf-8")
    assert "name: {en: Very thick fur}" in after
    comments = [line for line in before.split("\n") if line.startswith("#")]
    assert comments
    assert [line for line in after.split("\n") if line.startswith("#")] == comments

    # A slip, told with its reason and mended by a click.
    page.get_by_role("button", name="Text").click()
    write_on(page, "modify gain(self): + 2", ["Home", *["ArrowRight"] * 9, "Delete"])
    expect(page.locator(".cm-content")).to_contain_text("modify gan(self): + 2")
    page.get_by_role("tab", name="Problems").click()
    expect(page.locator(".problems .message").first).to_contain_text("gan")
    page.locator(".problems .fix").first.click()
    expect(page.locator(".panel")).to_have_text("No problems.")
    expect(page.locator(".state")).to_have_text("saved")
    assert path.read_text(encoding="utf-8") == after

    # A scenario is run, and played from; a refused move leads to its line.
    page.locator(".trait", has_text="shy").first.click()
    page.get_by_role("tab", name="Scenarios").click()
    page.get_by_role("button", name="Run", exact=False).last.click()
    expect(page.locator(".scenario.passed")).to_have_count(1)
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator(".room .table")).to_be_visible()
    expect(page.locator(".from")).to_contain_text("it stays thin")
    write_on(page, "trait: shy", ["ArrowRight", "ArrowLeft"])  # what is typed in the text is none of the table's keys
    expect(page.locator(".cm-content")).to_be_focused()

    # What stands at the table becomes a scenario.
    page.get_by_role("button", name="Make a scenario from this").click()
    page.get_by_label("What does it show?").fill("how it begins")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".scenario")).to_have_count(2)
    assert "  - name: how it begins" in (home / "traits/shy.yaml").read_text(encoding="utf-8")
    page.get_by_role("button", name="Run all").click()
    expect(page.locator(".scenario.passed")).to_have_count(2)

    # What is changed is weighed by itself.
    expect(page.locator(".strip")).to_contain_text("games", timeout=120_000)
    page.get_by_role("tab", name="Balance").click()
    expect(page.locator(".balance")).to_contain_text(re.compile(r"\d games of \d players"))


def no_writing(route: Route) -> None:
    if route.request.method == "PUT":
        route.abort()
    else:
        route.continue_()


@pytest.mark.slow
def test_nothing_is_lost_where_the_page_is_left_or_somebody_else_writes(page: Page, home: Path) -> None:
    page.locator(".trait", has_text="shy").click()
    expect(page.locator(".cm-content")).to_contain_text("forbid eat(self)")
    page.route(
        "**/api/workshop/file", lambda route: route.abort() if route.request.method == "PUT" else route.continue_()
    )
    write_on(page, "text: {en: It hides.}", ["End", *" # mine"])
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text("# mine")
    page.unroute("**/api/workshop/file")
    write_on(page, "# mine", ["End", "x"])
    expect(page.locator(".state")).to_have_text("saved")
    shy = home / "traits/shy.yaml"
    assert "# minex" in shy.read_text(encoding="utf-8")


@pytest.mark.slow
def test_on_a_narrow_screen_one_part_is_shown_at_a_time(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name, part in (("Files", ".files"), ("Write", ".write"), ("Play", ".play"), ("Found", ".below")):
        page.get_by_label("Parts of the page").get_by_role("button", name=name).click()
        expect(page.locator(part)).to_be_visible()
        assert page.locator(".files:visible, .write:visible, .play:visible, .below:visible").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_printed_numbers_are_changed_where_they_stand(page: Page, home: Path) -> None:
    """The form of a trait has its cards, though they stand in another file; that file has a form of its own, too. The
    sum that it expects follows, and that is said."""
    things = (home / "things.yaml").read_text(encoding="utf-8")
    things = things.replace("    columns: {face: trait", "    expect: {sum of food: 11}\n    columns: {face: trait", 1)
    (home / "things.yaml").write_text(things, encoding="utf-8")
    own = (home / "traits/finned.yaml").read_text(encoding="utf-8")
    before = (home / "things.yaml").read_text(encoding="utf-8")
    page.locator(".trait", has_text="finned").click()
    page.get_by_role("button", name="Form").click()
    food = page.get_by_label("food, one for each card")
    expect(food).to_have_value("1 2 2")
    food.fill("1 2 4")
    page.keyboard.press("Tab")
    page.get_by_role("tab", name="Problems").click()
    expect(page.locator(".foot")).to_have_text("`sum of food` of `card` must now be 13, in things.yaml")
    expect(page.locator(".panel")).to_have_text("No problems.")
    page.get_by_role("button", name="things.yaml", exact=True).click()
    expect(page.locator(".state")).to_have_text("saved")
    after = (home / "things.yaml").read_text(encoding="utf-8")
    assert after == before.replace("[1, 2, 2]", "[1, 2, 4]").replace("sum of food: 11", "sum of food: 13")
    assert (home / "traits/finned.yaml").read_text(encoding="utf-8") == own
    page.get_by_role("group", name="rod").get_by_label("Copies").fill("3")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Text", exact=True).click()
    expect(page.locator(".cm-line", has_text="copies: 3")).to_be_visible()
