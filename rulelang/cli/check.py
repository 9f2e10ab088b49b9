"""`rulelang check`: is a ruleset well formed, and does everything in it fit together?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

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
    from rulelang.compile import Compilation


@click.command()
@click.argument("game")
@takes_mods(behind=True)
@click.option("--mode", help="Check it in this mode.")
@click.option("--json", "json_", is_flag=True, help="Print the mistakes as JSON.")
@click.pass_context
def check(ctx: click.Context, game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Check a GAME, with MODS, and show every mistake at its line."""
    from rulelang.compile import Compilation

    compilation = Compilation(game, mods, mode)
    checked = compilation.checked
    diagnostics = compilation.diagnostics
    found = diagnostics.sorted()
    # Without roots nothing could be read, so there is nothing to count either.
    counts = _counts(compilation) if checked.roots else {}
    missing = not checked.roots and nothing_there(found)
    if json_:
        report: dict[str, Any] = {"game": game, "mods": list(mods), "counts": dict(counts)}
        report["diagnostics"] = [as_json(item) for item in found]
        say_json(report)
    else:
        show_frames(found, checked.sources or _texts(diagnostics))
    if not json_ and not missing:
        parts = [counted(number, name) for name, number in counts.items() if number]
        say(f"{game}: {', '.join(parts)}{': ' if parts else ''}{tally(found)}")
    ctx.exit(FAILED if missing else MISTAKES if diagnostics.failed else FINE)


def _texts(diagnostics: Diagnostics) -> Mapping[str, str]:
    """The texts that nothing has read yet. A sound ruleset needs none, and the import takes time."""
    if not len(diagnostics):
        return {}
    from rulelang.data.ruleset import texts_of

    return texts_of(diagnostics)


def _counts(compilation: Compilation) -> Mapping[str, int]:
    """How many traits, cards and scenarios there are; kept on the disk beside the outcome of the check."""
    from rulelang.base import store
    from rulelang.compile import digest, own_hash

    key = digest(
        "counts", own_hash(), compilation.where, compilation.mods, compilation.mode, compilation.checked.fingerprint
    )
    known = store.recall("counts", key)
    if isinstance(known, dict):
        return known
    from rulelang.cli.counting import count_parts

    counts = count_parts(compilation.source, compilation.model)
    store.keep("counts", key, counts)
    return counts
