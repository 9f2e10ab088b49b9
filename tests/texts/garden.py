"""The garden of docs/language/README.md in a folder, with a catalogue in German."""

from __future__ import annotations

from pathlib import Path

from tests.spec.pages import garden, write

GERMAN = """\
texts:
  The garden: Der Garten
  ada: Ada
  "{snail} eats {number} {food}": "{snail} frisst {number} {food}"
"""


def write_garden(folder: Path, catalogue: str = GERMAN) -> Path:
    """The folder of the game, with `lang/de.yaml`."""
    write(folder / "garden", {**garden(), "lang/de.yaml": catalogue})
    return folder / "garden"
