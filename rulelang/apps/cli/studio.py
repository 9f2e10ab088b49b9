"""`rulelang studio`: the page to write a game on, with its table."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli.browsing import run_site, takes_address


@click.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path))
@takes_address
def studio(folder: Path, address: str, port: int, names: tuple[str, ...], browser: bool) -> None:
    """Edit, play and balance a game in the browser.

    Unless you choose another --address, only your computer can reach the server, and only with the key in the
    address. The server reads and writes only files in FOLDER.
    """
    run_site(address, port, names, browser, folder=folder.resolve(), path="/")
