"""The balance strip: games played in the background, in a process of its own that can be abandoned at any moment.

What is compared are two states of the same files, with the same seeds: as they are now, against as they were before the
last change that plays otherwise, or as they were when the page was opened.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang.base.errors import RuleError
from rulelang.compile import LoadError
from rulelang.engine.game import Game
from rulelang.engine.simulate import Result
from rulelang.lab.compare import Compared, compare
from rulelang.loading import load

if TYPE_CHECKING:
    from rulelang.studio.workshop.judging import Judged

#: Games that are played for one weighing.
GAMES = 3000
#: How many play, if the game allows it.
USUAL = 4
SEED = 1
#: Seconds until a weighing is given up.
PATIENCE = 120.0
#: Seconds in which whoever writes several files is done with the others.
MEANWHILE = 0.3


class Abandoned(Exception):
    """Something was changed meanwhile, or there is nothing to play; the text says so."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What came of one state of the files. `content`: what it is known by."""

    content: str
    result: Result


class Scales:
    """Weighs one game, one state of its files at a time: a new one takes the place of one that is not done."""

    def __init__(self, home: Path, games: int = GAMES) -> None:
        self.home, self.games = home, games
        self.now: Weighed | None = None
        self.before: Weighed | None = None  # the last that played otherwise
        self.first: Weighed | None = None
        self.judged: list[Judged] = []  # as it was first, before the last change, now; of other contents each
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._turn = 0
        self._one = asyncio.Lock()

    # ---- the process

    def _start(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._pipe is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs,), daemon=True, name="rulelang scales")
            self._process.start()
            theirs.close()
        return self._pipe

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    # ---- weighing

    async def weigh(self, games: int | None = None) -> dict[str, Any]:
        """Play the game as it lies on the disk. Abandoned if another weighing begins first, or it cannot be played."""
        answer = await self._asked(games or self.games, traits=False)
        self._learn(answer)
        return self.told()

    async def judge(self, games: int | None = None) -> dict[str, Any]:
        """What the traits of the game that was weighed last do to winning: see `told_traits`. Abandoned likewise."""
        answer: Judged = await self._asked(games or self.games, traits=True)
        from rulelang.studio.workshop.judging import told_traits  # of the extra `lab`: without it there is no answer

        if self.judged and self.judged[-1].content == answer.content:
            self.judged.pop()
        elif len(self.judged) > 2:
            self.judged.pop(1)
        self.judged.append(answer)
        return told_traits(self.judged)

    async def _asked(self, games: int, *, traits: bool) -> Any:
        self._turn += 1
        turn = self._turn
        if self._one.locked():
            self.stop()  # whoever waits for that one is told
        async with self._one:
            if turn != self._turn:
                raise Abandoned("something was changed meanwhile")
            pipe = await asyncio.to_thread(self._start)
            try:
                pipe.send((str(self.home), games, traits))
                answer = await asyncio.wait_for(asyncio.to_thread(_heard, pipe), PATIENCE)
            except (TimeoutError, OSError, EOFError):
                self.stop()
                raise Abandoned("something was changed meanwhile") from None
        if isinstance(answer, str):
            raise Abandoned(answer)
        return answer

    def _learn(self, weighed: Weighed) -> None:
        if self.now is None or self.now.result.games != weighed.result.games:
            self.first = self.first if self.now is not None else weighed
        elif self.now.content != weighed.content and not _alike(self.now.result, weighed.result):
            self.before = self.now
        self.now = weighed

    def told(self) -> dict[str, Any]:
        """What stands on the strip, JSON-able."""
        now = self.now
        if now is None:
            return {"games": 0}
        result = now.result
        return {
            "games": result.games,
            "players": result.players,
            "seconds": round(result.seconds, 2),
            "wins": [round(share / result.games, 4) for share in result.wins],
            "points": [round(spread.mean, 2) for spread in result.scores],
            "rounds": round(result.rounds.mean, 2),
            "decisions": round((result.decisions + result.forced) / result.games, 1),
            "change": differences(self.before, now),
            "since_opened": differences(self.first, now),
        }


def differences(base: Weighed | None, now: Weighed) -> list[dict[str, Any]] | None:
    """What differs between two weighings; None where there is nothing to compare with."""
    if base is None or base is now or base.result.players != now.result.players:
        return None
    if base.result.games != now.result.games:
        return None
    return [told(one) for one in compare(base.result, now.result)]


def told(one: Compared) -> dict[str, Any]:
    return one.as_json()


def _alike(one: Result, other: Result) -> bool:
    return one.points == other.points and one.decisions_each == other.decisions_each


def _heard(pipe: Connection) -> Any:
    while not pipe.poll(0.05):
        if pipe.closed:
            raise EOFError
    return pipe.recv()


# ---- in the process


def work(pipe: Connection) -> None:
    """Play whatever is asked for, until the other end is gone."""
    os.environ.setdefault("RULELANG_CC_LEVEL", "-O0")  # the code is new each time: making it takes longer than playing
    game: Game | None = None
    while True:
        try:
            home, games, traits = pipe.recv()
            try:
                if game is None or not traits:
                    game = None
                    game = loaded(home)
                answer: Any = asked_about(game, games) if traits else played(game, games)
            except LoadError:
                answer = "there are mistakes in the game, so it cannot be played"
            except RuleError as error:
                answer = f"a game went wrong: {error.diagnostic.message}"
            except ImportError:
                answer = 'what a card does to winning is worked out by the extra `lab`: pip install "rulelang[lab]"'
            except Exception as error:
                answer = f"the games could not be played: {error}"
            pipe.send(answer)
        except (EOFError, OSError):
            return


def loaded(home: str) -> Game:
    """The game as it lies on the disk. With mistakes it is read once more: files are kept one after the other."""
    try:
        return load(home)
    except LoadError:
        time.sleep(MEANWHILE)
        return load(home)


def played(game: Game, games: int) -> Weighed:
    """The games of one state of the files."""
    low, high = game.players
    return Weighed(game.info.content, game.simulate(games, min(high, max(low, USUAL)), SEED))


def asked_about(game: Game, games: int) -> Judged:
    from rulelang.studio.workshop.judging import judged  # it needs the extra `lab`

    return judged(game, games)
