"""`rulelang host`: tables for friends."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.browsing import run_site, takes_address
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode
from rulelang.apps.cli.tables import load_game, takes_backend


@click.command()
@click.argument("game", shell_complete=completing.games)
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
    run_site(
        address, port, names, browser, path="/table", game=game, mods=mods, mode=mode,
        backend=backend, kept=keep or Path(f"{loaded.id}.tables"),
    )  # fmt: skip
