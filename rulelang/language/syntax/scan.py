"""From text to lines of tokens. Whatever cannot be a token is told and left out, so that the rest can be read."""

from __future__ import annotations

import re
import unicodedata

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Placement, Span
from rulelang.language.syntax.tokens import Line, Token

LONGEST_NUMBER = 9
MOST_MISTAKES = 200
_INDENT = re.compile(r"[ \t]*")
_CITE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]*\Z")
#: What a text is cut into, in the order in which it is tried: regular expressions that editors understand too.
PARTS = {
    "blank": r"[ \t]+",
    "NAME": r"owner's\b|[A-Za-z_][A-Za-z0-9_]*",
    "DIE": r"[0-9]{1,9}d[0-9]{1,9}\b",
    "NUMBER": r"[0-9]+",
    "sign": r"->|\+=|-=|==|!=|<=|>=|&&|\|\||[-+*/%=<>()\[\],.:!?&|;{}^~@$\\]",
    "STRING": r'"[^"]*"',
    "comment": r"#.*",
    "single": r"'[^']*'",
    "open": r'"[^"]*\Z',
    "other": r"[^\x00-\x7f]+|.",
}
TOKEN = re.compile("|".join(f"(?P<{kind}>{part})" for kind, part in PARTS.items()), re.ASCII)


def scan(text: str, placement: Placement, signs: dict[str, str]) -> tuple[list[Line], Diagnostics]:
    """The lines of `text` that hold code, up to the last mistake that is told (`MOST_MISTAKES`).

    `signs` names the grammar's signs; any other sign is its own terminal."""
    found = Diagnostics()
    lines: list[Line] = []
    cites: tuple[str, ...] = ()
    tabs = False
    for number, raw in enumerate(text.split("\n"), 1):
        if len(found) >= MOST_MISTAKES:
            give_up(placement.span(number, 1, number, 1), found)
            break
        line = raw.rstrip("\r \t")
        if number == 1:
            line = line.removeprefix("\ufeff")
        if not line:
            cites = ()
            continue
        white = _INDENT.match(line)
        start = white.end() if white else 0
        if line.startswith("#:", start):
            cites = _cites(line, start, number, placement, found)
            continue
        if line[start] == "#":
            continue
        if "\t" in line[:start] and not tabs:
            tabs = True
            found.error(
                "S202",
                placement.span(number, 1, number, start + 1),
                "tab in the indentation of this line, and possibly of later lines",
                because="editors show tabs at different widths, so it is unclear where blocks begin and end",
                hint="indent with spaces, two for each block",
            )
        tokens = _tokens(line, start, number, placement, signs, found)
        if tokens:
            lines.append(Line(len(line[:start].expandtabs(2)), tokens, cites))
    return lines, found


def give_up(span: Span, found: Diagnostics) -> None:
    """Say once that from here on nothing more is looked at."""
    if not any(item.code == "S229" for item in found):
        found.error(
            "S229",
            span,
            f"this text has {MOST_MISTAKES} or more errors, and the rest is not checked",
            because="one early error often causes the others",
            hint="fix the first ones and check again",
        )


def _tokens(
    line: str, start: int, number: int, placement: Placement, signs: dict[str, str], found: Diagnostics
) -> list[Token]:
    origin = placement.span(number, 1, number, 1)
    path, row, shift = origin.path, origin.line, origin.column
    tokens: list[Token] = []
    for match in TOKEN.finditer(line, start):
        if len(found) >= MOST_MISTAKES:
            break
        kind = match.lastgroup or "other"
        if kind == "blank" or kind == "comment":
            continue
        word = match.group()
        span = Span(path, row, shift + match.start(), row, shift + match.end())
        if kind == "sign":
            kind = signs.get(word, word)
        elif kind == "NAME":
            word = _WRONG_CASE.get(word, word)
            if word != match.group():
                _wrong_case(match.group(), word, span, found)
        elif kind == "NUMBER":
            word = _number(word, span, found)
        elif kind in ("single", "open", "other"):
            if kind == "other":
                _other(word, span, found)
                continue
            word = _string(kind, word, span, found)
            kind = "STRING"
        tokens.append(Token(kind, word, span))
    return tokens


_WRONG_CASE = {"True": "true", "False": "false", "None": "none", "TRUE": "true", "FALSE": "false", "NONE": "none"}


def _wrong_case(word: str, right: str, span: Span, found: Diagnostics) -> None:
    found.error(
        "S218",
        span,
        f"unknown word `{word}`",
        because="`true`, `false` and `none` must be lowercase",
        hint=f"write `{right}`",
    )


def _number(word: str, span: Span, found: Diagnostics) -> str:
    if len(word) <= LONGEST_NUMBER:
        return word
    found.error(
        "S203",
        span,
        f"this number has {len(word)} digits",
        because=f"a number in rules may have at most {LONGEST_NUMBER} digits",
    )
    return "0"


def _string(kind: str, word: str, span: Span, found: Diagnostics) -> str:
    """The same text as a good string, so that the rest of the line can be read."""
    if kind == "single":
        found.error(
            "S205",
            span,
            f"expected double quotes, found single quotes: {shown(word)}",
            because="text in rules must be in double quotes",
            hint=f'write "{shown(word[1:-1], quote="")}"',
        )
        return f'"{word[1:-1]}"'
    found.error(
        "S204",
        span,
        "missing closing quote",
        because='text must end with `"` on the same line',
        hint='close it with `"`',
    )
    return word + '"'


def _other(word: str, span: Span, found: Diagnostics) -> None:
    first = word[0]
    name = unicodedata.name(first, "") or f"code U+{ord(first):04X}"
    if word == "'":
        found.error(
            "S205",
            span,
            "unexpected single quote",
            because="text must be in double quotes; only the word `owner's` has a single quote",
        )
        return
    seen = f"`{first}` " if first.isprintable() else ""
    hint = _REPLACEMENTS.get(first, "")
    found.error(
        "S201",
        span,
        f"invalid character {seen}({name.lower()})",
        because="only text and comments can contain non-ASCII characters",
        hint=f"write `{hint}`" if hint else "",
    )


_REPLACEMENTS = {
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": '"', "\u2019": '"', "\u2212": "-", "\u2013": "-",
    "\u2014": "-", "\u00d7": "*", "\u00f7": "/", "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2192": "->",
    "\uff08": "(", "\uff09": ")", "\uff0c": ",", "\uff1a": ":", "\u3000": " ", "\u00a0": " ",
}  # fmt: skip


def _cites(line: str, start: int, number: int, placement: Placement, found: Diagnostics) -> tuple[str, ...]:
    """The ids of a line `#: ID ...`; a word that is no id is told."""
    good: list[str] = []
    at = start + 2
    for word in line[at:].split():
        at = line.index(word, at)
        span = placement.span(number, at + 1, number, at + 1 + len(word))
        at += len(word)
        if _CITE.match(word):
            good.append(word)
        else:
            found.error(
                "S206",
                span,
                f"{shown(word)} is not a valid rule id",
                because="a rule id consists of letters, digits, `-`, `_` and `.`; spaces separate the ids after `#:`",
                hint="begin a comment with `#` and a space",
            )
            break
    if not line[start + 2 :].strip():
        found.error(
            "S206",
            placement.span(number, start + 1, number, start + 3),
            "this citation has no rule id",
            hint="write the id of a rule, or delete the line; an empty line ends the previous citation",
        )
    return tuple(good)


def shown(word: str, quote: str = "`") -> str:
    """A piece of source for a message, cut if it is long."""
    cut = word if len(word) <= 40 else word[:37] + "..."
    return f"{quote}{cut}{quote}"
