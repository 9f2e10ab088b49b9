"""The language that a command speaks to players: by `--lang`, else by the environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli.mods import Command
from rulelang.apps.cli.screen import CannotRun

if TYPE_CHECKING:
    from rulelang.base.languages import Language
    from rulelang.runtime.game import Game


def takes_language() -> Callable[[Command], Command]:
    """A command that takes a language, as its parameter `lang`."""
    return click.option(
        "--lang", metavar="CODE", help="Use this language: en, zh, ja ... (default: from the environment)"
    )


def language_of(game: Game, lang: str | None) -> Language:
    """The language of that tag, or of which it is a variety; without one, the best that the environment asks for.
    UsageError if there is none of that tag."""
    from rulelang.base.languages import choose_language, language_tag, nearest_language
    from rulelang.base.phrases import NoBabel

    there = game.languages
    code = choose_language(os.environ, there) if lang is None else nearest_language(language_tag(lang), there)
    if code is None:
        hint = "start a catalog with `rulelang i18n extract`"
        raise click.UsageError(
            f"{game.title} has no `{lang}` translation; available languages: {', '.join(there)}; {hint}"
        )
    try:
        return game.language(code)
    except NoBabel as problem:
        raise CannotRun(str(problem)) from None


def labels_in(lang: str | None, game: str, mods: tuple[str, ...], mode: str | None) -> Language:
    """The language of that tag for what is shown of a ruleset, English without one. CannotRun if there is none."""
    from rulelang.base.languages import ENGLISH

    if lang is None:
        return ENGLISH
    from rulelang.api import Spoken
    from rulelang.base.languages import language_tag, nearest_language
    from rulelang.compiler.compilation import Compilation

    spoken = Spoken(Compilation(game, mods, mode))
    code = nearest_language(language_tag(lang), spoken.codes)
    if code is None:
        raise CannotRun(f"{game} has no `{lang}` translation; available languages: {', '.join(spoken.codes)}")
    return spoken.language(code)
