"""`make screenshots`: each shipped ruleset's table in three sizes, light and dark, in build/screenshots."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page

from rulelang.studio.tables.hub import shipped
from tests.studio.browsing import asked, browser, served

SIZES = ((1280, 800), (1920, 1080), (390, 844))
#: Options that are taken before a picture.
MOVES = 18


def play(page: Page, moves: int) -> None:
    """Take the first options until so many were taken, so that there is something to see."""
    for _ in range(moves):
        page.wait_for_selector(".choices button, .prompt.over")
        if page.query_selector(".prompt.over"):
            return
        count = page.locator(".choices button").count()
        page.locator(".choices button").nth(min(1, count - 1)).click()
        page.wait_for_timeout(60)


def main(folder: Path, only: list[str], moves: int = MOVES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with served() as where, browser() as opened:
        for game in only or shipped():
            seats = ["you", "random", "random", "random"]
            made = asked(where, "/api/rooms", {"game": game, "seats": seats, "seed": 3, "speed": 0})
            page = opened.new_page(viewport={"width": 1280, "height": 800})
            page.on("console", lambda said: print(said.text) if said.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: print("error", error))
            page.goto(f"{where}/table/{made['room']}#seat={made['token']}")
            play(page, moves)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    page.wait_for_timeout(350)
                    page.screenshot(path=folder / f"{game}-{width}x{height}-{scheme}.png")
            page.close()
            print(game)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
