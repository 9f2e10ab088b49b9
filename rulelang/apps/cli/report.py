"""`rulelang report`: is a game, a trait, a card fair? Series of games, and a page that a designer reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_jobs, takes_mode, takes_players, takes_quiet, takes_seed
from rulelang.apps.cli.progress import progress
from rulelang.apps.cli.screen import INSTALL_LAB, CannotRun, say, say_json, terminal_columns
from rulelang.apps.cli.tables import check_table, load_game, options_of, takes_backend, takes_options, usual_players
from rulelang.apps.cli.working import takes_workers, workers_on
from rulelang.base.errors import BadArgument
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.apps.lab.figures import Figures
    from rulelang.apps.lab.study import Study

FORMATS = ("html", "md", "json", "parquet")


class Half(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
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
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option(
    "--against",
    metavar="GAME",
    shell_complete=completing.games,
    help="Compare with this game, for example the same game without mods or an older version.",
)
@takes_mode()
@click.option("--games", "-n", metavar="N", type=click.IntRange(min=1), help="Play N games. (default: 1000)")
@click.option(
    "--until",
    type=Half(),
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
    type=click.Choice(FORMATS),
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
    format_ = _format(format_, output, summary)
    with _needed():
        from rulelang.apps.lab.figures import write_parquet
        from rulelang.apps.lab.rendering import report_html, report_markdown, write_charts
        from rulelang.apps.lab.report import about_known, changed_figures, outstanding_findings, page_of, summary_of
        from rulelang.apps.lab.study import Study, named_subjects, widest_estimate
    chosen = options_of(options)
    names = [name.strip() for name in agents.split(",")]
    loaded = [load_game(game, mods, mode), *([load_game(against, (), mode)] if against else [])]
    count = usual_players(loaded[0]) if players is None else players
    for one in loaded:
        check_table(one, count, chosen)
    if len(names) > count:
        raise click.UsageError(f"{len(names)} agents for {count} seats; name at most one per seat")
    try:
        workers = workers_on(on, jobs)
        studies = [Study(one, count, names, seed, chosen, backend, jobs, workers=workers) for one in loaded]
        asked = named_subjects(studies[0].table, about) if about else ()
    except BadArgument as error:
        raise click.UsageError(str(error)) from None
    stopped = _played(studies, games, until, about or "", asked, matched, quiet)
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
        with _needed():
            write_charts(page, charts)
    if summary:
        _summarize(report_markdown(summary_of(figures, base, answer)), output)
        return
    if format_ == "json" and output is None:
        say_json(_as_json(figures, base))
        return
    shown = "" if charts is None else Path(relpath(charts, output.parent if output else ".")).as_posix()
    if format_ == "md" and output is None:
        say(report_markdown(page, shown).rstrip("\n"))
        return
    path = output or Path(f"{figures.played['ruleset']}-report.{format_}")
    with _needed():
        if format_ == "parquet":
            write_parquet(path, figures, base)
        elif format_ == "json":
            import json

            path.write_text(json.dumps(_as_json(figures, base), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        else:
            path.write_text(report_html(page) if format_ == "html" else report_markdown(page, shown), encoding="utf-8")
    for sentence in (*outstanding_findings(figures, answer), *(changed_figures(figures, base) if base else ())):
        for line in wrap_text(sentence, terminal_columns(), "", "  "):
            say(line)
    say(f"The whole report: {path}")
    if charts is not None:
        say(f"The charts: {charts}")


def _played(
    studies: list[Study], games: int | None, until: float | None, about: str, named: Sequence[str], matched: int,
    quiet: bool,
) -> bool:  # fmt: skip
    """Play all that is wanted; whether it was stopped before."""
    known = None if until is not None else len(studies) * (games or 1000)
    try:
        with progress(known, quiet) as bar:
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
            with progress(2 * matched * many, quiet, "playing games twice") as bar:
                studies[0].match(matched, asked, progress=bar)
    except KeyboardInterrupt:
        return True
    return False


def _as_json(figures: Figures, base: Figures | None) -> dict[str, Any]:
    return {**figures.as_json(), "base": None if base is None else base.as_json()}


def _summarize(text: str, output: Path | None) -> None:
    if output is None:
        say(text.rstrip("\n"))
        return
    output.write_text(text, encoding="utf-8")
    say(f"The summary: {output}")


def _format(given: str | None, output: Path | None, summary: bool) -> str:
    """The format of the report. UsageError for one that a summary does not have, or that a file does not end in."""
    ends = output.suffix.removeprefix(".") if output is not None else ""
    if summary:
        other = (
            given if given not in (None, "md") else ends if given is None and ends in FORMATS and ends != "md" else ""
        )
        if other:
            hint = "leave out --format" if given else "give --output a file that ends in .md"
            raise click.UsageError(f"--summary writes Markdown, not {other}: {hint}, or leave out --summary")
        return "md"
    if given is not None:
        return given
    if ends and ends not in FORMATS:
        raise click.UsageError(f"`{output}` does not end in .{', .'.join(FORMATS)}: choose a format with --format")
    return ends or "html"


@contextmanager
def _needed() -> Iterator[None]:
    """CannotRun where a library is missing, with the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("rulelang"):
            raise
        raise CannotRun(f"reports need `{problem.name}`: {INSTALL_LAB}") from None
