"""Many games at once, in one thread or spread over threads and processes, and their totals."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Protocol

from rulelang.base.errors import BadArgument, NotYet
from rulelang.base.node import record
from rulelang.runtime.program import NATIVE_OR_PYTHON, NATIVE_SOON, Backend, Rows
from rulelang.runtime.rng import game_seed
from rulelang.runtime.running import MOST_DECISIONS, endless_game_error, watching_limits
from rulelang.runtime.seating import Agent, ask_agent, begin_agent, check_sendable, label_of
from rulelang.runtime.state import State
from rulelang.runtime.table import GameInfo, Table, TableOption, choose_options
from rulelang.runtime.threads import map_in_threads

# ---- series in one thread


class Playable(Protocol):
    """A ruleset that is ready to play, as `Game` is."""

    @property
    def info(self) -> GameInfo: ...
    @property
    def options(self) -> Mapping[str, TableOption]: ...
    def table(
        self, players: int = ..., options: Mapping[str, object] | None = ..., backend: Backend = ...
    ) -> Table: ...
    def start(self, table: Table, seed: int, *, log: bool = ..., invariants: bool = ...) -> State: ...


@record
class Spread:
    """The mean, least and highest of one number over many games."""

    mean: float
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a series of games, as `Game.simulate` returns it. Lists have one item for each seat, or each game.

    Attributes:
        games, players, seed: the arguments of the series.
        decisions: the number of decisions with two or more options, over all games.
        forced: the number of decisions with one option, over all games.
        scores: the mean, lowest and highest score, by seat.
        wins: the number of wins by seat. Each winner of a shared win gets an equal fraction.
        rounds: the mean, lowest and highest number of rounds.
        seconds: the time that the series took.
        points: the scores of each game, by seat.
        rounds_each, decisions_each: the number of rounds and of decisions of each game.
        played: JSON-able: ruleset, version, mods (id to version), mode, options, agents by seat.
        teams: the seats that win together. Each of these seats has the team's wins.

        result = game.simulate(1000, players=2)
        result.wins[0] / result.games           # how often the first seat wins

    """

    games: int
    players: int
    seed: int
    decisions: int
    forced: int
    scores: list[Spread]
    wins: list[float]
    rounds: Spread
    seconds: float
    points: list[list[int]] = field(repr=False, default_factory=list)  # the scores of each game, by seat
    rounds_each: list[int] = field(repr=False, default_factory=list)  # of each game
    decisions_each: list[int] = field(repr=False, default_factory=list)
    played: Mapping[str, Any] = field(repr=False, default_factory=dict)
    teams: tuple[tuple[int, ...], ...] = ()  # seats that win together, each of them so often as `wins` says

    @property
    def games_per_second(self) -> float:
        """The number of games played per second."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def decisions_per_second(self) -> float:
        """The number of decisions made per second."""
        return self.decisions / self.seconds if self.seconds > 0 else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON-able data, without the lists for each game."""
        return {
            **self.played,
            "games": self.games,
            "players": self.players,
            "seed": self.seed,
            "decisions": self.decisions,
            "forced": self.forced,
            "rounds": _spread_json(self.rounds),
            "scores": [_spread_json(spread) for spread in self.scores],
            "wins": self.wins,
            **({"teams": [list(team) for team in self.teams]} if self.teams else {}),
            "seconds": round(self.seconds, 6),
            "games_per_second": round(self.games_per_second, 3),
            "decisions_per_second": round(self.decisions_per_second, 1),
        }


@dataclass(slots=True)
class Totals:
    """Games counted up; several tallies of one series can be joined. `each`: whether what each game came to is kept, in
    `points`, `rounds` and `lengths` (decisions); without, a series takes no more memory however long it is."""

    players: int
    points: list[list[int]] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    decisions: int = 0
    forced: int = 0
    each: bool = True
    #: How many games are not kept, and what they came to: by seat, then rounds.
    gone: int = 0
    spans: list[tuple[int, int, int]] = field(default_factory=list)
    #: Seats that win together.
    teams: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        self.wins = self.wins or [0.0] * self.players

    @property
    def games(self) -> int:
        return self.gone + len(self.points)

    def count(self, table: Table, S: list[int]) -> None:
        """Take in the final words of a game."""
        program, cells = table.program, table.program.layout.cells
        seats = range(1, self.players + 1)
        scores, ties = [program.score(S, seat) for seat in seats], [program.tiebreak(S, seat) for seat in seats]
        parts = [part for by_seat in zip(*ties, strict=True) for part in by_seat]
        self.take(table, (S[cells.decisions], S[cells.forced], S[cells.round], *scores, *parts))

    def take(self, table: Table, row: Sequence[int]) -> None:
        """Take in a game as `play_many` tells it: decisions, forced ones, rounds, scores, each tiebreak by seat."""
        decisions, forced, rounds = row[:3]
        points = list(row[3 : 3 + self.players])
        best = max(points)
        self.teams = table.program.teams
        if not self.teams and points.count(best) == 1:
            self.wins[points.index(best)] += 1
        else:
            self._share(row[3:])
        self.points.append(points)
        self.rounds.append(rounds)
        self.lengths.append(decisions)
        self.decisions += decisions
        self.forced += forced
        if len(self.points) >= HELD and not self.each:
            self._let_go()

    def take_many(self, table: Table, played: Rows) -> None:
        """Take in games that the library told: what each of them takes here holds up all other threads."""
        numbers, width, winners = played.numbers, played.width, played.winners
        decisions, forced, rounds, *points = (numbers[at::width] for at in range(3 + self.players))
        self.teams = table.program.teams
        if not self.teams:
            self.wins = [wins + winners.count(seat) for seat, wins in enumerate(self.wins, 1)]
        for game, winner in enumerate(winners):
            if self.teams or not winner:
                self._share(numbers[game * width + 3 : (game + 1) * width])
        if self.each:
            self.points += map(list, zip(*points, strict=True))
            self.rounds += rounds
            self.lengths += decisions
        elif winners:
            self.spans = _joined(self.spans, _spans((*points, rounds)))
            self.gone += len(winners)
        self.decisions += sum(decisions)
        self.forced += sum(forced)

    def _share(self, row: Sequence[int]) -> None:
        """The win, where ties are to be broken, or teams win: scores, then each tiebreak, by seat."""
        by_part = [row[at : at + self.players] for at in range(0, len(row), self.players)]
        sides = self.teams or [(seat,) for seat in range(1, self.players + 1)]
        ranks = [tuple(sum(part[seat - 1] for seat in side) for part in by_part) for side in sides]
        best = max(ranks)
        winners = [seat for side, rank in zip(sides, ranks, strict=True) if rank == best for seat in side]
        for seat in winners:
            self.wins[seat - 1] += 1 / len(winners)

    def _let_go(self) -> None:
        """Sum up what is kept of single games."""
        self.spans, self.gone = self._summed(), self.games
        self.points, self.rounds, self.lengths = [], [], []

    def _summed(self) -> list[tuple[int, int, int]]:
        """Sum, least and most of all games: of the scores by seat, and of rounds."""
        return _joined(self.spans, _spans((*zip(*self.points, strict=True), self.rounds)))

    def join(self, other: Totals) -> None:
        self.points += other.points
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.rounds += other.rounds
        self.lengths += other.lengths
        self.decisions += other.decisions
        self.forced += other.forced
        self.teams = self.teams or other.teams
        if not self.each:
            self._let_go()

    def result(self, seed: int, seconds: float, played: Mapping[str, Any]) -> Result:
        nothing = Spread(0.0, 0, 0)
        spreads = [Spread(total / self.games, least, most) for total, least, most in self._summed()]
        *scores, rounds = spreads or [nothing] * (self.players + 1)
        return Result(
            self.games, self.players, seed, self.decisions, self.forced, scores,
            [round(wins, 9) for wins in self.wins], rounds, seconds, self.points, self.rounds,
            self.lengths, played, self.teams,
        )  # fmt: skip


def _spans(columns: Iterable[Sequence[int]]) -> list[tuple[int, int, int]]:
    return [(sum(column), min(column), max(column)) for column in columns if column]


def _joined(some: list[tuple[int, int, int]], others: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    if not some or not others:
        return some or others
    return [(a + d, min(b, e), max(c, f)) for (a, b, c), (d, e, f) in zip(some, others, strict=True)]


#: Games whose scores are held at once where single games are not kept.
HELD = 1000
#: Games from which on `auto` compiles to native code: that takes some seconds, once.
MANY = 1000
#: Decisions of one seat in a game, about.
DECISIONS = 60
#: Games played natively between two calls of `progress`.
BATCH = 500


def chosen_backend(backend: str, n: int, agents: Sequence[Agent] | None) -> str:
    """What `auto` means for so many games: native for much work. The games are the same on every backend."""
    if backend != "auto":
        return backend
    if agents is None:
        return NATIVE_OR_PYTHON if n >= MANY else "python"
    # Whoever imagines games at each of its decisions plays many of them.
    most = max(getattr(agent, "work", 0) for agent in agents)
    much = (most or native_agents(agents) is not None) and n * max(10, DECISIONS * most) >= MANY
    return NATIVE_OR_PYTHON if much else "python"


def native_agents(agents: Sequence[Agent]) -> list[tuple[str, int]] | None:
    """The agents as the native library knows them; None if it does not know all, or one of them sits twice."""
    found = [getattr(agent, "inner", None) for agent in agents]
    if None in found or len({id(agent) for agent in agents}) < len(agents):
        return None
    return [pair for pair in found if pair is not None]


def play_series(
    game: Playable,
    indices: Iterable[int],
    players: int,
    seed: int,
    agents: Sequence[Agent] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    progress: Callable[[int], None] | None = None,
    *,
    invariants: bool = True,
    max_decisions: int = MOST_DECISIONS,
    totals: Totals | None = None,
) -> Totals:
    """Play the games of a series with these indices. Game i depends on (seed, i) alone, not on those before it.

    `agents`: by seat, repeated if there are fewer than seats; None: random, on the fast path without options' texts.
    `progress` is called with the number of games done. `invariants`: whether they are tested at every decision.
    RuleError where one fails, and for a game of more than `max_decisions`. `totals`: what is added to, so that it is
    there if somebody interrupts.
    """
    table = game.table(players, options, backend)
    # Where an agent is asked for each decision, the state tests them: what a search imagines is not tested.
    tested = invariants and (agents is None or native_series(table, agents) is not None)
    with watching_limits(table.program, max_decisions, tested):
        totals = Totals(table.players) if totals is None else totals
        return _play_games(game, table, indices, seed, agents, progress, max_decisions, invariants, totals)


def _play_games(
    game: Playable,
    table: Table,
    indices: Iterable[int],
    seed: int,
    agents: Sequence[Agent] | None,
    progress: Callable[[int], None] | None,
    most: int,
    invariants: bool,
    totals: Totals,
) -> Totals:
    many = native_series(table, agents)
    if many is not None and isinstance(indices, range) and indices.step == 1:
        batch = BATCH if agents is None else 1
        for first in range(indices.start, indices.stop, batch):
            games = min(batch, indices.stop - first)
            if agents is None:
                totals.take_many(table, table.program.play_rows(seed, first, games))  # type: ignore[attr-defined]
            else:
                for row in many(seed, first, games):
                    totals.take(table, row)
            if progress is not None:
                progress(totals.games)
        return totals
    for index in indices:
        own = game_seed(seed, index)
        totals.count(
            table,
            _random_game(table, own) if agents is None else _agents_game(game, table, own, agents, most, invariants),
        )
        if progress is not None:
            progress(totals.games)
    return totals


def simulate(
    game: Playable,
    n: int,
    players: int,
    seed: int = 0,
    agents: Sequence[Agent] | None = None,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    progress: Callable[[int], None] | None = None,
    *,
    invariants: bool = True,
    max_decisions: int = MOST_DECISIONS,
    totals: Totals | None = None,
) -> Result:
    """Play n games; see `play_series`. ValueError for n < 1 and for a table that cannot be."""
    if n < 1:
        raise BadArgument(f"cannot play {n} games: give one or more")
    backend = chosen_backend(backend, n, agents)
    soon = compile_first_table(game, players, options, backend, agents)  # compile before the clock starts
    totals = Totals(players) if totals is None else totals
    start = time.perf_counter()
    first = play_during_build(game, soon, n, players, seed, options, progress, invariants, max_decisions, totals)
    if first < n:
        play_series(
            game, range(first, n), players, seed, agents, options, backend, progress, invariants=invariants,
            max_decisions=max_decisions, totals=totals,
        )  # fmt: skip
    return totals.result(seed, time.perf_counter() - start, played_rules(game, players, agents, options))


def compile_first_table(
    game: Playable, players: int, options: Mapping[str, object] | None, backend: str, agents: Sequence[Agent] | None
) -> Table | None:
    """Compile a table for a series. Where its library is still to be made, and games need no agents, it answers the
    table on the Python backend, on which they may begin meanwhile; else None."""
    if backend != NATIVE_OR_PYTHON or agents is not None:
        game.table(players, options, backend)
        return None
    try:
        game.table(players, options, NATIVE_SOON)
    except NotYet:
        return game.table(players, options)
    return None


def play_during_build(
    game: Playable, table: Table | None, n: int, players: int, seed: int, options: Mapping[str, object] | None,
    progress: Callable[[int], None] | None, invariants: bool, most: int, totals: Totals,
) -> int:  # fmt: skip
    """Play the first games of a series of random agents at the `table` that `first_table` answered, until the library
    is there or all are played: how many they are. They are the same games as there."""
    if table is None:
        return 0
    with watching_limits(table.program, most, invariants):
        for index in range(n):
            totals.count(table, _random_game(table, game_seed(seed, index)))
            if progress is not None:
                progress(totals.games)
            try:
                game.table(players, options, NATIVE_SOON)
            except NotYet:
                continue
            return index + 1
    return n


def played_rules(
    game: Playable, players: int, agents: Sequence[Agent] | None, options: Mapping[str, object] | None
) -> dict[str, Any]:
    """What is played, JSON-able; see `Result.played`."""
    names = [label_of(agent) for agent in agents] if agents else ["random"]
    numbers = choose_options(game.options, players, options)
    return {
        **game.info.identity,
        "options": {name: game.options[name].value_of(number) for name, number in numbers.items()},
        "agents": [names[seat % len(names)] for seat in range(players)],
    }


def native_series(
    table: Table, agents: Sequence[Agent] | None
) -> Callable[[int, int, int], Sequence[Sequence[int]]] | None:
    """Plays the games of a series inside of the program, if it can: (series, first, number). Threads may at once."""
    if agents is None:
        return getattr(table.program, "play_many", None)
    many, known = getattr(table.program, "between_many", None), native_agents(agents)
    if many is None or known is None:
        return None
    return lambda series, first, games: many(series, first, games, known)


def _random_game(table: Table, seed: int) -> list[int]:
    S = table.program.initial
    table.seed_game(S, seed)
    table.seed_policy(S, seed)
    table.program.sample(S)
    return S


def _agents_game(
    game: Playable, table: Table, seed: int, agents: Sequence[Agent], most: int, invariants: bool
) -> list[int]:
    state = game.start(table, seed, log=False, invariants=invariants)
    seats = [agents[i % len(agents)] for i in range(table.players)]
    for agent in dict.fromkeys(seats):
        begin_agent(agent, seed)
    cells = table.program.layout.cells
    while not state.over:
        if state.decisions >= most:  # the pending one is one more
            raise endless_game_error(table.program, state.words, most, state.words[cells.site], state.decider)
        state.play(ask_agent(seats[state.decider - 1], state))
    return list(state.words)


def _spread_json(spread: Spread) -> dict[str, float | int]:
    return {"mean": round(spread.mean, 6), "min": spread.min, "max": spread.max}


# ---- series in threads or processes

#: Games of one piece of work: small enough for a lively progress bar, large enough to be worth sending.
PIECE = 50

Series = tuple["Playable", int, int, "Sequence[Agent] | None", "Mapping[str, object] | None", str, bool, int]

#: In a process that helps: what it plays pieces of. It is sent once, since linking a table may take as long as a piece.
_given: list[Series] = []


def simulate_in_parallel(
    game: Playable,
    n: int,
    players: int,
    seed: int,
    agents: Sequence[Agent] | None,
    options: Mapping[str, object] | None,
    backend: str,
    jobs: int,
    progress: Callable[[int], None] | None,
    *,
    invariants: bool,
    max_decisions: int,
    totals: Totals | None = None,
) -> Result:
    """As `engine.simulate.simulate`, by `jobs` threads or processes. ValueError also for agents that cannot be sent."""
    if jobs > 1 and agents is not None:
        check_sendable(agents)  # also where so few games need no other process: it is told at once
    if jobs < 2 or n <= PIECE:
        return simulate(
            game, n, players, seed, agents, options, backend, progress, invariants=invariants,
            max_decisions=max_decisions, totals=totals,
        )  # fmt: skip
    backend = chosen_backend(backend, n, agents)
    # Games between bots take long, and unequally so: many small pieces keep all processes busy.
    size = max(1, min(PIECE, n // (8 * jobs))) if agents else PIECE if backend == "python" else 20 * PIECE
    soon = compile_first_table(game, players, options, backend, agents)  # so that the others find it
    totals = Totals(players) if totals is None else totals
    start = time.perf_counter()
    begun = play_during_build(game, soon, n, players, seed, options, progress, invariants, max_decisions, totals)
    pieces = [range(first, min(first + size, n)) for first in range(begun, n, size)]
    series: Series = (game, players, seed, agents, options, backend, invariants, max_decisions)
    with closing(_spread_pieces(min(jobs, len(pieces)), series, pieces)) as found:
        for part in found:
            totals.join(part)
            if progress is not None:
                progress(totals.games)
    return totals.result(seed, time.perf_counter() - start, played_rules(game, players, agents, options))


def _spread_pieces(jobs: int, series: Series, pieces: Sequence[range]) -> Generator[Totals]:
    if not pieces:
        return
    game, players, _, agents, options, backend, *_ = series
    if native_series(game.table(players, options, backend), agents) is not None:
        yield from map_in_threads(jobs, lambda piece: _play_indices(series, piece), pieces)
    else:
        yield from _in_processes(jobs, series, pieces)


def _in_processes(jobs: int, series: Series, pieces: Sequence[range]) -> Generator[Totals]:
    # Imported late: it costs more than a start may take.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, initializer=_start_helper, initargs=(series,)) as pool:
        try:
            begun = deque(pool.submit(_play_piece, piece) for piece in pieces)
            while begun:  # not `map`, which cancels what is left: helpers that are terminated do not take that well
                yield begun.popleft().result()
        except BaseException:  # nobody waits for what is left, or for a piece that takes long
            for helper in set(multiprocessing.active_children()) - others:
                helper.terminate()
            raise


def _start_helper(series: Series) -> None:
    # Whoever started it is told to stop, and stops it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _given[:] = [series]


def _play_piece(indices: range) -> Totals:
    return _play_indices(_given[0], indices)


def _play_indices(series: Series, indices: range) -> Totals:
    game, players, seed, agents, options, backend, invariants, most = series
    return play_series(
        game, indices, players, seed, agents, options, backend, invariants=invariants, max_decisions=most
    )
