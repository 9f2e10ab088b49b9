"""The compiled grammar: Lark's tables as they ship (`rulelang docs` writes them), which takes 20 ms.

Another Lark, or a grammar that was changed since, has them compiled anew (250 ms) and kept in the cache.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol, cast

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef, Token
from lark.parse_tree_builder import ExpandSingleChild
from lark.parsers.lalr_analysis import Shift

from rulelang.base import disk_cache

GRAMMAR = Path(__file__).with_name("rules.lark")
TABLES = Path(__file__).with_name("rules.tables.json")
SORT = "grammar"  # of the entries in the cache
STARTS = ["decl", "then_line"]


class NoLexer(Lexer):
    """Lark must be given a lexer. The tokens come from `scan` and `indentation`, so this one is never asked."""

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


#: What to do with a terminal or rule in a state: go to that state; or put the node of so many children in their place,
#: made by a function (none: the one child itself), and go where that state goes with a rule of this name.
Step = int | tuple[int, Callable[[list[Any]], Any] | None, str]


class States(dict[int, dict[str, Step]]):
    """Lark's states by number, each put into plain steps when it is first come to: what Lark looks up under its own
    class of rules takes twice as long."""

    def __init__(self, lark: Lark) -> None:
        inner = cast(Any, lark).parser.parser.parser
        self.table, self.callbacks = inner.parse_table, inner.callbacks

    def __missing__(self, state: int) -> dict[str, Step]:
        found = self[state] = {name: self._step(*step) for name, step in self.table.states[state].items()}
        return found

    def _step(self, action: object, to: Any) -> Step:
        if action is Shift:
            return cast(int, to)
        build = self.callbacks[to]
        return len(to.expansion), None if _is_child(build, to) else build, to.origin.name


def _is_child(build: object, rule: Rule) -> bool:
    return type(build) is ExpandSingleChild and len(rule.expansion) == 1


class Grammar:
    """Lark's tables, and what they call the words and signs of the language (`words`, `signs`: text -> terminal)."""

    def __init__(self, lark: Lark) -> None:
        self.lark = lark
        self.texts = {t.name: t.pattern.value for t in lark.terminals}
        self.words = {text: name for name, text in self.texts.items() if text[0].isalpha()}
        self.signs = {text: name for name, text in self.texts.items() if not text[0].isalpha()}

    @cached_property
    def states(self) -> States:
        return States(self.lark)

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


def load(builder: object) -> Lark:
    """Lark with its tables: those that ship, from the cache, or compiled anew; reductions call methods of `builder`."""
    source = GRAMMAR.read_text("utf-8")
    # Tables of another grammar, another Lark or another Python are other entries.
    key = hashlib.sha256(f"{source}\0{__version__}\0{sys.version}".encode()).hexdigest()
    kept = shipped(source) or disk_cache.recall(SORT, key)
    if isinstance(kept, dict):
        # As in the parsers that Lark generates: its public `load` takes no transformer.
        return cast(Lark, cast(Any, Lark)._load_from_dict(kept["data"], kept["memo"], transformer=builder))
    lark = compiled(source, builder)
    data, memo = lark.memo_serialize([TerminalDef, Rule])
    disk_cache.keep(SORT, key, {"data": data, "memo": memo})
    return lark


def compiled(source: str, builder: object = None) -> Lark:
    """The tables of a grammar, worked out by Lark."""
    return Lark(
        source,
        parser="lalr",
        lexer=NoLexer,
        start=STARTS,
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=cast(Any, builder),
    )


# ---- the tables that ship: JSON, whose keys are texts, and which holds no class


def shipped(source: str) -> dict[str, Any] | None:
    """The tables that ship with rulelang, if they are of this grammar and made by this Lark."""
    kept = read_tables(TABLES)
    if kept.get("grammar") != fingerprint(source) or kept.get("lark") != __version__:
        return None
    data = kept["data"]
    _lexer(data, NoLexer)
    table = data["parser"]["parser"]
    table["tokens"] = _numbered(table["tokens"])
    table["states"] = {int(state): _numbered(row) for state, row in table["states"].items()}
    return {"data": data, "memo": _numbered(kept["memo"])}


def read_tables(path: Path) -> dict[str, Any]:
    """What a file of tables holds; nothing if it is missing or broken."""
    try:
        return cast(dict[str, Any], json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def tables(source: str) -> str:
    """The text of `TABLES` for a grammar. Lark numbers its states in another order in each process."""
    data, memo = compiled(source).memo_serialize([TerminalDef, Rule])
    _lexer(data, None)
    kept = {"grammar": fingerprint(source), "lark": __version__, "data": data, "memo": memo}
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False) + "\n"


def fingerprint(source: str) -> str:
    """What tells a grammar from others."""
    return hashlib.sha256(source.encode()).hexdigest()


def _numbered(row: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in row.items()}


def _lexer(data: dict[str, Any], lexer: type | None) -> None:
    """Put the lexer where Lark keeps its class."""
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = lexer
