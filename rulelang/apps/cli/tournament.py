"""`rulelang tournament`: agents play each other; ratings, shares of wins, and who beats whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_jobs, takes_mode, takes_players, takes_quiet, takes_seed
from rulelang.apps.cli.progress import progress
from rulelang.apps.cli.screen import CannotRun, counted, say, say_json, terminal_columns
from rulelang.apps.cli.tables import check_table, load_game, options_of, takes_backend, takes_options
from rulelang.apps.cli.working import takes_workers, workers_on
from rulelang.base.errors import BadArgument
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.apps.lab.statistics import Interval
    from rulelang.apps.lab.tournament import Tournament


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@takes_mode()
@click.option(
    "--agents",
    "-a",
    default="random,greedy,mc,ismcts",
    show_default=True,
    metavar="AGENTS",
    help="Name the agents, for example random,greedy,mc:500.",
)
@click.option(
    "--games", "-n", type=click.IntRange(min=1), default=100, show_default=True,
    metavar="N", help="Play N games per lineup, or slightly more so that each agent plays in every seat.",
)  # fmt: skip
@takes_players("two, if the game allows")
@click.option(
    "--time",
    "time_",
    metavar="BUDGET",
    help="Set the budget of search agents that don't name one: a time (100ms) or a number of games (500).",
)
@takes_seed()
@takes_options()
@takes_backend("auto", auto=True)
@takes_jobs()
@takes_workers()
@takes_quiet("Hide progress.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True,
    help="Print in this format.",
)  # fmt: skip
def tournament(
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    agents: str,
    games: int,
    players: int | None,
    time_: str | None,
    seed: int,
    options: tuple[str, ...],
    backend: str,
    jobs: int,
    on: str | None,
    quiet: bool,
    format_: str,
) -> None:
    """Rank agents against each other.

    Plays each deal once for every rotation of the seats, so that neither luck nor seating favors an agent. To stop
    early and see the results so far, press Ctrl-C. Ratings need the `lab` extra: pip install 'rulelang[lab]'.
    """
    from rulelang.apps.lab.tournament import NoRatings, rate_agents, sittings
    from rulelang.apps.lab.tournament import tournament as play
    from rulelang.runtime.agents import with_budget

    chosen = options_of(options)
    loaded = load_game(game, mods, mode)
    count = max(2, loaded.players[0]) if players is None else players
    check_table(loaded, count, chosen)
    try:
        rate_agents(0, [])  # before hours of games, not after them
        names = [with_budget(name.strip(), time_) if time_ else name.strip() for name in agents.split(",")]
        workers = workers_on(on, jobs)
        total = sum(1 for _ in sittings(len(names), count, games))
        with progress(total, quiet) as told:
            found = play(loaded, names, games, count, seed, chosen, backend, jobs, told, workers=workers)
    except NoRatings as missing:
        raise CannotRun(str(missing)) from None
    except BadArgument as error:
        raise click.UsageError(str(error)) from None
    if format_ == "json":
        say_json(found.as_json())
        return
    for line in (_markdown if format_ == "markdown" else _text)(loaded.title, found):
        say(line)


def _text(title: str, found: Tournament) -> Iterator[str]:
    yield f"{title}: {counted(len(found.games), 'game')} of {found.players} players, seed {found.seed}"
    yield from _notes(found)
    standings = found.standings()
    width = max(6, *(len(one.agent) for one in standings)) + 2
    yield ""
    yield f"  {'agent':<{width}}{'rating':>14}{'games':>7}{'wins':>8}  {'share':<21}{'points':>7}"
    for one in standings:
        rating, wins = f"{one.rating.mu:.1f} ±{2 * one.rating.sigma:.1f}", _share(one.share)
        yield f"  {one.agent:<{width}}{rating:>14}{one.games:>7}{one.wins:>8.1f}  {wins:<21}{one.points:>7.1f}"
    yield ""
    yield "  Head to head (how often the left agent finishes ahead):"
    for left, right, share, both in _duels(found):
        yield f"  {left:<{width}}{right:<{width}}{_share(share)} of {both}"
    yield ""
    yield from wrap_text(_explained(found), terminal_columns())


def _markdown(title: str, found: Tournament) -> Iterator[str]:
    yield f"## {title}: {counted(len(found.games), 'game')} of {found.players} players, seed {found.seed}"
    yield ""
    for line in _notes(found):
        yield line
        yield ""
    yield "| agent | rating | games | wins | share | points |"
    yield "|---|--:|--:|--:|---|--:|"
    for one in found.standings():
        yield (
            f"| {one.agent} | {one.rating.mu:.1f} ±{2 * one.rating.sigma:.1f} | {one.games} | {one.wins:.1f} | "
            f"{_share(one.share)} | {one.points:.1f} |"
        )
    yield ""
    yield "| agent | finishes ahead of | how often | games |"
    yield "|---|---|---|--:|"
    for left, right, share, both in _duels(found):
        yield f"| {left} | {right} | {_share(share)} | {both} |"
    yield ""
    yield _explained(found)


def _notes(found: Tournament) -> Iterator[str]:
    if len(found.games) < found.wanted:
        yield f"stopped early: {found.wanted} games were planned"
    if not found.repeatable:
        yield "time budgets depend on your computer's speed, so these games are not reproducible"


def _duels(found: Tournament) -> Iterator[tuple[str, str, Interval, int]]:
    """Every pair of agents, the better rated first."""
    names = [one.agent for one in found.standings()]
    for at, left in enumerate(names):
        for right in names[at + 1 :]:
            yield left, right, *found.duel(left, right)


def _share(share: Interval) -> str:
    """`62.5% (47.0..75.8)`"""
    return f"{100 * share.value:.1f}% ({100 * share.low:.1f}..{100 * share.high:.1f})"


def _explained(found: Tournament) -> str:
    fair = f"{100 / found.players:.0f} %"
    return (
        f"In brackets: 95 % confidence intervals. Equally strong agents would each win {fair}. Ratings come from "
        f"openskill and start at 25 ±16.7. Agents are ordered by the lower bound of their rating."
    )
