"""Complete words in a shell: a GAME, MODS, PATHS, a mode, an option or a CODE of the manual."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, iglob
from typing import TYPE_CHECKING

import click

from rulelang.data.folders import shipped_rulesets_dir

if TYPE_CHECKING:
    from rulelang.base.codes import Page


# ---- Pages of the manual


def code_pages() -> dict[str, Page]:
    """The pages of all diagnostics, and of what `rulelang lint` remarks."""
    from rulelang.base.codes import CODES
    from rulelang.tools.lint.run import PAGES

    return {**CODES, **PAGES}


# ---- Completion

GAME_MANIFESTS, MOD_MANIFESTS = ("ruleset.yaml",), ("mod.yaml",)
#: Of more numbers not each is offered.
MOST_NUMBERS = 12


def games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Rulesets, and mods: these bring the game that they extend."""
    return sorted(_matching_games(incomplete, GAME_MANIFESTS + MOD_MANIFESTS))


def mods(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Mods by path, those near the game by their ids, and locks."""
    near = _nearby_mods(ctx.params.get("game"), incomplete)
    return sorted({*_matching_games(incomplete, MOD_MANIFESTS), *near, *_matching_paths(incomplete, "*.lock")})


def paths(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Rulesets and mods, and the files in them."""
    return sorted(
        {
            *_matching_games(incomplete, GAME_MANIFESTS + MOD_MANIFESTS),
            *_matching_paths(incomplete, "*.yaml"),
            *_matching_paths(incomplete, "*/*.yaml"),
        }
    )


def codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from rulelang.tools.docs_gen.manual import manual_pages

    pages = [page for page in manual_pages() if page.startswith(incomplete.casefold())]
    return [*(code for code in code_pages() if code.startswith(incomplete.upper())), *pages]


def _nearby_mods(game: object, incomplete: str) -> set[str]:
    """The ids of mods near a game."""
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.data.finder import Finder

    finder = Finder()
    found = finder.locate(game, Diagnostics()) if isinstance(game, str) else None
    if found is None:
        return set()
    finder.beside(found.folder)
    near = finder.neighbours(finder.near)
    return {manifest.id for manifest in near if manifest.is_mod and manifest.id.startswith(incomplete)}


def _matching_games(incomplete: str, manifests: tuple[str, ...]) -> set[str]:
    shipped = iglob(f"{escape(str(shipped_rulesets_dir()))}/*/*.yaml")
    found = {os.path.basename(os.path.dirname(path)) for path in shipped if os.path.basename(path) in manifests}
    found = {name for name in found if name.startswith(incomplete)}
    # Folders that begin so, and those in them: a shell sets a space behind what it completes, so nobody could go on.
    for within in ("*", "*/*"):
        found |= {
            os.path.dirname(path) for name in manifests for path in _matching_paths(incomplete, f"{within}/{name}")
        }
    return found | set(_matching_paths(incomplete, "*.zip"))


def _matching_paths(incomplete: str, pattern: str) -> Iterator[str]:
    """Paths that begin with what is typed, as it is typed, and go on as the pattern says; nothing that is hidden."""
    return iglob(f"{escape(incomplete)}{pattern}")


def modes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The modes of the game that stands before, and of its mods."""
    from rulelang.compiler.compilation import Compilation

    source, _ = Compilation(*_typed_game(ctx)).read
    manifests = () if source is None else (source.manifest, *source.mods)
    names = [key.text for manifest in manifests for key, _ in manifest.map("modes")]
    return sorted({name for name in names if name.startswith(incomplete)})


def options(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """`NAME=VALUE` for the options of the game that stands before; of a wide range of numbers what it is by itself."""
    from rulelang.compiler.compilation import Compilation

    mode = ctx.params.get("mode")
    summary = Compilation(*_typed_game(ctx), mode if isinstance(mode, str) else None).checked.summary
    found = []
    for option in summary.options.values() if summary is not None else ():
        few = option.high - option.low < MOST_NUMBERS
        numbers = range(option.low, option.high + 1) if few else dict.fromkeys(option.default.values())
        values = option.values or (("true", "false") if option.switch else tuple(map(str, numbers)))
        found += [f"{option.name}={value}" for value in values]
    return [text for text in found if text.startswith(incomplete)]


def _typed_game(ctx: click.Context) -> tuple[str, tuple[str, ...]]:
    """The game and its mods, as far as they are typed. Of several games the first."""
    words = [word for name in ("game", "paths") for word in _typed_words(ctx.params.get(name))]
    if not words:  # behind an option without a value nothing has been sorted yet
        words = [word for word in ctx.args if not word.startswith("-")]
    mods = [word for name in ("mods", "laid") for word in _typed_words(ctx.params.get(name))]
    return (words[0] if words else "", (*words[1:], *mods))


def _typed_words(given: object) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(map(str, given)) if isinstance(given, tuple | list) else ()
