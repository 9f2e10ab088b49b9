"""Starts a server, and returns its address."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette

from rulelang.apps.studio.limits import LONGEST_HEAD, Door, protocols
from rulelang.apps.studio.reading import LARGEST
from rulelang.apps.studio.site import Site, check_built

#: Connections that are taken in one go: the limits of `Door` are checked after each.
BACKLOG = 128


def listening(address: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0 is any that is free. OSError if the address cannot be used."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(1024)
    except OSError:
        sock.close()
        raise
    return sock


def url(sock: socket.socket, name: str = "") -> str:
    """Return the address of the server, as a browser on this machine calls it, or by a `name`."""
    address, port = sock.getsockname()[:2]
    host = name or address
    if not name and ipaddress.ip_address(address).is_unspecified:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def settings(app: Starlette, door: Door | None = None) -> uvicorn.Config:
    """Return how a server is run."""
    http, socket = protocols(door or Door())
    made = uvicorn.Config(
        app, log_level="warning", access_log=False, http=http, ws=socket, ws_max_size=LARGEST, lifespan="on",
        timeout_graceful_shutdown=2, ws_per_message_deflate=False, h11_max_incomplete_event_size=LONGEST_HEAD,
        backlog=BACKLOG,
    )  # fmt: skip
    logging.getLogger("uvicorn.error").addFilter(ours)
    return made


def ours(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn is about this program. With the others, anybody who sends junk would fill the disk."""
    return not record.getMessage().startswith(("Invalid HTTP", "Invalid UTF-8", "Unsupported upgrade"))


def serve(app: Starlette, site: Site, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until somebody ends it. NotBuilt if the pages are not there."""
    check_built(site.static)
    ready()
    uvicorn.Server(settings(app)).run(sockets=[sock])
