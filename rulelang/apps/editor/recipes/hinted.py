"""What the hints of mistakes come to as edits, by their words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches

from rulelang.apps.editor.recipes.place import Place, Recipe
from rulelang.base.source import Span

_MEANT = re.compile(r"did you mean `([^`]+)`")
_WRITE = re.compile(r"\bwrite `((?:[^`.]|\.(?!\.\.))+)`")
_DELETE = re.compile(r"\bdelete (?:it|them|this entry)\b")
_QUOTED = re.compile(r"`([^`]+)`")
_OUT = re.compile(r"\b(?:take (?:it|them) out|remove (?:it|them|the (?:question|reason)|the (?:hook|number), or))\b")
_LEAVE = re.compile(r"\b(?:leave|remove) `([^`]+)`(?: out\b|\Z)")
_ONLY = re.compile(r"\b(?:use a printed column:|use a letter of the legend:) (`[^`]+`(?:, `[^`]+`)*)\Z")
_TEXT = re.compile(r'\bwrite ("[^"]*")\Z')
_CLOSE = re.compile(r"\bthe closing `([\]}])`")
_BECAUSE = re.compile(r' because "[^"]*"')


def hinted(place: Place) -> Iterator[Recipe]:
    """What the hint says, in the order in which it is tried."""
    for says, made in _SAYING:
        found = says.search(place.item.hint)
        if found is not None:
            yield from made(place, found)


def _meant(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    """The word that the message quotes, where it stands in the guilty text; or all of that; or a word of it."""
    words = [word for word in _QUOTED.findall(place.item.message) if word in place.guilty]
    parts = get_close_matches(found[1], re.findall(r"\w+", place.guilty), n=1)
    for word in dict.fromkeys((*words[:1], place.guilty, *parts)) if place.on_one_line() else ():
        at = place.item.span.column - 1 + place.guilty.find(word)
        yield Recipe(f"Change `{word}` to `{found[1]}`", (place.on(at, at + len(word), found[1]),))


def _written(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    if place.on_one_line():
        key, _, value = found[1].partition(": ")
        if value and place.row[: place.item.span.column - 1].endswith(f"{key}: "):
            yield Recipe(f"Write `{found[1]}`", (place.replaced(value),))
        for sign in dict.fromkeys((place.guilty[0] if place.guilty[:1] in ("'", '"') else "", "")):
            yield Recipe(f"Write `{found[1]}`", (place.replaced(f"{sign}{found[1]}{sign}"),))


def _deleted(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    if place.on_one_line():
        yield Recipe(f"Delete `{place.guilty}`", (place.replaced(""),))
        at = place.item.span.column - 1
        end = at + len(place.guilty)
        comma = re.match(r" *, *", place.row[end:])
        begin = at if comma is not None else len(re.sub(r" *, *\Z", "", place.row[:at]))
        edit = place.on(begin, end + (comma.end() if comma is not None else 0), "")
        yield Recipe(f"Delete `{place.guilty}`", (edit,))


def _taken_out(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    reason = _BECAUSE.search(place.row, at)
    if reason is not None and "because" in place.guilty + place.item.message + place.item.because:
        yield Recipe("Remove the reason", (place.on(reason.start(), reason.end(), ""),))
    begin = len(place.row[:at].rstrip())
    yield Recipe(f"Remove `{place.guilty}`", (place.on(begin, at + len(place.guilty), ""),))


def _left_out(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.row.find(found[1], place.item.span.column - 1)
    if at < 0:  # `always`, which stands in front of the rule
        at = place.row.rfind(found[1])
    if at >= 0:
        behind = at + len(found[1])
        yield Recipe(f"Remove `{found[1]}`", (place.on(at, behind + (place.row[behind : behind + 1] == " "), ""),))


def _only(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    for name in _QUOTED.findall(found[1]):
        edit = place.on(at, at + len(place.guilty), name)
        yield Recipe(f"Change `{place.guilty}` to `{name}`", (edit,), (), True)


def _text(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    yield Recipe(f"Write {found[1]}", (place.on(at, at + len(place.guilty), found[1]),))


def _closed(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    for number in range(place.item.span.line - 1, 0, -1):
        row = place.rows[number - 1].rstrip()
        if row:
            yield Recipe(f"Close it with `{found[1]}`", (place.on(len(row), len(row), found[1], number),))
            return


def _in_quotes(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = place.row.rfind(found[1], 0, place.item.span.column - 1 + len(found[1]))
    quote = "'" if '"' in found[1] or "\\" in found[1] else '"'
    if at >= 0 and quote not in found[1]:
        yield Recipe("Put it in quotes", (place.on(at, at + len(found[1]), f"{quote}{found[1]}{quote}"),))


def _line_out(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    span = place.item.span
    yield Recipe("Delete the line", ((Span(span.path, span.line, 1, span.line + 1, 1), ""),))


def _parted(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    at = len(place.row[: place.item.span.column - 1].rstrip())
    yield Recipe("Put a comma before it", (place.on(at, at, ","),))


def _renamed(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    name = place.guilty.split(" ")[-1]
    if place.item.code == "N364" and name == place.guilty:  # in a pattern, where no new one may be needed
        yield Recipe("Write `any`", (place.replaced("any"),))
    if name.isidentifier():
        end = place.item.span.column - 1 + len(place.guilty)
        yield Recipe(f"Rename it to `{name}_2`", (place.on(end, end, "_2"),))


def _in_front(place: Place, found: re.Match[str]) -> Iterator[Recipe]:
    for at in (place.item.span.column - 1, len(place.row) - len(place.row.lstrip())):
        yield Recipe(f"Write `{found[1]}` in front", (place.on(at, at, f"{found[1]} "),))


_SAYING: tuple[tuple[re.Pattern[str], Callable[[Place, re.Match[str]], Iterator[Recipe]]], ...] = (
    (_MEANT, _meant),
    (_WRITE, _written),
    (_DELETE, _deleted),
    (_OUT, _taken_out),
    (_LEAVE, _left_out),
    (_ONLY, _only),
    (_TEXT, _text),
    (_CLOSE, _closed),
    (re.compile(r"\ba comma is missing before it\b"), _parted),
    (re.compile(r"\bput `([^`]+)` in quotes\b"), _in_quotes),
    (re.compile(r"\b(?:take the line out|delete the line)\b"), _line_out),
    (re.compile(r"\b(?:take|choose) another name\b"), _renamed),
    (re.compile(r"\bwrite `(\w+)` in front\b"), _in_front),
)
