"""A ruleset as a game to play: compiled, with agents that are seated by name, and positions that are laid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.base.errors import BadArgument
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.phrases import count_names, plural_categories
from rulelang.compiler.compilation import Compilation, source_of
from rulelang.runtime.game import Game

if TYPE_CHECKING:
    from rulelang.presentation.view.document_types import Catalogue
    from rulelang.runtime.seating import Agent
    from rulelang.runtime.state import State
    from rulelang.runtime.table import Table
    from rulelang.testing.scenarios.fixture import Fixture


def load(where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None) -> Game:
    """Load a ruleset as a playable game.

    Args:
        where: the id of a shipped ruleset, or the path of a folder, a zip or a package.
        mods: ids or paths of mods. Their order and their dependencies decide the order in which they apply.
        mode: the name of one of the modes of the ruleset.

    Raise LoadError with all diagnostics if the ruleset contains errors, and TypeError for arguments of the wrong
    type.

        game = rulelang.load("evolution", mods=["hard_times"])

    """
    compilation = Compilation(where, mods, mode)
    summary = compilation.summary
    lay, speech = Positions(compilation).lay, Spoken(compilation)
    again = load_again, (*source_of(where, tuple(mods), mode), summary.info.content)
    return Game(
        summary.info, summary.players, summary.options, compilation.link, named, lay, speech, catalogued,
        compilation.values, again,
    )  # fmt: skip


@lru_cache(maxsize=8)  # states come one by one from another process, each with its game
def load_again(where: str | Path, mods: tuple[str | Path, ...], mode: str | None, content: str) -> Game:
    """Load a game that was pickled. ValueError if its rules are not the same any more."""
    game = load(where, mods, mode)
    if game.info.content != content:
        raise BadArgument(f"the rules of {game.title} ({where}) have changed since the game was pickled")
    return game


def catalogued(table: Table, language: Language) -> Catalogue:
    """All that there is at a table; see `present.catalogue`."""
    from rulelang.presentation.view import catalogue

    return catalogue(table, language)


def named(agent: str) -> Agent:
    """A fresh agent by its name; see `agents.make_agent`."""
    from rulelang.runtime.agents import make_agent

    return make_agent(agent)


class Positions:
    """Lays games of a ruleset at positions."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation

    def __reduce__(self) -> tuple[type[Positions], tuple[Compilation]]:
        # Another process finds out for itself what it needs to know.
        return Positions, (self.compilation,)

    def lay(self, game: Game, given: Mapping[str, object], backend: str, log: bool) -> State:
        """A game at a position; see `scenarios.begin`."""
        from rulelang.testing.scenarios.begin import begin_given

        return begin_given(self.bench, game, given, backend, log=log)

    @cached_property
    def bench(self) -> Fixture:
        """What laying positions needs to know of the rules, kept from one position to the next."""
        from rulelang.testing.scenarios.fixture import Fixture

        return Fixture(self.compilation)


class Spoken:
    """The languages of a ruleset with its mods: what is written in its own files, and in the catalogues beside them;
    and the pictures there."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation

    def __reduce__(self) -> tuple[type[Spoken], tuple[Compilation]]:
        return Spoken, (self.compilation,)

    @property
    def codes(self) -> tuple[str, ...]:
        """Their tags, English first, then by the alphabet: those that the game or a mod has texts in."""
        from rulelang.data.catalogues import catalogue_languages

        there = {*catalogue_languages(self.compilation.checked.roots), *self.compilation.summary.said}
        return ("en", *sorted(there - {"en"}))

    def language(self, code: str) -> Language:
        """A language: the program's words, the texts of the rules' files, then the catalogues of the game and of each
        mod, the later over the earlier. ValueError if there is none."""
        from rulelang.data.catalogues import load_translations, own_folder

        if code == "en":
            return ENGLISH
        if code not in self.codes:
            title = self.compilation.summary.info.title
            raise BadArgument(f"{title} has no `{code}` translation; available languages: {', '.join(self.codes)}")
        texts = load_translations([own_folder()], code)
        texts |= self.compilation.summary.said.get(code, {})
        texts |= load_translations(self.compilation.checked.roots, code)
        if any(count_names(said) for said in texts.values()):
            plural_categories(code)  # so that nobody learns in the midst of a game that Babel is wanted
        return Language(code, texts)

    def picture(self, name: str) -> tuple[bytes, str] | None:
        """A picture of the game or of a mod, the later over the earlier."""
        from rulelang.data.pictures import read_picture

        return read_picture(self.compilation.checked.roots, name)


__all__ = ["load"]
