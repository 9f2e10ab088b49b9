"""What a scenario calls its players and things: names of its own, from `given:`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.editor.occurrences import Thing
from rulelang.scenarios.tokens import Word, split
from rulelang.semantics.model import Model


class Called(NamedTuple):
    """A player or a thing of a scenario, the word that names it first, and its kind."""

    thing: Thing
    word: Word
    kind: str


def called_in(scenario: YamlMap, model: Model) -> dict[str, Called]:
    """By name without regard to case, as scenarios are read."""
    found: dict[str, Called] = {}
    place = f"{scenario.span.path}:{scenario.span.line}"
    for word, kind in _named(scenario.map("given"), model):
        found.setdefault(word.text.casefold(), Called(Thing("local", word.text, f"{place} {word.text}"), word, kind))
    return found


def _named(given: YamlMap, model: Model) -> Iterator[tuple[Word, str]]:
    players = given.get("players")
    if isinstance(players, YamlSeq):
        for item in players:
            yield from _first(item, "player")
    elif isinstance(players, YamlMap):
        for key, value in players:
            yield from _first(key, "player")
            yield from _things(value, model)
    nobody = given.get("nobody")
    if nobody is not None:
        yield from _things(nobody, model)


def _things(node: YamlNode, model: Model) -> Iterator[tuple[Word, str]]:
    """The things of a player: a list of them, or lists by their kind."""
    if isinstance(node, YamlSeq):
        kind = next(iter(model.made), "")
        for item in node:
            yield from _first(item, kind)
    elif isinstance(node, YamlMap):
        for key, value in node:
            if key.text in model.made:
                for item in value if isinstance(value, YamlSeq) else (value,):
                    yield from _first(item, key.text)


def _first(node: YamlNode, kind: str) -> Iterator[tuple[Word, str]]:
    """The first word of a text, or of the key of a map of one."""
    if isinstance(node, YamlMap) and len(node) == 1:
        node = node.items[0][0]
    if isinstance(node, YamlScalar) and node.exact and isinstance(node.value, str):
        words = split(node)
        if words and words[0].text.isidentifier():
            yield words[0], kind
