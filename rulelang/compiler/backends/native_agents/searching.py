"""What a library does without coming back for every step: searches, observations, games between agents (`search`)."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from rulelang.compiler.backends.native import prelude
from rulelang.compiler.backends.native.context import Context, place
from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.compiler.backends.native_agents import tables
from rulelang.compiler.backends.native_agents.library import EXPORTING

#: What tells the library the time that its thread has had of a core, in nanoseconds.
CLOCK = ctypes.CFUNCTYPE(ctypes.c_longlong)(time.thread_time_ns)

#: An agent of the library: its name there, and its budget (playouts or iterations; 0 for those without).
Inner = tuple[str, int]


class Searching(NativeProgram):
    """A native program that has it."""

    more = EXPORTING

    # ---- by number

    def count(self, S: list[int]) -> int:
        """How many options the pending decision has; 0 if there is none."""
        return self.answer(self.ask(S, self.lib.rl_count))

    def choose(self, S: list[int], k: int) -> int:
        """Take the option with this number, in place; the number of options of the next decision, 0 at the end."""
        return self.answer(self.act(S, self.lib.rl_choose, k))

    # ---- secrets

    def observe(self, S: Sequence[int], seat: int) -> list[int]:
        """As `engine.secrets.Secrets.observe`."""
        self.ask(S, self.lib.rl_observe, seat)
        return self.here.words.tolist()

    def observed(self, S: Sequence[int], seat: int) -> list[int] | None:
        """The same, packed; None of a program without zones, in which searches are left out."""
        if not hasattr(self.lib, "rl_observe"):
            return None
        self.ask(S, self.lib.rl_observe, seat)
        found: Any = self.here.words[:]
        return found  # type: ignore[no-any-return]

    def determinise(self, S: list[int], seat: int, seed: int) -> None:
        """As `engine.secrets.Secrets.determinise`, with a generator of this seed."""
        self.act(S, self.lib.rl_determinise, seat, seed)

    # ---- bots

    def search(
        self, kind: str, S: Sequence[int], seat: int, games: int, seed: int, milliseconds: int = 0
    ) -> tuple[int, list[tuple[int, int]]]:
        """The index of the option that an agent of this kind chooses, and of each option how often it was tried and
        what that came to: as `agents.search.Searcher.search`. `milliseconds`: how long, if not so many `games`."""
        tallies = array("q")

        def go(here: Context) -> int:
            nonlocal tallies
            tallies = array("q", bytes(16 * max(self.ask(S, self.lib.rl_count), 0)))
            most, clock = 1_000_000 * milliseconds, CLOCK if milliseconds else None
            return self.ask(S, self.lib.rl_search, tables.KINDS[kind], seat, games, seed, clock, most, place(tallies))

        found = self.with_room(go, games or 100 * milliseconds)
        return found, list(zip(tallies[::2], tallies[1::2], strict=True))

    def between(self, S: list[int], agents: Sequence[Inner], chance: Sequence[tuple[int, int]]) -> None:
        """Play on to the end between agents, in place. `chance`: each agent's generator."""
        kinds, budgets, most = arrays(agents)

        def go(here: Context) -> int:
            words = array("i", [word for pair in chance for word in pair])
            return self.ask(S, self.lib.rl_between, len(agents), place(kinds), place(budgets), place(words))

        self.with_room(go, most)
        self.here.leave(S)

    def between_many(self, series: int, first: int, games: int, agents: Sequence[Inner]) -> list[tuple[int, ...]]:
        """Whole games between agents by seat (repeated if fewer), told as by `play_many`: the games of a series."""
        kinds, budgets, most = arrays(agents)
        rows, words = array("q", bytes(8 * self.width * games)), array("i", bytes(8 * len(agents)))

        def go(here: Context) -> int:
            done = self.lib.rl_between_many(
                here.C, here.at, place(self.start), series, first, games, len(agents), place(kinds), place(budgets),
                place(words), place(rows),
            )  # fmt: skip
            return 0 if done == games else -1

        self.with_room(go, most)
        return self.games(rows)

    def with_room(self, go: Callable[[Context], int], budget: int) -> int:
        """What a call answers, with ever more room for options and nodes until it is enough."""
        here, nodes = self.here, max(4096, 64 * (budget + 2))
        while True:
            tree = array("q", bytes(8 * nodes))
            self.lib.rl_tree(here.C, place(tree), nodes)
            found = go(here)
            if found >= 0:
                return found
            match here.error()[:2]:
                case [prelude.INTERNAL, prelude.CROWDED]:
                    here.room(8 * len(here.out))
                case [prelude.INTERNAL, tables.TREE]:
                    nodes *= 4
                case _:
                    self.raise_error()


def arrays(agents: Sequence[Inner]) -> tuple[array[int], array[int], int]:
    """Kinds of agents, their budgets, and the largest of these."""
    kinds, budgets = [tables.KINDS[name] for name, _ in agents], [budget for _, budget in agents]
    return array("q", kinds), array("q", budgets), max(budgets)
