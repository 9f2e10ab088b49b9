"""Play many games and report on them: `rulelang sim`, `report` and `tournament`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import isfinite
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import (
    default_players,
    load_game,
    parse_options,
    table_options,
    takes_backend,
    takes_games,
    takes_jobs,
    takes_json,
    takes_mode,
    takes_mods,
    takes_options,
    takes_players,
    takes_quiet,
    takes_seed,
    takes_workers,
    workers_on,
)
from rulelang.apps.cli.screen import INSTALL_LAB, CannotRun, counted, progress_bar, say, say_json, terminal_columns
from rulelang.base.errors import BadArgument
from rulelang.base.files import why_unwritable
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.apps.lab.figures import Figures
    from rulelang.apps.lab.statistics import Interval
    from rulelang.apps.lab.study import Study
    from rulelang.apps.lab.tournament import Tournament
    from rulelang.runtime.game import Game
    from rulelang.runtime.simulate import Result, Totals


# ---- `sim`


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods()
@click.option(
    "--against",
    metavar="MOD",
    multiple=True,
    shell_complete=completion.mods,
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

    chosen = parse_options(options)
    names = [name.strip() for name in agents.split(",")] if agents else None
    loaded = load_game(game, mods, mode)
    series = [loaded, load_game(game, (*mods, *against), mode)] if against else [loaded]
    count = default_players(loaded) if players is None else players
    for one in series:
        table_options(one, count, chosen)
    if names and len(names) > count:
        raise click.UsageError(f"{len(names)} agents for {count} seats; name at most one per seat")
    if record_file is not None:
        _check_recordable(record_file, against, jobs)
    counted, start = [Totals(count, each=bool(against)) for _ in series], time.perf_counter()
    try:
        with progress_bar(number * len(series), quiet) as told:
            if record_file is not None and record_file.suffix != ".jsonl":
                results = [
                    _record_series(
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
                        one, number, count, seed, names, chosen, backend, progress=_progress_from(done * number, told),
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
        _print_comparison(loaded.title, results, json_)
    elif json_:
        say_json(results[0].as_json())
    else:
        for line in _result_table(loaded.title, results[0]):
            say(line)
        if record_file is not None and record_file.suffix != ".jsonl":
            say(f"  written: {record_file}")


def _record_series(
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


def _check_recordable(file: Path, against: Sequence[str], jobs: int) -> None:
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


def _print_comparison(title: str, results: list[Result], json_: bool) -> None:
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
        for line in wrap_text(f"{name}: {_full_rules_text(result)}", terminal_columns(), "", "    "):
            say(line)
    say()
    say(f"{'':<16}{'base':>21}{'against':>21}  {'difference'}")
    for row in rows:
        share = row.what == "wins"
        label = f"{row.what} of seat {row.seat}" if row.seat else row.what
        cells = "".join(f"{_interval_text(part, share):>21}" for part in (row.base, row.against))
        say(f"{label:<16}{cells}  {_interval_text(row.difference, share, '+')}{' *' if row.differs else ''}")
    say()
    for line in wrap_text(
        "In brackets: 95 % confidence intervals. * marks differences that chance is unlikely to explain.",
        terminal_columns(),
    ):
        say(line)


def _full_rules_text(result: Result) -> str:
    """The same, with the game's id and version also where there are no mods."""
    name = f"{result.played['ruleset']} {result.played['version']}"
    rules = _rules_text(result)
    return rules if rules.startswith(name) else "; ".join(part for part in (name, rules) if part)


def _interval_text(interval: Interval, share: bool, sign: str = "") -> str:
    """`24.1 (21.5..26.8)`, shares in percent."""
    times = 100 if share else 1
    value, low, high = (f"{x * times:{sign}.1f}" for x in (interval.value, interval.low, interval.high))
    unit = "%" if share else ""
    return f"{value}{unit} ({low}..{high})" if isfinite(interval.low) else f"{value}{unit}"


def _progress_from(done: int, told: Callable[[int], None] | None) -> Callable[[int], None] | None:
    """The bar of a series behind others that are done."""
    return None if told is None else lambda more: told(done + more)


def _result_table(title: str, result: Result) -> Iterator[str]:
    number = "1 game" if result.games == 1 else f"{result.games:,} games"
    yield f"{title}: {number} of {result.players} players, seed {result.seed}"
    yield from wrap_text(_rules_text(result), terminal_columns(), "", "    ")
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


def _rules_text(result: Result) -> str:
    """Mods, mode and options, where there are any to tell."""
    played = result.played
    mods = [f"{mod} {version}" for mod, version in played["mods"].items()]
    parts = [f"{played['ruleset']} {played['version']} with {', '.join(mods)}"] if mods else []
    parts += [f"mode {played['mode']}"] if played["mode"] else []
    for name, value in played["options"].items():
        parts.append(f"{name} {str(value).lower() if isinstance(value, bool) else value}")
    return "; ".join(parts)


# ---- `report`

PAGE_FORMATS = ("html", "md", "json", "parquet")


class PercentType(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    """`0.5%` as a share."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        try:
            found = float(str(value).strip().removesuffix("%")) / 100
        except ValueError:
            found = 0.0
        if not 0.0005 <= found <= 0.5:
            self.fail(f"`{value}` is not a valid precision: write a percentage from 0.05% to 50%, for example 0.5%")
        return found


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods()
@click.option(
    "--against",
    metavar="GAME",
    shell_complete=completion.games,
    help="Compare with this game, for example the same game without mods or an older version.",
)
@takes_mode()
@click.option("--games", "-n", metavar="N", type=click.IntRange(min=1), help="Play N games. (default: 1000)")
@click.option(
    "--until",
    type=PercentType(),
    metavar="PERCENT",
    help="Play until win rates are known to this precision, for example 0.5%.",
)
@click.option(
    "--about",
    metavar="NAME",
    help="Study this card or trait, a pair (ONE+OTHER), or `all`. Then --until and --matched apply only to NAME.",
)
@click.option(
    "--matched",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    metavar="N",
    help="For each card, play N games twice: with and without the card in a starting hand.",
)
@takes_players()
@takes_seed()
@click.option(
    "--agents",
    "-a",
    default="greedy",
    show_default=True,
    metavar="AGENTS",
    help="Name the agents in seat order, for example greedy,mc:100. If there are more seats, the list repeats.",
)
@takes_options()
@takes_backend("auto", auto=True)
@takes_jobs()
@takes_workers()
@click.option(
    "--format",
    "format_",
    type=click.Choice(PAGE_FORMATS),
    help="Write this format. (default: the file extension of --output, or html)",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write to this file. (default: GAME-report.html or .parquet; rulelang prints md and json)",
)
@click.option(
    "--charts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Also write the charts to this folder, as SVG and PNG.",
)
@click.option("--summary", is_flag=True, help="Print only the findings as Markdown, or write them to --output.")
@takes_quiet("Hide progress.")
def report(
    game: str,
    mods: tuple[str, ...],
    against: str | None,
    mode: str | None,
    games: int | None,
    until: float | None,
    about: str | None,
    matched: int,
    players: int | None,
    seed: int,
    agents: str,
    options: tuple[str, ...],
    backend: str,
    jobs: int,
    on: str | None,
    format_: str | None,
    output: Path | None,
    charts: Path | None,
    summary: bool,
    quiet: bool,
) -> None:
    """Find cards and traits that are too strong or weak.

    Plays games between bots, and measures how seats, cards and traits affect who wins. Each number comes with its 95%
    confidence interval and the number of games. Flagged results are significant after correction for the number of
    cards tested. To stop early and see the results so far, press Ctrl-C.
    """
    if games is not None and until is not None:
        raise click.UsageError("--games and --until cannot be combined")
    format_ = _page_format(format_, output, summary)
    with _require_libraries():
        from rulelang.apps.lab.figures import write_parquet
        from rulelang.apps.lab.rendering import report_html, report_markdown, write_charts
        from rulelang.apps.lab.report import about_known, changed_figures, outstanding_findings, page_of, summary_of
        from rulelang.apps.lab.study import Study, named_subjects, widest_estimate
    chosen = parse_options(options)
    names = [name.strip() for name in agents.split(",")]
    loaded = [load_game(game, mods, mode), *([load_game(against, (), mode)] if against else [])]
    count = default_players(loaded[0]) if players is None else players
    for one in loaded:
        table_options(one, count, chosen)
    if len(names) > count:
        raise click.UsageError(f"{len(names)} agents for {count} seats; name at most one per seat")
    try:
        workers = workers_on(on, jobs)
        studies = [Study(one, count, names, seed, chosen, backend, jobs, workers=workers) for one in loaded]
        asked = named_subjects(studies[0].table, about) if about else ()
    except BadArgument as error:
        raise click.UsageError(str(error)) from None
    stopped = _play_study(studies, games, until, about or "", asked, matched, quiet)
    if not studies[0].games:
        raise CannotRun("no game was finished, so there is nothing to report")
    if stopped:
        wanted = f" of {games or 1000:,}" if until is None else ""
        without = "" if len(studies) == 1 or studies[1].games else " and none of the base game"
        say(f"stopped after {studies[0].games:,}{wanted} games{without}", err=True)
    anytime = stopped or until is not None
    figures = studies[0].figures(anytime=anytime)
    base = studies[1].figures(anytime=anytime) if len(studies) > 1 and studies[1].games else None
    answer = about_known(widest_estimate(studies[0].known(about, anytime=anytime)), figures.games) if about else ""
    page = page_of(figures, base, answer)
    if charts is not None:
        with _require_libraries():
            write_charts(page, charts)
    if summary:
        _print_summary(report_markdown(summary_of(figures, base, answer)), output)
        return
    if format_ == "json" and output is None:
        say_json(_summary_data(figures, base))
        return
    shown = "" if charts is None else Path(relpath(charts, output.parent if output else ".")).as_posix()
    if format_ == "md" and output is None:
        say(report_markdown(page, shown).rstrip("\n"))
        return
    path = output or Path(f"{figures.played['ruleset']}-report.{format_}")
    with _require_libraries():
        if format_ == "parquet":
            write_parquet(path, figures, base)
        elif format_ == "json":
            import json

            path.write_text(
                json.dumps(_summary_data(figures, base), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
            )
        else:
            path.write_text(report_html(page) if format_ == "html" else report_markdown(page, shown), encoding="utf-8")
    for sentence in (*outstanding_findings(figures, answer), *(changed_figures(figures, base) if base else ())):
        for line in wrap_text(sentence, terminal_columns(), "", "  "):
            say(line)
    say(f"The whole report: {path}")
    if charts is not None:
        say(f"The charts: {charts}")


def _play_study(
    studies: list[Study], games: int | None, until: float | None, about: str, named: Sequence[str], matched: int,
    quiet: bool,
) -> bool:  # fmt: skip
    """Play all that is wanted; whether it was stopped before."""
    known = None if until is not None else len(studies) * (games or 1000)
    try:
        with progress_bar(known, quiet) as bar:
            for number, study in enumerate(studies):
                done = number * (games or 1000)
                told = None if bar is None else lambda now, bar=bar, done=done: bar(done + now)
                if number and until is not None:
                    study.play(studies[0].games, told)
                elif until is not None:
                    study.play_until(until, told, about=about)
                else:
                    study.play(games or 1000, told)
        asked = named or None
        many = studies[0].dealt(asked)
        if matched and many:
            with progress_bar(2 * matched * many, quiet, "playing games twice") as bar:
                studies[0].match(matched, asked, progress=bar)
    except KeyboardInterrupt:
        return True
    return False


def _summary_data(figures: Figures, base: Figures | None) -> dict[str, Any]:
    return {**figures.as_json(), "base": None if base is None else base.as_json()}


def _print_summary(text: str, output: Path | None) -> None:
    if output is None:
        say(text.rstrip("\n"))
        return
    output.write_text(text, encoding="utf-8")
    say(f"The summary: {output}")


def _page_format(given: str | None, output: Path | None, summary: bool) -> str:
    """The format of the report. UsageError for one that a summary does not have, or that a file does not end in."""
    ends = output.suffix.removeprefix(".") if output is not None else ""
    if summary:
        other = (
            given
            if given not in (None, "md")
            else ends
            if given is None and ends in PAGE_FORMATS and ends != "md"
            else ""
        )
        if other:
            hint = "leave out --format" if given else "give --output a file that ends in .md"
            raise click.UsageError(f"--summary writes Markdown, not {other}: {hint}, or leave out --summary")
        return "md"
    if given is not None:
        return given
    if ends and ends not in PAGE_FORMATS:
        raise click.UsageError(f"`{output}` does not end in .{', .'.join(PAGE_FORMATS)}: choose a format with --format")
    return ends or "html"


@contextmanager
def _require_libraries() -> Iterator[None]:
    """CannotRun where a library is missing, with the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("rulelang"):
            raise
        raise CannotRun(f"reports need `{problem.name}`: {INSTALL_LAB}") from None


# ---- `tournament`


@click.command()
@click.argument("game", shell_complete=completion.games)
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

    chosen = parse_options(options)
    loaded = load_game(game, mods, mode)
    count = max(2, loaded.players[0]) if players is None else players
    table_options(loaded, count, chosen)
    try:
        rate_agents(0, [])  # before hours of games, not after them
        names = [with_budget(name.strip(), time_) if time_ else name.strip() for name in agents.split(",")]
        workers = workers_on(on, jobs)
        total = sum(1 for _ in sittings(len(names), count, games))
        with progress_bar(total, quiet) as told:
            found = play(loaded, names, games, count, seed, chosen, backend, jobs, told, workers=workers)
    except NoRatings as missing:
        raise CannotRun(str(missing)) from None
    except BadArgument as error:
        raise click.UsageError(str(error)) from None
    if format_ == "json":
        say_json(found.as_json())
        return
    for line in (_tournament_markdown if format_ == "markdown" else _tournament_text)(loaded.title, found):
        say(line)


def _tournament_text(title: str, found: Tournament) -> Iterator[str]:
    yield f"{title}: {counted(len(found.games), 'game')} of {found.players} players, seed {found.seed}"
    yield from _tournament_notes(found)
    standings = found.standings()
    width = max(6, *(len(one.agent) for one in standings)) + 2
    yield ""
    yield f"  {'agent':<{width}}{'rating':>14}{'games':>7}{'wins':>8}  {'share':<21}{'points':>7}"
    for one in standings:
        rating, wins = f"{one.rating.mu:.1f} ±{2 * one.rating.sigma:.1f}", _share_text(one.share)
        yield f"  {one.agent:<{width}}{rating:>14}{one.games:>7}{one.wins:>8.1f}  {wins:<21}{one.points:>7.1f}"
    yield ""
    yield "  Head to head (how often the left agent finishes ahead):"
    for left, right, share, both in _duel_rows(found):
        yield f"  {left:<{width}}{right:<{width}}{_share_text(share)} of {both}"
    yield ""
    yield from wrap_text(_explanation_lines(found), terminal_columns())


def _tournament_markdown(title: str, found: Tournament) -> Iterator[str]:
    yield f"## {title}: {counted(len(found.games), 'game')} of {found.players} players, seed {found.seed}"
    yield ""
    for line in _tournament_notes(found):
        yield line
        yield ""
    yield "| agent | rating | games | wins | share | points |"
    yield "|---|--:|--:|--:|---|--:|"
    for one in found.standings():
        yield (
            f"| {one.agent} | {one.rating.mu:.1f} ±{2 * one.rating.sigma:.1f} | {one.games} | {one.wins:.1f} | "
            f"{_share_text(one.share)} | {one.points:.1f} |"
        )
    yield ""
    yield "| agent | finishes ahead of | how often | games |"
    yield "|---|---|---|--:|"
    for left, right, share, both in _duel_rows(found):
        yield f"| {left} | {right} | {_share_text(share)} | {both} |"
    yield ""
    yield _explanation_lines(found)


def _tournament_notes(found: Tournament) -> Iterator[str]:
    if len(found.games) < found.wanted:
        yield f"stopped early: {found.wanted} games were planned"
    if not found.repeatable:
        yield "time budgets depend on your computer's speed, so these games are not reproducible"


def _duel_rows(found: Tournament) -> Iterator[tuple[str, str, Interval, int]]:
    """Every pair of agents, the better rated first."""
    names = [one.agent for one in found.standings()]
    for at, left in enumerate(names):
        for right in names[at + 1 :]:
            yield left, right, *found.duel(left, right)


def _share_text(share: Interval) -> str:
    """`62.5% (47.0..75.8)`"""
    return f"{100 * share.value:.1f}% ({100 * share.low:.1f}..{100 * share.high:.1f})"


def _explanation_lines(found: Tournament) -> str:
    fair = f"{100 / found.players:.0f} %"
    return (
        f"In brackets: 95 % confidence intervals. Equally strong agents would each win {fair}. Ratings come from "
        f"openskill and start at 25 ±16.7. Agents are ordered by the lower bound of their rating."
    )
