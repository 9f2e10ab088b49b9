"""The compiled grammar: read from Lark's cache where one is at hand (20 ms), else compiled anew (250 ms)."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol, cast

from lark import Lark, __version__
from lark.lexer import Lexer, Token

GRAMMAR = Path(__file__).with_name("rules.lark")
STARTS = ["decl", "then_line"]


class NoLexer(Lexer):
    """Lark must be given a lexer. The tokens come from `scan` and `layout`, so this one is never asked."""

    def __init__(self, lexer_conf: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
        return iter(())


class Feeder(Protocol):
    """Lark's interactive parser, as far as it is used here."""

    def feed_token(self, token: Any) -> Any: ...

    def choices(self) -> dict[str, Any]:
        """The terminals (and rules) that the state knows; a few of the terminals may still fail."""

    def accepts(self) -> set[str]:
        """The terminals that can stand next. Slow: each is tried."""

    def copy(self, deepcopy_values: bool = True) -> Feeder: ...


class Grammar:
    """Lark's tables, and what they call the words and signs of the language (`words`, `signs`: text -> terminal)."""

    def __init__(self, lark: Lark) -> None:
        self.lark = lark
        self.texts = {t.name: t.pattern.value for t in lark.terminals}
        self.words = {text: name for name, text in self.texts.items() if text[0].isalpha()}
        self.signs = {text: name for name, text in self.texts.items() if not text[0].isalpha()}

    def start(self, rule: str) -> Feeder:
        """A parser that waits for the first token of `rule` (one of `STARTS`)."""
        return cast(Feeder, self.lark.parse_interactive(start=rule))

    @cached_property
    def statement_words(self) -> frozenset[str]:
        """The words that open a statement."""
        parser = self.start("decl")
        for terminal in ("GAME", "COLON"):
            parser.feed_token(Token(terminal, ""))
        return frozenset(self.texts[t] for t in parser.accepts() if self.texts.get(t, "").isalpha())


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The grammar of this process."""
    from rulelang.syntax.build import Builder

    return Grammar(load(Builder()))


def load(builder: object, folder: Path | None = None) -> Lark:
    """Lark with its tables; reductions call the methods of `builder`.

    A cache that is missing, broken, or cannot be written is passed over: then the grammar is compiled.
    """
    source = GRAMMAR.read_text("utf-8")
    where = cache_file(source, folder)
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        cache: str | bool = str(where)
    except OSError:
        cache = False
    return Lark(
        source,
        parser="lalr",
        lexer=NoLexer,
        start=STARTS,
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=cast(Any, builder),
        cache=cache,
    )


def cache_file(source: str, folder: Path | None = None) -> Path:
    """The file for this grammar text, this Lark and this Python (Lark checks the first again when it reads it)."""
    key = hashlib.sha256(f"{source}\0{__version__}\0{sys.version}".encode()).hexdigest()[:24]
    return (folder or cache_folder()) / f"grammar-{key}.bin"


def cache_folder() -> Path:
    """`$RULELANG_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("RULELANG_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("rulelang"))
