"""How many connections a server holds, how long a request may take to arrive, and how large it may be.

A connection costs a file descriptor, of which a process has some 1,000. Until a connection has shown a key it may be
anybody's, so those without one get a small part of them: when too many wait, the oldest of the address that has most is
closed, and there is always a place for the next. Connections with a key are counted by it (`tables.routes`), and those
that only look on get half of the descriptors at most: a person with a seat finds a place.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import Counter
from typing import Any, cast

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rulelang.apps.studio.guard import HEADERS
from rulelang.apps.studio.reading import LARGEST

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
        if len(of_address) > (most if _here(ticket.address) else min(most, OF_ADDRESS)):
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


def _here(address: str) -> bool:
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


def protocols(door: Door) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
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
