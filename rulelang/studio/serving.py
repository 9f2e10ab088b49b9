"""Starts a server, and says where it is."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette

from rulelang.studio.site import Site, check_built

#: The greatest message that a browser may send: an answer, or a file of the workshop.
LARGEST = 4 * 1024 * 1024


def listening(address: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any that is free. OSError where it cannot be."""
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
    """The address of the server, as a browser on this machine calls it, or by a `name`."""
    address, port = sock.getsockname()[:2]
    host = name or address
    if not name and ipaddress.ip_address(address).is_unspecified:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def settings(app: Starlette) -> uvicorn.Config:
    """How a server is run."""
    return uvicorn.Config(
        app, log_level="warning", access_log=False, ws="websockets-sansio", ws_max_size=LARGEST, lifespan="on",
        timeout_graceful_shutdown=2, ws_per_message_deflate=False,
    )  # fmt: skip


def serve(app: Starlette, site: Site, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until it is broken off. NotBuilt if the pages are not there."""
    check_built(site.static)
    ready()
    uvicorn.Server(settings(app)).run(sockets=[sock])
