"""`tournament`: agents play each other, each lineup in all seats with the same seeds; ratings and shares of wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rulelang.apps.lab.statistics import LEVEL, Interval, wilson_interval
from rulelang.apps.lab.workers import Workers, workers_for
from rulelang.base.errors import BadArgument
from rulelang.runtime.running import MOST_DECISIONS
from rulelang.runtime.seating import Agent, check_sendable, seat_all
from rulelang.runtime.simulate import chosen_backend, play_series, played_rules

if TYPE_CHECKING:
    from rulelang.runtime.game import Game
    from rulelang.runtime.table import Table

#: A lineup's seats in one deal: which agent sits where, by their numbers, and which deal of the series it is.
Sitting = tuple[tuple[int, ...], int]


class NoRatings(Exception):
    """The library that rates is not installed; the message says how to install it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What openskill holds of an agent: `mu`, its skill, and `sigma`, how unsure that is. All begin at 25 ± 8.33."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """Skill that it has with hardly a doubt: three sigmas below. By this they are ranked."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Played:
    """One game: who sat where, each seat's part of the win, and its points."""

    seats: tuple[int, ...]
    deal: int
    wins: tuple[float, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent: its games (a game in which it has two seats counts twice), and its share of wins."""

    agent: str
    games: int
    wins: float
    share: Interval
    points: float
    rating: Rating


@dataclass(frozen=True, slots=True)
class Tournament:
    """What was played. `wanted`: how many games there were to be; fewer `games` if it was broken off. `repeatable`:
    whether the same command gives the same games (not with budgets in time)."""

    agents: tuple[str, ...]
    players: int
    seed: int
    wanted: int
    repeatable: bool
    played: Mapping[str, Any]
    games: tuple[Played, ...] = field(repr=False)

    def standings(self) -> list[Standing]:
        """By rating, the best first. NoRatings."""
        ratings = rate_agents(len(self.agents), self.games)
        found = []
        for number, agent in enumerate(self.agents):
            mine = [(game, at) for game in self.games for at, who in enumerate(game.seats) if who == number]
            wins, points = sum(game.wins[at] for game, at in mine), sum(game.points[at] for game, at in mine)
            n = len(mine)
            share = wilson_interval(wins, n) if n else Interval(0.0, 0.0, 1.0)
            found.append(Standing(agent, n, wins, share, points / n if n else 0.0, ratings[number]))
        return sorted(found, key=lambda one: -one.rating.ordinal)

    def duel(self, one: str, other: str) -> tuple[Interval, int]:
        """How often an agent ended before another, of the games in which both sat (a tie counts half), and how many
        those were. Of several seats that an agent has in a game, the best counts."""
        first, second = self.agents.index(one), self.agents.index(other)
        before = 0.0
        both = 0
        for game in self.games:
            if first in game.seats and second in game.seats:
                a, b = (
                    max(_places(game)[at] for at, who in enumerate(game.seats) if who == n) for n in (first, second)
                )
                before += 1.0 if a > b else 0.5 if a == b else 0.0
                both += 1
        return (wilson_interval(before, both) if both else Interval(0.5, 0.0, 1.0)), both

    def as_json(self) -> dict[str, Any]:
        """JSON-able, with every game."""
        return {
            **self.played,
            "agents": list(self.agents),
            "players": self.players,
            "seed": self.seed,
            "games": len(self.games),
            "wanted": self.wanted,
            "repeatable": self.repeatable,
            "level": LEVEL,
            "standings": [
                {
                    "agent": one.agent,
                    "games": one.games,
                    "wins": round(one.wins, 6),
                    "share": one.share.as_json(),
                    "points": round(one.points, 6),
                    "rating": {
                        "mu": round(one.rating.mu, 4),
                        "sigma": round(one.rating.sigma, 4),
                        "ordinal": round(one.rating.ordinal, 4),
                    },
                }
                for one in self.standings()
            ],
            "duels": [
                {"agents": [one, other], "games": both, "share": share.as_json()}
                for one, other in combinations(self.agents, 2)
                for share, both in [self.duel(one, other)]
            ],
            "played": [
                {"seats": list(game.seats), "deal": game.deal, "wins": list(game.wins), "points": list(game.points)}
                for game in self.games
            ],
        }


def tournament(
    game: Game,
    agents: Sequence[str],
    games: int = 100,
    players: int = 2,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    backend: str = "auto",
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    *,
    workers: Workers | None = None,
    max_decisions: int = MOST_DECISIONS,
) -> Tournament:
    """Have agents (by name, as `make_agent` takes them) play each other, every lineup `games` times or a few more.

    A lineup is so many agents as play; if there are fewer of them, the same sit several times. It plays every deal (the
    seed of a game) once in each rotation of its seats, so that neither luck nor the seat favours anybody. `workers`:
    who plays, in the place of `jobs` processes. Broken off (KeyboardInterrupt), it answers with what was played.
    ValueError for what is no agent, or fewer than two of them.
    """
    if len(agents) < 2:
        raise BadArgument("a tournament needs at least two agents")
    doubled = next((name for number, name in enumerate(agents) if name in agents[:number]), None)
    if doubled is not None:
        raise BadArgument(f"the agent `{doubled}` is named twice")
    if games < 1:
        raise BadArgument(f"a tournament needs at least one game, not {games}")
    made = seat_all([*agents], game._named) or []
    check_sendable(made)
    plan = list(sittings(len(agents), players, games))
    backend = chosen_backend(backend, len(plan), made)
    contest = _Contest(game, tuple(agents), players, seed, dict(options or {}), backend, max_decisions)
    _ = contest.table  # compile before the clock starts
    done: list[Played] = []
    try:
        for one in (workers or workers_for(min(jobs, len(plan)))).play(contest, plan, _play):
            done.append(one)
            if progress is not None:
                progress(len(done))
    except KeyboardInterrupt:
        if not done:
            raise
    told = {key: value for key, value in played_rules(game, players, None, options).items() if key != "agents"}
    repeatable = all(getattr(agent, "repeatable", True) for agent in made)
    return Tournament(tuple(agents), players, seed, len(plan), repeatable, told, tuple(done))


def sittings(agents: int, players: int, games: int) -> Iterator[Sitting]:
    """Who sits where in which deal, in the order of play: a deal of every lineup, then the next."""
    if agents >= players:
        lineups = list(combinations(range(agents), players))
    else:
        lineups = [tuple(seat % agents for seat in range(players))]
    turns = {lineup: list(dict.fromkeys(lineup[at:] + lineup[:at] for at in range(players))) for lineup in lineups}
    for deal in range(max(-(-games // len(rows)) for rows in turns.values())):
        for rows in turns.values():
            for row in rows:
                yield row, deal


def rate_agents(agents: int, games: Sequence[Played]) -> list[Rating]:
    """By agent, what Plackett and Luce's model (openskill) makes of the games, one after the other. NoRatings."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise NoRatings("ratings need openskill; install it with: pip install 'rulelang[lab]'") from None
    model = PlackettLuce()
    held = [model.rating() for _ in range(agents)]
    for game in games:
        after = model.rate([[held[who]] for who in game.seats], scores=[float(place) for place in _places(game)])
        for who in set(game.seats):
            mine = [team[0] for team, at in zip(after, game.seats, strict=True) if at == who]
            mu, sigma = (sum(getattr(one, name) for one in mine) / len(mine) for name in ("mu", "sigma"))
            held[who] = model.rating(mu=mu, sigma=sigma)
    return [Rating(one.mu, one.sigma) for one in held]


def _places(game: Played) -> list[int]:
    """By seat, how many others it has left behind: those who won first, then by points."""
    keys = list(zip(game.wins, game.points, strict=True))
    # Who shared a win is equal with the others who did, whatever the points of his team.
    keys = [(wins, 0 if wins else points) for wins, points in keys]
    return [sum(other < key for other in keys) for key in keys]


# ---- playing


@dataclass(frozen=True)
class _Contest:
    """All that another process needs to play a sitting."""

    game: Game
    names: tuple[str, ...]
    players: int
    seed: int
    options: Mapping[str, object]
    backend: str
    max_decisions: int

    @property
    def agents(self) -> list[Agent]:
        return [self.game._named(name) for name in self.names]

    @property
    def table(self) -> Table:
        return self.game.table(self.players, self.options, self.backend)


def _play(contest: _Contest, sitting: Sitting) -> Played:
    seats, deal = sitting
    agents = [contest.game._named(contest.names[who]) for who in seats]
    totals = play_series(
        contest.game, range(deal, deal + 1), contest.players, contest.seed, agents, contest.options, contest.backend,
        invariants=False, max_decisions=contest.max_decisions,
    )  # fmt: skip
    return Played(seats, deal, tuple(totals.wins), tuple(totals.points[0]))
