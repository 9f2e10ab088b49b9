"""The whole of `declare` on one screen: what comes after what, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import NOWHERE
from rulelang.data.records import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.meaning.declare.attributes import Member, check_members
from rulelang.meaning.declare.cards import CardRow, declare_sort, sort_kind
from rulelang.meaning.declare.desk import Desk, Kind, as_map
from rulelang.meaning.declare.grids import declare_grid
from rulelang.meaning.declare.lists import declare_list, list_kind
from rulelang.meaning.declare.manifest import first_player, is_clockwise, read_count, read_teams
from rulelang.meaning.declare.numbers import declare_numbers, declare_options
from rulelang.meaning.declare.things import (
    declare_made,
    declare_player,
    declare_state,
    declare_tables,
    declare_zones,
    members_of,
)
from rulelang.meaning.declare.traits import (
    TraitShelf,
    brought_cards,
    check_names,
    declare_traits,
    in_order,
    languages,
    trait_kind,
)
from rulelang.meaning.model import Attribute, CardSort, Grid, Listing, Made, Model, Row, Zone

_BUILT_IN_LISTS: Mapping[str, tuple[str, ...]] = {"pair": ("mutual", "directed"), "side": ("left", "right")}
_SECTIONS: Mapping[str, str] = {
    "lists": "a list",
    "ladders": "a ladder",
    "grids": "a grid",
    "cards": "a sort of cards",
    "kinds": "a kind of things",
    "zones": "a zone",
    "tables": "a table",
    "state": "a state value",
}
_OF_CARDS = {
    "face": "the trait as which a card lies on a thing",
    "faces": "the traits as which it can be played",
    "on": "what it lies on",
    "partner": "the other thing it lies on",
    "owner": "the player who owns it",
}
_OF_THINGS = {"owner": "the player who owns it", "number": "its number"}

Entries = dict[str, list[tuple[YamlScalar, YamlNode]]]


def declare(source: RulesetSource) -> tuple[Model, Diagnostics]:
    """Resolve and type everything that the data files declare.

    Always gives a model, as complete as the mistakes permit; what is mistaken is left out or has the type `error`.
    Never raises on bad input. What names phases and values (`resets`, `counted_by`) is left to the checker.
    """
    desk = Desk(Diagnostics(), removed=source.removed)
    tree = source.tree
    players = as_map(desk, tree.get("players"), "a map with `count:`")
    desk.players = read_count(desk, players.get("count"))
    desk.known_players = _all_counts(desk, source)
    desk.numbers = declare_numbers(desk, tree.map("numbers"))
    desk.options = declare_options(desk, tree.map("options"))
    files = in_order(source.traits)
    check_names(desk, source.traits)
    entries = _register(desk, tree, [trait_kind(files), *_built_in_kinds()])

    zones: dict[str, Zone] = {}
    lists = {name: _built_in_list(name, rows) for name, rows in _BUILT_IN_LISTS.items()}
    for section in ("lists", "ladders"):
        for key, node in _maps(desk, entries[section], "a list: names, or a map with `rows:`"):
            lists[key.text] = declare_list(desk, key, node, zones, ladder=section == "ladders")
    shelf = declare_traits(desk, files, tree.map("traits"))
    grids: dict[str, Grid] = {}
    for key, node in _maps(desk, entries["grids"], "a grid: a map with `columns:` and `maps:`"):
        grids[key.text] = declare_grid(desk, key, node, zones)
    sort_nodes = _maps(desk, entries["cards"], "a sort of cards: a map with `columns:` and `rows:`")
    brought = brought_cards(desk, files, _face_columns(sort_nodes))
    sorts: dict[str, CardSort] = {}
    for key, node in sort_nodes:
        rows: list[CardRow] = brought.get(key.text, [])
        sorts[key.text] = declare_sort(desk, key, node, rows, zones)
    made: dict[str, Made] = {}
    player_attributes: dict[str, Attribute] = {}
    for key, node in _maps(desk, entries["kinds"], "a kind: a map with `of:` and `attributes:`"):
        if key.text == "player":
            player_attributes = declare_player(desk, node, zones)
        else:
            made[key.text] = declare_made(desk, key, node, zones)
    declare_zones(desk, _maps(desk, entries["zones"], "a zone: a map with `holds:`"), zones)
    tables = declare_tables(desk, _maps(desk, entries["tables"], "a table: a map with `of:` and `is:`"))
    state = {**declare_state(desk, entries["state"]), **shelf.state}
    model = Model(
        id=source.id,
        version=source.version,
        title=languages(desk, source.manifest.get("title")),
        players=desk.players,
        clockwise=is_clockwise(desk, players),
        first=first_player(desk, players, state),
        teams=read_teams(desk, tree.get("teams")),
        numbers=desk.numbers,
        options=desk.options,
        lists={**lists, **desk.hidden, "trait": shelf.listing},
        grids=grids,
        sorts=sorts,
        made={name: _with(thing, shelf) for name, thing in made.items()},
        player_attributes={**player_attributes, **{a.name: a for a in shelf.attributes.get("player", [])}},
        zones=zones,
        tables=tables,
        state=state,
        traits=shelf.traits,
    )
    _check_members(desk, model, made, player_attributes, shelf)
    return model, desk.out


def _all_counts(desk: Desk, source: RulesetSource) -> tuple[int, int]:
    """The numbers of players for which values may be given: those of the game, also where a mode allows fewer."""
    quiet = Desk(Diagnostics())
    low, high = read_count(quiet, source.manifest.map("players").get("count"))
    if quiet.out.failed or source.manifest.map("players").get("count") is None:
        return desk.players
    return min(low, desk.players[0]), max(high, desk.players[1])


def _built_in_kinds() -> list[Kind]:
    lists = [
        Kind(name, "list", NOWHERE, {r: n for n, r in enumerate(rows, 1)}) for name, rows in _BUILT_IN_LISTS.items()
    ]
    return [*lists, Kind("player", "player", NOWHERE)]


def _built_in_list(name: str, rows: tuple[str, ...]) -> Listing:
    return Listing(name, tuple(Row(row, number, {}) for number, row in enumerate(rows, 1)))


def _register(desk: Desk, tree: YamlMap, built_in: list[Kind]) -> Entries:
    """Claim all top-level names and make the kinds known, before anything reads a type. The good entries by section."""
    desk.kinds.update({kind.name: kind for kind in built_in})
    entries: Entries = {section: [] for section in _SECTIONS}
    for section, what in _SECTIONS.items():
        for key, node in as_map(desk, tree.get(section), "a map from name to declaration"):
            if section == "kinds" and key.text == "player":
                entries[section].append((key, node))
                continue
            if not desk.claim(key, what):
                continue
            entries[section].append((key, node))
            content = node if isinstance(node, YamlMap) else YamlMap((), node.span)
            if section in ("lists", "ladders"):
                desk.kinds[key.text] = list_kind(desk, key, content, ladder=section == "ladders")
            elif section == "cards":
                desk.kinds[key.text] = sort_kind(key, content)
            elif section == "grids":
                desk.kinds[key.text] = Kind(key.text, "grid", key.span)
            elif section == "kinds":
                desk.kinds[key.text] = Kind(key.text, "made", key.span)
    return entries


def _maps(desk: Desk, entries: list[tuple[YamlScalar, YamlNode]], expected: str) -> list[tuple[YamlScalar, YamlMap]]:
    return [(key, as_map(desk, node, expected)) for key, node in entries]


def _face_columns(sorts: list[tuple[YamlScalar, YamlMap]]) -> dict[str, str]:
    """The sorts whose cards can lie on things as traits, with the column that says so."""
    faces: dict[str, str] = {}
    for key, node in sorts:
        columns = node.map("columns")
        column = next((name for name in ("face", "faces") if columns.get(name) is not None), None)
        if column is not None:
            faces[key.text] = column
    return faces


def _with(made: Made, shelf: TraitShelf) -> Made:
    """The kind with what traits keep of it. Of two with one name the later one is kept, after a diagnostic."""
    return replace(made, attributes={**made.attributes, **{a.name: a for a in shelf.attributes.get(made.name, [])}})


def _check_members(
    desk: Desk, model: Model, made: Mapping[str, Made], player: Mapping[str, Attribute], shelf: TraitShelf
) -> None:
    def of(kind: str, *attributes: Attribute) -> Iterator[Member]:
        yield from ((a.name, "an attribute", a.span) for a in attributes)
        for zone in members_of(model.zones, kind):
            yield zone.name, "a slot" if zone.slot else "a zone", zone.span

    def columns(thing: Listing | CardSort | Grid) -> Iterator[Member]:
        yield from ((c.name, "a column", c.span) for c in thing.columns.values() if c.span != NOWHERE)
        yield from of(thing.name, *thing.attributes.values())

    things: list[Listing | Grid] = [*model.lists.values(), *model.grids.values()]
    for thing in things:
        check_members(desk, thing.name, columns(thing), _OF_THINGS)
    for sort in model.sorts.values():
        members = (m for m in columns(sort) if not (m[1] == "a column" and m[0] in ("face", "faces")))
        check_members(desk, sort.name, members, _OF_CARDS)
    for kind in made.values():
        built_in = dict(_OF_THINGS)
        if kind.place is not None:
            built_in[kind.place] = "where it stands"
        check_members(
            desk, kind.name, of(kind.name, *kind.attributes.values(), *shelf.attributes.get(kind.name, [])), built_in
        )
    check_members(desk, "player", of("player", *player.values(), *shelf.attributes.get("player", [])), _OF_THINGS)
    for trait in model.traits.values():
        for sort in model.sorts.values():
            if trait.state and ("face" in sort.columns or "faces" in sort.columns):
                kept: Iterator[Member] = ((a.name, "state", a.span) for a in trait.state.values())
                own = (m for m in columns(sort) if m[0] not in ("face", "faces"))
                check_members(desk, sort.name, chain(own, kept), _OF_CARDS)
