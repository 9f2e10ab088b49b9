"""`rulelang fmt`: the canonical form of `.rules` and YAML files."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.apps.cli.each import at_home
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_quiet
from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, counted, say, show_frames, tally

SUFFIXES = (".rules", ".yaml", ".yml")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@takes_mods(behind=False, locked=False, text="Format the files of this mod, too.")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit with 1 if a file would change.")
@click.option("--each", is_flag=True, help="Skip files that belong to no ruleset or mod.")
@takes_quiet()
@click.pass_context
def fmt(
    ctx: click.Context, paths: tuple[Path, ...], mods: tuple[str, ...], only_check: bool, each: bool, quiet: bool
) -> None:
    """Format .rules and YAML files.

    PATHS are files and folders. The command preserves order, comments, anchors and aligned columns.
    """
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.base.source import Placement
    from rulelang.data.folders import Unreadable, read_file
    from rulelang.data.text import decode
    from rulelang.data.yaml_format import format_yaml
    from rulelang.data.yaml_reader import read_yaml_text
    from rulelang.language.syntax.format import format_text
    from rulelang.language.syntax.parse import parse

    for mod in mods:
        if not Path(mod).exists():
            raise CannotRun(f"`{mod}` does not exist; give the folder of a mod")
    files = _files((*(at_home(paths) if each else paths), *map(Path, mods)))
    found = Diagnostics()
    texts: dict[str, str] = {}
    changed = 0
    for file in files:
        try:
            data = read_file(file)
        except Unreadable as problem:
            raise CannotRun(f"`{file}` cannot be read: {problem}") from None
        text = decode(data, str(file), found)
        if text is None:
            continue
        texts[str(file)] = text
        mistakes = Diagnostics()
        if file.suffix == ".rules":
            mistakes.extend(parse(text, Placement(str(file)))[1])
        else:
            read_yaml_text(text, str(file), mistakes)
        found.extend(mistakes)
        if mistakes.failed:
            continue
        tidy = format_text(text) if file.suffix == ".rules" else format_yaml(text, format_text)
        if tidy.encode() == data:
            continue
        changed += 1
        if not quiet:
            say(f"{'would change' if only_check else 'changed'} {file}")
        if not only_check:
            file.write_bytes(tidy.encode())
    show_frames(found.sorted(), texts)
    done = f"{counted(changed, 'file')} {'would change' if only_check else 'changed'}, {len(files) - changed} unchanged"
    if not quiet:
        say(f"{done}; {tally(found)}" if len(found) else done)
    ctx.exit(MISTAKES if found.failed or (only_check and changed) else FINE)


def _files(paths: tuple[Path, ...]) -> list[Path]:
    """The files named, and all .rules and YAML files in the folders named, each once. Hidden ones are left alone."""
    files: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            below = (file for ending in SUFFIXES for file in path.rglob(f"*{ending}"))
            files |= dict.fromkeys(
                sorted(f for f in below if f.is_file() and not any(p[0] == "." for p in f.relative_to(path).parts))
            )
        elif path.suffix in SUFFIXES:
            files[path] = None
        else:
            raise CannotRun(f"`{path}` is not a .rules or YAML file; `fmt` formats only such files and folders of them")
    return list(files)
