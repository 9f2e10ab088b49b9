"""Colours for rules and for YAML with rules in it: lexers for Pygments, which the documentation and others use.

Words and tokens are those of the scanner and of the table of the language: nothing is listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.lexers.data import YamlLexer
from pygments.token import (
    Comment,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from rulelang.language.semantics.builtins.forms import FORMS
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import BEARERS, LISTS, NAMES
from rulelang.language.syntax.lexer import TOKEN

FoundToken = Iterator[tuple[int, _TokenType, str]]

HOLE = re.compile(r"\{[^{}]*\}")
#: What opens a text of rules in YAML: a block, and how far it is indented.
_BLOCK = re.compile(r"^( *)(- +)?rules: *\|[-+0-9]*[ \t]*(#.*)?\n", re.MULTILINE)
BRACKETS = frozenset("()[],.:;")


@cache
def language_words() -> dict[str, _TokenType]:
    """The words of the language, by what they are; all others are names."""
    found: dict[str, _TokenType] = dict.fromkeys((*QUERIES, *FUNCTIONS), Name.Builtin)
    found |= {row: Name.Constant for rows in LISTS.values() for row in rows.rows}
    for forms in FORMS.values():
        found |= {word: Keyword for form in forms for word in form.words}
    found |= dict.fromkeys(("true", "false", "none"), Keyword.Constant)
    found |= dict.fromkeys(("and", "or", "not", "is", "has", "in"), Operator.Word)
    found |= {name: Name.Builtin.Pseudo for name in (*NAMES, *BEARERS) if name not in found}
    found |= dict.fromkeys(("int", "bool", "number", "order", "maybe", "set"), Keyword.Type)
    return found


def rules_tokens(text: str) -> FoundToken:
    """The parts of a rules text, each with its place and what it is."""
    at = 0
    for line in text.splitlines(keepends=True):
        code = line.rstrip("\r\n")
        for match in TOKEN.finditer(code):
            yield from _token(match, at)
        if line != code:
            yield at + len(code), Whitespace, line[len(code) :]
        at += len(line)


def _token(match: re.Match[str], at: int) -> FoundToken:
    start, text, kind = at + match.start(), match[0], match.lastgroup
    if kind == "STRING":
        yield from _string(text, start)
        return
    if kind == "NAME":
        yield start, language_words().get(text, Name), text
    elif kind in ("NUMBER", "DIE"):
        yield start, Number.Integer, text
    elif kind == "comment":
        yield start, Comment.Special if text.startswith("#:") else Comment.Single, text
    elif kind == "sign":
        yield start, Punctuation if text in BRACKETS else Operator, text
    else:
        yield start, Whitespace if text.isspace() else Literal, text


def _string(text: str, start: int) -> FoundToken:
    """A text for players, whose holes are filled in."""
    at = 0
    for hole in HOLE.finditer(text):
        if hole.start() > at:
            yield start + at, String, text[at : hole.start()]
        yield start + hole.start(), String.Interpol, hole[0]
        at = hole.end()
    yield start + at, String, text[at:]


class RulesLexer(Lexer):
    """Rules by themselves: `.rules` files."""

    name = "rulelang rules"
    url = ""
    aliases: ClassVar[list[str]] = ["rules", "rulelang"]
    filenames: ClassVar[list[str]] = ["*.rules"]

    def get_tokens_unprocessed(self, text: str) -> FoundToken:
        yield from rules_tokens(text)


class RulesetLexer(YamlLexer):
    """YAML in which texts of rules stand under `rules: |`."""

    name = "rulelang YAML"
    url = ""
    aliases: ClassVar[list[str]] = ["rulelang-yaml", "scenarios"]
    filenames: ClassVar[list[str]] = []

    def get_tokens_unprocessed(self, text: str | None = None, context: Any = None) -> FoundToken:
        text = text or ""
        at = 0
        plain: Any = super().get_tokens_unprocessed  # it has no types
        for start, end in rules_blocks(text):
            yield from _moved_tokens(plain(text[at:start]), at)
            yield from _moved_tokens(rules_tokens(text[start:end]), start)
            at = end
        yield from _moved_tokens(plain(text[at:]), at)


def rules_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where the blocks of rules in YAML begin and end."""
    at = 0
    for match in _BLOCK.finditer(text):
        if match.end() > at:
            at = _block_end(text, match.end(), len(match[1]) + len(match[2] or ""))
            yield match.end(), at


def _block_end(text: str, start: int, indent: int) -> int:
    """Where the block ends that begins at `start`, below a key that is so far indented."""
    at = start
    for line in text[start:].splitlines(keepends=True):
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            break
        at += len(line)
    return at


def _moved_tokens(found: FoundToken, by: int) -> FoundToken:
    return ((start + by, kind, text) for start, kind, text in found)
