"""`rulelang lint`: what is allowed, and still looks like a slip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode, takes_quiet
from rulelang.apps.cli.reporting import Wanted, reports, version
from rulelang.apps.cli.screen import FAILED, FINE, MISTAKES, CannotRun, counted, nothing_there, say, show_frames

if TYPE_CHECKING:
    from rulelang.tools.lint.run import LintResult
    from rulelang.tools.reports import Report


def _list(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from rulelang.tools.lint.run import RULES

    for rule in RULES:
        say(f"{rule.code}  {rule.name:22} {rule.page.title}{' (--deep)' if rule.deep else ''}")
    say(f"\n{len(RULES)} rules. `rulelang explain CODE` explains one.")
    ctx.exit(FINE)


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@takes_mode()
@click.option(
    "--select", "-s", multiple=True, metavar="RULE", help="Check only this rule, by name or code. Repeatable."
)
@click.option("--ignore", "-i", multiple=True, metavar="RULE", help="Skip this rule, by name or code. Repeatable.")
@click.option("--deep", is_flag=True, help="Also run checks that play games. They take a minute or more.")
@click.option("--fix", is_flag=True, help="Make all fixes that do not change what the rules mean.")
@click.option("--rules", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the rules.")
@takes_quiet()
@reports(json_too=True)
@click.pass_context
def lint(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    deep: bool,
    fix: bool,
    quiet: bool,
    wanted: Wanted,
) -> None:
    """Report likely mistakes.

    Lint reports code that `rulelang check` accepts but that is probably wrong. To silence a warning, write `# lint:
    allow NAME` on the same line or on the line above. Lint covers only the first argument: the game without its MODS,
    or a mod without its game.
    """
    from time import perf_counter

    from rulelang.tools.lint.run import PAGES, apply_fixes, unknown_names
    from rulelang.tools.lint.run import lint as look

    for name, near in unknown_names((*select, *ignore)):
        raise CannotRun(f"there is no rule `{name}`: {near or '`rulelang lint --rules` lists them'}")
    began = perf_counter()
    found = look(game, mods, mode, select=select, ignore=ignore, deep=deep)
    mended = 0
    if fix and found.advice:
        fixes = [item.fix for item in found.advice if item.fix is not None]
        for path, text in apply_fixes(fixes, found.sources).items():
            Path(path).write_text(text, encoding="utf-8")
            say(f"changed {path}")
        if fixes:
            found = look(game, mods, mode, select=select, ignore=ignore, deep=deep)
            mended = len(fixes)
    if wanted.text:
        _show(found, game, quiet, mended)

    def report() -> Report:
        from rulelang.tools.reports import Report, Subject

        items = found.mistakes or tuple(item.diagnostic for item in found.advice)
        return Report("lint", version(), (Subject(game, mods, mode, {}, items),), perf_counter() - began, PAGES)

    wanted.write(report)
    if found.mistakes:
        ctx.exit(FAILED if nothing_there(found.mistakes) else MISTAKES)
    ctx.exit(MISTAKES if found.advice else FINE)


def _show(found: LintResult, game: str, quiet: bool, mended: int) -> None:
    from rulelang.base.diagnostics import fold_repeated

    if found.mistakes:
        show_frames(found.mistakes, found.sources)
        if not nothing_there(found.mistakes):
            say(f"{game}: fix these errors first; lint needs a ruleset that `rulelang check` accepts")
        return
    show_frames(fold_repeated([item.diagnostic for item in found.advice]), found.sources)
    if quiet:
        return
    fixable = sum(item.fix is not None for item in found.advice)
    parts = [counted(len(found.advice), "warning") if found.advice else "no warnings"]
    parts += [f"{mended} fixed"] if mended else []
    parts += [f"--fix can fix {fixable}"] if fixable else []
    say(f"{game}: {', '.join(parts)}")
