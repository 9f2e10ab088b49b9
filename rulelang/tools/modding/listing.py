"""The load order of a game and its mods: list it, lock it in a file, and pack a mod as a zip."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.folders import display_path, open_folder
from rulelang.data.manifest import Manifest
from rulelang.data.mods import LOCK, GivenMods, Link, contents_digest, gather_mods, lock_text, locked_files
from rulelang.data.ruleset import read_affected_texts, short_value_text, title_of
from rulelang.testing.scenarios.checking import check_scenarios

# ---- load order

_HOW = {"extends": "it extends `{0}`{1}", "optional": "it works with `{0}`{1}", "after": "it says `after: {0}`{1}"}


@dataclass(frozen=True, slots=True)
class Follows:
    """One that a mod comes after: its id, the section of the manifest that says so ("order": the player did), where,
    and the range of versions."""

    id: str
    word: str
    span: Span
    range: str

    def text(self) -> str:
        if self.word == "order":
            return f"you listed it after `{self.id}`"
        versions = f" {self.range}" if self.range else ""
        return _HOW[self.word].format(self.id, versions)


@dataclass(frozen=True, slots=True)
class Listed:
    """One layer. `found`: "folder", "zip", "package" or "shipped"; `path`: where. `number`: its place, 0 for the game.

    `given`: its place among those that were named, from 1; 0 if it was not. `needed_by`: then who extends it.
    """

    number: int
    id: str
    version: str
    title: str
    found: str
    path: str
    given: int
    needed_by: str
    follows: tuple[Follows, ...]

    def why(self) -> list[str]:
        """The reasons for its place, in words."""
        if self.number == 0:
            return ["the game"]
        here = f"here because `{self.needed_by}` extends it" if not self.given else f"given as number {self.given}"
        return [here, *(item.text() for item in self.follows)]

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "found": self.found,
            "path": self.path,
            "given": self.given,
            "needed_by": self.needed_by,
            "follows": [{"id": f.id, "word": f.word, "range": f.range, "span": f.span._asdict()} for f in self.follows],
            "why": self.why(),
        }


def list_layers(where: str | Path, mods: Sequence[str | Path] = ()) -> tuple[Listed, ...]:
    """The game first, then its mods in their order. LoadError with all that is wrong with the order."""
    given = gather_manifests(where, mods)
    stack = given.stack
    named = {name: number for number, name in reversed(list(enumerate(dict.fromkeys(given.ids), 1)))}
    first = 0 if given.first.is_mod else 1  # mods are counted, not the game
    found = [_describe_layer(0, stack.base, 0, "", ())]
    for number, mod in enumerate(stack.mods, 1):
        links = stack.follows.get(mod.id, {})
        follows = tuple(_follows(mod, name, link) for name, link in links.items() if name in stack.known)
        at = named.get(mod.id, first) - first
        found.append(_describe_layer(number, mod, at, stack.needed_by.get(mod.id, ""), follows))
    return tuple(found)


def gather_manifests(where: str | Path, mods: Sequence[str | Path]) -> GivenMods:
    """The base and its mods in order. LoadError if anything is wrong with that."""
    out = Diagnostics()
    given = gather_mods(where, mods, out)
    if given is None or out.failed:
        raise LoadError(out, read_affected_texts(out))
    return given


def _describe_layer(
    number: int, manifest: Manifest, given: int, needed_by: str, follows: tuple[Follows, ...]
) -> Listed:
    root = manifest.folder.root
    return Listed(
        number, manifest.id, manifest.version, title_of(manifest.root), manifest.found, display_path(root), given,
        needed_by, follows,
    )  # fmt: skip


def _follows(mod: Manifest, name: str, link: Link) -> Follows:
    need = mod.needs(link.word).get(name)
    return Follows(name, link.word, link.span, need.range if need is not None else "")


# ---- packing and locking

_WHEN = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip can tell


@dataclass(frozen=True, slots=True)
class Packed:
    """A zip that was made: of how many files, and the hash of its contents, which a lock holds."""

    path: Path
    id: str
    version: str
    files: int
    sha256: str


def pack(where: str | Path, mods: Sequence[str | Path] = (), target: str | Path | None = None) -> Packed:
    """Check a ruleset or mod with its scenarios, and put it into `ID-VERSION.zip` (or the file or folder `target`).

    The same files give the same bytes, on every machine: names in order, no times, nothing compressed, for how that
    comes out depends on the machine's library. `mods`: laid over it for the check. LoadError with the mistakes of what
    would be packed; OSError.
    """
    compilation = Compilation(where, mods)
    found = Diagnostics(list(compilation.diagnostics))
    if not found.failed:
        found.extend(check_scenarios(compilation).diagnostics)
    if found.failed:
        raise LoadError(found, compilation.read[0].sources if compilation.read[0] is not None else {})
    manifest = gather_manifests(where, mods).first
    name = f"{manifest.id}-{manifest.version}"
    path = Path(target) if target is not None else Path(f"{name}.zip")
    if path.is_dir():
        path /= f"{name}.zip"
    names = locked_files(manifest.folder)
    part = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
            for file in names:
                info = zipfile.ZipInfo(f"{manifest.id}/{file}", _WHEN)
                info.create_system, info.external_attr = 3, 0o644 << 16  # else they tell the machine
                archive.writestr(info, manifest.folder.read(file))
        made = contents_digest(open_folder(part))
        if made != contents_digest(manifest.folder):  # it changed under our hands
            raise OSError(f"`{path}` did not become what was to be packed; try again")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return Packed(path, manifest.id, manifest.version, len(names), made)


def lock(where: str | Path, mods: Sequence[str | Path] = (), target: str | Path | None = None) -> Path:
    """Write the lock of a game with mods to `ID.lock` (or the file or folder `target`). LoadError, OSError."""
    given = gather_manifests(where, mods)
    source = Compilation(where, mods).source
    met: dict[str, dict[str, str]] = {}
    for change in source.history.changes:
        layer = source.layers[change.layer]
        if layer.kind == "mod":
            met.setdefault(layer.id, {})[change.path] = short_value_text(change.before)
    path = Path(target) if target is not None else Path(f"{given.first.id}{LOCK}")
    if path.is_dir():
        path /= f"{given.first.id}{LOCK}"
    path.write_text(lock_text(given.stack, met, path.parent), encoding="utf-8", newline="\n")
    return path
