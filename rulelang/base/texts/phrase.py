"""Templates of phrases, which are their keys in every catalogue: their holes, and how these are filled.

    {name} has {n} {n:point|points}.

`{name}` stands for a value. `{n:point|points}` is the form of a word that the number `n` takes, one form for each way
in which the language counts, as CLDR orders them (in English one and other). A phrase of the program has such a
template (`rulelang.base.phrases`); that of a text of rules is made of its parts (`keyed`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from rulelang.base.english import plural, with_article
from rulelang.base.labels import in_words
from rulelang.base.node import record
from rulelang.base.phrases import Called, Filling, Parts, Phrase, Told, Value
from rulelang.base.texts.plurals import chosen

_HOLE = re.compile(r"\{([^{}:]+)(?::([^{}:]*))?\}")
_KINDS = {"int": "number", "bool": "truth", "/zone": "zone"}


@record
class Hole:
    """A hole of a template; `forms` are those of a word, of which a number takes one (empty: the value itself)."""

    name: str
    forms: tuple[str, ...] = ()


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


_LATIN = re.compile(r"[A-Za-z0-9-]")


def fill(template: str, code: str, values: Mapping[str, Filling], inner: Callable[[Filling], str]) -> str:
    """A template with its values, in a language that counts as `code` does; `inner` says what fills its holes."""
    words: list[str] = []
    behind = False  # the last piece filled a hole
    for piece in pieces(template):
        if isinstance(piece, str):
            words.append(piece)
            behind = False
            continue
        value = values[piece.name]
        if piece.forms:
            words.append(form(code, piece.forms, value if isinstance(value, int) else 0))
            continue
        said = value if type(value) is str else inner(value)
        # A language without blanks between words still needs them where both words are left in English.
        if behind and _LATIN.match(words[-1][-1:]) and _LATIN.match(said[:1]):
            words.append(" ")
        words.append(said)
        behind = True
    return "".join(words)


def flat(told: Told) -> Parts:
    """What is said as a text of rules, in English, with names as they are in the rules: its key (`keyed`) for a
    catalogue that says the whole of it in a way of its own."""
    if not isinstance(told, Phrase):
        return told
    out: list[str | tuple[int, str]] = []
    for part in _flat(told):
        if part and isinstance(part, str) and out and isinstance(out[-1], str):
            out[-1] += part
        elif part:
            out.append(part)
    return tuple(out)


def _flat(filling: Filling) -> Iterator[str | tuple[int, str]]:
    match filling:
        case Phrase():
            values = filling.values
            for piece in pieces(filling.template):
                if isinstance(piece, str):
                    yield piece
                elif piece.forms:
                    number = values[piece.name]
                    yield form("en", piece.forms, number if isinstance(number, int) else 0)
                else:
                    yield from _flat(values[piece.name])
        case Value():
            yield filling.position, filling.kind
        case Called():
            yield word(in_words(filling.name), filling)
        case tuple():
            yield from filling
        case _:
            yield str(filling)


def word(english: str, called: Called) -> str:
    """An English name in the form in which it is wanted."""
    match called.form:
        case "one":
            return with_article(english)
        case "several":
            head, _, last = english.rpartition(" ")
            return f"{head} {plural(last)}".strip()
        case "otherwise":
            return f"not {english}"
    return english


def fillings(told: Told) -> Iterator[Filling]:
    """All that fills the holes of what is said, and of the phrases in it; and itself."""
    yield told
    if isinstance(told, Phrase):
        for _, value in told.holes:
            if isinstance(value, Phrase | tuple):
                yield from fillings(value)
            else:
                yield value


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
