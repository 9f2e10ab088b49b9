"""The words of YAML: which of them may be names, and where each stands."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_nodes import YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.testing.scenarios.tokens import Word

#: Keys below which stands prose.
PROSE = frozenset(("text", "name", "title", "expect", "tells", "description", "because", "authors", "license"))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOTTED = re.compile(rf"{_NAME.pattern}(?:\.{_NAME.pattern})*")


@lru_cache(maxsize=256)
def root_of(text: str, path: str) -> YamlNode | None:
    """The tree of a file: most files are those of the last time."""
    return read_yaml_text(text, path, Diagnostics()).root


def words_in(node: YamlNode | None, dotted: Container[str] = ()) -> Iterator[Word]:
    """The words of a scalar, or of the items of a list; see `names_in`."""
    if isinstance(node, YamlSeq):
        for item in node:
            yield from words_in(item, dotted)
    elif isinstance(node, YamlScalar) and isinstance(node.value, str):
        yield from names_in(node, dotted)


def names_in(node: YamlScalar, dotted: Container[str] = ()) -> Iterator[Word]:
    """The names in a scalar, each at its place; none where the file's columns are not those of the text. `dotted`: what
    is one name with the dots in it, as cards may have it."""
    if not node.exact:
        return
    place = node.placement()
    for number, line in enumerate(node.text.split("\n"), 1):
        for whole in _DOTTED.finditer(line):
            parts = [whole] if whole[0] in dotted else _NAME.finditer(line, whole.start(), whole.end())
            for match in parts:
                yield Word(match[0], place.span(number, match.start() + 1, number, match.end() + 1))
