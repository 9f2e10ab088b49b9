"""What a ruleset declares in YAML, by name: options, modes, lists, kinds, cards, zones, tables, state. For `show`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rulelang.apps.editor.reading import Reading
from rulelang.base.source import Span
from rulelang.base.wording import counted, list_with_or, with_article
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics.cards import condition_text
from rulelang.language.semantics.check.symbol_table import Symbols
from rulelang.language.semantics.model import (
    MISSING_INT,
    Attribute,
    Bound,
    CardType,
    Column,
    ColumnValue,
    Condition,
    Grid,
    Listing,
    Made,
    Model,
    Option,
    Table,
    Type,
    Zone,
)

#: The groups of what is declared, with what several of them are called, in the order in which they are listed.
GROUPS = {
    "option": "options", "mode": "modes", "list": "lists", "ladder": "ladders", "grid": "grids", "kind": "kinds",
    "card type": "card types", "zone": "zones", "table": "tables", "state": "state",
    "attribute": "attributes", "column": "columns",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is declared. `facts`: what is known of it, in words; `rows`: its parts, as the rows of a table."""

    what: str
    name: str
    span: Span
    facts: Callable[[], Sequence[str]]
    rows: Callable[[], Sequence[Sequence[str]]] = tuple

    def called(self, wanted: str) -> bool:
        """Whether a name, case-folded, is its own: what stands behind the dot is enough."""
        name = self.name.casefold()
        return wanted in (name, name.rpartition(".")[2])


def entries(reading: Reading) -> Iterator[Entry]:
    """All that is declared, group by group."""
    model = reading.model
    for option in model.options.values():
        yield Entry("option", option.name, option.span, partial(_option, option))
    manifests = (reading.source.manifest, *reading.source.mods)
    for key, node in (item for manifest in manifests for item in manifest.map("modes")):
        if isinstance(node, YamlMap):
            yield Entry("mode", key.text, key.span, partial(_mode, node))
    for listing in model.lists.values():
        if listing.span.path and listing.name != "trait":
            what, rows = "ladder" if listing.ladder else "list", partial(_rows, model, listing)
            yield Entry(what, listing.name, listing.span, partial(_listing, listing), rows)
    for grid in model.grids.values():
        yield Entry("grid", grid.name, grid.span, partial(_grid, grid), partial(_parts, model, grid.name))
    for made in model.made.values():
        yield Entry("kind", made.name, made.span, partial(_made, model, made), partial(_parts, model, made.name))
    yield from _kind_of_players(model)
    for sort in model.sorts.values():
        yield Entry("card type", sort.name, sort.span, partial(_sort, model, sort), partial(_parts, model, sort.name))
    for zone in model.zones.values():
        name = zone.short_name if zone.of is None else f"{zone.of}.{zone.short_name}"
        yield Entry("zone", name, zone.span, partial(_zone, zone))
    for table in model.tables.values():
        yield Entry("table", table.name, table.span, partial(_table, table))
    for attribute in model.state.values():
        yield Entry("state", attribute.name, attribute.span, partial(_attribute, model, attribute))
    for kind, attributes, _ in _members(model):
        for attribute in attributes.values():
            name = f"{kind}.{attribute.name}"
            yield Entry("attribute", name, attribute.span, partial(_attribute, model, attribute))
    for kind, _, columns in _members(model):
        for column in columns.values():
            if column.span.path:
                yield Entry("column", f"{kind}.{column.name}", column.span, partial(_column, column))


def _kind_of_players(model: Model) -> Iterator[Entry]:
    span = next((attribute.span for attribute in model.player_attributes.values()), None)
    if span is not None:
        yield Entry("kind", "player", span, lambda: (_players(model.players),), partial(_parts, model, "player"))


def _members(model: Model) -> Iterator[tuple[str, Mapping[str, Attribute], Mapping[str, Column]]]:
    """Kinds, with their attributes and columns."""
    yield "player", model.player_attributes, {}
    for made in model.made.values():
        yield made.name, made.attributes, {}
    for room in (model.lists, model.grids, model.sorts):
        for name, of in room.items():
            yield name, of.attributes, of.columns
    for trait in model.traits.values():
        yield trait.name, trait.state, {}


# ---- one thing


def _option(option: Option) -> Sequence[str]:
    if option.type.tag == "bool":
        values = {0: "false", 1: "true"}
    else:
        values = dict(enumerate(option.values, 1))
    said = list_with_or([*values.values()]) if values else f"{option.low} to {option.high}"
    counts: dict[int, list[int]] = {}
    for players, value in option.default.items():
        counts.setdefault(value, []).append(players)
    defaults = [
        f"{values.get(value, str(value))}{f' with {list_with_or(players)} players' if len(counts) > 1 else ''}"
        for value, players in counts.items()
    ]
    return (*([option.text] if option.text else ()), f"{said}; default {', '.join(defaults)}")


def _mode(node: YamlMap) -> Sequence[str]:
    files = ", ".join(getattr(item, "text", "") for item in node.seq("files"))
    players = node.get("players")
    said = [f"for {'..'.join(map(str, players.plain()))} players"] if hasattr(players, "items") and players else []  # type: ignore[arg-type]
    return (*said, f"files: {files}" if files else "no files of its own")


def _players(count: tuple[int, int]) -> str:
    return f"{count[0]} to {count[1]} play"


def _listing(listing: Listing) -> Sequence[str]:
    if listing.count is not None:
        return (f"{listing.count} rows",)
    order = ", from the lowest to the highest" if listing.ladder else ""
    return (f"{counted(len(listing.rows), 'row')}{order}",)


def _rows(model: Model, listing: Listing) -> Sequence[Sequence[str]]:
    """Each row with what is printed there, under the names of the columns; with its text, if it has one."""
    names = [*listing.columns]
    texts = any(row.text for row in listing.rows)
    head = [["", *names, *([""] if texts else [])]] if names else []
    return head + [
        [
            row.name or str(row.number),
            *(value_text(model, listing.columns[name].type, row.columns.get(name, 0)) for name in names),
            *([row.text] if texts else []),
        ]
        for row in listing.rows
    ]


def _grid(grid: Grid) -> Sequence[str]:
    maps = f"maps: {', '.join(grid.maps)}" if len(grid.maps) > 1 else ""
    chosen = f" (by option.{grid.chosen_by})" if grid.chosen_by else ""
    joined = [f"corners touch{_where(grid.corners)}"] if grid.corners else []
    joined += [f"east and west meet{_where(grid.east_west)}"] if grid.east_west else []
    return (f"{grid.width} by {grid.height} spaces", *([maps + chosen] if maps else ()), *joined)


def _where(switch: bool | str) -> str:
    return f" if option.{switch.removeprefix('option.')} is set" if isinstance(switch, str) else ""


def _made(model: Model, made: Made) -> Sequence[str]:
    of = [f"of {with_article(made.of)}, at most {made.at_most}"]
    of += [f"in {with_article(made.place)}"] if made.place else []
    of += ["in a row"] if made.line else []
    return (", ".join(of), *_zones_of(model, made.name))


def _sort(model: Model, sort: CardType) -> Sequence[str]:
    cards = counted(sum(row.copies for row in sort.rows), "card")
    where = [zone.short_name for zone in model.zones.values() if zone.holds == sort.name]
    return (f"{cards} of {counted(len(sort.rows), 'row')}", *([f"in {', '.join(where)}"] if where else ()))


def _zones_of(model: Model, kind: str) -> Sequence[str]:
    zones = [zone.short_name for zone in model.zones.values() if zone.of == kind]
    return (f"zones: {', '.join(zones)}",) if zones else ()


def _zone(zone: Zone) -> Sequence[str]:
    said = ["a slot for one card" if zone.slot else "cards", f"of type {zone.holds}"]
    whose = f"one per {zone.of}" if zone.of else "one for the game"
    facts = [f"{' '.join(said)}; {whose}; seen by {_seers(zone.seen_by)}"]
    facts += ["cards there are in force"] if zone.in_force else []
    facts += (
        [f"cards are played from there{f' to {zone.played_to}' if zone.played_to else ''}"] if zone.playable else []
    )
    facts += [f"refilled from {zone.refilled_from}"] if zone.refilled_from else []
    return facts


def _table(table: Table) -> Sequence[str]:
    of = f"{_range(table.low, table.high)}, per {' and '.join(table.of)}"
    return (of, *_changes(table))


def _attribute(model: Model, attribute: Attribute) -> Sequence[str]:
    by = f", per {' and '.join(attribute.index)}" if attribute.index else ""
    start = _start(model, attribute)
    seen = [] if attribute.seen_by == "everyone" else [f"seen by {_seers(attribute.seen_by)}"]
    return (_type(attribute) + by + (f", starting at {start}" if start else ""), *_changes(attribute), *seen)


def _column(column: Column) -> Sequence[str]:
    by = f", per {column.by}" if isinstance(column.by, str) and column.by != "copy" else ""
    by = ", per copy" if column.by == "copy" else by
    counted_by = [f"counted by {column.counted_by}"] if column.counted_by else []
    apart = [] if column.tells_apart else ["cards with different values count as the same"]
    return (f"printed: {_type(column)}{by}", *counted_by, *apart)


def _parts(model: Model, kind: str) -> Sequence[Sequence[str]]:
    """The attributes and columns of a kind."""
    return [
        row
        for name, attributes, columns in _members(model)
        if name == kind
        for row in (
            *([column.name, "; ".join(_column(column))] for column in columns.values()),
            *([attribute.name, "; ".join(_attribute(model, attribute))] for attribute in attributes.values()),
        )
    ]


# ---- parts


def _changes(of: Attribute | Table) -> Sequence[str]:
    resets = {"turn": "with every turn", "round": "with every round", "phase": "with every phase"}
    said = [f"resets {resets.get(of.resets, f'with the phase {of.resets}')}"] if of.resets else []
    return (*said, "stops at the limits of its range") if of.clamp else said


def _seers(seen_by: str) -> str:
    if seen_by.startswith("option."):
        return f"set by {seen_by}"
    return {"owner": "its owner"}.get(seen_by, seen_by)


def _type(of: Attribute | Column) -> str:
    if of.type.tag == "int":
        maybe = "maybe " if of.type.maybe else ""
        return maybe + _range(of.low, of.high)
    return str(of.type)


def _range(low: Bound | None, high: Bound | None) -> str:
    if low is None and high is None:
        return "a whole number"
    return f"{'' if low is None else low}..{'' if high is None else high}"


def _start(model: Model, attribute: Attribute) -> str:
    """What it begins at, where that is not what it would be anyhow."""
    type_: Type = attribute.type
    if type_.tag == "bool":
        return "true" if attribute.start else ""
    if type_.tag == "int":
        return str(attribute.start) if not type_.maybe and attribute.start else ""
    if isinstance(attribute.start, int) and attribute.start > 1:
        names = {number: name for name, number in Symbols(model, model).rows_of(type_.name).items()}
        return names.get(attribute.start, str(attribute.start))
    return ""


def value_text(model: Model, type_: Type | None, value: ColumnValue) -> str:
    """What is printed in a cell, in words."""
    if isinstance(value, Condition):
        listing = model.lists.get(type_.name) if type_ else None
        return condition_text(value, [row.name or str(row.number) for row in listing.rows]) if listing else ""
    if isinstance(value, tuple):
        return " ".join(value_text(model, type_, item) for item in value)
    if value == MISSING_INT:
        return "none"
    if type_ is None or type_.tag not in ("ref", "set", "bool"):
        return str(value)
    if type_.tag == "bool":
        return "true" if value else "false"
    listing = model.lists.get(type_.name)
    rows = {row.number: row.name for row in listing.rows} if listing else {}
    return rows.get(value, str(value) if value else "none")
