"""`rulelang print`: the rulebook, the cards and the reference sheet of a game as PDF."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode
from rulelang.apps.cli.screen import CannotRun, counted, say

if TYPE_CHECKING:
    from rulelang.base.languages import Language
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.printing.document import Document


@click.group("print")
def print_() -> None:
    """Print cards, rulebooks and reference sheets (PDF).

    Install the `print` extra first: pip install 'rulelang[print]'. East Asian texts also need a font: pip install
    'rulelang[print-cjk]'.
    """


def _printed(command: Callable[..., Document]) -> Callable[..., Any]:
    """A command that makes a document of a game in a language, and prints it."""

    @click.argument("game", shell_complete=completing.games)
    @takes_mods()
    @takes_mode()
    @click.option("--lang", "language", metavar="CODE", help="Print in this language. (default: from the environment)")
    @click.option(
        "--output",
        "-o",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write to this file. (default: named after the game)",
    )
    @click.option(
        "--fonts",
        multiple=True,
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Also use the fonts in this folder. Repeatable.",
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
        from rulelang.api import Spoken
        from rulelang.base.languages import choose_language, language_tag, nearest_language
        from rulelang.base.phrases import NoBabel
        from rulelang.compiler.compilation import Compilation, LoadError
        from rulelang.tools.printing.document import Deck
        from rulelang.tools.printing.typeset import CannotPrint, pdf

        one = Compilation(game, mods, mode)
        if one.diagnostics.failed:
            raise LoadError(one.diagnostics, one.checked.sources)
        spoken = Spoken(one)
        code = (
            nearest_language(language_tag(language), spoken.codes)
            if language
            else choose_language(os.environ, spoken.codes)
        )
        if code is None:
            raise CannotRun(
                f"{one.source.id} has no `{language}` translation; available languages: {', '.join(spoken.codes)}"
            )
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
            say(f"({counted(len(set(made.cut)), 'card')} had too much text, which was cut: {cards})", err=True)

    return run


def _named(one: Compilation, kind: str, language: str) -> str:
    """The file's name: the game, the mods and the mode, what it is, and the language unless it is English."""
    mods = [layer.id for layer in one.source.layers[1:]]
    return "-".join([one.source.id, *mods, kind, *([language] if language != "en" else [])]) + ".pdf"


@print_.command("rulebook")
@_printed
def rulebook(one: Compilation, language: Language) -> Document:
    """Print a rulebook.

    The rulebook contains the components, the flow of the game, the traits, the numbered rules with the code for each,
    the cards, and an index. With MODS, it shows the mods' additions and changes.
    """
    from rulelang.tools.printing.rulebook import rulebook

    return rulebook(one, language)


@print_.command("cards")
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Use this paper size."
)
@click.option(
    "--backs/--no-backs", default=True, help="Choose whether to print a page of card backs after each page of fronts."
)
@click.option("--once", is_flag=True, help="Print one copy of each distinct card.")
@_printed
def cards(one: Compilation, language: Language, paper: str, backs: bool, once: bool) -> Document:
    """Print all cards, ready to cut.

    Prints nine cards of 63 x 88 mm on a page, with cut marks. Pages of backs are mirrored, so print on both sides,
    flip on the long edge, and turn off scaling.
    """
    from rulelang.tools.printing.rulebook import deck

    made = deck(one, language, paper=paper, backs=backs, once=once)
    if not made.cards:
        raise CannotRun("this game has no cards")
    return made


@print_.command("sheet")
@_printed
def sheet(one: Compilation, language: Language) -> Document:
    """Print a reference sheet of one or two pages.

    The sheet lists the phases with their actions, and the changes that each trait and card makes.
    """
    from rulelang.tools.printing.rulebook import sheet

    return sheet(one, language)
