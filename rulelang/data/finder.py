"""Where rulesets and mods are found: folders, zips and installed packages alike, by path or by id, shipped ones too."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean
from rulelang.data.folders import (
    Folder,
    TooMuch,
    Unreadable,
    list_names,
    open_folder,
    path_kind,
    record_answer,
    shipped_rulesets_dir,
)
from rulelang.data.manifest import (
    MANIFESTS,
    Manifest,
    NoRange,
    is_ruleset,
    newest_first,
    read_manifest,
    version_in_range,
)

PARTS = (".yaml", ".rules", ".csv", ".tsv", ".xlsx")  # what rulesets are made of
#: The entry points under which an installed package brings rulesets and mods: `id = "package.folder"`.
GROUP = "rulelang.rulesets"
_ID = re.compile(r"[\w-]+")
_MAX_NEIGHBOURS = 500


@record
class FoundSource:
    """A folder or zip, and what it was found as; see `Manifest.found`."""

    folder: Folder
    as_: str


@dataclass(slots=True)
class Finder:
    """Finds what is named. `near`: the folders in which ids are looked for first."""

    near: list[Path] = field(default_factory=list)

    def beside(self, folder: Folder) -> None:
        """From now on ids are also looked for in a game's folder `mods/`, beside the game, and in `mods/` there; for a
        mod in such a folder, also where its game may lie."""
        root = Path(os.path.abspath(folder.root))  # `.` has no parent
        above = [root.parents[1], root.parents[2]] if root.parent.name == "mods" and len(root.parents) > 2 else []
        for place in (*([] if folder.archive else [root / "mods"]), root.parent, root.parent / "mods", *above):
            if place not in self.near:
                self.near.append(place)

    def locate(self, where: str | Path, diagnostics: Diagnostics, span: Span | None = None) -> FoundSource | None:
        """The folder or zip of a path (also of its manifest), of an id near by or shipped, or of a package."""
        span = span or Span(str(where), 1, 1, 1, 1)
        path = Path(where)
        if path.name in MANIFESTS and path_kind(str(path)) == "file":
            path = path.parent
        is_id = isinstance(where, str) and _ID.fullmatch(where) is not None
        if is_id and not is_ruleset(path):
            found = self.by_id(str(where), only=self.near)
            if found is not None:
                return FoundSource(found.folder, found.found)
            shipped = shipped_rulesets_dir() / where
            if is_ruleset(shipped):
                return FoundSource(Folder(shipped), "shipped")
        if path.suffix in PARTS and path_kind(str(path)) == "file":
            message = f"`{where}` cannot be read on its own"
            because = "rules, cards and scenarios belong to a ruleset or a mod"
            hint = "put it in a folder with a `ruleset.yaml` or a `mod.yaml`"
            diagnostics.error("Y130", span, message, because=because, hint=hint)
            return None
        if path_kind(str(path)):
            try:
                folder = open_folder(path)
            except Unreadable as mistake:
                hint = mistake.hint if isinstance(mistake, TooMuch) else ""
                message = f"`{where}` is neither a folder nor a zip that can be read: {mistake}"
                diagnostics.error("Y130", span, message, hint=hint)
                return None
            return FoundSource(folder, "zip" if folder.archive else "folder")
        if is_id:
            for place in _package(str(where)):
                return FoundSource(Folder(place), "package")
            here = [Path.cwd(), Path.cwd() / "mods", Path.cwd().parent]
            found = self.by_id(str(where), only=[place for place in here if place not in self.near])
            if found is not None:
                return FoundSource(found.folder, found.found)
        known = [*shipped_ids(), *installed_packages(), *(m.id for m in self.neighbours(self.near)), *self._names()]
        hint = did_you_mean(str(where), known)
        because = "a ruleset or mod must be a folder, a zip file, an installed package, or the id of one of these"
        diagnostics.error("Y130", span, f"no ruleset or mod `{where}` was found", because=because, hint=hint)
        return None

    def by_id(self, name: str, only: Sequence[Path] | None = None, wanted: str = "") -> Manifest | None:
        """The ruleset or mod of that id: near by, installed, or shipped; or `only` in some folders.

        Of several that lie near, the one is taken whose version lies in the range `wanted`; of these a folder before a
        zip, and the newest first.
        """
        places = dict.fromkeys(self.near if only is None else only)
        same = [manifest for place in places for manifest in self.versions(name, place, wanted)]
        if same:
            return best_match(same, wanted)
        if only is not None:
            return None
        quiet = Diagnostics()
        packages = [read_manifest(Folder(path), quiet, "package") for path in _package(name)]
        for manifest in (*packages, *self.neighbours([shipped_rulesets_dir()], name)):
            if manifest is not None and manifest.id == name:
                return manifest
        return None

    def versions(self, name: str, place: Path, wanted: str = "") -> list[Manifest]:
        """All rulesets and mods of that id that lie in a folder. Usually there is one, and it is called so: if its
        version lies in the range `wanted`, no other is looked for."""
        if _ID.fullmatch(name) and is_ruleset(place / name) and not _zips_of(str(place), name):
            manifest = _manifest(place / name, "shipped" if place == shipped_rulesets_dir() else "")
            if manifest is not None and manifest.id == name and _inside(manifest, wanted):
                return [manifest]
        return [manifest for manifest in self.neighbours([place]) if manifest.id == name]

    def neighbours(self, places: Iterable[Path], first: str = "") -> Iterator[Manifest]:
        """What lies in some folders: folders, then zips; what has that name comes first."""
        shipped = shipped_rulesets_dir()
        for place in places:
            for path in sorted(_listed(place), key=lambda p: (p.name != first, p.suffix == ".zip", p.name)):
                manifest = _manifest(path, "shipped" if place == shipped else "")
                if manifest is not None:
                    yield manifest

    def _names(self) -> list[str]:
        """Names of folders where one stands, for a hint."""
        return [path.name for path in _listed(Path.cwd()) if path_kind(str(path)) == "folder"]


def best_match(same: Sequence[Manifest], wanted: str) -> Manifest:
    """Of several of one id: first those in a range of versions, then folders, then the newest."""
    if len(same) == 1:
        return same[0]
    order = newest_first([manifest.version for manifest in same])
    ranked = [same[index] for index in order]
    return min(ranked, key=lambda m: (not _inside(m, wanted), m.folder.archive))


def _inside(manifest: Manifest, wanted: str) -> bool:
    try:
        return version_in_range(manifest.version, wanted)
    except NoRange:
        return True


def shipped_ids() -> list[str]:
    """Return the ids of the rulesets and mods that come with rulelang, sorted."""
    root = shipped_rulesets_dir()
    return [name for name in list_names(str(root)) if is_ruleset(root / name)]


def installed_packages() -> dict[str, str]:
    """Return by id the package that an installed distribution names in the group of entry points
    `rulelang.rulesets`."""
    return dict(_entry_points())


@record_answer
def _entry_points() -> list[tuple[str, str]]:
    from importlib.metadata import entry_points

    points = sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value))
    return [(point.name, point.module) for point in points]


def _package(name: str) -> list[Path]:
    """Return where a package is that is installed under this id, or has this name. None of its code is run."""
    found: list[Path] = []
    for module in (installed_packages().get(name), name if name.isidentifier() else None):
        top, *inner = (module or "").split(".")
        places = _homes_of(top) if top.isidentifier() else []
        found.extend(place for place in (Path(p).joinpath(*inner) for p in places) if is_ruleset(place))
    return found


@record_answer
def _homes_of(module: str) -> list[str]:
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):  # `__main__` has none
        spec = None
    return list(spec.submodule_search_locations or ()) if spec else []


def _listed(place: Path) -> list[Path]:
    return [place / name for name in _rulesets_in(str(place))]


@record_answer
def _rulesets_in(place: str) -> list[str]:
    """List the folders that hold a ruleset or mod, and zips."""
    found = [Path(place, name) for name in list_names(place)[:_MAX_NEIGHBOURS]]
    return [
        path.name for path in found if is_ruleset(path) or (path.suffix == ".zip" and path_kind(str(path)) == "file")
    ]


@record_answer
def _zips_of(place: str, name: str) -> list[str]:
    return [found for found in list_names(place) if found.startswith(name) and found.endswith(".zip")]


def _manifest(path: Path, found_as: str = "") -> Manifest | None:
    """The manifest in a folder or zip, if there is a sound one."""
    try:
        return read_manifest(open_folder(path), Diagnostics(), found_as)
    except Unreadable:
        return None
