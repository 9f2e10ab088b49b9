"""`rulelang fuzz`: games that look for mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_jobs, takes_mode, takes_quiet, takes_seed
from rulelang.apps.cli.progress import progress
from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, counted, say, terminal_columns
from rulelang.apps.cli.tables import BACKENDS
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.apps.fuzzing.parallel_search import SearchResult
    from rulelang.apps.fuzzing.playing import Player


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@takes_mode("all modes in turn")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play N games. (default: as many as fit into --minutes)",
)
@click.option(
    "--minutes",
    "-m",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Stop after N minutes, and finish the games in progress. (default: 2, without --games)",
)
@takes_jobs()
@takes_seed()
@click.option(
    "--backend", type=click.Choice(BACKENDS), default="python", show_default=True, help="Play on this backend."
)
@click.option(
    "--against",
    type=click.Choice(["none", *BACKENDS]),
    help="Play some games on this backend in parallel, and compare each step.",
)
@click.option("--inside", is_flag=True, help="Run whole games inside the compiled rules, which is much faster.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Record progress in this file, and continue from it next time.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("findings"),
    show_default=True,
    metavar="FOLDER",
    help="Write findings to this folder.",
)
@takes_quiet("Hide progress.")
@click.pass_context
def fuzz(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    games: int | None,
    minutes: float | None,
    jobs: int,
    seed: int,
    backend: str,
    against: str | None,
    inside: bool,
    resume: Path | None,
    out: Path,
    quiet: bool,
) -> None:
    """Find bugs by playing random games.

    Chooses players, options, modes and MODS at random, and checks invariants after every move: card locations,
    counts, links, bounds, your own invariants and the options. After some moves, it also saves and restores the game,
    compares views and texts, and compares the result with another backend. It reduces each failure to a minimal
    replay and scenario.
    """
    from rulelang.apps.fuzzing.parallel_search import OtherSearch
    from rulelang.apps.fuzzing.parallel_search import fuzz as search
    from rulelang.apps.fuzzing.playing import Player
    from rulelang.apps.fuzzing.shrinking import free_number, keep_finding

    if games is None and minutes is None:  # games of a large ruleset take some seconds each
        minutes = 2.0
    other = "" if against in (None, "none", backend) else str(against)
    try:
        with progress(games, quiet) as told:
            found = search(
                game, mods, mode, games, seconds=minutes * 60 if minutes else None, jobs=jobs, seed=seed,
                backend=backend, other=other, inside=inside, kept=resume, progress=told,
            )  # fmt: skip
    except (OtherSearch, OSError) as problem:
        raise CannotRun(str(problem)) from None
    player = Player(game, mods, mode, backend, other)
    for line in _counted(found, player, inside=inside):
        say(line)
    for place, finding in enumerate(found.findings, free_number(out)):
        say()
        _say(f"{finding.kind}: {finding.what}")
        files, small = keep_finding(out, place, finding, player.game(finding.setting), other)
        if small is not None:
            _say(f"minimized: {small.after} of {small.before} parts, {counted(len(small.scenario.steps), 'move')}")
        _say(f"written: {', '.join(map(str, files))}")
    ctx.exit(MISTAKES if found.findings else FINE)


def _counted(found: SearchResult, player: Player, *, inside: bool) -> list[str]:
    counts = found.counts
    speed = counts.games / found.seconds if found.seconds else 0.0
    title = player.game(player.whole).title
    lines = [
        f"{title}: {_many(counts.games, 'game')}, {_many(counts.decisions, 'decision')}, {found.seconds:.0f} s, "
        f"{speed:,.1f} games/s"
    ]
    if inside:
        if counts.proved:
            lines.append(
                "checked at every decision: invariants, bounds of values, places of cards, lines, chains, addresses; "
                f"resumed {counts.remade:,} times from the state alone; "
                f"{_many(counts.forms, 'game')} also played without stopping"
            )
        else:
            lines.append("checked invariants at every decision, and everything else at the end of each game")
        lines.append(f"{_many(counts.deep, 'decision')} tested in depth: saving, restoring, observations, log")
        if counts.both:
            lines.append(f"{_many(counts.both, 'game')} played on two backends, with the same result")
    else:
        lines.append(f"every decision tested, {counts.deep:,} of them in depth: saving, restoring, observations, log")
        if counts.both:
            lines.append(f"{_many(counts.both, 'game')} played on two backends in step")
        lines.append(
            f"{counted(len(found.rules), 'rule')} ran, {counted(len(found.pairs), 'ordered pair')} of traits met"
        )
    lines.append(f"{counted(len(found.findings), 'finding')}" if found.findings else "no findings")
    return [part for line in lines for part in wrap_text(line, terminal_columns(), "", "    ")]


def _many(number: int, what: str) -> str:
    """As `counted`, but such large numbers are read in threes."""
    return f"{number:,} {what if number == 1 else what + 's'}"


def _say(text: str) -> None:
    for line in wrap_text(text, terminal_columns(), "", "    "):
        say(line)
