"""Take the pictures of the documentation: `make pictures` writes them into docs/pictures.

They show two tables, the workshop with an error, and the full screen of the terminal. Each is the real program.
No picture has Chinese or Japanese in it: many machines have no font for them, and would show boxes.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect
from textual.pilot import Pilot

from rulelang.apps.terminal import TableApp
from rulelang.runtime.agents import make_agent
from tests.studio.browsing import PATIENCE, browser, playing, served
from tests.studio.helpers import KEY
from tests.terminal.driving import begun, drive, game, match

ROOT = Path(__file__).resolve().parents[2]
SIZE = {"width": 1280, "height": 800}
#: Moves that are made before a picture, so that there is something to see.
MOVES = 18
#: The round of Evolution from which the terminal is pictured, and the columns and lines of the terminal.
ROUND, TERMINAL = 2, (104, 34)
#: The names of a trait in other languages than English.
TRANSLATED = re.compile(r"(?<=^name: \{en: Horns), .*(?=\})", re.MULTILINE)


def table(opened: Browser, folder: Path, name: str) -> None:
    """Picture a game in progress, as one player sees it."""
    with served() as where, playing(opened, where, name) as shown:
        shown.play(MOVES)
        shown.page.mouse.move(SIZE["width"] / 2, 5)  # away from the cards, which explain themselves under it
        shown.page.keyboard.press("Escape")
        ready(shown.page)
        shown.page.evaluate("for (const one of document.querySelectorAll('.board, .hand')) one.scrollTo(0, 0)")
        shown.page.screenshot(path=folder / f"{name}.png")


def workshop(opened: Browser, folder: Path) -> None:
    """Picture the workshop with the text of a trait in which a name is misspelt."""
    with TemporaryDirectory() as home:
        copy = Path(shutil.copytree(ROOT / "rulesets" / "evolution", Path(home) / "evolution"))
        trait = copy / "traits" / "horns.yaml"
        text = trait.read_text(encoding="utf-8").replace("lose_population", "loose_population", 1)
        trait.write_text(TRANSLATED.sub("", text), encoding="utf-8")
        with served(folder=copy) as where:
            context = opened.new_context(viewport=SIZE)
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(f"{where}/#key={KEY}")
            page.locator(".trait", has_text="horns").first.click()
            expect(page.locator(".cm-content")).to_be_visible()
            page.get_by_role("tab", name="Problems").click()
            expect(page.locator(".problems .message").first).to_be_visible()
            ready(page)
            page.screenshot(path=folder / "studio.png")
            context.close()


def export_terminal(file: Path) -> None:
    """Write the full screen of `rulelang play` as SVG, with a choice in the middle of a game."""
    state = begun("evolution", players=3)
    bot = make_agent("greedy")
    bot.start(1)
    while not (state.round >= ROUND and state.phase == "feeding" and state.decider == 1):
        state.play(bot.choose(state))

    async def script(app: TableApp, _: Pilot[None]) -> None:
        file.write_text(app.export_screenshot(), encoding="utf-8")

    drive(match(state), script, TERMINAL, title=game("evolution").title)


def terminal(opened: Browser, file: Path, folder: Path) -> None:
    """Picture an exported terminal."""
    page = opened.new_page(viewport=SIZE)
    page.goto(file.resolve().as_uri())
    page.locator("svg").first.screenshot(path=folder / "terminal.png")
    page.close()


def ready(page: Page) -> None:
    """Wait until nothing moves any more."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.wait_for_timeout(500)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "terminal.svg"
    export_terminal(file)  # before the browser, which has an event loop of its own
    with browser() as opened:
        terminal(opened, file, folder)
        file.unlink()
        workshop(opened, folder)
        for name in ("evolution", "darwins_choice"):
            table(opened, folder, name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
