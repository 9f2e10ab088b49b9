"""`rulelang host`: tables for friends."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.cli import completing
from rulelang.cli.browsing import run_site, takes_address
from rulelang.cli.mods import takes_mods
from rulelang.cli.tables import load_game, takes_backend


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option("--mode", shell_complete=completing.modes, help="Play it in this mode.")
@takes_backend()
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path),
    help="The file that keeps all tables and decisions. (default: ID.tables, here)",
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
    """Let friends play a GAME in their browsers, with bots on the seats that are left.

    Tables are opened at the address that is shown, each with a link to invite others by. With `--address 0.0.0.0` other
    machines reach it. All games are there again when it is started again, whatever ended it.
    """
    loaded = load_game(game, mods, mode)
    run_site(
        address, port, names, browser, path="/table", game=game, mods=mods, mode=mode,
        backend=backend, kept=keep or Path(f"{loaded.id}.tables"),
    )  # fmt: skip
