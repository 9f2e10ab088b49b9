"""The pages that were written by hand for whoever uses rulelang, by name: in a checkout and in an installed package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulelang.data.paths import docs_dir

#: Folders of the documentation, with what the page is called that says what the others are.
_ROOMS = {"language": "language", "": "docs", "reference": "reference"}
#: Pages for those who work on rulelang itself, and what `explain` and `--help` show already.
_LEFT_OUT = frozenset({"architecture", "diagnostics", "cli"})


def manual() -> Mapping[str, Path]:
    """The Markdown files by the names of their pages, in the order of the folders."""
    found: dict[str, Path] = {}
    for room, index in _ROOMS.items():
        for path in sorted((docs_dir() / room).glob("*.md")):
            name = index if path.stem == "README" else path.stem.casefold()
            if name not in _LEFT_OUT:
                found.setdefault(name, path)
    return found
