"""`rulelang schema`: JSON Schemas made for one game, so that any editor of YAML completes and checks its files."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.screen import FAILED, FINE, MISTAKES, CannotRun, counted, nothing_there, say, show_frames


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option("--to", "to", type=click.Path(path_type=Path), default="schemas", show_default=True,
              metavar="FOLDER", help="Write to this folder.")  # fmt: skip
@click.option("--point", is_flag=True, help="At the top of each YAML file in GAME, add a line that names its schema.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a schema is out of date.")
@click.pass_context
def schema(ctx: click.Context, game: str, mods: tuple[str, ...], to: Path, point: bool, only_check: bool) -> None:
    """Write JSON Schemas for YAML editors.

    The schemas contain the traits, columns, options and phases of the GAME and its MODS. Editors with
    yaml-language-server use the schemas to complete and check files as you type.
    """
    from rulelang.apps.editor.json_schemas import make
    from rulelang.apps.editor.names import names_of
    from rulelang.apps.editor.writing import pointers, stale, texts
    from rulelang.data.ruleset import read_affected_texts

    names, mistakes = names_of(game, mods)
    if names is None:
        found = mistakes.sorted()
        show_frames(found, read_affected_texts(mistakes))
        ctx.exit(FAILED if nothing_there(found) else MISTAKES)
    files = texts(names.id, make(names), to)
    if point:
        if not Path(game).is_dir():
            raise CannotRun(f"`{game}` is not a folder, so --point cannot change its files; give the game's folder")
        files |= pointers(Path(game), names.id, to)
    old = stale(files)
    if only_check:
        for path in old:
            say(f"{path} is out of date")
        where = f" --to {to}" if str(to) != "schemas" else ""
        if old:
            say(f"run `rulelang schema {' '.join((game, *mods))}{where}{' --point' if point else ''}`")
        ctx.exit(MISTAKES if old else FINE)
    for path in old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
        say(f"written: {path}")
    say(f"{counted(len(files), 'file')}, {len(old)} of them new or changed")
