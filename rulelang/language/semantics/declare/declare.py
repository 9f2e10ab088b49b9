"""The whole of `declare` on one screen: what comes after what, and what it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.source import NOWHERE
from rulelang.data.ruleset_source import DeclaredData
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.builtins.definitions import BuiltinList
from rulelang.language.semantics.builtins.names import LISTS, builtin_members
from rulelang.language.semantics.cards import FACE_COLUMNS, face_column
from rulelang.language.semantics.declare.attributes import Member, check_members
from rulelang.language.semantics.declare.grids import declare_grid, draw_grid
from rulelang.language.semantics.declare.labels import declared_labels
from rulelang.language.semantics.declare.listings import (
    CardRow,
    TraitShelf,
    brought_cards,
    card_type_kind,
    check_trait_names,
    declare_card_type,
    declare_list,
    declare_traits,
    list_kind,
    texts_by_language,
    trait_kind,
    traits_in_order,
)
from rulelang.language.semantics.declare.registry import Kind, Registry, as_map
from rulelang.language.semantics.declare.settings import (
    declare_numbers,
    declare_options,
    first_player,
    is_clockwise,
    read_count,
    read_teams,
)
from rulelang.language.semantics.declare.things import (
    declare_made,
    declare_player,
    declare_state,
    declare_tables,
    declare_zones,
)
from rulelang.language.semantics.model import Attribute, CardType, Grid, Listing, Made, Model, Row, Zone

_SECTIONS: Mapping[str, str] = {
    "lists": "a list",
    "ladders": "a ladder",
    "grids": "a grid",
    "cards": "a card type",
    "kinds": "a kind of things",
    "zones": "a zone",
    "tables": "a table",
    "state": "a state value",
}

Entries = dict[str, list[tuple[YamlScalar, YamlNode]]]


def declare(source: DeclaredData, memo: NullCache = NULL_CACHE) -> tuple[Model, Diagnostics]:
    """Resolve and type everything that the data files declare.

    Always gives a model, as complete as the mistakes permit; what is mistaken is left out or has the type `error`.
    Never raises on bad input. `memo` keeps what single rows say. What names phases and values (`resets`, `counted_by`)
    is left to the checker.
    """
    registry = Registry(Diagnostics(), removed=source.removed, odd=source.odd, memo=memo)
    tree = source.tree
    players = as_map(registry, tree.get("players"), "a map with `count:`")
    registry.players = read_count(registry, players.get("count"))
    registry.known_players = _all_counts(registry, source)
    registry.numbers = declare_numbers(registry, tree.map("numbers"))
    registry.options = declare_options(registry, tree.map("options"))
    files = traits_in_order(source.traits)
    check_trait_names(registry, source.traits)
    entries = _register(registry, tree, [trait_kind(files), *_built_in_kinds()])
    # Attributes of anything may begin at a space, so the maps come first.
    grid_nodes = _maps(registry, entries["grids"], "a grid: a map with `columns:` and `maps:`")
    drawings = [draw_grid(registry, key, node) for key, node in grid_nodes]

    zones: dict[str, Zone] = {}
    lists = {name: _built_in_list(row) for name, row in LISTS.items()}
    for section in ("lists", "ladders"):
        for key, node in _maps(registry, entries[section], "a list: names, or a map with `rows:`"):
            lists[key.text] = declare_list(registry, key, node, zones, ladder=section == "ladders")
    shelf = declare_traits(registry, files, tree.map("traits"))
    grids = {drawing.key.text: declare_grid(registry, drawing, zones) for drawing in drawings}
    sort_nodes = _maps(registry, entries["cards"], "a card type: a map with `columns:` and `rows:`")
    brought = brought_cards(registry, files, _face_columns(sort_nodes))
    sorts: dict[str, CardType] = {}
    for key, node in sort_nodes:
        rows: list[CardRow] = brought.get(key.text, [])
        sorts[key.text] = declare_card_type(registry, key, node, rows, zones)
    made: dict[str, Made] = {}
    player_attributes: dict[str, Attribute] = {}
    for key, node in _maps(registry, entries["kinds"], "a kind: a map with `of:` and `attributes:`"):
        if key.text == "player":
            player_attributes = declare_player(registry, node, zones)
        else:
            made[key.text] = declare_made(registry, key, node, zones)
    declare_zones(registry, _maps(registry, entries["zones"], "a zone: a map with `holds:`"), zones)
    tables = declare_tables(registry, _maps(registry, entries["tables"], "a table: a map with `of:` and `is:`"))
    state = {**declare_state(registry, entries["state"]), **shelf.state}
    model = Model(
        id=source.id,
        version=source.version,
        title=texts_by_language(registry, source.manifest.get("title")),
        players=registry.players,
        clockwise=is_clockwise(registry, players),
        first=first_player(registry, players, state),
        teams=read_teams(registry, tree.get("teams")),
        numbers=registry.numbers,
        options=registry.options,
        lists={**lists, **registry.hidden, "trait": shelf.listing},
        grids=grids,
        sorts=sorts,
        made={name: _with(thing, shelf) for name, thing in made.items()},
        player_attributes={**player_attributes, **{a.name: a for a in shelf.attributes.get("player", [])}},
        zones=zones,
        tables=tables,
        state=state,
        traits=shelf.traits,
    )
    _check_members(registry, model, made, player_attributes, shelf)
    return replace(model, labels=declared_labels(source, model, memo)), registry.out


def _all_counts(registry: Registry, source: DeclaredData) -> tuple[int, int]:
    """The numbers of players for which values may be given: those of the game, also where a mode allows fewer."""
    quiet = Registry(Diagnostics())
    low, high = read_count(quiet, source.manifest.map("players").get("count"))
    if quiet.out.failed or source.manifest.map("players").get("count") is None:
        return registry.players
    return min(low, registry.players[0]), max(high, registry.players[1])


def _built_in_kinds() -> list[Kind]:
    lists = [Kind(name, "list", NOWHERE, {r: n for n, r in enumerate(row.rows, 1)}) for name, row in LISTS.items()]
    return [*lists, Kind("player", "player", NOWHERE)]


def _built_in_list(row: BuiltinList) -> Listing:
    return Listing(row.name, tuple(Row(name, number, {}) for number, name in enumerate(row.rows, 1)))


def _register(registry: Registry, tree: YamlMap, built_in: list[Kind]) -> Entries:
    """Claim all top-level names and make the kinds known, before anything reads a type. The good entries by section."""
    registry.kinds.update({kind.name: kind for kind in built_in})
    entries: Entries = {section: [] for section in _SECTIONS}
    for section, what in _SECTIONS.items():
        for key, node in as_map(registry, tree.get(section), "a map from name to declaration"):
            if section == "kinds" and key.text == "player":
                entries[section].append((key, node))
                continue
            if not registry.claim(key, what):
                continue
            entries[section].append((key, node))
            content = node if isinstance(node, YamlMap) else YamlMap((), node.span)
            if section in ("lists", "ladders"):
                registry.kinds[key.text] = list_kind(registry, key, content, ladder=section == "ladders")
            elif section == "cards":
                registry.kinds[key.text] = card_type_kind(key, content)
            elif section == "grids":
                registry.kinds[key.text] = Kind(key.text, "grid", key.span)
            elif section == "kinds":
                registry.kinds[key.text] = Kind(key.text, "made", key.span)
    return entries


def _maps(
    registry: Registry, entries: list[tuple[YamlScalar, YamlNode]], expected: str
) -> list[tuple[YamlScalar, YamlMap]]:
    return [(key, as_map(registry, node, expected)) for key, node in entries]


def _face_columns(sorts: list[tuple[YamlScalar, YamlMap]]) -> dict[str, str]:
    """The sorts whose cards can lie on things as traits, with the column that says so."""
    faces: dict[str, str] = {}
    for key, node in sorts:
        columns = node.map("columns")
        column = next((name for name in FACE_COLUMNS if columns.get(name) is not None), None)
        if column is not None:
            faces[key.text] = column
    return faces


def _with(made: Made, shelf: TraitShelf) -> Made:
    """The kind with what traits keep of it. Of two with one name the later one is kept, after a diagnostic."""
    return replace(made, attributes={**made.attributes, **{a.name: a for a in shelf.attributes.get(made.name, [])}})


def _check_members(
    registry: Registry, model: Model, made: Mapping[str, Made], player: Mapping[str, Attribute], shelf: TraitShelf
) -> None:
    def of(kind: str, *attributes: Attribute) -> Iterator[Member]:
        yield from ((a.name, "an attribute", a.span) for a in attributes)
        for zone in model.zones.values():
            if zone.of == kind:
                yield zone.short_name, "a slot" if zone.slot else "a zone", zone.span

    def columns(thing: Listing | CardType | Grid) -> Iterator[Member]:
        yield from ((c.name, "a column", c.span) for c in thing.columns.values() if c.span != NOWHERE)
        yield from of(thing.name, *thing.attributes.values())

    def check(kind: str, *members: Iterable[Member]) -> None:
        built_in = builtin_members(model, kind)
        named = {name for name, row in built_in.items() if row.column}  # these are called as what they make
        own = (m for m in chain(*members) if m[1] != "a column" or m[0] not in named)
        check_members(registry, kind, own, {name: row.doc for name, row in built_in.items()})

    things: list[Listing | Grid] = [*model.lists.values(), *model.grids.values()]
    for thing in things:
        check(thing.name, columns(thing))
    for sort in model.sorts.values():
        check(sort.name, columns(sort))
    for kind in made.values():
        check(kind.name, of(kind.name, *kind.attributes.values(), *shelf.attributes.get(kind.name, [])))
    check("player", of("player", *player.values(), *shelf.attributes.get("player", [])))
    for trait in model.traits.values():
        for sort in model.sorts.values():
            if trait.state and face_column(sort) is not None:
                kept: Iterator[Member] = ((a.name, "state", a.span) for a in trait.state.values())
                check(sort.name, columns(sort), kept)
