"""`rulelang sim`: many games between agents, and what they come to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import (
    takes_games,
    takes_jobs,
    takes_json,
    takes_mode,
    takes_players,
    takes_quiet,
    takes_seed,
)
from rulelang.apps.cli.progress import progress
from rulelang.apps.cli.screen import INSTALL_LAB, CannotRun, say, say_json, terminal_columns
from rulelang.apps.cli.tables import check_table, load_game, options_of, takes_backend, takes_options, usual_players
from rulelang.apps.cli.working import takes_workers, workers_on
from rulelang.base.errors import BadArgument
from rulelang.base.files import why_unwritable
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.apps.lab.statistics import Interval
    from rulelang.runtime.game import Game
    from rulelang.runtime.simulate import Result, Totals


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option(
    "--against",
    metavar="MOD",
    multiple=True,
    shell_complete=completing.mods,
    help="Also play the same games with this mod, and compare the results. Repeatable.",
)
@takes_mode()
@takes_games(1000, "--number")
@takes_players()
@takes_seed()
@click.option(
    "--agents",
    "-a",
    metavar="AGENTS",
    help="Name the agents in seat order, for example greedy,mc:500,mc:100ms. If there are more seats, the list "
    "repeats.",
)
@takes_options()
@takes_backend("auto", auto=True)
@takes_jobs()
@takes_workers()
@click.option(
    "--max-decisions",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Stop with an error if a game has more than N decisions.",
)
@click.option(
    "--invariants/--no-invariants", default=True, help="Check invariants after every decision. (default: yes)"
)
@click.option(
    "--record",
    "record_file",
    metavar="FILE.jsonl|FOLDER",
    type=click.Path(path_type=Path),
    help="Record every move in a file for `rulelang replay`, or as Parquet tables in a folder.",
)
@takes_quiet("Hide progress.")
@takes_json()
def sim(
    game: str,
    mods: tuple[str, ...],
    against: tuple[str, ...],
    mode: str | None,
    number: int,
    players: int | None,
    seed: int,
    agents: str | None,
    options: tuple[str, ...],
    backend: str,
    jobs: int,
    on: str | None,
    max_decisions: int,
    invariants: bool,
    record_file: Path | None,
    quiet: bool,
    json_: bool,
) -> None:
    """Simulate many games: scores, wins, speed.

    To stop early and see the results so far, press Ctrl-C.

    With `--against`, rulelang plays each game twice from the same seed: without these mods and with them. The result
    compares wins, points and length, with 95% confidence intervals.
    """
    from rulelang.apps.lab.simulate import simulate
    from rulelang.runtime.simulate import Totals, played_rules

    chosen = options_of(options)
    names = [name.strip() for name in agents.split(",")] if agents else None
    loaded = load_game(game, mods, mode)
    series = [loaded, load_game(game, (*mods, *against), mode)] if against else [loaded]
    count = usual_players(loaded) if players is None else players
    for one in series:
        check_table(one, count, chosen)
    if names and len(names) > count:
        raise click.UsageError(f"{len(names)} agents for {count} seats; name at most one per seat")
    if record_file is not None:
        _recordable(record_file, against, jobs)
    counted, start = [Totals(count, each=bool(against)) for _ in series], time.perf_counter()
    try:
        with progress(number * len(series), quiet) as told:
            if record_file is not None and record_file.suffix != ".jsonl":
                results = [
                    _recorded(
                        loaded, record_file, number, count, seed, names, chosen, backend, jobs, on, told, invariants,
                        max_decisions, counted[0],
                    )
                ]  # fmt: skip
            elif record_file is not None:
                from rulelang.testing.replay_writer import record_series

                results = [
                    record_series(
                        loaded, record_file, number, count, seed, names, chosen, backend, told,
                        invariants=invariants, max_decisions=max_decisions,
                    )
                ]  # fmt: skip
            else:
                if (workers := workers_on(on, jobs)) is not None:
                    from rulelang.apps.lab.simulate import simulate_on

                    play = partial(simulate_on, workers)
                else:
                    play = partial(simulate, jobs=jobs)
                results = [
                    play(
                        one, number, count, seed, names, chosen, backend, progress=_from(done * number, told),
                        invariants=invariants, max_decisions=max_decisions, totals=counted[done],
                    )
                    for done, one in enumerate(series)
                ]  # fmt: skip
    except BadArgument as error:
        raise click.UsageError(str(error)) from None
    except KeyboardInterrupt:
        # What was played is told; two series that are not of the same games could not be compared.
        if against or not counted[0].games:
            raise
        say(f"stopped after {counted[0].games:,} of {number:,} games", err=True)
        told_of = played_rules(loaded, count, loaded.seated(names) if names else None, chosen)
        results = [counted[0].result(seed, time.perf_counter() - start, told_of)]
    if against:
        _compared(loaded.title, results, json_)
    elif json_:
        say_json(results[0].as_json())
    else:
        for line in _table(loaded.title, results[0]):
            say(line)
        if record_file is not None and record_file.suffix != ".jsonl":
            say(f"  written: {record_file}")


def _recorded(
    game: Game, folder: Path, number: int, players: int, seed: int, agents: list[str] | None,
    options: dict[str, object], backend: str, jobs: int, on: str | None, told: Callable[[int], None] | None,
    invariants: bool, max_decisions: int, counted: Totals,
) -> Result:  # fmt: skip
    """A series that is written down as tables."""
    try:
        from rulelang.apps.lab.recording import record

        return record(
            game, folder, number, players, seed, agents, options, backend, jobs, told,
            workers=workers_on(on, jobs), invariants=invariants, max_decisions=max_decisions, totals=counted,
        )  # fmt: skip
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("rulelang"):
            raise
        raise CannotRun(f"writing tables needs `{problem.name}`: {INSTALL_LAB}") from None


def _recordable(file: Path, against: Sequence[str], jobs: int) -> None:
    """UsageError if the games cannot be written down so."""
    if file.suffix not in ("", ".jsonl"):
        raise click.UsageError(f"--record writes a replay to a .jsonl file, or tables to a folder; {file} is neither")
    if against:
        raise click.UsageError("--record and --against cannot be combined")
    if not file.suffix:
        if file.exists() and not file.is_dir():
            raise click.UsageError(f"{file} is a file; tables need a folder")
        return
    if jobs > 1:
        raise click.UsageError("a replay is recorded in one process; leave --jobs out")
    if why := why_unwritable(file):
        raise click.UsageError(f"the games cannot be recorded in {file}: {why}")


def _compared(title: str, results: list[Result], json_: bool) -> None:
    """Two series side by side."""
    from rulelang.apps.lab.statistics import LEVEL, compare_series

    base, against = results
    rows = compare_series(base, against)
    if json_:
        both = {"base": base.as_json(), "against": against.as_json()}
        say_json({**both, "level": LEVEL, "compared": [row.as_json() for row in rows]})
        return
    number = "1 game" if base.games == 1 else f"{base.games:,} games"
    say(f"{title}: {number} of {base.players} players, seed {base.seed}, played again with other mods")
    for name, result in (("base", base), ("against", against)):
        for line in wrap_text(f"{name}: {_whole(result)}", terminal_columns(), "", "    "):
            say(line)
    say()
    say(f"{'':<16}{'base':>21}{'against':>21}  {'difference'}")
    for row in rows:
        share = row.what == "wins"
        label = f"{row.what} of seat {row.seat}" if row.seat else row.what
        cells = "".join(f"{_interval(part, share):>21}" for part in (row.base, row.against))
        say(f"{label:<16}{cells}  {_interval(row.difference, share, '+')}{' *' if row.differs else ''}")
    say()
    for line in wrap_text(
        "In brackets: 95 % confidence intervals. * marks differences that chance is unlikely to explain.",
        terminal_columns(),
    ):
        say(line)


def _whole(result: Result) -> str:
    """The same, with the game's id and version also where there are no mods."""
    name = f"{result.played['ruleset']} {result.played['version']}"
    rules = _rules(result)
    return rules if rules.startswith(name) else "; ".join(part for part in (name, rules) if part)


def _interval(interval: Interval, share: bool, sign: str = "") -> str:
    """`24.1 (21.5..26.8)`, shares in percent."""
    times = 100 if share else 1
    value, low, high = (f"{x * times:{sign}.1f}" for x in (interval.value, interval.low, interval.high))
    unit = "%" if share else ""
    return f"{value}{unit} ({low}..{high})" if isfinite(interval.low) else f"{value}{unit}"


def _from(done: int, told: Callable[[int], None] | None) -> Callable[[int], None] | None:
    """The bar of a series behind others that are done."""
    return None if told is None else lambda more: told(done + more)


def _table(title: str, result: Result) -> Iterator[str]:
    number = "1 game" if result.games == 1 else f"{result.games:,} games"
    yield f"{title}: {number} of {result.players} players, seed {result.seed}"
    yield from wrap_text(_rules(result), terminal_columns(), "", "    ")
    yield ""
    yield f"  {'seat':<6}{'agent':<10}{'mean':>8}{'min':>6}{'max':>6}{'wins':>10}{'share':>8}"
    for seat, (spread, wins) in enumerate(zip(result.scores, result.wins, strict=True), 1):
        name = result.played["agents"][seat - 1]
        share = f"{100 * wins / result.games:.1f} %"
        yield f"  {seat:<6}{name:<10}{spread.mean:>8.1f}{spread.min:>6}{spread.max:>6}{wins:>10.1f}{share:>8}"
    if result.teams:
        yield ""
        yield f"  {'partners':<16}{'mean':>8}{'':12}{'wins':>10}{'share':>8}"
    for team in result.teams:
        mean, wins = (sum(each[seat - 1] for seat in team) for each in ([s.mean for s in result.scores], result.wins))
        share = f"{100 * wins / result.games:.1f} %"
        yield f"  {' and '.join(map(str, team)):<16}{mean:>8.1f}{'':12}{wins:>10.1f}{share:>8}"
    rounds, games = result.rounds, result.games
    yield ""
    yield f"  rounds      {rounds.mean:.1f} per game ({rounds.min} to {rounds.max})"
    yield f"  decisions   {result.decisions:,}, {result.decisions / games:.0f} per game; forced {result.forced:,}"
    yield (
        f"  speed       {result.games_per_second:,.0f} games/s, {result.decisions_per_second:,.0f} decisions/s "
        f"({result.seconds:.2f} s)"
    )


def _rules(result: Result) -> str:
    """Mods, mode and options, where there are any to tell."""
    played = result.played
    mods = [f"{mod} {version}" for mod, version in played["mods"].items()]
    parts = [f"{played['ruleset']} {played['version']} with {', '.join(mods)}"] if mods else []
    parts += [f"mode {played['mode']}"] if played["mode"] else []
    for name, value in played["options"].items():
        parts.append(f"{name} {str(value).lower() if isinstance(value, bool) else value}")
    return "; ".join(parts)
