"""`rulelang i18n`: catalogues of languages, made, checked and counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import takes_json, takes_mods
from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, counted, say, say_json, show_frames, tally

if TYPE_CHECKING:
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.i18n import TranslationWork

GAME = click.argument("game", shell_complete=completion.games)
LANG = click.option(
    "--lang",
    "-l",
    "langs",
    metavar="CODE",
    multiple=True,
    help="Use this language, for example zh or pt-br. Repeatable.",
)
#: What is said in the place of a game for the words of the program itself.
OWN = "rulelang"


@click.group()
def i18n() -> None:
    """Create and check translations.

    A translation is a catalog, the file `lang/CODE.yaml` next to the rules. With MODS, these commands use
    the catalog of the last mod. GAME can be `rulelang`, for the sentences of the program itself.
    """


@i18n.command()
@GAME
@takes_mods(locked=False)
@LANG
@click.option("--stdout", is_flag=True, help="Print the catalog instead of writing it.")
def extract(game: str, mods: tuple[str, ...], langs: tuple[str, ...], stdout: bool) -> None:
    """Create or update a catalog.

    The command keeps existing translations, and marks those whose English text has changed for review. The catalog
    covers the GAME's texts or, with MODS, the texts that the last mod adds.
    """
    from rulelang.base.files import write_atomically
    from rulelang.tools.i18n import extract_catalogue as written

    if not langs:
        raise click.UsageError("name the language: --lang CODE")
    for one in _wanted_catalogues(game, mods, langs):
        if one.diagnostics.failed:
            show_frames(one.diagnostics, one.sources)
            raise CannotRun(f"fix {one.path} before you update it")
        text = written(one)
        if stdout:
            say(text, nl=False)
            continue
        if one.folder.archive:
            raise CannotRun(f"{one.folder.display('')} is a zip: unpack it, or print the catalog with --stdout")
        one.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(one.path, text.encode("utf-8"))
        missing = sum(1 for _ in one.missing())
        say(f"{_path_text(one.path)}: {counted(len(one.texts), 'text')}, {missing} not translated yet")


@i18n.command()
@GAME
@takes_mods()
@LANG
@click.option("--strict", is_flag=True, help="Also fail if a translation is missing or unused.")
@click.pass_context
def check(ctx: click.Context, game: str, mods: tuple[str, ...], langs: tuple[str, ...], strict: bool) -> None:
    """Check catalogs for missing, unused and invalid texts."""
    from rulelang.base.diagnostics import fold_repeated
    from rulelang.tools.i18n import check_catalogue as look

    failed = False
    for one in _wanted_catalogues(game, mods, langs):
        found = look(one)
        sources = {**_sources(game, mods), **one.sources}
        show_frames(fold_repeated(found.sorted()), sources)
        say(f"{one.code}: {counted(len(one.texts), 'text')}: {tally(found)}")
        failed = failed or found.failed or (strict and len(found) > 0)
    ctx.exit(MISTAKES if failed else FINE)


@i18n.command()
@GAME
@takes_mods()
@LANG
@takes_json()
def stats(game: str, mods: tuple[str, ...], langs: tuple[str, ...], json_: bool) -> None:
    """Count all texts and the translated ones."""
    from rulelang.tools.i18n import TEXT_KINDS, count_texts, total_count

    found = {one.code: count_texts(one) for one in _wanted_catalogues(game, mods, langs)}
    if json_:
        say_json({
            code: {sort: {"texts": n.texts, "said": n.said, "waiting": n.waiting} for sort, n in of.items()}
            for code, of in found.items()
        })  # fmt: skip
        return
    room = max(len(heading) for heading in TEXT_KINDS.values())
    for code, of in found.items():
        say(f"{code:{room}}  texts  translated  missing  outdated", bold=True)
        for heading, n in [*((TEXT_KINDS[sort], n) for sort, n in of.items()), ("all", total_count(of))]:
            share = f"{100 * n.said // max(n.texts, 1)} %"
            say(f"{heading:{room}}  {n.texts:5}  {n.said:10}  {n.missing:7}  {n.waiting:8}  {share:>5}")


def _wanted_catalogues(game: str, mods: Sequence[str], langs: Sequence[str]) -> list[TranslationWork]:
    """The catalogues that are asked for; of no language in particular, all that there are."""
    from rulelang.data.catalogues import catalogue_languages, own_folder
    from rulelang.data.folders import Unreadable
    from rulelang.tools.i18n import game_work, program_work

    own = game == OWN and not mods and not Path(OWN, "ruleset.yaml").is_file()
    compilation = None if own else _compiled(game, mods)
    if compilation is None:
        there = catalogue_languages([own_folder()])
    else:
        there = tuple(sorted({*catalogue_languages(compilation.checked.roots), *compilation.summary.said}))
    wanted = [code.lower() for code in langs] or list(there)
    if not wanted:
        raise CannotRun(f"`{game}` has no catalog yet: create one with `rulelang i18n extract {game} --lang CODE`")
    try:
        return [program_work(code) if compilation is None else game_work(compilation, code) for code in wanted]
    except Unreadable as problem:
        raise CannotRun(str(problem)) from None


def _compiled(game: str, mods: Sequence[str]) -> Compilation:
    from rulelang.compiler.compilation import Compilation

    compilation = Compilation(game, mods)
    _ = compilation.summary  # LoadError, which the group of commands draws, if its rules have mistakes
    return compilation


def _sources(game: str, mods: Sequence[str]) -> dict[str, str]:
    if game == OWN and not mods:
        return {}
    from rulelang.compiler.compilation import Compilation

    return dict(Compilation(game, mods).source.sources)


def _path_text(path: Path) -> str:
    from rulelang.data.folders import display_path

    return display_path(path)
