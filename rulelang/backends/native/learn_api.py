"""Many games at once for programs that learn: `runtime/learn.c`, over memory of the caller."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from rulelang.backends.native.context import Context
from rulelang.base.layout import Site

_I64 = ctypes.c_longlong
_U64 = ctypes.c_ulonglong
#: What `rl_learn` tells in the first word of its work when it stops before the last game.
_ILLEGAL, _CROWDED = 1, 2


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


class Learning:
    """Mixed into a native program."""

    lib: Any
    start: array[int]
    sites: Any
    module: Any
    numbers: dict[str, int]

    # What the program has.
    @property
    def here(self) -> Context:
        raise NotImplementedError

    def raise_error(self) -> NoReturn:
        raise NotImplementedError

    @property
    def learns(self) -> bool:
        """Whether the library has what this needs: not where there are no zones or no score."""
        return hasattr(self.lib, "rl_learn")

    @property
    def learn_words(self) -> int:
        """Words of a game in the caller's memory, beside those of the tables."""
        return int(self.lib.rl_learn_words())

    @property
    def asks(self) -> list[int]:
        """By site the number of the function that tells what its question speaks of; -1 if it speaks of nothing."""
        sites: list[Site] = self.sites
        return [self.numbers[self.module.why[site.asks]] if site.asks else -1 for site in sites]

    def learner(
        self, tables: array[int], buffers: Buffers, first: int, last: int, step: int, spare: int
    ) -> Callable[[int], int]:
        """What takes an id in each of the games `first` .. `last` - 1 and tells what comes next. Games that end are
        followed by new ones, with seeds `step` further.

        It is called with the address of 32-bit ids (0: take none, only tell), by one thread at a time, and answers
        `last`, or the game whose id is not legal: nothing has changed there and behind. RuleError for a mistake in the
        rules, ValueError for rules that ask nobody anything.
        """
        go_on, work, begin, end = self.lib.rl_learn, array("i"), _I64(first), _I64(last)
        there = _at(work)
        before = (_at(tables), _at(self.start), _p(buffers.games))
        behind = (
            _p(buffers.seeds), _U64(step), _p(buffers.seen), _p(buffers.masks), _p(buffers.rewards), _p(buffers.ended),
            _p(buffers.asked),
        )  # fmt: skip

        def go(actions: int) -> int:
            nonlocal work, there
            here, at, given = self.here, begin, _p(actions)
            while True:
                room = 2 + spare + 3 * (len(here.out) // 2)
                if len(work) < room:
                    work = array("i", bytes(4 * room))
                    there = _at(work)
                done: int = go_on(here.C, *before, at, end, given, *behind, there)
                if done == last or work[0] == _ILLEGAL:
                    return done
                if work[0] != _CROWDED:
                    if not here.error()[0]:
                        raise ValueError("a game ends before anybody is asked anything: there is nothing to learn")
                    self.raise_error()
                here.room(8 * len(here.out))
                at = _I64(done)

        return go

    def any_legal(self, masks: int, games: int, ids: int, chance: int, actions: int) -> Callable[[], None]:
        """What chooses in each game any id that may be chosen, into `actions`. `chance`: two words a game."""
        return partial(self.lib.rl_learn_any, _p(masks), _I64(games), _I64(ids), _p(chance), _p(actions))

    def seed_chance(self, chance: int, seed: int) -> None:
        """Seed one generator."""
        self.lib.rl_learn_seed(_p(chance), _U64(seed & (2**64 - 1)))


def _at(words: array[int]) -> Any:
    return ctypes.c_void_p(words.buffer_info()[0])


def _p(address: int) -> Any:
    return ctypes.c_void_p(address or None)
