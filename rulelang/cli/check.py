"""`rulelang check`: is a ruleset well formed, and does everything in it fit together?"""

from __future__ import annotations

from typing import Any

import click

from rulelang.cli.screen import FINE, MISTAKES, as_json, counted, say, show_frames, tally


@click.command()
@click.argument("game")
@click.argument("mods", nargs=-1)
@click.option("--mode", help="Check it in this mode.")
@click.option("--json", "json_", is_flag=True, help="Print the mistakes as JSON.")
@click.pass_context
def check(ctx: click.Context, game: str, mods: tuple[str, ...], mode: str | None, json_: bool) -> None:
    """Check a GAME, with MODS, and show every mistake at its line."""
    from rulelang.cli.counting import count_parts
    from rulelang.cli.reading import read

    reading = read(game, mods, mode)
    found = reading.diagnostics.sorted()
    counts = count_parts(reading)
    if json_:
        import json

        report: dict[str, Any] = {"id": reading.source.id, "version": reading.source.version, "counts": counts}
        report["diagnostics"] = [as_json(item) for item in found]
        say(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        show_frames(found, reading.source.sources)
        parts = [counted(number, name) for name, number in counts.items() if number]
        say(f"{game}: {', '.join(parts)}{': ' if parts else ''}{tally(found)}")
    ctx.exit(MISTAKES if reading.diagnostics.failed else FINE)
