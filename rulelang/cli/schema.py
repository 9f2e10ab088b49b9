"""`rulelang schema`: JSON Schemas made for one game, so that any editor of YAML completes and checks its files."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.screen import FAILED, FINE, MISTAKES, CannotRun, counted, nothing_there, say, show_frames


@click.command()
@click.argument("game", shell_complete=completing.games)
@takes_mods()
@click.option("--to", "to", type=click.Path(path_type=Path), default="schemas", show_default=True,
              help="The folder to write them into.")  # fmt: skip
@click.option("--point", is_flag=True, help="Let the first line of each YAML file of GAME point to its schema.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if something is not up to date.")
@click.pass_context
def schema(ctx: click.Context, game: str, mods: tuple[str, ...], to: Path, point: bool, only_check: bool) -> None:
    """Write JSON Schemas made for a GAME, with MODS: its traits, columns, options and phases, for editors of YAML.

    They lie in a folder of the game's id, beside the general ones. An editor that knows the first line of a file, such
    as those with yaml-language-server, completes and checks by them. `rulelang check` is what decides.
    """
    from rulelang.data.ruleset import texts_of
    from rulelang.editor.json_schemas import make
    from rulelang.editor.names import names_of
    from rulelang.editor.writing import pointers, stale, texts

    names, mistakes = names_of(game, mods)
    if names is None:
        found = mistakes.sorted()
        show_frames(found, texts_of(mistakes))
        ctx.exit(FAILED if nothing_there(found) else MISTAKES)
    files = texts(names.id, make(names), to)
    if point:
        if not Path(game).is_dir():
            raise CannotRun(f"`{game}` is no folder, so its files cannot be pointed to anything; give its folder")
        files |= pointers(Path(game), names.id, to)
    old = stale(files)
    if only_check:
        for path in old:
            say(f"{path} is not up to date")
        where = f" --to {to}" if str(to) != "schemas" else ""
        if old:
            say(f"run `rulelang schema {' '.join((game, *mods))}{where}{' --point' if point else ''}`")
        ctx.exit(MISTAKES if old else FINE)
    for path in old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
        say(f"written: {path}")
    say(f"{counted(len(files), 'file')}, {len(old)} of them new or changed")
