"""The path of a patch, cut into its steps: names with dots between them, and brackets that pick an item or a row."""

from __future__ import annotations

import re

from rulelang.base.node import record
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank

_CELL = re.compile(r"\s*([A-Za-z_][\w\-]*)\s*=\s*(.*?)\s*\Z", re.DOTALL)


@record
class Pick:
    """What stands in brackets: `[horns]`, `[3]`, `[face=horns, food=2]` or both, `[3, face=horns]`.

    `number` counts from 1. `cells` are columns with what they say: the row that is meant says all of them.
    """

    text: str
    number: int | None = None
    word: str = ""
    cells: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"[{self.text}]"


Step = str | Pick


def steps_of(path: str) -> list[Step] | None:
    """The steps of a path; None if its brackets do not fit."""
    steps: list[Step] = []
    at, named = 0, True  # a name may follow
    while at <= len(path):
        if at < len(path) and path[at] == "[":
            end = path.find("]", at)
            if end < 0 or at == 0:
                return None
            steps.append(pick_of(path[at + 1 : end]))
            at, named = end + 1, False
            continue
        if not named:
            if at == len(path):
                break
            if path[at] != ".":
                return None
            at += 1
        end = at
        while end < len(path) and path[end] not in ".[]":
            end += 1
        if path[end : end + 1] == "]":
            return None
        steps.append(path[at:end])
        at, named = end, False
    return steps


def pick_of(text: str) -> Pick:
    """What stands in brackets: numbers, a word, or cells, with commas between them."""
    number: int | None = None
    word = ""
    cells: list[tuple[str, str]] = []
    for part in text.split(","):
        found = _CELL.match(part)
        if found:
            cells.append((found[1], found[2]))
        elif part.strip().isdigit() and number is None:
            number = int(part.strip()[:6])
        else:
            word = part.strip()
    return Pick(text.strip(), number, word, tuple(cells))


def spelt(walked: str, step: Step) -> str:
    """A path with one step more."""
    if isinstance(step, Pick):
        return f"{walked}{step}"
    return f"{walked}.{step}" if walked else step


def says(row: YamlNode, column: str) -> str | None:
    """The text of a cell; the items of a set are joined by `+`."""
    cell = row.get(column) if isinstance(row, YamlMap) else None
    if isinstance(cell, YamlSeq):
        return "+".join(item.text if isinstance(item, YamlScalar) else "?" for item in cell.items)
    return cell.text if isinstance(cell, YamlScalar) and not is_blank(cell) else None


def fits(row: YamlNode, pick: Pick) -> bool:
    """Whether a row says what stands in the brackets."""
    return all(says(row, column) == value for column, value in pick.cells)
