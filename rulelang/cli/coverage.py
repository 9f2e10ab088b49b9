"""`rulelang coverage`: which numbered rules of the documents no code carries out, and which no scenario shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.base.files import unwritable, write_whole
from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.screen import FAILED, FINE, MISTAKES, counted, nothing_there, say, say_json, show_frames

if TYPE_CHECKING:
    from rulelang.scenarios.coverage import CoverageReport


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option("--mode", shell_complete=completing.modes, help="Look at it in this mode.")
@click.option("--pairs", "pairs_", is_flag=True, help="Which traits have met, each before each, in one move.")
@click.option(
    "--games", "-n", type=click.IntRange(min=0), default=0, help="With --pairs: play so many games too, as `fuzz` does."
)
@click.option(
    "--skeletons",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --pairs: begin a scenario for each pair that met in none, and write them here.",
)
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON, with every citation.")
@click.pass_context
def coverage(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    pairs_: bool,
    games: int,
    skeletons: Path | None,
    json_: bool,
) -> None:
    """List the numbered rules of a GAME that no code cites, and those that no passing scenario cites.

    The rules are numbered in seeds/. Code cites them in lines that begin with `#:`, scenarios with `rule:`.
    With `--pairs`, which ordered pairs of traits have met in a move of a passing scenario, and which never.
    """
    if not pairs_ and (games or skeletons is not None):
        raise click.UsageError("--games and --skeletons go with --pairs")
    if pairs_:
        _pairs(game, mods, mode, games, skeletons, json_=json_)
        return
    from rulelang.scenarios.coverage import coverage as measure
    from rulelang.scenarios.coverage import coverage_lines

    report = measure(game, mods, mode)
    missing = not report.rules and nothing_there(report.mistakes) and bool(report.mistakes)
    if json_:
        say_json(_as_json(report))
    else:
        show_frames(report.mistakes, report.sources)
        for line in () if missing else coverage_lines(report):
            say(line)
        failed = [outcome.scenario.id for outcome in report.outcomes if not outcome.passed]
        if failed:
            over = "".join(f" --mod {mod}" for mod in mods) + (f" --mode {mode}" if mode else "")
            say(f"scenarios that fail count for no rule; see `rulelang test {game}{over}`")
    ctx.exit(FAILED if missing else FINE if report.ok else MISTAKES)


def _pairs(game: str, mods: tuple[str, ...], mode: str | None, games: int, file: Path | None, *, json_: bool) -> None:
    """Which traits have met."""
    from rulelang.fuzzing import pairs as meeting

    if file is not None and (why := unwritable(file)):
        raise click.UsageError(f"nothing can be written to {file}: {why}")
    report = meeting.pairs(game, mods, mode, games)
    if json_:
        say_json(report.as_json())
    else:
        for line in meeting.lines(report):
            say(line)
    if file is not None:
        write_whole(file, "".join(meeting.skeletons(game, report.untested)).encode())
        say(f"begun in {file}: {counted(len(report.untested), 'scenario')}")


def _as_json(report: CoverageReport) -> dict[str, Any]:
    from rulelang.reports.structured import diagnostic

    return {
        "ruleset": report.given[0],
        "mods": list(report.given[1:]),
        "enforced": report.enforced,
        "uncoded": [rule.id for rule in report.uncoded],
        "untested": [rule.id for rule in report.untested],
        "rules": {
            rule.id: {
                "document": rule.document,
                "enforced": rule.enforced,
                "code": [str(span) for span in report.code.get(rule.id, ())],
                "scenarios": list(report.scenarios.get(rule.id, ())),
            }
            for rule in report.rules.values()
        },
        "diagnostics": [diagnostic(item) for item in report.mistakes],
    }
