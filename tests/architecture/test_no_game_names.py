"""No game and no trait is named in Python: what a game is stands in its ruleset alone.

Identifiers and texts are searched for the ids of the shipped rulesets and their traits. Docstrings and the manual pages
of the diagnostic codes are not: they explain by example, and nothing behaves by them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import PACKAGE, ROOT, Source, docstrings, sources

# Ids that are ordinary words of the compiler's own trade.
ORDINARY: dict[str, str] = {
    "running": "of hooks and routines: one that is not over yet",
    "communication": "of processes",
}
ID = re.compile(r"^(?:trait|id):[ \t]*([a-z][a-z0-9_]*)[ \t]*(?:#.*)?$", re.MULTILINE)
WORD_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def game_names() -> set[str]:
    names = set()
    for path in (ROOT / "rulesets").rglob("*.yaml"):
        names.update(ID.findall(path.read_text(encoding="utf-8")))
    return names - ORDINARY.keys()


def texts(source: Source) -> Iterator[tuple[int, str]]:
    skipped = docstrings(source.tree)
    for node in ast.walk(source.tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield line, node.value
        for attribute in ("id", "attr", "name", "arg", "asname"):
            name = getattr(node, attribute, None)
            if isinstance(name, str):
                yield line, name


def words(text: str) -> str:
    """In lower case, with every run of anything but letters and digits as one `_`, and one at both ends."""
    return "_" + re.sub(r"[^a-z0-9]+", "_", WORD_BREAK.sub("_", text).lower()).strip("_") + "_"


def named(text: str, names: set[str]) -> list[str]:
    flat = words(text)
    return sorted(name for name in names if f"_{name}_" in flat)


def is_manual_page(path: Path) -> bool:
    return path.is_relative_to(PACKAGE / "base" / "codes")


def test_no_game_or_trait_is_named() -> None:
    names = game_names()
    found = [
        f"{source.name}:{line}: {name}"
        for source in sources()
        if not is_manual_page(source.path)
        for line, text in texts(source)
        for name in named(text, names)
    ]
    assert found == []


def test_the_search_finds_what_it_looks_for() -> None:
    names = {"hard_shell", "horns"}
    assert named("if card.hard_shell:", names) == ["hard_shell"]
    assert named("a hard shell, and Horns", names) == ["hard_shell", "horns"]
    assert named("HardShell", names) == ["hard_shell"]
    assert named("shoehorns on a hard shelly beach", names) == []
    assert game_names(), "no ruleset was found"
