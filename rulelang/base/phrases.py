"""Phrases for players as data, and templates: fill their holes and choose plural forms by number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from rulelang.base.labels import name_in_words
from rulelang.base.node import record
from rulelang.base.wording import plural, with_article

# ---- phrases

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
class RuleName:
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
Filling: TypeAlias = "str | int | Phrase | Value | RuleName | Parts"

#: What is said of arguments: as the author of rules wrote it, or in phrases of the program.
PlayerText: TypeAlias = "Parts | Phrase"


def phrase(template: str, **values: Filling) -> Phrase:
    """A phrase of the program itself. The template is written where it is used, so that catalogues find it."""
    return Phrase(template, tuple(values.items()))


# ---- plural forms

#: In the order in which the forms of a word are written.
ORDER = ("zero", "one", "two", "few", "many", "other")
#: Numbers up to here say which forms a language has. Some count millions otherwise, which lie on no table.
SAMPLE = 1000


class NoBabel(Exception):
    """The plural rules of a language are wanted, and Babel is not installed; the text says how to mend that."""

    def __init__(self, code: str) -> None:
        super().__init__(
            f"how `{code}` counts is known to Babel, which is not installed: pip install 'rulelang[languages]'"
        )


@cache
def plural_categories(code: str) -> tuple[str, ...]:
    """The ways in which a language counts whole numbers, in the order of their forms. NoBabel; ValueError: unknown."""
    rule = _rule(code)
    found = {rule(number) for number in range(SAMPLE)}
    return tuple(name for name in ORDER if name in found)


def plural_index(code: str, number: int) -> int:
    """Which form a number takes, from 0. NoBabel; ValueError for a language of which nothing is known."""
    found = plural_categories(code)
    name = _rule(code)(abs(number))
    return found.index(name) if name in found else len(found) - 1


def _english(number: int) -> str:
    return "one" if number == 1 else "other"


@cache
def _rule(code: str) -> Callable[[int], str]:
    if code == "en":
        return _english
    try:
        from babel import Locale, UnknownLocaleError
    except ImportError:
        raise NoBabel(code) from None
    try:
        rule: Callable[[int], str] = Locale.parse(code.replace("-", "_")).plural_form
    except (UnknownLocaleError, ValueError):
        raise ValueError(f"Babel knows no language `{code}`") from None
    return rule


# ---- templates

_HOLE = re.compile(r"\{([^{}:]+)(?::([^{}:]*))?\}")
_KINDS = {"int": "number", "bool": "truth", "/zone": "zone"}


@record
class Hole:
    """A hole of a template; `forms` are those of a word, of which a number takes one (empty: the value itself)."""

    name: str
    forms: tuple[str, ...] = ()


@cache
def template_pieces(template: str) -> tuple[str | Hole, ...]:
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


def fill_template(template: str, code: str, values: Mapping[str, Filling], inner: Callable[[Filling], str]) -> str:
    """A template with its values, in a language that counts as `code` does; `inner` says what fills its holes."""
    words: list[str] = []
    behind = False  # the last piece filled a hole
    for piece in template_pieces(template):
        if isinstance(piece, str):
            words.append(piece)
            behind = False
            continue
        value = values[piece.name]
        if piece.forms:
            words.append(word_form(code, piece.forms, value if isinstance(value, int) else 0))
            continue
        said = value if type(value) is str else inner(value)
        # A language without blanks between words still needs them where both words are left in English.
        if behind and _LATIN.match(words[-1][-1:]) and _LATIN.match(said[:1]):
            words.append(" ")
        words.append(said)
        behind = True
    return "".join(words)


def flatten(told: PlayerText) -> Parts:
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
            for piece in template_pieces(filling.template):
                if isinstance(piece, str):
                    yield piece
                elif piece.forms:
                    number = values[piece.name]
                    yield word_form("en", piece.forms, number if isinstance(number, int) else 0)
                else:
                    yield from _flat(values[piece.name])
        case Value():
            yield filling.position, filling.kind
        case RuleName():
            yield inflect(name_in_words(filling.name), filling)
        case tuple():
            yield from filling
        case _:
            yield str(filling)


def inflect(english: str, called: RuleName) -> str:
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


def all_fillings(told: PlayerText) -> Iterator[Filling]:
    """All that fills the holes of what is said, and of the phrases in it; and itself."""
    yield told
    if isinstance(told, Phrase):
        for _, value in told.holes:
            if isinstance(value, Phrase | tuple):
                yield from all_fillings(value)
            else:
                yield value


def word_form(code: str, forms: Sequence[str], number: int) -> str:
    """The form of a word that a number takes. What has one form only needs no rules. NoBabel, ValueError."""
    return forms[0] if len(forms) == 1 else forms[min(plural_index(code, number), len(forms) - 1)]


def hole_names(template: str) -> set[str]:
    """The names of what is told in a template, without those that only choose a form."""
    return {piece.name for piece in template_pieces(template) if isinstance(piece, Hole) and not piece.forms}


def count_names(template: str) -> set[str]:
    """The names of what chooses a form in it."""
    return {piece.name for piece in template_pieces(template) if isinstance(piece, Hole) and piece.forms}


def keyed_template(parts: Sequence[str | tuple[int, str]]) -> tuple[str, dict[str, tuple[int, str]]]:
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
