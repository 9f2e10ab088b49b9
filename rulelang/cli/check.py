"""`rulelang check`: is a ruleset well formed, and does everything in it fit together?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.screen import (
    FAILED,
    FINE,
    MISTAKES,
    as_json,
    counted,
    nothing_there,
    say,
    say_json,
    show_frames,
    tally,
)

if TYPE_CHECKING:
    from rulelang.base.diagnostics import Diagnostics


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option("--mode", help="Check it in this mode.")
@click.option("--quiet", "-q", is_flag=True, help="Print mistakes only.")
@click.option("--json", "json_", is_flag=True, help="Print the mistakes as JSON.")
@click.pass_context
def check(ctx: click.Context, game: str, mods: tuple[str, ...], mode: str | None, quiet: bool, json_: bool) -> None:
    """Check a GAME, with MODS, and its scenarios, and show every mistake at its line."""
    from rulelang.cli.beyond import beyond
    from rulelang.compile import Compilation

    compilation = Compilation(game, mods, mode)
    checked = compilation.checked
    diagnostics = compilation.diagnostics
    counts: Mapping[str, int] = {}
    sources = checked.sources
    if checked.roots:  # without them nothing could be read, so there is nothing to count either
        more = beyond(compilation)
        counts, sources = more.counts, {**sources, **more.sources}
        diagnostics.extend(more.mistakes)
    found = diagnostics.sorted()
    missing = not checked.roots and nothing_there(found)
    if json_:
        report: dict[str, Any] = {"game": game, "mods": list(mods), "counts": dict(counts)}
        report["diagnostics"] = [as_json(item) for item in found]
        say_json(report)
    else:
        show_frames(found, sources or _texts(diagnostics))
    if not json_ and not missing and not quiet:
        parts = [counted(number, name) for name, number in counts.items() if number]
        say(f"{game}: {', '.join(parts)}{': ' if parts else ''}{tally(found)}")
    ctx.exit(FAILED if missing else MISTAKES if diagnostics.failed else FINE)


def _texts(diagnostics: Diagnostics) -> Mapping[str, str]:
    """The texts that nothing has read yet. A sound ruleset needs none, and the import takes time."""
    if not len(diagnostics):
        return {}
    from rulelang.data.ruleset import texts_of

    return texts_of(diagnostics)
