"""Serve text editors: `rulelang lsp` and `rulelang schema`."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import takes_mods, version
from rulelang.apps.cli.screen import (
    FAILED,
    FINE,
    MISTAKES,
    CannotRun,
    counted,
    found_nothing,
    is_not_installed,
    say,
    show_frames,
)

# ---- `lsp`


@click.command()
@click.option("--tcp", is_flag=True, help="Listen on a TCP port instead of standard input.")
@click.option("--ws", is_flag=True, help="Listen for WebSockets.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Listen on this address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=2087,
    show_default=True,
    metavar="PORT",
    help="Listen on this port.",
)
@click.option("--stdio", is_flag=True, help="Use standard input and output. (this is the default)")
def lsp(tcp: bool, ws: bool, host: str, port: int, stdio: bool) -> None:
    """Start the language server.

    Your editor starts the server; to set that up, see `rulelang explain editors`. As you type, the server shows
    errors and completes names, for all games and mods in the open folders.
    """
    if tcp + ws + stdio > 1:
        raise CannotRun("choose only one of --stdio, --tcp and --ws")
    try:
        from rulelang.apps.editor.server import make_server
    except ImportError as problem:
        if not is_not_installed(problem, "pygls", "lsprotocol"):
            raise
        raise CannotRun("the language server needs pygls; install it with: pip install 'rulelang[editor]'") from None
    server = make_server(version())
    if tcp:
        server.start_tcp(host, port)
    elif ws:
        server.start_ws(host, port)
    else:
        server.start_io()


# ---- `schema`


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods()
@click.option("--to", "to", type=click.Path(path_type=Path), default="schemas", show_default=True,
              metavar="FOLDER", help="Write to this folder.")  # fmt: skip
@click.option("--point", is_flag=True, help="At the top of each YAML file in GAME, add a line that names its schema.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a schema is out of date.")
@click.pass_context
def schema(ctx: click.Context, game: str, mods: tuple[str, ...], to: Path, point: bool, only_check: bool) -> None:
    """Write JSON Schemas for YAML editors.

    The schemas contain the traits, columns, options and phases of the GAME and its MODS. Editors with
    yaml-language-server use the schemas to complete and check files as you type.
    """
    from rulelang.apps.editor.json_schemas import (
        files_with_pointers,
        game_schemas,
        read_game_names,
        schema_files,
        stale_files,
    )
    from rulelang.data.ruleset import read_affected_texts

    names, mistakes = read_game_names(game, mods)
    if names is None:
        found = mistakes.sorted()
        show_frames(found, read_affected_texts(mistakes))
        ctx.exit(FAILED if found_nothing(found) else MISTAKES)
    files = schema_files(names.id, game_schemas(names), to)
    if point:
        if not Path(game).is_dir():
            raise CannotRun(f"`{game}` is not a folder, so --point cannot change its files; give the game's folder")
        files |= files_with_pointers(Path(game), names.id, to)
    old = stale_files(files)
    if only_check:
        for path in old:
            say(f"{path} is out of date")
        where = f" --to {to}" if str(to) != "schemas" else ""
        if old:
            say(f"run `rulelang schema {' '.join((game, *mods))}{where}{' --point' if point else ''}`")
        ctx.exit(MISTAKES if old else FINE)
    for path in old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
        say(f"written: {path}")
    say(f"{counted(len(files), 'file')}, {len(old)} of them new or changed")
