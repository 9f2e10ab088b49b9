"""`rulelang print`: the rulebook, the cards and the reference sheet of a game as PDF."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.cli import completing
from rulelang.cli.mods import takes_mods
from rulelang.cli.screen import CannotRun, counted, say

if TYPE_CHECKING:
    from rulelang.compile import Compilation
    from rulelang.printing.document import Document
    from rulelang.texts.language import Language


@click.group("print")
def print_() -> None:
    """Print a GAME, with MODS, as PDF: its rulebook, its cards to cut out, a reference sheet.

    Needs the extra `print`: pip install 'rulelang[print]'. East Asian texts need a font, too: 'rulelang[print-cjk]'.
    """


def _printed(command: Callable[..., Document]) -> Callable[..., Any]:
    """A command that makes a document of a game in a language, and prints it."""

    @click.argument("game", shell_complete=completing.games)
    @takes_mods()
    @click.option("--mode", shell_complete=completing.modes, help="The game in this mode.")
    @click.option("--lang", "language", help="The language of names and texts. (default: by the environment)")
    @click.option(
        "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="The file. (default: named by the game)"
    )
    @click.option(
        "--fonts",
        multiple=True,
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="A folder of fonts to use besides. May be given several times.",
    )
    @wraps(command)
    def run(
        game: str,
        mods: tuple[str, ...],
        mode: str | None,
        language: str | None,
        output: Path | None,
        fonts: tuple[Path, ...],
        **rest: Any,
    ) -> None:
        from rulelang.compile import Compilation, LoadError
        from rulelang.loading import Spoken
        from rulelang.printing.document import Deck
        from rulelang.printing.typeset import CannotPrint, pdf
        from rulelang.texts.choosing import nearest, tag, wanted
        from rulelang.texts.plurals import NoBabel

        one = Compilation(game, mods, mode)
        if one.diagnostics.failed:
            raise LoadError(one.diagnostics, one.checked.sources)
        spoken = Spoken(one)
        code = nearest(tag(language), spoken.codes) if language else wanted(os.environ, spoken.codes)
        if code is None:
            raise CannotRun(f"{one.source.id} has no texts in `{language}`; it has them in {', '.join(spoken.codes)}")
        try:
            document = command(one, spoken.language(code), **rest)
            made = pdf(document, fonts)
        except (CannotPrint, NoBabel) as reason:
            raise CannotRun(str(reason)) from None
        path = output or Path(_named(one, document.kind, code))
        path.write_bytes(made.data)
        more = f", {counted(len(document.cards), 'card')}" if isinstance(document, Deck) else ""
        say(f"{path}: {counted(made.pages, 'page')}{more}")
        if made.cut:
            cards = ", ".join(dict.fromkeys(made.cut))
            say(f"({counted(len(set(made.cut)), 'card')} with more text than fits, which was cut: {cards})", err=True)

    return run


def _named(one: Compilation, kind: str, language: str) -> str:
    """The file's name: the game, the mods and the mode, what it is, and the language unless it is English."""
    mods = [layer.id for layer in one.source.layers[1:]]
    return "-".join([one.source.id, *mods, kind, *([language] if language != "en" else [])]) + ".pdf"


@print_.command("rulebook")
@_printed
def rulebook(one: Compilation, language: Language) -> Document:
    """What lies on the table, the flow of the game, its traits, the numbered rules with what carries them out, the
    cards, and an index. With MODS it shows what they bring and change."""
    from rulelang.printing.rulebook import rulebook

    return rulebook(one, language)


@print_.command("cards")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper.")
@click.option("--backs/--no-backs", default=True, help="A page of backs behind each page of fronts.")
@click.option("--once", is_flag=True, help="Each different card once, and not as often as the game has it.")
@_printed
def cards(one: Compilation, language: Language, paper: str, backs: bool, once: bool) -> Document:
    """All cards as often as the game has them: nine on a page, each 63 x 88 mm, with marks along which they are cut.

    The backs are mirrored: print on both sides of the paper, turned over its long edge, and let the printer not scale
    the pages.
    """
    from rulelang.printing.deck import deck

    made = deck(one, language, paper=paper, backs=backs, once=once)
    if not made.cards:
        raise CannotRun("this game has no cards")
    return made


@print_.command("sheet")
@_printed
def sheet(one: Compilation, language: Language) -> Document:
    """One or two pages to play by: the phases with their actions, and what each trait and card does to the rules."""
    from rulelang.printing.sheet import sheet

    return sheet(one, language)
