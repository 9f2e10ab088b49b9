"""The server as an ASGI application (pages, workshop, rooms with tables), and how it starts."""

from __future__ import annotations

import gc
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from html import escape

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from rulelang.apps.studio.guard import (
    LARGEST,
    LONGEST_HEAD,
    Door,
    Guard,
    Limited,
    Site,
    check_built,
    connection_protocols,
)
from rulelang.apps.studio.tables.hub import Hub, folder_game, shipped_games
from rulelang.apps.studio.tables.routes import table_routes as tables
from rulelang.apps.studio.tables.setup import Spec
from rulelang.apps.studio.tables.store import Store
from rulelang.apps.studio.workshop.routes import workshop_routes as workshop
from rulelang.runtime.program import soonest

# ---- the application

#: When circles of objects are looked for, as `gc.set_threshold` takes it: often among those that are new, which takes
#: some 10 to 20 ms while nobody is answered, and after ten million more among the others, for a second or two where
#: there are hundreds of tables. Documents have no circles.
COLLECTED = (2_000, 5_000, 2)


def make_app(site: Site) -> Starlette:
    """The whole server. Without a bundle it answers, but has no pages."""
    if site.game:
        offered = {site.game: Spec(site.game, site.mods, site.mode)}
    else:
        own = folder_game(site.folder) if site.folder else {}
        offered = {**own, **shipped_games(), **own}  # first in the list, and itself where a shipped one has its name
    # An author waits for one game, after each change of it; many tables of a host play one game for long.
    hub = Hub(Store(site.kept), offered, site.backend if site.game else soonest(site.backend))
    hub.restore()

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        usual = gc.get_threshold()
        gc.set_threshold(*COLLECTED)
        hub.start()
        yield
        await hub.close()
        gc.set_threshold(*usual)

    async def page(request: Request) -> Response:
        """The page of every address that people see: the browser draws what its path says."""
        text = (site.static / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(text.replace("{{nonce}}", escape(request.state.nonce)))

    async def about(request: Request) -> Response:
        return JSONResponse({"folder": str(site.folder) if site.folder else None})

    routes: list[BaseRoute] = [
        Route("/", page),
        Route("/table", page),
        Route("/table/{rest:path}", page),
        Mount("/static", StaticFiles(directory=site.static, check_dir=False)),
        Route("/api/about", about),
        *tables(site, hub),
    ]
    if site.folder is not None:
        routes.append(Mount("/api/workshop", routes=workshop(site, site.folder)))
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Limited), Middleware(Guard, site=site), Middleware(GZipMiddleware)],
        lifespan=running,
    )
    app.state.hub = hub
    return app


# ---- start a server

#: Connections that are taken in one go: the limits of `Door` are checked after each.
BACKLOG = 128


def listening_socket(address: str, port: int) -> socket.socket:
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


def server_url(sock: socket.socket, name: str = "") -> str:
    """Return the address of the server, as a browser on this machine calls it, or by a `name`."""
    address, port = sock.getsockname()[:2]
    host = name or address
    if not name and ipaddress.ip_address(address).is_unspecified:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def server_config(app: Starlette, door: Door | None = None) -> uvicorn.Config:
    """Return how a server is run."""
    http, socket = connection_protocols(door or Door())
    made = uvicorn.Config(
        app, log_level="warning", access_log=False, http=http, ws=socket, ws_max_size=LARGEST, lifespan="on",
        timeout_graceful_shutdown=2, ws_per_message_deflate=False, h11_max_incomplete_event_size=LONGEST_HEAD,
        backlog=BACKLOG,
    )  # fmt: skip
    logging.getLogger("uvicorn.error").addFilter(is_own_record)
    return made


def is_own_record(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn is about this program. With the others, anybody who sends junk would fill the disk."""
    return not record.getMessage().startswith(("Invalid HTTP", "Invalid UTF-8", "Unsupported upgrade"))


def serve(app: Starlette, site: Site, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until somebody ends it. NotBuilt if the pages are not there."""
    check_built(site.static)
    ready()
    uvicorn.Server(server_config(app)).run(sockets=[sock])
