"""What an editor writes beside the text: types of `let`, how many cards a trait has, and the arguments of a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from rulelang.apps.editor.about import count_cards, declared, head_of
from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.completing import origin_at, rules_part
from rulelang.apps.editor.extra_rows import extra_rows, seen_at
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.rule_names import signature_thing
from rulelang.base.source import Placement
from rulelang.base.wording import counted
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.syntax import nodes
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.language.syntax.lexer import Token, scan
from rulelang.language.syntax.nodes import walk_syntax


@dataclass(frozen=True, slots=True)
class Beside:
    """A remark of the editor behind a place."""

    line: int
    column: int
    text: str


def beside(analysis: Analysis, path: str, first: int, last: int) -> Iterator[Beside]:
    """The remarks on some lines of a file."""
    index = index_of(analysis)
    types = {(i.span.line, i.span.column): i.type for i in index.by_file.get(path, ()) if i.declares and i.type}
    trees = [analysis.trees, *(one.analysis.trees for one in extra_rows(analysis).found.values())]
    lets: dict[tuple[int, int], Beside] = {}  # by place: scenarios share test rows
    for _, declarations in chain.from_iterable(trees):
        for declaration in declarations:
            if absolute(declaration.span.path) != path or isinstance(declaration, nodes.Patched):
                continue
            for node in walk_syntax(declaration):
                if isinstance(node, nodes.Let) and first <= node.name_span.line <= last:
                    place = node.name_span
                    if types.get(place[1:3]):
                        lets[place[1], place[2]] = Beside(place.line, place.end_column, f": {types[place[1:3]]}")
    yield from lets.values()
    cards = count_cards(analysis)
    for trait in analysis.model.traits.values():
        if absolute(trait.span.path) == path and first <= trait.span.line <= last:
            yield Beside(trait.span.line, trait.span.end_column, f" {counted(cards.get(trait.name, 0), 'card')}")


@dataclass(frozen=True, slots=True)
class Call:
    """The call in which a cursor stands: how it is written, its parameters, and which of them it is at (from 0)."""

    signature: str
    params: tuple[str, ...]
    at: int
    doc: str = ""


def call_at(analysis: Analysis, path: str, text: str, line: int, column: int) -> Call | None:
    """The innermost call or pattern around a place, by the tokens before it."""
    part = rules_part(path, text, line, column)
    if part is None:
        return None
    tokens = list(_before(*part, line, column))
    depth, commas = 0, 0
    for at in range(len(tokens) - 1, 0, -1):
        sign = tokens[at].text
        if sign in (")", "]"):
            depth += 1
        elif sign in ("(", "["):
            depth -= 1
            if depth < 0:
                if sign == "[" or tokens[at - 1].type != "NAME":
                    return None
                return _call(seen_at(analysis, path, line), path, text, line, tokens[at - 1].text, commas)
        elif sign == "," and depth == 0:
            commas += 1
        elif sign == ":" and depth == 0:
            return None
    return None


def _before(rules: str, placement: Placement, line: int, column: int) -> Iterator[Token]:
    for row in scan(rules, placement, shared_grammar().signs)[0]:
        for token in row.tokens:
            if (token.span.end_line, token.span.end_column) <= (line, column):
                yield token


def _call(analysis: Analysis, path: str, text: str, line: int, name: str, at: int) -> Call | None:
    signature = analysis.symbols.find(name, origin_at(analysis, path, text, line))
    if signature is not None:
        item = declared(analysis, signature_thing(signature))
        params = tuple(f"{param.type} {param.name}" for param in signature.params)
        head = head_of(analysis, item) if item is not None else f"{name}({', '.join(params)})"
        return Call(head, params, at)
    function = FUNCTIONS.get(name)
    if function is None:
        return None
    params = tuple(f"{param.type} {param.name}" for param in function.params)
    return Call(function.signature, params, min(at, len(params) - 1) if function.several else at, function.doc)
