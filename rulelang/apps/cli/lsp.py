"""`rulelang lsp`: the language server that editors start."""

from __future__ import annotations

import click

from rulelang.apps.cli.reporting import version
from rulelang.apps.cli.screen import CannotRun, not_installed


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
        from rulelang.apps.editor.server import make
    except ImportError as problem:
        if not not_installed(problem, "pygls", "lsprotocol"):
            raise
        raise CannotRun("the language server needs pygls; install it with: pip install 'rulelang[editor]'") from None
    server = make(version())
    if tcp:
        server.start_tcp(host, port)
    elif ws:
        server.start_ws(host, port)
    else:
        server.start_io()
