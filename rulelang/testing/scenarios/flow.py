"""Positions and steps as YAML, the way that people write them by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

#: What a position says, as YAML would hold it.
Given = dict[str, object]

#: No line is longer, if it can be broken.
WIDE = 108

_PLAIN = re.compile(r"(?:\d+ x )?[^\W\d][\w -]*")


def flow(value: object) -> str:
    """A value in YAML on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_item, value)) + "]"
    if isinstance(value, str):
        if '"' in value:
            return "'" + value.replace("'", "''") + "'"
        plain = _PLAIN.fullmatch(value) and value not in ("true", "false", "null", "none") and not value.endswith(" ")
        return value if plain else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def _item(value: object) -> str:
    """An item of a list: a map of one pair needs no braces."""
    if isinstance(value, Mapping) and len(value) == 1:
        ((key, item),) = value.items()
        return f"{flow(key)}: {flow(item)}"
    return flow(value)


def given_lines(given: Given, indent: str, note: str = "") -> Iterator[str]:
    """`given:` as lines of YAML, a player a line. `note`: a comment behind the phase."""
    yield f"{indent}given:"
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield f"{indent}  {key}:"
            yield from (f"{indent}    {flow(name)}: {flow(item)}" for name, item in value.items())
        else:
            yield f"{indent}  {key}: {flow(value)}{note if key == 'phase' else ''}"


def _wrapped(begun: str, items: list[str]) -> Iterator[str]:
    """A list of words over as many lines as it takes."""
    line, inner = begun, " " * len(begun)
    for number, item in enumerate(items):
        part = item + ("]" if number == len(items) - 1 else ",")
        if len(line) + len(part) > WIDE and line.strip() not in ("", "["):
            yield line.rstrip()
            line = inner
        line += part + " "
    yield line.rstrip()


def block_lines(key: str, value: object, indent: str) -> Iterator[str]:
    """A key with what it holds: on one line if it fits there, else a line for each part."""
    line = f"{indent}{key}: {flow(value)}"
    if len(line) <= WIDE or not isinstance(value, Mapping | list | tuple) or not value:
        yield line
        return
    yield f"{indent}{key}:"
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from block_lines(flow(name), item, indent + "  ")
        return
    if all(isinstance(item, str) for item in value):
        yield from _wrapped(f"{indent}  [", [_item(item) for item in value])
        return
    for item in value:
        text = f"{indent}  - {_item(item)}"
        if len(text) <= WIDE or not isinstance(item, Mapping) or len(item) != 1:
            yield text
            continue
        ((name, parts),) = item.items()
        first, *more = block_lines(flow(name), parts, indent + "    ")
        yield f"{indent}  - {first.lstrip()}"
        yield from more
