"""What only follows from a mistake that is told already is not told: one mistake, one message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from rulelang.base.diagnostics import Diagnostic

#: What a schema tells, and of it that a key is unknown, so that nothing below it is read.
SCHEMA, UNKNOWN_KEY, WRONG_VALUE = ("Y120", "Y121", "Y122"), "Y120", "Y121"
#: The key of a wrong value, or the name that a wrong key was meant to be.
_NOT_READ = re.compile(r"(?:^|\bwrite )`(\w+):?`(?= must be|\Z)", re.MULTILINE)
#: A zone whose declaration is wrong (N303), and one that is missed (T407).
_WRONG_ZONE, _NO_ZONE = re.compile(r"\bzone `(\w+)`"), re.compile(r"\bno zone `(\w+)`")
#: How its hint begins where a comma has split a text in two.
SPLIT = "put the text in quotes: a comma splits it"
#: Somebody says a name that is declared nowhere.
_NOWHERE = frozenset(("N303", "N305", "N306", "N309", "N319", "N350", "N355"))


def without_follow_ups(
    found: Iterable[Diagnostic], read: Iterable[Diagnostic], sources: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Of what later phases found, all but what comes of mistakes in how the files are made (`read`, of the first
    phase): the same place again; a name that stands below a key that was not read; half of a text that a comma split.
    `sources`: the texts by path."""
    told = [item for item in read if item.code in SCHEMA]
    spans = {item.span for item in told}
    halves = {(item.span.path, item.span.line): item.span.column for item in told if item.hint.startswith(SPLIT)}
    names: set[str] = set()
    lines: dict[str, list[str]] = {}
    for item in told:
        if item.code == UNKNOWN_KEY and "did you mean" not in item.hint:
            if item.span.path not in lines:
                lines[item.span.path] = sources.get(item.span.path, "").splitlines()
            names |= _below(lines[item.span.path], item.span.line)
        if item.code == WRONG_VALUE:  # the key was not read
            names.update(_NOT_READ.findall(f"{item.message}\n{item.hint}"))
    found = list(found)
    zones = {name for item in found if item.code == "N303" for name in _WRONG_ZONE.findall(item.because)}
    for item in found:
        if item.span in spans or (item.code == "T407" and zones.intersection(_NO_ZONE.findall(item.message))):
            continue
        if item.code.startswith("S") and item.span.column < halves.get((item.span.path, item.span.line), 0):
            continue
        if item.code in _NOWHERE and names.intersection(re.findall(r"`(\w+)`", item.message)):
            continue
        yield item


def _below(lines: Sequence[str], line: int) -> set[str]:
    """The words of a key's line and of the lines further in after it."""
    if line > len(lines):
        return set()
    first = lines[line - 1]
    margin = len(first) - len(first.lstrip())
    found = set(re.findall(r"\w+", first))
    for other in islice(lines, line, None):
        if other.strip() and len(other) - len(other.lstrip()) <= margin:
            break
        found.update(re.findall(r"\w+", other))
    return found
