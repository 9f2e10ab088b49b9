"""The balance strip: games played in the background, in a process of its own that can be abandoned at any moment.

What is compared are two states of the same files, with the same seeds: as they are now, against as they were before the
last change that plays otherwise, or as they were when the page was opened.

The first answer comes when a few seconds are over, with as many games as could be played until then, and is sharpened
when the page asks for `more`. The numbers of games at which one may stop are the same for all states of the files, so
two of them are compared by the same games even if more were played of one.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rulelang.api import load
from rulelang.apps.lab.statistics import Compared, compare_series
from rulelang.base.errors import RuleError
from rulelang.base.languages import ENGLISH, Language, PhrasedError
from rulelang.base.phrases import Phrase, phrase
from rulelang.compiler.compilation import LoadError
from rulelang.runtime.game import Game
from rulelang.runtime.program import NATIVE_OR_PYTHON
from rulelang.runtime.simulate import Result, Totals, play_series, played_rules

if TYPE_CHECKING:
    from rulelang.apps.studio.workshop.trait_verdicts import Judged

#: Games that are played for one weighing, and after how many of them it may stop for now.
GAMES, STEPS = 3000, (150, 500, 1500, 3000)
#: Seconds after which there is an answer, if so many games as the first step wants could be played until then.
SOON = 2.2
#: Seconds that are left to whoever is to stop.
STOPPING = 0.8
#: How many play, if the game allows it.
USUAL = 4
SEED = 1
#: Seconds until a weighing is given up.
PATIENCE = 120.0
#: Seconds in which whoever writes several files is done with the others.
MEANWHILE = 0.3


#: What the process is asked for: to play the game as it lies on the disk, to go on, or what traits do to winning.
Wanted = Literal["play", "more", "judge"]
CHANGED = phrase("something has changed")


class Abandoned(PhrasedError):
    """Something was changed meanwhile, or there is nothing to play; the text says so."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What came of one state of the files. `content`: what it is known by; `results`: after so many games."""

    content: str
    results: dict[int, Result]

    @property
    def result(self) -> Result:
        return self.results[max(self.results)]


class Scales:
    """Weighs one game, one state of its files at a time: a new one takes the place of one that is not done."""

    def __init__(self, home: Path, games: int = GAMES) -> None:
        self.home, self.games = home, games
        self.wanted = games
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
            self._process = context.Process(target=answer_requests, args=(theirs,), daemon=True, name="rulelang scales")
            self._process.start()
            theirs.close()
        return self._pipe

    @property
    def pid(self) -> int | None:
        """Of the process, if there is one."""
        return self._process.pid if self._process is not None else None

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    # ---- weighing

    async def weigh(self, games: int | None = None, *, more: bool = False) -> dict[str, Any]:
        """Play the game as it lies on the disk, for a few seconds; `more`: go on with the one that was played last.
        Abandoned if another weighing begins first, or it cannot be played."""
        if not more:
            self.wanted = games or self.games
        self._learn(await self._asked("more" if more and self.now else "play", self.wanted))
        return self.told()

    async def judge(
        self, games: int | None = None, language: Language = ENGLISH, called: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """What the traits of the game that was weighed last do to winning: see `told_traits`. Abandoned likewise."""
        answer: Judged = await self._asked("judge", games or self.games)
        from rulelang.apps.studio.workshop.trait_verdicts import trait_verdicts

        if self.judged and self.judged[-1].content == answer.content:
            self.judged.pop()
        elif len(self.judged) > 2:
            self.judged.pop(1)
        self.judged.append(answer)
        return trait_verdicts(self.judged, language, called or {})

    async def _asked(self, what: Wanted, games: int) -> Any:
        self._turn += 1
        turn = self._turn
        if self._one.locked():
            await self._break_off()  # whoever waits for that one is told
        async with self._one:
            if turn != self._turn:
                raise Abandoned(CHANGED)
            pipe = await asyncio.to_thread(self._start)
            try:
                pipe.send((str(self.home), games, what))
                async with asyncio.timeout(PATIENCE):
                    answer = await asyncio.to_thread(_received, pipe)
            except (TimeoutError, OSError, EOFError):
                self.stop()
                raise Abandoned(CHANGED) from None
        if turn != self._turn or isinstance(answer, Phrase):
            raise Abandoned(answer if isinstance(answer, Phrase) else CHANGED)
        return answer

    async def _break_off(self) -> None:
        """Have the process stop what it is doing: it is asked to, and ended if it does not."""
        with contextlib.suppress(OSError, ValueError):
            if self._pipe is not None:
                self._pipe.send(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOPPING):
                while self._one.locked():
                    await asyncio.sleep(0.02)
                return
        self.stop()

    def _learn(self, weighed: Weighed) -> None:
        now = self.now
        if now is not None and now.content == weighed.content:
            weighed = Weighed(now.content, {**now.results, **weighed.results})
            self.before = weighed if self.before is now else self.before
            self.first = weighed if self.first is now else self.first
        elif now is not None and not _alike(now, weighed):
            self.before = now
        self.first = self.first or weighed
        self.now = weighed

    def told(self) -> dict[str, Any]:
        """What stands on the strip, JSON-able."""
        now = self.now
        if now is None:
            return {"games": 0}
        result = now.result
        return {
            "games": result.games,
            "more": result.games < self.wanted,
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
    both = _joined_series(base, now) if base is not None and base is not now else None
    return None if both is None else [weighed_data(one) for one in compare_series(*both)]


def weighed_data(one: Compared) -> dict[str, Any]:
    return one.as_json()


def _joined_series(one: Weighed, other: Weighed) -> tuple[Result, Result] | None:
    """What came of as many games of both, as many as there are."""
    games = max(one.results.keys() & other.results.keys(), default=0)
    alike = games and one.results[games].players == other.results[games].players
    return (one.results[games], other.results[games]) if alike else None


def _alike(one: Weighed, other: Weighed) -> bool:
    both = _joined_series(one, other)
    return both is not None and both[0].points == both[1].points and both[0].decisions_each == both[1].decisions_each


def _received(pipe: Connection) -> Any:
    while not pipe.poll(0.05):
        if pipe.closed:
            raise EOFError
    return pipe.recv()


# ---- in the process


class Broken(Exception):
    """What is being done is not wanted any more."""


class Series:
    """The games of one state of the files, as far as they were played."""

    def __init__(self, game: Game) -> None:
        self.game = game
        low, high = game.players
        self.players = min(high, max(low, USUAL))
        self.totals = Totals(self.players)
        self.seconds = 0.0
        self.results: dict[int, Result] = {}

    def play(self, games: int, until: float, pause: Callable[[], None]) -> Weighed:
        """Play to the next step, and on while the clock allows it."""
        new: dict[int, Result] = {}
        done = self.totals.games
        for step in sorted({step for step in (*STEPS, games) if done < step <= games}):
            rest = self.seconds / done * (step - done) if done else 0.0
            if new and time.monotonic() + rest > until:
                break
            while done < step:
                pause()
                begun = time.perf_counter()
                some = range(done, min(done + STEPS[0], step))
                play_series(self.game, some, self.players, SEED, backend=NATIVE_OR_PYTHON, totals=self.totals)
                self.seconds += time.perf_counter() - begun
                done = self.totals.games
            new[step] = self._result()
        self.results |= new
        return Weighed(self.game.info.content, new or self.results)

    def _result(self) -> Result:
        """What came of the games so far; more may be counted later."""
        found = self.totals.result(SEED, self.seconds, played_rules(self.game, self.players, None, None))
        return replace(
            found, points=[*found.points], rounds_each=[*found.rounds_each], decisions_each=[*found.decisions_each]
        )


def answer_requests(pipe: Connection) -> None:
    """Play whatever is asked for, until the other end is gone."""
    # The code is new each time, most of it as it was: making it takes longer than playing.
    os.environ.setdefault("RULELANG_CC_LEVEL", "-O0")
    os.environ.setdefault("RULELANG_CC_APART", "1")
    series: Series | None = None

    def pause() -> None:
        if pipe.poll() and pipe.recv() is None:
            raise Broken

    while True:
        try:
            asked = pipe.recv()
            if asked is None:
                continue  # what was to stop is done
            until = time.monotonic() + SOON
            home, games, what = asked
            try:
                if series is None or what == "play":
                    series = None
                    series = Series(load_game(home))
                answer: Any = (
                    judge_games(series.game, games, pause) if what == "judge" else series.play(games, until, pause)
                )
            except Broken:
                answer = CHANGED
            except LoadError:
                answer = phrase("the game has errors, so it cannot be played")
            except RuleError as error:
                answer = phrase("a game failed: {problem}", problem=error.diagnostic.message)
            except ImportError:
                answer = phrase('measuring how cards affect winning needs the extra `lab`: pip install "rulelang[lab]"')
            except Exception as error:
                answer = phrase("cannot play the games: {problem}", problem=str(error))
            pipe.send(answer)
        except (EOFError, OSError):
            return


def load_game(home: str) -> Game:
    """The game as it lies on the disk. With mistakes it is read once more: files are kept one after the other."""
    try:
        return load(home)
    except LoadError:
        time.sleep(MEANWHILE)
        return load(home)


def judge_games(game: Game, games: int, pause: Callable[[], None]) -> Judged:
    from rulelang.apps.studio.workshop.trait_verdicts import judge_traits  # it needs the extra `lab`

    return judge_traits(game, games, pause)
