"""From lines to declarations as token lists: what continues a line, where blocks begin and end."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.source import Span
from rulelang.language.syntax.tokens import CLOSING, JOINING, OPENING, Line, Token

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


def chunks(lines: list[Line]) -> list[Chunk]:
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


def flatten(lines: list[Line], found: Diagnostics) -> Chunk:
    """All lines as one, for an expression that stands alone: line ends mean nothing there."""
    chunk = Chunk([Line(0, [token for line in lines for token in line.tokens], ())])
    lay_out(chunk, found)
    if not chunk.broken:
        chunk.tokens.pop()  # the end of the line
    return chunk
