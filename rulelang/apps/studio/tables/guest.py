"""A connection to a room: what its guest has been sent, and what is new since.

A guest who reads slowly skips positions: whenever there is time to send something, it is the newest one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from rulelang.apps.studio.tables.seats import Role
from rulelang.apps.studio.tables.telling import NOTHING
from rulelang.base.languages import Language
from rulelang.presentation.view import parts_told
from rulelang.presentation.view.looks import looks
from rulelang.presentation.view.records import Document

if TYPE_CHECKING:
    from rulelang.apps.studio.tables.play import Play
    from rulelang.apps.studio.tables.room import Room
    from rulelang.apps.studio.tables.setup import Setup
    from rulelang.runtime.state import State


class Guest:
    """One connection to a room, by a key. `author`: the key is that of the server's author.

    A key may lose its seat at any time, so what the guest may do and see is never remembered: `role` follows the room's
    setup.
    """

    def __init__(self, room: Room, key: str, lang: str, *, author: bool = False) -> None:
        self.room, self.key, self.lang, self.author = room, key, lang, author
        self.seated = ""  # the key of the seat that this connection took
        self.setup: Setup | None = None  # by which `known_role` was found
        self.known_role: Role | None = None
        self.wake = asyncio.Event()
        self.waits = NOTHING  # what for: `Telling` knows
        self.forget()

    def forget(self) -> None:
        """Have the next news be all that the guest may see."""
        self.told = (-1, -1)  # the epoch and the number of moves of the last news
        self.lines = 0  # of the log that were sent
        self.dressed = ""  # the language of the looks that were sent
        self.table: Document | None = None  # as it was sent last
        self.known: Play | None = None  # of which the guest asked for the parts of log lines, and these
        self.parts: list[list[str]] = []
        self.around: dict[str, Any] = {}  # what was sent of the room around the table
        self.seen: dict[str, Any] = {}  # of that, the part that is the same for all

    @property
    def role(self) -> Role | None:
        """As what the key lets in now; None if it does not any more."""
        if self.setup is not self.room.setup:
            self.setup = self.room.setup
            role = self.setup.role(self.key, author=self.author)
            if role != self.known_role:
                self.known_role = role
                self.forget()
        return self.known_role

    @property
    def seat(self) -> int:
        """The seat of the guest; 0 for none."""
        role = self.role
        return role.seat if role is not None else 0

    def news(self) -> dict[str, Any]:
        """Return what is new to the guest: the room, the table or what has changed at it, the lines of the log."""
        room, seat = self.room, self.seat
        news: dict[str, Any] = {"t": "room"}
        around = self.outside()
        if around != self.around:
            news["room"] = self.around = around
        if room.play is None:
            return news
        news["undo"] = bool(seat and (seat in room.ahead.answers or room.play.undoable(seat)))
        due = room.due() if room.setup.turn else None
        if due is not None:
            news["left"] = round(due, 1)
        asked = room.asked(seat)
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
        table = documents.of(spoken, self.seat)
        if self.dressed != language.code:
            news["looks"] = looks(state.table, language)
            self.table = None
        if self.table is None:
            news["table"] = table
        else:
            news["patch"] = documents.patch(self.table, table)
        fresh = self.told[0] != room.epoch or self.dressed != language.code
        news["moves"] = number
        # The log is that of the game: an early answer is in it once the game takes it.
        true = spoken if number >= 0 or room.state is None else room.state.spoken(language)
        lines = room.log(true).lines(true, self.seat)
        news["log"] = lines[0 if fresh else self.lines :]
        news["fresh"] = fresh
        self.lines = len(lines)
        self.told, self.dressed, self.table = now, language.code, table

    def language(self) -> Language:
        """Return the language of the guest, if the game has it; else English."""
        speakers = self.room.speakers
        return speakers.game.language(self.lang if self.lang in speakers.codes else "en")

    def about(self) -> list[list[str]]:
        """Return, by line of the log, the ids of the parts of the guest's table that it is about.

        They are found when a page asks for them, once for a state.
        """
        room, seat = self.room, self.seat
        if room.state is None:
            return []
        state = room.state.spoken(room.speakers.language(room.state.table, self.lang))
        if self.known is not room.play:
            stories = room.log(state)
            stories.lines(state, seat)
            self.known, self.parts = room.play, parts_told(state, seat, stories.of[seat], stories.reading)
        return self.parts

    def outside(self) -> dict[str, Any]:
        """Return the room around the table, and what the guest may do there."""
        room, role = self.room, self.role or Role()
        around = room.around()
        if around is self.seen:  # nothing has changed
            return self.around
        self.seen = around
        shown = {**around, "you": role.seat, "host": role.host, "may_sit": role.may_sit}
        if role.host:
            shown["invite"], shown["watch"] = room.setup.keys.invite, room.setup.keys.watch
        return shown
