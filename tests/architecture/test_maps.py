"""The maps and the recipes are true: the files that they name exist."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGE, ROOT

PAGES = ("CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/CODE_MAP.md", "docs/GLOSSARY.md")
#: A file of code or documentation, or a folder.
FILE = re.compile(r"`([\w./-]+(?:\.(?:py|lark|c|h|mjs|tsx?|json|md)|/))`")
#: Part of a path that everybody calls as he likes.
OPEN = re.compile(r"(?:^|/)(?:NAME|CODE|GAME|TRAIT)\b")
#: What a recipe calls a table, a union, or a function of one module: `_NOISE`, `HEADS`, `_made`.
TABLE = re.compile(r"`(_[a-z]\w*|_?[A-Z][A-Z_]+)`")
#: Written so, and no tables: hints for whoever reads. `N3` and the like are no words.
NO_TABLES = {"UPDATE_GOLDEN", "RULE", "GAME", "ID"}
#: What is built or fetched, and no code of ours.
FETCHED = {"node_modules", "__pycache__", ".git", ".venv"}


def below(folder: Path) -> Iterator[Path]:
    """All files and folders in it."""
    for here, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name not in FETCHED]
        yield from (Path(here, name) for name in (*inner, *names))


INSIDE = [*below(PACKAGE)]
#: Every file that one may be sent to, by its last name.
KNOWN = {path.name for top in ("tests", "docs", "benchmarks", "editors") for path in below(ROOT / top)}
KNOWN |= {path.name for path in (*INSIDE, *ROOT.iterdir())}
CODE = "\n".join(path.read_text(encoding="utf-8") for path in (*INSIDE, *below(ROOT / "tests")) if path.suffix == ".py")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def files(text: str) -> set[str]:
    return {name for name in FILE.findall(text) if not OPEN.search(name)}


def places(name: str) -> list[Path]:
    """Where a path with a folder in it leads: from the root, from the package, or from a folder in it."""
    starts = [ROOT / name, PACKAGE / name]
    inside = [path for path in INSIDE if path.as_posix().endswith(f"/{name.rstrip('/')}")]
    return [path for path in (*starts, *inside) if path.exists()]


def rows(text: str) -> list[str]:
    """Return the rows of all tables."""
    return [line for line in text.splitlines() if line.startswith("| ")]


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    found = files(read(page))
    assert found
    gone = [name for name in found if not (places(name) if "/" in name else name in KNOWN)]
    assert sorted(gone) == [], f"{page} names what is not there"


def test_a_short_name_lies_in_a_folder_that_its_row_names() -> None:
    """A reader opens what the row names, and need not search."""
    lost: list[tuple[str, str]] = []
    found = rows(read("docs/CODE_MAP.md"))
    assert len(found) > 50
    for row in found:
        named = files(row)
        ways = [path for name in named if "/" in name for path in places(name)]
        folders = {path if path.is_dir() else path.parent for path in ways}
        for name in named:
            if "/" not in name and not any((folder / name).exists() for folder in folders):
                lost.append((row.split("|")[1].strip(), name))
    assert lost == []


def test_every_package_is_on_the_map() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    table = "\n".join(rows(read("docs/ARCHITECTURE.md").partition("\n## Packages\n")[2].partition("\n## ")[0]))
    told = {name.removeprefix("rulelang/").rstrip("/") for name in files(table) if name.endswith("/")}
    assert rooms - told == set(), "each package needs a row in the tables of packages"


def test_tables_that_recipes_name_are_there() -> None:
    named = set(TABLE.findall(read("CONTRIBUTING.md"))) - NO_TABLES
    assert named >= {"_NOISE", "HEADS", "BUILT_IN"}
    gone = [name for name in named if not re.search(rf"^(?: *def {name}\(|[\w, ]*\b{name}\b.* =)", CODE, re.M)]
    assert sorted(gone) == [], "a recipe sends people to what is not there"
