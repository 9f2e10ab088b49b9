"""JSON Schemas made for one game: those of all games, and beside them what can be said in this one.

Each allows what `schemas/` allows and no more than the game's own names: traits, columns and what may stand in them,
options, phases. What a file may declare anew is offered and not held to what there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulelang.apps.editor.names import Names
from rulelang.language.semantics.declare.cells import ROW_WORDS
from rulelang.language.semantics.model import Column, Option

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCOPES = ("turn", "round", "phase", "game")
_PLAIN = ("int", "bool", "number", "order", "player", "trait", "phase")


def make(names: Names) -> dict[str, Schema]:
    """The schemas of a game by file name. They lie in a folder beside the general ones, and point there."""
    made = {"components": _components(names), "trait": _trait(names), "scenarios": _scenarios(names)}
    made["cards"] = {"required": ["cards"], "$ref": "components.schema.json"}
    return {
        f"{name}.schema.json": {
            "$schema": _DIALECT,
            "title": f"{name.capitalize()} of {names.title.get('en', names.id)}",
            "description": f"Made by `rulelang schema {names.id}`.",
            **({} if "$ref" in schema else {"allOf": [{"$ref": f"../{name}.schema.json"}]}),
            **schema,
        }
        for name, schema in made.items()
    }


# ---- components


def _components(names: Names) -> Schema:
    variables = {"additionalProperties": {"$ref": "#/$defs/variable"}}
    columns = {"additionalProperties": {"$ref": "#/$defs/column"}}
    listed = {name: {"properties": {"rows": _rows(name)}} for name in names.lists if name != "trait"}
    with_attributes = {"properties": {"attributes": variables, "columns": columns}}
    return {
        "properties": {
            "cards": {
                "properties": {
                    name: {
                        "properties": {
                            "rows": _rows(name),
                            "attributes": variables,
                            "columns": columns,
                            "expect": {"properties": _offered(_sums(names, name))},
                        }
                    }
                    for name in names.sorts
                }
            },
            "lists": {"additionalProperties": with_attributes, "properties": listed},
            "ladders": {"additionalProperties": with_attributes, "properties": listed},
            "kinds": {
                "properties": {name: {"$ref": "#/$defs/kind"} for name in (*names.kinds, "player")},
                "additionalProperties": {"$ref": "#/$defs/kind"},
            },
            "zones": {
                "properties": {name: {"$ref": "#/$defs/zone"} for name in names.zones},
                "additionalProperties": {"$ref": "#/$defs/zone"},
            },
            "state": variables,
            "look": {"properties": _looks(names)},
            "set": {"properties": _offered(names.paths)},
            **{verb: {"properties": _offered(names.numbers)} for verb in ("add", "multiply")},
            "remove": {"items": _one_of(names.paths, open_=True)},
            "disable": {
                "items": _one_of(
                    (*names.phases, *(f"traits.{name}" for name in names.rows.get("trait", ()))), open_=True
                )
            },
        },
        "$defs": {
            "variable": _variable(names),
            "column": {
                "if": {"type": "object"},
                "then": {"properties": {"is": {"$ref": "#/$defs/type"}}},
                "else": {"$ref": "#/$defs/type"},
            },
            "type": _type(names),
            "kind": {
                "properties": {
                    "of": _one_of(("player", *names.kinds), open_=True),
                    "in": _one_of((*names.lists, *names.grids), open_=True),
                    "at_most": {"anyOf": [_one_of(names.counts), {"type": ["string", "integer"]}]},
                    "attributes": variables,
                }
            },
            "zone": {
                "properties": {
                    "of": _one_of(("player", *names.kinds, *names.lists), open_=True),
                    "holds": _one_of(names.sorts, open_=True),
                    "seen_by": _seen_by(names),
                    "played_to": _one_of(names.zones, open_=True),
                    "refilled_from": _one_of(names.zones, open_=True),
                }
            },
            **{_row_def(owner): _row(names, owner) for owner in (*names.sorts, *names.lists) if owner != "trait"},
            **{_name_def(owner): {"enum": list(rows)} for owner, rows in names.rows.items() if rows},
        },
    }


def _looks(names: Names) -> Schema:
    """What `look:` may speak of: everything that is declared, with its values and its rows."""
    places = [name.rpartition(".")[2] for name in names.zones]
    found: Schema = _offered((*places, *names.tables, *names.counts, *names.ruled, *names.phases, *names.actions))
    for owner, members in names.members.items():
        values = _one_of(members, open_=True)
        found[owner] = {
            "properties": {
                "order": {"items": values},
                "hide": {"items": values},
                "members": {"properties": _offered(members)},
                "rows": {"properties": _offered(names.rows.get(owner, ()))},
            }
        }
    game = found["game"]["properties"]
    game["layout"] = {"items": _one_of(("player", *places, *names.tables, *names.lists, *names.kinds), open_=True)}
    return found


def _variable(names: Names) -> Schema:
    resets = _one_of((*_SCOPES, *names.phases))
    return {
        "if": {"type": "object"},
        "then": {
            "properties": {
                "is": {"$ref": "#/$defs/type"},
                "resets": {"anyOf": [resets, {"type": "array", "items": resets}]},
                "seen_by": _seen_by(names),
                "holds": _one_of(names.sorts, open_=True),
            }
        },
        "else": {"$ref": "#/$defs/type"},
    }


def _seen_by(names: Names) -> Schema:
    return _one_of(("nobody", "owner", "everyone", *(f"option.{name}" for name in names.options)), open_=True)


def _sums(names: Names, sort: str) -> list[str]:
    """What `expect:` may say of a sort without a condition."""
    counted = [name for name, column in names.columns.get(sort, {}).items() if column.type.tag == "int"]
    return ["count", "rows", *(f"sum of {name}" for name in counted)]


def _type(names: Names) -> Schema:
    kinds = (*names.lists, *names.grids, *names.sorts, *names.kinds)
    whole = dict.fromkeys((*_PLAIN, *kinds))
    return _one_of((*whole, *(f"maybe {kind}" for kind in whole), *(f"set of {n}" for n in names.lists)), open_=True)


def _row_def(owner: str) -> str:
    return f"row_{owner}"


def _name_def(owner: str) -> str:
    """Of the names of a list's rows; a value set of a column is a list called `OWNER COLUMN`."""
    return f"name_{owner.replace(' ', '_')}"


def _defined(name: str) -> Schema:
    return {"$ref": f"components.schema.json#/$defs/{name}"}


def _rows(owner: str) -> Schema:
    """The rows of a list or sort, as a list or as a map."""
    row = _defined(_row_def(owner))
    return {"items": row, "additionalProperties": row}


def _row(names: Names, owner: str) -> Schema:
    """A row. One of cards says nothing but what is declared; one of a list gives attributes, too."""
    cells: Schema = {}
    for name, column in names.columns.get(owner, {}).items():
        cells[name] = _cell(names, owner, column)
        if isinstance(column.by, str) and column.by != "copy":
            for label in names.rows.get(column.by, ()):
                cells.setdefault(label, _single(names, owner, column))
    row: Schema = {"properties": cells}
    if owner in names.sorts and cells:
        known = (*cells, *ROW_WORDS, "copies", "id", *names.unused.get(owner, ()))
        row["propertyNames"] = {"enum": list(dict.fromkeys(known))}
    return row


def _cell(names: Names, owner: str, column: Column) -> Schema:
    """What may stand in a cell of a column, whatever it is given by."""
    single = _single(names, owner, column)
    if column.by is None:
        return single
    several = [single, {"type": "array", "items": single}]
    if column.by != "copy":
        labels = (
            map(str, range(column.by[0], column.by[1] + 1))
            if isinstance(column.by, tuple)
            else names.rows.get(column.by, ())
        )
        parts = dict.fromkeys(labels, single)
        several.append({"type": "object", "properties": parts, "propertyNames": {"enum": list(parts)}})
    return {"anyOf": several}


def _single(names: Names, owner: str, column: Column) -> Schema:
    """One value of a column's type."""
    of = column.type
    words = list(names.words.get((owner, column.name), ()))
    blank: list[Any] = [None] if column.default is not None or of.maybe else []
    if of.tag == "ref":
        if not names.rows.get(of.name):
            return {}
        others = [*words, *(["none"] if of.maybe else []), *blank]
        rows = _defined(_name_def(of.name))
        return {"anyOf": [rows, {"enum": others}]} if others else rows
    if of.tag == "bool":
        return {"enum": [True, False, *words, *blank]}
    if of.tag == "int":
        number: Schema = {"type": "integer"}
        if column.low is not None:
            number["minimum"] = column.low
        if column.high is not None:
            number["maximum"] = column.high
        others = [*words, *(["none"] if of.maybe else []), *blank]
        return {"anyOf": [number, {"enum": others}]} if others else number
    if of.tag == "set":
        rows = _defined(_name_def(of.name)) if names.rows.get(of.name) else {"enum": []}
        members = {"anyOf": [rows, {"enum": words}]} if words else rows
        return {"anyOf": [members, {"type": "array", "items": members}, {"type": ["string", "null"]}]}
    return {}  # conditions are texts of their own


# ---- traits


def _trait(names: Names) -> Schema:
    cells = {name: _cell(names, "trait", column) for name, column in names.columns.get("trait", {}).items()}
    faced = [name for name in names.sorts if {"face", "faces"} & names.columns[name].keys()]
    rows: Schema = {"properties": {name: {"items": _defined(_row_def(name))} for name in names.sorts}}
    if len(faced) == 1:
        rows["items"] = _defined(_row_def(faced[0]))
    variables = {"additionalProperties": {"$ref": "components.schema.json#/$defs/variable"}}
    return {
        "properties": {
            **cells,
            "cards": rows,
            "state": variables,
            "scenarios": {"items": {"$ref": "scenarios.schema.json#/$defs/scenario"}},
        }
    }


# ---- scenarios


def _scenarios(names: Names) -> Schema:
    around = {"options": {"$ref": "#/$defs/options"}, "mode": _one_of(names.modes)}
    scenario = {"$ref": "#/$defs/scenario"}
    here = tuple(name for name, of in names.zones.items() if of is None)
    of_player = tuple(name for name, of in names.zones.items() if of == "player")
    player = {"properties": _offered((*names.player, *of_player, *names.kinds))}
    given = {
        "phase": {"enum": [*names.phases, None]},
        "options": {"$ref": "#/$defs/options"},
        "players": {"additionalProperties": player},
        "state": {"properties": _offered(names.state)},
        "zones": {"properties": _offered(here)},
        "tables": {"properties": _offered(names.tables)},
        "lists": {"properties": {n: {"properties": _offered(names.rows.get(n, ()))} for n in names.lists}},
    }
    rule = _numbered(names)
    return {
        "items": scenario,
        "properties": {"scenarios": {"items": scenario}, **around},
        "$defs": {
            "scenario": {
                "properties": {
                    **({"rule": {"anyOf": [rule, {"type": "array", "items": rule}]}} if rule else {}),
                    **around,
                    "given": {"properties": given},
                }
            },
            "options": {
                "properties": {name: _option(option) for name, option in names.options.items()},
                "propertyNames": {"enum": list(names.options)},
            },
        },
    }


def _option(option: Option) -> Schema:
    values: list[object] = list(option.values)
    if option.type.tag == "bool":
        values = [True, False]
    return {**({"enum": values} if values else {}), **({"description": option.text} if option.text else {})}


def _numbered(names: Names) -> Schema:
    """The numbered rules, with their texts for editors that show them."""
    ids = sorted(names.rules)
    return {"enum": ids, "enumDescriptions": [names.rules[id_].text for id_ in ids]} if ids else {}


# ---- parts


def _one_of(names: Iterable[str], *, open_: bool = False) -> Schema:
    """One of these; `open_`: they are offered, and a file may declare more."""
    listed: Schema = {"enum": list(dict.fromkeys(names))}
    return {"anyOf": [listed, {"type": ["string", "array"]}]} if open_ else listed


def _offered(names: Iterable[str] | Mapping[str, object]) -> Schema:
    """Keys that an editor completes."""
    return dict.fromkeys(names, True)
