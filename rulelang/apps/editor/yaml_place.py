"""Where in a YAML document a cursor stands, told from indentation and brackets alone: the document may be broken."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: A step of a path: an item of a list.
ITEM = "[]"
_KEY = re.compile(r"""("[^"]*"|'[^']*'|[^\s:#{}\[\],"'&*][^:#{}\[\],]*?)[ \t]*:(?=[ \t]|$)""")
_ANCHOR = re.compile(r"[&!][^\s]*[ \t]*")


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """`path`: keys and items that lead there. `keyed`: a key may stand there; `valued`: a value may. `said`: the scalar
    up to the cursor."""

    path: tuple[str, ...]
    keyed: bool
    valued: bool
    said: str


@dataclass(frozen=True, slots=True)
class _Row:
    """A line: the columns of its dashes, where its content begins, its key, and what stands behind that."""

    dashes: tuple[int, ...]
    column: int
    key: str | None
    rest: str


def _row(line: str) -> _Row:
    at, dashes = len(line) - len(line.lstrip(" ")), []
    while line[at : at + 2] == "- " or line[at:] == "-":
        dashes.append(at)
        at += 1
        at += len(line[at:]) - len(line[at:].lstrip(" "))
    match = _KEY.match(line, at)
    if match is None:
        return _Row(tuple(dashes), at, None, line[at:])
    return _Row(tuple(dashes), at, match[1].strip("\"'"), line[match.end() :])


def yaml_place(text: str, line: int, column: int) -> YamlPlace | None:
    """The place of a cursor (line and column from 1). None in a remark."""
    lines = text.split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    if _remark(before):
        return None
    first = _flow_begin(lines, line, before)
    if first < line - 1:  # brackets are open since a line above
        before = " ".join([*lines[first : line - 1], before.strip()])
    row = _row(before)
    path = [*above(lines, first, row), *[ITEM] * len(row.dashes)]
    if row.key is not None:
        return _inside([*path, row.key], row.rest.lstrip())
    return _inside(path, row.rest, bare=True)


def _remark(before: str) -> bool:
    bare = re.sub(r""""[^"]*"|'[^']*'""", "", before)
    return re.search(r"(^|[ \t])#", bare) is not None


def _flow_begin(lines: list[str], line: int, before: str) -> int:
    """The line (from 0) on which the brackets that are open at the cursor were opened."""
    depth = 0
    for number in range(line - 1, max(line - 40, -1), -1):
        row = before if number == line - 1 else lines[number]
        depth += sum(row.count(sign) for sign in "{[") - sum(row.count(sign) for sign in "}]")
        if depth > 0:
            return number
        if number < line - 1 and (not row.strip() or row.rstrip().endswith(":")) and depth <= 0:
            break
    return line - 1


def above(lines: list[str], number: int, row: _Row) -> list[str]:
    """The keys and items that a line stands in, by indentation."""
    path: list[str] = []
    column, equal = (row.dashes[0], True) if row.dashes else (row.column, False)
    for other in reversed(lines[:number]):
        if column == 0 and not equal:
            break
        if not other.strip() or other.lstrip().startswith("#"):
            continue
        found = _row(other)
        if found.dashes and found.dashes[0] < column:
            if found.column < column and found.key is not None:
                path.insert(0, found.key)
            elif found.column != column or equal:
                continue
            path[:0] = [ITEM] * len(found.dashes)
            column, equal = found.dashes[0], True
        elif (
            not found.dashes and found.key is not None and (found.column < column or (equal and found.column == column))
        ):
            path.insert(0, found.key)
            column, equal = found.column, False
    return path


def _inside(path: list[str], said: str, *, bare: bool = False) -> YamlPlace:
    """What stands on the line itself: a scalar, or brackets with more of the path in them."""
    said = _ANCHOR.sub("", said, count=1) if said[:1] in ("&", "!") else said
    if said[:1] not in ("{", "["):
        return YamlPlace(tuple(path), bare, not bare or ITEM in path[-1:], said)
    stack: list[tuple[str, list[str]]] = []
    here, word, keyed = list(path), "", False
    for char in said:
        if char in "{[":
            stack.append((char, list(here)))
            here = [*here, *([ITEM] if char == "[" else [])]
            word, keyed = "", char == "{"
        elif char in "}]":
            if not stack:
                break
            _, here = stack.pop()
            word, keyed = "", False
        elif char == ",":
            here = [*stack[-1][1], *([ITEM] if stack[-1][0] == "[" else [])] if stack else here
            word, keyed = "", bool(stack) and stack[-1][0] == "{"
        elif char == ":" and word.strip() and stack:
            # `[wolf: carnivore]` is a map of one key in a list
            here, word, keyed = [*here, word.strip()], "", False
        else:
            word += char
    in_list = bool(stack) and stack[-1][0] == "[" and here[-1:] == [ITEM]
    return YamlPlace(tuple(here), keyed or in_list, not keyed, word.lstrip())
