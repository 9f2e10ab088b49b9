"""The folder of schemas: the general ones, and beside them a folder with those of each game."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from rulelang.apps.editor.json_schemas import Schema
from rulelang.data.catalogues import is_catalogue
from rulelang.data.folders import Folder, schema_dir

#: What editors read in the first lines of a file.
_LINE = re.compile(r"# yaml-language-server: \$schema=\S+[ \t]*\n")
_TOP = re.compile(r"^(\w+):", re.MULTILINE)
_GENERAL = ("components", "cards", "trait", "scenarios", "ruleset", "mod", "catalogue")
#: Files of these have the general schema: no game's names stand in them by themselves.
_SAME = ("ruleset", "mod", "catalogue")


def texts(game: str, made: Mapping[str, Schema], folder: Path) -> dict[Path, str]:
    """Every file that belongs into a folder of schemas for a game, with its text."""
    found = {folder / game / name: _text(schema) for name, schema in made.items()}
    for name in _GENERAL:
        file = f"{name}.schema.json"
        found[folder / file] = (schema_dir() / file).read_text(encoding="utf-8")
    return found


def _text(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def stale(files: Mapping[Path, str]) -> list[Path]:
    """Those that are not there, or say something else."""
    return [path for path, text in files.items() if _read(path) != text]


def pointers(folder: Path, game: str, schemas: Path) -> dict[Path, str]:
    """The YAML files of a ruleset or mod, with texts that point to their schemas in the first line."""
    found: dict[Path, str] = {}
    for path in _yaml_files(folder):
        schema = schema_of(path, _read(path) or "")
        target = schemas / (schema if schema.split(".")[0] in _SAME else f"{game}/{schema}")
        line = f"# yaml-language-server: $schema={Path(os.path.relpath(target, path.parent)).as_posix()}\n"
        text = _read(path) or ""
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


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
