"""Somebody at a room's door: what he was told last, and what is new since. He is told of where it stands when there is
time to tell him, so whoever reads slowly skips what lies between."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from rulelang.present import parts_told
from rulelang.present.looks import looks
from rulelang.present.records import Document
from rulelang.studio.tables.seats import Role
from rulelang.studio.tables.telling import NOTHING
from rulelang.texts.language import Language

if TYPE_CHECKING:
    from rulelang.engine.state import State
    from rulelang.studio.tables.play import Play
    from rulelang.studio.tables.room import Room


class Guest:
    """One connection to a room."""

    def __init__(self, room: Room, role: Role, lang: str) -> None:
        self.room, self.role, self.lang = room, role, lang
        self.wake = asyncio.Event()
        self.waits = NOTHING  # what for: `Telling` knows
        self.told = (-1, -1)  # the epoch and the number of moves that he was told last
        self.lines = 0  # of the log, that he was told
        self.dressed = ""  # the language in which he knows how things look
        self.table: Document | None = None  # the table as he knows it
        self.known: Play | None = None  # of which he asked what its log is about, and that
        self.parts: list[list[str]] = []
        self.around: dict[str, Any] = {}  # and what is around it
        self.seen: dict[str, Any] = {}  # of that, what is the same for all

    def news(self) -> dict[str, Any]:
        """What is new to him: the room, the table or what has changed at it, the lines of the log."""
        room = self.room
        news: dict[str, Any] = {"t": "room"}
        around = self.outside()
        if around != self.around:
            news["room"] = self.around = around
        if room.play is None:
            return news
        news["undo"] = bool(
            self.role.seat and (self.role.seat in room.ahead.answers or room.play.undoable(self.role.seat))
        )
        due = room.due() if room.turn else None
        if due is not None:
            news["left"] = round(due, 1)
        asked = room.asked(self.role.seat)
        if asked is not None:
            self._table(*asked, news)
        return news

    def _table(self, state: State, number: int, news: dict[str, Any]) -> None:
        room = self.room
        language = room.speakers.language(state.table, self.lang)
        now = (room.epoch, number)
        if now == self.told and self.dressed == language.code:
            return
        spoken = state.spoken(language)
        documents = room.documents(spoken)
        table = documents.of(spoken, self.role.seat)
        if self.dressed != language.code:
            news["looks"] = looks(state.table, language)
            self.table = None
        if self.table is None:
            news["table"] = table
        else:
            news["patch"] = documents.patch(self.table, table)
        fresh = self.told[0] != room.epoch or self.dressed != language.code
        news["moves"] = number
        # The log is that of the game: what one does before one's turn stands in it when the game comes to it.
        true = spoken if number >= 0 or room.state is None else room.state.spoken(language)
        lines = room.log(true).lines(true, self.role.seat)
        news["log"] = lines[0 if fresh else self.lines :]
        news["fresh"] = fresh
        self.lines = len(lines)
        self.told, self.dressed, self.table = now, language.code, table

    def language(self) -> Language:
        """The language that he is spoken to in: his own, if the game is there in it."""
        speakers = self.room.speakers
        return speakers.game.language(self.lang if self.lang in speakers.codes else "en")

    def about(self) -> list[list[str]]:
        """By line of the log that he was told: the ids of the parts of his table that it is about. Worked out when it
        is asked for, once for a state."""
        room = self.room
        if room.state is None:
            return []
        state = room.state.spoken(room.speakers.language(room.state.table, self.lang))
        if self.known is not room.play:
            stories = room.log(state)
            stories.lines(state, self.role.seat)
            self.known, self.parts = (
                room.play,
                parts_told(state, self.role.seat, stories.of[self.role.seat], stories.reading),
            )
        return self.parts

    def outside(self) -> dict[str, Any]:
        """The room around the table, and what he may do there."""
        room, role = self.room, self.role
        around = room.around()
        if around is self.seen:  # as it was when he was told
            return self.around
        self.seen = around
        shown = {**around, "you": role.seat, "host": role.host, "may_sit": role.may_sit}
        if role.host:
            shown["invite"], shown["watch"] = room.keys.invite, room.keys.watch
        return shown
