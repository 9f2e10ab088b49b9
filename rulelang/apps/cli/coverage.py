"""`rulelang coverage`: which numbered rules of the documents no code carries out, and which no scenario shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_json, takes_mode
from rulelang.apps.cli.screen import (
    FAILED,
    FINE,
    MISTAKES,
    CannotRun,
    counted,
    nothing_there,
    say,
    say_json,
    show_frames,
    terminal_columns,
)
from rulelang.base.files import why_unwritable, write_atomically

if TYPE_CHECKING:
    from rulelang.testing.scenarios.citations import CoverageReport


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@takes_mode()
@click.option(
    "--pairs",
    "pairs_",
    is_flag=True,
    help="List ordered pairs of traits, and show whether both took part in the same move.",
)
@click.option("--rules", "rules_", is_flag=True, help="List the rule lines that no scenario runs.")
@click.option(
    "--branches",
    "branches_",
    is_flag=True,
    help="Like --rules, but also list conditions that were never true or never false.",
)
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Also count N played games. With --pairs, these are games as `fuzz` plays them; otherwise, random games.",
)
@click.option("--all", "all_", is_flag=True, help="With --rules or --branches: also list fully covered lines.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --rules or --branches: write the report as one HTML file.",
)
@click.option(
    "--replays",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --pairs: also count the games in this replay. Repeatable.",
)
@click.option(
    "--skeletons",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --pairs: write a scenario skeleton for each missing pair to this file.",
)
@takes_json()
@click.pass_context
def coverage(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    pairs_: bool,
    rules_: bool,
    branches_: bool,
    games: int,
    all_: bool,
    page: Path | None,
    replays: tuple[Path, ...],
    skeletons: Path | None,
    json_: bool,
) -> None:
    """List rules that no scenario covers.

    Lists the numbered rules in seeds/ that no code cites (in lines that begin with `#:`), and the numbered rules that
    no passing scenario cites (`rule:`). --pairs lists pairs of traits that no scenario combines. --rules lists the
    rule lines that no scenario runs. --branches also lists conditions with only one outcome.
    """
    ran = rules_ or branches_
    if pairs_ and ran:
        raise click.UsageError("--pairs cannot be combined with --rules or --branches")
    if not pairs_ and (replays or skeletons is not None):
        raise click.UsageError("--replays and --skeletons need --pairs")
    if not ran and (all_ or page is not None):
        raise click.UsageError("--all and --html need --rules or --branches")
    if games and not (pairs_ or ran):
        raise click.UsageError("--games needs --pairs, --rules or --branches")
    if ran:
        _branches(game, mods, mode, games, page, both=branches_, whole=all_, json_=json_)
        return
    if pairs_:
        _pairs(game, mods, mode, games, replays, skeletons, json_=json_)
        return
    from rulelang.testing.scenarios.citations import coverage_lines
    from rulelang.testing.scenarios.citations import measure_rule_coverage as measure

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
            say(f"failing scenarios do not count as coverage; see `rulelang test {game}{over}`")
    ctx.exit(FAILED if missing else FINE if report.ok else MISTAKES)


def _pairs(
    game: str, mods: tuple[str, ...], mode: str | None, games: int, replays: tuple[Path, ...], file: Path | None, *,
    json_: bool,
) -> None:  # fmt: skip
    """Which traits have met."""
    from rulelang.apps.fuzzing import pairs as meeting
    from rulelang.runtime.state import SaveError
    from rulelang.testing.replay import Diverged

    if file is not None and (why := why_unwritable(file)):
        raise click.UsageError(f"cannot write {file}: {why}")
    try:
        report = meeting.measure_pairs(game, mods, mode, games, replays=replays)
    except Diverged as parted:
        raise CannotRun(f"a recorded game now plays out differently: {parted}") from None
    except SaveError as error:
        raise CannotRun(str(error)) from None
    if json_:
        say_json(report.as_json())
    else:
        for line in meeting.pair_lines(report):
            say(line)
    if file is not None:
        write_atomically(file, "".join(meeting.scenario_skeletons(game, report.untested)).encode())
        say(f"started {counted(len(report.untested), 'scenario')} in {file}")


def _branches(
    game: str, mods: tuple[str, ...], mode: str | None, games: int, page: Path | None, *, both: bool, whole: bool,
    json_: bool,
) -> None:  # fmt: skip
    """What of the rules ran."""
    from rulelang.base.errors import RuleError
    from rulelang.testing.coverage import coverage_html, coverage_listing, measure_branches

    if page is not None and (why := why_unwritable(page)):
        raise click.UsageError(f"cannot write {page}: {why}")
    try:
        report = measure_branches(game, mods, mode, games)
    except RuleError as error:
        raise CannotRun(f"a game failed: {error}; see `rulelang fuzz {game}`") from None
    if json_:
        say_json(report.as_json())
    else:
        for line in coverage_listing(report, terminal_columns(), both=both, whole=whole):
            say(line)
    if page is not None:
        write_atomically(page, coverage_html(report).encode())
        if not json_:
            say(f"written: {page}")


def _as_json(report: CoverageReport) -> dict[str, Any]:
    from rulelang.tools.reports import diagnostic_data

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
        "diagnostics": [diagnostic_data(item) for item in report.mistakes],
    }
