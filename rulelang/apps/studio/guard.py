"""What the server lets in: hosts and origins, keys, number of connections, and size and depth of JSON."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import re
import secrets
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

# ---- settings of a server

#: Where the bundle of the pages lies: `make studio` writes it, and the wheel has it.
STATIC = Path(__file__).parent / "static"


class NotBuilt(Exception):
    """The pages are not there; the text says which command makes them."""


@dataclass(frozen=True, slots=True)
class Site:
    """`key` lets its author in, who has the address with it; `names` are those by which a browser may call the server,
    beside addresses of numbers and `localhost`. `folder`: what the workshop may read and write, if there is one. `game`
    with `mods` and a `mode`: the only one of which there are tables; else there are those of the folder and the shipped
    ones. `kept`: the file of rooms and decisions; None keeps them as long as the server runs."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    names: frozenset[str] = frozenset()
    folder: Path | None = None
    game: str = ""
    mods: tuple[str, ...] = ()
    mode: str | None = None
    kept: Path | None = None
    backend: str = "python"
    static: Path = field(default_factory=lambda: STATIC)

    def is_key(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.key.encode())


def check_built(static: Path) -> None:
    """NotBuilt if there is no bundle."""
    if not (static / "index.html").is_file():
        raise NotBuilt("the studio is not built yet; in a clone of rulelang, run `make studio` (it needs Node and npm)")


# ---- JSON

#: Bytes of a request, lists in lists, and bits of a number.
LARGEST, DEEPEST, WIDEST = 4 * 1024 * 1024, 64, 63


class NotJson(ValueError):
    """A text that is not JSON, or has values that are not accepted; the text says which."""


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text. NotJson for numbers without end or of more than 64 bits, for halves of a
    character (lone surrogates) and for lists that are nested deeper than any request is."""
    try:
        found = json.loads(text, parse_constant=_refused, parse_int=_whole)
    except RecursionError:
        raise NotJson("it has too many levels of nesting") from None
    except NotJson:
        raise
    except ValueError:
        raise NotJson("it is not JSON") from None
    _check(found)
    return found


def _refused(name: str) -> NoReturn:
    raise NotJson(f"{name} is not a JSON number")


def _whole(digits: str) -> int:
    if len(digits) > 20 or abs(number := int(digits)) >> WIDEST:
        raise NotJson(f"it has a number with {len(digits)} digits")
    return number


def _check(found: Any) -> None:
    """NotJson for a value that is too deep or has half of a character in a text."""
    level, depth = [found], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise NotJson("it has too many levels of nesting")
        below: list[Any] = []
        for value in level:
            if isinstance(value, str):
                try:
                    value.encode()
                except UnicodeEncodeError:
                    raise NotJson("it has an incomplete character") from None
            elif isinstance(value, list):
                below += value
            elif isinstance(value, dict):
                below += value
                below += value.values()
        level = below


async def json_body(request: Request) -> dict[str, Any]:
    """Return the map that a request has as its body. HTTPException, 400, if it has none."""
    try:
        found = parse_json(await request.body())
    except NotJson as problem:
        raise HTTPException(400, f"this request cannot be read: {problem}") from None
    if not isinstance(found, dict):
        raise HTTPException(400, "this request cannot be read: expected a JSON object")
    return found


# ---- origins and keys

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


def content_security_policy(host: str, nonce: str) -> str:
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
            await refuse_request(scope, receive, send, *why)
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
                headers["Content-Security-Policy"] = content_security_policy(host, nonce)
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


async def refuse_request(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "http":
        await PlainTextResponse(f"{why}\n", status, HEADERS)(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 4000 + status, "reason": why})


# ---- connections and sizes

if sys.platform != "win32":
    import resource

#: Descriptors that are not for connections: files, the pages that are sent, processes of language servers.
APART = 128
#: Connections without a key that wait at once, at most, and of one address of another machine.
STRANGERS, OF_ADDRESS = 256, 64
#: Seconds within which the head of a request, and all of it, has to be there.
HEAD, WHOLE = 10.0, 60.0
#: Bytes of the head of a request.
LONGEST_HEAD = 16 * 1024
#: Bytes of a message to a table: an answer has some 100.
LONGEST_SAID = 64 * 1024
#: What the largest message of a connection is called in different versions of websockets.
SIZE = ("max_message_size", "max_size")


class Ticket:
    """The place of one connection. `known`: it has shown a key."""

    def __init__(self, door: Door, transport: asyncio.Transport) -> None:
        self.door, self.transport = door, transport
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        self.known = self.onlooker = False

    def admit(self, *, onlooker: bool = False) -> bool:
        """Take the connection out of those that may be closed for others; False if it looks on, and too many do."""
        if onlooker and self.door.onlookers >= self.door.capacity // 2:
            return False
        if not self.known:
            self.known = True
            self.door.strangers.pop(self, None)
        if onlooker and not self.onlooker:
            self.onlooker = True
            self.door.onlookers += 1
        return True


class Door:
    """The connections of one server."""

    def __init__(self, capacity: int | None = None) -> None:
        self.capacity = _capacity() if capacity is None else capacity
        self.strangers: dict[Ticket, None] = {}  # the oldest first
        self.onlookers = 0
        self.tickets: dict[asyncio.Transport, Ticket] = {}

    def enter(self, transport: asyncio.Transport) -> Ticket:
        """Give a new connection a place: the oldest of the strangers leaves, if there are too many."""
        ticket = self.tickets[transport] = Ticket(self, transport)
        self.strangers[ticket] = None
        most = min(STRANGERS, self.capacity // 4)
        of_address = [one for one in self.strangers if one.address == ticket.address]
        if len(of_address) > (most if _is_local(ticket.address) else min(most, OF_ADDRESS)):
            self.turn_out(of_address[0])
        elif len(self.strangers) > most:
            busiest = Counter(one.address for one in self.strangers).most_common(1)[0][0]
            self.turn_out(next(one for one in self.strangers if one.address == busiest))
        elif len(self.tickets) > self.capacity:
            self.turn_out(ticket)
        return ticket

    def turn_out(self, ticket: Ticket) -> None:
        self.strangers.pop(ticket, None)
        ticket.transport.abort()

    def leave(self, transport: asyncio.Transport | None) -> None:
        """Give up the place of a connection that has ended."""
        ticket = self.tickets.pop(transport, None) if transport is not None else None
        if ticket is not None:
            self.strangers.pop(ticket, None)
            self.onlookers -= ticket.onlooker


def _is_local(address: str) -> bool:
    """Whether an address is this machine's own, from which a proxy brings connections of everybody."""
    return address in ("", "::1") or address.startswith(("127.", "::ffff:127."))


def _capacity() -> int:
    """Return how many connections the process may have, with as many descriptors as it is allowed."""
    if sys.platform == "win32":
        return 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    soft = wanted if soft == resource.RLIM_INFINITY else soft
    return max(soft - APART, 32)


def connection_protocols(door: Door) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Return the classes that speak HTTP and WebSocket on the connections of a door."""

    class Http(H11Protocol):
        timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(cast(asyncio.Transport, transport))
            self.app_state = {**self.app_state, "ticket": door.enter(self.transport)}
            self.expect(HEAD)

        def connection_lost(self, exc: Exception | None) -> None:
            self.expect(None)
            door.leave(self.transport)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            fresh = self.theirs() == "IDLE"
            super().data_received(data)
            state = self.theirs()
            if state == "SEND_BODY":
                if fresh:
                    self.expect(WHOLE)
            elif state != "IDLE" or not self.conn.trailing_data[0]:
                self.expect(None)  # it is all there; between two requests uvicorn waits
            elif self.timer is None:
                self.expect(HEAD)

        def theirs(self) -> str:
            """Return what h11 expects of the other side: "IDLE" until the head of a request is there."""
            return self.conn.their_state.__name__

        def expect(self, seconds: float | None) -> None:
            """Close the connection unless what is under way has arrived within so many seconds."""
            if self.timer is not None:
                self.timer.cancel()
            self.timer = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

        def handle_websocket_upgrade(self, event: Any) -> None:
            self.expect(None)
            super().handle_websocket_upgrade(event)

    class Socket(WebSocketsSansIOProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self.transport)
            super().connection_lost(exc)

        def handle_connect(self, event: Any) -> None:
            if event.path.startswith("/rooms/"):
                for name in SIZE:
                    if hasattr(self.conn, name):
                        setattr(self.conn, name, LONGEST_SAID)
            super().handle_connect(event)

    return Http, Socket


class Limited:
    """Refuses requests whose head or body is too large: at once if the head says so, else once the limit is passed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if sum(len(name) + len(value) + 4 for name, value in headers.raw) > LONGEST_HEAD:
            await too_large(scope, receive, send, 431, f"the head of a request may have at most {LONGEST_HEAD} bytes")
        elif not length.isdecimal() or len(length) > 12 or int(length) > LARGEST:
            await too_large(scope, receive, send)
        else:
            await self.counted(scope, receive, send)

    async def counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, and count the bytes of its body."""
        heard, begun = 0, False

        async def counting() -> Message:
            nonlocal heard
            message = await receive()
            heard += len(message.get("body", b""))
            if heard > LARGEST:
                raise TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, counting, noted)
        except TooLarge:
            if not begun:
                await too_large(scope, receive, send)


class TooLarge(Exception):
    """The body of a request goes beyond the limit."""


async def too_large(
    scope: Scope,
    receive: Receive,
    send: Send,
    status: int = 413,
    why: str = f"requests may have at most {LARGEST} bytes",
) -> None:
    """Refuse a request, and end its connection: the rest is not read."""
    await PlainTextResponse(f"{why}\n", status, {**HEADERS, "Connection": "close"})(scope, receive, send)
