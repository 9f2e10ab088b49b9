"""Many games at once, played in the native library: numpy arrays are shared, and nothing is copied."""

from __future__ import annotations

import time
import weakref
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from itertools import pairwise
from threading import Condition, Thread
from typing import Any, cast

from rulelang.apps.envs.encoding import CARDS_SHOWN, THINGS, Encoding
from rulelang.apps.envs.layout import ASKED, CHOSEN, NUMBER
from rulelang.apps.envs.needs import load_numpy
from rulelang.base.phrases import flatten
from rulelang.compiler.backends.native.link import Context, NativeProgram, array_address
from rulelang.runtime.game import Game
from rulelang.runtime.program import Extended

# ---- the encoding as an array

#: What stands first in the array, in this order: numbers, and of each table where it begins.
HEADER = (
    "size", "ids", "kinds_n", "kinds", "looks", "seen", "owner", "number", "letters", "sites", "shapes",
    "pieces", "ops", "dims", "families_n", "families", "rows", "candidates", "piles", "asks", "told", "tolds",
    "reasons", "subjects", "face", "digits", "active", "phase", "asked", "chosen", "room", "things", "places", "stride",
    "near", "beyond",
)  # fmt: skip
#: Words for the options of a game that are kept between two steps of a decision; more are listed again.
ROOM = 2048


class EncodingTables:
    """`words`: the array. `stride`: words of one game in the caller's memory. `fixed`: those that the library wants
    beside what the tables need; `asks`: by site the number of the function that tells of its question, or -1."""

    def __init__(self, encoding: Encoding, fixed: int, asks: Sequence[int]) -> None:
        self._at: dict[str, int] = {}
        self.words = array("i", [0] * len(HEADER))
        reader, ids, plan = encoding.reader, encoding.ids, encoding.plan
        layout, program = reader.layout, encoding.table.program
        kinds, things, places = [], 0, 0
        for made in reader.kinds:
            kind = made.layout
            kinds.append((kind.owners, kind.per_owner, made.shown, kind.alive, kind.next, kind.first, kind.count,
                          things, places))  # fmt: skip
            things += kind.owners * made.shown
            places += kind.owners * kind.per_owner + 1
        self.rows("kinds", kinds)
        self.rows("looks", [reader.looks])
        self.rows("seen", [reader.zone_seen])
        self.rows("owner", [layout.zone_owner])
        self.rows("number", [ids.zone_number])
        self.rows("letters", [self._letters(ids.zone_owner(zone)) for zone in range(len(layout.zones))])
        shapes = [shape for site in ids.shapes for shape in site]
        firsts = _starts(len(site) for site in ids.shapes)
        self.rows("sites", [(0, *firsts[:-1])])
        self.rows("shapes", zip(_starts(map(len, shapes)), map(len, shapes), strict=False))
        self.rows("pieces", (astuple(piece) for shape in shapes for piece in shape))
        self.rows("ops", map(astuple, plan.ops))
        self.rows("dims", map(astuple, plan.dims))
        self.rows("families", map(astuple, plan.families))
        self.rows("rows", [plan.rows])
        self.rows("candidates", [plan.candidates])
        self.rows("piles", [(pile.array, pile.base, pile.stride, pile.first, pile.count) for pile in plan.piles])
        self.rows("asks", [(-1, *asks)])
        told = [cast(Any, standing)[7] for standing in program.standings]
        self.rows("told", zip(_starts(map(len, told)), map(len, told), strict=False))
        self.rows("tolds", (pair for pairs in told for pair in pairs))
        subjects = [self._subjects(encoding, flatten(reason.text)) for reason in program.reasons]
        self.rows("reasons", zip(_starts(map(len, subjects)), map(len, subjects), strict=False))
        self.rows("subjects", (row for rows in subjects for row in rows))
        self.stride = fixed + things + places + ROOM
        # What ids are made of, of the words that lie behind a curtain: where cards lie, and the order of things.
        blocks = [(layout.where, len(layout.cards))]
        for kind in (made.layout for made in reader.kinds):
            blocks.append((kind.next or kind.alive, kind.owners * kind.per_owner + 1))
            if kind.next:
                blocks.append((kind.first, kind.owners + 1))
        near, beyond = [at for at, _ in blocks], [at + size for at, size in blocks]
        self._at |= {
            "size": encoding.size, "ids": ids.count, "kinds_n": len(kinds), "families_n": len(plan.families),
            "face": layout.card_face, "digits": ids.digits.base, "active": layout.cells.active,
            "phase": layout.cells.phase, "asked": ASKED, "chosen": CHOSEN, "room": ROOM, "things": things,
            "places": places, "stride": self.stride, "near": min(near), "beyond": max(beyond),
        }  # fmt: skip
        self.words[: len(HEADER)] = array("i", [self._at[name] for name in HEADER])
        self.spare = max((family.size for family in plan.families), default=1)

    def rows(self, name: str, rows: Iterable[Iterable[int]]) -> None:
        """Put a table at the end."""
        self._at[name] = len(self.words)
        for row in rows:
            self.words.extend(row)

    def _letters(self, letters: Any) -> tuple[int, int, int]:
        if letters is None or letters.reading is None:
            return -1, 0, 0
        return letters.reading.code, letters.reading.argument, letters.base

    def _subjects(self, encoding: Encoding, text: Sequence[str | tuple[int, str]]) -> list[tuple[int, int, int]]:
        kinds = dict(part for part in text if not isinstance(part, str))
        found = []
        for at in range(max(kinds, default=-1) + 1):
            kind = kinds.get(at, "")
            letters = encoding.ids.letters_of(kind)
            found.append((NUMBER, 0, encoding.ids.digits.base) if kind == "int" else self._letters(letters))
        return found


def _starts(lengths: Iterable[int]) -> list[int]:
    """Where each of several pieces begins, one behind the other; the end of the last."""
    found = [0]
    for length in lengths:
        found.append(found[-1] + length)
    return found


# ---- `learn.c`

#: The native backend with what this needs.
LEARNING = Extended("rulelang.apps.envs", "learn.c")
#: What `rl_learn` tells in the first word of its work when it stops before the last game.
_ILLEGAL, _CROWDED, _BROKE = 1, 2, 3
#: Words of a bell, and where in it stands what is asked for and what came of it.
_WORDS, _IDS, _DONE, _REACHED = 16, 1, 8, 9
#: Where in a share stand the end of its games, and the address of its work.
_LAST, _WORK = 3, 11


@dataclass(frozen=True, slots=True)
class Buffers:
    """Addresses of the caller's arrays, by game: 0 for those that are not wanted. `games`: 32-bit words, so many a game
    as the tables say, zeros at first; `seeds`: of the next game, 64 bits; `seen`: 16 bits; `masks`: bytes; `rewards`:
    floats by seat; `ended`: bytes; `asked`: seats, 32 bits."""

    games: int
    seeds: int
    seen: int
    masks: int
    rewards: int
    ended: int
    asked: int


class Learner:
    """Takes an id in each of some games and tells what comes next; one thread at a time. `share`: what it plays and
    writes into, as `learn.c` reads it, but for the last word: the address of its work."""

    def __init__(self, program: NativeProgram, share: array[int], first: int, spare: int) -> None:
        self.program, self.spare = program, spare
        self.first, self.last = first, share[_LAST]
        self.share, self.given = share, array_address(share)
        self.work = array("i")
        self.out: array[int] | None = None

    def __call__(self, actions: int) -> int:
        """Take these ids, 32-bit words at an address (0: take none, only tell). Answers `last`, or the game whose id is
        not legal: nothing has changed there and behind. RuleError for a mistake in the rules, ValueError for rules that
        ask nobody anything."""
        return self.taken(actions, self.first)

    def served(self, bells: Bells, k: int, turns: int) -> None:
        """Take ids whenever the bell k asks for it, until it has not for so many turns. Errors as above; the bell is
        still to be told then that it is done."""
        serve, bell = self.program.lib.rl_learn_serve, bells.at(k)
        while serve(self.ready().C, self.given, self.first, bell, turns):
            bells.done(k, self.taken(bells.ids(k), self.stopped(bells.reached(k))))

    def ready(self) -> Context:
        """The context of this thread, with room for what it tells."""
        here = self.program.here
        if here.out is not self.out:
            self.out = here.out
            self.work = array("i", bytes(4 * (2 + self.spare + 3 * (len(here.out) // 2))))
            self.share[_WORK] = array_address(self.work)
        return here

    def taken(self, actions: int, at: int) -> int:
        while True:
            done: int = self.program.lib.rl_learn(self.ready().C, self.given, at, actions)
            if done == self.last or self.work[0] == _ILLEGAL:
                return done
            at = self.stopped(done)

    def stopped(self, reached: int) -> int:
        """Where to go on after it stopped before a game."""
        here = self.program.here
        if self.work[0] == _CROWDED:
            here.room(8 * len(here.out))
        elif self.work[0] == _BROKE:
            if not here.error()[0]:
                raise ValueError("a game ends before its first decision: there is nothing to learn")
            self.program.raise_error()
        return reached


class Bells:
    """By which so many threads are asked to take ids, with a learner each: `words`, as the library lays them out."""

    def __init__(self, program: NativeProgram, count: int) -> None:
        self.program, self.count = program, count
        self.words = array("q", bytes(8 * _WORDS * (count + 1)))
        self.start = array_address(self.words)

    def at(self, k: int) -> int:
        return self.start + 8 * _WORDS * k

    def ask(self, actions: int) -> None:
        """Ask all for a step with these ids (as `Learner.__call__`)."""
        self.program.lib.rl_learn_ask(self.start, self.count, actions)

    def answered(self, turns: int) -> bool:
        """Whether all are done, waiting so many turns at most."""
        return bool(self.program.lib.rl_learn_await(self.program.here.C, self.start, self.count, turns))

    def asks(self, k: int) -> bool:
        return self.words[_WORDS * k] != self.words[_WORDS * k + _DONE]

    def ids(self, k: int) -> int:
        return self.words[_WORDS * k + _IDS]

    def reached(self, k: int) -> int:
        """How far the last step came."""
        return self.words[_WORDS * k + _REACHED]

    def done(self, k: int, reached: int) -> None:
        self.program.lib.rl_learn_done(self.at(k), reached)


class Learning:
    """Many games of a table in its library. ValueError for games that it cannot look at: without zones, or a score."""

    def __init__(self, program: NativeProgram) -> None:
        self.program, self.lib = program, program.lib
        if not hasattr(self.lib, "rl_learn"):
            raise ValueError("games without zones or a score have no vector environment")

    @property
    def words(self) -> int:
        """Words of a game in the caller's memory, beside those of the tables."""
        return int(self.lib.rl_learn_words())

    @property
    def asks(self) -> list[int]:
        """By site the number of the function that tells what its question speaks of; -1 if it speaks of nothing."""
        numbers, why = self.program.numbers, self.program.module.why
        return [numbers[why[site.asks]] if site.asks else -1 for site in self.program.sites]

    def learner(self, tables: array[int], buffers: Buffers, first: int, last: int, step: int, spare: int) -> Learner:
        """What takes ids in the games `first` .. `last` - 1. Games that end are followed by new ones, with seeds `step`
        further."""
        b, words = buffers, (array_address(tables), array_address(self.program.start))
        share = (*words, b.games, last, b.seeds, step, b.seen, b.masks, b.rewards, b.ended, b.asked, 0)
        return Learner(self.program, array("q", share), first, spare)

    def any_legal(self, masks: int, games: int, ids: int, chance: int, actions: int) -> Callable[[], None]:
        """What chooses in each game any id that may be chosen, into `actions`. `chance`: two words a game."""
        return partial(self.lib.rl_learn_any, masks, games, ids, chance, actions)

    def seed_chance(self, chance: int, seed: int) -> None:
        """Seed one generator."""
        self.lib.rl_learn_seed(chance, seed)


# ---- the pool of threads

#: Turns of waiting (some 40 ns each) before a thread sleeps; seconds between looks at whether the others are done.
TURNS, NAP = 10_000, 0.000_1


class WorkerPool:
    """Takes ids with several learners (`learning.Learner`): the first in the thread that asks."""

    def __init__(self, learners: Sequence[Learner], bells: Bells) -> None:
        self._mine, self._others = learners[0], list(learners[1:])
        self._bells = bells
        self._sleep = _Barrier()
        self._threads = [
            Thread(target=_serve_learner, args=(learner, bells, k, self._sleep), daemon=True, name=f"games {k + 2}")
            for k, learner in enumerate(self._others)
        ]
        for thread in self._threads:
            thread.start()
        self.close = weakref.finalize(self, self._sleep.end)

    def __call__(self, actions: int) -> list[int]:
        """How far each learner came with these ids, as the learner says it. The first mistake in the rules is raised
        when all are done."""
        sleep, bells = self._sleep, self._bells
        if not self.close.alive:
            raise RuntimeError("the environment is closed")
        sleep.failed.clear()
        with sleep.changed:
            bells.ask(actions)
            if sleep.asleep:
                sleep.changed.notify_all()
        try:
            mine = self._mine(actions)
        finally:
            while not bells.answered(TURNS):
                time.sleep(NAP)
        if sleep.failed:
            raise sleep.failed[min(sleep.failed)]
        return [mine, *(bells.reached(k) for k in range(len(self._others)))]


class _Barrier:
    """What the threads have in common: how many are asleep, whether it is over, and what failed."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.asleep = 0
        self.over = False
        self.failed: dict[int, BaseException] = {}

    def end(self) -> None:
        with self.changed:
            self.over = True
            self.changed.notify_all()


def _serve_learner(learner: Learner, bells: Bells, k: int, sleep: _Barrier) -> None:
    while not sleep.over:
        try:
            learner.served(bells, k, TURNS)
        except BaseException as problem:  # raised again where the step was asked for
            sleep.failed[k] = problem
            bells.done(k, bells.reached(k))
        with sleep.changed:
            sleep.asleep += 1
            while not bells.asks(k) and not sleep.over:
                sleep.changed.wait()
            sleep.asleep -= 1


# ---- the environment


class VectorEnv:
    """`count` games of one table, each at a decision of some seat; where one ends, the next begins.

    After `reset` and each `step` these arrays tell of all games (they stay the same arrays):

    - `observations` (count, size), int16: what the seat sees that is asked; None if they are not wanted;
    - `masks` (count, actions), uint8: the ids that it may choose;
    - `asked` (count,), int32: the seat, from 1;
    - `rewards` (count, players), float32: by seat, of a game that has just ended, else 0;
    - `ended` (count,), uint8: 1 where it has, so that all else is of the next game.

    `step` takes the ids as an int32 array: `actions` is one that may be used. Game k of slot i has the seed
    `seed + i + k * count`, as `Game.new` takes it. `threads`: so many play at once, each its share of the games; they
    say the same whatever their number.
    """

    def __init__(
        self, game: Game, count: int, players: int = 2, options: Mapping[str, object] | None = None, *, seed: int = 0,
        observations: bool = True, threads: int = 1, things: int = THINGS, cards: int = CARDS_SHOWN,
    ) -> None:  # fmt: skip
        np = load_numpy()
        if count < 1 or threads < 1:
            raise ValueError("a vector environment needs at least one game and one thread")
        self.game, self.count, self.players, self.seed = game, count, players, seed
        self.table = game.table(players, options, LEARNING)
        self.encoding = Encoding(self.table, things, cards)
        self._learning = Learning(cast(NativeProgram, self.table.program))
        self._tables = EncodingTables(self.encoding, self._learning.words, self._learning.asks)
        size, ids = self.encoding.size, self.encoding.actions
        self.observations: Any = np.zeros((count, size), np.int16) if observations else None
        self.masks: Any = np.zeros((count, ids), np.uint8)
        self.rewards: Any = np.zeros((count, players), np.float32)
        self.ended: Any = np.zeros(count, np.uint8)
        self.asked: Any = np.zeros(count, np.int32)
        self.actions: Any = np.zeros(count, np.int32)
        self._games: Any = np.zeros((count, self._tables.stride), np.int32)
        self._seeds: Any = np.zeros(count, np.uint64)
        self._chance: Any = np.zeros((count, 2), np.int32)
        seen = 0 if self.observations is None else self.observations.ctypes.data
        self._buffers = Buffers(
            self._games.ctypes.data, self._seeds.ctypes.data, seen, self.masks.ctypes.data, self.rewards.ctypes.data,
            self.ended.ctypes.data, self.asked.ctypes.data,
        )  # fmt: skip
        bounds = [count * k // threads for k in range(threads + 1)]
        shares = [(a, b) for a, b in pairwise(bounds) if a < b]
        words, spare = self._tables.words, self._tables.spare
        learners = [self._learning.learner(words, self._buffers, a, b, count, spare) for a, b in shares]
        self._ends = [end for _, end in shares]
        self._crew = (
            WorkerPool(learners, Bells(self._learning.program, len(learners) - 1)) if len(learners) > 1 else None
        )
        self._play = learners[0]
        self._any = self._learning.any_legal(
            self.masks.ctypes.data, count, ids, self._chance.ctypes.data, self.actions.ctypes.data
        )
        self._own = self.actions.ctypes.data
        self._begun = False

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, with these seeds."""
        self.seed = self.seed if seed is None else seed
        self._games[:, :8] = 0
        for k in range(self.count):
            self._seeds[k] = (self.seed + k) % 2**64
            self._learning.seed_chance(self._chance[k].ctypes.data, self.seed + k)
        self._begun = True
        self._go(0)

    def step(self, actions: Any) -> None:
        """Choose an id in each game. ValueError for one that is not legal: the games before it have gone on then, so
        the environment has to be reset. RuleError for a mistake in the rules."""
        if not self._begun:
            raise RuntimeError("the games have not started: call `reset` first")
        if actions is self.actions:
            self._go(self._own)
            return
        if actions.dtype != self.actions.dtype or actions.shape != (self.count,) or not actions.flags.c_contiguous:
            raise ValueError(f"`step` takes {self.count} ids as a contiguous array of 32-bit integers")
        self._go(actions.ctypes.data)

    def sample(self) -> Any:
        """Any legal id in each game, each as likely: in `actions`, which is returned."""
        self._any()
        return self.actions

    def _go(self, actions: int) -> None:
        if self._crew is None:
            done = [self._play(actions)]
        else:
            done = self._crew(actions)
        for game, end in zip(done, self._ends, strict=True):
            if game < end:
                self._begun = False
                raise ValueError(f"the action id in game {game} is not legal there: `masks` shows the legal ids")

    def close(self) -> None:
        """Let the threads go."""
        if self._crew is not None:
            self._crew.close()
