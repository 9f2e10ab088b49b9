"""`rulelang check`: is a ruleset well formed, and does everything in it fit together?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.each import homes, takes_each
from rulelang.apps.cli.mods import is_ruleset, takes_mods
from rulelang.apps.cli.options import takes_mode, takes_quiet
from rulelang.apps.cli.reporting import Wanted, reports, version
from rulelang.apps.cli.screen import FAILED, FINE, MISTAKES, counted, nothing_there, say, show_frames, tally
from rulelang.apps.cli.watching import takes_watch
from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.base.diagnostics import Diagnostic, Diagnostics
    from rulelang.tools.reports import Report, Subject


@record
class Looked:
    """What came of one game. `missing`: there was nothing that could be looked at."""

    game: str
    mods: tuple[str, ...]
    counts: Mapping[str, int]
    found: Sequence[Diagnostic]
    sources: Mapping[str, str]
    missing: bool
    failed: bool


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods(apart=True)
@takes_mode()
@takes_each()
@takes_watch()
@takes_quiet()
@reports(json_too=True)
@click.pass_context
def check(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    laid: tuple[str, ...],
    mode: str | None,
    each: bool,
    watching: bool,
    quiet: bool,
    wanted: Wanted,
) -> None:
    """Report errors in a game or mod.

    Checks the GAME, its MODS and its scenarios, and reports each error with its line. You can check several games in
    one run. Name each game's mods after it: `rulelang check evolution thick_fur pebbles`.
    """
    from time import perf_counter

    if watching:
        if each or wanted.format != "text":
            raise click.UsageError("--watch cannot be combined with --each, --format or --output")
        from rulelang.apps.cli.watching import check_again

        check_again([(name, (*own, *laid)) for name, own in _games((game, *mods))], mode)
        ctx.exit(FINE)
    began = perf_counter()
    looked: list[Looked] = []
    told: set[Diagnostic] = set()
    words = (game, *mods)
    subjects = [(word, ()) for word in homes(words)] if each else _games(words)
    for name, own in subjects:
        one = look(name, (*own, *laid), mode)
        looked.append(one)
        if wanted.text:
            # What is wrong with a game is wrong under a mod of it too, and told once.
            show_frames([item for item in one.found if item not in told], one.sources)
            told.update(one.found)
            if not one.missing and not quiet:
                parts = [counted(number, name) for name, number in one.counts.items() if number]
                said = " ".join((name, *own)) if len(subjects) > 1 else name
                say(f"{said}: {', '.join(parts)}{': ' if parts else ''}{tally(one.found)}")

    def report() -> Report:
        from rulelang.tools.reports import Report

        return Report("check", version(), tuple(subject(one, mode) for one in looked), perf_counter() - began)

    wanted.write(report)
    missing = any(one.missing for one in looked)
    ctx.exit(FAILED if missing else MISTAKES if any(one.failed for one in looked) else FINE)


def look(game: str, mods: tuple[str, ...], mode: str | None) -> Looked:
    """All that is wrong with a game and its scenarios."""
    from rulelang.apps.cli.beyond import beyond
    from rulelang.base.diagnostics import fold_repeated
    from rulelang.base.memo import Memo
    from rulelang.compiler.compilation import Compilation

    compilation = Compilation(game, mods, mode, Memo(again=False))
    checked = compilation.checked
    diagnostics = compilation.diagnostics
    counts: Mapping[str, int] = {}
    sources = checked.sources
    if checked.roots:  # without them nothing could be read, so there is nothing to count either
        more = beyond(compilation)
        counts, sources = more.counts, {**sources, **more.sources}
        diagnostics.extend(more.mistakes)
    found = fold_repeated(diagnostics.sorted())
    missing = not checked.roots and nothing_there(found)
    return Looked(game, mods, counts, found, sources or _texts(diagnostics), missing, diagnostics.failed)


def subject(one: Looked, mode: str | None) -> Subject:
    """The same for a report."""
    from rulelang.tools.reports import Subject

    return Subject(one.game, one.mods, mode, one.counts, tuple(one.found))


def _games(words: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Games, each with the mods behind it. The first word may be a mod itself, which brings its game along."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for word in words:
        if not found or is_ruleset(word):
            found.append((word, ()))
        else:
            game, mods = found[-1]
            found[-1] = (game, (*mods, word))
    return found


def _texts(diagnostics: Diagnostics) -> Mapping[str, str]:
    """The texts that nothing has read yet. A sound ruleset needs none, and the import takes time."""
    if not len(diagnostics):
        return {}
    from rulelang.data.ruleset import read_affected_texts

    return read_affected_texts(diagnostics)
