"""`rulelang fuzz`: games that look for mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.progress import progress
from rulelang.cli.screen import FINE, MISTAKES, CannotRun, counted, say, terminal_columns
from rulelang.cli.tables import BACKENDS
from rulelang.texts.wrapping import wrapped

if TYPE_CHECKING:
    from rulelang.fuzzing.playing import Player
    from rulelang.fuzzing.spread import Found


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option("--mode", shell_complete=completing.modes, help="Only in this mode. (default: in all modes by turns)")
@click.option("--games", "-n", type=click.IntRange(min=1), help="How many games. (default: all that --minutes allow)")
@click.option(
    "--minutes",
    "-m",
    type=click.FloatRange(min=0, min_open=True),
    help="For how long; games at hand are ended. (default: 2, without --games)",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), default=1, show_default=True, help="How many processes.")
@click.option("--seed", "-s", type=int, default=0, show_default=True, help="Another seed, other games.")
@click.option("--backend", type=click.Choice(BACKENDS), default="python", show_default=True, help="What plays.")
@click.option("--against", type=click.Choice(["none", *BACKENDS]), help="A backend that plays some games in step.")
@click.option("--inside", is_flag=True, help="Play whole games inside of the compiled rules: many more of them.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Note here what was played, and go on from there the next time.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("findings"),
    show_default=True,
    help="Where findings are written.",
)
@click.option("--quiet", "-q", is_flag=True, help="Show no progress.")
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
    """Play a GAME over and over, with everything tested that must hold, and make what fails small.

    Players, options, modes and sets of the MODS are drawn by lot. Some choose at random, some what was seen least
    (rules that seldom ran, traits that seldom met), some to win. After every decision: where each card lies, counts,
    links, bounds, invariants, the options; after some: saving, views, texts, and another backend in step.
    """
    from rulelang.fuzzing.diary import OtherSearch
    from rulelang.fuzzing.keeping import free, keep
    from rulelang.fuzzing.playing import Player
    from rulelang.fuzzing.spread import fuzz as search

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
    for place, finding in enumerate(found.findings, free(out)):
        say()
        _say(f"{finding.kind}: {finding.what}")
        files, small = keep(out, place, finding, player.game(finding.setting), other)
        if small is not None:
            _say(f"made small: {small.after} parts of {small.before}, {counted(len(small.scenario.steps), 'move')}")
        _say(f"written: {', '.join(map(str, files))}")
    ctx.exit(MISTAKES if found.findings else FINE)


def _counted(found: Found, player: Player, *, inside: bool) -> list[str]:
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
                "at every decision invariants, bounds of all values, each card in one place, lines, chains, addresses; "
                f"{counts.remade:,} times gone on from the words alone, "
                f"{_many(counts.forms, 'game')} played at one go as well"
            )
        else:
            lines.append("invariants at every decision; everything else where each game ends")
        lines.append(f"{_many(counts.deep, 'decision')} tested in depth: saved, restored, seen, told")
        if counts.both:
            lines.append(f"{_many(counts.both, 'game')} played on two backends, to the same end")
    else:
        lines.append(f"every decision tested, {counts.deep:,} of them in depth: saved, restored, seen, told")
        if counts.both:
            lines.append(f"{_many(counts.both, 'game')} played on two backends in step")
        lines.append(
            f"{counted(len(found.rules), 'rule')} ran, {counted(len(found.pairs), 'ordered pair')} of traits met"
        )
    lines.append(f"{counted(len(found.findings), 'finding')}" if found.findings else "nothing found")
    return [part for line in lines for part in wrapped(line, terminal_columns(), "", "    ")]


def _many(number: int, what: str) -> str:
    """As `counted`, but such large numbers are read in threes."""
    return f"{number:,} {what if number == 1 else what + 's'}"


def _say(text: str) -> None:
    for line in wrapped(text, terminal_columns(), "", "    "):
        say(line)
