"""A room: a table, its guests and seats, when bots move, and what the server sends to whom first."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulelang.apps.studio.tables import store
from rulelang.apps.studio.tables.play import Ahead, Answers, Play, answers_left, answers_without, option_index
from rulelang.apps.studio.tables.setup import BadRequest, Role, Seat, Setup, Speakers, Spec
from rulelang.base.errors import RuleError
from rulelang.base.languages import Language
from rulelang.base.phrases import phrase
from rulelang.presentation.story import SharedStories
from rulelang.presentation.view import parts_told
from rulelang.presentation.view.appearance import appearance_of
from rulelang.presentation.view.document import Documents
from rulelang.presentation.view.document_types import Document
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.seating import Agent, ask_agent, begin_agent
from rulelang.runtime.state import State

if TYPE_CHECKING:
    from rulelang.apps.studio.tables.play import Play
    from rulelang.apps.studio.tables.setup import Setup
    from rulelang.runtime.state import State


# ---- the order of notifications

#: How many are told before what has come in is heard: a millisecond or two.
HANDFUL = 4
#: Seconds that somebody waits who is told soon before the others are passed over.
HURRY = 0.02
#: Seconds after which one of the others is not passed over by more than so many at a time.
PATIENCE, PASSED = 1.0, 8
#: What a guest waits for (`Guest.waits`): nothing, to be told some time, or soon.
NOTHING, SOME_TIME, SOON = range(3)


class Notifier:
    """The guests of all rooms of a server who have something new to hear. It wakes them one after the other."""

    def __init__(self) -> None:
        self.soon: deque[tuple[float, Guest]] = deque()  # and since when they wait
        self.some_time: deque[tuple[float, Guest]] = deque()
        self.passed = 0  # how many were told soon since one of the others was told
        self.waking: asyncio.Task[None] | None = None

    def due(self, guest: Guest, *, soon: bool) -> None:
        """There is something new to a guest. Whoever waits already keeps his place, or gets a better one."""
        if soon and guest.waits != SOON:
            guest.waits = SOON
            self.soon.append((time.monotonic(), guest))
        elif guest.waits == NOTHING:
            guest.waits = SOME_TIME
            self.some_time.append((time.monotonic(), guest))
        if self.waking is None:
            self.waking = asyncio.create_task(self.wake())

    async def wake(self) -> None:
        """Goes on until all are told."""
        try:
            while True:
                for _ in range(HANDFUL):
                    guest = self.next(time.monotonic())
                    if guest is None:
                        return
                    guest.wake.set()
                await asyncio.sleep(0)  # they are told now, and who has said something is heard
        finally:
            self.waking = None

    def next(self, now: float) -> Guest | None:
        """Who is told next; he waits no more."""
        while self.soon or self.some_time:
            soon = self.comes_first(now)
            _, guest = (self.soon if soon else self.some_time).popleft()
            if guest.waits == (SOON if soon else SOME_TIME):  # else he was told when he had a better place
                self.passed = self.passed + 1 if soon else 0
                guest.waits = NOTHING
                return guest
        return None

    def comes_first(self, now: float) -> bool:
        """Whether the next is one of those who are told soon."""
        if not self.soon or not self.some_time:
            return bool(self.soon)
        since, others = self.soon[0][0], self.some_time[0][0]
        if since < now - HURRY:
            return self.passed < PASSED or others > now - PATIENCE
        return since <= others


# ---- guests


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
            news["looks"] = appearance_of(state.table, language)
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


# ---- the room

LOGGER = logging.getLogger(__name__)
#: Seconds until a move of a bot that could not be kept is tried again.
AGAIN = 5.0


class Room:
    """One table.

    Every change goes through `commit`, under the lock: it is written to the disk first, and made only if that worked.
    The methods for messages of guests (`answer`, `undo`, `sit`, `arrange`, `pace`, `begin`) are called under the lock,
    so that the guest's rights, which the caller looks up there, are those of that moment.
    """

    def __init__(
        self, number: str, game: Game, spec: Spec, setup: Setup, kept: store.Store,
        speakers: Speakers | None = None, telling: Notifier | None = None,
    ) -> None:  # fmt: skip
        self.id, self.game, self.spec, self.setup, self.store = number, game, spec, setup, kept
        self.play: Play | None = None
        self.ahead = Ahead()
        self.trouble = ""  # why the game cannot go on
        self.closed = False
        self.speakers = speakers or Speakers(game)
        self.telling = telling or Notifier()
        self.shown: dict[str, Documents] = {}  # by language
        self.stories: dict[str, SharedStories] = {}  # by language
        self.guests: set[Guest] = set()
        self.visits: Counter[str] = Counter()  # connections by key, also of those who have not said a word yet
        self.agents: dict[int, Agent] = {}
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.moved_at = self.left_at = time.monotonic()
        self.version = 0  # counts changes: of the table, and of who has its seats
        self.surrounds: dict[str, Any] = {}  # as of `around_at`
        self.around_at = -1
        self.epoch = 0  # counts moves that were taken back
        self.driver: asyncio.Task[None] | None = None

    @property
    def seats(self) -> Sequence[Seat]:
        return self.setup.seats

    # ---- what is kept

    def record(self, setup: Setup) -> dict[str, Any]:
        """Return the room with this setup as it is kept."""
        return {"spec": self.spec.plain(), "content": self.game.info.content, **setup.plain()}

    @classmethod
    def of(
        cls, number: str, game: Game, record: Mapping[str, Any], moves: Sequence[store.KeptMove],
        kept: store.Store, speakers: Speakers | None = None, early: Answers | None = None,
        telling: Notifier | None = None,
    ) -> Room:  # fmt: skip
        """Return a room as it was kept. Wrong if it cannot go on."""
        if record["content"] != game.info.content:
            raise BadRequest("its game was started with other rules")
        setup = Setup.of(record)
        room = cls(number, game, Spec.of(record["spec"]), setup, kept, speakers, telling)
        if moves and not setup.begun:
            raise BadRequest("the file has moves of a game that has not started in it")
        if setup.begun:
            room.play = room.played(Play(room.first(setup)), moves)
            room.ahead = Ahead(early)
            room.look_ahead()
        return room

    def played(self, play: Play, moves: Sequence[store.KeptMove]) -> Play:
        """Return the game after moves that were kept. Wrong if one is missing or cannot be made."""
        for at, (number, seat, choice, person) in enumerate(moves):
            if number != at:
                raise BadRequest(f"the file has later moves of this table, but not move {at}")
            if play.state.over or play.state.decider != seat or not 0 <= choice < play.state.option_count:
                raise BadRequest(f"move {at} in the file is not possible in this game")
            play = play.after(choice, person=person)
        return play

    def first(self, setup: Setup) -> State:
        """Return the game at its first decision."""
        return self.spec.begin(self.game, [seat.name for seat in setup.seats])

    async def commit(
        self, writes: Sequence[store.Write], *, setup: Setup | None = None, play: Play | None = None,
        early: Answers | None = None,
    ) -> None:  # fmt: skip
        """Write a change to the disk, then make it. CannotKeep if it could not be written: then nothing has changed.
        Under the lock."""
        if self.closed:
            raise BadRequest(phrase("this table is closed"))
        writes = [*writes]
        if setup is not None:
            writes.append(store.room_kept(self.id, self.record(setup)))
        if early is not None:
            writes += store.early_kept(self.id, self.ahead.answers, early)
        if writes:
            await self.store.keep(writes)
        if setup is not None:
            self.setup = setup
        if play is not None:
            self.play = play
            self.moved_at = time.monotonic()
        if early is not None:
            self.ahead.now(early)

    async def settle(self, setup: Setup) -> None:
        """Take over a setup, and begin to play in the same step if nobody is missing. Under the lock."""
        play = None
        if self.play is None and setup.full:
            setup = replace(setup, begun=True)
            play = Play(self.first(setup))
        await self.commit([], setup=setup, play=play)
        if play is not None:
            self.look_ahead()
        self.tell()

    # ---- the course of the game

    def documents(self, spoken: State) -> Documents:
        """The documents of its game in the language that a state speaks."""
        code = spoken.names.language.code
        if code not in self.shown:
            self.shown[code] = Documents(spoken, self.speakers.book(spoken.table, code), traced=False)
        return self.shown[code]

    def log(self, spoken: State) -> SharedStories:
        """The log of its game in the language that a state speaks."""
        return self.stories.setdefault(spoken.names.language.code, SharedStories())

    @property
    def state(self) -> State | None:
        return self.play.state if self.play else None

    async def begin(self) -> None:
        """Begin to play, if nobody is missing."""
        if self.play is None:
            await self.settle(self.setup)

    async def answer(self, seat: int, at: int, choice: int) -> None:
        """Take an option for the person who was asked at the `at`-th move, or before their turn (below 0). Wrong if the
        question is another one by now."""
        play = self.play
        if play is None or play.state.over:
            raise BadRequest(phrase("there is no decision to make now"))
        asked = self.ahead.asides.get(seat) if at < 0 else (play.state, play.moves)
        if asked is None or asked[1] != at or (at >= 0 and play.state.decider != seat):
            raise BadRequest(phrase("this decision has already been made"))
        if not 0 <= choice < asked[0].option_count:
            raise BadRequest(phrase("there is no such option"))
        key = tuple(asked[0].keys[choice])
        if play.state.decider != seat:
            await self.answers(self.ahead.answered(seat, key))
        elif (index := option_index(play.state, key)) is not None:
            await self.move(play, index, person=True)
        else:
            raise BadRequest(phrase("this is no longer possible"))

    async def answers(self, early: Answers) -> None:
        """Keep the answers that were given before their turns, and ask on. Under the lock."""
        await self.commit([], early=early)
        self.look_ahead()
        self.tell({*self.ahead.answers})

    def look_ahead(self) -> None:
        """Find who may answer before their turn."""
        if self.play is not None:
            self.ahead.look(self.play.state, (n for n, seat in enumerate(self.seats, 1) if seat.kind == "person"))

    def asked(self, seat: int) -> tuple[State, int] | None:
        """Return the state that a seat looks at, and the number of its question: below 0 if that is before its turn."""
        if self.play is None:
            return None
        aside = self.ahead.asides.get(seat) if self.play.state.decider != seat else None
        return aside or (self.play.state, self.play.moves)

    async def move(self, play: Play, choice: int, *, person: bool) -> None:
        """Take an option, and the early answers to the questions that follow, in one step. Under the lock."""
        seat, early = play.state.decider, self.ahead.answers
        writes: list[store.Write] = []
        movers: list[int] = []
        while True:
            mover = play.state.decider
            try:
                after = play.after(choice, person=person)
            except RuleError as problem:
                self.trouble = str(problem)
                break
            writes.append(store.move_kept(self.id, play.moves, mover, choice, person))
            movers.append(mover)
            play, early = after, answers_left(early, mover, after.state)
            keys = early.get(play.state.decider)
            index = option_index(play.state, keys[0]) if keys else None
            if index is None:
                if keys:  # the answer is not possible any more: its person is asked again
                    early = answers_without(early, play.state.decider)
                break
            choice, person = index, True
        if movers:
            await self.commit(writes, play=play, early=early)
            for mover in movers:
                self.ahead.asides.pop(mover, None)
            self.look_ahead()
        self.tell({seat})

    async def undo(self, seat: int) -> None:
        """Take a person's last move back. Wrong if that is not allowed."""
        if seat in self.ahead.answers:
            await self.answers(self.ahead.taken_back(seat))
            return
        count = self.play.undoable(seat) if self.play else 0
        if self.play is None or not count:
            raise BadRequest(phrase("you have no move to take back, or a player has learned something since"))
        before = self.play.without(count)
        early = answers_left(self.ahead.answers, 0, before.state)
        await self.commit([store.moves_gone(self.id, before.moves)], play=before, early=early)
        self.look_ahead()
        self.epoch += 1
        self.stories = {}
        self.tell({seat})

    # ---- who has its seats

    async def sit(self, seat: int, name: str, key: str = "") -> Seat:
        """Give an open seat to the guest with this key."""
        await self.settle(self.setup.sat(seat, name, key))
        return self.seats[seat - 1]

    async def arrange(self, seat: int, kind: str, agent: str) -> None:
        """Have a bot play on a seat, or leave it open before the game begins."""
        await self.settle(self.setup.arranged(seat, kind, agent))
        self.agents.pop(seat, None)

    async def pace(self, *, speed: float | None = None, turn: float | None = None) -> None:
        """Set how long bots wait before they move, and how long a person may take."""
        await self.commit([], setup=self.setup.paced(speed, turn))
        if turn is not None:
            self.moved_at = time.monotonic()
        self.tell()

    def around(self) -> dict[str, Any]:
        """Return who has its seats and how it is arranged, as all may know it: one object while nothing changes."""
        if self.around_at == self.version:
            return self.surrounds
        self.around_at = self.version
        here = {guest.seat for guest in self.guests}
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
            "watching": sum(not guest.seat for guest in self.guests),
            "speed": self.setup.speed,
            "turn": self.setup.turn,
            "away": self.setup.away,
            "languages": list(self.speakers.codes),
        }
        if found != self.surrounds:
            self.surrounds = found
        return self.surrounds

    def here(self, seat: int) -> bool:
        return any(guest.seat == seat for guest in self.guests)

    def come(self, guest: Guest) -> None:
        self.guests.add(guest)
        self.telling.due(guest, soon=True)
        self.tell()

    def leave(self, guest: Guest) -> None:
        self.guests.discard(guest)
        guest.table = None  # the guest itself may be collected much later (`COLLECTED`)
        self.left_at = time.monotonic()
        self.tell()

    # ---- who is told, and when bots move

    def tell(self, moved: Set[int] = frozenset()) -> None:
        """Wake all guests, those first whose seat has `moved` or is asked, and the task that moves for others."""
        self.version += 1
        self.changed.set()
        asked = self.state.decider if self.state is not None else 0
        soon = {asked, *moved, *self.ahead.asides} - {0}
        for guest in sorted(self.guests, key=lambda guest: guest.seat not in soon):
            self.telling.due(guest, soon=guest.seat in soon)
        if (self.driver is None or self.driver.done()) and self.due() is not None:
            self.driver = asyncio.create_task(self.drive(), name=f"room {self.id}")

    def due(self) -> float | None:
        """Return in how many seconds a bot moves for the seat that is asked; None if only its person may."""
        state = self.state
        if state is None or state.over or self.trouble or not state.decider:
            return None
        seat = self.seats[state.decider - 1]
        now = time.monotonic()
        if seat.kind == "bot":
            return max(self.moved_at + self.setup.speed - now, 0.0)
        turn, away = self.setup.turn, self.setup.away
        ends = [self.moved_at + turn] if turn else []
        if not self.here(state.decider) and away:
            ends.append(max(self.moved_at, self.left_at) + away)
        return max(min(ends) - now, 0.0) if ends else None

    async def drive(self) -> None:
        """Move for bots, for persons who are away, and for those whose time is over, until only a person may move."""
        while True:
            self.changed.clear()
            wait = self.due()
            if wait is None:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait or None):  # `wait_for` may lose a cancellation
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
            begin_agent(agent, self.spec.seed + seat)
        choice = await asyncio.to_thread(ask_agent, agent, state)
        async with self.lock:
            if play is self.play and play.state is state:
                await self.move(play, choice, person=False)

    async def close(self) -> None:
        if self.driver is not None:
            self.driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.driver
