"""Which requests the server answers: none from pages of other sites, and none by a name that somebody made to point
here (DNS rebinding).

A browser sends where a page came from (`Origin`) and by which name it calls the server (`Host`). Accepted names are
those of the site, `localhost` and numeric addresses, which no DNS server can make point elsewhere. There are no
cookies: everything needs a key, which pages send themselves, so a request that another page triggers has none.
"""

from __future__ import annotations

import ipaddress
import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulelang.apps.studio.site import Site

#: A page sends the key of a WebSocket as a protocol of this name: browsers let it add nothing else.
PROTOCOL, KEY = "rulelang", "key."

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


#: A name or an address with a port, and nothing else: it is written into the Content-Security-Policy.
HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII)


def policy(host: str, nonce: str) -> str:
    """Return what a page may load and ask: from here, and from nowhere else. `host` has been checked."""
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
    """Passes on requests of this server's own pages and of programs, and demands the author's key under `/api/`.
    Handlers below `/rooms/` check the keys of seats themselves."""

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
        if scope["type"] == "websocket":  # its messages have no headers
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
        """Return status and reason, if a request is not answered."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self.known(host):
            return 421, "this server does not accept this host name; allow it with `--name`"
        origins = [origin.casefold() for origin in headers.getlist("origin")]
        own = host.casefold()
        if origins and origins not in ([f"http://{own}"], [f"https://{own}"]):
            return 403, "this request comes from a page of another site"
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            return 403, "this request comes from a page of another site"
        if scope["path"].startswith("/api/"):
            if not self.site.is_key(key_of(HTTPConnection(scope))):
                return 401, "this needs the key in the address shown in the terminal"
            ticket = scope.get("state", {}).get("ticket")
            if ticket is not None:
                ticket.admit()
        return None

    def known(self, host: str) -> bool:
        """Whether a `Host` is one of this server's."""
        found = HOST.fullmatch(host)
        if found is None or int(found["port"] or 0) > 65535:
            return False
        name = found["name"].strip("[]").casefold()
        if name == "localhost" or name in self.site.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def key_of(asked: HTTPConnection) -> str:
    """Return the key that comes with a request or a WebSocket; "" for none."""
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
