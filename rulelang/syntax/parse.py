"""Rules text to nodes. Bad text never raises: each mistake is a diagnostic, and the rest is read."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Placement
from rulelang.syntax.nodes import Decl, Expr

LONGEST_TEXT = 1_000_000
#: Words and signs of one declaration.
MOST_TOKENS = 20_000


def parse(text: str, placement: Placement) -> tuple[tuple[Decl, ...], Diagnostics]:
    """The declarations of a `.rules` file or a `rules:` block, those that could be read, and what is wrong."""
    from rulelang.syntax import drive, indentation, scan
    from rulelang.syntax.depth import too_deep
    from rulelang.syntax.grammar import grammar
    from rulelang.syntax.reserved import reserved

    tables = grammar()
    if len(text) > LONGEST_TEXT:
        return (), _too_long(text, placement)
    lines, found = scan.scan(text, placement, tables.signs)
    declarations: list[Decl] = []
    for chunk in indentation.chunks(lines):
        if len(found) >= scan.MOST_MISTAKES:
            scan.give_up(chunk.lines[0].tokens[0].span, found)
            break
        size = sum(len(line.tokens) for line in chunk.lines)
        if size > MOST_TOKENS:
            because = f"one declaration has at most {MOST_TOKENS:,}"
            place = chunk.lines[0].tokens[0].span
            found.error("S220", place, f"this declaration has {size:,} words and signs", because=because)
            continue
        indentation.lay_out(chunk, found)
        if chunk.broken:
            continue
        node = drive.run(tables, chunk, "decl")
        if node is None:
            drive.tell(tables, chunk, "decl", found)
        elif not too_deep(node, len(chunk.tokens), found):
            reserved(chunk.tokens, tables.statement_words, found)
            declarations.append(replace(cast(Decl, node), cites=chunk.cites))
    return tuple(declarations), found


def parse_expression(text: str, placement: Placement) -> tuple[Expr | None, Diagnostics]:
    """One expression, as in a scenario's `then`; None if it cannot be read."""
    from rulelang.syntax import drive, indentation, scan
    from rulelang.syntax.depth import too_deep
    from rulelang.syntax.grammar import grammar

    tables = grammar()
    if len(text) > LONGEST_TEXT:
        return None, _too_long(text, placement)
    lines, found = scan.scan(text, placement, tables.signs)
    if not lines:
        if not found.failed:
            found.error("S221", placement.span(1, 1, 1, 1), "an expression is expected here, and there is none")
        return None, found
    chunk = indentation.flatten(lines, found)
    if chunk.broken:
        return None, found
    node = drive.run(tables, chunk, "then_line")
    if node is None:
        drive.tell(tables, chunk, "then_line", found)
    elif not too_deep(node, len(chunk.tokens), found) and not found.failed:
        return cast(Expr, node), found
    return None, found


def _too_long(text: str, placement: Placement) -> Diagnostics:
    found = Diagnostics()
    found.error(
        "S220",
        placement.span(1, 1, 1, 2),
        f"this text has {len(text)} characters",
        because=f"one rules text has at most {LONGEST_TEXT}",
        hint="spread it over several files",
    )
    return found
