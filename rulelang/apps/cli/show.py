"""`rulelang show`: a trait, a card or any other name of a ruleset, with all that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode
from rulelang.apps.cli.screen import FAILED, MISTAKES, say
from rulelang.apps.cli.speaking import labels_in

if TYPE_CHECKING:
    from rulelang.apps.editor.reading import Reading


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods(name=True)
@takes_mode()
@click.option("--lang", metavar="CODE", help="Show labels in this language: en, zh, ja ... (default: en)")
@click.pass_context
def show(
    ctx: click.Context, game: str, name: str | None, mods: tuple[str, ...], mode: str | None, lang: str | None
) -> None:
    """Show a trait, card, value or routine.

    If the last argument is not a mod, it is a NAME: anything that the GAME or its MODS declare. Without a NAME, the
    command lists everything.
    """
    from rulelang.apps.cli.reading import read
    from rulelang.apps.cli.showing import contents, lines_about, near

    reading = read(game, mods, mode)
    _note_mistakes(game, reading)
    if name is None:
        for line in contents(reading):
            say(line)
        ctx.exit(MISTAKES if reading.diagnostics.failed else 0)
    lines = lines_about(reading, name, labels_in(lang, game, mods, mode))
    if not lines:
        like = near(reading, name)
        hint = f"; similar names: {', '.join(like)}" if like else f"; `rulelang show {game}` lists what there is"
        say(f"{game} has no `{name}`{hint}", err=True)
        ctx.exit(FAILED)
    for number, line in enumerate(lines):
        say(line, bold=True) if number == 0 else say(line)


def _note_mistakes(game: str, reading: Reading) -> None:
    """Mistakes elsewhere do not keep one from looking, but one should know."""
    if reading.diagnostics.failed:
        say(f"(this game has errors, so some parts may be missing: see `rulelang check {game}`)\n", err=True)
