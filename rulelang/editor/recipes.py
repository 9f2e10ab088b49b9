"""What the hints of mistakes come to, as edits: tried by the compiler before anybody is offered one (see `fixing`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from rulelang.editor.analysis import Analysis

Edit = tuple[Span, str]
#: A title, and the edits.
Recipe = tuple[str, tuple[Edit, ...]]

_OUT = re.compile(r"\btake (?:it|them) out\b")
_LEAVE = re.compile(r"\bleave `([^`]+)` out\b")
_ONLY = re.compile(r"\b(?:printed are|the legend has) `([^`]+)`\Z")
_TEXT = re.compile(r'\bwrite ("[^"]*")\Z')
_CLOSE = re.compile(r"\bthe closing `([\]}])`")
_BECAUSE = re.compile(r' because "[^"]*"')
_CHAIN = re.compile(r"([\w.]+(?:\([^()]*\))?) ([<>]=?) ([\w.]+(?:\([^()]*\))?) ([<>]=?) (?=[\w(])")


class _Place(NamedTuple):
    """A mistake, the lines of its file, the one that it stands on, and the guilty text there."""

    item: Diagnostic
    rows: Sequence[str]
    row: str
    guilty: str

    def on(self, column: int, end: int, new: str, line: int = 0) -> Edit:
        """What stands between two columns (from 0) of the line, or of another, becomes something else."""
        line = line or self.item.span.line
        return Span(self.item.span.path, line, column + 1, line, end + 1), new

    def end(self) -> int:
        """Where the line ends, without a comment that stands behind it."""
        bare = re.sub(r'"[^"]*"', lambda found: "x" * len(found[0]), self.row)
        return len(bare.split("#")[0].rstrip()) if "#" in bare else len(self.row.rstrip())


def recipes(analysis: Analysis, item: Diagnostic, rows: Sequence[str]) -> Iterator[Recipe]:
    """What may mend a mistake on one line, beyond a word in the place of another."""
    row = rows[item.span.line - 1]
    end = item.span.end_column - 1 if item.span.end_line == item.span.line else len(row)
    place = _Place(item, rows, row, row[item.span.column - 1 : end])
    for says, made in _SAYING:
        found = says.search(item.hint)
        if found is not None:
            yield from made(place, found)
    if item.code in _BY_CODE:
        yield from _BY_CODE[item.code](analysis, place)


# ---- by what the hint says


def _taken_out(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    reason = _BECAUSE.search(place.row, at)
    if reason is not None and "because" in place.guilty + place.item.message + place.item.because:
        yield "Take the reason out", (place.on(reason.start(), reason.end(), ""),)
    begin = len(place.row[:at].rstrip())
    yield f"Take `{place.guilty}` out", (place.on(begin, at + len(place.guilty), ""),)


def _left_out(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.row.find(found[1], place.item.span.column - 1)
    if at >= 0:
        behind = at + len(found[1])
        yield f"Leave `{found[1]}` out", (place.on(at, behind + (place.row[behind : behind + 1] == " "), ""),)


def _only(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    yield f"Change `{place.guilty}` to `{found[1]}`", (place.on(at, at + len(place.guilty), found[1]),)


def _text(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    yield f"Write {found[1]}", (place.on(at, at + len(place.guilty), found[1]),)


def _closed(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    for number in range(place.item.span.line - 1, 0, -1):
        row = place.rows[number - 1].rstrip()
        if row:
            yield f"Close it with `{found[1]}`", (place.on(len(row), len(row), found[1], number),)
            return


def _line_out(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    span = place.item.span
    yield "Take the line out", ((Span(span.path, span.line, 1, span.line + 1, 1), ""),)


def _renamed(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    name = place.guilty.split(" ")[-1]
    if name.isidentifier():
        end = place.item.span.column - 1 + len(place.guilty)
        yield f"Call it `{name}_2`", (place.on(end, end, "_2"),)


def _in_front(place: _Place, found: re.Match[str]) -> Iterator[Recipe]:
    for at in (place.item.span.column - 1, len(place.row) - len(place.row.lstrip())):
        yield f"Write `{found[1]}` in front", (place.on(at, at, f"{found[1]} "),)


_SAYING: tuple[tuple[re.Pattern[str], Callable[[_Place, re.Match[str]], Iterator[Recipe]]], ...] = (
    (_OUT, _taken_out),
    (_LEAVE, _left_out),
    (_ONLY, _only),
    (_TEXT, _text),
    (_CLOSE, _closed),
    (re.compile(r"\btake the line out\b"), _line_out),
    (re.compile(r"\b(?:take|choose) another name\b"), _renamed),
    (re.compile(r"\bwrite `(\w+)` in front\b"), _in_front),
)


# ---- by the code, where it takes more than the hint


def _blanks(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    edits = []
    for number, row in enumerate(place.rows, 1):
        begun = row[: len(row) - len(row.lstrip(" \t"))]
        if "\t" in begun:
            edits.append(place.on(0, len(begun), begun.replace("\t", "  "), number))
    yield "Indent with spaces", tuple(edits)


def _quote(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    end = len(place.row.rstrip())
    colon = end - (place.row[:end].endswith(":"))
    yield 'Close it with `"`', (place.on(colon, colon, '"'),)
    yield 'Close it with `"`', (place.on(end, end, '"'),)


def _comment(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.row.find("#:")
    if at >= 0:
        yield "Write a comment", (place.on(at, at + 2, "#"),)


def _colon(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    yield "Put `:` at the end of the line", (place.on(place.end(), place.end(), ":"),)


def _brackets(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.row.rfind("where ", 0, place.item.span.column)
    stop = re.search(r":\s|:\Z| because | sorted | with most | with least |, ", place.row[place.item.span.column :])
    end = place.item.span.column + stop.start() if stop is not None else place.end()
    if at >= 0:
        condition = place.row[at + 6 : end]
        yield "Put the condition in brackets", (place.on(at + 6, end, f"({condition})"),)


def _ranged(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.row.find("in ", place.item.span.column - 1)
    if at >= 0:
        yield "Write `from`", (place.on(at, at + 2, "from"),)


def _chained(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    found = next((its for its in _CHAIN.finditer(place.row) if its.end() >= place.item.span.column - 1), None)
    if found is not None:
        left, first, middle, second = found.groups()
        new = f"{left} {first} {middle} and {middle} {second} "
        yield f"Write `{new.strip()} ...`", (place.on(found.start(), found.end(), new),)


def _rolled(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    indent = place.row[: len(place.row) - len(place.row.lstrip())]
    roll = place.on(0, 0, f"{indent}roll {place.guilty} as rolled\n")
    yield f"Write `roll {place.guilty} as rolled` first", (roll, place.on(at, at + len(place.guilty), "rolled"))


def _of_a_kind(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    for kind in (*analysis.model.sorts, *analysis.model.made, "player", *analysis.model.lists):
        yield f"Write `{kind} {place.guilty}`", (place.on(at, at, f"{kind} "),)


def _indented(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    yield "Indent it", (place.on(0, 0, "  "),)


def _otherwise(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    end = place.item.span.column - 1 + len(place.guilty)
    for value in ("0", "false", "none"):
        yield f"Write `otherwise {value}`", (place.on(end, end, f" otherwise {value}"),)


def _sure(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    cut = place.guilty.find(" otherwise ")
    if cut >= 0:
        yield "Leave `otherwise` away", (place.on(at + cut, at + len(place.guilty), ""),)


def _whose(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    above = "\n".join(place.rows[max(0, place.item.span.line - 12) : place.item.span.line])
    named = [name for kind, name in re.findall(r"\b([a-z_]\w*) ([a-z_]\w*)", above) if kind in analysis.symbols.kinds()]
    for name in dict.fromkeys([*reversed(named), "actor", "self", "owner"]):
        yield f"Write `{name}.{place.guilty}`", (place.on(at, at, f"{name}."),)


def _at_most(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    behind = place.row[place.item.span.end_column - 1 :]
    flow = re.match(r"\s*:\s*\{", behind)
    if flow is not None:
        at = place.item.span.end_column - 1 + flow.end()
        yield "Write `at_most: 20`", (place.on(at, at, "at_most: 20, "),)
    elif behind.strip() == ":":
        indent = " " * (place.item.span.column + 1)
        yield "Write `at_most: 20`", (place.on(len(place.row), len(place.row), f"\n{indent}at_most: 20"),)


def _whole_quoted(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    found = re.match(r"(\s*- )(.*?)\s*\Z", place.row)
    if found is not None:
        sign = "'" if '"' in found[2] else '"'
        yield "Put it in quotes", (place.on(found.end(1), found.end(2), f"{sign}{found[2]}{sign}"),)


def _any_reason(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    yield 'Write `refused: ""`', (place.on(at, at + len(place.guilty), '""'),)


def _no_tag(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    tag = re.match(r"![^\s,\]}]*[ \t]*", place.row[place.item.span.column - 1 :])
    if tag is not None:
        at = place.item.span.column - 1
        yield f"Delete `{tag[0].strip()}`", (place.on(at, at + tag.end(), ""),)


def _as_written(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    for number in range(place.item.span.line, 0, -1):
        found = re.match(r"(\s*(?:- )?rules:\s*)[>|][\d+-]*", place.rows[number - 1])
        if found is not None:
            yield "Write `rules: |`", (place.on(found.end(1), found.end(), "|", number),)
            return


def _twice_quoted(analysis: Analysis, place: _Place) -> Iterator[Recipe]:
    cells = re.sub(r'(?<=[^,\n])"(?=[^,\n])', '""', place.row)
    yield "Write the quotes twice", (place.on(0, len(place.row), cells),)


_BY_CODE: dict[str, Callable[[Analysis, _Place], Iterator[Recipe]]] = {
    "C701": _whole_quoted,
    "C714": _any_reason,
    "N318": _at_most,
    "S202": _blanks,
    "S204": _quote,
    "S206": _comment,
    "S211": _colon,
    "S215": _brackets,
    "S216": _ranged,
    "S224": _indented,
    "S226": _chained,
    "S227": _rolled,
    "S228": _of_a_kind,
    "T403": _otherwise,
    "T404": _sure,
    "T407": _whose,
    "Y105": _no_tag,
    "Y113": _twice_quoted,
    "Y123": _as_written,
}
