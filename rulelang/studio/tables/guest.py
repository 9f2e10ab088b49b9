"""Somebody at a room's door: what he was told last, and what is new since. He is told of where it stands when there is
time to tell him, so whoever reads slowly skips what lies between."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from rulelang.play.render_log import Story
from rulelang.present import document
from rulelang.present.looks import looks
from rulelang.studio.tables.seats import Role

if TYPE_CHECKING:
    from rulelang.studio.tables.room import Room

#: One after the other, the tables are described for all guests of all rooms, so that answers come between.
Turn = asyncio.Lock


class Guest:
    """One connection to a room."""

    def __init__(self, room: Room, role: Role, lang: str) -> None:
        self.room, self.role, self.lang = room, role, lang
        self.wake = asyncio.Event()
        self.story = Story(role.seat)
        self.told = (-1, -1)  # the epoch and the number of moves that he was told last
        self.dressed = ""  # the language in which he knows how things look

    def news(self) -> dict[str, Any]:
        """What the room looks like to him now, with the lines of the log that are new to him."""
        room = self.room
        news: dict[str, Any] = {"t": "room", "room": self.outside()}
        if room.play is None:
            return news
        state = room.play.state
        language = room.speakers.language(state, self.lang)
        now = (room.epoch, room.play.moves)
        if now == self.told and self.dressed == language.code:
            return news
        spoken = state.spoken(language)
        fresh = self.told[0] != room.epoch or self.dressed != language.code
        if fresh:
            self.story = Story(self.role.seat)
        news["table"] = document(spoken, self.role.seat or None)
        news["moves"] = room.play.moves
        news["log"] = self.story.news(spoken)
        news["fresh"] = fresh
        if self.dressed != language.code:
            news["looks"] = looks(state.table, language)
        self.told, self.dressed = now, language.code
        return news

    def outside(self) -> dict[str, Any]:
        """The room around the table: who sits there, and what may be arranged."""
        room, role = self.room, self.role
        shown: dict[str, Any] = {
            "id": room.id,
            "title": room.game.title,
            "begun": room.play is not None,
            "trouble": room.trouble,
            "you": role.seat,
            "host": role.host,
            "may_sit": role.may_sit,
            "seats": [
                {
                    "seat": number,
                    "name": seat.name,
                    "kind": seat.kind,
                    "agent": seat.agent if seat.kind == "bot" else "",
                    "here": room.here(number),
                }
                for number, seat in enumerate(room.seats, 1)
            ],
            "watching": sum(not guest.role.seat for guest in room.guests),
            "speed": room.speed,
            "turn": room.turn,
            "languages": list(room.speakers.codes),
            "undo": bool(role.seat and room.play and room.play.undoable(role.seat)),
        }
        due = room.due() if room.turn else None
        if due is not None:
            shown["left"] = round(due, 1)
        if role.host:
            shown["invite"], shown["watch"] = room.keys.invite, room.keys.watch
        return shown
