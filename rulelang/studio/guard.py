"""Who is let in at all: no other site drives this server, and no name that was made to point at it (DNS rebinding).

A browser sends along where a page came from (`Origin`) and by which name it calls the server (`Host`). Names are those
of the site, `localhost` and addresses of numbers, which no DNS server can make point elsewhere. There are no cookies:
what may be done needs a key, which pages send themselves, so a request that another page has the browser make has none.
"""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulelang.studio.site import Site

#: A page of a WebSocket says its key as a protocol of this name: browsers let it say nothing else.
PROTOCOL, KEY = "rulelang", "key."

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def policy(host: str, nonce: str) -> str:
    """What a page may load and ask: from here, and from nowhere else."""
    return "; ".join((
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' 'nonce-{nonce}'",
        "img-src 'self' data:",
        "font-src 'self'",
        f"connect-src 'self' ws://{host} wss://{host}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ))  # fmt: skip


class Guard:
    """Lets pass what comes from this server's own pages and from programs, and asks for the author's key under
    `/api/`. What is below `/rooms/` looks at the keys of seats itself."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app, self.site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        why = self.refusal(scope)
        if why:
            await refuse(scope, receive, send, *why)
            return
        if scope["type"] == "websocket":  # what is said there has no headers
            await self.app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(12)
        scope.setdefault("state", {})["nonce"] = nonce
        host = Headers(scope=scope).get("host", "")

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = policy(host, nonce)
                if "cache-control" not in headers:
                    headers["Cache-Control"] = "no-cache"
            await send(message)

        await self.app(scope, receive, headed)

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason, if a request is not let in."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self.known(host):
            return 421, "this server is not called so; `--name` gives it another name"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.casefold() != host.casefold():
            return 403, "this comes from a page of another site"
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            return 403, "this comes from a page of another site"
        if scope["path"].startswith("/api/") and not self.site.is_key(key_of(HTTPConnection(scope))):
            return 401, "this needs the key in the address that the terminal showed"
        return None

    def known(self, host: str) -> bool:
        try:
            parts = urlsplit(f"//{host}")
            name = parts.hostname or "" if parts.netloc == host and "@" not in host else ""
        except ValueError:
            return False
        if name == "localhost" or name in self.site.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def key_of(asked: HTTPConnection) -> str:
    """The key that a request or a WebSocket says; "" if none."""
    offered = [name.strip() for name in asked.headers.get("sec-websocket-protocol", "").split(",")]
    for name in offered:
        if name.startswith(KEY):
            return name.removeprefix(KEY)
    scheme, _, given = asked.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.casefold() == "bearer" else ""


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "http":
        await PlainTextResponse(f"{why}\n", status, HEADERS)(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 4000 + status, "reason": why})
