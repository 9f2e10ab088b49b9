"""The material of quick fixes: a mistake with the text around it, and edits that follow from its hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from rulelang.apps.editor.analysis import Analysis
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span

# ---- Mistakes and edits

Edit = tuple[Span, str]


class Recipe(NamedTuple):
    """A title and the edits. `creates`: new files, path and text. `other`: one of several things that the author may
    mean, which is offered beside those before it."""

    title: str
    edits: tuple[Edit, ...]
    creates: tuple[tuple[str, str], ...] = ()
    other: bool = False


class MistakePlace(NamedTuple):
    """A ruleset, a mistake in it, the lines of its file, the one that it stands on, and the guilty text there."""

    analysis: Analysis
    item: Diagnostic
    rows: Sequence[str]
    row: str
    guilty: str

    def on_one_line(self) -> bool:
        return self.item.span.line == self.item.span.end_line

    def on(self, column: int, end: int, new: str, line: int = 0) -> Edit:
        """What stands between two columns (from 0) of the line, or of another, becomes something else."""
        line = line or self.item.span.line
        return Span(self.item.span.path, line, column + 1, line, end + 1), new

    def end(self) -> int:
        """Where the line ends, without a comment that stands behind it."""
        bare = re.sub(r'"[^"]*"', lambda found: "x" * len(found[0]), self.row)
        return len(bare.split("#")[0].rstrip()) if "#" in bare else len(self.row.rstrip())

    def indent(self) -> str:
        """What the line begins with."""
        return self.row[: len(self.row) - len(self.row.lstrip())]

    def statement(self) -> int:
        """The column (from 0) where the statement begins: where a declaration has it on its own line, behind that."""
        opened = _OPENED.match(self.row, 0, self.item.span.column - 1)
        return opened.end() if opened is not None else len(self.indent())

    def replaced(self, new: str) -> Edit:
        """Something else in the place of the guilty text, as far as it stands on its first line."""
        at = self.item.span.column - 1
        return self.on(at, at + len(self.guilty), new)

    def lines(self, first: int, last: int, new: str) -> Edit:
        """Whole lines (from 1, the last one too) become a text, which ends with its own line end if it has any."""
        return Span(self.item.span.path, first, 1, last + 1, 1), new

    def block_end(self, line: int) -> int:
        """The last line of what hangs on a line: of those below that are indented further, blank ones between."""
        indent = indent_of(self.rows[line - 1])
        last = line
        for number in range(line + 1, len(self.rows) + 1):
            row = self.rows[number - 1]
            if row.strip():
                if indent_of(row) <= indent:
                    break
                last = number
        return last

    def header(self, line: int) -> int:
        """The line of the declaration of rules in which a line stands; 0 for none."""
        for number in range(line, 0, -1):
            if _HEADER.match(self.rows[number - 1]):
                return number
        return 0


_HEADER = re.compile(
    r"\s*(?:rules: )?(?:always )?"
    r"(?:routine|phase|action|value|game\b|modify|before|after|instead of|react to|forbid|ignore|invariant)\b"
)


#: What may have a statement behind it on its line.
_OPENED = re.compile(r"\s*(?:routine|phase|action|before|after|react to|instead of)\b[^:]*: *")


def indent_of(row: str) -> int:
    """How far in a line begins."""
    return len(row) - len(row.lstrip())


def fresh_name(word: str, texts: Sequence[str]) -> str:
    """A name like this word that stands in none of the texts."""
    whole = "\n".join(texts)
    name, number = word, 2
    while re.search(rf"\b{re.escape(name)}\b", whole):
        name, number = f"{word}_{number}", number + 1
    return name


# ---- Edits from the words of a hint

_DID_YOU_MEAN = re.compile(r"did you mean `([^`]+)`")
_WRITE = re.compile(r"\bwrite `((?:[^`.]|\.(?!\.\.))+)`")
_DELETE = re.compile(r"\bdelete (?:it|them|this entry)\b")
_QUOTED = re.compile(r"`([^`]+)`")
_OUT = re.compile(r"\b(?:take (?:it|them) out|remove (?:it|them|the (?:question|reason)|the (?:hook|number), or))\b")
_LEAVE = re.compile(r"\b(?:leave|remove) `([^`]+)`(?: out\b|\Z)")
_ONLY = re.compile(r"\b(?:use a printed column:|use a letter of the legend:) (`[^`]+`(?:, `[^`]+`)*)\Z")
_TEXT = re.compile(r'\bwrite ("[^"]*")\Z')
_CLOSE = re.compile(r"\bthe closing `([\]}])`")
_BECAUSE = re.compile(r' because "[^"]*"')


def hint_recipes(place: MistakePlace) -> Iterator[Recipe]:
    """What the hint says, in the order in which it is tried."""
    for says, made in _HINT_FORMS:
        found = says.search(place.item.hint)
        if found is not None:
            yield from made(place, found)


def _replace_word(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    """The word that the message quotes, where it stands in the guilty text; or all of that; or a word of it."""
    words = [word for word in _QUOTED.findall(place.item.message) if word in place.guilty]
    parts = get_close_matches(found[1], re.findall(r"\w+", place.guilty), n=1)
    for word in dict.fromkeys((*words[:1], place.guilty, *parts)) if place.on_one_line() else ():
        at = place.item.span.column - 1 + place.guilty.find(word)
        yield Recipe(f"Change `{word}` to `{found[1]}`", (place.on(at, at + len(word), found[1]),))


def _write_text(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    if place.on_one_line():
        key, _, value = found[1].partition(": ")
        if value and place.row[: place.item.span.column - 1].endswith(f"{key}: "):
            yield Recipe(f"Write `{found[1]}`", (place.replaced(value),))
        for sign in dict.fromkeys((place.guilty[0] if place.guilty[:1] in ("'", '"') else "", "")):
            yield Recipe(f"Write `{found[1]}`", (place.replaced(f"{sign}{found[1]}{sign}"),))


def _delete_text(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    if place.on_one_line():
        yield Recipe(f"Delete `{place.guilty}`", (place.replaced(""),))
        at = place.item.span.column - 1
        end = at + len(place.guilty)
        comma = re.match(r" *, *", place.row[end:])
        begin = at if comma is not None else len(re.sub(r" *, *\Z", "", place.row[:at]))
        edit = place.on(begin, end + (comma.end() if comma is not None else 0), "")
        yield Recipe(f"Delete `{place.guilty}`", (edit,))


def _take_out(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    reason = _BECAUSE.search(place.row, at)
    if reason is not None and "because" in place.guilty + place.item.message + place.item.because:
        yield Recipe("Remove the reason", (place.on(reason.start(), reason.end(), ""),))
    begin = len(place.row[:at].rstrip())
    yield Recipe(f"Remove `{place.guilty}`", (place.on(begin, at + len(place.guilty), ""),))


def _leave_out(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.row.find(found[1], place.item.span.column - 1)
    if at < 0:  # `always`, which stands in front of the rule
        at = place.row.rfind(found[1])
    if at >= 0:
        behind = at + len(found[1])
        yield Recipe(f"Remove `{found[1]}`", (place.on(at, behind + (place.row[behind : behind + 1] == " "), ""),))


def _keep_only(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    for name in _QUOTED.findall(found[1]):
        edit = place.on(at, at + len(place.guilty), name)
        yield Recipe(f"Change `{place.guilty}` to `{name}`", (edit,), (), True)


def _use_text(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    yield Recipe(f"Write {found[1]}", (place.on(at, at + len(place.guilty), found[1]),))


def _close_bracket(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    for number in range(place.item.span.line - 1, 0, -1):
        row = place.rows[number - 1].rstrip()
        if row:
            yield Recipe(f"Close it with `{found[1]}`", (place.on(len(row), len(row), found[1], number),))
            return


def _put_in_quotes(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.row.rfind(found[1], 0, place.item.span.column - 1 + len(found[1]))
    quote = "'" if '"' in found[1] or "\\" in found[1] else '"'
    if at >= 0 and quote not in found[1]:
        yield Recipe("Put it in quotes", (place.on(at, at + len(found[1]), f"{quote}{found[1]}{quote}"),))


def _remove_line(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    span = place.item.span
    yield Recipe("Delete the line", ((Span(span.path, span.line, 1, span.line + 1, 1), ""),))


def _insert_comma(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    at = len(place.row[: place.item.span.column - 1].rstrip())
    yield Recipe("Put a comma before it", (place.on(at, at, ","),))


def _rename_word(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    name = place.guilty.split(" ")[-1]
    if place.item.code == "N364" and name == place.guilty:  # in a pattern, where no new one may be needed
        yield Recipe("Write `any`", (place.replaced("any"),))
    if name.isidentifier():
        end = place.item.span.column - 1 + len(place.guilty)
        yield Recipe(f"Rename it to `{name}_2`", (place.on(end, end, "_2"),))


def _put_in_front(place: MistakePlace, found: re.Match[str]) -> Iterator[Recipe]:
    for at in (place.item.span.column - 1, len(place.row) - len(place.row.lstrip())):
        yield Recipe(f"Write `{found[1]}` in front", (place.on(at, at, f"{found[1]} "),))


_HINT_FORMS: tuple[tuple[re.Pattern[str], Callable[[MistakePlace, re.Match[str]], Iterator[Recipe]]], ...] = (
    (_DID_YOU_MEAN, _replace_word),
    (_WRITE, _write_text),
    (_DELETE, _delete_text),
    (_OUT, _take_out),
    (_LEAVE, _leave_out),
    (_ONLY, _keep_only),
    (_TEXT, _use_text),
    (_CLOSE, _close_bracket),
    (re.compile(r"\ba comma is missing before it\b"), _insert_comma),
    (re.compile(r"\bput `([^`]+)` in quotes\b"), _put_in_quotes),
    (re.compile(r"\b(?:take the line out|delete the line)\b"), _remove_line),
    (re.compile(r"\b(?:take|choose) another name\b"), _rename_word),
    (re.compile(r"\bwrite `(\w+)` in front\b"), _put_in_front),
)
