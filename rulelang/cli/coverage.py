"""`rulelang coverage`: which numbered rules of the documents no code carries out, and which no scenario shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.screen import FAILED, FINE, MISTAKES, nothing_there, say, say_json, show_frames

if TYPE_CHECKING:
    from rulelang.scenarios.coverage import CoverageReport


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option("--mode", shell_complete=completing.modes, help="Look at it in this mode.")
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON, with every citation.")
@click.pass_context
def coverage(ctx: click.Context, game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """List the numbered rules of a GAME that no code cites, and those that no passing scenario cites.

    The rules are numbered in seeds/. Code cites them in lines that begin with `#:`, scenarios with `rule:`.
    """
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
