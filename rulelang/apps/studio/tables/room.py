"""A room: a table, who has its seats and who looks on, when bots move, and what everybody is told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from rulelang.apps.studio.tables import store
from rulelang.apps.studio.tables.ahead import Ahead, Answers, found, left_after, without
from rulelang.apps.studio.tables.guest import Guest
from rulelang.apps.studio.tables.play import Play
from rulelang.apps.studio.tables.seats import Seat
from rulelang.apps.studio.tables.setup import Setup
from rulelang.apps.studio.tables.spec import Speakers, Spec, Wrong
from rulelang.apps.studio.tables.telling import Telling
from rulelang.base.errors import RuleError
from rulelang.base.phrases import phrase
from rulelang.presentation.console.stories import Stories
from rulelang.presentation.view.document import Documents
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.seating import Agent, asked, begin
from rulelang.runtime.state import State

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
        speakers: Speakers | None = None, telling: Telling | None = None,
    ) -> None:  # fmt: skip
        self.id, self.game, self.spec, self.setup, self.store = number, game, spec, setup, kept
        self.play: Play | None = None
        self.ahead = Ahead()
        self.trouble = ""  # why the game cannot go on
        self.closed = False
        self.speakers = speakers or Speakers(game)
        self.telling = telling or Telling()
        self.shown: dict[str, Documents] = {}  # by language
        self.stories: dict[str, Stories] = {}  # by language
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
        telling: Telling | None = None,
    ) -> Room:  # fmt: skip
        """Return a room as it was kept. Wrong if it cannot go on."""
        if record["content"] != game.info.content:
            raise Wrong("its game was started with other rules")
        setup = Setup.of(record)
        room = cls(number, game, Spec.of(record["spec"]), setup, kept, speakers, telling)
        if moves and not setup.begun:
            raise Wrong("the file has moves of a game that has not started in it")
        if setup.begun:
            room.play = room.played(Play(room.first(setup)), moves)
            room.ahead = Ahead(early)
            room.look_ahead()
        return room

    def played(self, play: Play, moves: Sequence[store.KeptMove]) -> Play:
        """Return the game after moves that were kept. Wrong if one is missing or cannot be made."""
        for at, (number, seat, choice, person) in enumerate(moves):
            if number != at:
                raise Wrong(f"the file has later moves of this table, but not move {at}")
            if play.state.over or play.state.decider != seat or not 0 <= choice < play.state.option_count:
                raise Wrong(f"move {at} in the file is not possible in this game")
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
            raise Wrong(phrase("this table is closed"))
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

    def log(self, spoken: State) -> Stories:
        """The log of its game in the language that a state speaks."""
        return self.stories.setdefault(spoken.names.language.code, Stories())

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
            raise Wrong(phrase("there is no decision to make now"))
        asked = self.ahead.asides.get(seat) if at < 0 else (play.state, play.moves)
        if asked is None or asked[1] != at or (at >= 0 and play.state.decider != seat):
            raise Wrong(phrase("this decision has already been made"))
        if not 0 <= choice < asked[0].option_count:
            raise Wrong(phrase("there is no such option"))
        key = tuple(asked[0].keys[choice])
        if play.state.decider != seat:
            await self.answers(self.ahead.answered(seat, key))
        elif (index := found(play.state, key)) is not None:
            await self.move(play, index, person=True)
        else:
            raise Wrong(phrase("this is no longer possible"))

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
            play, early = after, left_after(early, mover, after.state)
            keys = early.get(play.state.decider)
            index = found(play.state, keys[0]) if keys else None
            if index is None:
                if keys:  # the answer is not possible any more: its person is asked again
                    early = without(early, play.state.decider)
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
            raise Wrong(phrase("you have no move to take back, or a player has learned something since"))
        before = self.play.without(count)
        early = left_after(self.ahead.answers, 0, before.state)
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
