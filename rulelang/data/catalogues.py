"""Catalogues of languages: the files `lang/CODE.yaml` of rulesets, of mods, and of the program itself; and texts that
stand in several languages where they are used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from rulelang.base import disk_cache
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import IdentityKey
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.folders import Folder, Unreadable, open_folder
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.schema import check_schema
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml

#: Where the catalogues of a ruleset or mod lie.
LANG = "lang"
_FILE = re.compile(rf"{LANG}/([a-z]{{2,3}}(?:-[A-Za-z0-9]+)*)\.yaml\Z")
_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*\Z")


@record
class Entry:
    """One text of a catalogue: English, and what is said instead ("" while that is missing), with their places.

    `was`: the English text that was translated, where it is another one now: what is said has to be looked at.
    """

    english: str
    said: str
    key: Span
    span: Span
    was: str = ""

    @property
    def usable(self) -> bool:
        return bool(self.said) and not self.was


@record
class Catalogue:
    """A file of one language, with its entries in the order written."""

    code: str
    path: str
    text: str
    entries: tuple[Entry, ...]


def own_folder() -> Path:
    """The folder whose `lang/` holds the catalogues of the program's own words."""
    return Path(__file__).resolve().parent.parent / "base" / "texts"


def is_catalogue(name: str) -> bool:
    """Whether a file of a ruleset's folder is a catalogue."""
    return _FILE.match(name) is not None


def catalogue_languages(roots: Iterable[str | Path]) -> tuple[str, ...]:
    """The languages of which these folders or zips have catalogues, sorted."""
    return tuple(sorted({code for root in roots for code in _files(root)}))


def load_translations(roots: Iterable[str | Path], code: str) -> dict[str, str]:
    """What the catalogues of a language in these folders or zips say, the later over the earlier; what is missing, has
    to be looked at, or cannot be read is left out (`read_catalogue` tells of it)."""
    found: dict[str, str] = {}
    for root in roots:
        name = _files(root).get(code)
        if name is not None:
            found |= _texts(root, name, code)
    return found


def read_catalogue(folder: Folder, code: str, diagnostics: Diagnostics) -> Catalogue | None:
    """A catalogue with its places. None if there is none, or after a diagnostic."""
    name = next((name for name in folder.files() if (m := _FILE.match(name)) and m[1].lower() == code), None)
    if name is None:
        return None
    path = folder.display(name)
    try:
        data = folder.read(name)
    except Unreadable as problem:
        diagnostics.error("Y132", Span(path, 1, 1, 1, 1), f"`{name}` cannot be read: {problem}")
        return None
    found = parse_catalogue(data, path, diagnostics)
    return Catalogue(code, path, *found) if found is not None else None


def parse_catalogue(data: bytes, path: str, diagnostics: Diagnostics) -> tuple[str, tuple[Entry, ...]] | None:
    """The text and the entries of a catalogue's file; None after a diagnostic."""
    file = read_yaml(data, path, diagnostics)
    if not isinstance(file.root, YamlMap) or not check_schema("catalogue", file, diagnostics):
        return None
    return file.text, tuple(_entry(key, node) for key, node in file.root.map("texts"))


def _entry(key: YamlScalar, node: YamlNode) -> Entry:
    if isinstance(node, YamlMap):
        said = node.get("said")
        return Entry(
            key.text, node.text("said") or "", key.span, said.span if said else node.span, node.text("was") or ""
        )
    text = node.text if isinstance(node, YamlScalar) and node.value is not None else ""
    return Entry(key.text, text, key.span, node.span)


def _texts(root: str | Path, name: str, code: str) -> dict[str, str]:
    """The usable texts of one file, from the disk if no byte has changed."""
    try:
        folder = open_folder(Path(root))
        key = sha256(folder.read(name)).hexdigest()
    except (Unreadable, OSError):
        return {}
    kept = disk_cache.load("languages", key)
    if isinstance(kept, dict):
        return kept
    catalogue = read_catalogue(folder, code, Diagnostics())
    found = {entry.english: entry.said for entry in catalogue.entries if entry.usable} if catalogue else {}
    disk_cache.store("languages", key, found)
    return found


def _files(root: str | Path) -> Mapping[str, str]:
    """By language, the name of its catalogue in a folder or zip."""
    try:
        names = open_folder(Path(root)).files()
    except (Unreadable, OSError):
        return {}
    return {match[1].lower(): name for name in names if (match := _FILE.match(name))}


# ---- texts in several languages, where they are used


def inline_translations(source: RulesetSource) -> dict[str, dict[str, str]]:
    """By language and English text, what is said where a ruleset itself has a text in several languages:
    `name: {en: Horns, zh: 尖角}`."""
    found: dict[str, dict[str, str]] = {}
    inside = (entry for part in _containers(source.tree) for entry in _containers(part) or [part])
    for node in (*source.manifests, *inside, *(trait.node for trait in source.traits)):
        for texts in _kept(IdentityKey(node)):
            english = texts.get("en") or next(iter(texts.values()))
            for code, said in texts.items():
                if code != "en" and said:
                    found.setdefault(code.lower(), {})[english] = said
    return found


def _containers(node: YamlNode) -> list[YamlNode]:
    """The maps and lists right in a map."""
    items = node.items if isinstance(node, YamlMap) else ()
    return [value for _, value in items if not isinstance(value, YamlScalar)]


@lru_cache(2048)
def _kept(node: IdentityKey[YamlNode]) -> list[dict[str, str]]:
    """Kept: variants of a ruleset have most of what stands in sections in common."""
    return _in_languages(node.item)


def _in_languages(node: YamlNode) -> list[dict[str, str]]:
    """The maps of languages in a tree: those of texts, under tags of languages, English among them."""
    found: list[dict[str, str]] = []
    ahead = [node]
    while ahead:
        node = ahead.pop()
        if isinstance(node, YamlSeq):
            ahead.extend([item for item in reversed(node.items) if not isinstance(item, YamlScalar)])
        elif isinstance(node, YamlMap):
            inner = _containers(node)
            if inner:
                ahead.extend(reversed(inner))
            elif node.get("en") is not None and _is_text(node):
                found.append({key.text: node.text(key.text) or "" for key, _ in node})
    return found


def _is_text(node: YamlMap) -> bool:
    return all(_TAG.match(key.text) and isinstance(value, YamlScalar) for key, value in node.items)
