"""What mends a text of rules that could not be read, by code, where it takes more than the hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.recipes.place import Place, Recipe, depth_of, fresh

_CHAIN = re.compile(r"([\w.]+(?:\([^()]*\))?) ([<>]=?) ([\w.]+(?:\([^()]*\))?) ([<>]=?) (?=[\w(])")
_SIGNS = (("&&", "and"), ("||", "or"), ("&", "and"), ("|", "or"))


def _blanks(place: Place) -> Iterator[Recipe]:
    edits = []
    for number, row in enumerate(place.rows, 1):
        begun = row[: len(row) - len(row.lstrip(" \t"))]
        if "\t" in begun:
            edits.append(place.on(0, len(begun), begun.replace("\t", "  "), number))
    yield Recipe("Indent with spaces", tuple(edits))


def _quote(place: Place) -> Iterator[Recipe]:
    end = len(place.row.rstrip())
    colon = end - (place.row[:end].endswith(":"))
    yield Recipe('Close it with `"`', (place.on(colon, colon, '"'),))
    yield Recipe('Close it with `"`', (place.on(end, end, '"'),))


def _comment(place: Place) -> Iterator[Recipe]:
    at = place.row.find("#:")
    if at >= 0:
        yield Recipe("Write a comment", (place.on(at, at + 2, "#"),))


def _colon(place: Place) -> Iterator[Recipe]:
    yield Recipe("Put `:` at the end of the line", (place.on(place.end(), place.end(), ":"),))
    yield Recipe("Write `: nothing`", (place.on(place.end(), place.end(), ": nothing"),))


def _to_a_level(place: Place) -> Iterator[Recipe]:
    """As far in as the hint says; the file may have the whole text further in."""
    was, wanted = re.search(r"indented by (\d+)", place.item.message), re.search(r"by (\d+) space", place.item.hint)
    if was is not None and wanted is not None:
        depth = len(place.indent()) + int(wanted[1]) - int(was[1])
        yield Recipe("Indent it like the line above", (place.on(0, len(place.indent()), " " * depth),))
    elif "like the line above" in place.item.hint and place.item.span.line > 1:
        depth = depth_of(place.rows[place.item.span.line - 2])
        yield Recipe("Indent it like the line above", (place.on(0, len(place.indent()), " " * depth),))


def _closed_bracket(place: Place) -> Iterator[Recipe]:
    """Close a bracket at the end of its line."""
    sign = re.search(r"the closing `(.)`", place.item.hint)
    if sign is not None:
        colon = place.end() - place.row[: place.end()].endswith(":")
        for at in dict.fromkeys((colon, place.end())):
            yield Recipe(f"Close it with `{sign[1]}`", (place.on(at, at, sign[1]),))


def _empty(place: Place) -> Iterator[Recipe]:
    """A block without a line: the one below belongs to it, or nothing does."""
    line = place.item.span.line
    if line < len(place.rows) and place.rows[line].strip():
        depth = len(place.indent()) + 2
        lines = range(line + 1, place.block_end(line + 1) + 1)
        deeper = tuple(place.on(0, 0, " " * (depth - depth_of(place.rows[line])), number) for number in lines)
        yield Recipe("Indent the next line", deeper, (), True)
    yield Recipe("Write `nothing`", (place.on(place.end(), place.end(), " nothing"),), (), True)


def _else(place: Place) -> Iterator[Recipe]:
    """The case that a value lacks; what it comes to there, the author must say."""
    head = place.rows[max(place.header(place.item.span.line) - 1, 0)]
    result = "false" if "-> bool" in head else "none" if "-> maybe" in head else "0"
    end = len(place.row)
    yield Recipe(f"Write `else: {result}`", (place.on(end, end, f"\n{place.indent()}else: {result}"),))


def _until(place: Place) -> Iterator[Recipe]:
    found = re.match(r"\s*while (.*?):(?=\s|\Z)", place.row)
    if found is not None:
        new = f"repeat until not ({found[1]}):"
        yield Recipe(f"Write `{new}`", (place.on(len(place.indent()), found.end(), new),))


def _brackets(place: Place) -> Iterator[Recipe]:
    at = place.row.rfind("where ", 0, place.item.span.column)
    stop = re.search(r":\s|:\Z| because | sorted | with most | with least |, ", place.row[place.item.span.column :])
    end = place.item.span.column + stop.start() if stop is not None else place.end()
    if at >= 0:
        condition = place.row[at + 6 : end]
        yield Recipe("Put the condition in brackets", (place.on(at + 6, end, f"({condition})"),))


def _ranged(place: Place) -> Iterator[Recipe]:
    at = place.row.find("in ", place.item.span.column - 1)
    if at >= 0:
        yield Recipe("Write `from`", (place.on(at, at + 2, "from"),))


def _chained(place: Place) -> Iterator[Recipe]:
    found = next((its for its in _CHAIN.finditer(place.row) if its.end() >= place.item.span.column - 1), None)
    if found is not None:
        left, first, middle, second = found.groups()
        new = f"{left} {first} {middle} and {middle} {second} "
        yield Recipe(f"Write `{new.strip()} ...`", (place.on(found.start(), found.end(), new),))


def _rolled(place: Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    indent = place.row[: len(place.row) - len(place.row.lstrip())]
    roll = place.on(0, 0, f"{indent}roll {place.guilty} as rolled\n")
    yield Recipe(f"Write `roll {place.guilty} as rolled` first", (roll, place.on(at, at + len(place.guilty), "rolled")))


def _of_a_kind(place: Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    for kind in (*place.analysis.model.sorts, *place.analysis.model.made, "player", *place.analysis.model.lists):
        yield Recipe(f"Write `{kind} {place.guilty}`", (place.on(at, at, f"{kind} "),))


def _indented(place: Place) -> Iterator[Recipe]:
    yield Recipe("Indent it", (place.on(0, 0, "  "),))


def _words_for_signs(place: Place) -> Iterator[Recipe]:
    """All of the line: whoever writes one of these signs writes the others, too."""
    row, shut = place.row, r"(?=(?:[^\"]*\"[^\"]*\")*[^\"]*\Z)"  # not in a text
    for sign, word in _SIGNS:
        row = re.sub(rf" *{re.escape(sign)} *{shut}", f" {word} ", row)
    row = re.sub(rf"!(?!=) *{shut}", "not ", row)
    yield Recipe("Write `and`, `or` and `not`", (place.on(0, len(place.row), row),))


def _in_a_routine(place: Place) -> Iterator[Recipe]:
    """The statement and those that follow it, in a declaration of their own."""
    first = last = place.item.span.line
    while last < len(place.rows) and re.match(r"\s|\w+(?:\.\w+)* *[-+]?= ", place.rows[last] or "."):
        last += 1
    name = fresh("step", list(place.analysis.texts.values()))
    rows = "".join(f"  {row}\n" if row.strip() else "\n" for row in place.rows[first - 1 : last])
    yield Recipe(f"Move it into a routine `{name}`", (place.lines(first, last, f"routine {name}:\n{rows}"),), (), True)


def _belongs(place: Place) -> Iterator[Recipe]:
    yield from _indented(place)
    yield from _in_a_routine(place)


WRITTEN: dict[str, Callable[[Place], Iterator[Recipe]]] = {
    "S202": _blanks,
    "S204": _quote,
    "S206": _comment,
    "S207": _to_a_level,
    "S208": _closed_bracket,
    "S210": _empty,
    "S211": _colon,
    "S214": _words_for_signs,
    "S215": _brackets,
    "S216": _ranged,
    "S221": _else,
    "S223": _until,
    "S224": _belongs,
    "S226": _chained,
    "S227": _rolled,
    "S228": _of_a_kind,
}
