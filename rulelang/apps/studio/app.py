"""The server as an ASGI application: pages, what the workshop asks for, rooms with their tables."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from rulelang.apps.studio.guard import Guard
from rulelang.apps.studio.limits import Limited
from rulelang.apps.studio.site import Site
from rulelang.apps.studio.tables.hub import Hub, of_folder, shipped
from rulelang.apps.studio.tables.routes import routes as tables
from rulelang.apps.studio.tables.spec import Spec
from rulelang.apps.studio.tables.store import Store
from rulelang.apps.studio.workshop.routes import routes as workshop
from rulelang.runtime.program import soonest

#: When circles of objects are looked for, as `gc.set_threshold` takes it: often among those that are new, which takes
#: some 10 to 20 ms while nobody is answered, and after ten million more among the others, for a second or two where
#: there are hundreds of tables. Documents have no circles.
COLLECTED = (2_000, 5_000, 2)


def make_app(site: Site) -> Starlette:
    """The whole server. Without a bundle it answers, but has no pages."""
    if site.game:
        offered = {site.game: Spec(site.game, site.mods, site.mode)}
    else:
        own = of_folder(site.folder) if site.folder else {}
        offered = {**own, **shipped(), **own}  # first in the list, and itself where a shipped one has its name
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
