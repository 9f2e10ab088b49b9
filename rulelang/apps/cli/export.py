"""`rulelang export`: a game as files that run without Python."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode, takes_players
from rulelang.apps.cli.screen import say
from rulelang.apps.cli.tables import check_table, load_game, options_of, takes_options, usual_players


@click.group()
def export() -> None:
    """Build a game for browsers (WebAssembly)."""


@export.command()
@click.argument("game", shell_complete=completing.games)
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
    seats = usual_players(loaded) if players is None else players
    chosen = check_table(loaded, seats, options_of(options))
    module = Compilation(game, mods, mode).ready(seats, chosen, target="native")
    about = {
        "game": loaded.info.id, "title": loaded.title, "version": loaded.info.version, "content": loaded.info.content,
        "players": seats, "options": chosen,
    }  # fmt: skip
    for path in written(module, about, output):
        say(f"{path}  {path.stat().st_size / 1024:,.0f} KB")
