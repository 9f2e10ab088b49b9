"""A server with the real pages, and a browser that looks at them."""

from __future__ import annotations

import json
import shutil
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, expect, sync_playwright

from rulelang.studio.app import make_app
from rulelang.studio.serving import listening, settings, url
from rulelang.studio.site import STATIC, Site
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


@contextmanager
def served(**options: Any) -> Iterator[str]:
    """The address of a server with the author's key `KEY`."""
    sock = listening("127.0.0.1", 0)
    server = uvicorn.Server(settings(make_app(Site(KEY, **options))))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield url(sock)
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


def asked(where: str, path: str, body: object = None) -> Any:
    """JSON of the server, with the author's key."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        where + path, data, {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def pictures(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
