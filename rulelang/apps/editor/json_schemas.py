"""Write JSON Schemas for one game: the names it declares, the schemas, and the folder of files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.files import read_if_possible
from rulelang.compiler.compilation import Compilation
from rulelang.data.catalogues import is_catalogue
from rulelang.data.folders import Folder, schema_dir
from rulelang.data.layers import VERBS
from rulelang.data.patching import apply_arithmetic
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics import tree
from rulelang.language.semantics.declare.cells import ROW_WORDS
from rulelang.language.semantics.model import CardType, Column, Listing, Model, Option
from rulelang.testing.scenarios.documents import Rule, documents_of

# ---- Names of a game in all modes


@dataclass(slots=True)
class GameNames:
    """The names that a game declares, in all modes together.

    `columns` and `rows`: by list or sort of cards; `members`: by kind, list, sort of cards or grid what `look:` speaks
    of, its attributes and columns (`game`: the state); `words`: what `cells:` lets a column (of a list, sort or grid)
    say besides; `unused`: columns of a sort's files that nothing reads; `paths`: what a mod may `set:`;
    `numbers`: what it may `add:` to; `counts`: those declared under `numbers:`.
    """

    id: str
    title: Mapping[str, str]
    lists: dict[str, None] = field(default_factory=dict)
    sorts: dict[str, None] = field(default_factory=dict)
    columns: dict[str, dict[str, Column]] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    kinds: dict[str, None] = field(default_factory=dict)
    grids: dict[str, None] = field(default_factory=dict)
    zones: dict[str, str | None] = field(default_factory=dict)
    state: dict[str, None] = field(default_factory=dict)
    tables: dict[str, None] = field(default_factory=dict)
    player: dict[str, None] = field(default_factory=dict)
    phases: dict[str, None] = field(default_factory=dict)
    numbers: dict[str, None] = field(default_factory=dict)
    counts: dict[str, None] = field(default_factory=dict)
    actions: dict[str, None] = field(default_factory=dict)
    ruled: dict[str, None] = field(default_factory=dict)
    members: dict[str, dict[str, None]] = field(default_factory=dict)
    modes: dict[str, None] = field(default_factory=dict)
    paths: dict[str, None] = field(default_factory=dict)
    rows: dict[str, dict[str, None]] = field(default_factory=dict)
    words: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)
    unused: dict[str, dict[str, None]] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)


def read_game_names(where: str | Path, mods: Sequence[str | Path] = ()) -> tuple[GameNames | None, Diagnostics]:
    """The names of a game with mods; None with the mistakes of a game that cannot be read."""
    plain = Compilation(where, mods)
    if plain.diagnostics.failed or plain.read[0] is None:
        return None, plain.diagnostics
    found = names_in_mode(plain.source, plain.model, plain.program)
    for mode in found.modes:
        part = Compilation(where, mods, mode)
        if not part.diagnostics.failed:
            _add_names(found, part.source, part.model, part.program)
    return found, Diagnostics()


def names_in_mode(source: RulesetSource, model: Model, program: tree.Program) -> GameNames:
    """The names of a game as it is in one mode, or in none."""
    found = GameNames(source.id if not source.given else source.given[0], model.title)
    found.modes = dict.fromkeys(source.modes)
    _add_names(found, source, model, program)
    found.rules = documents_of(source, Diagnostics())[0]
    return found


def _add_names(found: GameNames, source: RulesetSource, model: Model, program: tree.Program) -> None:
    _add_declared(found, model)
    _add_cell_words(found, source)
    found.phases |= dict.fromkeys(name for name, routine in program.routines.items() if routine.phase)
    found.actions |= dict.fromkeys(action.name for action in program.actions.values())
    found.ruled |= dict.fromkeys(item.name for part in (program.values, program.routines) for item in part.values())


def _add_declared(found: GameNames, model: Model) -> None:
    found.lists |= dict.fromkeys(model.lists)
    found.sorts |= dict.fromkeys(model.sorts)
    declared: dict[str, Listing | CardType] = {**model.lists, **model.sorts}
    for name, rows in declared.items():
        found.rows.setdefault(name, {}).update(dict.fromkeys(row.name for row in rows.rows if row.name))
        found.columns.setdefault(name, {}).update(rows.columns)
    found.options |= model.options
    found.kinds |= dict.fromkeys(model.made)
    found.grids |= dict.fromkeys(model.grids)
    found.zones |= {name: zone.of for name, zone in model.zones.items()}
    found.state |= dict.fromkeys(model.state)
    found.tables |= dict.fromkeys(model.tables)
    found.counts |= dict.fromkeys(model.numbers)
    found.player |= dict.fromkeys(model.player_attributes)
    shown: dict[str, Iterable[str]] = {"game": model.state, "player": model.player_attributes}
    shown |= {name: (*of.columns, *of.attributes) for name, of in (*declared.items(), *model.grids.items())}
    shown |= {name: made.attributes for name, made in model.made.items()}
    kept = [attribute for trait in model.traits.values() for attribute in trait.state]  # on the cards that show it
    shown |= {name: (*shown[name], *kept) for name in model.sorts}
    for name, members in shown.items():
        found.members.setdefault(name, {}).update(dict.fromkeys(members))


def _add_cell_words(found: GameNames, source: RulesetSource) -> None:
    for section in ("lists", "ladders", "cards", "grids"):
        for key, node in source.tree.map(section):
            if not isinstance(node, YamlMap):
                continue
            for column, said in node.map("columns"):
                if isinstance(said, YamlMap):
                    words = dict.fromkeys(word.text for word, _ in said.map("cells"))
                    found.words.setdefault((key.text, column.text), {}).update(words)
                    _add_value_set(found, f"{key.text} {column.text}", said)
            found.unused.setdefault(key.text, {}).update(_text_set(node.seq("unused_columns")))
    for key, said in source.tree.map("traits"):
        if isinstance(said, YamlMap):
            _add_value_set(found, f"trait {key.text}", said)
    found.paths |= dict.fromkeys(path for path, _ in _settable_paths(source.tree, ()))
    found.numbers |= dict.fromkeys(path for path, node in _settable_paths(source.tree, ()) if _is_arithmetic(node))


def _is_arithmetic(node: YamlNode) -> bool:
    return apply_arithmetic("add", node, (1, 1), node.span, 0) is not None


def _add_value_set(found: GameNames, name: str, said: YamlMap) -> None:
    if said.seq("values"):
        found.rows.setdefault(name, {}).update(_text_set(said.seq("values")))


def _text_set(nodes: Iterable[YamlNode]) -> dict[str, None]:
    return {node.text: None for node in nodes if isinstance(node, YamlScalar)}


#: Rows, of which there are too many; what is no value; and what is asked of a deck.
_SKIPPED_KEYS = ("rows", "rules", "scenarios", *VERBS, "expect")


def _settable_paths(tree: YamlMap, above: tuple[str, ...]) -> Iterator[tuple[str, YamlNode]]:
    """Paths of values that a mod may set, without those of rows: there are too many to choose from."""
    for key, node in tree:
        if key.text in _SKIPPED_KEYS or not key.text:
            continue
        path = (*above, key.text)
        if isinstance(node, YamlMap):
            yield from _settable_paths(node, path)
        elif above:
            yield ".".join(path), node


# ---- Schemas

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCOPES = ("turn", "round", "phase", "game")
_PLAIN_TYPES = ("int", "bool", "number", "order", "player", "trait", "phase")


def game_schemas(names: GameNames) -> dict[str, Schema]:
    """The schemas of a game by file name. They lie in a folder beside the general ones, and point there."""
    made = {
        "components": _component_schemas(names),
        "trait": _trait_schema(names),
        "scenarios": _scenario_schema(names),
    }
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


def _component_schemas(names: GameNames) -> Schema:
    variables = {"additionalProperties": {"$ref": "#/$defs/variable"}}
    columns = {"additionalProperties": {"$ref": "#/$defs/column"}}
    listed = {name: {"properties": {"rows": _rows_schema(name)}} for name in names.lists if name != "trait"}
    with_attributes = {"properties": {"attributes": variables, "columns": columns}}
    return {
        "properties": {
            "cards": {
                "properties": {
                    name: {
                        "properties": {
                            "rows": _rows_schema(name),
                            "attributes": variables,
                            "columns": columns,
                            "expect": {"properties": _offered_keys(_count_schema(names, name))},
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
            "look": {"properties": _look_schema(names)},
            "set": {"properties": _offered_keys(names.paths)},
            **{verb: {"properties": _offered_keys(names.numbers)} for verb in ("add", "multiply")},
            "remove": {"items": _one_of_schema(names.paths, open_=True)},
            "disable": {
                "items": _one_of_schema(
                    (*names.phases, *(f"traits.{name}" for name in names.rows.get("trait", ()))), open_=True
                )
            },
        },
        "$defs": {
            "variable": _variable_schema(names),
            "column": {
                "if": {"type": "object"},
                "then": {"properties": {"is": {"$ref": "#/$defs/type"}}},
                "else": {"$ref": "#/$defs/type"},
            },
            "type": _type_schema(names),
            "kind": {
                "properties": {
                    "of": _one_of_schema(("player", *names.kinds), open_=True),
                    "in": _one_of_schema((*names.lists, *names.grids), open_=True),
                    "at_most": {"anyOf": [_one_of_schema(names.counts), {"type": ["string", "integer"]}]},
                    "attributes": variables,
                }
            },
            "zone": {
                "properties": {
                    "of": _one_of_schema(("player", *names.kinds, *names.lists), open_=True),
                    "holds": _one_of_schema(names.sorts, open_=True),
                    "seen_by": _seen_by(names),
                    "played_to": _one_of_schema(names.zones, open_=True),
                    "refilled_from": _one_of_schema(names.zones, open_=True),
                }
            },
            **{
                _row_def(owner): _row_schema(names, owner) for owner in (*names.sorts, *names.lists) if owner != "trait"
            },
            **{_name_def(owner): {"enum": list(rows)} for owner, rows in names.rows.items() if rows},
        },
    }


def _look_schema(names: GameNames) -> Schema:
    """What `look:` may speak of: everything that is declared, with its values and its rows."""
    places = [name.rpartition(".")[2] for name in names.zones]
    found: Schema = _offered_keys((*places, *names.tables, *names.counts, *names.ruled, *names.phases, *names.actions))
    for owner, members in names.members.items():
        values = _one_of_schema(members, open_=True)
        found[owner] = {
            "properties": {
                "order": {"items": values},
                "hide": {"items": values},
                "members": {"properties": _offered_keys(members)},
                "rows": {"properties": _offered_keys(names.rows.get(owner, ()))},
            }
        }
    game = found["game"]["properties"]
    game["layout"] = {
        "items": _one_of_schema(("player", *places, *names.tables, *names.lists, *names.kinds), open_=True)
    }
    return found


def _variable_schema(names: GameNames) -> Schema:
    resets = _one_of_schema((*_SCOPES, *names.phases))
    return {
        "if": {"type": "object"},
        "then": {
            "properties": {
                "is": {"$ref": "#/$defs/type"},
                "resets": {"anyOf": [resets, {"type": "array", "items": resets}]},
                "seen_by": _seen_by(names),
                "holds": _one_of_schema(names.sorts, open_=True),
            }
        },
        "else": {"$ref": "#/$defs/type"},
    }


def _seen_by(names: GameNames) -> Schema:
    return _one_of_schema(("nobody", "owner", "everyone", *(f"option.{name}" for name in names.options)), open_=True)


def _count_schema(names: GameNames, sort: str) -> list[str]:
    """What `expect:` may say of a sort without a condition."""
    counted = [name for name, column in names.columns.get(sort, {}).items() if column.type.tag == "int"]
    return ["count", "rows", *(f"sum of {name}" for name in counted)]


def _type_schema(names: GameNames) -> Schema:
    kinds = (*names.lists, *names.grids, *names.sorts, *names.kinds)
    whole = dict.fromkeys((*_PLAIN_TYPES, *kinds))
    return _one_of_schema(
        (*whole, *(f"maybe {kind}" for kind in whole), *(f"set of {n}" for n in names.lists)), open_=True
    )


def _row_def(owner: str) -> str:
    return f"row_{owner}"


def _name_def(owner: str) -> str:
    """Of the names of a list's rows; a value set of a column is a list called `OWNER COLUMN`."""
    return f"name_{owner.replace(' ', '_')}"


def _definition_schemas(name: str) -> Schema:
    return {"$ref": f"components.schema.json#/$defs/{name}"}


def _rows_schema(owner: str) -> Schema:
    """The rows of a list or sort, as a list or as a map."""
    row = _definition_schemas(_row_def(owner))
    return {"items": row, "additionalProperties": row}


def _row_schema(names: GameNames, owner: str) -> Schema:
    """A row. One of cards says nothing but what is declared; one of a list gives attributes, too."""
    cells: Schema = {}
    for name, column in names.columns.get(owner, {}).items():
        cells[name] = _cell_schema(names, owner, column)
        if isinstance(column.by, str) and column.by != "copy":
            for label in names.rows.get(column.by, ()):
                cells.setdefault(label, _value_schema(names, owner, column))
    row: Schema = {"properties": cells}
    if owner in names.sorts and cells:
        known = (*cells, *ROW_WORDS, "copies", "id", *names.unused.get(owner, ()))
        row["propertyNames"] = {"enum": list(dict.fromkeys(known))}
    return row


def _cell_schema(names: GameNames, owner: str, column: Column) -> Schema:
    """What may stand in a cell of a column, whatever it is given by."""
    single = _value_schema(names, owner, column)
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


def _value_schema(names: GameNames, owner: str, column: Column) -> Schema:
    """One value of a column's type."""
    of = column.type
    words = list(names.words.get((owner, column.name), ()))
    blank: list[Any] = [None] if column.default is not None or of.maybe else []
    if of.tag == "ref":
        if not names.rows.get(of.name):
            return {}
        others = [*words, *(["none"] if of.maybe else []), *blank]
        rows = _definition_schemas(_name_def(of.name))
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
        rows = _definition_schemas(_name_def(of.name)) if names.rows.get(of.name) else {"enum": []}
        members = {"anyOf": [rows, {"enum": words}]} if words else rows
        return {"anyOf": [members, {"type": "array", "items": members}, {"type": ["string", "null"]}]}
    return {}  # conditions are texts of their own


# ---- traits


def _trait_schema(names: GameNames) -> Schema:
    cells = {name: _cell_schema(names, "trait", column) for name, column in names.columns.get("trait", {}).items()}
    faced = [name for name in names.sorts if {"face", "faces"} & names.columns[name].keys()]
    rows: Schema = {"properties": {name: {"items": _definition_schemas(_row_def(name))} for name in names.sorts}}
    if len(faced) == 1:
        rows["items"] = _definition_schemas(_row_def(faced[0]))
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


def _scenario_schema(names: GameNames) -> Schema:
    around = {"options": {"$ref": "#/$defs/options"}, "mode": _one_of_schema(names.modes)}
    scenario = {"$ref": "#/$defs/scenario"}
    here = tuple(name for name, of in names.zones.items() if of is None)
    of_player = tuple(name for name, of in names.zones.items() if of == "player")
    player = {"properties": _offered_keys((*names.player, *of_player, *names.kinds))}
    given = {
        "phase": {"enum": [*names.phases, None]},
        "options": {"$ref": "#/$defs/options"},
        "players": {"additionalProperties": player},
        "state": {"properties": _offered_keys(names.state)},
        "zones": {"properties": _offered_keys(here)},
        "tables": {"properties": _offered_keys(names.tables)},
        "lists": {"properties": {n: {"properties": _offered_keys(names.rows.get(n, ()))} for n in names.lists}},
    }
    rule = _rule_id_schema(names)
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
                "properties": {name: _option_schema(option) for name, option in names.options.items()},
                "propertyNames": {"enum": list(names.options)},
            },
        },
    }


def _option_schema(option: Option) -> Schema:
    values: list[object] = list(option.values)
    if option.type.tag == "bool":
        values = [True, False]
    return {**({"enum": values} if values else {}), **({"description": option.text} if option.text else {})}


def _rule_id_schema(names: GameNames) -> Schema:
    """The numbered rules, with their texts for editors that show them."""
    ids = sorted(names.rules)
    return {"enum": ids, "enumDescriptions": [names.rules[id_].text for id_ in ids]} if ids else {}


# ---- parts


def _one_of_schema(names: Iterable[str], *, open_: bool = False) -> Schema:
    """One of these; `open_`: they are offered, and a file may declare more."""
    listed: Schema = {"enum": list(dict.fromkeys(names))}
    return {"anyOf": [listed, {"type": ["string", "array"]}]} if open_ else listed


def _offered_keys(names: Iterable[str] | Mapping[str, object]) -> Schema:
    """Keys that an editor completes."""
    return dict.fromkeys(names, True)


# ---- The folder of schemas

#: What editors read in the first lines of a file.
_LINE = re.compile(r"# yaml-language-server: \$schema=\S+[ \t]*\n")
_TOP = re.compile(r"^(\w+):", re.MULTILINE)
_GENERAL = ("components", "cards", "trait", "scenarios", "ruleset", "mod", "catalogue")
#: Files of these have the general schema: no game's names stand in them by themselves.
_SHARED_SCHEMAS = ("ruleset", "mod", "catalogue")


def schema_files(game: str, made: Mapping[str, Schema], folder: Path) -> dict[Path, str]:
    """Every file that belongs into a folder of schemas for a game, with its text."""
    found = {folder / game / name: _schema_text(schema) for name, schema in made.items()}
    for name in _GENERAL:
        file = f"{name}.schema.json"
        found[folder / file] = (schema_dir() / file).read_text(encoding="utf-8")
    return found


def _schema_text(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def stale_files(files: Mapping[Path, str]) -> list[Path]:
    """Those that are not there, or say something else."""
    return [path for path, text in files.items() if read_if_possible(path) != text]


def files_with_pointers(folder: Path, game: str, schemas: Path) -> dict[Path, str]:
    """The YAML files of a ruleset or mod, with texts that point to their schemas in the first line."""
    found: dict[Path, str] = {}
    for path in _yaml_files(folder):
        schema = schema_of(path, read_if_possible(path) or "")
        target = schemas / (schema if schema.split(".")[0] in _SHARED_SCHEMAS else f"{game}/{schema}")
        line = f"# yaml-language-server: $schema={Path(os.path.relpath(target, path.parent)).as_posix()}\n"
        text = read_if_possible(path) or ""
        found[path] = line + (text[match.end() :] if (match := _LINE.match(text)) else text)
    return found


def _yaml_files(folder: Path) -> Iterable[Path]:
    return (folder / name for name in Folder(folder).files() if name.endswith((".yaml", ".yml")))


def schema_of(path: Path, text: str) -> str:
    """Which schema is a file's: that of its name, or of what it holds at the top; where a trait does not say yet that
    it is one, of its folder."""
    if path.name in ("ruleset.yaml", "mod.yaml"):
        return f"{path.stem}.schema.json"
    if is_catalogue("/".join(path.parts[-2:])):
        return "catalogue.schema.json"
    top = set(_TOP.findall(text))
    if "trait" in top or path.parent.name == "traits":
        return "trait.schema.json"
    if "scenarios" in top or (not top and "scenarios" in path.parent.parts):
        return "scenarios.schema.json"
    return "cards.schema.json" if top == {"cards"} else "components.schema.json"
