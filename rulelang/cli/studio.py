"""`rulelang studio`: the page to write a game on, with its table."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.cli.browsing import run_site, takes_address


@click.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path))
@takes_address
def studio(folder: Path, address: str, port: int, names: tuple[str, ...], browser: bool) -> None:
    """Open the studio in a browser: write, play and weigh the game in FOLDER.

    Only this machine can reach it, unless another address is asked for, and only with the key in the address that is
    shown. Nothing outside of FOLDER is read or written by the page.
    """
    run_site(address, port, names, browser, folder=folder.resolve(), path="/")
