"""The garden of docs/language/README.md in a folder, with a catalogue in German or another language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.spec.pages import garden, write

GERMAN = """\
texts:
  The garden: Der Garten
  ada: Ada
  "{snail} eats {number} {food}": "{snail} frisst {number} {food}"
"""


def write_garden(
    folder: Path, catalogue: str = GERMAN, code: str = "de", changes: Mapping[str, str] | None = None
) -> Path:
    """The folder of the game, with `lang/CODE.yaml`; in its rules each text of `changes` is replaced by another."""
    files = dict(garden())
    for old, new in (changes or {}).items():
        assert old in files["garden.rules"]
        files["garden.rules"] = files["garden.rules"].replace(old, new)
    write(folder / "garden", {**files, f"lang/{code}.yaml": catalogue})
    return folder / "garden"
