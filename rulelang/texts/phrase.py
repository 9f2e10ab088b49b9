"""A phrase as data: an English template with named holes, which is its key in every catalogue, and what fills them.

    {name} has {n} {n:point|points}.

`{name}` stands for a value. `{n:point|points}` is the form of a word that the number `n` takes, one form for each way
in which the language counts, as CLDR orders them (in English one and other).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from rulelang.texts.plurals import chosen

#: What may fill a hole: a text as it is, a number, or another phrase.
Filling: TypeAlias = "str | int | Phrase"

#: A text of rules: strings, and (argument position, kind) for what is told of it. The kind of a form that a number
#: takes is `:one|other`.
Parts: TypeAlias = tuple[str | tuple[int, str], ...]

_HOLE = re.compile(r"\{([^{}:]+)(?::([^{}:]*))?\}")
_KINDS = {"int": "number", "bool": "truth"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A template and its values. As a text it is English."""

    template: str
    values: Mapping[str, Filling]

    def __str__(self) -> str:
        return fill(self.template, "en", self.values, str)


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole of a template; `forms` are those of a word, of which a number takes one (empty: the value itself)."""

    name: str
    forms: tuple[str, ...] = ()


def phrase(template: str, **values: Filling) -> Phrase:
    """A phrase of the program itself. The template is written where it is used, so that catalogues find it."""
    return Phrase(template, MappingProxyType(values))


@cache
def pieces(template: str) -> tuple[str | Hole, ...]:
    """A template in strings and holes."""
    return tuple(_pieces(template))


def _pieces(template: str) -> Iterator[str | Hole]:
    at = 0
    for match in _HOLE.finditer(template):
        if match.start() > at:
            yield template[at : match.start()]
        yield Hole(match[1], tuple(match[2].split("|")) if match[2] is not None else ())
        at = match.end()
    if at < len(template):
        yield template[at:]


def fill(template: str, code: str, values: Mapping[str, Filling], inner: Callable[[Phrase], str]) -> str:
    """A template with its values, in a language that counts as `code` does; `inner` says the phrases among them."""
    words = []
    for piece in pieces(template):
        if isinstance(piece, str):
            words.append(piece)
            continue
        value = values[piece.name]
        if piece.forms:
            words.append(form(code, piece.forms, value if isinstance(value, int) else 0))
        else:
            words.append(inner(value) if isinstance(value, Phrase) else str(value))
    return "".join(words)


def form(code: str, forms: Sequence[str], number: int) -> str:
    """The form of a word that a number takes. What has one form only needs no rules. NoBabel, ValueError."""
    return forms[0] if len(forms) == 1 else forms[min(chosen(code, number), len(forms) - 1)]


def holes(template: str) -> set[str]:
    """The names of what is told in a template, without those that only choose a form."""
    return {piece.name for piece in pieces(template) if isinstance(piece, Hole) and not piece.forms}


def counts(template: str) -> set[str]:
    """The names of what chooses a form in it."""
    return {piece.name for piece in pieces(template) if isinstance(piece, Hole) and piece.forms}


def keyed(parts: Sequence[str | tuple[int, str]]) -> tuple[str, dict[str, tuple[int, str]]]:
    """The template of a text of rules, and by the name of each hole the part that fills it.

    Holes are named by their kinds, and numbered from the second of a kind on: `{species} attacks {species 2}`.
    """
    named: dict[int, str] = {}
    used: dict[str, int] = {}
    filled: dict[str, tuple[int, str]] = {}
    words: list[str] = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
            continue
        position, kind = part
        if position not in named:
            base = "number" if kind.startswith(":") else _KINDS.get(kind, kind) or "value"
            used[base] = used.get(base, 0) + 1
            named[position] = base if used[base] == 1 else f"{base} {used[base]}"
        name = named[position]
        if kind.startswith(":"):
            words.append(f"{{{name}{kind}}}")
            filled.setdefault(name, (position, "int"))
        else:
            words.append(f"{{{name}}}")
            filled[name] = part
    return "".join(words).strip(), filled
