"""All rooms of a server, and the games that people can play in them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulelang.apps.studio.tables.room import Notifier, Room
from rulelang.apps.studio.tables.setup import (
    BadRequest,
    Seat,
    Setup,
    Speakers,
    Spec,
    checked_agent,
    look_alike,
    shown_name,
    unused_name,
)
from rulelang.apps.studio.tables.store import Damaged, Store, room_gone
from rulelang.apps.studio.workshop.files import home_of
from rulelang.base.errors import RuleError
from rulelang.base.wording import player_count_text
from rulelang.compiler.compilation import LoadError
from rulelang.data.folders import shipped_rulesets_dir
from rulelang.runtime.agents import AGENTS
from rulelang.runtime.game import Game
from rulelang.runtime.state import SaveError

LOGGER = logging.getLogger(__name__)
#: The reason for a room whose record, moves or answers are not what a room writes.
DAMAGED = "its saved data is not valid"
NAMES = ("Ana", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
#: Rooms of one server.
MOST = 5000


class Hub:
    """`offered`: the games of which tables may be opened, by a name that pages say: what `load` takes."""

    def __init__(self, kept: Store, offered: Mapping[str, Spec], backend: str = "python") -> None:
        self.store, self.offered, self.backend = kept, offered, backend
        self.telling = Notifier()
        self.rooms: dict[str, Room] = {}
        self.games: dict[tuple[object, ...], tuple[str, Speakers]] = {}  # with what their files were like
        self.troubles: list[str] = []  # rooms that were kept and cannot go on

    # ---- games

    def game(self, spec: Spec, *, anew: bool = False) -> Speakers:
        """The game of a table, with its languages; `anew`: as its files are now. Wrong if it has mistakes."""
        key = (spec.game, spec.mods, spec.mode)
        known = self.games.get(key)
        if known is not None and not anew:
            return known[1]
        try:
            files = spec.files()
            if known is None or known[0] != files:
                known = self.games[key] = files, Speakers(spec.load())
        except LoadError as mistakes:
            first = mistakes.diagnostics.sorted()[0]
            raise BadRequest(f"the game cannot be played: {first.message} ({first.span})") from None
        return known[1]

    def catalogue(self) -> list[dict[str, Any]]:
        """The games that are offered, with what may be chosen of each; those with mistakes say so."""
        found: list[dict[str, Any]] = []
        for name, spec in self.offered.items():
            try:
                game = self.game(spec, anew=True).game
            except BadRequest as trouble:
                found.append({"game": name, "title": name, "trouble": str(trouble)})
                continue
            found.append({
                "game": name,
                "title": game.title,
                "players": list(game.players),
                "languages": list(game.languages),
                "agents": [*AGENTS],
            })  # fmt: skip
        return found

    # ---- rooms

    def restore(self) -> None:
        """Open the rooms that were kept. A room that cannot go on stays in the file, and the others are opened."""
        for kept in self.store.rooms():
            if isinstance(kept, Damaged):
                self.troubles.append(f"room {kept.room}: {kept.why}")
                continue
            try:
                speakers = self.game(Spec.of(kept.record["spec"]))
                self.rooms[kept.room] = Room.of(
                    kept.room, speakers.game, kept.record, kept.moves, self.store, speakers, kept.early, self.telling
                )
            except (BadRequest, SaveError, RuleError, LoadError) as problem:
                self.troubles.append(f"room {kept.room}: {problem}")
            except Exception:  # whatever a damaged record leads to, it must not end the other tables
                LOGGER.debug("room %s", kept.room, exc_info=True)
                self.troubles.append(f"room {kept.room}: {DAMAGED}")

    def start(self) -> None:
        """Have the bots of all rooms move on."""
        for room in self.rooms.values():
            room.tell()

    async def open(self, asked: Mapping[str, Any]) -> Room:
        """Open a room as a page asks for it: `game`, `seats` (each `you`, `open` or the name of an agent), and `names`,
        `seed`, `options`, `scenario`, `given`, `card`, `speed`, `turn`, `away` (seconds; 0: no bot plays for a person
        who is away). Wrong for a request that cannot be met, CannotKeep if the room cannot be written."""
        if len(self.rooms) >= MOST:
            raise BadRequest("this server has no room for another table")
        spec = self.offered.get(str(asked.get("game", "")))
        if spec is None:
            raise BadRequest(f"this server has no game `{asked.get('game')}`")
        seed = asked.get("seed")
        spec = replace(
            spec,
            seed=seed if type(seed) is int else secrets.randbelow(1 << 30),
            options=_map(asked.get("options")),
            scenario=asked["scenario"] if isinstance(asked.get("scenario"), str) else None,
            given=asked["given"] if isinstance(asked.get("given"), dict) else None,
            card=asked["card"] if isinstance(asked.get("card"), str) else None,
            backend=self.backend,
        )
        speakers = await asyncio.to_thread(self.game, spec, anew=True)
        game = speakers.game
        seats, host = self.seats(game, spec, asked)
        spec = replace(spec, players=len(seats))
        usual = Setup(tuple(seats), host=seats[host - 1].token if host else "")
        setup = replace(
            usual,
            speed=_number(asked.get("speed"), usual.speed),
            turn=_number(asked.get("turn"), usual.turn),
            away=_number(asked.get("away"), usual.away),
        )
        room = Room(self.number(), game, spec, setup, self.store, speakers, self.telling)
        await asyncio.to_thread(room.first, setup)  # raises before there is a room
        async with room.lock:
            await room.settle(setup)
        self.rooms[room.id] = room
        return room

    def seats(self, game: Game, spec: Spec, asked: Mapping[str, Any]) -> tuple[list[Seat], int]:
        """Return the seats that are asked for, and which of them is the host's (0: none)."""
        wanted = asked.get("seats")
        low, high = game.players
        if spec.scenario is not None or spec.given is not None:
            names = list(spec.begin(game, []).players)
            wanted = [*(wanted if isinstance(wanted, list) else []), *["you", *["random"] * len(names)]][: len(names)]
        elif not isinstance(wanted, list) or not all(isinstance(one, str) for one in wanted):
            raise BadRequest("choose `you`, `open` or a bot for each seat")
        else:
            names = []
        if not low <= len(wanted) <= high:
            raise BadRequest(f"{game.title} is for {player_count_text(low, high)}, not {len(wanted)}")
        names = names or _names(asked.get("names"), len(wanted))
        seats = []
        for one, name in zip(wanted, names, strict=True):
            if one in ("you", "open"):
                seats.append(Seat("person" if one == "you" else "open", name))
            else:
                seats.append(Seat("bot", name, checked_agent(one)))
        return seats, wanted.index("you") + 1 if "you" in wanted else 0

    def number(self) -> str:
        """An id of a room, which nobody guesses."""
        while (found := secrets.token_hex(5)) in self.rooms:
            pass
        return found

    async def shut(self, room: Room) -> None:
        """Close a room for good. CannotKeep if the file still has it: then it stays open."""
        async with room.lock:
            await self.store.keep(room_gone(room.id))
            room.closed = True
            del self.rooms[room.id]
        await room.close()
        for guest in room.guests:
            guest.wake.set()

    async def close(self) -> None:
        for room in self.rooms.values():
            await room.close()
        await asyncio.to_thread(self.store.close)


def shipped_games() -> dict[str, Spec]:
    """The games that come with rulelang, by their ids."""
    folder = shipped_rulesets_dir()
    found = sorted(path.parent.name for name in ("ruleset.yaml", "mod.yaml") for path in folder.glob(f"*/{name}"))
    return {name: Spec(name) for name in found}


def folder_game(folder: Path) -> dict[str, Spec]:
    """The game of a folder, by the name of it."""
    home = home_of(folder)
    return {folder.name: Spec(str(home))} if home is not None else {}


def _names(given: object, count: int) -> list[str]:
    """Return as many names as there are seats: those that were given, then others. Wrong if two look the same."""
    names = [shown_name(name) for name in given if isinstance(name, str)] if isinstance(given, list) else []
    names = [name for name in names if name][:count]
    for number, name in enumerate(names):
        if any(look_alike(name, other) for other in names[:number]):
            raise BadRequest("two players have the same name")
    for name in NAMES:
        if len(names) < count and not any(look_alike(name, other) for other in names):
            names.append(name)
    while len(names) < count:
        names.append(unused_name(f"seat {len(names) + 1}", names))
    return names


def _map(given: object) -> dict[str, Any]:
    return dict(given) if isinstance(given, dict) else {}


def _number(given: object, usual: float) -> float:
    return float(given) if isinstance(given, (int, float)) and 0 <= given < 1e6 else usual
