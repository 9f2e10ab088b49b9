"""Tidies a text without losing its comments: indentation, blanks at line ends and in lines, empty lines and CRLF.

Several blanks inside a line become one, but where they align it with the line above or below.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Placement
from rulelang.language.syntax.lexer import Chunk, Token, lay_out, split_chunks
from rulelang.language.syntax.nodes import same_syntax
from rulelang.language.syntax.parse import parse

STEP = 2


def format_text(text: str) -> str:
    """The tidied text; a text with mistakes comes back as it is."""
    place = Placement("")
    before, found = parse(text, place)
    if found.failed:
        return text
    tidy = _closed_up(_tidied(text))
    after, found = parse(tidy, place)
    cites = [d.cites for d in before] == [d.cites for d in after]
    return tidy if not found.failed and cites and same_syntax(before, after) else text


@dataclass(slots=True)
class _Margins:
    """New indentation of each line of code, by line number; and for comments, of each old indentation in the chunk."""

    code: dict[int, int] = field(default_factory=dict)
    levels: dict[int, dict[int, int]] = field(default_factory=dict)


def _tidied(text: str) -> str:
    margins = _margins(text)
    out: list[str] = []
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").split("\n")]
    following = 0
    comments: dict[int, int] = {}
    for number in range(len(lines), 0, -1):  # a comment is indented as the code below it
        if number in margins.code:
            following = number
        elif lines[number - 1] and following:
            comments[number] = following
    last: dict[int, int] = {0: 0}
    for number, line in enumerate(lines, 1):
        bare = line.lstrip()
        if not bare:
            if out and out[-1]:
                out.append("")
            continue
        indent = len(line) - len(bare)
        if number in margins.code:
            last = margins.levels[number]
            out.append(" " * margins.code[number] + bare)
            continue
        below = comments.get(number)
        levels = margins.levels[below] if below is not None and below in margins.levels else last
        out.append(" " * (last.get(indent, levels.get(indent, 0)) if indent else 0) + bare)
    while out and not out[-1]:
        out.pop()
    return "\n".join(out) + "\n" if out else ""


def _closed_up(text: str) -> str:
    """Lines without blanks that align nothing; a comment behind the code stays in its column."""
    from rulelang.language.syntax.grammar import shared_grammar
    from rulelang.language.syntax.lexer import scan

    while True:  # what was aligned with a line that is closed up may not be any more
        lines = text.split("\n")
        tokens: dict[int, list[Token]] = {}
        for line in scan(text, Placement(""), shared_grammar().signs)[0]:
            for token in line.tokens:
                tokens.setdefault(token.span.line, []).append(token)
        columns = {number: set().union(*map(_place, pairwise(found))) for number, found in tokens.items()}
        for number, found in tokens.items():
            beside = columns.get(number - 1, set()) | columns.get(number + 1, set())
            lines[number - 1] = _without_gaps(lines[number - 1], found, beside)
        closer = "\n".join(lines)
        if closer == text:
            return text
        text = closer


def _place(pair: tuple[Token, Token]) -> set[tuple[int, str]]:
    """What is aligned with a token: one of its sort in its column, or one behind the same sign."""
    before, token = pair
    column = token.span.column
    return {(column, token.type)} | ({(column, f"behind {before.type}")} if before.type != "NAME" else set())


def _without_gaps(line: str, tokens: list[Token], beside: set[tuple[int, str]]) -> str:
    end = tokens[-1].span.end_column - 1
    code, comment = line[:end], line[end:]
    for before, token in reversed(list(pairwise(tokens))):
        start, column = before.span.end_column - 1, token.span.column - 1
        if column - start > 1 and not code[start:column].strip() and not _place((before, token)) & beside:
            code = f"{code[:start]} {code[column:]}"
    return code + (" " * (end - len(code)) + comment if comment else "")


def _margins(text: str) -> _Margins:
    from rulelang.language.syntax.grammar import shared_grammar
    from rulelang.language.syntax.lexer import scan

    lines, _ = scan(text, Placement(""), shared_grammar().signs)
    margins = _Margins()
    for chunk in split_chunks(lines):
        lay_out(chunk, Diagnostics())
        _chunk_margins(chunk, margins)
    return margins


def _chunk_margins(chunk: Chunk, margins: _Margins) -> None:
    """Indentation of the chunk's lines: two for each open block; a line that goes on keeps its distance."""
    depths: dict[int, int] = {}
    depth = 0
    starts = set(chunk.starts)
    for at, token in enumerate(chunk.tokens):
        depth += (token.type == "_INDENT") - (token.type == "_DEDENT")
        if at in starts:
            depths[token.span.line] = depth
    levels: dict[int, int] = {}
    shift = margin = 0
    for line in chunk.lines:
        first: Token = line.tokens[0]
        number = first.span.line
        if number in depths:
            margin = depths[number] * STEP
            shift = margin - line.indent
            levels = {old: new for old, new in levels.items() if old < line.indent} | {line.indent: margin}
            margins.code[number] = margin
        else:
            margins.code[number] = max(line.indent + shift, margin + STEP)
        margins.levels[number] = dict(levels)
