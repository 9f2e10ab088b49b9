"""What mends the patches of mods, by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes.place import Edit, Place, Recipe
from rulelang.base.source import Span

#: A value on the line of its key: in brackets, in quotes, or plain.
_VALUE = re.compile(r"\s*:\s*(\{[^{}]*\}|\[[^\[\]]*\]|\"[^\"]*\"|'[^']*'|[^\s,{}\[\]#][^,{}#]*?)\s*(?=[,}#]|\Z)")
_SET = re.compile(r"write `set: \{([^`:]+): [^`]+\}`")


def _set_instead(place: Place) -> Iterator[Recipe]:
    """What is declared once more, as a patch at the end of the file."""
    path, value = _SET.search(place.item.hint), _VALUE.match(place.row, place.item.span.end_column - 1)
    if path is not None and value is not None:
        new = f"set: {{{path[1]}: {value[1]}}}"
        last = len(place.rows)
        gap = "" if not place.rows[-1] else "\n"
        whole = place.on(len(place.rows[-1]), len(place.rows[-1]), f"{gap}{new}\n", last)
        yield Recipe(f"Write `{new}`", (_without(place, value.end()), whole))


def _without(place: Place, end: int) -> Edit:
    """The guilty key and its value, up to a column, taken out; the whole line where nothing else stands on it."""
    at, line = place.item.span.column - 1, place.item.span.line
    before, behind = place.row[:at], place.row[end:]
    if re.fullmatch(r"\s*|\w+: *\{ *", before) and re.fullmatch(r" *\}?\s*(?:#.*)?", behind):
        above = place.rows[line - 2] if line > 1 else ""
        alone = not before.strip() and re.fullmatch(r"\w+:\s*", above) and place.block_end(line - 1) == line
        return place.lines(line - 1 if alone else line, line, "")
    comma = re.match(r", *", behind)
    if comma is not None:
        return place.on(at, end + comma.end(), "")
    return place.on(len(re.sub(r", *\Z", "", before)), end, "")


def _set_to(place: Place) -> Iterator[Recipe]:
    """Another value instead of more of it, where the patch is alone: what its brackets hold, or as it is written."""
    path, value = _SET.search(place.item.hint), _VALUE.match(place.row, place.item.span.end_column - 1)
    verb = re.match(r"\w+(?=: *\{ *\Z)", place.row[: place.item.span.column - 1])
    if path is None or value is None or verb is None or not re.fullmatch(r" *\}\s*(?:#.*)?", place.row[value.end() :]):
        return
    one = value[1].strip("[] ")
    for said in dict.fromkeys((value[1] if "," in one else one, value[1])):
        new = f"set: {{{path[1]}: {said}}}"
        yield Recipe(f"Write `{new}`", (place.on(0, len(place.row), new),))


def _taken_out(place: Place) -> Iterator[Recipe]:
    value = _VALUE.match(place.row, place.item.span.end_column - 1)
    if value is not None:
        yield Recipe("Remove the patch", (_without(place, value.end()),))


def _versions(place: Place) -> Iterator[Recipe]:
    """From the version that is said up to the next one that may change everything."""
    number = re.search(r"\d+(?:\.\d+)?", place.guilty)
    if number is not None:
        major = int(number[0].split(".")[0])
        least = number[0] if "." in number[0] else f"{number[0]}.0"
        new = f'">={least}, <{major + 1}"'
        yield Recipe(f"Write `{new}`", (place.replaced(new),))


def _as_a_hook(place: Place) -> Iterator[Recipe]:
    found = re.match(r"\s*(insert )(?=after |before )", place.row)
    if found is not None:
        yield Recipe("Write it as a hook", (place.on(*found.span(1), ""),))


def _one_of_two(place: Place) -> Iterator[Recipe]:
    """Of two patches of the same, this one or the other one goes."""
    others = [related.span for related in place.item.related if "too" in related.note]
    for span in (place.item.span, *others):
        rows = place.analysis.texts.get(absolute(span.path), "").split("\n")
        if span.line <= len(rows):
            last = Place(place.analysis, place.item, rows, rows[span.line - 1], "").block_end(span.line)
            edit = Span(span.path, span.line, 1, last + 1, 1), ""
            yield Recipe(f"Remove `{rows[span.line - 1].strip()}`", (edit,), (), True)


MODS: dict[str, Callable[[Place], Iterator[Recipe]]] = {
    "W504": _one_of_two,
    "W532": _as_a_hook,
    "Y136": _versions,
    "Y140": _set_instead,
    "Y147": _taken_out,
    "Y148": _set_to,
}
