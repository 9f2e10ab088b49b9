"""`make screenshots`: each shipped ruleset's table in three sizes, light and dark, in build/screenshots."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page

from rulelang.apps.studio.tables.hub import shipped_games
from tests.studio.browsing import browser, playing, served
from tests.studio.fitting import SIZES

#: Options that are taken before a picture.
MOVES = 18


def from_the_top(page: Page) -> None:
    """The board as it begins: while somebody plays it is scrolled to what can be picked."""
    page.evaluate("for (const one of document.querySelectorAll('.board, .hand')) one.scrollTo(0, 0)")


def main(folder: Path, only: list[str], moves: int = MOVES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with served() as where, browser() as opened:
        for game in only or shipped_games():
            with playing(opened, where, game) as table:
                page = table.page
                page.on("console", lambda said: print(said.text) if said.type in ("error", "warning") else None)
                page.on("pageerror", lambda error: print("error", error))
                table.play(moves)
                for width, height in SIZES:
                    page.set_viewport_size({"width": width, "height": height})
                    for scheme in ("light", "dark"):
                        page.emulate_media(color_scheme=scheme)
                        page.wait_for_timeout(350)
                        from_the_top(page)
                        page.screenshot(path=folder / f"{game}-{width}x{height}-{scheme}.png")
            print(game)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
