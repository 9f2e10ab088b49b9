"""A ruleset read for people: its declarations by name, and what hooks and mods change in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.labels import NO_LABEL, Label, name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.source import Span
from rulelang.base.wording import counted, list_with_or, with_article
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics import tree
from rulelang.language.semantics.cards import condition_text
from rulelang.language.semantics.check.symbol_table import Symbols, Texts
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
from rulelang.language.syntax.printer import print_declarations

# ---- A ruleset that was read


@dataclass(frozen=True, slots=True)
class Reading:
    """A ruleset with its mods and mode, as far as it could be understood, and all that is wrong with it."""

    source: RulesetSource
    model: Model
    texts: Texts
    program: tree.Program
    diagnostics: Diagnostics


# ---- Names for players


class PlayerNames:
    """The labels of one ruleset in a language; "" for what is called as the rules have it."""

    def __init__(self, model: Model, language: Language = ENGLISH) -> None:
        self.labels, self.language = model.labels, language

    def entry(self, what: str, name: str) -> str:
        """An option, list, kind, zone, table, value of the state, attribute (`KIND.NAME`) ... by its name."""
        label = self.entry_label(what, name)
        return self._label_text(label, name if what in ("attribute", "column") else name.rpartition(".")[2])

    def entry_label(self, what: str, name: str) -> Label:
        kind, _, own = name.rpartition(".")
        match what:
            case "attribute" | "column":
                return self.labels.member(kind, own)
            case "state":
                return self.labels.member("", name)
            case "option":
                return self.labels.things.get(f"option {name}", NO_LABEL)
        return self.labels.things.get(own or name, NO_LABEL)

    def member(self, kind: str, name: str) -> str:
        return self._label_text(self.labels.member(kind, name), name)

    def row(self, kind: str, name: str) -> str:
        return self._label_text(self.labels.rows.get(kind, {}).get(name, NO_LABEL), name)

    def text(self, label: Label) -> str:
        """What it means."""
        return self.language.of(label.text)

    def _label_text(self, label: Label, name: str) -> str:
        said = self.language.of(label.name)
        return said if said.casefold() != name_in_words(name).casefold() else ""


# ---- Declarations in YAML

#: The groups of what is declared, with what several of them are called, in the order in which they are listed.
ENTRY_GROUPS = {
    "option": "options", "mode": "modes", "list": "lists", "ladder": "ladders", "grid": "grids", "kind": "kinds",
    "card type": "card types", "zone": "zones", "table": "tables", "state": "state",
    "attribute": "attributes", "column": "columns",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeclaredEntry:
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


def declared_entries(reading: Reading) -> Iterator[DeclaredEntry]:
    """All that is declared, group by group."""
    model = reading.model
    for option in model.options.values():
        yield DeclaredEntry("option", option.name, option.span, partial(_option_entry, option))
    manifests = (reading.source.manifest, *reading.source.mods)
    for key, node in (item for manifest in manifests for item in manifest.map("modes")):
        if isinstance(node, YamlMap):
            yield DeclaredEntry("mode", key.text, key.span, partial(_mode_entry, node))
    for listing in model.lists.values():
        if listing.span.path and listing.name != "trait":
            what, rows = "ladder" if listing.ladder else "list", partial(_printed_rows, model, listing)
            yield DeclaredEntry(what, listing.name, listing.span, partial(_list_entry, listing), rows)
    for grid in model.grids.values():
        yield DeclaredEntry(
            "grid", grid.name, grid.span, partial(_grid_entry, grid), partial(_kind_parts, model, grid.name)
        )
    for made in model.made.values():
        yield DeclaredEntry(
            "kind", made.name, made.span, partial(_made_facts, model, made), partial(_kind_parts, model, made.name)
        )
    yield from _kind_of_players(model)
    for sort in model.sorts.values():
        yield DeclaredEntry(
            "card type",
            sort.name,
            sort.span,
            partial(_card_type_entry, model, sort),
            partial(_kind_parts, model, sort.name),
        )
    for zone in model.zones.values():
        name = zone.short_name if zone.of is None else f"{zone.of}.{zone.short_name}"
        yield DeclaredEntry("zone", name, zone.span, partial(_zone_entry, zone))
    for table in model.tables.values():
        yield DeclaredEntry("table", table.name, table.span, partial(_table_entry, table))
    for attribute in model.state.values():
        yield DeclaredEntry("state", attribute.name, attribute.span, partial(_attribute_entry, model, attribute))
    for kind, attributes, _ in _kind_entries(model):
        for attribute in attributes.values():
            name = f"{kind}.{attribute.name}"
            yield DeclaredEntry("attribute", name, attribute.span, partial(_attribute_entry, model, attribute))
    for kind, _, columns in _kind_entries(model):
        for column in columns.values():
            if column.span.path:
                yield DeclaredEntry("column", f"{kind}.{column.name}", column.span, partial(_column_entry, column))


def _kind_of_players(model: Model) -> Iterator[DeclaredEntry]:
    span = next((attribute.span for attribute in model.player_attributes.values()), None)
    if span is not None:
        yield DeclaredEntry(
            "kind", "player", span, lambda: (_players_entry(model.players),), partial(_kind_parts, model, "player")
        )


def _kind_entries(model: Model) -> Iterator[tuple[str, Mapping[str, Attribute], Mapping[str, Column]]]:
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


def _option_entry(option: Option) -> Sequence[str]:
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


def _mode_entry(node: YamlMap) -> Sequence[str]:
    files = ", ".join(getattr(item, "text", "") for item in node.seq("files"))
    players = node.get("players")
    said = [f"for {'..'.join(map(str, players.plain()))} players"] if hasattr(players, "items") and players else []  # type: ignore[arg-type]
    return (*said, f"files: {files}" if files else "no files of its own")


def _players_entry(count: tuple[int, int]) -> str:
    return f"{count[0]} to {count[1]} play"


def _list_entry(listing: Listing) -> Sequence[str]:
    if listing.count is not None:
        return (f"{listing.count} rows",)
    order = ", from the lowest to the highest" if listing.ladder else ""
    return (f"{counted(len(listing.rows), 'row')}{order}",)


def _printed_rows(model: Model, listing: Listing) -> Sequence[Sequence[str]]:
    """Each row with what is printed there, under the names of the columns; with its text, if it has one."""
    names = [*listing.columns]
    texts = any(row.text for row in listing.rows)
    head = [["", *names, *([""] if texts else [])]] if names else []
    return head + [
        [
            row.name or str(row.number),
            *(printed_value(model, listing.columns[name].type, row.columns.get(name, 0)) for name in names),
            *([row.text] if texts else []),
        ]
        for row in listing.rows
    ]


def _grid_entry(grid: Grid) -> Sequence[str]:
    maps = f"maps: {', '.join(grid.maps)}" if len(grid.maps) > 1 else ""
    chosen = f" (by option.{grid.chosen_by})" if grid.chosen_by else ""
    joined = [f"corners touch{_condition_text(grid.corners)}"] if grid.corners else []
    joined += [f"east and west meet{_condition_text(grid.east_west)}"] if grid.east_west else []
    return (f"{grid.width} by {grid.height} spaces", *([maps + chosen] if maps else ()), *joined)


def _condition_text(switch: bool | str) -> str:
    return f" if option.{switch.removeprefix('option.')} is set" if isinstance(switch, str) else ""


def _made_facts(model: Model, made: Made) -> Sequence[str]:
    of = [f"of {with_article(made.of)}, at most {made.at_most}"]
    of += [f"in {with_article(made.place)}"] if made.place else []
    of += ["in a row"] if made.line else []
    return (", ".join(of), *_zones_of_kind(model, made.name))


def _card_type_entry(model: Model, sort: CardType) -> Sequence[str]:
    cards = counted(sum(row.copies for row in sort.rows), "card")
    where = [zone.short_name for zone in model.zones.values() if zone.holds == sort.name]
    return (f"{cards} of {counted(len(sort.rows), 'row')}", *([f"in {', '.join(where)}"] if where else ()))


def _zones_of_kind(model: Model, kind: str) -> Sequence[str]:
    zones = [zone.short_name for zone in model.zones.values() if zone.of == kind]
    return (f"zones: {', '.join(zones)}",) if zones else ()


def _zone_entry(zone: Zone) -> Sequence[str]:
    said = ["a slot for one card" if zone.slot else "cards", f"of type {zone.holds}"]
    whose = f"one per {zone.of}" if zone.of else "one for the game"
    facts = [f"{' '.join(said)}; {whose}; seen by {_seers_text(zone.seen_by)}"]
    facts += ["cards there are in force"] if zone.in_force else []
    facts += (
        [f"cards are played from there{f' to {zone.played_to}' if zone.played_to else ''}"] if zone.playable else []
    )
    facts += [f"refilled from {zone.refilled_from}"] if zone.refilled_from else []
    return facts


def _table_entry(table: Table) -> Sequence[str]:
    of = f"{_range_text(table.low, table.high)}, per {' and '.join(table.of)}"
    return (of, *_changes_text(table))


def _attribute_entry(model: Model, attribute: Attribute) -> Sequence[str]:
    by = f", per {' and '.join(attribute.index)}" if attribute.index else ""
    start = _start_text(model, attribute)
    seen = [] if attribute.seen_by == "everyone" else [f"seen by {_seers_text(attribute.seen_by)}"]
    return (_type_text(attribute) + by + (f", starting at {start}" if start else ""), *_changes_text(attribute), *seen)


def _column_entry(column: Column) -> Sequence[str]:
    by = f", per {column.by}" if isinstance(column.by, str) and column.by != "copy" else ""
    by = ", per copy" if column.by == "copy" else by
    counted_by = [f"counted by {column.counted_by}"] if column.counted_by else []
    apart = [] if column.tells_apart else ["cards with different values count as the same"]
    return (f"printed: {_type_text(column)}{by}", *counted_by, *apart)


def _kind_parts(model: Model, kind: str) -> Sequence[Sequence[str]]:
    """The attributes and columns of a kind."""
    return [
        row
        for name, attributes, columns in _kind_entries(model)
        if name == kind
        for row in (
            *([column.name, "; ".join(_column_entry(column))] for column in columns.values()),
            *([attribute.name, "; ".join(_attribute_entry(model, attribute))] for attribute in attributes.values()),
        )
    ]


# ---- parts


def _changes_text(of: Attribute | Table) -> Sequence[str]:
    resets = {"turn": "with every turn", "round": "with every round", "phase": "with every phase"}
    said = [f"resets {resets.get(of.resets, f'with the phase {of.resets}')}"] if of.resets else []
    return (*said, "stops at the limits of its range") if of.clamp else said


def _seers_text(seen_by: str) -> str:
    if seen_by.startswith("option."):
        return f"set by {seen_by}"
    return {"owner": "its owner"}.get(seen_by, seen_by)


def _type_text(of: Attribute | Column) -> str:
    if of.type.tag == "int":
        maybe = "maybe " if of.type.maybe else ""
        return maybe + _range_text(of.low, of.high)
    return str(of.type)


def _range_text(low: Bound | None, high: Bound | None) -> str:
    if low is None and high is None:
        return "a whole number"
    return f"{'' if low is None else low}..{'' if high is None else high}"


def _start_text(model: Model, attribute: Attribute) -> str:
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


def printed_value(model: Model, type_: Type | None, value: ColumnValue) -> str:
    """What is printed in a cell, in words."""
    if isinstance(value, Condition):
        listing = model.lists.get(type_.name) if type_ else None
        return condition_text(value, [row.name or str(row.number) for row in listing.rows]) if listing else ""
    if isinstance(value, tuple):
        return " ".join(printed_value(model, type_, item) for item in value)
    if value == MISSING_INT:
        return "none"
    if type_ is None or type_.tag not in ("ref", "set", "bool"):
        return str(value)
    if type_.tag == "bool":
        return "true" if value else "false"
    listing = model.lists.get(type_.name)
    rows = {row.number: row.name for row in listing.rows} if listing else {}
    return rows.get(value, str(value) if value else "none")


# ---- Contributions of hooks and patches

#: In which order contributions to a value are applied, whatever file they stand in.
MODIFY_ORDER = ("=", "+", "-", "*", "/", "%", "or", "and", "at least", "at most")
#: In which order what hooks an event has its say.
TRIGGER_ORDER = ("instead of", "before", "react to", "after")


def hookable_names(reading: Reading) -> list[str]:
    """The ids of everything that hooks may contribute to, in declared order."""
    program = reading.program
    return [*program.values, *program.routines, *program.actions, *program.invariants]


def find_hookable(reading: Reading, name: str) -> list[tree.Declared]:
    """The declarations with this id, or else with this name."""
    program = reading.program
    declared: list[tree.Declared] = [
        *program.values.values(), *program.routines.values(), *program.actions.values(), *program.invariants.values()
    ]  # fmt: skip
    exact = [item for item in declared if item.id == name]
    return exact or [item for item in declared if item.name == name]


def hooked_lines(reading: Reading, item: tree.Declared) -> Iterator[str]:
    """The lines to print: each part is headed by what it is, whose it is, and where it stands."""
    program = reading.program
    changed = patches_in(reading, item.span)
    if changed:
        yield f"{_contribution_text(item)}   {item.span}, with the changes below"
        yield from (f"    {line}".rstrip() for line in patched_lines(reading, item.span))
        yield from patch_lines(reading, changed)
    else:
        yield from part_heading(reading, _contribution_text(item), item)
    modifies = [hook for hook in program.modifies if hook.pattern.event == item.id]
    modifies.sort(key=lambda hook: (MODIFY_ORDER.index(hook.op), hook.origin.layer, hook.order))
    triggers = [hook for hook in program.triggers if hook.pattern.event == item.id]
    triggers.sort(key=lambda hook: (TRIGGER_ORDER.index(hook.kind), hook.origin.layer, hook.order))
    groups: list[tuple[str, list[tree.Hook]]] = [
        ("modified by", [*modifies]),
        ("forbidden by", [hook for hook in program.forbids if hook.pattern.event == item.id]),
        ("hooked by", [*triggers]),
        ("ignores", [hook for hook in program.ignores if hook.pattern.event == item.id]),
    ]
    for title, hooks in groups:
        for hook in hooks:
            yield ""
            yield from part_heading(reading, f"{title} {owner_text(reading, hook.origin)}", hook)
    if not any(hooks for _, hooks in groups):
        yield ""
        yield "no hook changes it"


def patches_in(reading: Reading, span: Span) -> list[tree.RuleChange]:
    """The patches of what stands in this stretch of a file."""
    found = [change for change in reading.program.changes if change.declared.path == span.path]
    return [
        c
        for c in found
        if _begins_part(span) <= _begins_part(c.declared) and _ends_part(c.declared) <= _ends_part(span)
    ]


def patch_lines(reading: Reading, changed: Sequence[tree.RuleChange]) -> Iterator[str]:
    """What patches say, headed by whose they are."""
    for change in changed:
        yield ""
        yield f"changed by {owner_text(reading, tree.Origin('core', layer=change.layer))}   {change.span}"
        yield from (f"    {line}".rstrip() for line in source_lines(reading, change.span))


def patched_lines(reading: Reading, span: Span) -> list[str]:
    """What stands in a stretch of a file now that all patches are carried out, as canonical text."""
    inside = [
        node
        for _, declarations in reading.texts
        for node in declarations
        if node.span.path == span.path
        and _begins_part(span) <= _begins_part(node.span)
        and _ends_part(node.span) <= _ends_part(span)
    ]
    return print_declarations(inside).rstrip().split("\n")


def _begins_part(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _ends_part(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def part_heading(reading: Reading, title: str, item: tree.Declared) -> Iterator[str]:
    cites = f"   #: {' '.join(item.cites)}" if item.cites else ""
    yield f"{title}   {item.span}{cites}"
    for line in source_lines(reading, item.span):
        yield f"    {line}".rstrip()


def source_lines(reading: Reading, span: Span) -> list[str]:
    """The author's own lines of a stretch, without the indentation that they have in common."""
    lines = reading.source.sources.get(span.path, "").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return []
    # A span may end at the start of the line behind it.
    if span.end_line > span.line and not lines[-1][: span.end_column - 1].strip():
        lines.pop()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    while lines and not lines[-1].strip():
        lines.pop()
    return [line[margin:] for line in lines]


def owner_text(reading: Reading, origin: tree.Origin) -> str:
    """Whose rules, in words: `trait NAME`, `the rules of LAYER`."""
    if origin.what == "trait":
        return f"trait {origin.name}"
    if origin.what in ("row", "card"):
        listing = reading.model.lists.get(origin.name) or reading.model.sorts.get(origin.name)
        for row in listing.rows if listing else ():
            if row.number == origin.row and row.name:
                return f"{origin.name} {row.name}"
        return f"{origin.name} {origin.row}"
    for layer in reading.source.layers:
        if layer.index == origin.layer:
            return f"the rules of {layer.id}"
    return "the rules"


def _contribution_text(item: tree.Declared) -> str:
    if isinstance(item, tree.Routine):
        return f"phase {item.id}" if item.phase else f"routine {item.id}"
    return f"{type(item).__name__.lower()} {item.id}"
