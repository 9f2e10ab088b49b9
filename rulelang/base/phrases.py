"""What is said to players, as data, until a language says it: phrases with holes, and what fills them.

A phrase is an English template with named holes, `{thing} is {n} {n:year|years} old`, which is its key in every
catalogue of a language (`rulelang.base.texts`). What fills a hole may be a phrase again, so that a sentence made of a
condition is a tree of phrases, each of which every language says in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from rulelang.base.node import record

#: A text of rules: strings, and (argument position, kind) for what is told of it. The kind of a form that a number
#: takes is `:one|other`.
Parts: TypeAlias = tuple[str | tuple[int, str], ...]

#: How something is called: by itself, as one of several (`a card`), as several (`cards`), or what is said where a truth
#: is not so.
Form = Literal["", "one", "several", "otherwise", "plural"]


@record
class Value:
    """What one of the arguments holds that come with a text: its position, and of which kind it is."""

    position: int
    kind: str


@record
class Called:
    """A name of the rules, as players call it. `room`: of what is declared (`thing`), of a member or a row of `of`, or
    (`word`) only a word in the rules, which has no label."""

    name: str
    room: Literal["thing", "member", "row", "word"] = "thing"
    of: str = ""
    form: Form = ""


@record
class Phrase:
    """A template, and by the names of its holes what fills them."""

    template: str
    holes: tuple[tuple[str, Filling], ...] = ()

    @property
    def values(self) -> Mapping[str, Filling]:
        return MappingProxyType(dict(self.holes))


#: What may fill a hole: a text as it is, a number, another phrase, what an argument holds, a name of the rules, a
#: text of rules.
Filling: TypeAlias = "str | int | Phrase | Value | Called | Parts"

#: What is said of arguments: as the author of rules wrote it, or in phrases of the program.
Told: TypeAlias = "Parts | Phrase"


def phrase(template: str, **values: Filling) -> Phrase:
    """A phrase of the program itself. The template is written where it is used, so that catalogues find it."""
    return Phrase(template, tuple(values.items()))
