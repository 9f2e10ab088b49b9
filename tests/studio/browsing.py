"""A server with the real pages, and a browser that looks at them."""

from __future__ import annotations

import json
import shutil
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from rulelang.apps.studio.app import listening_socket, make_app, server_config, server_url
from rulelang.apps.studio.guard import STATIC, Site
from tests.studio.helpers import KEY

#: Milliseconds that something may take to appear: games are compiled meanwhile, on machines that have other work.
PATIENCE = 60_000
#: Debian's Chromium asks nobody and needs no sandbox of its own in a container.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def missing() -> str:
    """What a browser test lacks here; "" for nothing."""
    if shutil.which("chromium") is None:
        return "there is no chromium"
    if not (STATIC / "index.html").is_file():
        return "the pages are not built: make studio"
    return ""


def in_a_browser(*more: pytest.MarkDecorator) -> list[pytest.MarkDecorator]:
    """The marks of tests that need a browser and the pages: skipped, with what is missing, where they cannot be."""
    why = missing()
    return [pytest.mark.browser, *more, pytest.mark.skipif(bool(why), reason=why or "all is there")]


@contextmanager
def served(**options: Any) -> Iterator[str]:
    """The address of a server with the author's key `KEY`."""
    sock = listening_socket("127.0.0.1", 0)
    server = uvicorn.Server(server_config(make_app(Site(KEY, **options))))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield server_url(sock)
    finally:
        server.should_exit = True
        thread.join(10)
        sock.close()


@contextmanager
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        yield opened
        opened.close()


def asked(where: str, path: str, body: object = None, key: str = KEY) -> Any:
    """JSON of the server, with the author's key."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        where + path, data, {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def play(page: Page, moves: int) -> None:
    """Take so many options, so that there is something to see; fewer if the game is over before."""
    for _ in range(moves):
        page.wait_for_selector(".table.mine .choices button, .prompt.over")
        if page.query_selector(".prompt.over"):
            return
        before = page.get_attribute(".table", "data-moves")
        choices = page.locator(".choices button")
        choices.nth(min(1, choices.count() - 1)).click()
        for _ in range(20):  # of many options the click may only have opened one family
            page.wait_for_timeout(20)
            if page.get_attribute(".table", "data-moves") != before:
                break


@dataclass(frozen=True, slots=True)
class Shown:
    """A table on a page, with the viewer at its first seat."""

    page: Page

    def play(self, moves: int) -> None:
        """Take so many options."""
        play(self.page, moves)


@contextmanager
def playing(opened: Browser, where: str, game: str, lang: str = "en", **options: object) -> Iterator[Shown]:
    """A new game with these options, of one player and up to three bots, who answer at once."""
    low, high = next(one["players"] for one in asked(where, "/api/games") if one["game"] == game)
    seats = ["you", *["random"] * (max(low, min(high, 4)) - 1)]
    made = asked(where, "/api/rooms", {"game": game, "seats": seats, "seed": 3, "speed": 0, "options": options})
    context = opened.new_context(viewport={"width": 1280, "height": 800}, locale=lang)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{where}/table/{made['room']}#seat={made['token']}")
    yield Shown(page)
    context.close()


def pictures(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
