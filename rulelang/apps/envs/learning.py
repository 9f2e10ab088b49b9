"""Many games at once for programs that learn: `learn.c`, over memory of the caller."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rulelang.compiler.backends.native.link import Context, NativeProgram, array_address
from rulelang.runtime.program import Extended

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
