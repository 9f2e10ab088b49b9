"""From the grammar to its tables: Lark works out the LALR automaton, which is written down as plain data.

The data is what `grammar` reads. It is JSON, the same for the same grammar and Lark in every process:

- `grammar`, `lark`: the hash of the grammar, and the version of Lark;
- `texts`: the words and signs, by terminal;
- `starts`: for each start rule the state that it begins in and the one that it ends in;
- `rules`: of each rule how many symbols a reduction takes, its name, the method of the builder that makes its node (""
  for a rule that makes none: its children stand in its place), and what the method is given (null: all children; else
  for each child [which, whether its own children stand in its place, how many absent ones stand before it], and
  behind them how many stand at the end); whether a rule is its one child is told by a method of null;
- `states`: of each what to do with a symbol, `5 NAME NUMBER|-3 $END`: go to state 5; reduce by rule 2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import Lexer
from lark.parse_tree_builder import ChildFilter, ExpandSingleChild
from lark.parsers.lalr_analysis import Shift

from rulelang.base.disk_cache import digest
from rulelang.language.syntax.build import Builder

STARTS = ["decl", "then_line"]


class NoLexer(Lexer):
    """Lark must be given a lexer. The tokens come from `scan` and `indentation`, so this one is never asked."""

    def __init__(self, lexer_conf: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
        return iter(())


def lark_of(source: str, builder: object) -> Lark:
    """Lark with a grammar; methods of `builder` make its nodes."""
    return Lark(
        source,
        parser="lalr",
        lexer=NoLexer,
        start=STARTS,
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=cast(Any, builder),
    )


def compile_tables(source: str) -> dict[str, Any]:
    """The tables of a grammar (250 ms)."""
    lark = lark_of(source, Builder())
    inner = cast(Any, lark).parser.parser.parser
    table = inner.parse_table
    numbers = _numbered(table)
    rules: dict[Rule, int] = {}
    states = [_state(table.states[state], numbers, rules) for state in numbers]
    return {
        "grammar": digest(source),
        "lark": __version__,
        "texts": {t.name: t.pattern.value for t in sorted(lark.terminals, key=lambda t: t.name)},
        "starts": {name: [numbers[table.start_states[name]], numbers[table.end_states[name]]] for name in STARTS},
        "rules": [_rule(rule, inner.callbacks[rule]) for rule in rules],
        "states": states,
    }


def tables_text(tables: Mapping[str, Any]) -> str:
    """The text of the file that ships."""
    return json.dumps(tables, separators=(",", ":"), ensure_ascii=False) + "\n"


def _numbered(table: Any) -> dict[int, int]:
    """The states in the order in which they are come to, by names of symbols: Lark numbers them otherwise each time."""
    order = {table.start_states[name]: at for at, name in enumerate(STARTS)}
    waiting = list(order)
    for state in waiting:
        for _, (action, to) in sorted(table.states[state].items()):
            if action is Shift and to not in order:
                order[to] = len(order)
                waiting.append(to)
    for name in STARTS:
        order.setdefault(table.end_states[name], len(order))
    return order


def _state(row: dict[str, Any], numbers: dict[int, int], rules: dict[Rule, int]) -> str:
    steps: dict[int, list[str]] = {}
    for symbol, (action, to) in sorted(row.items()):
        step = numbers[to] if action is Shift else -1 - rules.setdefault(to, len(rules))
        steps.setdefault(step, []).append(symbol)
    return "|".join(" ".join((str(step), *symbols)) for step, symbols in steps.items())


def _rule(rule: Rule, build: Any) -> list[Any]:
    """A row of `rules`, read off the functions that Lark has put around the builder's method."""
    size, name = len(rule.expansion), rule.origin.name
    if isinstance(build, ExpandSingleChild):
        if size == 1:
            return [size, name, None, None]
        build = build.node_builder
    given: list[Any] | None = None
    if isinstance(build, ChildFilter):
        given = [[[*child, 0][:3] for child in build.to_include], getattr(build, "append_none", 0)]
        build = build.node_builder
    method = getattr(build, "__name__", "")
    if not method and not name.startswith("_"):
        raise ValueError(f"no method of the builder makes a node of `{name}`")
    return [size, name, method, given]
