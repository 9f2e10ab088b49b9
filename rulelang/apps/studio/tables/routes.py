"""What browsers ask of tables: rooms, seats and invitations by key, and why a move is not possible."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.apps.studio.guard import LONGEST_SAID, PROTOCOL, NotJson, Site, json_body, key_of, parse_json
from rulelang.apps.studio.tables.hub import Hub
from rulelang.apps.studio.tables.room import Guest, Room
from rulelang.apps.studio.tables.setup import BadRequest, Role, is_same_key
from rulelang.apps.studio.tables.store import CannotKeep
from rulelang.base.errors import RuleError
from rulelang.base.layout import ActionInfo
from rulelang.base.phrases import phrase
from rulelang.compiler.compilation import LoadError
from rulelang.presentation.view.appearance import picture_files
from rulelang.presentation.view.events import handles_by_id
from rulelang.presentation.view.look import GAME
from rulelang.runtime.decision import Refusal
from rulelang.runtime.state import State, packed_cells, packed_public_cells
from rulelang.runtime.why import MoveReader, move_reader

# ---- reasons against a move

#: How many ways to fill in the rest of an action are tried.
TRIED = 48

#: What it is: an action in words, and what forbids it.
Reasons = list[tuple[str, list[Refusal]]]

Part = tuple[str, int]


def reasons_against(state: State, seat: int, part: str, picked: Sequence[str]) -> Reasons:
    """Return, for each action that is offered and could be about such a part, what forbids it with all that was picked.

    The arguments that are still open are filled so that the fewest reasons remain. Like all reasons these depend only
    on what the seat knows. Empty for actions that nothing forbids, and for parts that nothing is done with.
    """
    if state.over or state.decider != seat or part == GAME:
        return []
    parts = handles_by_id(state, seat)
    if part not in parts:
        return []
    wanted = [*(parts[one] for one in picked if one in parts), parts[part]]
    now, public = packed_cells(state), packed_public_cells(state)
    site = state.table.site(now)
    reader = move_reader(state.table, state.names, now, None if public is now else public, seat)
    found: Reasons = []
    if site.kind == "choose":
        if not site.refuses:
            return []
        bound = state.table.program.told(state.words)
        tries = ((*bound, *args) for args in _filled(site.actions[0].types, wanted, parts))
        best = _least(reader, site.refuses, tries)
        return [("", best)] if best else []
    for action in {action.id: action for action in site.actions}.values():
        best = _least(reader, action.id, _arguments(reader, action, wanted, parts))
        if best:
            found.append((state.names.worded(action.name), best))
    return found


def _least(reader: MoveReader, routine: str, tries: Iterator[tuple[int, ...]]) -> list[Refusal]:
    """Return the fewest reasons against any of these; none if one of them is possible as far as the seat knows."""
    best: list[Refusal] | None = None
    for args in islice(tries, TRIED):
        found = reader.why(routine, args)
        if not found:
            return []
        if best is None or len(found) < len(best):
            best = found
    return best or []


def _arguments(
    reader: MoveReader, action: ActionInfo, wanted: Sequence[Part], parts: Mapping[str, Part]
) -> Iterator[tuple[int, ...]]:
    """Yield ways to fill an action. An argument that no player names is the card that brings the action to the next."""
    for said in _filled([kind for kind in action.types if kind], wanted, parts):
        rest = iter(said)
        full = [next(rest) if kind else 0 for kind in action.types]
        for place, kind in enumerate(action.types[1:]):
            if not action.types[place] and kind:
                full[place] = reader.bringer(action.source, kind, full[place + 1])
        yield tuple(full)


def _filled(types: Sequence[str], wanted: Sequence[Part], parts: Mapping[str, Part]) -> Iterator[tuple[int, ...]]:
    """All ways to fill places of these kinds so that all that is wanted stands in one of them."""
    for placed in _placed(types, list(wanted)):
        rest = [
            [handle] if handle is not None else [h for k, h in parts.values() if k == kind]
            for kind, handle in zip(types, placed, strict=True)
        ]
        yield from product(*rest)


def _placed(types: Sequence[str], wanted: list[Part]) -> Iterator[list[int | None]]:
    """The places in which what is wanted may stand."""
    if not wanted:
        yield [None] * len(types)
        return
    (kind, handle), *rest = wanted
    for placed in _placed(types, rest):
        for place, type_ in enumerate(types):
            if type_ == kind and placed[place] is None:
                yield [*placed[:place], handle, *placed[place + 1 :]]


# ---- routes

LOGGER = logging.getLogger(__name__)
#: Messages of a connection that are heard at once, and how many more in a second: the rest waits on its side.
BURST, RATE = 40.0, 20.0
#: Connections to one room by the key to look on, by the invitation, and by the key of a seat or the author's. Each is
#: counted apart: people who look on take no place from those who play.
MOST, MOST_INVITED, MOST_OWN = 250, 100, 16
#: The id of a message that cannot be read, for the page that waits for the answer.
ID = re.compile(r'"id"\s*:\s*(\d{1,15})\b')
NO_TABLE = "this table does not exist, or the invitation is for another table"


def table_routes(site: Site, hub: Hub) -> Sequence[BaseRoute]:
    """Everything of tables."""

    async def games(request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(hub.catalogue))

    async def rooms(request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse([room_outline(room) for room in hub.rooms.values()])
        try:
            room = await hub.open(await json_body(request))
        except (BadRequest, LoadError, RuleError) as problem:
            raise HTTPException(400, str(problem)) from None
        except CannotKeep as problem:
            raise HTTPException(507, str(problem)) from None
        setup = room.setup
        keys = {
            "token": setup.host,  # of the host's own seat
            "tokens": [one.token if one.kind == "person" else "" for one in setup.seats],
            "invite": setup.keys.invite,
            "watch": setup.keys.watch,
        }
        return JSONResponse({**room_outline(room), **keys})

    async def shut(request: Request) -> Response:
        room = hub.rooms.get(request.path_params["room"])
        if room is None:
            raise HTTPException(404, "this table does not exist")
        try:
            await hub.shut(room)
        except CannotKeep as problem:
            raise HTTPException(507, str(problem)) from None
        return JSONResponse(None)

    async def enter(socket: WebSocket) -> None:
        room = hub.rooms.get(socket.path_params["room"])
        given = key_of(socket)
        guest = Guest(room, given, "en", author=site.is_key(given)) if room else None
        await socket.accept(PROTOCOL)
        # A person without a key does not find out whether there is such a room.
        if room is None or guest is None or guest.role is None:
            await socket.close(4404, NO_TABLE)
            return
        ticket = getattr(socket.state, "ticket", None)
        role = guest.role
        most = MOST if role == Role() else MOST_INVITED if not role.seat and not role.host else MOST_OWN
        if room.visits[given] >= most or (ticket and not ticket.admit(onlooker=role == Role())):
            await socket.close(4429, "this table is full")
            return
        await Visit(hub, room, socket, guest).run()

    async def drawn(request: Request) -> Response:
        """Send a picture that the game's `look:` names, and no other file."""
        room = hub.rooms.get(request.path_params["room"])
        name = request.path_params["name"]
        if room is None or room.state is None or name not in picture_files(room.state.table):
            raise HTTPException(404, "this picture does not exist")
        found = await asyncio.to_thread(room.game.picture, name)
        if found is None:
            raise HTTPException(404, "this picture does not exist")
        return Response(found[0], media_type=found[1])

    return [
        Route("/api/games", games),
        Route("/api/rooms", rooms, methods=["GET", "POST"]),
        Route("/api/rooms/{room}", shut, methods=["DELETE"]),
        WebSocketRoute("/rooms/{room}", enter),
        Route("/rooms/{room}/pictures/{name:path}", drawn),
    ]


def room_outline(room: Room) -> dict[str, Any]:
    """A room in a list of them."""
    state = room.state
    return {
        "room": room.id,
        "title": room.game.title,
        "seats": [{"name": seat.name, "kind": seat.kind} for seat in room.seats],
        "begun": state is not None,
        "over": state is not None and state.over,
        "round": state.round if state is not None else 0,
    }


class Broken(Exception):
    """The news of a guest cannot be made."""


class SentAway(Exception):
    """The key of a connection has lost its seat."""


class Visit:
    """One connection from its beginning to its end: one task sends what is new, this one receives."""

    def __init__(self, hub: Hub, room: Room, socket: WebSocket, guest: Guest) -> None:
        self.hub, self.room, self.socket, self.guest = hub, room, socket, guest
        self.allowed, self.since = BURST, time.monotonic()

    async def run(self) -> None:
        teller: asyncio.Task[None] | None = None
        self.room.visits[self.guest.key] += 1
        try:
            while True:
                said = await self.hear()
                if self.guest.role is None:
                    raise SentAway
                if said.get("t") == "hello":
                    self.guest.lang = str(said.get("lang", "en"))[:16]
                    if teller is None:
                        teller = asyncio.create_task(self.tell())
                        self.room.come(self.guest)
                    self.room.telling.due(self.guest, soon=True)
                elif teller is not None:
                    await self.obey(said)
        except SentAway:
            await self.send_away()
        except (WebSocketDisconnect, RuntimeError):
            pass  # it is gone
        finally:
            self.room.visits -= Counter([self.guest.key])
            if teller is not None:
                teller.cancel()
                self.room.leave(self.guest)

    async def hear(self) -> Mapping[str, Any]:
        await self.paced()
        heard = await self.socket.receive()
        if heard["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(heard.get("code", 1000))
        text = heard.get("text") or ""
        if len(text) > LONGEST_SAID:
            await self.socket.close(1009)
            raise WebSocketDisconnect(1009)
        try:
            said = parse_json(text)
        except NotJson as problem:
            said = None
            number = ID.search(text)
            refused = f"this message cannot be read: {problem}"
            await self.say({"t": "no", "id": int(number[1]) if number else None, "text": refused})
        return said if isinstance(said, dict) else {}

    async def paced(self) -> None:
        """Wait if more messages come than a person can send: the following ones stay in the connection."""
        now = time.monotonic()
        self.allowed = min(self.allowed + (now - self.since) * RATE, BURST) - 1
        self.since = now
        if self.allowed < 0:
            await asyncio.sleep(-self.allowed / RATE)

    async def tell(self) -> None:
        guest = self.guest
        try:
            while True:
                await guest.wake.wait()
                guest.wake.clear()
                if self.room.closed:
                    language = guest.language()
                    await self.socket.close(4410, language.say("this table is closed"))
                    return
                if guest.role is None:
                    await self.send_away()
                    return
                await self.socket.send_text(self.news())
        except (WebSocketDisconnect, RuntimeError):
            pass
        except Broken:  # the page connects again and gets everything
            await self.socket.close(1011)

    async def send_away(self) -> None:
        """End a connection whose key has lost its seat."""
        language = self.guest.language()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.close(4403, language.say("this seat is no longer yours"))

    def news(self) -> str:
        """Return what is new to the guest, as it is sent. A mistake of this program goes to the log."""
        try:
            return message_text(self.guest.news())
        except Exception as mistake:
            LOGGER.exception("table %s: the news of a guest could not be made", self.room.id)
            raise Broken from mistake

    async def obey(self, said: Mapping[str, Any]) -> None:
        number = said.get("id")
        number = number if type(number) is int and abs(number) < 1 << 53 else None
        try:
            answer = await self.done(said)
        except (BadRequest, CannotKeep, RuleError) as problem:
            text = problem.said(self.guest.language()) if isinstance(problem, BadRequest) else str(problem)
            await self.say({"t": "no", "id": number, "text": text})
            return
        if number is not None:
            await self.say({"t": "done", "id": number, **answer})

    async def done(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a message asks for. The role is looked up under the lock: the seat may be somebody else's since the
        message was sent."""
        room, guest = self.room, self.guest
        match said.get("t"):
            case "why":
                return {"reasons": self.why(said)}
            case "about":
                return {"lines": guest.about()}
        async with room.lock:
            role = guest.role
            if role is None:
                raise SentAway
            match said.get("t"):
                case "play":
                    await room.answer(role.seat, _whole(said, "at"), _whole(said, "option"))
                case "undo":
                    await room.undo(role.seat)
                case "sit" if role.may_sit:
                    return {"token": await self.sit(_whole(said, "seat"), str(said.get("name", "")))}
                case "arrange" if role.host:
                    await room.arrange(_whole(said, "seat"), str(said.get("kind")), str(said.get("agent", "random")))
                case "pace" if role.host:
                    await room.pace(speed=_number(said.get("speed")), turn=_number(said.get("turn")))
                case "begin" if role.host:
                    await room.begin()
                case _:
                    raise BadRequest(phrase("you are not allowed to do this"))
        return {}

    async def sit(self, seat: int, name: str) -> str:
        """Take an open seat, and return its key. A connection takes one seat, unless it is the author's."""
        room, guest = self.room, self.guest
        if not guest.author and any(is_same_key(guest.seated, one.token) for one in room.seats if one.kind == "person"):
            raise BadRequest(phrase("you already have a seat here"))
        guest.seated = (await room.sit(seat, name, guest.key)).token
        return guest.seated

    def why(self, said: Mapping[str, Any]) -> list[dict[str, Any]]:
        role = self.guest.role or Role()
        asked = self.room.asked(role.seat)
        state = asked[0] if asked is not None else None
        picked = said.get("picked")
        if state is None:
            return []
        spoken = state.spoken(self.room.speakers.language(state.table, self.guest.lang))
        found = reasons_against(
            spoken, role.seat, str(said.get("part")),
            [one for one in picked if isinstance(one, str)][:8] if isinstance(picked, list) else [],
        )  # fmt: skip
        shown = []
        for action, refusals in found:
            told = [
                {
                    "text": refusal.text,
                    "source": refusal.source,
                    # Only the host sees in which file a rule is.
                    **({"file": refusal.span.file, "line": refusal.span.line} if role.host else {}),
                }
                for refusal in refusals
            ]
            shown.append({"action": action, "reasons": told})
        return shown

    async def say(self, message: Mapping[str, Any]) -> None:
        await self.socket.send_text(message_text(message))


def message_text(message: Mapping[str, Any]) -> str:
    """A message as it is sent."""
    try:
        return orjson.dumps(message).decode()
    except TypeError:  # half of a character in a text, or a number that has no end
        return json.dumps(message)


def _number(given: object) -> float | None:
    """Return a number of a message; None for any other value, and for one that is too large."""
    usual = isinstance(given, (int, float)) and not isinstance(given, bool) and abs(given) < 1e9
    return float(given) if usual else None  # type: ignore[arg-type]


def _whole(said: Mapping[str, Any], name: str) -> int:
    value = said.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRequest(f"`{name}` is not a number")
    return value
