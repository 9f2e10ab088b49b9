"""Commands that serve pages: where they listen, what they print, the browser."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli.mods import Command
from rulelang.apps.cli.screen import CannotRun, not_installed, say

#: Third-party modules of the extra.
NEEDED = ("starlette", "uvicorn", "websockets")


def takes_address(command: Command) -> Command:
    """A command that takes where a server listens: `address`, `port`, `names`, and whether to open the `browser`."""
    for option in (
        click.option(
            "--browser/--no-browser",
            default=True,
            help="Choose whether to open a browser or only print the address.",
        ),
        click.option(
            "--name", "names", multiple=True, metavar="NAME",
            help="Accept this host name in addition to localhost and IP addresses.",
        ),
        click.option(
            "--port",
            metavar="PORT", type=click.IntRange(0, 65535), default=8640, show_default=True,
            help="Listen on this port; 0 picks a free one.",
        ),
        click.option(
            "--address",
            metavar="ADDRESS", default="127.0.0.1", show_default=True,
            help="Listen on this address; 0.0.0.0 lets other computers connect.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def run_site(
    address: str, port: int, names: tuple[str, ...], browser: bool, *, path: str, folder: Path | None = None,
    game: str = "", mods: tuple[str, ...] = (), mode: str | None = None, kept: Path | None = None,
    backend: str = "python",
) -> None:  # fmt: skip
    """Serve a site until somebody ends it; see `rulelang.apps.studio.guard`."""
    try:
        from rulelang.apps.studio import app
        from rulelang.apps.studio.guard import NotBuilt, Site, check_built
        from rulelang.apps.studio.tables.store import Unusable
    except ImportError as problem:
        if not not_installed(problem, *NEEDED):
            raise
        raise CannotRun(
            "the studio needs Starlette and uvicorn; install them with: pip install 'rulelang[studio]'"
        ) from None
    site = Site(
        names=frozenset(name.casefold() for name in names), folder=folder, game=game, mods=mods, mode=mode, kept=kept,
        backend=backend,
    )  # fmt: skip
    try:
        sock = app.listening_socket(address, port)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CannotRun(f"cannot listen on {address}, port {port}: {why}; `--port 0` picks a free port") from None
    where = f"{app.server_url(sock, names[0] if names else '')}{path}#key={site.key}"

    def ready() -> None:
        for trouble in served.state.hub.troubles:
            say(f"Not opened: {trouble}.", err=True)
        say(f"{'The studio is' if folder else 'The tables are'} at {where}")
        say("Anyone with this address has the same access as you. Press Ctrl+C to stop.")
        if browser:
            click.launch(where)

    try:
        check_built(site.static)
        served = app.make_app(site)
        app.serve(served, site, sock, ready)
    except (NotBuilt, Unusable) as problem:
        raise CannotRun(str(problem)) from None
    finally:
        sock.close()
