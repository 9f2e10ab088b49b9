"""`pack`: a ruleset or mod as one checked zip. `lock`: what is laid, its versions and contents, written to a file."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.folders import open_folder
from rulelang.data.mods import LOCK, contents_digest, lock_text, locked_files
from rulelang.data.ruleset import short_value_text
from rulelang.testing.scenarios.checking import check_scenarios
from rulelang.tools.modding.listing import gathered

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
    manifest = gathered(where, mods).first
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
    given = gathered(where, mods)
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
