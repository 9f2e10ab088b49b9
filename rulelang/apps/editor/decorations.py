"""Decorate a document: inlay hints, the arguments of calls, and semantic tokens for colors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.completions import origin_at, rules_part
from rulelang.apps.editor.hover import checked_declaration, count_cards, declaration_head
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.rule_names import ThingKind, signature_thing
from rulelang.apps.editor.scenario_names import extra_rows, ruleset_at_line
from rulelang.base.source import Placement
from rulelang.base.wording import counted
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.syntax import nodes
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.language.syntax.lexer import Token, scan
from rulelang.language.syntax.nodes import walk_syntax

# ---- Inlay hints and calls


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A remark of the editor behind a place."""

    line: int
    column: int
    text: str


def inlay_hints(analysis: Analysis, path: str, first: int, last: int) -> Iterator[InlayHint]:
    """The remarks on some lines of a file."""
    index = index_of(analysis)
    types = {(i.span.line, i.span.column): i.type for i in index.by_file.get(path, ()) if i.declares and i.type}
    trees = [analysis.trees, *(one.analysis.trees for one in extra_rows(analysis).found.values())]
    lets: dict[tuple[int, int], InlayHint] = {}  # by place: scenarios share test rows
    for _, declarations in chain.from_iterable(trees):
        for declaration in declarations:
            if absolute(declaration.span.path) != path or isinstance(declaration, nodes.Patched):
                continue
            for node in walk_syntax(declaration):
                if isinstance(node, nodes.Let) and first <= node.name_span.line <= last:
                    place = node.name_span
                    if types.get(place[1:3]):
                        lets[place[1], place[2]] = InlayHint(place.line, place.end_column, f": {types[place[1:3]]}")
    yield from lets.values()
    cards = count_cards(analysis)
    for trait in analysis.model.traits.values():
        if absolute(trait.span.path) == path and first <= trait.span.line <= last:
            yield InlayHint(trait.span.line, trait.span.end_column, f" {counted(cards.get(trait.name, 0), 'card')}")


@dataclass(frozen=True, slots=True)
class CallAtCursor:
    """The call in which a cursor stands: how it is written, its parameters, and which of them it is at (from 0)."""

    signature: str
    params: tuple[str, ...]
    at: int
    doc: str = ""


def call_at(analysis: Analysis, path: str, text: str, line: int, column: int) -> CallAtCursor | None:
    """The innermost call or pattern around a place, by the tokens before it."""
    part = rules_part(path, text, line, column)
    if part is None:
        return None
    tokens = list(_tokens_before(*part, line, column))
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
                return _call_of_name(
                    ruleset_at_line(analysis, path, line), path, text, line, tokens[at - 1].text, commas
                )
        elif sign == "," and depth == 0:
            commas += 1
        elif sign == ":" and depth == 0:
            return None
    return None


def _tokens_before(rules: str, placement: Placement, line: int, column: int) -> Iterator[Token]:
    for row in scan(rules, placement, shared_grammar().signs)[0]:
        for token in row.tokens:
            if (token.span.end_line, token.span.end_column) <= (line, column):
                yield token


def _call_of_name(analysis: Analysis, path: str, text: str, line: int, name: str, at: int) -> CallAtCursor | None:
    signature = analysis.symbols.find(name, origin_at(analysis, path, text, line))
    if signature is not None:
        item = checked_declaration(analysis, signature_thing(signature))
        params = tuple(f"{param.type} {param.name}" for param in signature.params)
        head = declaration_head(analysis, item) if item is not None else f"{name}({', '.join(params)})"
        return CallAtCursor(head, params, at)
    function = FUNCTIONS.get(name)
    if function is None:
        return None
    params = tuple(f"{param.type} {param.name}" for param in function.params)
    return CallAtCursor(function.signature, params, min(at, len(params) - 1) if function.several else at, function.doc)


# ---- Semantic tokens

TOKEN_TYPES = (
    "keyword", "comment", "string", "number", "operator", "function", "method", "event", "class", "enumMember",
    "property", "variable", "parameter", "type", "namespace", "macro",
)  # fmt: skip
_TOKEN_OF_KIND: dict[ThingKind, str] = {
    "value": "function", "invariant": "function", "routine": "method", "phase": "event", "action": "event",
    "trait": "class", "row": "enumMember", "list": "type", "kind": "type", "sort": "type", "grid": "type",
    "attribute": "property", "column": "property", "state": "variable", "table": "variable", "zone": "namespace",
    "number": "variable", "option": "property", "mode": "property", "local": "parameter", "rule": "macro",
    "built in": "keyword",
}  # fmt: skip
_HEAD = re.compile(r"[ \t]*(?:-[ \t]+)?rules:[ \t]*(\S)")
_REMARK = re.compile(r'^(?:[^"#]|"[^"]*")*(#.*)$')


class SemanticToken(NamedTuple):
    """A stretch of one line (from 1): where it begins, how many characters it has, and one of `TOKEN_TYPES`."""

    line: int
    column: int
    length: int
    type: str


def semantic_tokens(analysis: Analysis | None, path: str, text: str) -> list[SemanticToken]:
    """The colours of a document, in the order of the text, none over another."""
    found: dict[tuple[int, int], SemanticToken] = {}
    for rules, placement in _rules_texts(path, text):
        for item in _scanned_tokens(rules, placement):
            found[item.line, item.column] = item
    lines = text.split("\n")
    if analysis is not None:
        for named in index_of(analysis).by_file.get(absolute(path), ()):
            span = named.span
            row = lines[span.line - 1] if span.line <= len(lines) else ""
            if row[span.column - 1 : span.end_column - 1] == named.thing.short:
                length = span.end_column - span.column
                found[span.line, span.column] = SemanticToken(
                    span.line, span.column, length, _TOKEN_OF_KIND[named.thing.what]
                )
    end = (0, 0)
    kept = []
    for key in sorted(found):
        item = found[key]
        if key >= end:
            kept.append(item)
            end = (item.line, item.column + item.length)
    return kept


def _rules_texts(path: str, text: str) -> Iterator[tuple[str, Placement]]:
    """The rules texts of a document."""
    if path.endswith(".rules"):
        yield text, Placement(path)
        return
    for number, row in enumerate(text.split("\n"), 1):
        match = _HEAD.match(row)
        part = rules_part(path, text, number + (match[1] == "|")) if match is not None else None
        if part is not None:
            yield part


def _scanned_tokens(text: str, placement: Placement) -> Iterator[SemanticToken]:
    tables = shared_grammar()
    for line in scan(text, placement, tables.signs)[0]:
        for token in line.tokens:
            span = token.span
            kind = {"NAME": "variable", "NUMBER": "number", "DIE": "number", "STRING": "string"}.get(token.type)
            if token.type == "NAME" and token.text in tables.words:
                kind = "keyword"
            if kind is not None:
                yield SemanticToken(span.line, span.column, span.end_column - span.column, kind)
    for number, row in enumerate(text.split("\n"), 1):
        match = _REMARK.match(row)
        if match is not None and not match[1].startswith("#:"):
            place = placement.span(number, match.start(1) + 1, number, match.end(1) + 1)
            yield SemanticToken(place.line, place.column, len(match[1]), "comment")
