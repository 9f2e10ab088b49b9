"""What a library does without coming back for every step: searches, observations, games between agents (`search`)."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from rulelang.backends.native import prelude
from rulelang.backends.native.context import Context
from rulelang.backends.native.prelude import KINDS
from rulelang.base.layout import Layout

_I64 = ctypes.c_longlong
_U64 = ctypes.c_ulonglong

#: What tells the library the time that its thread has had of a core, in nanoseconds.
CLOCK = ctypes.CFUNCTYPE(_I64)(time.thread_time_ns)

#: An agent of the library: its name there, and its budget (playouts or iterations; 0 for those without).
Inner = tuple[str, int]


class Inside:
    """Mixed into a native program."""

    lib: Any
    layout: Layout
    start: array[int]
    width: int

    # What the program has.
    @property
    def here(self) -> Context:
        raise NotImplementedError

    def raise_error(self) -> NoReturn:
        raise NotImplementedError

    # ---- by number

    def count(self, S: list[int]) -> int:
        """How many options the pending decision has; 0 if there is none."""
        here = self.here
        here.enter(S)
        return self.answer(self.lib.rl_count(here.C, here.at))

    def choose(self, S: list[int], k: int) -> int:
        """Take the option with this number, in place; the number of options of the next decision, 0 at the end."""
        here = self.here
        here.enter(S)
        found = self.lib.rl_choose(here.C, here.at, _I64(k))
        here.leave(S)
        return self.answer(found)

    # ---- secrets

    def observe(self, S: Sequence[int], seat: int) -> list[int]:
        """As `engine.secrets.Secrets.observe`."""
        here = self.here
        here.enter(S)
        self.lib.rl_observe(here.at, _I64(seat))
        return here.words.tolist()

    def observed(self, S: Sequence[int], seat: int) -> list[int] | None:
        """The same, packed; None of a program without zones, in which searches are left out."""
        if not hasattr(self.lib, "rl_observe"):
            return None
        here = self.here
        here.enter(S)
        self.lib.rl_observe(here.at, _I64(seat))
        found: Any = here.words[:]
        return found  # type: ignore[no-any-return]

    def determinise(self, S: list[int], seat: int, seed: int) -> None:
        """As `engine.secrets.Secrets.determinise`, with a generator of this seed."""
        here = self.here
        here.enter(S)
        self.lib.rl_determinise(here.C, here.at, _I64(seat), _U64(seed & (2**64 - 1)))
        here.leave(S)

    # ---- bots

    def search(
        self, kind: str, S: Sequence[int], seat: int, games: int, seed: int, milliseconds: int = 0
    ) -> tuple[int, list[tuple[int, int]]]:
        """The index of the option that an agent of this kind chooses, and of each option how often it was tried and
        what that came to: as `agents.search.Searcher.search`. `milliseconds`: how long, if not so many `games`."""
        tallies = array("q")

        def go(here: Context) -> int:
            nonlocal tallies
            here.enter(S)
            tallies = array("q", bytes(16 * max(self.lib.rl_count(here.C, here.at), 0)))
            return int(
                self.lib.rl_search(
                    here.C, here.at, _I64(KINDS[kind]), _I64(seat), _I64(games), _U64(seed & (2**64 - 1)),
                    CLOCK if milliseconds else None, _I64(1_000_000 * milliseconds), _place(tallies),
                )
            )  # fmt: skip

        found = self.with_room(go, games or 100 * milliseconds)
        return found, list(zip(tallies[::2], tallies[1::2], strict=True))

    def between(self, S: list[int], agents: Sequence[Inner], chance: Sequence[tuple[int, int]]) -> None:
        """Play on to the end between agents, in place. `chance`: each agent's generator."""
        kinds, budgets, most = _arrays(agents)

        def go(here: Context) -> int:
            here.enter(S)
            words = array("i", [word for pair in chance for word in pair])
            return int(self.lib.rl_between(here.C, here.at, _I64(len(agents)), kinds, budgets, _place(words)))

        self.with_room(go, most)
        self.here.leave(S)

    def between_many(self, series: int, first: int, games: int, agents: Sequence[Inner]) -> list[tuple[int, ...]]:
        """Whole games between agents by seat (repeated if fewer), told as by `play_many`: the games of a series."""
        kinds, budgets, most = _arrays(agents)
        rows, words = array("q", bytes(8 * self.width * games)), array("i", bytes(8 * len(agents)))

        def go(here: Context) -> int:
            done = self.lib.rl_between_many(
                here.C, here.at, _place(self.start), _U64(series & (2**64 - 1)), _I64(first), _I64(games),
                _I64(len(agents)), kinds, budgets, _place(words), _place(rows),
            )  # fmt: skip
            return 0 if done == games else -1

        self.with_room(go, most)
        return [tuple(rows[i : i + self.width]) for i in range(0, self.width * games, self.width)]

    # ---- room and errors

    def with_room(self, go: Callable[[Context], int], budget: int) -> int:
        """What a call answers, with ever more room for options and nodes until it is enough."""
        here, nodes = self.here, max(4096, 64 * (budget + 2))
        while True:
            tree = array("q", bytes(8 * nodes))
            self.lib.rl_tree(here.C, _place(tree), _I64(nodes))
            found = go(here)
            if found >= 0:
                return found
            match here.error()[:2]:
                case [prelude.INTERNAL, prelude.CROWDED]:
                    here.room(8 * len(here.out))
                case [prelude.INTERNAL, prelude.TREE]:
                    nodes *= 4
                case _:
                    self.raise_error()

    def answer(self, found: int) -> int:
        if found < 0:
            self.raise_error()
        return found


def _arrays(agents: Sequence[Inner]) -> tuple[Any, Any, int]:
    kinds = (_I64 * len(agents))(*(KINDS[name] for name, _ in agents))
    budgets = (_I64 * len(agents))(*(budget for _, budget in agents))
    return kinds, budgets, max(budget for _, budget in agents)


def _place(words: array[int]) -> Any:
    return ctypes.c_void_p(words.buffer_info()[0])
