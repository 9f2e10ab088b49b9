"""A room: a table, who sits there and looks on, when bots move, and what everybody is told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping, Sequence, Set
from typing import Any

from rulelang.agents import make_agent
from rulelang.base.errors import BadArgument, RuleError
from rulelang.base.phrases import phrase
from rulelang.engine.game import Game
from rulelang.engine.seating import Agent, asked, begin
from rulelang.engine.state import State
from rulelang.play.stories import Stories
from rulelang.present.document import Documents
from rulelang.studio.tables import store
from rulelang.studio.tables.ahead import Ahead, Answers, found
from rulelang.studio.tables.guest import Guest
from rulelang.studio.tables.play import Play
from rulelang.studio.tables.seats import Keys, Seat, called, token
from rulelang.studio.tables.spec import Speakers, Spec, Wrong
from rulelang.studio.tables.telling import Telling

LOGGER = logging.getLogger(__name__)
#: Seconds until a move of a bot that could not be kept is tried again.
AGAIN = 5.0
#: Seconds between the moves of bots that may be chosen; for a decision; until a bot plays for somebody who is away.
SLOWEST, LONGEST, AWAY = 10.0, 24 * 3600.0, 30.0


class Room:
    """One table. All that changes it happens under its lock, and is kept before anybody hears of it."""

    def __init__(
        self, number: str, game: Game, spec: Spec, seats: list[Seat], kept: store.Store,
        speakers: Speakers | None = None, telling: Telling | None = None,
    ) -> None:  # fmt: skip
        self.id, self.game, self.spec, self.seats, self.store = number, game, spec, seats, kept
        self.keys = Keys()
        self.host_seat = 0
        self.speed = 0.6  # seconds before a bot's move
        self.turn = 0.0  # seconds for a decision of a person, 0: as long as he likes
        self.away = AWAY
        self.play: Play | None = None
        self.ahead = Ahead()
        self.trouble = ""  # why the game cannot go on
        self.speakers = speakers or Speakers(game)
        self.telling = telling or Telling()
        self.shown: dict[str, Documents] = {}  # by language
        self.stories: dict[str, Stories] = {}  # by language
        self.guests: set[Guest] = set()
        self.visits = 0  # connections, of those too who have not said a word yet
        self.agents: dict[int, Agent] = {}
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.moved_at = self.left_at = time.monotonic()
        self.version = 0  # counts changes: of the table, and of who sits there
        self.surrounds: dict[str, Any] = {}  # as of `around_at`
        self.around_at = -1
        self.epoch = 0  # counts moves that were taken back
        self.driver: asyncio.Task[None] | None = None

    # ---- what is kept

    def record(self) -> dict[str, Any]:
        return {
            "spec": self.spec.plain(),
            "content": self.game.info.content,
            "seats": [seat.plain() for seat in self.seats],
            "keys": [self.keys.invite, self.keys.watch],
            "host": self.host_seat,
            "speed": self.speed,
            "turn": self.turn,
            "away": self.away,
            "begun": self.play is not None,
        }

    @classmethod
    def of(
        cls, number: str, game: Game, record: Mapping[str, Any], moves: Sequence[tuple[int, int, bool]],
        kept: store.Store, speakers: Speakers | None = None, early: Answers | None = None,
        telling: Telling | None = None,
    ) -> Room:  # fmt: skip
        """A room as it was kept. Wrong if it cannot go on."""
        if record["content"] != game.info.content:
            raise Wrong("its game was begun with other rules")
        seats = [Seat.of(seat) for seat in record["seats"]]
        room = cls(number, game, Spec.of(record["spec"]), seats, kept, speakers, telling)
        room.keys = Keys(*record["keys"])
        room.host_seat, room.speed, room.turn = record["host"], record["speed"], record["turn"]
        room.away = record["away"]
        if record["begun"]:
            room.play = Play(room.first())
            for _, choice, person in moves:
                room.play = room.play.after(choice, person=person)
            room.ahead = Ahead(early)
            room.look_ahead()
        return room

    def first(self) -> State:
        return self.spec.begin(self.game, [seat.name for seat in self.seats])

    async def keep(self, *more: store.Write) -> None:
        await self.store.keep([store.room_kept(self.id, self.record()), *more])

    # ---- the course of the game

    def documents(self, spoken: State) -> Documents:
        """The documents of its game in the language that a state speaks."""
        code = spoken.names.language.code
        if code not in self.shown:
            self.shown[code] = Documents(spoken, self.speakers.book(spoken.table, code), traced=False)
        return self.shown[code]

    def log(self, spoken: State) -> Stories:
        """The log of its game in the language that a state speaks."""
        return self.stories.setdefault(spoken.names.language.code, Stories())

    @property
    def state(self) -> State | None:
        return self.play.state if self.play else None

    async def begin(self) -> None:
        """Begin to play, if nobody is missing."""
        async with self.lock:
            if self.play is None and all(seat.kind != "open" for seat in self.seats):
                self.play = Play(self.first())
                self.look_ahead()
                await self.keep()
        self.tell()

    async def answer(self, seat: int, at: int, choice: int) -> None:
        """Take an option for a person who was asked at the `at`-th move, or before his turn (below 0). Wrong if he is
        not, or not any more."""
        async with self.lock:
            play = self.play
            if play is None or play.state.over:
                raise Wrong(phrase("nothing is asked now"))
            asked = self.ahead.asides.get(seat) if at < 0 else (play.state, play.moves)
            if asked is None or asked[1] != at or (at >= 0 and play.state.decider != seat):
                raise Wrong(phrase("this was asked before, and is answered already"))
            if not 0 <= choice < asked[0].option_count:
                raise Wrong(phrase("there is no such option"))
            key = tuple(asked[0].keys[choice])
            if play.state.decider != seat:
                await self.answers(self.ahead.answered(seat, key))
            elif (index := found(play.state, key)) is not None:
                await self.move(play, index, person=True)
            else:
                raise Wrong(phrase("this cannot be done any more"))

    async def answers(self, now: Answers) -> None:
        """Keep what was answered before its turn, then have it count. Under the lock."""
        await self.store.keep(store.early_kept(self.id, self.ahead.answers, now))
        self.ahead.now(now)
        self.look_ahead()
        self.tell({*self.ahead.answers})

    def look_ahead(self) -> None:
        """Find who may answer before his turn."""
        if self.play is not None:
            self.ahead.look(self.play.state, (n for n, seat in enumerate(self.seats, 1) if seat.kind == "person"))

    def asked(self, seat: int) -> tuple[State, int] | None:
        """What a seat looks at, and the number of what it is asked there: below 0 if that is before its turn."""
        if self.play is None:
            return None
        aside = self.ahead.asides.get(seat) if self.play.state.decider != seat else None
        return aside or (self.play.state, self.play.moves)

    async def move(self, play: Play, choice: int, *, person: bool) -> None:
        """Take an option, and what was answered early to what is asked next. Under the lock."""
        seat = play.state.decider
        if await self.moved(play, choice, person=person):
            while self.play is not None and (keys := self.ahead.answers.get(self.play.state.decider)):
                index = found(self.play.state, keys[0])
                if index is None:  # it cannot be done any more: he is asked again
                    await self.answers(self.ahead.without(self.play.state.decider))
                elif not await self.moved(self.play, index, person=True):
                    break
            self.look_ahead()
        self.tell({seat})

    async def moved(self, play: Play, choice: int, *, person: bool) -> bool:
        """Take an option, and keep it before it is seen; False if the rules end in a mistake."""
        seat = play.state.decider
        try:
            after = play.after(choice, person=person)
        except RuleError as problem:
            self.trouble = str(problem)
            return False
        left = self.ahead.after(seat, after.state)
        early = store.early_kept(self.id, self.ahead.answers, left)
        await self.store.keep([store.move_kept(self.id, play.moves, seat, choice, person), *early])
        self.play = after
        self.ahead.now(left)
        self.ahead.asides.pop(seat, None)
        self.moved_at = time.monotonic()
        return True

    async def undo(self, seat: int) -> None:
        """Take a person's last move back. Wrong if he may not."""
        async with self.lock:
            if seat in self.ahead.answers:
                await self.answers(self.ahead.taken_back(seat))
                return
            count = self.play.undoable(seat) if self.play else 0
            if self.play is None or not count:
                raise Wrong(phrase("there is no move of yours to take back, or somebody has learned something since"))
            before = self.play.without(count)
            left = self.ahead.after(0, before.state)
            early = store.early_kept(self.id, self.ahead.answers, left)
            await self.store.keep([store.moves_gone(self.id, before.moves), *early])
            self.play = before
            self.ahead.now(left)
            self.look_ahead()
            self.epoch += 1
            self.stories = {}
            self.moved_at = time.monotonic()
        self.tell({seat})

    # ---- who sits there

    async def sit(self, seat: int, name: str) -> Seat:
        """Take an open seat. Wrong if it is none, or somebody has the name."""
        async with self.lock:
            if not 1 <= seat <= len(self.seats) or self.seats[seat - 1].kind != "open":
                raise Wrong(phrase("this seat is taken"))
            name = called(name)
            if not name:
                raise Wrong(phrase("say what you are called"))
            if any(other.name.casefold() == name.casefold() for other in self.seats if other.kind != "open"):
                raise Wrong(phrase("somebody here is called {name} already", name=name))
            taken = self.seats[seat - 1] = Seat("person", name)
            for number, other in enumerate(self.seats, 1):
                if other.kind == "open" and other.name.casefold() == name.casefold():
                    other.name = f"seat {number}"
            await self.keep()
        await self.begin()
        return taken

    async def arrange(self, seat: int, kind: str, agent: str) -> None:
        """Have a bot play on a seat, or leave it open before the game begins."""
        async with self.lock:
            if not 1 <= seat <= len(self.seats):
                raise Wrong(phrase("there is no such seat"))
            known = self.seats[seat - 1]
            if kind == "bot":
                checked(agent)
                known.kind, known.agent = "bot", agent
                self.agents.pop(seat, None)
            elif kind == "open" and self.play is None:
                known.kind, known.token = "open", token()
            else:
                raise Wrong(phrase("a seat is a bot's, or open until the game begins"))
            await self.keep()
        await self.begin()

    async def pace(self, *, speed: float | None = None, turn: float | None = None) -> None:
        """How long bots wait before they move, and how long a person may take."""
        async with self.lock:
            if speed is not None:
                self.speed = min(max(speed, 0.0), SLOWEST)
            if turn is not None:
                self.turn = min(max(turn, 0.0), LONGEST)
                self.moved_at = time.monotonic()
            await self.keep()
        self.tell()

    def around(self) -> dict[str, Any]:
        """Who sits there, and how it is arranged, as all may know it: the same object as long as nothing changes."""
        if self.around_at == self.version:
            return self.surrounds
        self.around_at = self.version
        here = {guest.role.seat for guest in self.guests}
        found = {
            "id": self.id,
            "title": self.game.title,
            "begun": self.play is not None,
            "trouble": self.trouble,
            "seats": [
                {
                    "seat": number,
                    "name": seat.name,
                    "kind": seat.kind,
                    "agent": seat.agent if seat.kind == "bot" else "",
                    "here": number in here,
                }
                for number, seat in enumerate(self.seats, 1)
            ],
            "answered": self.ahead.done(),
            "watching": sum(not guest.role.seat for guest in self.guests),
            "speed": self.speed,
            "turn": self.turn,
            "away": self.away,
            "languages": list(self.speakers.codes),
        }
        if found != self.surrounds:
            self.surrounds = found
        return self.surrounds

    def here(self, seat: int) -> bool:
        return any(guest.role.seat == seat for guest in self.guests)

    def come(self, guest: Guest) -> None:
        self.guests.add(guest)
        self.telling.due(guest, soon=True)
        self.tell()

    def leave(self, guest: Guest) -> None:
        self.guests.discard(guest)
        guest.table = None  # he himself may be found to be gone much later (`COLLECTED`)
        self.left_at = time.monotonic()
        self.tell()

    # ---- who is told, and when bots move

    def tell(self, moved: Set[int] = frozenset()) -> None:
        """All guests hear of what is new, those first who sit where somebody has `moved` or is asked; and who plays for
        others looks what is to do."""
        self.version += 1
        self.changed.set()
        asked = self.state.decider if self.state is not None else 0
        soon = {asked, *moved, *self.ahead.asides} - {0}
        for guest in sorted(self.guests, key=lambda guest: guest.role.seat not in soon):
            self.telling.due(guest, soon=guest.role.seat in soon)
        if (self.driver is None or self.driver.done()) and self.due() is not None:
            self.driver = asyncio.create_task(self.drive(), name=f"room {self.id}")

    def due(self) -> float | None:
        """In how many seconds a bot moves for whoever is asked; None if nobody but a person may."""
        state = self.state
        if state is None or state.over or self.trouble or not state.decider:
            return None
        seat = self.seats[state.decider - 1]
        now = time.monotonic()
        if seat.kind == "bot":
            return max(self.moved_at + self.speed - now, 0.0)
        ends = [self.moved_at + self.turn] if self.turn else []
        if not self.here(state.decider) and self.away:
            ends.append(max(self.moved_at, self.left_at) + self.away)
        return max(min(ends) - now, 0.0) if ends else None

    async def drive(self) -> None:
        """Move for bots, for who is away, and for whose time is over; ends when nothing is to do but to wait."""
        while True:
            self.changed.clear()
            wait = self.due()
            if wait is None:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait or None):  # `wait_for` may forget that it was broken off
                    await (self.changed.wait() if wait else asyncio.sleep(0))
                if self.changed.is_set():
                    continue
            if not self.changed.is_set():
                try:
                    await self.bot_moves()
                except store.CannotKeep:  # a disk that is full may have room again
                    await asyncio.sleep(AGAIN)
                except Exception as mistake:  # of the rules where a bot looks ahead, or of this program
                    if not isinstance(mistake, RuleError):
                        LOGGER.exception("table %s: its bot could not move", self.id)
                    self.trouble = str(mistake) or type(mistake).__name__
                    self.tell()
                    return

    async def bot_moves(self) -> None:
        play = self.play
        if play is None or play.state.over:
            return
        state, seat = play.state, play.state.decider
        agent = self.agents.get(seat)
        if agent is None:
            agent = self.agents[seat] = make_agent(self.seats[seat - 1].agent)
            begin(agent, self.spec.seed + seat)
        choice = await asyncio.to_thread(asked, agent, state)
        async with self.lock:
            if play is self.play and play.state is state:
                await self.move(play, choice, person=False)

    async def close(self) -> None:
        if self.driver is not None:
            self.driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.driver


def checked(agent: str) -> str:
    """Wrong for an agent that there is not."""
    try:
        make_agent(agent)
    except BadArgument as problem:
        raise Wrong(str(problem)) from None
    return agent
