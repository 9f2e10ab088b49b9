"""Drive the parser: decide which words are keywords, recover at the next line, and bound how deep nodes nest."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import NOWHERE, Span
from rulelang.language.syntax.grammar import END, Grammar, Parser, Row
from rulelang.language.syntax.lexer import QUERY_FORMS, Chunk, Token
from rulelang.language.syntax.mistakes import Mistake, explain
from rulelang.language.syntax.nodes import Action, Choose, For, If, Node, Query, RepeatTimes, RepeatUntil, Rounds, Turns

# ---- feeding tokens

# Words of queries, before a bracket only: as bare words they are names (`x.first`).
QUERIES = {word: f"Q_{word.upper()}" for word in QUERY_FORMS}
_DIE = re.compile(r"d[0-9]{1,9}\Z", re.ASCII)
MOST_MISTAKES = 10


def parse_chunk(grammar: Grammar, chunk: Chunk, rule: str) -> Any:
    """The node of the chunk's tokens, or None if they do not parse."""
    parser, words, tokens = grammar.start(rule), grammar.words, chunk.tokens
    for at, token in enumerate(tokens):
        if token.type == "NAME":
            token.type = _kind(token.text, tokens, at, parser.row, words)
        if not parser.feed(token):
            return None
    return parser.node if parser.feed(_end(tokens)) else None


def _kind(word: str, tokens: list[Token], at: int, choices: Row, words: dict[str, str]) -> str:
    """The terminal of a word here: what the grammar can take it as, a name if nothing else."""
    query = QUERIES.get(word)
    if query is not None and query in choices and at + 1 < len(tokens) and tokens[at + 1].text == "(":
        return query
    keyword = words.get(word)
    if keyword is not None and keyword in choices:
        return keyword
    if "DIE" in choices and _DIE.match(word):
        return "DIE"
    return "NAME"


def report_mistakes(grammar: Grammar, chunk: Chunk, rule: str, found: Diagnostics, odd: Collection[int] = ()) -> None:
    """Say what keeps the chunk from parsing: its first mistake, and those in later lines that can be told apart.

    A line with a mistake counts as `nothing`, together with the block that it opens. Lines in which `found` has an
    error already, and those that are `odd`, are passed over in silence.
    """
    known = {*odd, *(item.span.line for item in found)}
    tokens = [*chunk.tokens, _end(chunk.tokens)]
    starts = set(chunk.starts)
    parser = grammar.start(rule)
    saved, start, at, mistakes = parser, 0, 0, 0
    while at < len(tokens):
        if at in starts:
            saved, start = parser.copy(), at
        if feed(grammar, parser, tokens, at):
            at += 1
            continue
        before = saved.copy()
        for earlier in range(start, at):
            feed(grammar, before, tokens, earlier)
        if not known & {token.span.line for token in tokens[start : at + 1]}:
            explain(Mistake(grammar, tokens, at, start, before.accepts()), found)
        mistakes += 1
        at = _next_line(tokens, start)
        parser = saved
        if mistakes == MOST_MISTAKES or at >= len(tokens) - 1 or not _pass_over(parser, tokens[start]):
            return


def feed(grammar: Grammar, parser: Parser, tokens: list[Token], at: int) -> bool:
    """Feed one token; whether it can stand there."""
    token = tokens[at]
    if token.text[:1].isalpha() or token.text[:1] == "_":
        token.type = _kind(token.text, tokens, at, parser.row, grammar.words)
    return parser.feed(token)


def _next_line(tokens: list[Token], start: int) -> int:
    """Where the line after the one at `start` begins, past the blocks and the `elif` and `else` that hang on it."""
    at, depth = start, 0
    while at < len(tokens) - 1:
        kind = tokens[at].type
        depth += (kind == "_INDENT") - (kind == "_DEDENT")
        at += 1
        if depth < 0:
            return at - 1
        ended = kind in ("_NL", "_DEDENT") and tokens[at].type != "_INDENT"
        if depth == 0 and ended and tokens[at].text not in ("elif", "else"):
            return at
    return at


def _pass_over(parser: Parser, token: Token) -> bool:
    """Feed `nothing` in place of a line that cannot be read; False if no statement can stand there."""
    return parser.feed(Token("NOTHING", "nothing", token.span)) and parser.feed(Token("_NL", "", token.span))


def _end(tokens: list[Token]) -> Token:
    span = tokens[-1].span if tokens else NOWHERE
    return Token(END, "", Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column))


# ---- nesting depth

DEEPEST = 100
#: Loops that may stand in each other; every binder is one.
LOOPS = 15
#: Blocks and loops that may stand in each other; what follows a flat `choose` stands in it.
BLOCKS = 50
#: A tree with no more tokens than this is within every bound.
SHALLOW = 2 * LOOPS


def too_deep(root: Node, tokens: int, found: Diagnostics) -> bool:
    """True, with a diagnostic at the first place, if something nests deeper than its bound. Walks without recursion."""
    if tokens <= SHALLOW:
        return False
    ahead: list[tuple[object, int, int, int]] = [(root, 0, 0, 0)]  # with forms, loops and blocks that it stands in
    place = root.span
    while ahead:
        node, forms, loops, blocks = ahead.pop()
        children = _children(node)
        inside = 0
        if isinstance(node, Node):
            place = node.span
            own = _loops(node)
            loops += own
            blocks += own > 0 or isinstance(node, (If, Choose))
            # options and what is asked for are looked through in functions of their own
            inside = len(node.binders) if isinstance(node, (Action, Choose, Query)) else loops
        wrong = ""
        if forms >= DEEPEST or (isinstance(node, If) and len(node.branches) > DEEPEST):  # each `elif` in an `else`
            wrong = f"at most {DEEPEST} levels can be nested; a long chain of operators counts as nested"
            hint = "name a part of it with `let`, or move it into a value"
        elif inside > LOOPS:
            wrong = f"at most {LOOPS} loops can be nested; each binder counts as a loop"
            hint = "move a part of it into a routine or value"
        elif blocks > BLOCKS:
            wrong = f"at most {BLOCKS} blocks can be nested; statements after a `choose` without a block count too"
            hint = "move a part of it into a routine"
        if wrong:
            found.error("S220", place, "this is nested too deeply", because=wrong, hint=hint)
            return True
        later = []
        for child in children:
            later.append((child, forms + 1, loops, blocks))
            blocks += isinstance(child, Choose) and child.body is None
        ahead += reversed(later)
    return False


def _loops(node: Node) -> int:
    """How many loops of a statement its body stands in."""
    if isinstance(node, For):
        return len(node.binders)
    return int(isinstance(node, (RepeatTimes, RepeatUntil, Turns, Rounds)))


def _children(node: object) -> list[object]:
    if isinstance(node, Node):
        values = [getattr(node, field.name) for field in fields(node)]
    elif isinstance(node, tuple) and not isinstance(node, Span):
        values = list(node)
    else:
        return []
    return [v for v in values if isinstance(v, (Node, tuple)) and not isinstance(v, Span)]
