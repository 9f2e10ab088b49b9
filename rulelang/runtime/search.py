"""Search under hidden information by determinization, for agents that know only what their seat can see."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt

from rulelang.base.errors import BadArgument, RuleError
from rulelang.base.layout import Cells
from rulelang.base.search_params import DEEPEST, EXPLORE, EXPLORING, MARGIN, PRIOR, SEARCH_SETTINGS, WIN, SearchSettings
from rulelang.runtime.hidden_information import Secrets
from rulelang.runtime.program import LinkedProgram, OptionTuple
from rulelang.runtime.rng import Generator, sample_below, splitmix64
from rulelang.runtime.running import MOST_DECISIONS

# ---- search budgets

#: Games for a decision, milliseconds, and threads, at most.
MOST_GAMES, LONGEST_TIME, MOST_THREADS = 1_000_000, 3_600_000, 256

_TEXT = re.compile(r"(?:([0-9]{1,9})(ms|s)?)?(?:x([0-9]{1,4}|all))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Budget:
    """For each decision, and in each of `threads` threads: so many `games` that are imagined, or `milliseconds` (one of
    the two is 0) that the thread has a core. So it is as much on a busy machine as on an idle one; but how much it is
    depends on the machine, so what is chosen within a time cannot be played again. With a number of games it can."""

    games: int = 0
    milliseconds: int = 0
    threads: int = 1

    @property
    def repeatable(self) -> bool:
        return not self.milliseconds

    def __str__(self) -> str:
        many = f"x{self.threads}" if self.threads > 1 else ""
        return f"{self.milliseconds}ms{many}" if self.milliseconds else f"{self.games}{many}"


def read_budget(text: str, usual: int) -> Budget:
    """What a text says; `usual`: how many games if it says only how many threads. ValueError, in plain words."""
    found = _TEXT.fullmatch(text)
    number, unit, threads = found.groups() if found and text else (None, None, None)
    if found is None or not text:
        raise BadArgument(f"`{text}` is not a budget: {BUDGET_FORMS}")
    wide = (os.cpu_count() or 1) if threads == "all" else int(threads or 1)
    if not 0 < wide <= MOST_THREADS:
        raise BadArgument(f"`{text}` is not a budget: threads must be 1 to {MOST_THREADS}")
    many = int(number) if number else usual
    if unit:
        many *= 1000 if unit == "s" else 1
        if not 0 < many <= LONGEST_TIME:
            raise BadArgument(f"`{text}` is not a budget: a time must be 1ms to {LONGEST_TIME // 1000}s")
        return Budget(milliseconds=many, threads=wide)
    if not 0 < many <= MOST_GAMES:
        raise BadArgument(f"`{text}` is not a budget: the number of games must be 1 to {MOST_GAMES}")
    return Budget(games=many, threads=wide)


BUDGET_FORMS = (
    "write a number of games, such as `500`, or a time, such as `100ms` or `2s`; for threads, add `x4` or `xall`"
)


# ---- habits: how good a move was elsewhere

#: Moves that are kept, and moves of one game that are noted, at most.
KEPT, NOTED = 3072, 600
_MASK = (1 << 64) - 1


class Habits:
    """Of one search. Whole numbers only: the library has the same, and is to choose the same."""

    def __init__(self, cells: Cells, players: int) -> None:
        self.cells = cells
        self.games = 0
        self.usual = [0] * (players + 1)  # what all games came to, by seat
        self.moves: dict[int, list[int]] = {}  # by key: how often it was made, and what that came to

    def key(self, S: Sequence[int], option: OptionTuple) -> int:
        """Of a move: the decision, who takes it, and the option."""
        key = S[self.cells.site] * 1000003 + S[self.cells.decider]
        for word in (len(option), *option):
            key = ((key ^ (word & _MASK)) * 0x9E3779B97F4A7C15) & _MASK
            key ^= key >> 29
        return key | 1

    def choose(self, S: list[int], found: Sequence[OptionTuple]) -> OptionTuple:
        """The option that a playout takes, with the chance of its own words."""
        cells = self.cells
        if sample_below(S, cells.policy_x, cells.policy_c, 1024) < EXPLORING:
            return found[sample_below(S, cells.policy_x, cells.policy_c, len(found))]
        usual = self.usual[S[cells.decider]] // self.games if self.games else 0
        best, high, equal = found[0], 0, 0
        for option in found:
            value = self.value(self.key(S, option), usual)
            if not equal or value > high:
                best, high, equal = option, value, 1
            elif value == high:
                equal += 1
                best = best if sample_below(S, cells.policy_x, cells.policy_c, equal) else option  # of equals any
        return best

    def value(self, key: int, usual: int) -> int:
        made, total = self.moves.get(key, (0, 0))
        return (total + PRIOR * usual) * 64 // (made + PRIOR)

    def learn(self, noted: Sequence[tuple[int, int]], rewards: Sequence[int]) -> None:
        """A game has come to this by seat; `noted`: its moves, each as its key and who made it."""
        for key, mover in noted:
            known = self.moves.get(key)
            if known is None:
                if len(self.moves) >= KEPT:
                    continue
                known = self.moves[key] = [0, 0]
            known[0] += 1
            known[1] += rewards[mover]
        self.games += 1
        for seat in range(1, len(self.usual)):
            self.usual[seat] += rewards[seat]


# ---- the search

_NEVER, _ALL = -(1 << 60), (1 << 64) - 1
#: How often an option was tried, and what that came to.
Tally = tuple[int, int]


class Searcher:
    """Searches from the states of one table."""

    def __init__(self, program: LinkedProgram) -> None:
        self.program = program
        self.layout = program.layout
        self.secrets = Secrets(program.layout)
        self.teams = program.teams or tuple((seat,) for seat in range(1, program.layout.players + 1))

    def world(self, S: Sequence[int], seat: int, seed: int) -> tuple[list[int], Generator]:
        """A state that the seat cannot tell from `S`."""
        T, chance = list(S), Generator(splitmix64(seed))
        self.secrets.determinise(T, seat, self.program.frames_end(T), chance)
        return T, chance

    def rewards(self, S: list[int]) -> list[int]:
        """By seat (0 is nobody), what the end of a game is worth to it: its share of the win, and its lead."""
        program = self.program
        ranks = []
        for team in self.teams:
            parts = [(program.score(S, seat), *program.tiebreak(S, seat)) for seat in team]
            ranks.append(tuple(map(sum, zip(*parts, strict=True))))
        best = max(ranks)
        found = [0] * (self.layout.players + 1)
        for number, team in enumerate(self.teams):
            others = [rank[0] for other, rank in enumerate(ranks) if other != number]
            lead = max(-MARGIN, min(MARGIN, ranks[number][0] - max(others, default=0)))
            share = WIN // ranks.count(best) if ranks[number] == best else 0
            for seat in team:
                found[seat] = lead + share
        return found

    # ---- the search

    def search(
        self, kind: str, S: Sequence[int], options: Sequence[OptionTuple], seat: int, budget: Budget, seed: int
    ) -> tuple[int, list[Tally]]:
        """The index of the option that an agent of this kind chooses, and the tally of each."""
        manner = SEARCH_SETTINGS[kind]
        begun, phases = time.thread_time(), 1 if manner.worlds else max((len(options) - 1).bit_length(), 1)

        def late(phase: int) -> bool:
            passed = (time.thread_time() - begun) * 1000
            return bool(budget.milliseconds) and passed * phases >= budget.milliseconds * phase

        root = Node((), 0, [Node(option, seat) for option in options])
        habits = Habits(self.layout.cells, self.layout.players) if manner.habits else None
        order, chance = list(range(len(options))), Generator(splitmix64(~seed))
        for k in range(len(order) - 1, 0, -1):  # any order: of equals it is the one that comes first
            other = chance.below(k + 1)
            order[k], order[other] = order[other], order[k]
        world = 0
        for phase in range(1, phases + 1):
            each = manner.worlds or max(1, budget.games // (len(order) * phases))
            tried = 0
            while len(order) > 1 and (tried < each or budget.milliseconds) and not late(phase):
                for k in order:
                    if late(phases):
                        break
                    self.iteration(root.children[k], manner, S, seat, world, seed, habits)
                tried += 1
                world += 1
            order.sort(key=lambda k: -root.children[k].mean())
            del order[(len(order) + 1) // 2 :]
        return order[0] if order else 0, [(node.visits, node.total) for node in root.children]

    def iteration(
        self,
        first: Node,
        manner: SearchSettings,
        S: Sequence[int],
        seat: int,
        number: int,
        seed: int,
        habits: Habits | None,
    ) -> None:
        """Go down the tree in the world of this number, play on, and keep what came of it."""
        seed = (seed + number) & _ALL
        T, chance = self.world(S, seat, seed)
        program, cells = self.program, self.layout.cells
        last = last_round(T[cells.round], manner, number, seed)
        path: list[Node] = []
        noted: list[tuple[int, int]] = []
        try:
            found = program.options(T)
            leaf = False
            while found is not None and not leaf and (not path or T[cells.round] <= last):
                node = path[-1].followed(found, T[cells.decider], chance) if path else first
                if node.option not in found:
                    return
                leaf = not manner.grows or node.visits < manner.grows or len(path) + 1 == DEEPEST
                path.append(node)
                if habits is not None:
                    noted.append((habits.key(T, node.option), T[cells.decider]))
                found = program.resume(T, None, node.option)
            if found is not None and last == MOST_DECISIONS and habits is None:
                program.playout(T)
                found = None
            while found is not None and T[cells.round] <= last:
                if T[cells.decisions] > MOST_DECISIONS:
                    return
                option = self.played_on(T, found, habits)
                if habits is not None and len(noted) < NOTED:
                    noted.append((habits.key(T, option), T[cells.decider]))
                found = program.resume(T, None, option)
            rewards = self.rewards(T)
        except RuleError:
            return
        for node in path:
            node.visits += 1
            node.total += rewards[node.mover]
        if habits is not None:
            habits.learn(noted, rewards)

    def played_on(self, T: list[int], found: Sequence[OptionTuple], habits: Habits | None) -> OptionTuple:
        """The option that a playout takes: by habit, or any."""
        if habits is not None:
            return habits.choose(T, found)
        cells = self.layout.cells
        return found[sample_below(T, cells.policy_x, cells.policy_c, len(found))]


def last_round(now: int, manner: SearchSettings, number: int, seed: int) -> int:
    """The last round that a playout plays in the world of this number and seed; MOST: all. All options of a
    decision are tried in the same worlds, so what tells them apart is never that some are looked at longer."""
    if not manner.rounds:
        return MOST_DECISIONS
    last, luck = max(now, 1) + manner.rounds - 1, splitmix64(seed ^ 0x726F756E6473)
    while number >= manner.sure and luck & 1023 < manner.further:
        last, luck = last + 1, splitmix64(luck)
    return last


@dataclass(slots=True, eq=False)
class Node:
    """A choice in the tree: who made it, how often it was made and could have been, and what it came to for him."""

    option: OptionTuple
    mover: int
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    available: int = 1
    total: int = 0

    def followed(self, found: Sequence[OptionTuple], mover: int, chance: Generator) -> Node:
        """The child to go on with where these options are: one that was not tried, any; else the most promising."""
        known = [child for child in self.children if child.option in found]
        names = {child.option for child in self.children}
        fresh = [option for option in found if option not in names]
        for child in known:
            child.available += 1
        if not fresh:
            return max(known, key=Node.worth)
        node = Node(fresh[chance.below(len(fresh))], mover)
        self.children.append(node)
        return node

    def mean(self) -> int:
        return self.total * 1024 // self.visits if self.visits else _NEVER

    def worth(self) -> int:
        """The upper confidence bound, times 1024."""
        if not self.visits:
            return -_NEVER
        bonus = isqrt((ln16(self.available) << 16) // self.visits)
        return self.total * 1024 // self.visits + (EXPLORE * bonus >> 6)


def ln16(value: int) -> int:
    """65536 times the natural logarithm of a number from 1 up, in whole numbers."""
    k = value.bit_length() - 1
    y, fraction = (value << 30) >> k, 0
    for _ in range(16):
        y, fraction = y * y >> 30, fraction << 1
        if y >> 31:
            y, fraction = y >> 1, fraction | 1
    return ((k << 16) + fraction) * 45426 >> 16


def best_of(tallies: Sequence[Tally], chance: Generator) -> int:
    """The option that was tried most; of several, the one that came to most; of equals any."""
    best = [k for k, tally in enumerate(tallies) if tally == max(tallies)]
    return best[chance.below(len(best))]
