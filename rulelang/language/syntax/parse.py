"""Rules text to nodes. Bad text never raises: each mistake is a diagnostic, and the rest is read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.limits import DECLARATIONS
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.source import Placement
from rulelang.language.syntax.nodes import Decl, Expr

if TYPE_CHECKING:
    from rulelang.language.syntax.grammar import Grammar
    from rulelang.language.syntax.lexer import Chunk

LONGEST_TEXT = 1_000_000
BOUND = "this limit keeps a malicious file from exhausting time and memory"
#: Words and signs of one declaration.
MOST_TOKENS = 20_000


def parse(text: str, placement: Placement, memo: NullCache = NULL_CACHE) -> tuple[tuple[Decl, ...], Diagnostics]:
    """The declarations of a `.rules` file or a `rules:` block, those that could be read, and what is wrong.

    `memo` keeps single declarations, by their lines and where they stand.
    """
    from rulelang.language.syntax import lexer
    from rulelang.language.syntax.grammar import shared_grammar

    tables = shared_grammar()
    if len(text) > LONGEST_TEXT:
        return (), _too_long(text, placement)
    lines, found = lexer.scan(text, placement, tables.signs)
    written, odd_lines = text.split("\n"), frozenset(item.span.line for item in found)
    declarations: list[Decl] = []
    chunks = lexer.split_chunks(lines)
    if len(chunks) > DECLARATIONS.most:
        place = chunks[DECLARATIONS.most].lines[0].tokens[0].span
        found.error("S220", place, f"there are {DECLARATIONS.exceeded}", because=BOUND, hint=DECLARATIONS.hint)
        return (), found
    for chunk in chunks:
        if len(found) >= lexer.MOST_MISTAKES:
            lexer.give_up(chunk.lines[0].tokens[0].span, found)
            break
        first, last = (chunk.lines[at].tokens[0].span.line - placement.line for at in (0, -1))
        odd = odd_lines.intersection(line.tokens[0].span.line for line in chunk.lines)
        key = placement, first, "\n".join(written[first - 1 : last]), chunk.cites, odd
        node = memo.with_diagnostics("declarations read", key, found, partial(_declaration, tables, chunk, odd))
        if node is not None:
            declarations.append(node)
    return tuple(declarations), found


def _declaration(tables: Grammar, chunk: Chunk, odd: frozenset[int], found: Diagnostics) -> Decl | None:
    """One declaration, or None if it cannot be read. `odd`: its lines in which something was told already."""
    from rulelang.language.syntax import driver, lexer
    from rulelang.language.syntax.driver import too_deep
    from rulelang.language.syntax.mistakes import report_reserved

    size = sum(len(line.tokens) for line in chunk.lines)
    if size > MOST_TOKENS:
        because = f"a declaration may have at most {MOST_TOKENS:,}"
        place = chunk.lines[0].tokens[0].span
        found.error("S220", place, f"this declaration has {size:,} words and signs", because=because)
        return None
    lexer.lay_out(chunk, found)
    if chunk.broken:
        return None
    node = driver.parse_chunk(tables, chunk, "decl")
    if node is None:
        driver.report_mistakes(tables, chunk, "decl", found, odd)
        return None
    if too_deep(node, len(chunk.tokens), found):
        return None
    report_reserved(chunk.tokens, tables.statement_words, found)
    return replace(cast(Decl, node), cites=chunk.cites)


def parse_expression(text: str, placement: Placement, memo: NullCache = NULL_CACHE) -> tuple[Expr | None, Diagnostics]:
    """One expression, as in a scenario's `then`; None if it cannot be read. The `memo` keeps it."""
    return memo.get_or_compute("expressions", (text, placement), partial(_expression, text, placement))


def _expression(text: str, placement: Placement) -> tuple[Expr | None, Diagnostics]:
    from rulelang.language.syntax import driver, lexer
    from rulelang.language.syntax.driver import too_deep
    from rulelang.language.syntax.grammar import shared_grammar

    tables = shared_grammar()
    if len(text) > LONGEST_TEXT:
        return None, _too_long(text, placement)
    lines, found = lexer.scan(text, placement, tables.signs)
    if not lines:
        if not found.failed:
            found.error("S221", placement.span(1, 1, 1, 1), "expected an expression, found nothing")
        return None, found
    chunk = lexer.join_lines(lines, found)
    if chunk.broken:
        return None, found
    node = driver.parse_chunk(tables, chunk, "then_line")
    if node is None:
        driver.report_mistakes(tables, chunk, "then_line", found)
    elif not too_deep(node, len(chunk.tokens), found) and not found.failed:
        return cast(Expr, node), found
    return None, found


def _too_long(text: str, placement: Placement) -> Diagnostics:
    found = Diagnostics()
    found.error(
        "S220",
        placement.span(1, 1, 1, 2),
        f"this text has {len(text)} characters",
        because=f"a rules text may have at most {LONGEST_TEXT}",
        hint="split it into several files",
    )
    return found
