"""Bring games to the browser: `rulelang studio`, `host` and `export`."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import (
    Command,
    default_players,
    load_game,
    parse_options,
    table_options,
    takes_backend,
    takes_mode,
    takes_mods,
    takes_options,
    takes_players,
)
from rulelang.apps.cli.screen import CannotRun, is_not_installed, say

# ---- Serve pages

#: Third-party modules of the extra.
INSTALL_STUDIO = ("starlette", "uvicorn", "websockets")


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


def serve_site(
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
        if not is_not_installed(problem, *INSTALL_STUDIO):
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


# ---- `studio`


@click.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path))
@takes_address
def studio(folder: Path, address: str, port: int, names: tuple[str, ...], browser: bool) -> None:
    """Edit, play and balance a game in the browser.

    Unless you choose another --address, only your computer can reach the server, and only with the key in the
    address. The server reads and writes only files in FOLDER.
    """
    serve_site(address, port, names, browser, folder=folder.resolve(), path="/")


# ---- `host`


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods()
@takes_mode()
@takes_backend()
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE", help="Save all tables and moves in this file. (default: ID.tables in the current folder)",
)  # fmt: skip
@takes_address
def host(
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    backend: str,
    keep: Path | None,
    address: str,
    port: int,
    names: tuple[str, ...],
    browser: bool,
) -> None:
    """Let friends join a game in their browsers.

    Prints an address. Open it to create tables, and send your friends a link to their table. Bots fill empty seats.
    With `--address 0.0.0.0`, other computers can connect. All games are saved, and continue when you restart the
    server.
    """
    loaded = load_game(game, mods, mode)
    serve_site(
        address, port, names, browser, path="/table", game=game, mods=mods, mode=mode,
        backend=backend, kept=keep or Path(f"{loaded.id}.tables"),
    )  # fmt: skip


# ---- `export`


@click.group()
def export() -> None:
    """Build a game for browsers (WebAssembly)."""


@export.command()
@click.argument("game", shell_complete=completion.games)
@click.option(
    "--output", "-o", metavar="DIR", required=True, type=click.Path(file_okay=False, path_type=Path),
    help="Write the files to this folder, and create it if it does not exist.",
)  # fmt: skip
@takes_players()
@takes_options(short=False)  # `-o` is the folder
@takes_mods()
@takes_mode()
def wasm(
    game: str, output: Path, players: int | None, options: tuple[str, ...], mods: tuple[str, ...], mode: str | None
) -> None:  # fmt: skip
    """Build a game for browsers and Node, as WebAssembly.

    Writes rules.wasm, table.json, and the wrapper rulelang.mjs with its types, rulelang.d.ts. A page needs only these
    files: it imports the wrapper and plays. To build them, install the package ziglang (`pip install
    'rulelang[zig]'`).
    """
    from rulelang.compiler.backends.wasm.export import export as written
    from rulelang.compiler.compilation import Compilation

    loaded = load_game(game, mods, mode)
    seats = default_players(loaded) if players is None else players
    chosen = table_options(loaded, seats, parse_options(options))
    module = Compilation(game, mods, mode).ready(seats, chosen, target="native")
    about = {
        "game": loaded.info.id, "title": loaded.title, "version": loaded.info.version, "content": loaded.info.content,
        "players": seats, "options": chosen,
    }  # fmt: skip
    for path in written(module, about, output):
        say(f"{path}  {path.stat().st_size / 1024:,.0f} KB")
