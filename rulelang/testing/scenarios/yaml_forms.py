"""Write positions and steps as YAML, the way people write them by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from rulelang.base.diagnostics import Edit
from rulelang.base.source import Span
from rulelang.base.wording import with_article
from rulelang.data.yaml_nodes import YamlNode, YamlScalar
from rulelang.language.semantics.model import Attribute, Grid, Listing, Model, Zone
from rulelang.testing.scenarios.tokens import split_text_words

# ---- values as YAML

#: What a position says, as YAML would hold it.
Given = dict[str, object]

#: No line is longer, if it can be broken.
WIDE = 108

_PLAIN = re.compile(r"(?:\d+ x )?[^\W\d][\w -]*")


def yaml_flow(value: object) -> str:
    """A value in YAML on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{yaml_flow(key)}: {yaml_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow_item, value)) + "]"
    if isinstance(value, str):
        if '"' in value:
            return "'" + value.replace("'", "''") + "'"
        plain = _PLAIN.fullmatch(value) and value not in ("true", "false", "null", "none") and not value.endswith(" ")
        return value if plain else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def _flow_item(value: object) -> str:
    """An item of a list: a map of one pair needs no braces."""
    if isinstance(value, Mapping) and len(value) == 1:
        ((key, item),) = value.items()
        return f"{yaml_flow(key)}: {yaml_flow(item)}"
    return yaml_flow(value)


def given_lines(given: Given, indent: str, note: str = "") -> Iterator[str]:
    """`given:` as lines of YAML, a player a line. `note`: a comment behind the phase."""
    yield f"{indent}given:"
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield f"{indent}  {key}:"
            yield from (f"{indent}    {yaml_flow(name)}: {yaml_flow(item)}" for name, item in value.items())
        else:
            yield f"{indent}  {key}: {yaml_flow(value)}{note if key == 'phase' else ''}"


def _wrapped_list(begun: str, items: list[str]) -> Iterator[str]:
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
    line = f"{indent}{key}: {yaml_flow(value)}"
    if len(line) <= WIDE or not isinstance(value, Mapping | list | tuple) or not value:
        yield line
        return
    yield f"{indent}{key}:"
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from block_lines(yaml_flow(name), item, indent + "  ")
        return
    if all(isinstance(item, str) for item in value):
        yield from _wrapped_list(f"{indent}  [", [_flow_item(item) for item in value])
        return
    for item in value:
        text = f"{indent}  - {_flow_item(item)}"
        if len(text) <= WIDE or not isinstance(item, Mapping) or len(item) != 1:
            yield text
            continue
        ((name, parts),) = item.items()
        first, *more = block_lines(yaml_flow(name), parts, indent + "    ")
        yield f"{indent}  - {first.lstrip()}"
        yield from more


# ---- examples of the right form

#: Where a name belongs that is written somewhere else under `given`; `{}` is the name.
_IN_STATE = "`{0}` belongs under `state:`: `state: {{{0}: ...}}`"
_IN_TABLES = "`{0}` belongs under `tables:`: `tables: {{{0}: {{...}}}}`"
_IN_ZONES = "`{0}` is a zone of the game and belongs under `zones:`: `zones: {{{0}: [...]}}`"
_IN_ROW_ZONES = "`{0}` is a zone of {1} and belongs under `zones:`: `zones: {{{0}: {{ROW: [...]}}}}`"
_IN_LISTS = "`{0}` is an attribute of {1} and belongs under `lists:`: `lists: {{{2}: {{ROW: {{{0}: ...}}}}}}`"
_OF_PLAYERS = "`{0}` belongs to a player, under `players:`: `players: {{NAME: {{{0}: ...}}}}`"


def form_of_player(model: Model, name: str, nodes: Sequence[YamlNode]) -> str:
    """Return what a player has as a map that is valid in this game, with the things or cards of a short list where they
    fit."""
    zones = {zone.short_name: zone for zone in model.zones.values() if zone.of == "player"}
    kinds = {kind: made.names for kind, made in model.made.items() if made.of == "player"}
    first = _first(nodes)
    listed = yaml_flow([node.plain() for node in nodes])
    zone = _holding(model, zones, first)
    kind = next((kind for kind, names in kinds.items() if first in names), next(iter(kinds), ""))
    if zone:
        return f"write a map: `{name}: {{{zone}: {listed}}}`"
    if kind:
        return f"write a map: `{name}: {{{kind}: {listed}}}`"
    if zones:
        return f"write a map: `{name}: {{{next(iter(zones))}: []}}`"
    attribute = next(iter(model.player_attributes), "")
    if attribute:
        value = _value(model.player_attributes[attribute])
        return f"write a map: `{name}: {{{attribute}: {value}}}`" if value else f"write `{name}: {{}}`"
    return f"leave it empty: `{name}: {{}}`"


def form_of_thing(model: Model, kind: str, name: str, nodes: Sequence[YamlNode]) -> str:
    """Return the cards on a thing as a map that is valid in this game."""
    zones = {zone.short_name: zone for zone in model.zones.values() if zone.of == kind}
    if not zones:
        return f"{with_article(kind)} has no cards: write `{name}` alone"
    zone = _holding(model, zones, _first(nodes))
    cards = yaml_flow([node.plain() for node in nodes]) if zone else "[]"
    return f"write a map: `{name}: {{{zone or next(iter(zones))}: {cards}}}`"


def wrapped_player(
    model: Model, name: Span, node: YamlNode | None, nodes: Sequence[YamlNode]
) -> list[tuple[Edit, ...]]:
    """Return the edits that make a short list of a player one of a zone or a kind, the likeliest first."""
    zones = {zone.short_name: zone for zone in model.zones.values() if zone.of == "player"}
    kinds = [kind for kind, made in model.made.items() if made.of == "player"]
    zone = _holding(model, zones, _first(nodes))
    return _wrapped(
        name, node, [zone] if zone else sorted(kinds, key=lambda k: _first(nodes) not in model.made[k].names)
    )


def wrapped_thing(model: Model, kind: str, name: Span, node: YamlNode | None) -> list[tuple[Edit, ...]]:
    """Return the edits that make the cards on a thing those of a zone."""
    zones = {zone.short_name: zone for zone in model.zones.values() if zone.of == kind}
    return _wrapped(name, node, [*zones])


def _wrapped(name: Span, node: YamlNode | None, keys: Sequence[str]) -> list[tuple[Edit, ...]]:
    """Return the edits that put a value in braces after each of these keys, if it follows its name on the same line."""
    if node is None or not name.line == node.span.line == node.span.end_line or name.path != node.span.path:
        return []
    begin, end = node.span, node.span
    before = Span(begin.path, begin.line, begin.column, begin.line, begin.column)
    after = Span(end.path, end.line, end.end_column, end.line, end.end_column)
    return [((before, f"{{{key}: "), (after, "}")) for key in keys]


def section_of_name(model: Model, name: str) -> str:
    """Return where a name belongs that is written in another part of `given`; "" if nothing is called so."""
    if (word := _known(name, model.state)) is not None:
        return _IN_STATE.format(word)
    if (word := _known(name, model.tables)) is not None:
        return _IN_TABLES.format(word)
    lists: dict[str, Listing | Grid] = {**model.lists, **model.grids}
    for zone in model.zones.values():
        if name.casefold() == zone.short_name.casefold() and (zone.of is None or zone.of in lists):
            form = _IN_ZONES if zone.of is None else _IN_ROW_ZONES
            return form.format(zone.short_name, with_article(zone.of or ""))
    if (word := _known(name, model.player_attributes)) is not None:
        return _OF_PLAYERS.format(word)
    for listing, known in lists.items():
        if (word := _known(name, known.attributes)) is not None:
            return _IN_LISTS.format(word, with_article(listing), listing)
    player_zones = [zone.short_name for zone in model.zones.values() if zone.of == "player"]
    word = _known(name, (*player_zones, *model.made))
    return _OF_PLAYERS.format(word) if word is not None else ""


def _known(name: str, names: Mapping[str, object] | Sequence[str]) -> str | None:
    return next((known for known in names if known.casefold() == name.casefold()), None)


def _first(nodes: Sequence[YamlNode]) -> str:
    """The first word of the first line of a short list; after `3 x` the one that follows."""
    node = nodes[0] if nodes else None
    words = split_text_words(node.text) if isinstance(node, YamlScalar) else []
    words = words[2:] if len(words) > 2 and words[0].isdecimal() and words[1] == "x" else words
    return words[0] if words else ""


def _holding(model: Model, zones: Mapping[str, Zone], word: str) -> str:
    """The zone whose cards have a row or a face of that name."""
    for name, zone in zones.items():
        sort = model.sorts[zone.holds]
        rows = [row.name for row in sort.rows]
        faces = [*model.traits] if any(column.type.name == "trait" for column in sort.columns.values()) else []
        if word and _known(word, (*rows, *faces)) is not None:
            return name
    return ""


def _value(attribute: Attribute) -> str:
    """A value that an attribute can have, if that is plain."""
    if attribute.type.tag == "bool":
        return "true"
    if attribute.type.tag != "int":
        return ""
    return str(attribute.low if isinstance(attribute.low, int) else 0)
