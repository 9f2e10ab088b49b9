"""Five tasks of somebody who has the page alone, in a real browser: a trait that protects from lone hunters, why a move
is refused, a round of a large game, whether a card is too strong, a second seat for a friend."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Browser, Page, expect

from tests.studio.browsing import PATIENCE, in_a_browser, served
from tests.studio.helpers import KEY

pytestmark = in_a_browser(pytest.mark.slow)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    return Path(shutil.copytree(root / "rulesets/evolution", tmp_path_factory.mktemp("new_user") / "evolution"))


@pytest.fixture(scope="module")
def where(home: Path) -> Iterator[str]:
    with served(folder=home) as address:
        yield address


@pytest.fixture
def page(where: str, opened: Browser) -> Iterator[Page]:
    """The address that the terminal shows, opened by somebody who was never here. Nothing goes wrong unheard."""
    context = opened.new_context(viewport={"width": 1280, "height": 800})
    shown = context.new_page()
    shown.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.goto(f"{where}/#key={KEY}")
    expect(shown.locator(".trait").first).to_be_visible()
    yield shown
    context.close()
    assert wrong == []


def play_from(page: Page, trait: str, scenario: str) -> None:
    """Play where a scenario of a trait begins."""
    page.locator(".trait", has=page.locator(".trait-title", has_text=trait)).click()
    page.get_by_role("tab", name="Scenarios").click()
    one = page.locator(".scenario", has_text=scenario)
    one.get_by_role("button", name="Play from here").click()
    expect(page.locator(".play .from")).to_contain_text(scenario)
    expect(page.locator(".play .table")).to_be_visible()


def part(page: Page, name: str) -> None:
    """Click what is called so on the table."""
    page.locator(".play button.thing-name", has_text=name).click()


def test_a_trait_that_protects_from_lone_hunters(page: Page, home: Path) -> None:
    page.get_by_role("button", name="+ Trait").click()
    page.keyboard.type("Stand together")  # where one is asked, one can write
    page.keyboard.press("Enter")
    expect(page.locator(".write-head h1")).to_have_text("Stand together")
    expect(page.locator(".trait[aria-current]")).to_be_in_viewport()  # the list shows what is new

    expect(page.get_by_role("button", name="Form")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Add a sentence").select_option(label="… cannot happen to this species from one …, because …")
    sentence = page.locator(".sentence")
    expect(sentence.get_by_label("meeting")).to_have_value("strike@1")  # as prey: what one is likely to want
    sentence.get_by_label("whom").select_option(label="whose population is 1")
    sentence.get_by_label("because").fill("a lone hunter does not dare")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".rules li")).to_have_count(2)
    page.get_by_role("button", name="Remove the rule: modify").click()
    expect(page.locator(".rules li")).to_have_count(1)
    page.locator(".write-form").get_by_label("Text").first.fill("A lone hunter cannot attack it.")
    page.keyboard.press("Tab")
    expect(page.locator(".trait[aria-current] .trait-text")).to_have_text("A lone hunter cannot attack it.")
    rule = 'forbid strike(hunter, self) when hunter.population == 1 because "a lone hunter does not dare"'
    written = (home / "traits/stand_together.yaml").read_text(encoding="utf-8")
    assert f"rules: |\n  {rule}\n" in written
    assert "modify" not in written.split("rules: |")[1].split("scenarios:")[0]
    page.get_by_role("tab", name="Problems").click()
    expect(page.locator(".panel")).to_have_text("No problems.")


def test_why_a_move_is_refused_and_the_line_that_says_so(page: Page) -> None:
    play_from(page, "Burrowing", "a fed species is safe in its burrow")
    page.locator(".trait", has=page.locator(".trait-title", has_text="Ambush")).click()
    expect(page.locator(".write-head h1")).to_have_text("Ambush")
    part(page, "wolf")
    part(page, "mole")
    reason = page.locator(".play .why", has_text="is fed and safe in its burrow")
    expect(reason).to_be_in_viewport(ratio=0.9)  # without scrolling
    reason.click()
    expect(page.locator(".write-head h1")).to_have_text("Burrowing")
    expect(page.locator(".cm-activeLine")).to_contain_text("forbid strike(any, self)")
    expect(page.locator(".cm-activeLine")).to_be_in_viewport()


def test_every_seat_of_ones_own_table_is_ones_own(page: Page) -> None:
    """Nobody waits for a seat on which nobody sits, and what was done on another can be taken back."""
    page.locator(".play").get_by_role("button", name="Play", exact=True).click()
    turn, choices = page.locator(".play .turn-of"), page.locator(".play .choices button")
    expect(turn).to_be_visible()
    asked = [turn.inner_text()]
    choices.first.click()
    expect(turn).not_to_have_text(asked[0])
    asked.append(turn.inner_text())
    expect(page.locator(".play .player.you")).to_contain_text(asked[1])
    page.locator(".play .room-head").get_by_role("button", name="Undo").click()
    expect(turn).to_have_text(asked[0])
    choices.first.click()
    expect(turn).to_have_text(asked[1])
    choices.first.click()
    expect(page.locator(".play .where")).to_contain_text("play cards")
    assert sorted(asked) == ["Ana", "Bob"]
    passing = page.locator(".play .choices button", has_text="pass")
    expect(passing).to_be_in_viewport(ratio=0.9)  # however many options there are


def test_a_round_of_a_large_game(page: Page) -> None:
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("combobox", name="Game", exact=True).select_option(label="Darwin's Choice")
    page.get_by_role("combobox", name="Players").select_option("2")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".table")).to_be_visible()
    page.get_by_role("button", name="⚙ Table").click()
    page.get_by_role("combobox", name="Bots move after").select_option(label="immediately")
    page.get_by_role("button", name="⚙ Table").click()
    made = False
    for turn in range(80):
        page.wait_for_selector(".table.mine .choices button, .prompt.over")
        if page.locator(".room-head .where").inner_text().startswith("round 2"):
            break
        before = page.get_attribute(".table", "data-moves")
        species = page.locator(".choices button", has_text="create a species")
        passing = page.locator(".choices button", has_text="pass")
        if "Which deck" in page.inner_text(".prompt"):
            page.locator(".choices button").nth(turn % 2).click()
        elif species.count():
            species.click()
        elif passing.count():
            passing.click()
        else:  # what it is made of, by clicking what is lit
            made = True
            page.locator(".table .lit:is(button)").first.click()
        for _ in range(200):
            if page.get_attribute(".table", "data-moves") != before:
                break
            page.wait_for_timeout(25)
    assert made
    expect(page.locator(".room-head .where")).to_contain_text("round 2")
    page.locator(".log li", has_text="Acting").first.click()  # what was done in the round that is over is folded up
    expect(page.locator(".log")).to_contain_text("Ana: ")


def test_whether_a_card_is_too_strong(page: Page) -> None:
    page.locator(".trait", has=page.locator(".trait-title", has_text="Carnivore")).click()
    strip = page.locator(".strip")
    expect(strip).to_contain_text("Carnivore: ", timeout=120_000)
    strip.click()
    about = page.locator(".balance .about")
    expect(about).to_contain_text("Carnivore")
    expect(about).to_contain_text("expected")
    expect(about).to_contain_text("games")


def test_a_second_seat_for_a_friend(page: Page, opened: Browser) -> None:
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("combobox", name="Players").select_option("2")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("combobox", name="seat 2").select_option(label="open: for anyone you invite")
    page.get_by_role("button", name="Start").click()
    link = page.get_by_label("Send this link to the player who should take this seat").input_value()
    assert KEY not in link
    elsewhere = opened.new_context(viewport={"width": 390, "height": 844})
    friend = elsewhere.new_page()
    friend.goto(link)
    friend.get_by_label("Your name").fill("Bea")
    friend.get_by_role("button", name="Take a seat").click()
    for one in (page, friend):
        expect(one.locator(".table")).to_be_visible()
        expect(one.locator(".players")).to_contain_text("Bea")
        expect(one.locator(".gone")).to_have_count(0)
    # Who stays is told that a bot plays for who is away, host or not, until he is back.
    table = page.url
    page.goto("about:blank")
    expect(friend.locator(".gone")).to_contain_text("Ana is away: until they are back, a bot makes each of their moves")
    page.goto(table)
    expect(friend.locator(".gone")).to_have_count(0)
    elsewhere.close()
    expect(page.locator(".gone")).to_contain_text("Bea is away")
