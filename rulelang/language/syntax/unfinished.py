"""Rules that are being written: what may stand at a place, and a declaration that can be read up to there.

Whatever a grammar accepted so far can be gone on with to an end. So a text is cut at the cursor, a name is put there,
and what has to follow is made up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Placement, Span
from rulelang.language.syntax import nodes
from rulelang.language.syntax.driver import QUERIES, feed
from rulelang.language.syntax.grammar import END, Grammar, Parser, shared_grammar
from rulelang.language.syntax.lexer import Chunk, Token, lay_out, scan, split_chunks

#: The name that stands at the cursor.
CURSOR = "cursor_"
_PARTIAL = re.compile(r"(owner's|owner'|[A-Za-z_][A-Za-z0-9_]*)?\Z")
#: What is made up behind the cursor: the first of these that the grammar takes.
_ENDING = (
    END, "_DEDENT", "_NL", "RPAR", "RSQB", "COLON", "_INDENT", "NOTHING", "NAME", "EQUAL", "ELSE", "NUMBER",
    "STRING", "DIE",
)  # fmt: skip
#: What only makes an expression longer, with all signs: nothing is made up with it that can be done without.
_LONGER = frozenset({"AFFECTS", "AND", "HAS", "IF", "IN", "IS", "MEETS", "NOT", "OF", "OR", "OTHERWISE", "THEN"})
_MOST = 80


@dataclass(frozen=True, slots=True)
class Unfinished:
    """`partial`: the beginning of a word that stands before the cursor. `words`: those of the language that may stand
    in its place; `named`: a name may; `kind`: that of a kind, before
    a new name. `node`: the declaration with the name `CURSOR` there; `probe`: the same with
    `tells "{CURSOR}"` in place of the statement."""

    partial: str
    words: tuple[str, ...] = ()
    named: bool = False
    kind: bool = False
    node: nodes.Decl | None = None
    probe: nodes.Decl | None = None


def unfinished(text: str, placement: Placement, line: int, column: int) -> Unfinished | None:
    """What may stand at a place of a rules text (line and column of its file). None in a remark or a plain text."""
    rows = text.split("\n")[: line - placement.line]
    if not rows or line <= placement.line:
        return None
    shift = placement.span(len(rows), 1, len(rows), 1).column - 1
    last = rows[-1][: max(column - 1 - shift, 0)]
    match = _PARTIAL.search(last)
    partial = match[0] if match else ""
    before = last[: len(last) - len(partial)]
    inside = _quoted(before)
    if inside is None or (inside and not re.search(r"\{[^}]*\Z", before)):
        return None
    cut = "\n".join([*rows[:-1], before + CURSOR + ('}"' if inside else "")])
    tables = shared_grammar()
    lines, _ = scan(cut, placement, tables.signs)
    found = split_chunks(lines)
    if not found:
        return None
    chunk = found[-1]
    lay_out(chunk, Diagnostics())
    at = _cursor(chunk)
    if at is None:
        return None
    parser, tokens = _read(tables, chunk, at)
    if parser is None:
        return Unfinished(partial)
    if inside:
        node = _finished(parser, [tokens[at]], tables)
        return Unfinished(partial, (), True, False, node, None)
    accepted = parser.accepts()
    words = [tables.texts[name] for name in accepted if tables.texts.get(name, " ")[0].isalpha()]
    if "Q_COUNT" in accepted:
        words += [word for word, name in QUERIES.items() if name in accepted]
    name = Token("NAME", CURSOR, chunk.tokens[at].span)
    node = _finished(parser, [name], tables) if "NAME" in accepted else None
    kind = False
    if "NAME" in accepted:
        behind = parser.copy()
        behind.feed(name)
        kind = "NAME" in behind.accepts()
    return Unfinished(partial, tuple(sorted(set(words))), "NAME" in accepted, kind, node, _probe(tables, chunk, at))


def _quoted(text: str) -> bool | None:
    """Whether the end of a line stands in a text; None in a remark."""
    inside = False
    for char in text:
        if char == '"':
            inside = not inside
        elif char == "#" and not inside:
            return None
    return inside


def _cursor(chunk: Chunk) -> int | None:
    return next((at for at, token in enumerate(chunk.tokens) if CURSOR in token.text), None)


def _read(tables: Grammar, chunk: Chunk, end: int) -> tuple[Parser | None, list[Token]]:
    """A parser that has read what stands before a token. Statements that cannot be read are left out."""
    tokens = list(chunk.tokens)
    starts = [at for at in chunk.starts if at <= end]
    skipped: set[int] = set()
    for _ in range(len(starts) + 1):
        parser = tables.start("decl")
        kept = [at for at in range(end) if not any(at in _line(starts, s, end) for s in skipped)]
        failed = next((at for at in kept if not feed(tables, parser, tokens, at)), None)
        if failed is None:
            return parser, tokens
        start = max((s for s in starts if s <= failed), default=0)
        if start == 0 or start in skipped or start == starts[-1]:
            return None, tokens
        skipped.add(start)
    return None, tokens


def _line(starts: list[int], start: int, end: int) -> range:
    following = [at for at in starts if at > start]
    return range(start, following[0] if following else end)


def _probe(tables: Grammar, chunk: Chunk, at: int) -> nodes.Decl | None:
    """The declaration with a text that names the cursor in place of its statement."""
    span = chunk.tokens[at].span
    ends = [i + 1 for i in range(at) if chunk.tokens[i].text == ":" or chunk.tokens[i].type in ("_INDENT", "_NL")]
    for begin in sorted((start for start in {*chunk.starts, *ends} if 0 < start <= at), reverse=True):
        parser, _ = _read(tables, chunk, begin)
        if parser is not None and "TELLS" in parser.row:
            told = [Token("TELLS", "tells", span), Token("STRING", f'"{{{CURSOR}}}"', span)]
            node = _finished(parser, told, tables)
            if node is not None:
                return node
    return None


def _finished(parser: Parser, tokens: list[Token], tables: Grammar) -> nodes.Decl | None:
    """What comes of going on with some tokens, and then to an end."""
    parser = parser.copy()
    if not all(parser.feed(token) for token in tokens):
        return None
    last = tokens[-1].span
    end = Span(last.path, last.end_line, last.end_column, last.end_line, last.end_column)
    for _ in range(_MOST):
        choices = parser.row
        order = [name for name in _ENDING if name in choices]
        others = (name for name in choices if name not in order and name in tables.texts)
        order += sorted(others, key=lambda name: (name in _LONGER or not tables.texts[name].isalpha(), name))
        for name in order:
            trial = parser.copy()
            if not trial.feed(Token(name, _MADE_UP.get(name, tables.texts.get(name, "")), end)):
                continue
            if name == END:
                return cast(nodes.Decl, trial.node) if isinstance(trial.node, nodes.Node) else None
            parser = trial
            break
        else:
            return None
    return None


_MADE_UP = {"NAME": "made_up_", "NUMBER": "0", "STRING": '""', "DIE": "d6"}
