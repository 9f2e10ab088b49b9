"""The grammar as it is parsed with: the tables that Lark has worked out, and a parser that goes by them.

The tables ship (`rulelang docs` writes them). Those of a grammar that was changed since are compiled anew, which takes
Lark 250 ms, and kept in the cache.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, cast

from rulelang.base import disk_cache
from rulelang.base.disk_cache import digest, program_hash
from rulelang.base.source import NOWHERE
from rulelang.language.syntax.build import Builder
from rulelang.language.syntax.lexer import Token

GRAMMAR = Path(__file__).with_name("rules.lark")
TABLES = Path(__file__).with_name("rules.tables.json")
SORT = "grammar"  # of the entries in the cache
END = "$END"

#: What to do with a symbol in a state: go to that state; or put the node of so many children in their place, made by a
#: function (none: the one child itself), and go where the state before them goes with a rule of this name.
Step = int | tuple[int, Callable[[list[Any]], Any] | None, str]
Row = Mapping[str, Step]


class Several(list[Any]):
    """The children of a rule that makes no node: they stand in its place in the rule that names it."""


class States(dict[int, dict[str, Step]]):
    """The states by number, each taken out of its text when it is first come to."""

    def __init__(self, texts: list[str], rules: list[list[Any]], builder: object) -> None:
        self.texts, self.rules = texts, [_step(builder, *rule) for rule in rules]

    def __missing__(self, state: int) -> dict[str, Step]:
        found = self[state] = {}
        for text in self.texts[state].split("|"):
            number, *symbols = text.split(" ")
            to = int(number)
            found.update(dict.fromkeys(symbols, to if to >= 0 else self.rules[-1 - to]))
        return found


def _step(builder: object, size: int, name: str, method: str | None, given: list[Any] | None) -> Step:
    """The reduction by a rule, of which a row of the tables tells: see `rulelang.language.syntax.lark_tables`."""
    if method is None:
        return size, None, name
    build: Callable[[list[Any]], Any] = getattr(builder, method) if method else Several
    return size, build if given is None else partial(_picked, build, *given), name


def _picked(build: Callable[[list[Any]], Any], wanted: list[tuple[int, bool, int]], absent: int, c: list[Any]) -> Any:
    """A node of the children that are wanted, with None for those that could stand there."""
    found: list[Any] = []
    for at, several, before in wanted:
        if before:
            found += [None] * before
        if several:
            found += c[at]
        else:
            found.append(c[at])
    return build(found + [None] * absent if absent else found)


class Grammar:
    """The tables, and what they call the words and signs of the language (`words`, `signs`: text -> terminal)."""

    def __init__(self, tables: Mapping[str, Any], builder: object) -> None:
        self.texts: dict[str, str] = tables["texts"]
        self.words = {text: name for name, text in self.texts.items() if text[0].isalpha()}
        self.signs = {text: name for name, text in self.texts.items() if not text[0].isalpha()}
        self.starts: dict[str, list[int]] = tables["starts"]
        self.states = States(tables["states"], tables["rules"], builder)

    def start(self, rule: str) -> Parser:
        """A parser that waits for the first token of `rule` (a declaration or an expression: `decl`, `then_line`)."""
        return Parser(self.states, *self.starts[rule])

    @cached_property
    def statement_words(self) -> frozenset[str]:
        """The words that open a statement."""
        parser = self.start("decl")
        for terminal in ("GAME", "COLON"):
            parser.feed(Token(terminal, "", NOWHERE))
        return frozenset(self.texts[t] for t in parser.accepts() if self.texts.get(t, "").isalpha())


class Parser:
    """An LALR parser that is given one token after the other. `row`: what its state knows of each symbol; a few of its
    terminals may still fail. `node`: what was read, once the end was fed."""

    __slots__ = ("end", "node", "row", "rows", "states", "values")

    def __init__(self, states: States, state: int, end: int) -> None:
        self.states, self.end = states, end
        self.node: Any = None
        self.row: Row = states[state]
        self.rows: list[Row] = [self.row]
        self.values: list[Any] = []

    def feed(self, token: Token) -> bool:
        """Take a token; False if it cannot stand here, and then the parser is of no more use."""
        states, rows, values, kind, row = self.states, self.rows, self.values, token.type, self.row
        while not isinstance(step := row.get(kind), int):
            if step is None:
                return False
            size, build, name = step
            if build is None:
                rows.pop()
            elif size:
                children = values[-size:]
                del rows[-size:], values[-size:]
                values.append(build(children))
            else:
                values.append(build([]))
            to = cast(int, rows[-1][name])
            if to == self.end and kind == END:
                self.node = values[-1]
                return True
            row = states[to]
            rows.append(row)
        self.row = states[step]
        rows.append(self.row)
        values.append(token)
        return True

    def accepts(self) -> frozenset[str]:
        """The terminals that can stand next. (They are written in capitals, as in Lark.)"""
        return frozenset(name for name in self.row if name.isupper() and self.copy().feed(Token(name, "", NOWHERE)))

    def copy(self) -> Parser:
        """Another that stands where this one stands. (Nodes are not changed once they are made.)"""
        other = Parser.__new__(Parser)
        other.states, other.end, other.node, other.row = self.states, self.end, self.node, self.row
        other.rows, other.values = self.rows.copy(), self.values.copy()
        return other


@lru_cache(maxsize=1)
def shared_grammar() -> Grammar:
    """The grammar of this process."""
    return Grammar(load_tables(), Builder())


def load_tables() -> dict[str, Any]:
    """The tables: those that ship, from the cache, or compiled anew."""
    source = GRAMMAR.read_text("utf-8")
    kept = shipped_tables(source)
    if kept is not None:
        return kept
    key = digest(source, program_hash())
    known = disk_cache.load(SORT, key)
    if isinstance(known, dict):
        return known
    from rulelang.language.syntax.lark_tables import compile_tables

    tables = compile_tables(source)
    disk_cache.store(SORT, key, tables)
    return tables


def shipped_tables(source: str) -> dict[str, Any] | None:
    """The tables that ship with rulelang, if they are of this grammar."""
    kept = read_tables(TABLES)
    return kept if kept.get("grammar") == digest(source) else None


def read_tables(path: Path) -> dict[str, Any]:
    """What a file of tables holds; nothing if it is missing or broken."""
    try:
        return cast(dict[str, Any], json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):
        return {}
