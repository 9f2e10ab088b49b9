"""From text to tokens: scan lines, join continued lines, and mark where blocks begin and end."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.source import Placement, Span

# ---- tokens


class Token:
    """A word, number, string or sign. `type` is the grammar's terminal; a NAME may become a keyword when parsed."""

    __slots__ = ("span", "text", "type")

    def __init__(self, type: str, text: str, span: Span) -> None:
        self.type = type
        self.text = text
        self.span = span

    def __repr__(self) -> str:
        return f"Token({self.type}, {self.text!r}, {self.span})"


@dataclass(slots=True)
class Line:
    """A line of the text that holds code. `indent` counts its leading blanks, `cites` are the ids in force there."""

    indent: int
    tokens: list[Token]
    cites: tuple[str, ...]


# Words that open a line which continues the one before.
JOINING = frozenset(("and", "or", "then", "otherwise", "when", "unless", "because", "where", "with", "sorted"))
OPENING = {"(": ")", "[": "]"}
CLOSING = {")": "(", "]": "["}
STRUCTURE = frozenset(("_NL", "_INDENT", "_DEDENT", "$END"))
# The queries, and what stands in the brackets of each.
QUERY_FORMS = {
    "any": "B where C", "no": "B where C", "first": "B where C", "count": "B where C",
    "all": "B: C", "sum": "B: E", "min": "B: E", "max": "B: E",
}  # fmt: skip


# ---- scanning

LONGEST_NUMBER = 9
MOST_MISTAKES = 200
_INDENT = re.compile(r"[ \t]*")
_CITE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]*\Z")
#: What a text is cut into, in the order in which it is tried: regular expressions that editors understand too.
PARTS = {
    "blank": r"[ \t]+",
    "NAME": r"owner's\b|[A-Za-z_][A-Za-z0-9_]*",
    "DIE": r"[0-9]{1,9}d[0-9]{1,9}\b",
    "NUMBER": r"[0-9]+",
    "sign": r"->|\+=|-=|==|!=|<=|>=|&&|\|\||[-+*/%=<>()\[\],.:!?&|;{}^~@$\\]",
    "STRING": r'"[^"]*"',
    "comment": r"#.*",
    "single": r"'[^']*'",
    "open": r'"[^"]*\Z',
    "other": r"[^\x00-\x7f]+|.",
}
TOKEN = re.compile("|".join(f"(?P<{kind}>{part})" for kind, part in PARTS.items()), re.ASCII)


def scan(text: str, placement: Placement, signs: dict[str, str]) -> tuple[list[Line], Diagnostics]:
    """The lines of `text` that hold code, up to the last mistake that is told (`MOST_MISTAKES`).

    `signs` names the grammar's signs; any other sign is its own terminal."""
    found = Diagnostics()
    lines: list[Line] = []
    cites: tuple[str, ...] = ()
    tabs = False
    for number, raw in enumerate(text.split("\n"), 1):
        if len(found) >= MOST_MISTAKES:
            give_up(placement.span(number, 1, number, 1), found)
            break
        line = raw.rstrip("\r \t")
        if number == 1:
            line = line.removeprefix("\ufeff")
        if not line:
            cites = ()
            continue
        white = _INDENT.match(line)
        start = white.end() if white else 0
        if line.startswith("#:", start):
            cites = _cites(line, start, number, placement, found)
            continue
        if line[start] == "#":
            continue
        if "\t" in line[:start] and not tabs:
            tabs = True
            found.error(
                "S202",
                placement.span(number, 1, number, start + 1),
                "tab in the indentation of this line, and possibly of later lines",
                because="editors show tabs at different widths, so it is unclear where blocks begin and end",
                hint="indent with spaces, two for each block",
            )
        tokens = _tokens(line, start, number, placement, signs, found)
        if tokens:
            lines.append(Line(len(line[:start].expandtabs(2)), tokens, cites))
    return lines, found


def give_up(span: Span, found: Diagnostics) -> None:
    """Say once that from here on nothing more is looked at."""
    if not any(item.code == "S229" for item in found):
        found.error(
            "S229",
            span,
            f"this text has {MOST_MISTAKES} or more errors, and the rest is not checked",
            because="one early error often causes the others",
            hint="fix the first ones and check again",
        )


def _tokens(
    line: str, start: int, number: int, placement: Placement, signs: dict[str, str], found: Diagnostics
) -> list[Token]:
    origin = placement.span(number, 1, number, 1)
    path, row, shift = origin.path, origin.line, origin.column
    tokens: list[Token] = []
    for match in TOKEN.finditer(line, start):
        if len(found) >= MOST_MISTAKES:
            break
        kind = match.lastgroup or "other"
        if kind == "blank" or kind == "comment":
            continue
        word = match.group()
        span = Span(path, row, shift + match.start(), row, shift + match.end())
        if kind == "sign":
            kind = signs.get(word, word)
        elif kind == "NAME":
            word = _WRONG_CASE.get(word, word)
            if word != match.group():
                _wrong_case(match.group(), word, span, found)
        elif kind == "NUMBER":
            word = _number(word, span, found)
        elif kind in ("single", "open", "other"):
            if kind == "other":
                _other(word, span, found)
                continue
            word = _string(kind, word, span, found)
            kind = "STRING"
        tokens.append(Token(kind, word, span))
    return tokens


_WRONG_CASE = {"True": "true", "False": "false", "None": "none", "TRUE": "true", "FALSE": "false", "NONE": "none"}


def _wrong_case(word: str, right: str, span: Span, found: Diagnostics) -> None:
    found.error(
        "S218",
        span,
        f"unknown word `{word}`",
        because="`true`, `false` and `none` must be lowercase",
        hint=f"write `{right}`",
    )


def _number(word: str, span: Span, found: Diagnostics) -> str:
    if len(word) <= LONGEST_NUMBER:
        return word
    found.error(
        "S203",
        span,
        f"this number has {len(word)} digits",
        because=f"a number in rules may have at most {LONGEST_NUMBER} digits",
    )
    return "0"


def _string(kind: str, word: str, span: Span, found: Diagnostics) -> str:
    """The same text as a good string, so that the rest of the line can be read."""
    if kind == "single":
        found.error(
            "S205",
            span,
            f"expected double quotes, found single quotes: {shown_source(word)}",
            because="text in rules must be in double quotes",
            hint=f'write "{shown_source(word[1:-1], quote="")}"',
        )
        return f'"{word[1:-1]}"'
    found.error(
        "S204",
        span,
        "missing closing quote",
        because='text must end with `"` on the same line',
        hint='close it with `"`',
    )
    return word + '"'


def _other(word: str, span: Span, found: Diagnostics) -> None:
    first = word[0]
    name = unicodedata.name(first, "") or f"code U+{ord(first):04X}"
    if word == "'":
        found.error(
            "S205",
            span,
            "unexpected single quote",
            because="text must be in double quotes; only the word `owner's` has a single quote",
        )
        return
    seen = f"`{first}` " if first.isprintable() else ""
    hint = _REPLACEMENTS.get(first, "")
    found.error(
        "S201",
        span,
        f"invalid character {seen}({name.lower()})",
        because="only text and comments can contain non-ASCII characters",
        hint=f"write `{hint}`" if hint else "",
    )


_REPLACEMENTS = {
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": '"', "\u2019": '"', "\u2212": "-", "\u2013": "-",
    "\u2014": "-", "\u00d7": "*", "\u00f7": "/", "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2192": "->",
    "\uff08": "(", "\uff09": ")", "\uff0c": ",", "\uff1a": ":", "\u3000": " ", "\u00a0": " ",
}  # fmt: skip


def _cites(line: str, start: int, number: int, placement: Placement, found: Diagnostics) -> tuple[str, ...]:
    """The ids of a line `#: ID ...`; a word that is no id is told."""
    good: list[str] = []
    at = start + 2
    for word in line[at:].split():
        at = line.index(word, at)
        span = placement.span(number, at + 1, number, at + 1 + len(word))
        at += len(word)
        if _CITE.match(word):
            good.append(word)
        else:
            found.error(
                "S206",
                span,
                f"{shown_source(word)} is not a valid rule id",
                because="a rule id consists of letters, digits, `-`, `_` and `.`; spaces separate the ids after `#:`",
                hint="begin a comment with `#` and a space",
            )
            break
    if not line[start + 2 :].strip():
        found.error(
            "S206",
            placement.span(number, start + 1, number, start + 3),
            "this citation has no rule id",
            hint="write the id of a rule, or delete the line; an empty line ends the previous citation",
        )
    return tuple(good)


def shown_source(word: str, quote: str = "`") -> str:
    """A piece of source for a message, cut if it is long."""
    cut = word if len(word) <= 40 else word[:37] + "..."
    return f"{quote}{cut}{quote}"


# ---- lines and blocks

DEEPEST_BLOCK = 30
DEEPEST_BRACKET = 40

# Words that open a declaration, and what may precede it.
DECLARING = (
    "game", "phase", "action", "routine", "value", "invariant", "replace", "modify", "forbid", "ignore", "before",
    "after", "instead", "react", "copy", "always", "may", "label", "remove", "insert",
)  # fmt: skip
# Words whose line ends in `:` and is followed by a block.
HEADS = frozenset(
    ("game", "phase", "action", "routine", "value", "invariant", "replace", "before", "after", "instead", "react", "if",
     "elif", "else", "for", "secretly", "repeat", "turns", "rounds", "choose", "may", "always", "label", "insert")
)  # fmt: skip


@dataclass(slots=True)
class Chunk:
    """The lines of one declaration. `tokens` and `starts` are filled by `lay_out`.

    `starts` holds the places in `tokens` at which a logical line begins.
    """

    lines: list[Line]
    tokens: list[Token] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    broken: bool = False

    @property
    def cites(self) -> tuple[str, ...]:
        return self.lines[0].cites


def split_chunks(lines: list[Line]) -> list[Chunk]:
    """The declarations: each begins at a line at the left edge that does not continue the one before."""
    found: list[Chunk] = []
    depth = 0
    for line in lines:
        first = line.tokens[0]
        if not found or (line.indent == 0 and not _goes_on(found[-1].lines[-1], first, depth)):
            found.append(Chunk([]))
            depth = 0
        found[-1].lines.append(line)
        for token in line.tokens:
            depth += (token.text in OPENING) - (token.text in CLOSING)
        depth = max(depth, 0)
    return found


def _goes_on(before: Line, first: Token, depth: int) -> bool:
    if first.text in DECLARING:
        return False  # an open bracket or a stray comma must not swallow the next declaration
    # after `:` it is a block that was not indented: told as such by `_no_block`
    return depth > 0 or before.tokens[-1].text in (",", ":") or first.text in JOINING or first.text in CLOSING


class _Layout:
    """Adds `_NL`, `_INDENT` and `_DEDENT` to the tokens of a chunk and checks brackets and indentation."""

    def __init__(self, chunk: Chunk, found: Diagnostics) -> None:
        self.chunk = chunk
        self.found = found
        self.brackets: list[Token] = []
        self.levels = [chunk.lines[0].indent]
        self.head = chunk.lines[0].tokens[0]

    def run(self) -> None:
        out = self.chunk.tokens
        if self.levels[0]:
            self._stop(
                "S207",
                self.head.span,
                "unexpected indentation: no block is open",
                "",
                "begin declarations at the left edge, and indent only the lines of their blocks",
            )
        for line in self.chunk.lines:
            first = line.tokens[0]
            goes_on = bool(out) and (bool(self.brackets) or out[-1].text == "," or first.text in JOINING)
            if not goes_on:
                if out:
                    self._new_line(line)
                if self.chunk.broken:
                    return
                self.chunk.starts.append(len(out))
                self.head = first
            for token in line.tokens:
                if not self._bracket(token):
                    return
                out.append(token)
        if self.brackets:
            self._unclosed()
        elif out[-1].text == ":":
            self._no_block(out[-1])
        out.append(_mark("_NL", out[-1]))
        out.extend(_mark("_DEDENT", out[-1]) for _ in self.levels[1:])

    def _new_line(self, line: Line) -> None:
        out = self.chunk.tokens
        last, first = out[-1], line.tokens[0]
        out.append(_mark("_NL", last))
        if line.indent > self.levels[-1]:
            if last.text != ":":
                self._too_far(last, first)
                return
            if len(self.levels) > DEEPEST_BLOCK:
                because = f"at most {DEEPEST_BLOCK} blocks can be nested"
                self._stop("S220", first.span, "blocks are nested too deeply", because)
                return
            self.levels.append(line.indent)
            out.append(_mark("_INDENT", last))
            return
        if last.text == ":":
            self._no_block(last)
            return
        levels = list(self.levels)
        while line.indent < self.levels[-1]:
            self.levels.pop()
            out.append(_mark("_DEDENT", last))
        if line.indent != self.levels[-1]:
            above = " or ".join(str(level) for level in levels if level) or "0"
            self._stop(
                "S207",
                first.span,
                f"this line is indented by {line.indent} spaces, which matches no block above",
                "it must be indented like the other lines of its block",
                f"indent it by {above} spaces",
            )

    def _bracket(self, token: Token) -> bool:
        text = token.text
        if text in OPENING:
            self.brackets.append(token)
            if len(self.brackets) > DEEPEST_BRACKET:
                because = f"at most {DEEPEST_BRACKET} can be nested"
                self._stop("S220", token.span, "parentheses or brackets are nested too deeply", because)
                return False
        elif text in CLOSING:
            if not self.brackets:
                self._stop("S209", token.span, f"unmatched `{text}`", f"no `{CLOSING[text]}` is open here", "delete it")
                return False
            opened = self.brackets.pop()
            if OPENING[opened.text] != text:
                self.chunk.broken = True
                self.found.error(
                    "S209",
                    token.span,
                    f"expected `{OPENING[opened.text]}`, found `{text}`",
                    because=f"`{opened.text}` was opened last, so it must be closed first",
                    hint=f"write `{OPENING[opened.text]}`",
                    related=[Related(opened.span, "it is opened here")],
                )
                return False
        return True

    def _unclosed(self) -> None:
        opened = self.brackets[-1]
        self._stop(
            "S208",
            opened.span,
            f"unclosed `{opened.text}`",
            "",
            f"add the closing `{OPENING[opened.text]}`",
        )

    def _no_block(self, colon: Token) -> None:
        self._stop(
            "S210",
            colon.span,
            "empty block",
            "",
            "indent the next line, or write `nothing` for a block that does nothing",
        )

    def _too_far(self, last: Token, first: Token) -> None:
        head = self._opener()
        if head.text in HEADS and last.text != ":":
            after = Span(last.span.path, last.span.end_line, last.span.end_column - 1, *last.span[3:])
            self._stop(
                "S211",
                after,
                f"missing `:` at the end of this line, which begins with `{self.head.text}`",
                "the next line is indented, and `:` opens a block",
                "put `:` at the end of the line",
            )
        else:
            self._stop(
                "S207",
                first.span,
                "unexpected indentation",
                "the line above does not end in `:`, so it does not open a block",
                "indent it like the line above; to continue a long line, use a comma, parentheses, or a word such as "
                "`and`, `when` or `because` at the beginning of the next line",
            )

    def _opener(self) -> Token:
        """The word that should open a block on the line above: its first, or the first after its last `:`."""
        line = self.chunk.tokens[self.chunk.starts[-1] : -1]
        head, depth = line[0], 0
        for at, token in enumerate(line[:-1]):
            depth += (token.text in OPENING) - (token.text in CLOSING)
            if token.text == ":" and depth == 0:
                head = line[at + 1]
        return head

    def _stop(self, code: str, span: Span, message: str, because: str, hint: str = "") -> None:
        self.chunk.broken = True
        self.found.error(code, span, message, because=because, hint=hint)


def _mark(type: str, after: Token) -> Token:
    span = after.span
    return Token(type, "", Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column))


def lay_out(chunk: Chunk, found: Diagnostics) -> None:
    """Fill the chunk's tokens. A mistake of layout is told and sets `broken`: such a chunk is not parsed."""
    _Layout(chunk, found).run()


def join_lines(lines: list[Line], found: Diagnostics) -> Chunk:
    """All lines as one, for an expression that stands alone: line ends mean nothing there."""
    chunk = Chunk([Line(0, [token for line in lines for token in line.tokens], ())])
    lay_out(chunk, found)
    if not chunk.broken:
        chunk.tokens.pop()  # the end of the line
    return chunk
