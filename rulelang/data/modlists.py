"""Mods as a player names them: words in an order of his own, lists in files, and locks, which hold what they list.

A word is a path or an id. Words joined by commas, `wet,dry`, and the mods of a list file are laid in this order: each
comes after the one before it, as if it said so itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.folders import Unreadable, display_path, kind_of, read_file
from rulelang.data.manifest import MANIFESTS
from rulelang.data.paths import LOCKED
from rulelang.data.schema import check_schema
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.data.yaml_reader import read_yaml

LOCK = ".lock"
_ENDINGS = (".yaml", ".yml", LOCK)


@record
class Wish:
    """A mod that is wanted: the word that names it, where that stands, and what is held of it (`None`: nothing).

    `chain`: the number of the list in which it stands, if that is an order; `held`: its entry in a lock or list.
    """

    word: str | Path
    span: Span
    chain: int | None = None
    held: YamlMap | None = None


@record
class Lists:
    """Files that list mods: paths and texts; `game`: the entry of the base in a lock; `whole`: the place of a lock,
    next to whose mods there may be no others."""

    texts: dict[str, str]
    game: YamlMap | None = None
    whole: Span | None = None


def read_words(words: Sequence[str | Path], game: str, diagnostics: Diagnostics) -> tuple[list[Wish], Lists]:
    """All mods that some words stand for, in the order given. `game`: the id of what they are laid over."""
    wishes: list[Wish] = []
    texts: dict[str, str] = {}
    base: YamlMap | None = None
    whole: Span | None = None
    for number, word in enumerate(sorted(words, key=lambda word: word != LOCKED)):  # a lock says the order of its mods
        path = Path(word)
        if word == LOCKED:
            found = lock_of(game, Path.cwd())
            if found is None:
                message = f"there is no lock `{game}{LOCK}` here or in a parent folder"
                because, hint = "`--locked` needs a lock", "write one with `rulelang mods lock`"
                diagnostics.error("Y161", Span("--locked", 1, 1, 1, 1), message, because=because, hint=hint)
                continue
            path = found
        if is_list(path):
            shown = display_path(path)
            root = _read(path, shown, texts, diagnostics)
            if root is None:
                continue
            entries = root.seq("mods")
            wishes.extend(_entry(item, number, path.parent) for item in entries)
            if root.get("lock") is not None:
                base, whole = root.map("game"), Span(shown, 1, 1, 1, 1)
        elif isinstance(word, str) and "," in word and not kind_of(word):
            parts = [part.strip() for part in word.split(",")]
            wishes.extend(Wish(part, Span(word, 1, 1, 1, 1), number) for part in parts if part)
        else:
            wishes.append(Wish(word, Span(str(word), 1, 1, 1, 1)))
    return wishes, Lists(texts, base, whole)


def lock_of(name: str, start: Path) -> Path | None:
    """The lock `NAME.lock` in a folder, or the nearest above it."""
    paths = (place / f"{name}{LOCK}" for place in (start, *start.parents))
    return next((path for path in paths if kind_of(str(path)) == "file"), None)


def is_list(path: Path) -> bool:
    """Whether a path is that of a file that lists mods: YAML, and no manifest."""
    return path.suffix in _ENDINGS and path.name not in MANIFESTS and kind_of(str(path)) == "file"


def _read(path: Path, shown: str, texts: dict[str, str], diagnostics: Diagnostics) -> YamlMap | None:
    try:
        data = read_file(path)
    except Unreadable as mistake:
        diagnostics.error("Y132", Span(shown, 1, 1, 1, 1), f"`{path.name}` cannot be read: {mistake}")
        return None
    file = read_yaml(data, shown, diagnostics)
    texts[shown] = file.text
    if file.root is None or not isinstance(file.root, YamlMap) or file.root.get("mods") is None:
        if file.root is not None or not file.text.strip():
            because = "a file named instead of a mod must be a list of mods"
            hint = "name the folder of a mod, or a file with `mods: [one, other]`"
            message = f"`{path.name}` is not a list of mods"
            diagnostics.error("Y130", Span(shown, 1, 1, 1, 1), message, because=because, hint=hint)
        return None
    return file.root if check_schema("modlist", file, diagnostics) else None


def _entry(item: YamlNode, chain: int, home: Path) -> Wish:
    """An entry: a word, or a map with `id`, `from`, and what is held. Paths are those from the list's own folder."""
    word = item
    held = item if isinstance(item, YamlMap) else None
    if held is not None:
        word = held.get("from") or held.get("id") or item
    text = word.text if isinstance(word, YamlScalar) else ""
    beside = home / text
    return Wish(str(beside) if text and kind_of(str(beside)) else text, word.span.head(), chain, held)
