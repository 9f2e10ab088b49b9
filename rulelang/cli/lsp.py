"""`rulelang lsp`: the language server that editors start."""

from __future__ import annotations

import click

from rulelang.cli.reporting import version
from rulelang.cli.screen import CannotRun


@click.command()
@click.option("--tcp", is_flag=True, help="Listen at a port instead of reading standard input.")
@click.option("--ws", is_flag=True, help="Listen for WebSockets at a port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=2087, show_default=True, help="The port to listen at.")
@click.option("--stdio", is_flag=True, help="Talk by standard input and output. This is what it does anyway.")
def lsp(tcp: bool, ws: bool, host: str, port: int, stdio: bool) -> None:
    """Serve an editor: mistakes while typing, names, completion and more, for games and mods in its folders.

    Editors start it themselves; `docs/editors.md` says how each is told to.
    """
    if tcp + ws + stdio > 1:
        raise CannotRun("one of --stdio, --tcp and --ws, not several")
    try:
        from rulelang.editor.server import make
    except ImportError as problem:
        if problem.name is None or problem.name.split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise CannotRun("the language server needs pygls; install it with: pip install 'rulelang[editor]'") from None
    server = make(version())
    if tcp:
        server.start_tcp(host, port)
    elif ws:
        server.start_ws(host, port)
    else:
        server.start_io()
